use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::app::{At, Offer, Split};
use crate::edit::Editor;
use crate::error::Error;
use crate::resume::{Folder, Launch, Plan, Program, ToolPreset};
use crate::session::{EntryIx, LeafArg, Session};
use crate::store::{Environment, FoundFile, Liveness, Store, Subject, Writers};

/// Finds out what resuming a session comes to.
pub(super) fn offer(
    path: &Path,
    at: Option<(Arc<Session>, EntryIx)>,
    known: &[Box<str>],
    store: Store,
    environment: &Environment,
    now: i64,
) -> Result<Offer, Error> {
    let session = Session::open(path)?;
    let launch = Launch::of_session(&session, environment);
    let program = Program::find(Plan::of(&launch, &store, environment).program(), environment);
    let model = session.context(&LeafArg::Current).model.map(|model| {
        let words = [model.provider, model.model];
        words.into_iter().flatten().collect::<Vec<_>>().join("/")
    });
    let at = match at {
        Some((session, entry)) => Some(At { prompt: session.prompt_text(entry)?, session, entry }),
        None => None,
    };
    Ok(Offer {
        at,
        leaf: session.current_leaf().map(|leaf| session.entry_id(leaf).clone()),
        model,
        folder: Folder::of(session.header().cwd.as_deref(), known.iter().map(|cwd| &**cwd)),
        recorded: ToolPreset::recorded(&session)?,
        liveness: liveness(&session, now),
        program,
        launch,
        store,
        environment: environment.clone(),
    })
}

/// What speaks for it that a session is being written at this moment.
fn liveness(session: &Session, now: i64) -> Liveness {
    let Ok(file) = FoundFile::look_at(session.path()) else { return Liveness::default() };
    let cwd = session.header().cwd.as_deref().unwrap_or_default();
    let subject = Subject { path: &file.canonical, id: session.id(), cwd, written: file.mtime_millis() };
    Writers::look().liveness(subject, now)
}

/// Writes what makes pi go on from an entry, and returns the file of the session to be resumed.
pub(super) fn split(
    session: &Session,
    entry: EntryIx,
    how: Split,
    environment: &Environment,
) -> Result<PathBuf, Error> {
    let editor = Editor::new(environment);
    match how {
        Split::NewSession => Ok(editor.fork(session, entry)?.path),
        Split::SameFile => {
            let is_prompt = session.prompt_text(entry)?.is_some();
            let below = if is_prompt { session.links().named_parent(entry) } else { Some(entry) };
            editor.branch_point(session, below)?;
            Ok(environment.absolute(session.path()))
        }
    }
}
