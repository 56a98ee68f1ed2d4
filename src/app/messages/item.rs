use std::ops::Range;

use crate::format::{EntryHead, Kind, Role};
use crate::present::transcript::is_mere_tool_use;
use crate::session::{ContextItem, EntryIx, Omission, Session};

/// What one block shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Item {
    /// An entry as it is stored.
    Stored(EntryIx),
    /// A message as it is sent.
    Sent(ContextItem),
    /// An entry that is not sent, and why.
    Omitted(EntryIx, Omission),
    /// The end of a context that is built for this leaf: the settings in force, and how large it is.
    End(EntryIx),
}

impl Item {
    /// The entry it comes from.
    pub fn entry(self) -> EntryIx {
        match self {
            Self::Stored(entry) | Self::Omitted(entry, _) | Self::End(entry) => entry,
            Self::Sent(item) => item.source,
        }
    }
}

/// The tool calls around a result that follow each other without a word between them: results, and the answers that only
/// made calls.
pub(super) fn tool_run(session: &Session, items: &[Item], at: usize) -> Range<usize> {
    let belongs = |item: &Item| matches!(item, Item::Stored(entry) if is_tool_work(&session.entry(*entry)));
    let above = items[..at].iter().rev().take_while(|item| belongs(item)).count();
    let below = items[at..].iter().take_while(|item| belongs(item)).count();
    at - above..at + below
}

pub(super) fn is_tool_work(head: &EntryHead) -> bool {
    match head.kind.role() {
        Some(Role::ToolResult { .. }) => true,
        Some(Role::Assistant(answer)) => is_mere_tool_use(answer),
        _ => false,
    }
}

/// Whether an entry is the result of a tool.
pub(crate) fn is_tool_result(session: &Session, entry: EntryIx) -> bool {
    matches!(session.entry(entry).kind.role(), Some(Role::ToolResult { .. }))
}

/// Whether an entry says something: a message that is no mere step of a tool, or a summary.
pub(crate) fn is_said(session: &Session, entry: EntryIx) -> bool {
    match &session.entry(entry).kind {
        Kind::Message(message) => match &message.role {
            Role::ToolResult { .. } => false,
            Role::Assistant(answer) => !is_mere_tool_use(answer),
            _ => true,
        },
        Kind::CustomMessage { .. } | Kind::Compaction { .. } | Kind::BranchSummary => true,
        _ => false,
    }
}

/// Whether something failed: a tool, or an answer that was not finished.
pub(crate) fn is_error(session: &Session, entry: EntryIx) -> bool {
    match session.entry(entry).kind.role() {
        Some(Role::ToolResult { is_error, .. }) => *is_error,
        Some(Role::Assistant(answer)) => {
            let is_unfinished = matches!(answer.stop_reason.as_deref(), Some("error" | "aborted" | "length"));
            is_unfinished || !answer.error.is_empty()
        }
        _ => false,
    }
}
