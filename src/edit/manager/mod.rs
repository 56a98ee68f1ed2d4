//! pi's `SessionManager` in Rust: one session with a current leaf, all that pi's own answers about it, and all that it
//! appends.
//!
//! It stands on [`Session`]; moving the leaf is a matter of this value alone and is forgotten with it, as in pi. Lines
//! reach a file through the same door as labels and names from the screen: a whole line in one write, read back,
//! beside other writers. Lines of others are seen from the next append on.
//!
//! Where pi hangs or fails on a damaged file, an answer is given here: see [`crate::session`]. Where pi does harm in
//! silence, the act is refused or done right, as the remarks say.
//!
//! # The names
//!
//! | pi | here | remarks |
//! |---|---|---|
//! | `create` | [`SessionManager::create`] | the folder is made with the file |
//! | `open` | [`SessionManager::open`] | writes nothing: neither a migration nor a missing line end nor a header |
//! | `continueRecent` | [`SessionManager::continue_recent`] | |
//! | `inMemory` | [`SessionManager::in_memory`], [`SessionManager::in_memory_from`] | |
//! | `forkFrom` | [`SessionManager::fork_from`] | a version 1 file is migrated on the way; pi's copy of it is broken |
//! | `list`, `listAll` | [`SessionManager::list`], [`SessionManager::list_all`] | one odd line hides no session |
//! | `findById` | [`SessionManager::find_by_id`] | |
//! | `newSession` | [`SessionManager::new_session`] | |
//! | `setSessionFile` | [`SessionManager::set_session_file`] | writes nothing |
//! | `createBranchedSession` | [`SessionManager::create_branched_session`] | |
//! | `isPersisted`, `usesDefaultSessionDir` | [`SessionManager::is_persisted`], [`SessionManager::uses_default_session_dir`] | |
//! | `getCwd`, `getSessionDir` | [`SessionManager::get_cwd`], [`SessionManager::get_session_dir`] | |
//! | `getSessionId`, `getSessionFile` | [`SessionManager::get_session_id`], [`SessionManager::get_session_file`] | |
//! | `getHeader`, `getSessionName` | [`SessionManager::get_header`], [`SessionManager::get_session_name`] | |
//! | `getLeafId`, `getLeafEntry` | [`SessionManager::get_leaf_id`], [`SessionManager::get_leaf_entry`] | |
//! | `getEntry`, `getEntries`, `getEntryCount` | [`SessionManager::get_entry`], [`SessionManager::get_entries`], [`SessionManager::get_entry_count`] | |
//! | `getBranch`, `getChildren` | [`SessionManager::get_branch`], [`SessionManager::get_children`] | an unknown id has no branch |
//! | `getLabel` | [`SessionManager::get_label`] | |
//! | `getTree` | [`SessionManager::get_tree`] | cursors instead of nested lists |
//! | `buildContextEntries` | [`SessionManager::build_context_entries`] | |
//! | `buildSessionProjection` | [`SessionManager::build_session_projection`] | |
//! | `buildSessionContext` | [`SessionManager::build_session_context`] | |
//! | `branch`, `resetLeaf` | [`SessionManager::branch`], [`SessionManager::reset_leaf`] | |
//! | `branchWithSummary` | [`SessionManager::branch_with_summary`] | a failed one leaves the leaf where it was |
//! | `appendMessage` | [`SessionManager::append_message`] | into a file that was deleted: refused; pi makes one without a header |
//! | `appendThinkingLevelChange` | [`SessionManager::append_thinking_level_change`] | |
//! | `appendModelChange` | [`SessionManager::append_model_change`] | |
//! | `appendUsage` | [`SessionManager::append_usage`] | |
//! | `appendCompaction` | [`SessionManager::append_compaction`] | what is to be kept must be there |
//! | `appendCustomEntry` | [`SessionManager::append_custom_entry`] | |
//! | `appendCustomMessageEntry` | [`SessionManager::append_custom_message_entry`] | |
//! | `appendContextEdit` | [`SessionManager::append_context_edit`] | |
//! | `appendLabelChange` | [`SessionManager::append_label_change`] | before everything: refused; pi comes back to an empty conversation |
//! | `appendSessionInfo` | [`SessionManager::append_session_info`] | the same |
//! | – | [`SessionManager::persist`] | writes a session in which nothing was said yet |
//! | – | [`SessionManager::migrate`] | what pi does at every opening of an older version |
//! | – | [`Editor::label`], [`Editor::rename`] | below the last line, beside a running pi |
//!
//! # Examples
//!
//! Open a session and print its current branch:
//!
//! ```
//! use piscope::edit::SessionManager;
//! use piscope::store::Environment;
//!
//! # fn main() -> Result<(), piscope::error::Error> {
//! let environment = Environment::of_process();
//! let manager = SessionManager::open(&environment, "tests/fixtures/samples/v3-branches.jsonl", None, None)?;
//! for entry in manager.get_branch(None)? {
//!     println!("{} {}", entry.id, entry.kind());
//! }
//! # assert_eq!(manager.get_session_name(), Some("Branchy"));
//! # Ok(())
//! # }
//! ```
//!
//! Label everything that failed:
//!
//! ```
//! use piscope::edit::SessionManager;
//! use piscope::session::EntryBody;
//! use piscope::session::message::{Message, StopReason};
//! # use piscope::edit::manager::NewSession;
//! # use piscope::store::Environment;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let environment = Environment::of_process();
//! # let lines = std::fs::read("tests/fixtures/samples/v3-all-types.jsonl")?;
//! # let mut manager = SessionManager::in_memory_from(&environment, "/w", &NewSession::default(), lines)?;
//! let has_failed = |body: &EntryBody| match body {
//!     EntryBody::Message(Some(Message::Assistant(answer))) => answer.stop_reason == Some(StopReason::Error),
//!     EntryBody::Message(Some(Message::ToolResult(result))) => result.is_error == Some(true),
//!     _ => false,
//! };
//! for entry in manager.get_entries()?.iter().filter(|entry| has_failed(&entry.body)) {
//!     manager.append_label_change(entry.id.as_str(), Some("failed"))?;
//! }
//! # assert!(manager.session().labels().iter().any(|label| &*label.text == "failed"));
//! # Ok(())
//! # }
//! ```
//!
//! Extract a branch into a session of its own:
//!
//! ```
//! use piscope::edit::SessionManager;
//! # use piscope::store::Environment;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let environment = Environment::of_process();
//! # let folder = tempfile::tempdir()?;
//! let source = "tests/fixtures/samples/v3-branches.jsonl";
//! let mut manager = SessionManager::open(&environment, source, Some(folder.path()), None)?;
//! let leaf = manager.get_leaf_id().map(ToString::to_string).unwrap_or_default();
//! if let Some(file) = manager.create_branched_session(&leaf)? {
//!     println!("{} holds {} entries", file.display(), manager.get_entry_count());
//! #   assert!(file.exists());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Build a context, then say something:
//!
//! ```
//! use piscope::edit::SessionManager;
//! use piscope::edit::manager::NewSession;
//! use piscope::session::message::{Content, Message, UserMessage};
//! # use piscope::store::Environment;
//!
//! # fn main() -> Result<(), piscope::error::Error> {
//! # let environment = Environment::of_process();
//! let mut manager = SessionManager::in_memory(&environment, "/w", &NewSession::default())?;
//! let prompt = UserMessage { content: Some(Content::Text("Begin.".into())), ..UserMessage::default() };
//! manager.append_message(&Message::User(prompt))?;
//! manager.append_thinking_level_change("high")?;
//! let context = manager.build_session_context()?;
//! assert_eq!((context.messages.len(), context.thinking_level.as_str()), (1, "high"));
//!
//! // As before the first prompt: nothing is sent, and nothing is written.
//! manager.reset_leaf();
//! assert!(manager.build_session_context()?.messages.is_empty());
//! # Ok(())
//! # }
//! ```

mod append;
mod branch;
mod context;
mod create;
mod list;
mod read;
mod tree;

use std::path::{Path, PathBuf};

pub use context::{ProjectedEntry, SessionContext, SessionProjection};
pub use create::NewSession;
pub use tree::TreeNode;

#[cfg(doc)]
use super::Editor;
use crate::session::{EntryIx, Session};
use crate::store::{Environment, Store};

/// A session with a current leaf.
#[derive(Debug)]
pub struct SessionManager {
    environment: Environment,
    session: Session,
    leaf: Option<EntryIx>,
    home: Home,
    cwd: PathBuf,
    session_dir: PathBuf,
}

/// What a session is called that has no file.
const IN_MEMORY: &str = "a session in memory";

/// Where the lines of a session are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Home {
    /// In memory, for good.
    Memory,
    /// In memory, until the session is worth a file.
    Later,
    /// In its file.
    File,
}

impl SessionManager {
    fn at_end(
        environment: &Environment,
        session: Session,
        home: Home,
        cwd: PathBuf,
        session_dir: PathBuf,
    ) -> Self {
        Self {
            environment: environment.clone(),
            leaf: session.current_leaf(),
            session,
            home,
            cwd,
            session_dir,
        }
    }

    /// Another session in the same surroundings, at its end.
    fn like(&self, session: Session, home: Home) -> Self {
        Self::at_end(&self.environment, session, home, self.cwd.clone(), self.session_dir.clone())
    }

    /// Goes on with another session, at its end.
    fn show(&mut self, session: Session, home: Home) {
        *self = self.like(session, home);
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

#[cfg(test)]
mod tests;
