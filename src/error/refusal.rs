/// Why a file is not written to although the system would allow it, or why the system does not. The text says
/// what is the matter and what to do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The session lives in memory only, as demo sessions may.
    #[error("it is not on disk")]
    NotOnDisk,
    /// There is no file at the path any more.
    #[error("the file is gone; look for it in the trash")]
    Vanished,
    /// Another file stands at the path.
    #[error("another file has taken its place since it was read; look at it again first")]
    Replaced,
    /// The file is shorter than what was read of it.
    #[error("the file has become shorter since it was read; look at it again first")]
    Shrunk,
    /// What was read of the file is no longer there.
    #[error("the file has been rewritten since it was read; look at it again first")]
    Rewritten,
    /// The file or its disk does not take writes.
    #[error("the file cannot be written to; change its permissions first")]
    ReadOnly,
    /// The header gives a version newer than 3 and entries look unlike any known.
    #[error(
        "its version is newer than any known here and its entries are of unknown form; write with pi itself"
    )]
    NewerVersion,
    /// What names an entry needs ids that stay, and a version 1 file has none.
    #[error("a version 1 file has no ids that stay; allow its migration to version 3 first")]
    NeedsMigration,
    /// The entry has no id that a label could name.
    #[error("the entry has no id that a label could name; label another one")]
    NoId,
    /// Another piscope is writing to the file.
    #[error("another piscope is writing to it; try again")]
    Locked,
    /// A running pi has the session: were it deleted, its next line would make a file without a header.
    #[error("a running pi has it; quit that first")]
    InUse,
}
