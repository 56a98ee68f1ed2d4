//! pi's `SessionManager` in Rust: one session with a current leaf, and everything pi's own answers about it.
//!
//! It stands on [`Session`], which never changes; moving the leaf is a matter of this value alone and is forgotten
//! with it, as in pi. Where pi hangs or fails on a damaged file, an answer is given here: see [`crate::session`].
//!
//! | pi | here | remarks |
//! |---|---|---|
//! | `open` | [`SessionManager::open`] | writes nothing: neither a migration nor a missing line end |
//! | `inMemory` | [`SessionManager::in_memory`], [`SessionManager::in_memory_from`] | |
//! | `continueRecent` | [`SessionManager::continue_recent`] | |
//! | `list`, `listAll` | [`SessionManager::list`], [`SessionManager::list_all`] | one odd line hides no session |
//! | `getLeafId`, `getLeafEntry` | [`SessionManager::get_leaf_id`], [`SessionManager::get_leaf_entry`] | |
//! | `getEntry`, `getEntries`, `getEntryCount` | [`SessionManager::get_entry`], [`SessionManager::get_entries`], [`SessionManager::get_entry_count`] | |
//! | `getBranch`, `getChildren` | [`SessionManager::get_branch`], [`SessionManager::get_children`] | |
//! | `getTree` | [`SessionManager::get_tree`] | cursors instead of nested lists |
//! | `getLabel`, `getSessionName` | [`SessionManager::get_label`], [`SessionManager::get_session_name`] | |
//! | `buildContextEntries` | [`SessionManager::build_context_entries`] | |
//! | `buildSessionProjection` | [`SessionManager::build_session_projection`] | |
//! | `buildSessionContext` | [`SessionManager::build_session_context`] | |
//! | `getHeader`, `getCwd` | [`SessionManager::get_header`], [`SessionManager::get_cwd`] | |
//! | `getSessionDir`, `getSessionFile` | [`SessionManager::get_session_dir`], [`SessionManager::get_session_file`] | |
//! | `getSessionId`, `isPersisted` | [`SessionManager::get_session_id`], [`SessionManager::is_persisted`] | |
//! | `branch`, `resetLeaf` | [`SessionManager::branch`], [`SessionManager::reset_leaf`] | |
//! | `appendLabelChange`, `appendSessionInfo` | [`Editor::label`], [`Editor::rename`] | below the last line, so that pi stays where it is |
//! | `createBranchedSession`, `forkFrom` | [`Editor::clone_branch`], [`Editor::fork`] | |
//!
//! # Example
//!
//! ```
//! use piscope::edit::SessionManager;
//! use piscope::store::Environment;
//!
//! # fn main() -> Result<(), piscope::error::Error> {
//! let environment = Environment::of_process();
//! let mut manager = SessionManager::open(&environment, "tests/fixtures/samples/v3-branches.jsonl", None, None)?;
//! for entry in manager.get_branch(None)? {
//!     println!("{} {}", entry.id, entry.kind());
//! }
//! let context = manager.build_session_context()?;
//! assert_eq!(context.messages.first().map(|message| message.role()), Some("user"));
//!
//! // As before the first prompt: nothing is sent, and nothing is written.
//! manager.reset_leaf();
//! assert!(manager.build_session_context()?.messages.is_empty());
//! # Ok(())
//! # }
//! ```

mod context;
mod list;
mod read;
mod tree;

use std::fs;
use std::path::{Path, PathBuf};

pub use context::{ProjectedEntry, SessionContext, SessionProjection};
pub use tree::TreeNode;

#[cfg(doc)]
use super::Editor;
use super::id;
use super::js_object::JsObject;
use crate::error::{Cause, Error};
use crate::format::js;
use crate::session::{EntryIx, Session};
use crate::store::{Environment, Layout, Store, is_session_of, read_header};

/// A session with a current leaf.
#[derive(Debug)]
pub struct SessionManager {
    session: Session,
    leaf: Option<EntryIx>,
    cwd: PathBuf,
    session_dir: PathBuf,
    is_persisted: bool,
}

impl SessionManager {
    /// Opens a session file. One that is missing or empty is a new session of that path; it is not written.
    ///
    /// New sessions would go to `session_dir`, else to the folder of the file. The working directory is
    /// `cwd_override`, else that of the header, else that of this process.
    ///
    /// # Errors
    /// When the file cannot be read, or is no session.
    pub fn open(
        environment: &Environment,
        path: impl AsRef<Path>,
        session_dir: Option<&Path>,
        cwd_override: Option<&Path>,
    ) -> Result<Self, Error> {
        let path = environment.absolute(path);
        let session_dir = match session_dir {
            Some(dir) => environment.absolute(dir),
            None => path.parent().unwrap_or(&path).to_owned(),
        };
        let is_new = fs::metadata(&path).map_or(true, |metadata| metadata.is_file() && metadata.len() == 0);
        let written =
            |session: &Session| session.header().cwd.as_deref().map(|cwd| environment.absolute(cwd));
        let given = cwd_override.map(|cwd| environment.absolute(cwd));
        if is_new {
            let cwd = given.unwrap_or_else(|| environment.cwd().to_owned());
            let session = new_session(path, &cwd)?;
            return Ok(Self::at_end(session, cwd, session_dir, true));
        }
        let session = Session::open(path)?;
        let cwd = given.or_else(|| written(&session)).unwrap_or_else(|| environment.cwd().to_owned());
        Ok(Self::at_end(session, cwd, session_dir, true))
    }

    /// A new session that never reaches the disk.
    ///
    /// # Errors
    /// When the system gives no random numbers.
    pub fn in_memory(environment: &Environment, cwd: impl AsRef<Path>) -> Result<Self, Error> {
        let cwd = environment.absolute(cwd);
        let session = new_session(PathBuf::new(), &cwd)?;
        Ok(Self::at_end(session, cwd, PathBuf::new(), false))
    }

    /// A session whose lines, header first, are held somewhere else than in a file.
    ///
    /// # Errors
    /// When the first line is no header.
    pub fn in_memory_from(
        environment: &Environment,
        cwd: impl AsRef<Path>,
        lines: impl Into<Vec<u8>>,
    ) -> Result<Self, Error> {
        let session = Session::from_bytes(PathBuf::new(), lines.into())?;
        Ok(Self::at_end(session, environment.absolute(cwd), PathBuf::new(), false))
    }

    /// The session of a working directory whose file was written last, or a new one where there is none. A new one is
    /// not written.
    ///
    /// `session_dir` is the folder in which pi keeps all sessions flat; without it, pi's own place for the working
    /// directory is looked at.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn continue_recent(
        environment: &Environment,
        cwd: impl AsRef<Path>,
        session_dir: Option<&Path>,
    ) -> Result<Self, Error> {
        let cwd = environment.absolute(cwd);
        let (dir, store) = folder(environment, &cwd, session_dir);
        let mut files: Vec<_> = fs::read_dir(&dir)
            .into_iter()
            .flatten()
            .flatten()
            .filter(|file| file.path().extension().is_some_and(|extension| extension == "jsonl"))
            .filter_map(|file| Some((fs::metadata(file.path()).ok()?.modified().ok()?, file.path())))
            .collect();
        files.sort_by_key(|(written, _)| std::cmp::Reverse(*written));
        let is_wanted = |path: &PathBuf| {
            let header = read_header(path).ok().flatten().filter(|header| header.id.is_some());
            let is_of_cwd = |written: Option<&str>| {
                store.layout == Layout::PerProject
                    || is_session_of(written.unwrap_or_default(), &cwd, environment)
            };
            header.is_some_and(|header| is_of_cwd(header.cwd.as_deref()))
        };
        if let Some(path) = files.into_iter().map(|(_, path)| path).find(is_wanted) {
            return Self::open(environment, path, Some(&dir), Some(&cwd));
        }
        let (id, timestamp) = fresh(&dir)?;
        let name = format!("{}_{id}.jsonl", timestamp.replace([':', '.'], "-"));
        let session = Session::from_bytes(dir.join(name), header(&id, &timestamp, &cwd))?;
        Ok(Self::at_end(session, cwd, dir, true))
    }

    fn at_end(session: Session, cwd: PathBuf, session_dir: PathBuf, is_persisted: bool) -> Self {
        Self { leaf: session.current_leaf(), session, cwd, session_dir, is_persisted }
    }

    /// Moves the leaf to an entry. That is not written, and forgotten with this value.
    ///
    /// # Errors
    /// When no entry has that id.
    pub fn branch(&mut self, from: &str) -> Result<(), Error> {
        let found = self.session.find_text(from);
        let missing = || Cause::Other(format!("there is no entry {from}"));
        self.leaf = Some(found.ok_or_else(|| Error::new("cannot branch", self.session.path(), missing()))?);
        Ok(())
    }

    /// Moves the leaf before everything. That is not written, and forgotten with this value.
    pub fn reset_leaf(&mut self) {
        self.leaf = None;
    }

    /// The session itself.
    pub fn session(&self) -> &Session {
        &self.session
    }
}

/// Where the sessions of a working directory lie, and the store that is a part of.
fn folder(environment: &Environment, cwd: &Path, session_dir: Option<&Path>) -> (PathBuf, Store) {
    let default = Store::of_agent(environment);
    let own = default.folder_of(cwd);
    match session_dir.map(|dir| environment.absolute(dir)) {
        Some(dir) if dir != own => (dir.clone(), Store::flat(dir)),
        _ => (own, default),
    }
}

fn new_session(path: PathBuf, cwd: &Path) -> Result<Session, Error> {
    let (id, timestamp) = fresh(&path)?;
    Session::from_bytes(path, header(&id, &timestamp, cwd))
}

/// An id and the time for a new session.
fn fresh(path: &Path) -> Result<(String, String), Error> {
    let now = jiff::Timestamp::now().as_millisecond();
    let id = id::session_id(now).map_err(|error| Error::new("cannot begin a session in", path, error))?;
    Ok((id, js::iso(now)))
}

fn header(id: &str, timestamp: &str, cwd: &Path) -> Vec<u8> {
    let header = JsObject::default()
        .with_text("type", "session")
        .with("version", "3")
        .with_text("id", id)
        .with_text("timestamp", timestamp)
        .with_text("cwd", &cwd.to_string_lossy());
    format!("{}\n", header.print()).into_bytes()
}

#[cfg(test)]
mod tests;
