//! How a conversation went on from a fork: the branches from there on, and what came of each.

use std::collections::HashMap;

use super::ending::Ending;
use super::{EntryIx, Session};
use crate::format::{EntryHead, Kind, Role, Usage};

/// A branch from a fork on: one of several ways in which a conversation went on.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    /// The entry below the fork with which it begins.
    pub start: EntryIx,
    /// The entry at which it ends.
    pub leaf: EntryIx,
    /// Entries from one to the other, both counted.
    pub entries: u32,
    /// Prompts, each with what came of it. Answers before the first prompt are a turn as well.
    pub turns: u32,
    /// What its entries have used.
    pub usage: Usage,
    /// How it ended.
    pub ending: Ending,
    /// Branches that begin with the same entry and end elsewhere.
    pub others: u32,
    /// What the entries have used that are only on those, in dollars.
    pub cost_of_others: f64,
}

/// Whether an entry begins a turn.
pub(super) fn is_prompt(head: &EntryHead) -> bool {
    matches!(head.kind.role(), Some(Role::User))
}

/// Whether an entry is a turn's even where no prompt stands before it.
pub(super) fn is_work(head: &EntryHead) -> bool {
    matches!(
        head.kind.role(),
        Some(Role::Assistant(_) | Role::ToolResult { .. } | Role::BashExecution { .. })
    ) || matches!(head.kind, Kind::CustomMessage { .. })
}

/// What the entries of a branch come to, from its end upwards.
#[derive(Default)]
struct Sum {
    entries: u32,
    prompts: u32,
    /// Whether the uppermost entry of a turn is a prompt.
    begins_with_prompt: Option<bool>,
    usage: Usage,
    ending: Option<Ending>,
}

impl Sum {
    fn add(&mut self, head: &EntryHead) {
        self.entries += 1;
        if is_prompt(head) {
            self.prompts += 1;
            self.begins_with_prompt = Some(true);
        } else if is_work(head) {
            self.begins_with_prompt = Some(false);
        }
        if let Some(usage) = counted(head) {
            self.usage.add(usage);
        }
        self.ending = self.ending.or_else(|| Ending::of(head));
    }

    fn attempt(&self, start: EntryIx, leaf: EntryIx) -> Attempt {
        Attempt {
            start,
            leaf,
            entries: self.entries,
            turns: self.prompts + u32::from(self.begins_with_prompt == Some(false)),
            usage: self.usage,
            ending: self.ending.unwrap_or_default(),
            others: 0,
            cost_of_others: 0.0,
        }
    }
}

/// The usage of an entry, where it counts.
pub(super) fn counted(head: &EntryHead) -> Option<&Usage> {
    let is_counted = match &head.kind {
        Kind::Message(message) => matches!(message.role, Role::Assistant(_) | Role::ToolResult { .. }),
        kind => matches!(kind, Kind::Usage { .. } | Kind::Compaction { .. } | Kind::BranchSummary),
    };
    head.usage.as_deref().filter(|_| is_counted)
}

/// The attempts of a session: one for every entry that has siblings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attempts(HashMap<EntryIx, Attempt>);

impl Attempts {
    /// Finds them all, in time linear in the number of entries. Each ends where the branch through its first entry does:
    /// see [`Session::leaf_through`].
    pub fn of(session: &Session) -> Self {
        let mut attempts = HashMap::new();
        if !session.links().has_forks() {
            return Self(attempts);
        }
        let below = Below::of(session);
        let links = session.links();
        for leaf in session.indexes().filter(|ix| below.leaf[ix.index()] == *ix) {
            let mut sum = Sum::default();
            let mut up = Some(leaf);
            while let Some(at) = up.filter(|&at| below.leaf[at.index()] == leaf) {
                sum.add(&session.entry(at));
                if session.siblings(at).len() > 1 {
                    let others = below.leaves[at.index()].saturating_sub(1);
                    let cost_of_others = (below.cost[at.index()] - sum.usage.cost).max(0.0);
                    attempts.insert(at, Attempt { others, cost_of_others, ..sum.attempt(at, leaf) });
                }
                up = links.parent(at);
            }
        }
        Self(attempts)
    }

    /// The attempt that begins with an entry, if it has siblings.
    pub fn get(&self, start: EntryIx) -> Option<&Attempt> {
        self.0.get(&start)
    }
}

/// What lies below each entry.
struct Below {
    /// Where the branch through it ends.
    leaf: Vec<EntryIx>,
    /// How many branches go through it.
    leaves: Vec<u32>,
    /// What all of them cost from here on.
    cost: Vec<f64>,
}

impl Below {
    fn of(session: &Session) -> Self {
        let links = session.links();
        let count = session.len();
        let mut order = Vec::with_capacity(count);
        let mut stack = links.roots().to_vec();
        while let Some(ix) = stack.pop() {
            order.push(ix);
            stack.extend_from_slice(links.children(ix));
        }
        let mut below =
            Self { leaf: session.indexes().collect(), leaves: vec![0; count], cost: vec![0.0; count] };
        for &ix in order.iter().rev() {
            let children = links.children(ix);
            let newest = children.iter().map(|child| below.leaf[child.index()]).max();
            below.leaf[ix.index()] = newest.unwrap_or(ix);
            below.leaves[ix.index()] =
                children.iter().map(|child| below.leaves[child.index()]).sum::<u32>().max(1);
            below.cost[ix.index()] = counted(&session.entry(ix)).map_or(0.0, |usage| usage.cost)
                + children.iter().map(|child| below.cost[child.index()]).sum::<f64>();
        }
        let mut up = session.current_leaf();
        while let (Some(at), Some(leaf)) = (up, session.current_leaf()) {
            below.leaf[at.index()] = leaf;
            up = links.parent(at);
        }
        below
    }
}

impl Session {
    /// An entry and its siblings, oldest first; for a root, the roots.
    pub fn siblings(&self, ix: EntryIx) -> &[EntryIx] {
        match self.links().parent(ix) {
            Some(parent) => self.links().children(parent),
            None => self.links().roots(),
        }
    }

    /// What the entries have used that are not on the path to the current leaf.
    pub fn abandoned_usage(&self) -> Usage {
        let mut usage = Usage::default();
        for branch in self.branches().iter().skip(1) {
            usage.add(&branch.usage);
        }
        usage
    }

    /// The fork nearest to an entry: right below it, else where it or an entry above it has siblings. Returns the last
    /// entry that the branches share, none where they are roots, and the first entry of each, oldest first.
    pub fn fork_near(&self, ix: EntryIx) -> Option<(Option<EntryIx>, &[EntryIx])> {
        let links = self.links();
        if links.children(ix).len() > 1 {
            return Some((Some(ix), links.children(ix)));
        }
        let mut at = ix;
        while self.siblings(at).len() < 2 {
            at = links.parent(at)?;
        }
        Some((links.parent(at), self.siblings(at)))
    }

    /// The branches of the session: first the current one, from its root on, then all others, the newest first, each
    /// from where it left those before it. So every entry is on one of them, once.
    pub fn branches(&self) -> Vec<Attempt> {
        let links = self.links();
        let newest_first = (0..self.len()).rev().map(EntryIx::new);
        let ends = newest_first.filter(|&ix| links.children(ix).is_empty());
        let current = self.current_leaf();
        let mut is_told = vec![false; self.len()];
        let mut branches = Vec::new();
        for leaf in current.into_iter().chain(ends) {
            let (mut sum, mut start, mut up) = (Sum::default(), None, Some(leaf));
            while let Some(at) = up.filter(|at| !is_told[at.index()]) {
                is_told[at.index()] = true;
                sum.add(&self.entry(at));
                start = Some(at);
                up = links.parent(at);
            }
            branches.extend(start.map(|start| sum.attempt(start, leaf)));
        }
        branches
    }

    /// The branch from `start`, which lies above it or is it, down to `leaf`.
    pub fn attempt(&self, start: EntryIx, leaf: EntryIx) -> Attempt {
        let mut sum = Sum::default();
        let mut up = Some(leaf);
        while let Some(at) = up {
            sum.add(&self.entry(at));
            up = self.links().parent(at).filter(|_| at != start);
        }
        sum.attempt(start, leaf)
    }

    /// Where two branches part: for each the first entry that is not on the other, and above both the last entry they
    /// share, none where they share nothing. `None` where one goes on from the end of the other.
    pub fn parting(&self, one: EntryIx, other: EntryIx) -> Option<(Option<EntryIx>, [EntryIx; 2])> {
        let (one, other) = (self.path_to(Some(one)), self.path_to(Some(other)));
        let shared = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
        let starts = [*one.get(shared)?, *other.get(shared)?];
        Some((shared.checked_sub(1).map(|at| one[at]), starts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const USER: &str = r#""type":"message","message":{"role":"user","content":"x"}"#;
    const CALL: &str = r#""type":"message","message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"ls","arguments":{}}],"stopReason":"toolUse","usage":{"input":1,"cost":{"total":1}}}"#;
    const RESULT: &str = r#""type":"message","message":{"role":"toolResult","toolCallId":"c","content":[]}"#;
    const LABEL: &str = r#""type":"label","targetId":"e0","label":"x""#;

    fn answer(stop: &str) -> String {
        format!(
            r#""type":"message","message":{{"role":"assistant","content":[],"stopReason":"{stop}","usage":{{"input":1,"cost":{{"total":2}}}}}}"#
        )
    }

    /// Entries by what stands in them and the place of their parent.
    fn session(entries: &[(&str, Option<usize>)]) -> Session {
        let mut lines = String::from("{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n");
        for (at, (entry, parent)) in entries.iter().enumerate() {
            let parent = parent.map_or("null".into(), |parent| format!("\"e{parent}\""));
            lines.push_str(&format!("{{\"id\":\"e{at}\",\"parentId\":{parent},{entry}}}\n"));
        }
        Session::from_bytes("x.jsonl", lines.into_bytes()).unwrap()
    }

    #[test]
    fn an_attempt_says_what_came_of_a_branch() {
        let (stop, error, aborted, length) =
            (answer("stop"), answer("error"), answer("aborted"), answer("length"));
        for (tail, turns, cost, ending) in [
            (&[USER][..], 1, 0.0, Ending::Unanswered),
            (&[USER, &stop], 1, 2.0, Ending::Answered),
            (&[USER, &stop, USER, CALL, RESULT], 2, 3.0, Ending::InTools),
            (&[USER, CALL], 1, 1.0, Ending::InTools),
            (&[&stop, USER, &error, LABEL], 2, 4.0, Ending::Failed),
            (&[USER, &aborted], 1, 2.0, Ending::Aborted),
            (&[USER, &length], 1, 2.0, Ending::CutShort),
            (&[LABEL], 0, 0.0, Ending::Silent),
            (&[r#""type":"branch_summary","summary":"s""#, USER], 1, 0.0, Ending::Unanswered),
            (
                &[r#""type":"message","message":{"role":"bashExecution","command":"ls"}"#],
                1,
                0.0,
                Ending::InCommand,
            ),
        ] {
            let mut entries = vec![(USER, None), (&stop, Some(0))];
            let start = entries.len();
            for (at, entry) in tail.iter().enumerate() {
                entries.push((entry, Some(if at == 0 { 0 } else { start + at - 1 })));
            }
            let session = session(&entries);
            let attempts = Attempts::of(&session);
            let attempt = attempts.get(EntryIx::new(start)).unwrap();
            assert_eq!(attempt.leaf, EntryIx::new(entries.len() - 1));
            assert_eq!(
                (attempt.entries as usize, attempt.turns, attempt.ending),
                (tail.len(), turns, ending),
                "{tail:?}"
            );
            assert_eq!(attempt.usage.cost.to_bits(), f64::to_bits(cost), "{tail:?}");
            assert_eq!(attempts.get(EntryIx::new(0)), None);
        }
    }

    #[test]
    fn branches_part_where_they_are_the_same_no_longer() {
        let session =
            session(&[(USER, None), (USER, Some(0)), (USER, Some(1)), (USER, Some(1)), (USER, None)]);
        let parting = |one, other| {
            let parting = session.parting(EntryIx::new(one), EntryIx::new(other));
            parting.map(|(fork, [one, other])| (fork.map(EntryIx::index), one.index(), other.index()))
        };
        assert_eq!(parting(2, 3), Some((Some(1), 2, 3)));
        assert_eq!(parting(4, 3), Some((None, 4, 0)));
        assert_eq!(parting(1, 3), None);
        assert_eq!(parting(2, 2), None);
    }

    #[test]
    fn every_entry_is_on_one_branch() {
        let stop = answer("stop");
        let entries = [
            (USER, None),
            (&*stop, Some(0)),
            (USER, Some(1)),
            (&stop, Some(2)),
            (USER, Some(1)),
            (&stop, Some(4)),
            (&stop, Some(4)),
            (USER, Some(1)),
        ];
        let session = session(&entries);
        let branches = session.branches();
        let told: Vec<(usize, usize, u32)> = branches
            .iter()
            .map(|branch| (branch.start.index(), branch.leaf.index(), branch.entries))
            .collect();
        assert_eq!(told, [(0, 7, 3), (4, 6, 2), (5, 5, 1), (2, 3, 2)]);
        assert!(branches.iter().map(|branch| branch.usage.cost).eq([2.0, 2.0, 2.0, 2.0]));
    }

    proptest! {
        #[test]
        fn all_attempts_at_once_are_as_each_alone(parents in prop::collection::vec(0_usize..20, 1..20)) {
            let stop = answer("stop");
            let entries: Vec<(&str, Option<usize>)> = parents
                .iter()
                .enumerate()
                .map(|(at, parent)| (if at % 3 == 0 { USER } else { &*stop }, (*parent < at).then_some(*parent)))
                .collect();
            let session = session(&entries);
            let attempts = Attempts::of(&session);
            for (ix, _) in session.entries() {
                let leaf = session.leaf_through(ix);
                prop_assert_eq!(attempts.get(ix).is_none(), session.siblings(ix).len() == 1);
                if let Some(found) = attempts.get(ix) {
                    let plain = Attempt { others: 0, cost_of_others: 0.0, ..found.clone() };
                    prop_assert_eq!(plain, session.attempt(ix, leaf));
                }
            }
        }
    }
}
