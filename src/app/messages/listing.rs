use std::collections::HashMap;
use std::sync::OnceLock;

use super::Surroundings;
use super::item::Item;
use crate::session::{Context, EntryIx, Omission, Part, Session};

/// What the messages of a branch show, from top to bottom.
#[derive(Debug, Default)]
pub struct Listing {
    items: Vec<Item>,
    surroundings: OnceLock<Surroundings>,
}

impl Listing {
    fn new(items: Vec<Item>) -> Self {
        Self { items, surroundings: OnceLock::new() }
    }

    /// All entries of a branch as they are stored.
    pub(crate) fn of_branch(branch: &[EntryIx]) -> Self {
        Self::new(branch.iter().map(|&entry| Item::Stored(entry)).collect())
    }

    /// The messages of a context in their order, with the entries that are left out where they stand on the path.
    pub(super) fn of_context(session: &Session, context: &Context) -> Self {
        Self::new(sent_items(session, context))
    }

    /// The items.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// What the block of each item has to know of the others. The first one who asks, a worker, finds it out for all.
    pub(crate) fn surroundings(&self, session: &Session) -> &Surroundings {
        self.surroundings.get_or_init(|| Surroundings::of(session, &self.items))
    }
}

/// The messages of a context in their order, with the entries that are left out where they stand on the path.
fn sent_items(session: &Session, context: &Context) -> Vec<Item> {
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
