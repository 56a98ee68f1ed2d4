use std::collections::HashMap;

use crate::format::EntryId;

/// A label in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The entry it marks; it need not exist.
    pub target: EntryId,
    /// Its text, never empty.
    pub text: Box<str>,
    /// The time of the label entry, as JSON, where it has one.
    pub timestamp: Option<Box<str>>,
    /// The same in milliseconds since 1970, where it can be read.
    pub time: Option<i64>,
}

/// The labels of a session: the label entries replayed in file order, whatever branch they lie on.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    /// In the order the targets first got a label since their last clearing; cleared ones leave a gap.
    slots: Vec<Option<Label>>,
    by_target: HashMap<EntryId, usize>,
}

impl Labels {
    /// Replays one label entry: an empty text clears.
    pub(super) fn replay(&mut self, label: Label) {
        if label.text.is_empty() {
            if let Some(slot) = self.by_target.remove(&label.target) {
                self.slots[slot] = None;
            }
            return;
        }
        if let Some(&slot) = self.by_target.get(&label.target) {
            self.slots[slot] = Some(label);
        } else {
            self.by_target.insert(label.target.clone(), self.slots.len());
            self.slots.push(Some(label));
        }
    }

    /// The label on an id.
    pub fn get(&self, target: &EntryId) -> Option<&Label> {
        self.slots[*self.by_target.get(target)?].as_ref()
    }

    /// All labels in force, in the order in which they took effect.
    pub fn iter(&self) -> impl Iterator<Item = &Label> {
        self.slots.iter().flatten()
    }

    /// How many are in force.
    pub fn len(&self) -> usize {
        self.by_target.len()
    }

    /// True when nothing is labelled.
    pub fn is_empty(&self) -> bool {
        self.by_target.is_empty()
    }
}
