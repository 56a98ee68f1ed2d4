use std::path::Path;

use crate::app::Offer;
use crate::error::Error;
use crate::resume::{Folder, Launch, Plan, Program, ToolPreset, live_since};
use crate::session::{LeafArg, Session};
use crate::store::{Environment, FoundFile, Store};

/// Finds out what resuming a session comes to.
pub(super) fn offer(
    path: &Path,
    known: &[Box<str>],
    store: Store,
    environment: &Environment,
    now: i64,
) -> Result<Offer, Error> {
    let session = Session::open(path)?;
    let mtime = FoundFile::look_at(path).ok().map(|file| file.mtime_millis());
    let launch = Launch::of_session(&session, environment);
    let program = Program::find(Plan::of(&launch, &store, environment).program(), environment);
    let model = session.context(&LeafArg::Current).model.map(|model| {
        let words = [model.provider, model.model];
        words.into_iter().flatten().collect::<Vec<_>>().join("/")
    });
    Ok(Offer {
        model,
        folder: Folder::of(session.header().cwd.as_deref(), known.iter().map(|cwd| &**cwd)),
        recorded: ToolPreset::recorded(&session)?,
        live_since: mtime.and_then(|mtime| live_since(mtime, now)),
        program,
        launch,
        store,
        environment: environment.clone(),
    })
}
