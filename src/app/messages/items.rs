use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::format::{EntryHead, Kind, Role};
use crate::present::transcript::is_mere_tool_use;
use crate::session::{Context, ContextItem, EntryIx, Omission, Part, Session};

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

/// The messages of a context in their order, with the entries that are left out where they stand on the path.
pub(super) fn sent_items(session: &Session, context: &Context) -> Vec<Item> {
    let mut by_entry: HashMap<EntryIx, Vec<Item>> = HashMap::new();
    for &item in &context.items {
        by_entry.entry(item.source).or_default().push(Item::Sent(item));
    }
    let omitted: HashMap<EntryIx, Omission> = context.omitted.iter().copied().collect();
    let mut items = Vec::new();
    let governing = context
        .items
        .iter()
        .find(|item| matches!(item.part, Part::CompactionSummary | Part::Checkpoint))
        .map(|item| item.source);
    if let Some(compaction) = governing {
        items.extend(by_entry.remove(&compaction).unwrap_or_default());
    }
    for entry in session.path_to(context.leaf) {
        if let Some(&reason) = omitted.get(&entry) {
            items.push(Item::Omitted(entry, reason));
        } else if let Some(sent) = by_entry.remove(&entry) {
            items.extend(sent);
        }
    }
    items.extend(context.leaf.map(Item::End));
    items
}

/// The assistant message on the branch that made the call an entry answers, and the call's place in it.
pub(crate) fn call_of(session: &Session, items: &[Item], at: usize) -> Option<(EntryIx, usize)> {
    let Some(Role::ToolResult { call_id, .. }) = session.entry(items[at].entry()).kind.role() else {
        return None;
    };
    items[..at].iter().rev().find_map(|item| match session.entry(item.entry()).kind.role() {
        Some(Role::Assistant(answer)) => {
            answer.calls.iter().position(|call| call.id == *call_id).map(|place| (item.entry(), place))
        }
        _ => None,
    })
}

/// Which of the calls of an assistant message have their result further down.
pub(crate) fn answered_calls(session: &Session, items: &[Item], at: usize) -> HashSet<Box<str>> {
    let Some(Role::Assistant(answer)) = session.entry(items[at].entry()).kind.role() else {
        return HashSet::new();
    };
    let mut open: HashSet<&str> = answer.calls.iter().map(|call| &*call.id).collect();
    let mut answered = HashSet::new();
    for item in &items[at + 1..] {
        if open.is_empty() {
            break;
        }
        if let Some(Role::ToolResult { call_id, .. }) = session.entry(item.entry()).kind.role()
            && open.remove(&**call_id)
        {
            answered.insert(call_id.clone());
        }
    }
    answered
}

/// The tool calls around a result that follow each other without a word between them: results, and the answers that only
/// made calls.
pub(crate) fn tool_run(session: &Session, items: &[Item], at: usize) -> Range<usize> {
    let belongs = |item: &Item| matches!(item, Item::Stored(entry) if is_tool_work(session.entry(*entry)));
    let above = items[..at].iter().rev().take_while(|item| belongs(item)).count();
    let below = items[at..].iter().take_while(|item| belongs(item)).count();
    at - above..at + below
}

fn is_tool_work(head: &EntryHead) -> bool {
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
