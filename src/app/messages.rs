use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use super::Step;
use super::find::Find;
use crate::format::Role;
use crate::present::CodeTones;
use crate::present::transcript::{Block, Fold, default_fold, gap};
use crate::session::{Context, ContextItem, EntryIx, LeafArg, Omission, Part, Session};

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
    session: Option<Arc<Session>>,
    /// The path of the branch.
    branch: Vec<EntryIx>,
    items: Arc<Vec<Item>>,
    anchor: Anchor,
    blocks: HashMap<BlockKey, Arc<Block>>,
    asked: HashSet<BlockKey>,
    /// Entries whose fold is not the usual one.
    turned: HashSet<EntryIx>,
    usual: Option<Fold>,
    matches: Vec<Anchor>,
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
        while left > 0 && at.item < self.items.len() {
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

    /// The first row in view: the anchor, unless the rows below it do not fill the window.
    fn top(&self, width: u16, height: usize) -> Anchor {
        let mut below = 0;
        let mut item = self.anchor.item;
        while below < height + self.anchor.row && item < self.items.len() {
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
            if at.item == 0 {
                return Anchor::default();
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
        let last = self.items.len().saturating_sub(1);
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
                let is_result = |item: &ContextItem| {
                    matches!(session.entry(item.source).kind.role(), Some(Role::ToolResult { .. }))
                };
                usize::from(!(is_result(&above) && is_result(below)))
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
                usual: self.usual,
                session: Some(Arc::clone(session)),
                ..Self::default()
            };
        }
        if is_same_session && self.leaf() == leaf {
            self.go_to(entry);
            return Shown::SameBranch;
        }
        self.branch = session.path_to(leaf);
        self.matches.clear();
        if self.view == View::Sent && self.held.is_none() {
            self.context = None;
        }
        self.list_items();
        self.go_to(entry);
        Shown::OtherBranch
    }

    /// Shows nothing.
    pub(crate) fn clear(&mut self) {
        *self = Self { view: self.view, usual: self.usual, ..Self::default() };
    }

    /// Switches to a view; the reader stays at the same entry.
    pub(crate) fn set_view(&mut self, view: View) {
        let entry = self.current().map(Item::entry);
        self.view = view;
        self.matches.clear();
        self.list_items();
        self.go_to(entry);
    }

    /// Takes the context that was asked for.
    pub(crate) fn take_context(&mut self, session: &Arc<Session>, context: Context) {
        if !self.session.as_ref().is_some_and(|shown| Arc::ptr_eq(shown, session)) {
            return;
        }
        let entry = self.current().map(Item::entry);
        self.context = Some(context);
        self.list_items();
        self.go_to(entry);
    }

    fn list_items(&mut self) {
        let items = match (self.view, &self.context, &self.session) {
            (View::Stored, ..) => self.branch.iter().map(|&entry| Item::Stored(entry)).collect(),
            (View::Sent, Some(context), Some(session)) => sent_items(session, context),
            (View::Sent, ..) => Vec::new(),
        };
        self.items = Arc::new(items);
        self.asked.clear();
    }

    /// Goes to an entry, or to the one before it that is shown.
    pub(crate) fn go_to(&mut self, entry: Option<EntryIx>) {
        let Some(entry) = entry else { return };
        let (Some(session), View::Stored) = (&self.session, self.view) else {
            let at = self.items.iter().position(|item| item.entry() == entry);
            self.anchor = Anchor {
                item: at.unwrap_or(self.anchor.item.min(self.items.len().saturating_sub(1))),
                row: 0,
            };
            return;
        };
        // On a path every entry stands at its depth, except in files whose parents go in a circle.
        let guess = session.links().depth(entry) as usize - 1;
        let is_there = |at: &usize| self.items.get(*at).is_some_and(|item| item.entry() == entry);
        let at =
            Some(guess).filter(is_there).or_else(|| self.items.iter().position(|item| item.entry() == entry));
        if let Some(item) = at
            && self.anchor.item != item
        {
            self.anchor = Anchor { item, row: 0 };
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

    /// Folds or unfolds the block the reader is at.
    pub(crate) fn toggle_fold(&mut self) {
        let Some(entry) = self.current().map(Item::entry) else { return };
        if !self.turned.remove(&entry) {
            self.turned.insert(entry);
        }
        self.anchor.row = 0;
    }

    /// Whether the block the reader is at is folded.
    pub(crate) fn current_fold(&self) -> Option<Fold> {
        self.current().map(|item| self.fold(item))
    }

    /// Folds everything, or unfolds everything.
    pub(crate) fn toggle_all_folds(&mut self) {
        self.usual = match self.usual {
            None | Some(Fold::Closed) => Some(Fold::Open),
            Some(Fold::Open) => None,
        };
        self.turned.clear();
        self.anchor.row = 0;
    }

    fn fold(&self, item: Item) -> Fold {
        let usual = self.usual_fold(item.entry());
        if self.turned.contains(&item.entry()) { turn(usual) } else { usual }
    }

    fn usual_fold(&self, entry: EntryIx) -> Fold {
        match (self.usual, &self.session) {
            (Some(fold), _) => fold,
            (None, Some(session)) => default_fold(session.entry(entry)),
            (None, None) => Fold::Closed,
        }
    }

    /// Takes the places where the search was found, and unfolds them; goes to the first at or below the reader.
    pub(crate) fn take_matches(&mut self, found: Vec<(usize, usize)>) {
        self.matches = found.into_iter().map(|(item, row)| Anchor { item, row }).collect();
        for anchor in &self.matches {
            let Some(entry) = self.items.get(anchor.item).map(|item| item.entry()) else { continue };
            if self.usual_fold(entry) == Fold::Closed {
                self.turned.insert(entry);
            } else {
                self.turned.remove(&entry);
            }
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

    /// Ends the search; says whether there was one.
    pub(crate) fn end_find(&mut self) -> bool {
        self.matches.clear();
        self.find.clear()
    }
}

fn turn(fold: Fold) -> Fold {
    match fold {
        Fold::Open => Fold::Closed,
        Fold::Closed => Fold::Open,
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
