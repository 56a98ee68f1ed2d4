//! The messages of one branch: what is listed, where the reader is, and the blocks that were made for it.

mod bookmark;
mod cache;
mod folding;
mod folds;
mod item;
mod listing;
mod search;
mod surroundings;
mod travel;
mod window;

use std::collections::HashSet;
use std::sync::Arc;

use super::find::Find;
use crate::format::Role;
use crate::present::Times;
use crate::present::transcript::Block;
use crate::present::{CellSize, CodeTones};
use crate::session::{Context, EntryIx, Session, WindowShare};
pub(crate) use bookmark::Bookmark;
pub use cache::BlockKey;
use cache::Blocks;
use folds::Folds;
pub use folds::Level;
pub use item::Item;
pub(crate) use item::{is_error, is_said, is_tool_result};
pub use listing::Listing;
pub(crate) use search::PAGES_LOOKED_THROUGH;
pub use search::{Match, Progress, Search};
pub(crate) use surroundings::Surroundings;
pub use window::{Anchor, Visible};

/// Which face of a branch the messages show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum View {
    /// Every entry of the branch.
    #[default]
    Stored,
    /// What the model is sent.
    Sent,
}

/// The messages of a branch. The place of the reader is an anchor; the window around it is computed from the
/// blocks that are there.
#[derive(Debug, Default)]
pub struct MessagesPane {
    /// Stored or sent.
    pub view: View,
    /// The entry at which the context is held, in the sent view.
    pub held: Option<EntryIx>,
    /// The line in which a search is typed.
    pub find: Find,
    /// The context that is shown, in the sent view.
    pub context: Option<Context>,
    /// How full it makes the model's window, where that is known.
    pub share: Option<WindowShare>,
    session: Option<Arc<Session>>,
    /// The path of the branch.
    branch: Vec<EntryIx>,
    listing: Arc<Listing>,
    /// The entries that are part of what is sent.
    sent: HashSet<EntryIx>,
    anchor: Anchor,
    /// Rows of the window above the anchor.
    lead: usize,
    /// The width at which the anchor's row counts.
    width: u16,
    /// The entry the reader goes back to once the items that are being made are there.
    awaited: Option<EntryIx>,
    blocks: Blocks,
    folds: Folds,
    search: Search,
    /// Where the reader was when they began to type a search.
    typing_from: Option<(Anchor, usize)>,
    /// Only the block the reader is at is shown.
    is_alone: bool,
    /// How times are told.
    times: Times,
    /// How they were told at first.
    set_times: Times,
    /// The size of a cell where pictures are shown.
    cell: Option<CellSize>,
}

impl MessagesPane {
    /// Nothing is shown yet, and then with the times told so.
    pub(super) fn new(times: Times) -> Self {
        Self { times, set_times: times, ..Self::default() }
    }

    /// The session whose messages are shown.
    pub fn session(&self) -> Option<&Arc<Session>> {
        self.session.as_ref()
    }

    /// What there is from top to bottom.
    pub fn items(&self) -> &[Item] {
        self.listing.items()
    }

    /// The same, to be handed on.
    pub fn listing(&self) -> &Arc<Listing> {
        &self.listing
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
        self.items().get(self.anchor.item).copied()
    }

    /// Whether an entry is part of what is sent, where that is shown.
    pub fn is_sent(&self, session: &Arc<Session>, entry: EntryIx) -> bool {
        self.view == View::Sent && self.shows(session) && self.sent.contains(&entry)
    }

    /// How far down the reader is, in percent of the blocks.
    pub fn percent(&self) -> usize {
        match self.items().len() {
            0 | 1 => 100,
            count => self.anchor.item * 100 / (count - 1),
        }
    }

    /// What is looked for, and where it was found.
    pub fn search(&self) -> &Search {
        &self.search
    }

    /// Whether only the block the reader is at is shown.
    pub fn is_alone(&self) -> bool {
        self.is_alone
    }

    /// How times are told.
    pub fn times(&self) -> Times {
        self.times
    }

    /// The size of a cell where pictures are shown.
    pub fn cell(&self) -> Option<CellSize> {
        self.cell
    }

    /// Shows pictures on a screen with cells of this size, or none; says whether that is a change.
    pub fn show_pictures(&mut self, cell: Option<CellSize>) -> bool {
        let is_change = self.cell != cell;
        if is_change {
            self.cell = cell;
            self.blocks.clear();
            self.search.grow_stale();
        }
        is_change
    }

    /// Tells times by how long ago they were, or as they were set to be told, or else by the clock.
    pub(crate) fn toggle_times(&mut self) {
        self.times = match (self.times, self.set_times) {
            (Times::Age, Times::Age) => Times::Clock,
            (Times::Age, set) => set,
            _ => Times::Age,
        };
        self.blocks.clear();
        self.search.grow_stale();
    }

    /// How far everything is unfolded.
    pub fn level(&self) -> Level {
        self.folds.level
    }

    /// The entry at which the context ends.
    pub fn context_leaf(&self) -> Option<EntryIx> {
        self.held.or(self.leaf())
    }

    /// The key of a block at a width.
    pub fn key(&self, item: Item, width: u16, code: CodeTones) -> BlockKey {
        let pages = self.folds.pages(item.entry());
        let looked_through = if self.is_found(item) { PAGES_LOOKED_THROUGH } else { 0 };
        BlockKey { item, width, fold: self.fold(item), code, pages: pages.max(looked_through) }
    }

    /// The rows of a block, if they are there; with its code highlighted, if that is.
    pub fn block(&self, item: Item, width: u16) -> Option<&Arc<Block>> {
        self.blocks.get(item, width, self.fold(item))
    }

    /// Whether something was found in an item.
    fn is_found(&self, item: Item) -> bool {
        self.search.entries.contains(&item.entry())
    }

    fn shows(&self, session: &Arc<Session>) -> bool {
        self.session.as_ref().is_some_and(|shown| Arc::ptr_eq(shown, session))
    }

    /// The blocks that are missing in a window of this size and near it, nearest first; they count as asked for.
    pub(crate) fn take_wanted(&mut self, width: u16, height: usize) -> Vec<(usize, BlockKey)> {
        if width == 0 || height == 0 || self.items().is_empty() {
            return Vec::new();
        }
        let mut wanted: Vec<(usize, BlockKey)> = self
            .around(&self.window(width, height))
            .map(|at| (at, self.key(self.items()[at], width, CodeTones::Plain)))
            .filter(|&(_, key)| !self.blocks.has(key))
            .collect();
        wanted.retain(|(_, key)| self.blocks.ask(*key));
        wanted.sort_by_key(|&(at, _)| at.abs_diff(self.anchor.item));
        wanted
    }

    /// The blocks in a window of this size whose code is still plain, farthest first; they count as asked for.
    pub(crate) fn take_plain_code(&mut self, width: u16, height: usize) -> Vec<(usize, BlockKey)> {
        let mut plain: Vec<(usize, BlockKey)> = self
            .window(width, height)
            .into_iter()
            .map(|visible| (visible.item, self.items()[visible.item]))
            .filter(|&(_, item)| self.block(item, width).is_some_and(|block| block.could_be_highlighted))
            .map(|(at, item)| (at, self.key(item, width, CodeTones::Highlighted)))
            .collect();
        plain.retain(|(_, key)| self.blocks.ask(*key));
        plain.sort_by_key(|&(at, _)| std::cmp::Reverse(at.abs_diff(self.anchor.item)));
        plain
    }

    /// The blocks will not come; they may be asked for again.
    pub(crate) fn forget_wanted(&mut self, wanted: &[(usize, BlockKey)]) {
        for (_, key) in wanted {
            self.blocks.unask(*key);
        }
    }

    /// Takes rendered blocks.
    pub(crate) fn take_blocks(&mut self, session: &Arc<Session>, blocks: Vec<(BlockKey, Arc<Block>)>) {
        if self.shows(session) {
            let near = self.nearby();
            self.blocks.take(blocks, self.listing.items()[near].iter().copied());
        }
    }

    /// Takes a session that has only grown since; the reader stays where they are.
    pub(crate) fn adopt(&mut self, session: &Arc<Session>) {
        self.session = Some(Arc::clone(session));
        // What is said of an entry may depend on what came behind it, as a label does.
        self.blocks.clear();
    }

    /// Shows the branch that ends at `leaf`, at `entry`.
    pub(crate) fn show(
        &mut self,
        session: &Arc<Session>,
        leaf: Option<EntryIx>,
        entry: Option<EntryIx>,
    ) -> Shown {
        let is_same_session = self.shows(session);
        if !is_same_session {
            *self = Self { session: Some(Arc::clone(session)), ..self.emptied() };
        }
        if is_same_session && self.leaf() == leaf {
            self.go_to(entry);
            return Shown::SameBranch;
        }
        let branch = session.path_to(leaf);
        self.forget_blocks_about(&branch);
        let has_only_grown = branch.starts_with(&self.branch);
        self.branch = branch;
        if !has_only_grown {
            self.end_find();
        }
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
        self.blocks.retain(|item| !stale.contains(&item.entry()));
    }

    /// Shows nothing.
    pub(crate) fn clear(&mut self) {
        *self = self.emptied();
    }

    /// A pane that shows nothing in the same way.
    fn emptied(&self) -> Self {
        Self {
            view: self.view,
            times: self.times,
            cell: self.cell,
            folds: Folds::at(self.folds.level),
            ..Self::default()
        }
    }

    /// Switches to a view; the reader stays at the same entry.
    pub(crate) fn set_view(&mut self, view: View) {
        let entry = self.reading();
        self.view = view;
        self.list_items();
        self.return_to(entry);
    }

    /// The entry the reader is at, or will be at again.
    fn reading(&self) -> Option<EntryIx> {
        self.awaited.or_else(|| self.current().map(Item::entry))
    }

    /// Goes to an entry as soon as there is something to go to.
    fn return_to(&mut self, entry: Option<EntryIx>) {
        self.awaited = entry.filter(|_| self.items().is_empty());
        self.go_to(entry);
    }

    /// Takes the context that was asked for.
    pub(crate) fn take_context(
        &mut self,
        session: &Arc<Session>,
        context: Context,
        share: Option<WindowShare>,
    ) {
        if !self.shows(session) {
            return;
        }
        let entry = self.reading();
        self.context = Some(context);
        self.share = share;
        self.list_items();
        self.return_to(entry);
    }

    fn list_items(&mut self) {
        let listing = match (self.view, &self.context, &self.session) {
            (View::Stored, ..) => Listing::of_branch(&self.branch),
            (View::Sent, Some(context), Some(session)) => Listing::of_context(session, context),
            (View::Sent, ..) => Listing::default(),
        };
        let sent = |item: &Item| matches!(item, Item::Sent(_)).then(|| item.entry());
        self.sent = listing.items().iter().filter_map(sent).collect();
        self.listing = Arc::new(listing);
        self.blocks.unask_all();
        self.search.grow_stale();
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
