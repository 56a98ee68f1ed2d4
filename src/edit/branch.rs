use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use super::create::{NewHeader, create, lines};
use super::entries::{self, Parent, Place};
use super::{Editor, Mode, id, migrate};
use crate::error::Error;
use crate::format::JsObject;
use crate::format::json::Value;
use crate::format::{EntryId, Kind, Role, js, text_blocks};
use crate::session::{EntryIx, Session};

/// A session that was split off another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branched {
    /// Its file.
    pub path: PathBuf,
    /// Its id.
    pub id: String,
    /// The prompt it was split off before, to be edited and sent again.
    pub prompt: Option<String>,
}

impl Editor {
    /// Splits a new session off at an entry, as pi's /fork does: at a prompt it ends above that, and the prompt's
    /// text is handed back; at any other entry it ends with the entry.
    ///
    /// The file is written at once, also where it holds no message yet, which pi puts off.
    ///
    /// # Errors
    /// What the disk reports.
    pub fn fork(&self, session: &Session, at: EntryIx) -> Result<Branched, Error> {
        match prompt_of(session, at)? {
            Some(prompt) => {
                let above = session.links().named_parent(at);
                Ok(Branched { prompt: Some(prompt), ..self.branch(session, above, "cannot fork")? })
            }
            None => self.branch(session, Some(at), "cannot fork"),
        }
    }

    /// Writes the branch that ends at `leaf` as a session of its own, as pi's /clone does.
    ///
    /// # Errors
    /// What the disk reports.
    pub fn clone_branch(&self, session: &Session, leaf: Option<EntryIx>) -> Result<Branched, Error> {
        self.branch(session, leaf, "cannot clone")
    }

    fn branch(&self, session: &Session, leaf: Option<EntryIx>, act: &'static str) -> Result<Branched, Error> {
        let failed = |cause| Error::new(act, session.path(), cause);
        let migrated = migrate::as_version_3(session).map_err(failed)?;
        let source = migrated.as_ref().unwrap_or(session);
        let now = self.now();
        let id = id::session_id(now).map_err(|error| failed(error.into()))?;
        let timestamp = js::iso(now);
        let parent_session = self.environment.absolute(session.path());
        let cwd = match session.header().cwd.as_deref() {
            Some(cwd) => self.environment.absolute(cwd),
            None => self.environment.cwd().to_owned(),
        };
        let parent = parent_session.to_string_lossy();
        let header = NewHeader { id: &id, timestamp: &timestamp, cwd: &cwd, parent_session: Some(&parent) };
        let body = branch_lines(source, leaf)?;
        let path = parent_session.with_file_name(header.file_name());
        if self.mode == Mode::Write {
            let bytes = lines(std::iter::once(header.line()).chain(body));
            create(&path, &bytes).map_err(|cause| Error::new("cannot write", &path, cause))?;
        }
        Ok(Branched { path, id, prompt: None })
    }
}

/// The text of a prompt: of a user's message, or of a custom one.
fn prompt_of(session: &Session, ix: EntryIx) -> Result<Option<String>, Error> {
    let is_user = matches!(session.entry(ix).kind.role(), Some(Role::User));
    let is_custom = matches!(session.entry(ix).kind, Kind::CustomMessage { .. });
    if !is_user && !is_custom {
        return Ok(None);
    }
    let body = session.body(ix)?;
    let holder = if is_user { body.root().get("message") } else { Some(body.root()) };
    let content = holder.and_then(|holder| holder.get("content"));
    Ok(Some(text_blocks(content).collect()))
}

/// The lines of a new session that holds the path to `leaf`: its entries without labels, each below the one before,
/// and behind them the labels in force on them.
pub(super) fn branch_lines(session: &Session, leaf: Option<EntryIx>) -> Result<Vec<String>, Error> {
    let path = session.path_to(leaf);
    let is_label = |&ix: &EntryIx| matches!(session.entry(ix).kind, Kind::Label { .. });
    let kept: Vec<EntryIx> = path.iter().copied().filter(|ix| !is_label(ix)).collect();
    let mut next_kept = following_kept(session, &path);
    let mut lines = Vec::with_capacity(kept.len());
    let mut last = Parent::None;
    for &ix in &kept {
        let body = session.body(ix)?;
        let mut entry = JsObject::of(body.root());
        entry.set("parentId", as_json(&last));
        if let Some(moved) = boundary(session, ix, &mut next_kept)? {
            entry.set("firstKeptEntryId", moved);
        }
        lines.push(entry.print());
        last = json_id(body.root()).map_or(Parent::Unnamed, Parent::Id);
    }
    let targets: HashSet<&EntryId> = kept.iter().map(|&ix| session.entry_id(ix)).collect();
    let taken: HashSet<&str> = path.iter().map(|&ix| session.entry_id(ix).as_str()).collect();
    let mut fresh = HashSet::new();
    for label in session.labels().iter().filter(|label| targets.contains(&label.target)) {
        let id = id::entry_id(|id| taken.contains(id) || fresh.contains(id))
            .map_err(|error| Error::new("cannot name an entry of", session.path(), error))?;
        let place = Place { id: &id, parent: &last, timestamp: label.timestamp.as_deref() };
        lines.push(entries::label(&place, &label.target.to_json(), Some(&label.text)));
        last = Parent::Id(format!("\"{id}\""));
        fresh.insert(id);
    }
    Ok(lines)
}

/// For every label on a path, the id of the next entry that is none, as JSON.
fn following_kept(session: &Session, path: &[EntryIx]) -> HashMap<EntryId, EntryIx> {
    let mut following = HashMap::new();
    let mut next = None;
    for &ix in path.iter().rev() {
        if matches!(session.entry(ix).kind, Kind::Label { .. }) {
            following.extend(next.map(|next| (session.entry_id(ix).clone(), next)));
        } else {
            next = Some(ix);
        }
    }
    following
}

/// Where the kept part of a compaction starts instead, when it started at a label.
fn boundary(
    session: &Session,
    ix: EntryIx,
    following: &mut HashMap<EntryId, EntryIx>,
) -> Result<Option<String>, Error> {
    let Kind::Compaction { first_kept: Some(first), .. } = &session.entry(ix).kind else { return Ok(None) };
    match following.get(first) {
        Some(&next) => Ok(json_id(session.body(next)?.root())),
        None => Ok(None),
    }
}

fn json_id(entry: Value<'_>) -> Option<String> {
    entry.get("id").map(Value::stringify)
}

fn as_json(parent: &Parent) -> &str {
    match parent {
        Parent::Id(json) => json,
        Parent::None | Parent::Unnamed => "null",
    }
}
