use std::collections::HashMap;

use super::{TreePane, TreeRow};
use crate::session::Connector;

impl TreePane {
    /// Lists all rows: those of the session, and behind each entry the forks that left it.
    pub(super) fn rebuild(&mut self) {
        let mut rows = Vec::new();
        let forks = self.forks_by_row();
        let shows_forks = self.find.text().is_empty();
        // Documents that are being listed, innermost last: (document, next outline row, cells in front).
        let mut open = vec![(0, 0, 0)];
        // Forks that are still to be listed before the document goes on.
        let mut waiting: Vec<(usize, u32, bool)> = Vec::new();
        let queue = |doc: usize, row: Option<usize>, base: u32, waiting: &mut Vec<(usize, u32, bool)>| {
            let branches = row.is_some_and(|row| self.branches_behind(doc, row));
            if let Some(found) = forks.get(&(doc, row)).filter(|_| shows_forks) {
                let is_last = |at: usize| at == 0 && !branches;
                waiting.extend(found.iter().rev().enumerate().map(|(at, &fork)| (fork, base, is_last(at))));
            }
        };
        queue(0, None, 0, &mut waiting);
        let mut marks = vec![0];
        while let Some(&(doc, row, base)) = open.last() {
            let mark = marks.last().copied().unwrap_or(0);
            if waiting.len() > mark
                && let Some((fork, base, is_last)) = waiting.pop()
            {
                rows.push(TreeRow::Fork { doc: fork, base, is_last });
                if self.docs[fork].fork.as_ref().is_some_and(|fork| fork.is_open) {
                    open.push((fork, 0, base + 1));
                    marks.push(waiting.len());
                    queue(fork, None, base + 1, &mut waiting);
                }
                continue;
            }
            let Some((outline, shown)) = self.outline_row(doc, row) else {
                open.pop();
                marks.pop();
                continue;
            };
            rows.push(TreeRow::Entry { doc, row, base });
            queue(doc, Some(row), base + outline.depth(shown), &mut waiting);
            if let Some(last) = open.last_mut() {
                last.1 += 1;
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
