use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::Path;

use super::{Mark, NO_MARK};
use crate::store::{Family, SessionSummary};

/// Which entries of forks are copies.
pub(super) struct Copies {
    /// For each session, the entries it shares with others that count them.
    of: Vec<HashSet<Mark>>,
}

impl Copies {
    /// A fork has copied what it shares with the session it was split off. Where that is gone, what it shares with the
    /// forks of the same session that stand before it in the list. Circles of parents are cut as in the list.
    pub(super) fn among(sessions: &[&SessionSummary]) -> Self {
        let mut of = vec![HashSet::new(); sessions.len()];
        if sessions.iter().all(|session| !session.spending.is_fork) {
            return Self { of };
        }
        let family = Family::of(sessions.iter().copied());
        let there: HashSet<&Path> = sessions.iter().map(|session| session.canonical.as_path()).collect();
        let moved = Moved::among(sessions);
        let mut of_gone: HashMap<&Path, HashSet<Mark>> = HashMap::new();
        for (at, session) in sessions.iter().enumerate().filter(|(_, session)| session.spending.is_fork) {
            let marks = &session.spending.marks;
            let gone = session.fork_parent().filter(|parent| !there.contains(parent));
            let parent = family.parent_of(at).or_else(|| moved.parent(gone?, session));
            if let Some(parent) = parent {
                let known: HashSet<Mark> = sessions[parent].spending.marks.iter().copied().collect();
                of[at] = marks.iter().copied().filter(|mark| known.contains(mark)).collect();
            } else if let Some(parent) = gone {
                let known = of_gone.entry(parent).or_default();
                of[at] = marks.iter().copied().filter(|mark| known.contains(mark)).collect();
                known.extend(marks);
            }
        }
        Self { of }
    }

    /// Whether what has this mark in a session is a copy.
    pub(super) fn has(&self, session: usize, mark: Option<&Mark>) -> bool {
        mark.is_some_and(|mark| *mark != NO_MARK && self.of[session].contains(mark))
    }
}

/// Sessions by the names of their files, which are what is left of a path when a store was moved.
struct Moved<'s> {
    sessions: &'s [&'s SessionSummary],
    /// None where several files have the name.
    by_name: HashMap<&'s OsStr, Option<usize>>,
}

impl<'s> Moved<'s> {
    fn among(sessions: &'s [&'s SessionSummary]) -> Self {
        let mut by_name = HashMap::new();
        for (at, session) in sessions.iter().enumerate() {
            let name = session.canonical.file_name().unwrap_or_default();
            by_name.entry(name).and_modify(|known| *known = None).or_insert(Some(at));
        }
        Self { sessions, by_name }
    }

    /// The session of that name, if it is older than the fork; so none can be its own ancestor.
    fn parent(&self, gone: &Path, fork: &SessionSummary) -> Option<usize> {
        let at = (*self.by_name.get(gone.file_name()?)?)?;
        (self.sessions[at].created? < fork.created?).then_some(at)
    }
}
