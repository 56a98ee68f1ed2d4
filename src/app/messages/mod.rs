mod folds;
mod items;

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use super::Step;
use super::find::Find;
use crate::format::Role;
use crate::present::transcript::{Block, Fold, gap};
use crate::present::{CodeTones, Needle};
use crate::session::{Context, EntryIx, LeafArg, Session, WindowShare};
use folds::Folds;
pub use folds::Level;
pub use items::Item;
use items::sent_items;
pub(crate) use items::{answered_calls, call_of, is_error, is_said, is_tool_result, tool_run};

/// Blocks that are kept: enough for several screens of short ones.
const KEPT_BLOCKS: usize = 600;
/// Rows assumed for a block that was not rendered yet.
const ASSUMED_ROWS: usize = 3;
/// Blocks rendered beyond the window, so that scrolling finds them ready.
const AHEAD: usize = 12;

/// Which face of a branch the messages show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum View {
    /// Every entry of the branch.
    #[default]
    Stored,
    /// What the model is sent.
    Sent,
}

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

/// Where the reader was, and what was unfolded there.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bookmark {
    folds: Folds,
    /// The entry the reader was at, and the row in its block.
    at: Option<(EntryIx, usize)>,
}

/// The messages of a branch. The place of the reader is an anchor; the window around it is computed from the
/// blocks that are there.
#[derive(Debug, Default)]
pub struct MessagesPane {
    /// Stored or sent.
    pub view: View,
    /// The entry at which the context is held, in the sent view.
    pub held: Option<EntryIx>,
    /// The search.
    pub find: Find,
    /// The context that is shown, in the sent view.
    pub context: Option<Context>,
    /// How full it makes the model's window, where that is known.
    pub share: Option<WindowShare>,
    session: Option<Arc<Session>>,
    /// The path of the branch.
    branch: Vec<EntryIx>,
    items: Arc<Vec<Item>>,
    /// The entries that are part of what is sent.
    sent: HashSet<EntryIx>,
    anchor: Anchor,
    /// The entry the reader goes back to once the items that are being made are there.
    awaited: Option<EntryIx>,
    blocks: HashMap<BlockKey, Arc<Block>>,
    asked: HashSet<BlockKey>,
    folds: Folds,
    needle: Option<Needle>,
    matches: Vec<Anchor>,
    /// Only the block the reader is at is shown.
    is_alone: bool,
}

impl MessagesPane {
    /// The session whose messages are shown.
    pub fn session(&self) -> Option<&Arc<Session>> {
        self.session.as_ref()
    }

    /// What there is from top to bottom.
    pub fn items(&self) -> &Arc<Vec<Item>> {
        &self.items
    }

    /// The end of the branch.
    pub fn leaf(&self) -> Option<EntryIx> {
        self.branch.last().copied()
    }

    /// The place of the reader.
    pub fn anchor(&self) -> Anchor {
        self.anchor
    }

    /// The block the reader is at.
    pub fn current(&self) -> Option<Item> {
        self.items.get(self.anchor.item).copied()
    }

    /// Whether an entry is part of what is sent, where that is shown.
    pub fn is_sent(&self, session: &Arc<Session>, entry: EntryIx) -> bool {
        self.view == View::Sent
            && self.session.as_ref().is_some_and(|shown| Arc::ptr_eq(shown, session))
            && self.sent.contains(&entry)
    }

    /// How far down the reader is, in percent of the blocks.
    pub fn percent(&self) -> usize {
        match self.items.len() {
            0 | 1 => 100,
            count => self.anchor.item * 100 / (count - 1),
        }
    }

    /// Where the search was found.
    pub fn matches(&self) -> &[Anchor] {
        &self.matches
    }

    /// What is looked for.
    pub fn needle(&self) -> Option<&Needle> {
        self.needle.as_ref()
    }

    /// Whether only the block the reader is at is shown.
    pub fn is_alone(&self) -> bool {
        self.is_alone
    }

    /// The leaf for which the context is built.
    pub fn context_leaf(&self) -> LeafArg {
        match (self.held.or(self.leaf()), &self.session) {
            (Some(ix), Some(session)) => LeafArg::Id(session.entry_id(ix).as_str().to_owned()),
            _ => LeafArg::Null,
        }
    }

    /// The key of a block at a width.
    pub fn key(&self, item: Item, width: u16, code: CodeTones) -> BlockKey {
        BlockKey { item, width, fold: self.fold(item), code }
    }

    /// The rows of a block, if they are there; with its code highlighted, if that is.
    pub fn block(&self, item: Item, width: u16) -> Option<&Arc<Block>> {
        let find = |code| self.blocks.get(&self.key(item, width, code));
        find(CodeTones::Highlighted).or_else(|| find(CodeTones::Plain))
    }

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
    fn shown(&self) -> Range<usize> {
        if self.is_alone { self.anchor.item..self.anchor.item + 1 } else { 0..self.items.len() }
    }

    /// The first row in view: the anchor, unless the rows below it do not fill the window.
    fn top(&self, width: u16, height: usize) -> Anchor {
        let mut below = 0;
        let mut item = self.anchor.item;
        while below < height + self.anchor.row && item < self.shown().end {
            below += self.rows_of(item, width);
            item += 1;
        }
        let missing = (height + self.anchor.row).saturating_sub(below);
        self.up(self.anchor, missing, width)
    }

    /// The place `rows` rows further up.
    fn up(&self, from: Anchor, mut rows: usize, width: u16) -> Anchor {
        let mut at = from;
        while rows > at.row {
            if at.item == self.shown().start {
                return Anchor { item: at.item, row: 0 };
            }
            rows -= at.row;
            at.item -= 1;
            at.row = self.rows_of(at.item, width);
        }
        Anchor { row: at.row - rows, ..at }
    }

    /// The place `rows` rows further down, at most the last row.
    fn down(&self, from: Anchor, rows: usize, width: u16) -> Anchor {
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

    /// Rows of a block with the blank one behind it.
    fn rows_of(&self, item: usize, width: u16) -> usize {
        let Some(&what) = self.items.get(item) else { return 0 };
        let Some(block) = self.block(what, width) else { return ASSUMED_ROWS };
        if block.rows.is_empty() { 0 } else { block.rows.len() + self.gap_below(item, width) }
    }

    /// Blank rows between a block and the next one that has rows: none between lines that belong together.
    fn gap_below(&self, item: usize, width: u16) -> usize {
        let has_rows = |next: &&Item| self.block(**next, width).is_none_or(|block| !block.rows.is_empty());
        let next = self.items[item + 1..].iter().take(AHEAD).find(has_rows);
        match (self.items[item], next, &self.session) {
            (Item::Stored(above), Some(&Item::Stored(below)), Some(session)) => {
                gap(session.entry(above), session.entry(below))
            }
            (Item::Omitted(..), Some(Item::Omitted(..)), _) => 0,
            (Item::Sent(above), Some(Item::Sent(below)), Some(session)) => {
                let is_result = |entry| is_tool_result(session, entry);
                usize::from(!(is_result(above.source) && is_result(below.source)))
            }
            _ => 1,
        }
    }

    /// The blocks that are missing in a window of this size and near it, nearest first; they count as asked for.
    pub(crate) fn take_wanted(&mut self, width: u16, height: usize) -> Vec<(usize, BlockKey)> {
        if width == 0 || height == 0 || self.items.is_empty() {
            return Vec::new();
        }
        let window = self.window(width, height);
        let first = window.first().map_or(0, |visible| visible.item).saturating_sub(AHEAD);
        let last = window.last().map_or(0, |visible| visible.item) + AHEAD;
        let mut wanted: Vec<(usize, BlockKey)> = (first..=last.min(self.items.len() - 1))
            .filter(|&at| self.block(self.items[at], width).is_none())
            .map(|at| (at, self.key(self.items[at], width, CodeTones::Plain)))
            .collect();
        wanted.retain(|(_, key)| self.asked.insert(*key));
        wanted.sort_by_key(|&(at, _)| at.abs_diff(self.anchor.item));
        wanted
    }

    /// The blocks in a window of this size whose code is still plain, farthest first; they count as asked for.
    pub(crate) fn take_plain_code(&mut self, width: u16, height: usize) -> Vec<(usize, BlockKey)> {
        let mut plain: Vec<(usize, BlockKey)> = self
            .window(width, height)
            .into_iter()
            .map(|visible| visible.item)
            .filter(|&at| self.block(self.items[at], width).is_some_and(|block| block.could_be_highlighted))
            .map(|at| (at, self.key(self.items[at], width, CodeTones::Highlighted)))
            .collect();
        plain.retain(|(_, key)| self.asked.insert(*key));
        plain.sort_by_key(|&(at, _)| std::cmp::Reverse(at.abs_diff(self.anchor.item)));
        plain
    }

    /// The blocks will not come; they may be asked for again.
    pub(crate) fn forget_wanted(&mut self, wanted: &[(usize, BlockKey)]) {
        for (_, key) in wanted {
            self.asked.remove(key);
        }
    }

    /// Takes rendered blocks.
    pub(crate) fn take_blocks(&mut self, session: &Arc<Session>, blocks: Vec<(BlockKey, Arc<Block>)>) {
        if !self.session.as_ref().is_some_and(|shown| Arc::ptr_eq(shown, session)) {
            return;
        }
        if self.blocks.len() + blocks.len() > KEPT_BLOCKS {
            let near = self.anchor.item.saturating_sub(KEPT_BLOCKS / 4)..self.anchor.item + KEPT_BLOCKS / 4;
            let near: HashSet<Item> = self
                .items
                .iter()
                .enumerate()
                .filter(|(at, _)| near.contains(at))
                .map(|(_, item)| *item)
                .collect();
            self.blocks.retain(|key, _| near.contains(&key.item));
        }
        for (key, block) in blocks {
            self.asked.remove(&key);
            if key.code == CodeTones::Highlighted {
                self.blocks.remove(&BlockKey { code: CodeTones::Plain, ..key });
            }
            self.blocks.insert(key, block);
        }
    }

    /// Takes a session that has only grown since; the reader stays where they are.
    pub(crate) fn adopt(&mut self, session: &Arc<Session>) {
        self.session = Some(Arc::clone(session));
        // What is said of an entry may depend on what came behind it, as a label does.
        self.blocks.clear();
        self.asked.clear();
    }

    /// Shows the branch that ends at `leaf`, at `entry`.
    pub(crate) fn show(
        &mut self,
        session: &Arc<Session>,
        leaf: Option<EntryIx>,
        entry: Option<EntryIx>,
    ) -> Shown {
        let is_same_session = self.session.as_ref().is_some_and(|shown| Arc::ptr_eq(shown, session));
        if !is_same_session {
            *self = Self {
                view: self.view,
                folds: Folds::at(self.folds.level),
                session: Some(Arc::clone(session)),
                ..Self::default()
            };
        }
        if is_same_session && self.leaf() == leaf {
            self.go_to(entry);
            return Shown::SameBranch;
        }
        let branch = session.path_to(leaf);
        self.forget_blocks_about(&branch);
        self.branch = branch;
        self.end_find();
        if self.view == View::Sent && self.held.is_none() {
            self.context = None;
        }
        self.list_items();
        self.return_to(entry);
        Shown::OtherBranch
    }

    /// Forgets the blocks that another branch makes different: those of the calls and results at which it parts from the
    /// one that is shown.
    fn forget_blocks_about(&mut self, branch: &[EntryIx]) {
        let Some(session) = &self.session else { return };
        let shared = branch.iter().zip(&self.branch).take_while(|(new, old)| new == old).count();
        let work = branch[..shared].iter().rev().take_while(|&&entry| {
            matches!(session.entry(entry).kind.role(), Some(Role::ToolResult { .. } | Role::Assistant(_)))
        });
        let stale: HashSet<EntryIx> = work.copied().collect();
        self.blocks.retain(|key, _| !stale.contains(&key.item.entry()));
    }

    /// Shows nothing.
    pub(crate) fn clear(&mut self) {
        *self = Self { view: self.view, folds: Folds::at(self.folds.level), ..Self::default() };
    }

    /// Switches to a view; the reader stays at the same entry.
    pub(crate) fn set_view(&mut self, view: View) {
        let entry = self.reading();
        self.view = view;
        self.end_find();
        self.list_items();
        self.return_to(entry);
    }

    /// The entry the reader is at, or will be at again.
    fn reading(&self) -> Option<EntryIx> {
        self.awaited.or_else(|| self.current().map(Item::entry))
    }

    /// Goes to an entry as soon as there is something to go to.
    fn return_to(&mut self, entry: Option<EntryIx>) {
        self.awaited = entry.filter(|_| self.items.is_empty());
        self.go_to(entry);
    }

    /// Takes the context that was asked for.
    pub(crate) fn take_context(
        &mut self,
        session: &Arc<Session>,
        context: Context,
        share: Option<WindowShare>,
    ) {
        if !self.session.as_ref().is_some_and(|shown| Arc::ptr_eq(shown, session)) {
            return;
        }
        let entry = self.reading();
        self.context = Some(context);
        self.share = share;
        self.list_items();
        self.return_to(entry);
    }

    fn list_items(&mut self) {
        let items = match (self.view, &self.context, &self.session) {
            (View::Stored, ..) => self.branch.iter().map(|&entry| Item::Stored(entry)).collect(),
            (View::Sent, Some(context), Some(session)) => sent_items(session, context),
            (View::Sent, ..) => Vec::new(),
        };
        self.items = Arc::new(items);
        let sent = |item: &Item| matches!(item, Item::Sent(_)).then(|| item.entry());
        self.sent = self.items.iter().filter_map(sent).collect();
        self.asked.clear();
    }

    /// Goes to an entry; where it is not among what is sent, to the last one before it that is.
    pub(crate) fn go_to(&mut self, entry: Option<EntryIx>) {
        let (Some(entry), Some(session)) = (entry, &self.session) else { return };
        if self.view == View::Sent {
            let depth = |entry| session.links().depth(entry);
            let at = self.items.iter().position(|item| item.entry() == entry);
            // The governing compaction comes first, wherever it stands on the branch.
            let below = || self.items.iter().rposition(|item| depth(item.entry()) <= depth(entry));
            self.anchor = Anchor { item: at.or_else(below).unwrap_or(0), row: 0 };
            return;
        }
        // On a path every entry stands at its depth, except in files whose parents go in a circle.
        let guess = session.links().depth(entry) as usize - 1;
        let is_there = |at: &usize| self.items.get(*at).is_some_and(|item| item.entry() == entry);
        let at =
            Some(guess).filter(is_there).or_else(|| self.items.iter().position(|item| item.entry() == entry));
        if let Some(item) = at
            && self.anchor.item != item
        {
            self.anchor = Anchor { item, row: 0 };
            self.settle();
        }
    }

    /// Scrolls; says whether the reader came to another block.
    pub(crate) fn step(&mut self, step: Step, width: u16, height: usize) -> bool {
        let before = self.anchor.item;
        self.anchor = if step.is_upward() {
            self.up(self.anchor, step.distance(height), width)
        } else {
            self.down(self.anchor, step.distance(height), width)
        };
        self.skip_empty(step.is_upward(), width);
        self.anchor.item != before
    }

    /// Leaves a block without rows in the direction of the step.
    fn skip_empty(&mut self, upward: bool, width: u16) {
        while self.rows_of(self.anchor.item, width) == 0 {
            if upward && self.anchor.item > 0 {
                self.anchor.item -= 1;
            } else if !upward && self.anchor.item + 1 < self.items.len() {
                self.anchor.item += 1;
            } else {
                return;
            }
        }
    }

    /// Goes to the next or previous block for which `wanted` holds; says whether there is one.
    pub(crate) fn jump(&mut self, forward: bool, wanted: impl Fn(&Session, EntryIx) -> bool) -> bool {
        let Some(session) = &self.session else { return false };
        let fits = |at: &usize| wanted(session, self.items[*at].entry());
        let at = self.anchor.item;
        let found = if forward {
            (at + 1..self.items.len()).find(fits)
        } else {
            let from = if self.anchor.row > 0 { at + 1 } else { at };
            (0..from.min(self.items.len())).rev().find(fits)
        };
        if let Some(item) = found {
            self.anchor = Anchor { item, row: 0 };
        }
        found.is_some()
    }

    /// Puts the reader at a place.
    pub(crate) fn place(&mut self, anchor: Anchor) {
        if anchor.item < self.items.len() {
            self.anchor = anchor;
        }
    }

    /// Unfolds the block the reader is at step by step, and folds it again at the end.
    pub(crate) fn toggle_fold(&mut self) {
        if !self.unfold() {
            while self.fold_more() {}
        }
    }

    /// Unfolds the block the reader is at a little more; says whether there was more.
    pub(crate) fn unfold(&mut self) -> bool {
        let item = self.current().filter(|&item| self.is_foldable(item));
        let more = item.and_then(|item| Folds::more(self.fold(item)));
        more.is_some_and(|fold| self.set_fold(fold))
    }

    /// Whether folding changes a block, as far as that is known.
    fn is_foldable(&self, item: Item) -> bool {
        let fold = self.fold(item);
        let mut known = self.blocks.iter().filter(|(key, _)| key.item == item && key.fold == fold);
        known.next().is_none_or(|(_, block)| block.is_foldable)
    }

    /// Folds the block the reader is at a little more; says whether it could be.
    pub(crate) fn fold_more(&mut self) -> bool {
        let (Some(item), Some(session)) = (self.current(), &self.session) else { return false };
        let less = self.folds.less(self.fold(item), session.entry(item.entry()));
        less.filter(|_| self.is_foldable(item)).is_some_and(|fold| self.set_fold(fold))
    }

    /// A run of tools goes into its line, and comes out of it, as one.
    fn set_fold(&mut self, fold: Fold) -> bool {
        let (Some(item), Some(session)) = (self.current(), self.session.clone()) else { return false };
        let entry = item.entry();
        let is_about_run = self.fold(item) == Fold::Hidden || fold == Fold::Hidden;
        if is_about_run && is_tool_result(&session, entry) {
            for item in &self.items[tool_run(&session, &self.items, self.anchor.item)] {
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
            self.settle();
        }
    }

    /// Folds and unfolds everything: goes to the next level.
    pub(crate) fn next_level(&mut self) -> Level {
        self.folds.set_level(self.folds.level.next());
        self.settle();
        self.folds.level
    }

    /// How far everything is unfolded.
    pub fn level(&self) -> Level {
        self.folds.level
    }

    /// Puts the reader at the start of a block that has rows: of a run in one line the first result.
    fn settle(&mut self) {
        self.anchor.row = 0;
        let (Some(item), Some(session)) = (self.current(), &self.session) else { return };
        if self.fold(item) == Fold::Hidden && is_tool_result(session, item.entry()) {
            let run = tool_run(session, &self.items, self.anchor.item);
            let first = run.clone().find(|&at| is_tool_result(session, self.items[at].entry()));
            self.anchor.item = first.unwrap_or(run.start);
        }
    }

    fn fold(&self, item: Item) -> Fold {
        let Some(session) = &self.session else { return Fold::Closed };
        match (self.folds.of(item.entry(), session.entry(item.entry())), item) {
            (Fold::Hidden, Item::Stored(_)) => Fold::Hidden,
            (Fold::Hidden, _) => Fold::Closed,
            (fold, _) => fold,
        }
    }

    /// Takes the places where the search was found, and unfolds them; goes to the first at or below the reader.
    pub(crate) fn take_matches(&mut self, found: Vec<(usize, usize)>) {
        self.matches = found.into_iter().map(|(item, row)| Anchor { item, row }).collect();
        for anchor in &self.matches {
            let Some(entry) = self.items.get(anchor.item).map(|item| item.entry()) else { continue };
            self.folds.set(entry, Fold::Open);
        }
        let next =
            self.matches.iter().find(|anchor| anchor.item >= self.anchor.item).or(self.matches.first());
        if let Some(&anchor) = next {
            self.anchor = anchor;
        }
    }

    /// Goes to the next or previous match, round at the ends; says whether there is one.
    pub(crate) fn next_match(&mut self, forward: bool) -> bool {
        let next = if forward {
            self.matches.iter().find(|&&anchor| anchor > self.anchor).or(self.matches.first())
        } else {
            self.matches.iter().rev().find(|&&anchor| anchor < self.anchor).or(self.matches.last())
        };
        match next {
            Some(&anchor) => {
                self.anchor = anchor;
                true
            }
            None => false,
        }
    }

    /// Looks for something else; what was found is forgotten.
    pub(crate) fn set_needle(&mut self, needle: Option<Needle>) {
        self.needle = needle;
        self.matches.clear();
    }

    /// Where the reader is, to come back to.
    pub(crate) fn bookmark(&self) -> Bookmark {
        let at = self.current().map(|item| (item.entry(), self.anchor.row));
        Bookmark { folds: self.folds.clone(), at }
    }

    /// Goes back to where the reader was on this branch.
    pub(crate) fn give_back(&mut self, bookmark: Bookmark) {
        self.folds = bookmark.folds;
        self.end_find();
        let Some((entry, row)) = bookmark.at else { return };
        if let Some(item) = self.items.iter().position(|item| item.entry() == entry) {
            self.anchor = Anchor { item, row };
        }
    }

    /// Goes to the entry whose id begins so; says whether there is one.
    pub(crate) fn go_to_id(&mut self, id: &str) -> bool {
        let Some(session) = &self.session else { return false };
        let is_it = |item: &Item| session.entry_id(item.entry()).as_str().starts_with(id);
        let found = self.items.iter().position(is_it);
        if let Some(item) = found {
            self.anchor = Anchor { item, row: 0 };
            self.settle();
        }
        found.is_some()
    }

    /// Shows only the block the reader is at, unfolded, or all again; says which.
    pub(crate) fn toggle_alone(&mut self) -> bool {
        self.is_alone = !self.is_alone && !self.items.is_empty();
        if self.is_alone {
            self.set_fold(Fold::Open);
        }
        self.is_alone
    }

    /// Ends the search; says whether there was one.
    pub(crate) fn end_find(&mut self) -> bool {
        self.set_needle(None);
        self.find.clear()
    }
}

/// What became of the branch that was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// It is still the same; only the place of the reader may be another.
    SameBranch,
    /// It is another one.
    OtherBranch,
}
