//! How the reader moves.

use super::{Anchor, Item, MessagesPane, Progress, View};
use crate::app::Step;
use crate::present::Needle;
use crate::session::{EntryIx, Session};

impl MessagesPane {
    /// Goes to an entry; where it is not among what is sent, to the last one before it that is.
    pub(crate) fn go_to(&mut self, entry: Option<EntryIx>) {
        let (Some(entry), Some(session)) = (entry, &self.session) else { return };
        let items = self.listing.items();
        let is_there = |at: &usize| items.get(*at).is_some_and(|item| item.entry() == entry);
        if is_there(&self.anchor.item) {
            return;
        }
        let at = || items.iter().position(|item| item.entry() == entry);
        let depth = |entry| session.links().depth(entry);
        let item = match self.view {
            // On a path every entry stands at its depth, except in files whose parents go in a circle.
            View::Stored => Some(depth(entry) as usize - 1).filter(is_there).or_else(at),
            // The governing compaction comes first, wherever it stands on the branch.
            View::Sent => at()
                .or_else(|| items.iter().rposition(|item| depth(item.entry()) <= depth(entry)))
                .or(Some(0)),
        };
        if let Some(item) = item {
            self.place_on_top(item);
            self.settle();
        }
    }

    fn place_on_top(&mut self, item: usize) {
        self.anchor = Anchor { item, row: 0 };
        self.lead = 0;
    }

    /// Scrolls; says whether the reader came to another block.
    pub(crate) fn step(&mut self, step: Step, width: u16, height: usize) -> bool {
        let before = self.anchor.item;
        self.reflow(width);
        // What is scrolled from is what is seen.
        self.lead = self.rows_above_anchor(width, height);
        match step {
            Step::First => {
                self.anchor = self.first_row();
                self.lead = 0;
            }
            Step::Last => {
                self.anchor = self.last_row(width);
                self.lead = height.saturating_sub(1);
            }
            _ if step.is_upward() => self.anchor = self.up(self.anchor, step.distance(height), width),
            _ => self.anchor = self.down(self.anchor, step.distance(height), width),
        }
        self.skip_empty(step.is_upward(), width);
        self.anchor.item != before
    }

    /// Leaves a block without rows in the direction of the step.
    fn skip_empty(&mut self, upward: bool, width: u16) {
        while self.rows_of(self.anchor.item, width) == 0 {
            if upward && self.anchor.item > 0 {
                self.anchor.item -= 1;
            } else if !upward && self.anchor.item + 1 < self.items().len() {
                self.anchor.item += 1;
            } else {
                return;
            }
        }
    }

    /// Goes to the next or previous block for which `wanted` holds; says whether there is one.
    pub(crate) fn jump(&mut self, forward: bool, wanted: impl Fn(&Session, EntryIx) -> bool) -> bool {
        let Some(session) = &self.session else { return false };
        let items = self.listing.items();
        let fits = |at: &usize| wanted(session, items[*at].entry());
        let at = self.anchor.item;
        let found = if forward {
            (at + 1..items.len()).find(fits)
        } else {
            let from = if self.anchor.row > 0 { at + 1 } else { at };
            (0..from.min(items.len())).rev().find(fits)
        };
        if let Some(item) = found {
            self.place_on_top(item);
        }
        found.is_some()
    }

    /// Goes to the entry whose id begins so; says whether there is one.
    pub(crate) fn go_to_id(&mut self, id: &str) -> bool {
        let Some(session) = &self.session else { return false };
        let is_it = |item: &Item| session.entry_id(item.entry()).as_str().starts_with(id);
        let found = self.items().iter().position(is_it);
        if let Some(item) = found {
            self.place_on_top(item);
            self.settle();
        }
        found.is_some()
    }

    /// Marks what is at a row of the window; says whether that is the first row of the block the reader was at before.
    pub(crate) fn mark_row(&mut self, row: usize, width: u16, height: usize) -> bool {
        let mut above = 0;
        for visible in self.window(width, height) {
            if row < above + visible.rows.len() {
                let was_current = self.anchor.item == visible.item;
                let is_first = visible.rows.start + row - above == 0;
                self.anchor = Anchor { item: visible.item, row: visible.rows.start };
                self.lead = above;
                self.width = width;
                return was_current && is_first;
            }
            above += visible.rows.len();
        }
        false
    }

    /// Begins to type a search.
    pub(crate) fn begin_find(&mut self) {
        self.find.start();
        self.typing_from = Some((self.anchor, self.lead));
    }

    /// Looks for something else from where the reader began to type.
    pub(crate) fn set_needle(&mut self, needle: Option<Needle>) {
        if let Some((anchor, lead)) = self.typing_from {
            self.anchor = anchor;
            self.lead = lead;
        }
        self.search.begin(needle, self.anchor);
    }

    /// Ends typing where the search has taken the reader.
    pub(crate) fn accept_find(&mut self) {
        self.typing_from = None;
    }

    /// Ends the search; says whether there was one. What it unfolded where the reader is stays unfolded.
    pub(crate) fn end_find(&mut self) -> bool {
        if let Some(entry) =
            self.current().map(Item::entry).filter(|entry| self.search.entries.contains(entry))
        {
            self.folds.keep(entry);
        }
        self.typing_from = None;
        self.search = super::Search::default();
        self.find.clear()
    }

    /// Whether the search has to be made anew, because rows have changed; if so, it counts as begun.
    pub(crate) fn take_stale_search(&mut self, width: u16) -> Option<Needle> {
        self.search.renew(width)
    }

    /// Takes places where the search was found, and unfolds them; goes to the first at or below the reader. Says whether
    /// the reader has moved.
    pub(crate) fn take_matches(&mut self, found: &[super::Match], progress: Progress, height: usize) -> bool {
        let items = self.listing.items();
        let entries: Vec<EntryIx> =
            found.iter().filter_map(|found| items.get(found.anchor.item)).map(|item| item.entry()).collect();
        let first = self.search.take(found, entries.into_iter(), progress);
        if let Some(anchor) = first {
            self.show_match(anchor, height);
        }
        first.is_some()
    }

    /// Goes to the next or previous match, round at the ends; says whether there is one.
    pub(crate) fn next_match(&mut self, forward: bool, height: usize) -> bool {
        let next = self.search.next(forward, self.anchor);
        if let Some(found) = next {
            self.show_match(found.anchor, height);
        }
        next.is_some()
    }

    /// Puts the reader at a match, with some of what stands before it in view.
    fn show_match(&mut self, anchor: Anchor, height: usize) {
        self.anchor = anchor;
        self.lead = height / 3;
        self.width = self.search.width().unwrap_or(self.width);
        if let Some(entry) = self.current().map(Item::entry) {
            self.folds.open_for_match(entry);
        }
    }
}
