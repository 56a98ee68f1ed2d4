//! Two branches beside each other, from where they part.

mod rows;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use super::scroll::Ends;
use super::{App, Effect, Job, Notice, Overlay, Pane, Regions, Step, TreeKey};
use crate::format::{Role, Usage};
use crate::present::Row;
use crate::session::{Attempt, EntryIx, Session};

/// From this many cells on both branches are shown, else one of them.
const BOTH_COLUMNS: u16 = 96;
/// Cells between two branches.
const GAP: u16 = 3;

/// Branches that part at an entry, two of which are shown, turn beside turn.
#[derive(Clone, Debug)]
pub struct CompareView {
    session: Arc<Session>,
    /// The last entry that all of them share; none where they share nothing.
    fork: Option<EntryIx>,
    attempts: Vec<Attempt>,
    /// The entry in whose words each is told.
    begins: Vec<EntryIx>,
    /// Which two are shown.
    sides: [usize; 2],
    /// Which of the two has the focus.
    side: usize,
    /// Rows that have gone out of view at the top.
    top: usize,
    /// The width for which the turns were made.
    columns: u16,
    /// What is known of the turns of each branch.
    turns: HashMap<usize, Turns>,
}

/// The turns of a branch, as far as they are there.
#[derive(Clone, Debug, Default)]
struct Turns {
    told: Vec<TurnRows>,
    is_all: bool,
}

/// A turn as it is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnRows {
    /// What its entries have used.
    pub usage: Usage,
    /// What was said in it.
    pub rows: Vec<Row>,
}

/// Branches whose turns are to be made into rows, each by its place in the view.
pub type WantedTurns = Vec<(usize, Attempt)>;

impl CompareView {
    fn new(
        session: Arc<Session>,
        fork: Option<EntryIx>,
        attempts: Vec<Attempt>,
        at: Option<EntryIx>,
    ) -> Self {
        let leaf = session.current_leaf();
        let current = attempts.iter().position(|attempt| Some(attempt.leaf) == leaf).unwrap_or(0);
        let here = attempts.iter().position(|attempt| Some(attempt.start) == at);
        let other = here.filter(|&here| here != current).unwrap_or((current + 1) % attempts.len().max(1));
        let begins = attempts.iter().map(|attempt| beginning(&session, attempt)).collect();
        Self {
            session,
            fork,
            attempts,
            begins,
            sides: [current, other],
            side: usize::from(here == Some(other)),
            top: 0,
            columns: 0,
            turns: HashMap::new(),
        }
    }

    /// The branch that has the focus.
    fn focused(&self) -> Option<&Attempt> {
        self.attempts.get(self.sides[self.side])
    }

    /// The branches that are in view, from left to right.
    fn shown(&self, columns: u16) -> Vec<usize> {
        if columns >= BOTH_COLUMNS { self.sides.to_vec() } else { vec![self.sides[self.side]] }
    }

    /// Shows another branch on the side that has the focus; on the other side stays what is there.
    fn turn_attempt(&mut self, by: usize) {
        let count = self.attempts.len();
        let other = self.sides[1 - self.side];
        let at = &mut self.sides[self.side];
        for _ in 0..count {
            *at = (*at + by) % count;
            if *at != other {
                return;
            }
        }
    }

    /// Takes the next turns of a branch that were made for this width.
    fn take(&mut self, attempt: usize, columns: u16, turns: Vec<TurnRows>, is_all: bool) {
        if self.columns == columns
            && let Some(known) = self.turns.get_mut(&attempt)
        {
            known.told.extend(turns);
            known.is_all |= is_all;
        }
    }
}

/// The first prompt or answer of a branch, else the entry it begins with.
fn beginning(session: &Session, attempt: &Attempt) -> EntryIx {
    let mut first = attempt.start;
    let mut up = Some(attempt.leaf);
    while let Some(at) = up {
        if matches!(session.entry(at).kind.role(), Some(Role::User | Role::Assistant(_))) {
            first = at;
        }
        up = session.links().parent(at).filter(|_| at != attempt.start);
    }
    first
}

/// The width of a branch where the view has so many cells.
fn side_columns(columns: u16) -> u16 {
    if columns >= BOTH_COLUMNS { (columns - GAP) / 2 } else { columns }
}

impl App {
    /// Compares the branches at the fork under the cursor or above it, or those of two marked entries.
    pub(super) fn open_compare(&mut self) {
        let view = match self.marked_branches() {
            Some(Ok(view)) => Some(view),
            Some(Err(words)) => {
                self.notice = Some(Notice::failed(words));
                return;
            }
            None => self.branches_at_cursor(),
        };
        match view {
            Some(view) => self.overlay = Some(Overlay::Compare(Box::new(view))),
            None => self.notice = Some(Notice::failed("nothing to compare: no branch left this one")),
        }
    }

    /// The branches through the first two marked entries.
    fn marked_branches(&self) -> Option<Result<CompareView, &'static str>> {
        let from = self.take_from().filter(|_| self.focus != Pane::Sessions)?;
        let &[one, other, ..] = from.entries.as_slice() else { return None };
        let session = from.session;
        let leaves = [one, other].map(|entry| session.leaf_through(entry));
        let Some((fork, starts)) = session.parting(leaves[0], leaves[1]) else {
            return Some(Err("the marked entries lie on one branch"));
        };
        let attempts = vec![session.attempt(starts[0], leaves[0]), session.attempt(starts[1], leaves[1])];
        Some(Ok(CompareView::new(session, fork, attempts, None)))
    }

    /// The branches at the nearest fork: below the cursor's entry, else at it, else above it.
    fn branches_at_cursor(&self) -> Option<CompareView> {
        let (session, entry) = self.cursor_entry()?;
        let doc = self.tree.docs.iter().find(|doc| Arc::ptr_eq(&doc.session, &session))?;
        let (fork, starts) = session.fork_near(entry)?;
        let attempts = starts.iter().filter_map(|&start| doc.attempts.get(start).cloned()).collect();
        let path = session.path_to(Some(entry));
        let here = path.iter().rev().copied().find(|ix| starts.contains(ix));
        Some(CompareView::new(Arc::clone(&session), fork, attempts, here))
    }

    /// Asks for the turns of the branches in view where they are not there at this width.
    pub(super) fn want_turns(&mut self, effects: &mut Vec<Effect>) {
        let body = Regions::overlay(self.size).body;
        let columns = side_columns(body.width);
        let style = self.block_style();
        let Some(Overlay::Compare(view)) = &mut self.overlay else { return };
        if view.columns != columns {
            view.columns = columns;
            view.turns.clear();
        }
        let shown = view.shown(body.width);
        let has_missing = shown.iter().any(|at| !view.turns.contains_key(at));
        if !has_missing {
            return;
        }
        // The job takes the place of one that may not have told everything yet.
        view.turns.retain(|_, turns| turns.is_all);
        let mut wanted = WantedTurns::new();
        for at in shown {
            if let Entry::Vacant(place) = view.turns.entry(at) {
                place.insert(Turns::default());
                wanted.push((at, view.attempts[at].clone()));
            }
        }
        let session = Arc::clone(&view.session);
        self.tickets.turns = self.run(Job::Turns { session, wanted, columns, style }, effects);
    }

    /// Takes the next turns of a branch.
    pub(super) fn take_turns(&mut self, attempt: usize, columns: u16, turns: Vec<TurnRows>, is_all: bool) {
        if let Some(Overlay::Compare(view)) = &mut self.overlay {
            view.take(attempt, columns, turns, is_all);
        }
    }

    pub(super) fn compare_mut(&mut self) -> Option<&mut CompareView> {
        match &mut self.overlay {
            Some(Overlay::Compare(view)) => Some(view),
            _ => None,
        }
    }

    /// Gives the focus to the other branch.
    pub(super) fn next_side(&mut self) {
        if let Some(view) = self.compare_mut() {
            view.side = 1 - view.side;
        }
    }

    /// Shows the next or the previous of all branches on the side that has the focus.
    pub(super) fn turn_attempt(&mut self, forward: bool) {
        if let Some(view) = self.compare_mut() {
            view.turn_attempt(if forward { 1 } else { view.attempts.len() - 1 });
        }
    }

    /// Moves both branches.
    pub(super) fn step_compare(&mut self, step: Step) {
        let body = Regions::overlay(self.size).body;
        let Some(view) = self.compare_mut() else { return };
        let height = view.turns_height(body.height);
        let rows = view.heights(body.width).iter().sum::<usize>();
        let from = view.top.min(rows.saturating_sub(height));
        view.top = step.from(from, rows.saturating_sub(height) + 1, height, Ends::Stop);
    }

    /// Goes to the next or the previous turn.
    pub(super) fn step_turn(&mut self, forward: bool) {
        let body = Regions::overlay(self.size).body;
        let Some(view) = self.compare_mut() else { return };
        let mut starts = vec![0];
        for height in view.heights(body.width) {
            starts.push(starts.last().unwrap_or(&0) + height);
        }
        starts.pop();
        let top = view.top;
        let found = if forward {
            starts.into_iter().find(|&start| start > top)
        } else {
            starts.into_iter().rev().find(|&start| start < top)
        };
        view.top = found.unwrap_or(top);
    }

    /// Goes to the branch that has the focus, in the tree and in the messages.
    pub(super) fn land_on_attempt(&mut self, effects: &mut Vec<Effect>) {
        let Some(Overlay::Compare(view)) = self.overlay.take() else { return };
        let Some(attempt) = view.focused() else { return };
        let same = self.tree.docs.iter().position(|doc| Arc::ptr_eq(&doc.session, &view.session));
        let Some(doc) = same else { return };
        // The branch is shown whole where the entry it begins with cannot be.
        if !self.tree.select_branch(TreeKey { doc, entry: Some(attempt.start) }, attempt.leaf) {
            self.tree.select_nearest(doc, Some(attempt.leaf));
        }
        self.focus = Pane::Tree;
        self.follow_tree(effects);
    }
}
