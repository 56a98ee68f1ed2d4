//! Every write to a session file.
//!
//! pi keeps no pointer to the current position: it continues at the last line of the file. A label or a name
//! that is parented to anything but the last entry therefore moves the conversation to another branch. All that
//! is written here keeps to three rules:
//!
//! 1. A file that pi may have open is only ever appended to: one whole line in one write, below the entry that is
//!    last at that moment, read back and checked ([`Editor::label`], [`Editor::rename`]).
//! 2. What has to be rewritten (a version 1 file before it can carry labels, the header of a fork whose parent is
//!    deleted) is written beside the file, synced and renamed over it, and not at all when the file has changed
//!    meanwhile.
//! 3. New sessions are created exclusively, never over a file that holds anything.
//!
//! [`Editor`] changes what is on the disk already, as somebody does who looks at it from outside; [`SessionManager`]
//! works inside one session, as pi does. Both write through the same door.

mod append;
mod branch;
mod branch_point;
mod create;
mod delete;
mod disk;
mod entries;
mod id;
mod lock;
pub mod manager;
mod migrate;
mod refusal;
mod replace;
mod tail;
mod trash;

use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

pub use append::Appended;
pub use branch::Branched;
pub use delete::{Deleted, Deletion, Removal, Reparented};
pub use entries::fold_name;
pub use manager::SessionManager;
pub(crate) use migrate::as_version_3;

pub use crate::error::Refusal;
use crate::store::Environment;

/// Changes session files, each change as one act that happens wholly or is reported.
#[derive(Clone, Debug)]
pub struct Editor {
    environment: Environment,
    /// How long another editor is waited for.
    patience: Duration,
    /// The time to write, in milliseconds since 1970; the present without it.
    time: Option<i64>,
    mode: Mode,
}

/// Whether anything is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Write,
    /// Everything is looked at and refused as usual, and nothing is written.
    Rehearse,
}

impl Editor {
    /// An editor with its locks in the cache folder.
    pub fn new(environment: &Environment) -> Self {
        Self {
            environment: environment.clone(),
            patience: Duration::from_secs(2),
            time: None,
            mode: Mode::Write,
        }
    }

    /// The folder of lock files, which is ours: a lock on a session itself could stop pi.
    fn locks(&self) -> PathBuf {
        self.environment.cache_dir().join("locks")
    }

    /// The same at a time of its own, in milliseconds since 1970.
    #[must_use]
    pub fn at(self, time: i64) -> Self {
        Self { time: Some(time), ..self }
    }

    fn now(&self) -> i64 {
        self.time.unwrap_or_else(system_clock)
    }

    /// The same, but it only says what it would do.
    #[must_use]
    pub fn rehearsing(self) -> Self {
        Self { mode: Mode::Rehearse, ..self }
    }
}

/// The present, in milliseconds since 1970.
fn system_clock() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}
