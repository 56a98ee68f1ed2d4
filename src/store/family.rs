use std::collections::HashMap;
use std::path::Path;

use super::files::Finding;
use super::summary::SessionSummary;
use crate::format::Problem;
use crate::format::js::{self, SortOrder};

/// A list of sessions as fork families: every fork below the session it was split off, over all folders.
///
/// Sessions are known by their position in the list this was made of, which may be filtered: where the parent
/// is not in the list, the fork is a root. Siblings and roots are ordered by the newest activity anywhere
/// below them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Family {
    /// The sessions in the order of the threaded list, each family depth first.
    pub rows: Vec<FamilyRow>,
    /// Sessions that would be their own ancestors. pi's threaded list loses these; here each is a root.
    pub findings: Vec<Finding>,
    parents: Vec<Option<usize>>,
    children: Vec<Vec<usize>>,
}

/// A row of the threaded list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FamilyRow {
    /// The session, by its position in the list the family was made of.
    pub session: usize,
    /// How many ancestors it has in the list.
    pub depth: usize,
    /// Whether no sibling follows.
    pub is_last: bool,
    /// The position in [`Family::rows`] of the row it hangs below.
    above: Option<usize>,
}

impl Family {
    /// Threads the sessions of a list, in the order of [`super::sort_recent`].
    pub fn of<'r>(sessions: impl IntoIterator<Item = &'r SessionSummary>) -> Self {
        let sessions: Vec<&SessionSummary> = sessions.into_iter().collect();
        let mut parents = parents(&sessions);
        let findings = cut_circles(&mut parents, &sessions);
        let mut children = vec![Vec::new(); sessions.len()];
        let mut roots = Vec::new();
        for (child, parent) in parents.iter().enumerate() {
            match parent {
                Some(parent) => children[*parent].push(child),
                None => roots.push(child),
            }
        }
        let newest = newest_below(&roots, &children, &sessions);
        let order = |siblings: &mut [usize]| {
            js::sort_by_date(siblings, SortOrder::NewestFirst, |&session| newest[session]);
        };
        order(&mut roots);
        for siblings in &mut children {
            order(siblings);
        }
        Self { rows: flatten(&roots, &children), findings, parents, children }
    }

    /// The session that a fork left, if it is in the list.
    pub fn parent_of(&self, session: usize) -> Option<usize> {
        self.parents.get(session).copied().flatten()
    }

    /// The forks of a session, the one with the newest activity first.
    pub fn children_of(&self, session: usize) -> &[usize] {
        self.children.get(session).map_or(&[], Vec::as_slice)
    }

    /// What stands in front of the title of a row: nothing for a root; else, for every ancestor, three
    /// columns, with a bar where that ancestor has later siblings (never for the root), then the row's own
    /// branch.
    pub fn prefix(&self, row: usize) -> String {
        let Some(last) = self.rows.get(row).filter(|row| row.depth > 0) else { return String::new() };
        let mut cells = vec![if last.is_last { "└─ " } else { "├─ " }];
        let mut above = last.above.and_then(|above| self.rows.get(above));
        while let Some(ancestor) = above {
            cells.push(if ancestor.depth > 0 && !ancestor.is_last { "│  " } else { "   " });
            above = ancestor.above.and_then(|above| self.rows.get(above));
        }
        cells.into_iter().rev().collect()
    }
}

/// The parent of each session by its real path. Of two rows that show one file, the later one has the forks.
fn parents(sessions: &[&SessionSummary]) -> Vec<Option<usize>> {
    let by_path: HashMap<&Path, usize> =
        sessions.iter().enumerate().map(|(at, session)| (session.canonical.as_path(), at)).collect();
    sessions.iter().map(|session| by_path.get(session.parent.as_deref()?).copied()).collect()
}

/// Makes roots of the sessions on circles of parents, and says which they are.
fn cut_circles(parents: &mut [Option<usize>], sessions: &[&SessionSummary]) -> Vec<Finding> {
    let mut findings = Vec::new();
    // The walk in which a session was first seen, counted from 1.
    let mut seen_in = vec![0; parents.len()];
    for start in 0..parents.len() {
        let walk = start + 1;
        let mut next = Some(start);
        while let Some(at) = next.filter(|&at| seen_in[at] == 0) {
            seen_in[at] = walk;
            next = parents[at];
        }
        // A walk that comes back to itself stands on a circle.
        while let Some(at) = next.filter(|&at| seen_in[at] == walk) {
            next = parents[at].take();
            if next.is_some() {
                findings.push(Finding::new(
                    &sessions[at].path,
                    Problem::FamilyCycle,
                    if next == Some(at) {
                        "it names itself as the session it was split off"
                    } else {
                        "following the sessions it was split off leads back to itself"
                    },
                ));
            }
        }
    }
    findings
}

/// The newest activity of each session and all below it; none where a date among them is invalid, as in pi.
fn newest_below(roots: &[usize], children: &[Vec<usize>], sessions: &[&SessionSummary]) -> Vec<Option<i64>> {
    let mut downwards = roots.to_vec();
    let mut at = 0;
    while let Some(&session) = downwards.get(at) {
        downwards.extend(&children[session]);
        at += 1;
    }
    let mut newest: Vec<Option<i64>> = sessions.iter().map(|session| session.modified).collect();
    for &session in downwards.iter().rev() {
        for &child in &children[session] {
            newest[session] = newest[session].zip(newest[child]).map(|(own, other)| own.max(other));
        }
    }
    newest
}

fn flatten(roots: &[usize], children: &[Vec<usize>]) -> Vec<FamilyRow> {
    let mut rows: Vec<FamilyRow> = Vec::new();
    let mut waiting: Vec<FamilyRow> = Vec::new();
    let push = |waiting: &mut Vec<FamilyRow>, siblings: &[usize], depth, above| {
        for (at, &session) in siblings.iter().enumerate().rev() {
            waiting.push(FamilyRow { session, depth, is_last: at + 1 == siblings.len(), above });
        }
    };
    push(&mut waiting, roots, 0, None);
    while let Some(row) = waiting.pop() {
        push(&mut waiting, &children[row.session], row.depth + 1, Some(rows.len()));
        rows.push(row);
    }
    rows
}
