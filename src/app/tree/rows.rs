use std::collections::{HashMap, HashSet};

use super::{TreePane, TreeRow};
use crate::session::{Connector, Filter};

/// A part of the tree that is to be listed.
enum Listing {
    /// The rows of a document from one on.
    Entries { doc: usize, row: usize },
    /// A fork, with its own rows where it is open.
    Fork(usize),
}

impl TreePane {
    /// Lists all rows: those of the session, and behind each entry the forks that left it. A search and the filter for
    /// labels leave only entries.
    pub(super) fn rebuild(&mut self) {
        let shows_forks = self.find.text().is_empty() && self.filter != Filter::LabeledOnly;
        let forks = if shows_forks { self.forks_by_row() } else { HashMap::new() };
        let forks_at = |doc: usize, row: Option<usize>| forks.get(&(doc, row)).into_iter().flatten().copied();
        let mut rows = Vec::new();
        let mut last = HashSet::new();
        // What is still to be listed, the next last.
        let mut waiting = vec![Listing::Entries { doc: 0, row: 0 }];
        last.extend(forks_at(0, None).next_back());
        waiting.extend(forks_at(0, None).rev().map(Listing::Fork));
        while let Some(next) = waiting.pop() {
            let (doc, row) = match next {
                Listing::Fork(doc) => {
                    rows.push(TreeRow::Fork { doc });
                    if self.docs[doc].fork.as_ref().is_some_and(|fork| fork.is_open) {
                        waiting.push(Listing::Entries { doc, row: 0 });
                        last.extend(forks_at(doc, None).next_back());
                        waiting.extend(forks_at(doc, None).rev().map(Listing::Fork));
                    }
                    continue;
                }
                Listing::Entries { doc, row } => (doc, row),
            };
            if self.outline_row(doc, row).is_none() {
                continue;
            }
            rows.push(TreeRow::Entry { doc, row });
            waiting.push(Listing::Entries { doc, row: row + 1 });
            if !self.branches_behind(doc, row) {
                last.extend(forks_at(doc, Some(row)).next_back());
            }
            waiting.extend(forks_at(doc, Some(row)).rev().map(Listing::Fork));
        }
        for (at, doc) in self.docs.iter_mut().enumerate() {
            if let Some(fork) = &mut doc.fork {
                fork.is_last = last.contains(&at);
            }
        }
        self.rows = rows;
        self.see_cursor();
    }

    /// Whether the row behind a row is the first of several children of it.
    fn branches_behind(&self, doc: usize, row: usize) -> bool {
        self.outline_row(doc, row + 1)
            .is_some_and(|(_, next)| next.parent == Some(row as u32) && next.connector != Connector::None)
    }

    /// The forks that hang below each row of each document; below none those that share nothing with it.
    fn forks_by_row(&self) -> HashMap<(usize, Option<usize>), Vec<usize>> {
        let mut forks: HashMap<(usize, Option<usize>), Vec<usize>> = HashMap::new();
        for (at, doc) in self.docs.iter().enumerate() {
            let Some(fork) = &doc.fork else { continue };
            let parent = &self.docs[fork.parent];
            let Some(outline) = parent.outline.as_deref() else { continue };
            let row = fork.point.and_then(|point| outline.visible_row(&parent.session, Some(point)));
            forks.entry((fork.parent, row)).or_default().push(at);
        }
        forks
    }
}
