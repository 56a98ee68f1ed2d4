use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::spending::Spending;
use crate::format::{Diagnostic, EntryId, Problem};

/// How much of the first message is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FirstMessage {
    /// As much as a row can show.
    #[default]
    Start,
    /// All of it, and all of the name, as programs get it.
    Whole,
}

/// A row of the list of sessions: what pi's own list says of a file, and what helps people to tell it from
/// others.
///
/// Every branch of the file counts, not only the current one.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionSummary {
    /// The path as found.
    pub path: PathBuf,
    /// The path with links resolved: equal in two rows that show one file.
    pub canonical: PathBuf,
    /// Size of the file in bytes.
    pub size: u64,
    /// Last write of the file, in milliseconds since 1970.
    pub mtime: i64,
    /// The header's id, of whatever type.
    pub id: Option<EntryId>,
    /// The header's working directory; empty where there is none.
    pub cwd: Box<str>,
    /// Whether that directory is gone; `None` where that cannot be told.
    pub cwd_gone: Option<bool>,
    /// The name that the last `session_info` line gives, trimmed; `None` where that is blank.
    pub name: Option<Box<str>>,
    /// The header's `parentSession`, untouched.
    pub parent_session: Option<Box<str>>,
    /// The file meant by it, with links resolved, whether or not it still exists.
    pub parent: Option<PathBuf>,
    /// The header's time in milliseconds since 1970; `None` where it is no date.
    pub created: Option<i64>,
    /// The last time somebody said something, in milliseconds since 1970; `None` where pi shows an invalid
    /// date.
    pub modified: Option<i64>,
    /// Lines that are messages, of any role.
    pub message_count: u32,
    /// The text of the first user message that has any, white space included; `None` where pi says `(no
    /// messages)`.
    pub first_message: Option<Box<str>>,
    /// The start of the first user message that says something of its own.
    pub prompt: Option<Box<str>>,
    /// Whether any entry carries a label.
    pub has_labels: bool,
    /// What its entries have cost.
    pub spending: Arc<Spending>,
    /// What is wrong with single lines, the first few of them, and the branches.
    pub diagnostics: Vec<Diagnostic>,
    /// How many such findings there are in all.
    pub problem_count: u32,
    /// Whether only the start and the end of the file were read so far: name, prompt and times are those found there,
    /// and nothing is counted yet.
    pub is_glimpse: bool,
}

impl SessionSummary {
    /// What stands in pi's list where no message has a text.
    pub const NO_MESSAGES: &str = "(no messages)";

    /// What to call the session: its name, else the first prompt that says something, else words for why
    /// there is neither. Not sanitised.
    pub fn title(&self) -> &str {
        match (&self.name, &self.prompt) {
            (Some(text), _) | (None, Some(text)) => text,
            _ if self.is_glimpse => "…",
            _ if self.message_count == 0 => Self::NO_MESSAGES,
            _ => "(no prompt)",
        }
    }

    /// The file it was split off, whether or not that still exists. One that names itself is no fork.
    pub fn fork_parent(&self) -> Option<&Path> {
        self.parent.as_deref().filter(|parent| *parent != self.canonical)
    }

    /// What is said of the session where pi would reopen a branch far shorter than its longest one.
    pub fn dead_branch(&self) -> Option<&Diagnostic> {
        self.diagnostics.iter().find(|diagnostic| diagnostic.problem == Problem::DeadBranch)
    }

    /// The first message as pi gives it.
    pub fn first_message(&self) -> &str {
        self.first_message.as_deref().unwrap_or(Self::NO_MESSAGES)
    }
}
