//! What can fail: the act, the path, and the cause.

mod refusal;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

pub use refusal::Refusal;

/// Something that could not be done to a file or folder.
#[derive(Debug, thiserror::Error)]
pub struct Error {
    /// The act in a few words, as in "cannot read".
    pub act: &'static str,
    /// What it was done to.
    pub path: PathBuf,
    /// Why it failed.
    #[source]
    pub cause: Cause,
}

/// Why an act failed.
#[derive(Debug, thiserror::Error)]
pub enum Cause {
    /// The system refused.
    #[error("{}", plain(.0))]
    Io(#[from] io::Error),
    /// The file is no session; the text says how that shows.
    #[error("it is not a pi session: {0}")]
    NotASession(String),
    /// It would do harm, or somebody else is in the way.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Another reason in plain words.
    #[error("{0}")]
    Other(String),
    /// Somebody asked to stop.
    #[error("it was cancelled")]
    Cancelled,
}

impl Error {
    /// An act on a path that failed.
    pub fn new(act: &'static str, path: impl AsRef<Path>, cause: impl Into<Cause>) -> Self {
        Self { act, path: path.as_ref().to_owned(), cause: cause.into() }
    }

    /// True when the file simply is no session.
    pub fn is_not_a_session(&self) -> bool {
        matches!(self.cause, Cause::NotASession(_))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.act, self.path.display(), self.cause)
    }
}

/// A system error without its number: `permission denied` rather than `Permission denied (os error 13)`.
fn plain(error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::NotFound {
        return "no such file or directory".into();
    }
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let mut chars = text.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}
