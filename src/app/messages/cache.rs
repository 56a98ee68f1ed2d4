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
    kept: HashMap<Place, Arc<Block>>,
    asked: HashSet<BlockKey>,
    rows: usize,
}

impl Blocks {
    /// The best version of a block that is there.
    pub(super) fn get(&self, item: Item, width: u16, fold: Fold) -> Option<&Arc<Block>> {
        self.kept.get(&Place { item, width, fold })
    }

    /// The versions of a block at any width.
    pub(super) fn at_any_width(&self, item: Item, fold: Fold) -> impl Iterator<Item = &Arc<Block>> {
        self.kept
            .iter()
            .filter(move |(place, _)| place.item == item && place.fold == fold)
            .map(|(_, block)| block)
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
            self.rows += block.rows.len();
            if let Some(old) = self.kept.insert(key.place(), block) {
                self.rows -= old.rows.len();
            }
        }
    }

    /// Forgets all blocks but those of some items.
    pub(super) fn retain(&mut self, keeps: impl Fn(Item) -> bool) {
        self.kept.retain(|place, _| keeps(place.item));
        self.rows = self.kept.values().map(|block| block.rows.len()).sum();
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}
