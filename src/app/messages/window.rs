//! Which rows are in view: computed from the anchor and the blocks that are there.

use std::ops::Range;

use super::{Item, MessagesPane, is_tool_result};
use crate::present::transcript::gap;

/// Rows assumed for a block that was not rendered yet.
const ASSUMED_ROWS: usize = 3;
/// Blocks rendered beyond the window, so that scrolling finds them ready.
const AHEAD: usize = 12;
/// Blocks on either side of the reader that are kept where there are too many.
const NEAR: usize = 150;

/// A place among the messages that stays where it is when rows above it change: a block and a row in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Anchor {
    /// The block.
    pub item: usize,
    /// The row in it.
    pub row: usize,
}

/// A block in the window, and which of its rows are in view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visible {
    /// The block.
    pub item: usize,
    /// Its rows in view; the ones beyond its end are blank.
    pub rows: Range<usize>,
}

impl MessagesPane {
    /// The blocks in a window of this size, from top to bottom.
    pub fn window(&self, width: u16, height: usize) -> Vec<Visible> {
        let mut at = self.top(width, height);
        let mut left = height;
        let mut visible = Vec::new();
        while left > 0 && at.item < self.shown().end {
            let rows = self.rows_of(at.item, width);
            let shown = rows.saturating_sub(at.row).min(left);
            if shown > 0 {
                visible.push(Visible { item: at.item, rows: at.row..at.row + shown });
            }
            left -= shown;
            at = Anchor { item: at.item + 1, row: 0 };
        }
        visible
    }

    /// The blocks that can be scrolled to.
    pub(super) fn shown(&self) -> Range<usize> {
        if self.is_alone { self.anchor.item..self.anchor.item + 1 } else { 0..self.items().len() }
    }

    /// The blocks in a window and those next to it.
    pub(super) fn around(&self, window: &[Visible]) -> Range<usize> {
        let first = window.first().map_or(0, |visible| visible.item).saturating_sub(AHEAD);
        let last = window.last().map_or(0, |visible| visible.item) + AHEAD;
        first..(last + 1).min(self.items().len())
    }

    /// The blocks that are worth keeping.
    pub(super) fn nearby(&self) -> Range<usize> {
        let count = self.items().len();
        self.anchor.item.saturating_sub(NEAR).min(count)..(self.anchor.item + NEAR).min(count)
    }

    /// The first row in view: so far above the anchor as it is to stand below the top, unless the rows from there on do
    /// not fill the window.
    fn top(&self, width: u16, height: usize) -> Anchor {
        let top = self.up(self.anchor, self.lead.min(height.saturating_sub(1)), width);
        let mut below = 0;
        let mut item = top.item;
        while below < height + top.row && item < self.shown().end {
            below += self.rows_of(item, width);
            item += 1;
        }
        let missing = (height + top.row).saturating_sub(below);
        self.up(top, missing, width)
    }

    /// Rows of the window above the anchor, as it is seen.
    pub(super) fn rows_above_anchor(&self, width: u16, height: usize) -> usize {
        let mut at = self.top(width, height);
        let mut rows = 0;
        while at.item < self.anchor.item && rows < height {
            rows += self.rows_of(at.item, width).saturating_sub(at.row);
            at = Anchor { item: at.item + 1, row: 0 };
        }
        (rows + self.anchor.row.saturating_sub(at.row)).min(height.saturating_sub(1))
    }

    /// The place `rows` rows further up.
    pub(super) fn up(&self, from: Anchor, mut rows: usize, width: u16) -> Anchor {
        let mut at = from;
        while rows > at.row {
            if at.item <= self.shown().start {
                return Anchor { item: at.item, row: 0 };
            }
            rows -= at.row;
            at.item -= 1;
            at.row = self.rows_of(at.item, width);
        }
        Anchor { row: at.row - rows, ..at }
    }

    /// The place `rows` rows further down, at most the last row.
    pub(super) fn down(&self, from: Anchor, rows: usize, width: u16) -> Anchor {
        let mut at = Anchor { row: from.row.saturating_add(rows), ..from };
        let last = self.shown().end.saturating_sub(1);
        loop {
            let here = self.rows_of(at.item, width);
            if at.row < here {
                return at;
            }
            if at.item >= last {
                return Anchor { item: last, row: here.saturating_sub(1) };
            }
            at = Anchor { item: at.item + 1, row: at.row - here };
        }
    }

    /// The first row of all.
    pub(super) fn first_row(&self) -> Anchor {
        Anchor { item: self.shown().start, row: 0 }
    }

    /// The last row of all.
    pub(super) fn last_row(&self, width: u16) -> Anchor {
        let item = self.shown().end.saturating_sub(1);
        Anchor { item, row: self.rows_of(item, width).saturating_sub(1) }
    }

    /// Rows of a block with the blank ones behind it.
    pub(super) fn rows_of(&self, item: usize, width: u16) -> usize {
        let Some(&what) = self.items().get(item) else { return 0 };
        match self.block(what, width) {
            // Until it is there the reader's block has at least the rows above the reader.
            None if item == self.anchor.item => ASSUMED_ROWS.max(self.anchor.row + 1),
            None => ASSUMED_ROWS,
            Some(block) if block.rows.is_empty() => 0,
            Some(block) => block.rows.len() + self.gap_below(item, width),
        }
    }

    /// Blank rows between a block and the next one that has rows: none between lines that belong together.
    fn gap_below(&self, item: usize, width: u16) -> usize {
        let items = self.items();
        let has_rows = |next: &&Item| self.block(**next, width).is_none_or(|block| !block.rows.is_empty());
        let next = items[item + 1..].iter().take(AHEAD).find(has_rows);
        match (items[item], next, self.session()) {
            (Item::Stored(above), Some(&Item::Stored(below)), Some(session)) => {
                gap(&session.entry(above), &session.entry(below))
            }
            (Item::Omitted(..), Some(Item::Omitted(..)), _) => 0,
            (Item::Sent(above), Some(Item::Sent(below)), Some(session)) => {
                let is_result = |entry| is_tool_result(session, entry);
                usize::from(!(is_result(above.source) && is_result(below.source)))
            }
            _ => 1,
        }
    }

    /// Counts the anchor's row at another width from now on. It stays at its line of text where both blocks are there.
    pub(crate) fn reflow(&mut self, width: u16) {
        if self.width == width {
            return;
        }
        let blocks = self.current().map(|item| (self.block(item, self.width), self.block(item, width)));
        match blocks {
            Some((Some(old), Some(new))) => {
                let starts =
                    |rows: &[crate::present::Row]| rows.iter().filter(|row| row.joint.is_none()).count();
                let line = starts(&old.rows[..(self.anchor.row + 1).min(old.rows.len())]);
                let mut lines = new.rows.iter().enumerate().filter(|(_, row)| row.joint.is_none());
                let row = lines.nth(line.saturating_sub(1)).map_or(0, |(at, _)| at);
                self.anchor.row = row;
                self.width = width;
            }
            Some((Some(_), None)) if self.anchor.row > 0 => {}
            _ => self.width = width,
        }
    }
}
