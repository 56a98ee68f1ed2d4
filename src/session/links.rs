use std::num::NonZeroU32;

use crate::format::js::{SortOrder, sort_by_date};
use crate::format::{Diagnostic, ParentRef, Problem};

use super::heads::{Heads, IdTable};

/// The place of an entry in its session's file order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntryIx(
    /// One more than the index, so that an optional one takes no more room.
    NonZeroU32,
);

impl EntryIx {
    /// The entry at `index` of the file order.
    pub fn new(index: usize) -> Self {
        Self(NonZeroU32::MIN.saturating_add(index as u32))
    }

    /// Its place in the file order, from 0.
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// Parents, children and roots of all entries, in flat arrays.
///
/// Every entry stands exactly once in this tree. Where the file is damaged that takes a decision: an entry
/// whose parent is unknown is a root; of several lines with one id the last has the children; a circle of
/// parents is cut where a walk up from its last line would come round.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Links {
    /// Who the entry names as its parent, circles included.
    named: Vec<Option<EntryIx>>,
    /// The same with circles cut.
    parents: Vec<Option<EntryIx>>,
    /// The children of entry `i` are `children[starts[i]..starts[i + 1]]`.
    starts: Vec<u32>,
    children: Vec<EntryIx>,
    roots: Vec<EntryIx>,
    depths: Vec<u32>,
    deepest: Option<(EntryIx, u32)>,
    is_circular: bool,
}

impl Links {
    pub(super) fn build(
        entries: &Heads,
        by_id: &IdTable,
        is_chain: impl Fn(usize) -> bool,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let ids = entries.ids();
        let mut links = Self { named: Vec::with_capacity(entries.len()), ..Self::default() };
        let is_each_id_once = by_id.len() == ids.len();
        for at in 0..entries.len() {
            let named = match entries.parent(at) {
                ParentRef::Missing if is_chain(at) => at.checked_sub(1).map(EntryIx::new),
                ParentRef::Missing | ParentRef::None => None,
                ParentRef::Id(id) if id == ids[at] => {
                    links.is_circular = true;
                    diagnostics.push(Diagnostic::new(
                        entries.line(at),
                        Problem::SelfParent,
                        format!(
                            "entry {id} names itself as its parent; it is shown as a root, pi hangs on it"
                        ),
                    ));
                    None
                }
                // Most entries hang below the line before.
                ParentRef::Id(id) if is_each_id_once && at > 0 && id == ids[at - 1] => {
                    Some(EntryIx::new(at - 1))
                }
                ParentRef::Id(id) => {
                    let parent = by_id.get(ids, &id);
                    if parent.is_none() {
                        diagnostics.push(Diagnostic::new(
                            entries.line(at),
                            Problem::Orphan,
                            format!(
                                "the parent {id} of entry {} is not in the file; it is shown as a root",
                                ids[at]
                            ),
                        ));
                    }
                    parent
                }
            };
            links.named.push(named);
        }
        links.cut_circles(entries, diagnostics);
        links.collect_children(entries);
        links.measure();
        links
    }

    /// Walks up from the last line first, so that the branch pi would reopen stays in one piece.
    fn cut_circles(&mut self, entries: &Heads, diagnostics: &mut Vec<Diagnostic>) {
        #[derive(Clone, Copy, PartialEq)]
        enum Seen {
            Never,
            OnThisWalk,
            Before,
        }
        self.parents = self.named.clone();
        let mut seen = vec![Seen::Never; self.named.len()];
        let mut walk = Vec::new();
        for start in (0..self.named.len()).rev() {
            let mut at = start;
            while seen[at] == Seen::Never {
                seen[at] = Seen::OnThisWalk;
                walk.push(at);
                let Some(next) = self.named[at] else { break };
                if seen[next.index()] == Seen::OnThisWalk {
                    self.is_circular = true;
                    self.parents[at] = None;
                    diagnostics.push(Diagnostic::new(
                        entries.line(at),
                        Problem::Cycle,
                        format!("the parents of entry {} lead back to itself; it is shown as a root, pi hangs on it", entries.ids()[at]),
                    ));
                    break;
                }
                at = next.index();
            }
            for at in walk.drain(..) {
                seen[at] = Seen::Before;
            }
        }
    }

    /// Children oldest first; roots in file order.
    fn collect_children(&mut self, entries: &Heads) {
        let mut starts = vec![0u32; entries.len() + 1];
        for parent in self.parents.iter().flatten() {
            starts[parent.index() + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut children = vec![EntryIx::new(0); starts.last().map_or(0, |&count| count as usize)];
        for (at, parent) in self.parents.iter().enumerate() {
            let ix = EntryIx::new(at);
            match parent {
                Some(parent) => {
                    let slot = &mut next[parent.index()];
                    children[*slot as usize] = ix;
                    *slot += 1;
                }
                None => self.roots.push(ix),
            }
        }
        for window in starts.windows(2).filter(|window| window[1] - window[0] > 1) {
            let siblings = &mut children[window[0] as usize..window[1] as usize];
            sort_by_date(siblings, SortOrder::OldestFirst, |child| entries.time(child.index()));
        }
        self.starts = starts;
        self.children = children;
    }

    fn measure(&mut self) {
        let mut depths = vec![0; self.named.len()];
        let mut stack = self.roots.clone();
        while let Some(ix) = stack.pop() {
            depths[ix.index()] = self.parent(ix).map_or(0, |parent| depths[parent.index()]) + 1;
            stack.extend_from_slice(self.children(ix));
        }
        let deepest = depths.iter().enumerate().max_by_key(|&(_, depth)| depth);
        self.deepest = deepest.map(|(at, &depth)| (EntryIx::new(at), depth));
        self.depths = depths;
    }

    /// The parent in the tree.
    pub fn parent(&self, ix: EntryIx) -> Option<EntryIx> {
        self.parents[ix.index()]
    }

    /// The parent the entry names, which in a circular file may lead back to the entry itself.
    pub fn named_parent(&self, ix: EntryIx) -> Option<EntryIx> {
        self.named[ix.index()]
    }

    /// The children, oldest first.
    pub fn children(&self, ix: EntryIx) -> &[EntryIx] {
        &self.children[self.starts[ix.index()] as usize..self.starts[ix.index() + 1] as usize]
    }

    /// The roots in file order.
    pub fn roots(&self) -> &[EntryIx] {
        &self.roots
    }

    /// Whether anything has siblings.
    pub fn has_forks(&self) -> bool {
        self.roots.len() > 1 || self.starts.windows(2).any(|window| window[1] - window[0] > 1)
    }

    /// Number of entries from the root down to `ix`, both counted.
    pub fn depth(&self, ix: EntryIx) -> u32 {
        self.depths[ix.index()]
    }

    /// The end of the longest branch and its length; of equals the last in the file.
    pub fn deepest(&self) -> Option<(EntryIx, u32)> {
        self.deepest
    }

    /// True when some entry's parents lead back to it, also when it names itself.
    pub fn is_circular(&self) -> bool {
        self.is_circular
    }
}
