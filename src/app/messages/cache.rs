use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::Item;
use crate::present::CodeTones;
use crate::present::transcript::{Block, Fold};

/// Blocks that are kept: enough for several screens of short ones.
const MOST_BLOCKS: usize = 600;
/// Rows that all kept blocks together may have before those far away are forgotten.
const MOST_ROWS: usize = 60_000;

/// A block by everything its rows depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockKey {
    /// What it shows.
    pub item: Item,
    /// Its width in cells.
    pub width: u16,
    /// Whether it is unfolded.
    pub fold: Fold,
    /// How its code is shown.
    pub code: CodeTones,
    /// How often more of it was asked for.
    pub pages: u8,
}

impl BlockKey {
    fn place(self) -> Place {
        Place { item: self.item, width: self.width, fold: self.fold }
    }
}

/// Where a block stands. Better versions of it take the place of worse ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Place {
    item: Item,
    width: u16,
    fold: Fold,
}

/// The blocks that were made, and those that were asked for.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    /// Each with how often more of it was asked for.
    kept: HashMap<Place, (u8, Arc<Block>)>,
    asked: HashSet<BlockKey>,
    rows: usize,
}

impl Blocks {
    /// The best version of a block that is there.
    pub(super) fn get(&self, item: Item, width: u16, fold: Fold) -> Option<&Arc<Block>> {
        self.kept.get(&Place { item, width, fold }).map(|(_, block)| block)
    }

    /// Whether a block is there with all that was asked for.
    pub(super) fn has(&self, key: BlockKey) -> bool {
        self.kept.get(&key.place()).is_some_and(|(pages, _)| *pages >= key.pages)
    }

    /// Forgets all versions of a block.
    pub(super) fn forget(&mut self, item: Item) {
        self.retain(|other| other != item);
        self.asked.retain(|key| key.item != item);
    }

    /// The versions of a block at any width.
    pub(super) fn at_any_width(&self, item: Item, fold: Fold) -> impl Iterator<Item = &Arc<Block>> {
        self.kept
            .iter()
            .filter(move |(place, _)| place.item == item && place.fold == fold)
            .map(|(_, (_, block))| block)
    }

    /// Notes that a block is asked for; says whether it was not before.
    pub(super) fn ask(&mut self, key: BlockKey) -> bool {
        self.asked.insert(key)
    }

    /// Notes that a block will not come and may be asked for again.
    pub(super) fn unask(&mut self, key: BlockKey) {
        self.asked.remove(&key);
    }

    /// Notes that nothing was asked for.
    pub(super) fn unask_all(&mut self) {
        self.asked.clear();
    }

    /// Takes blocks in. Where there are too many by then, only those of the items `near` the reader are kept.
    pub(super) fn take(&mut self, blocks: Vec<(BlockKey, Arc<Block>)>, near: impl Iterator<Item = Item>) {
        if self.kept.len() + blocks.len() > MOST_BLOCKS || self.rows > MOST_ROWS {
            let near: HashSet<Item> = near.collect();
            self.retain(|item| near.contains(&item));
        }
        for (key, block) in blocks {
            self.asked.remove(&key);
            if self.kept.get(&key.place()).is_some_and(|(pages, _)| *pages > key.pages) {
                continue;
            }
            self.rows += block.rows.len();
            if let Some((_, old)) = self.kept.insert(key.place(), (key.pages, block)) {
                self.rows -= old.rows.len();
            }
        }
    }

    /// Forgets all blocks but those of some items.
    pub(super) fn retain(&mut self, keeps: impl Fn(Item) -> bool) {
        self.kept.retain(|place, _| keeps(place.item));
        self.rows = self.kept.values().map(|(_, block)| block.rows.len()).sum();
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}
