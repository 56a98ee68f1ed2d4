use std::collections::HashSet;
use std::num::NonZeroU32;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::call_table::CallTable;
use super::heads::Class;
use super::{EntryIx, Session, search_words};
use crate::error::Error;

/// Which entries the tree shows. The names are pi's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Filter {
    /// Everything but bookkeeping.
    #[default]
    Default,
    /// As default, without tool results.
    NoTools,
    /// What the person wrote.
    UserOnly,
    /// Entries with a label.
    LabeledOnly,
    /// Everything.
    All,
}

impl Filter {
    /// All filters in the order in which pi cycles through them.
    pub const ALL: [Self; 5] = [Self::Default, Self::NoTools, Self::UserOnly, Self::LabeledOnly, Self::All];

    /// pi's word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::NoTools => "no-tools",
            Self::UserOnly => "user-only",
            Self::LabeledOnly => "labeled-only",
            Self::All => "all",
        }
    }

    /// The filter of that name.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|filter| filter.word() == word)
    }

    fn shows(self, class: Class, has_label: bool) -> bool {
        let is_bookkeeping = matches!(
            class,
            Class::Label
                | Class::ContextEdit
                | Class::Custom
                | Class::ModelChange
                | Class::ThinkingLevelChange
                | Class::SessionInfo
        );
        match self {
            Self::Default => !is_bookkeeping,
            Self::NoTools => !is_bookkeeping && class != Class::ToolResult,
            Self::UserOnly => class == Class::User,
            Self::LabeledOnly => has_label,
            Self::All => true,
        }
    }
}

/// What is asked of the tree: everything its rows depend on besides the session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutlineView {
    /// The current leaf; its path is marked, and comes first at every fork.
    pub leaf: Option<EntryIx>,
    /// Which entries are shown.
    pub filter: Filter,
    /// Words that must all occur.
    pub search: String,
    /// Entries whose descendants are hidden.
    pub folded: HashSet<EntryIx>,
    /// Entries left out whatever the filter: those a fork shares with the session it left.
    pub hidden: HashSet<EntryIx>,
}

/// How a row hangs on its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Connector {
    /// Flat below its parent.
    None,
    /// One of several siblings, with more to come.
    Mid,
    /// The last of several siblings.
    Last,
}

/// One level left of a row at which an ancestor has siblings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gutter {
    /// The level, counted in cells of three columns.
    pub level: u32,
    /// Whether a bar is drawn: the ancestor has later siblings.
    pub is_drawn: bool,
}

/// One visible row of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineRow {
    /// The entry.
    pub entry: EntryIx,
    /// pi's indent.
    pub indent: u32,
    /// How it hangs on its parent.
    pub connector: Connector,
    /// Whether it lies on the path to the current leaf.
    pub is_active: bool,
    /// Whether it starts a segment and can be folded.
    pub is_foldable: bool,
    /// Whether it is folded.
    pub is_folded: bool,
    /// The nearest visible ancestor, as a row number.
    pub parent: Option<u32>,
    gutters: Option<u32>,
}

/// The rows of a session's tree, as pi's `/tree` lists them.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// What was asked.
    pub view: OutlineView,
    /// The rows from top to bottom.
    pub rows: Vec<OutlineRow>,
    /// Whether there are several visible roots, which shifts every indent by one.
    pub has_several_roots: bool,
    /// The row of each entry, where it has one.
    row_of: Vec<Option<NonZeroU32>>,
    /// Gutters as chains that share their tails: (gutter, next further left).
    gutters: Vec<(Gutter, Option<u32>)>,
    calls: CallTable,
}

impl Outline {
    /// Builds the rows for a view, in time linear in the number of entries.
    ///
    /// # Errors
    /// When a search needs texts from the file and cannot read them.
    pub fn build(session: &Session, view: OutlineView) -> Result<Self, Error> {
        let mut active = vec![false; session.len()];
        for ix in session.path_to(view.leaf) {
            active[ix.index()] = true;
        }
        let order = flatten(session, &active);
        let mut outline = Self { calls: CallTable::of(session, &order), view, ..Self::default() };
        let visible = outline.visible(session, &order)?;
        outline.lay_out(session, &order, &visible, &active);
        Ok(outline)
    }

    /// Displayed depth of a row, in cells of three columns.
    pub fn depth(&self, row: &OutlineRow) -> u32 {
        row.indent - u32::from(self.has_several_roots && row.indent > 0)
    }

    /// The gutters left of a row, from right to left.
    pub fn gutters(&self, row: &OutlineRow) -> impl Iterator<Item = Gutter> {
        let mut next = row.gutters;
        std::iter::from_fn(move || {
            let (gutter, tail) = self.gutters[next? as usize];
            next = tail;
            Some(gutter)
        })
    }

    /// The row of an entry, if it is visible.
    pub fn row_of(&self, ix: EntryIx) -> Option<usize> {
        self.row_of.get(ix.index()).copied().flatten().map(|row| row.get() as usize - 1)
    }

    /// The row of an entry or of its nearest visible ancestor.
    pub fn visible_row(&self, session: &Session, ix: Option<EntryIx>) -> Option<usize> {
        let mut at = ix;
        while let Some(ix) = at {
            if let Some(row) = self.row_of(ix) {
                return Some(row);
            }
            at = session.links().parent(ix);
        }
        None
    }

    /// As [`Outline::visible_row`]; the last row where no ancestor is visible, as pi's cursor goes there.
    pub fn nearest_row(&self, session: &Session, ix: Option<EntryIx>) -> Option<usize> {
        self.visible_row(session, ix).or_else(|| self.rows.len().checked_sub(1))
    }

    /// The assistant message that made a tool call, and the call's place in it.
    pub fn call(&self, session: &Session, call_id: &str) -> Option<(EntryIx, usize)> {
        self.calls.get(session, call_id)
    }

    fn visible(&self, session: &Session, order: &[EntryIx]) -> Result<Vec<bool>, Error> {
        let words = search_words(&self.view.search);
        let mut visible = vec![false; session.len()];
        let shows = |ix: EntryIx| -> Result<bool, Error> {
            let class = session.class(ix);
            // Hidden under every filter: usage records, and answers that only called tools.
            let is_always_hidden =
                class == Class::Usage || class == Class::MereToolUse && self.view.leaf != Some(ix);
            let has_label = session.label_of(ix).is_some();
            Ok(!is_always_hidden
                && !self.view.hidden.contains(&ix)
                && self.view.filter.shows(class, has_label)
                && (words.is_empty() || session.matches_search(ix, &words)?))
        };
        if words.is_empty() {
            for &ix in order {
                visible[ix.index()] = shows(ix)?;
            }
        } else {
            // Texts may have to be read.
            visible.par_iter_mut().enumerate().try_for_each(|(at, visible)| {
                *visible = shows(EntryIx::new(at))?;
                Ok(())
            })?;
        }
        Ok(visible)
    }

    fn lay_out(&mut self, session: &Session, order: &[EntryIx], visible: &[bool], active: &[bool]) {
        self.row_of = vec![None; session.len()];
        let shown: Vec<EntryIx> = order.iter().copied().filter(|ix| visible[ix.index()]).collect();
        let parents = visible_parents(session, order, visible);
        let mut child_counts = vec![0u32; session.len()];
        let mut last_children: Vec<Option<EntryIx>> = vec![None; session.len()];
        let mut root_count = 0;
        for &ix in &shown {
            match parents[ix.index()] {
                Some(parent) => {
                    child_counts[parent.index()] += 1;
                    last_children[parent.index()] = Some(ix);
                }
                None => root_count += 1,
            }
        }
        self.has_several_roots = root_count > 1;
        let base = u32::from(self.has_several_roots);
        let mut layout: Vec<Placed> = vec![Placed::default(); session.len()];
        for &ix in &shown {
            let parent = parents[ix.index()];
            let siblings = parent.map_or(root_count, |parent| child_counts[parent.index()]);
            let placed = match parent {
                None => Placed { indent: base, is_branch: siblings > 1, ..Placed::default() },
                Some(parent) => self.place_child(ix, parent, siblings > 1, &layout, &last_children),
            };
            layout[ix.index()] = placed;
            let above = parent.map(|parent| layout[parent.index()]);
            if above.is_some_and(|above| above.is_hidden || above.is_folded) {
                layout[ix.index()].is_hidden = true;
                continue;
            }
            let is_foldable = child_counts[ix.index()] > 0 && (parent.is_none() || siblings > 1);
            let is_folded = is_foldable && self.view.folded.contains(&ix);
            layout[ix.index()].is_folded = is_folded;
            self.row_of[ix.index()] = NonZeroU32::new(self.rows.len() as u32 + 1);
            self.rows.push(OutlineRow {
                entry: ix,
                indent: placed.indent,
                connector: placed.connector(),
                is_active: active[ix.index()],
                is_foldable,
                is_folded,
                parent: parent.and_then(|parent| self.row_of(parent)).map(|row| row as u32),
                gutters: placed.gutters,
            });
        }
    }

    fn place_child(
        &mut self,
        ix: EntryIx,
        parent: EntryIx,
        has_siblings: bool,
        layout: &[Placed],
        last_children: &[Option<EntryIx>],
    ) -> Placed {
        let above = layout[parent.index()];
        let steps_in = has_siblings || (above.is_branch && above.indent > 0);
        let gutters = if above.has_connector {
            let level = (above.indent - u32::from(self.has_several_roots)).saturating_sub(1);
            let gutter = Gutter { level, is_drawn: !above.is_last };
            self.gutters.push((gutter, above.gutters));
            Some(self.gutters.len() as u32 - 1)
        } else {
            above.gutters
        };
        Placed {
            indent: above.indent + u32::from(steps_in),
            is_branch: has_siblings,
            has_connector: has_siblings,
            is_last: last_children[parent.index()] == Some(ix),
            gutters,
            ..Placed::default()
        }
    }
}

/// What the rows below need to know of a row.
#[expect(clippy::struct_excessive_bools, reason = "four independent facts about one row")]
#[derive(Clone, Copy, Default)]
struct Placed {
    indent: u32,
    is_branch: bool,
    has_connector: bool,
    is_last: bool,
    is_folded: bool,
    is_hidden: bool,
    gutters: Option<u32>,
}

impl Placed {
    fn connector(self) -> Connector {
        match (self.has_connector, self.is_last) {
            (false, _) => Connector::None,
            (true, false) => Connector::Mid,
            (true, true) => Connector::Last,
        }
    }
}

/// All entries depth first; among siblings and roots the one with the current leaf comes first.
fn flatten(session: &Session, active: &[bool]) -> Vec<EntryIx> {
    let links = session.links();
    let mut order = Vec::with_capacity(session.len());
    let mut stack = Vec::new();
    let push = |siblings: &[EntryIx], stack: &mut Vec<EntryIx>| {
        stack.extend(siblings.iter().rev().filter(|ix| !active[ix.index()]));
        stack.extend(siblings.iter().rev().filter(|ix| active[ix.index()]));
    };
    push(links.roots(), &mut stack);
    while let Some(ix) = stack.pop() {
        order.push(ix);
        push(links.children(ix), &mut stack);
    }
    order
}

fn visible_parents(session: &Session, order: &[EntryIx], visible: &[bool]) -> Vec<Option<EntryIx>> {
    let mut parents: Vec<Option<EntryIx>> = vec![None; session.len()];
    for &ix in order {
        parents[ix.index()] = session
            .links()
            .parent(ix)
            .and_then(|parent| if visible[parent.index()] { Some(parent) } else { parents[parent.index()] });
    }
    parents
}
