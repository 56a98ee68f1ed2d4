//! How blocks are folded and unfolded.

use std::collections::HashMap;

use super::item::{is_tool_result, tool_run};
use super::{Folds, Item, Level, MessagesPane};
use crate::present::CodeTones;
use crate::present::transcript::Fold;
use crate::session::EntryIx;

impl MessagesPane {
    pub(super) fn fold(&self, item: Item) -> Fold {
        let Some(session) = &self.session else { return Fold::Closed };
        let entry = item.entry();
        match (self.folds.of(entry, &session.entry(entry), self.is_found(item)), item) {
            (Fold::Hidden, Item::Stored(_)) => Fold::Hidden,
            (Fold::Hidden, _) => Fold::Closed,
            (fold, _) => fold,
        }
    }

    /// The entries that are shown as they are stored.
    pub(crate) fn raw_entries(&self) -> &HashMap<EntryIx, u8> {
        self.folds.raw()
    }

    /// Unfolds the block the reader is at step by step, and folds it again at the end.
    pub(crate) fn toggle_fold(&mut self) {
        if !self.unfold() {
            while self.fold_more() {}
        }
    }

    /// Unfolds the block the reader is at a little more; says whether there was more.
    pub(crate) fn unfold(&mut self) -> bool {
        let Some(item) = self.current().filter(|&item| self.is_foldable(item)) else { return false };
        let fold = self.fold(item);
        let block = self.blocks.at_any_width(item, fold).next();
        let has_folded_json = block.is_none_or(|block| block.has_folded_json);
        if matches!(fold, Fold::Open | Fold::Raw(_)) && block.is_some_and(|block| block.more.is_some()) {
            self.folds.page_in(item.entry());
            return true;
        }
        let more = Folds::more(fold).filter(|_| has_folded_json || !matches!(fold, Fold::Raw(_)));
        more.is_some_and(|fold| self.set_fold(fold))
    }

    /// Asks for more of the blocks of which the window shows where they break off.
    pub(crate) fn page_in(&mut self, width: u16, height: usize) {
        for visible in self.window(width, height) {
            let item = self.items()[visible.item];
            let Some(block) = self.block(item, width).filter(|_| self.fold(item) != Fold::Closed) else {
                continue;
            };
            let is_at_end =
                block.more.is_some_and(|more| more + 1 == block.rows.len() && visible.rows.contains(&more));
            if is_at_end && self.blocks.has(self.key(item, width, CodeTones::Plain)) {
                self.folds.page_in(item.entry());
            }
        }
    }

    /// Whether folding changes a block, as far as that is known.
    fn is_foldable(&self, item: Item) -> bool {
        self.blocks.at_any_width(item, self.fold(item)).next().is_none_or(|block| block.is_foldable)
    }

    /// Folds the block the reader is at a little more; says whether it could be.
    pub(crate) fn fold_more(&mut self) -> bool {
        let (Some(item), Some(session)) = (self.current(), &self.session) else { return false };
        if self.folds.page_out(item.entry()) {
            self.blocks.forget(item);
            self.settle();
            return true;
        }
        let less = self.folds.less(self.fold(item), &session.entry(item.entry()));
        less.filter(|_| self.is_foldable(item)).is_some_and(|fold| self.set_fold(fold))
    }

    /// A run of tools goes into its line, and comes out of it, as one.
    fn set_fold(&mut self, fold: Fold) -> bool {
        let (Some(item), Some(session)) = (self.current(), self.session.clone()) else { return false };
        let entry = item.entry();
        let is_about_run = self.fold(item) == Fold::Hidden || fold == Fold::Hidden;
        if is_about_run && is_tool_result(&session, entry) {
            let items = self.listing.items();
            for item in &items[tool_run(&session, items, self.anchor.item)] {
                self.folds.set(item.entry(), fold);
            }
        } else {
            self.folds.set(entry, fold);
        }
        self.settle();
        true
    }

    /// Shows the entry the reader is at as it is stored, or as it is read again.
    pub(crate) fn toggle_raw(&mut self) {
        if let Some(entry) = self.current().map(Item::entry) {
            self.folds.turn_raw(entry);
            self.search.grow_stale();
            self.settle();
        }
    }

    /// Begins with everything unfolded as far as this.
    pub(crate) fn start_at(&mut self, level: Level) {
        self.folds.set_level(level);
    }

    /// Folds and unfolds everything: goes to the next level.
    pub(crate) fn next_level(&mut self) -> Level {
        self.folds.set_level(self.folds.level.next());
        self.settle();
        self.folds.level
    }

    /// Shows only the block the reader is at, unfolded, or all again; says which.
    pub(crate) fn toggle_alone(&mut self) -> bool {
        self.is_alone = !self.is_alone && !self.items().is_empty();
        if self.is_alone {
            self.set_fold(Fold::Open);
        }
        self.is_alone
    }

    /// Puts the reader at the start of a block that has rows, of a run in one line at the first result; where that start
    /// is in view, it stays there.
    pub(super) fn settle(&mut self) {
        self.lead = self.lead.saturating_sub(self.anchor.row);
        self.anchor.row = 0;
        let (Some(item), Some(session)) = (self.current(), &self.session) else { return };
        if self.fold(item) == Fold::Hidden && is_tool_result(session, item.entry()) {
            let items = self.listing.items();
            let run = tool_run(session, items, self.anchor.item);
            let first = run.clone().find(|&at| is_tool_result(session, items[at].entry()));
            self.anchor.item = first.unwrap_or(run.start);
        }
    }
}
