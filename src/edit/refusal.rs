use std::io;

use crate::error::{Cause, Refusal};
use crate::store::Liveness;

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
