use std::fmt;
use std::io;

use crate::error::Cause;
use crate::store::Liveness;

/// Why a file is not written to although the system would allow it, or why the system does not. The text says
/// what is the matter and what to do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The session lives in memory only, as demo sessions may.
    NotOnDisk,
    /// There is no file at the path any more.
    Vanished,
    /// Another file stands at the path.
    Replaced,
    /// The file is shorter than what was read of it.
    Shrunk,
    /// What was read of the file is no longer there.
    Rewritten,
    /// The file or its disk does not take writes.
    ReadOnly,
    /// The header gives a version newer than 3 and entries look unlike any known.
    NewerVersion,
    /// What names an entry needs ids that stay, and a version 1 file has none.
    NeedsMigration,
    /// The entry has no id that a label could name.
    NoId,
    /// Another piscope is writing to the file.
    Locked,
    /// A running pi has the session: were it deleted, its next line would make a file without a header.
    InUse,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotOnDisk => "it is not on disk",
            Self::Vanished => "the file is gone; look for it in the trash",
            Self::Replaced => "another file has taken its place since it was read; look at it again first",
            Self::Shrunk => "the file has become shorter since it was read; look at it again first",
            Self::Rewritten => "the file has been rewritten since it was read; look at it again first",
            Self::ReadOnly => "the file cannot be written to; change its permissions first",
            Self::NewerVersion => {
                "its version is newer than any known here and its entries are of unknown form; write with pi itself"
            }
            Self::NeedsMigration => {
                "a version 1 file has no ids that stay; allow its migration to version 3 first"
            }
            Self::NoId => "the entry has no id that a label could name; label another one",
            Self::Locked => "another piscope is writing to it; try again",
            Self::InUse => "a running pi has it; quit that first",
        })
    }
}

impl From<Refusal> for Cause {
    fn from(refusal: Refusal) -> Self {
        Self::Other(refusal.to_string())
    }
}

/// Refuses to rewrite a session that has to be taken as being written; pi's next line would go to the old file.
pub(super) fn refuse_while_live(liveness: Liveness) -> Result<(), Cause> {
    match liveness.words() {
        None => Ok(()),
        Some(words) => Err(Cause::Other(format!(
            "{words}, and what pi may be writing to is never rewritten; quit pi or try again in a minute"
        ))),
    }
}

/// The cause of a failed access, with the common ones in our words.
pub(super) fn cause_of(error: io::Error) -> Cause {
    match error.kind() {
        io::ErrorKind::NotFound => Refusal::Vanished.into(),
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Refusal::ReadOnly.into(),
        _ => Cause::Io(error),
    }
}
