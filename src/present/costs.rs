//! What branches and sessions came to, in words.

use super::age;
use crate::format::Usage;
use crate::session::Attempt;

/// What came of a branch in a few words: `3 turns, 41 entries, ended in error, $0.12`.
pub fn attempt_words(attempt: &Attempt) -> String {
    let mut words = vec![
        age::counted(attempt.turns as usize, "turn"),
        age::counted_as(attempt.entries as usize, "entry", "entries"),
        attempt.ending.words().to_owned(),
    ];
    if attempt.usage.cost > 0.0 {
        words.push(age::cost(attempt.usage.cost));
    } else if attempt.usage.tokens() > 0.0 {
        words.push(format!("{} tok", age::tokens(attempt.usage.tokens())));
    }
    words.join(", ")
}

/// What has to be known of the sums over many sessions: what forks hold `copied`, and how many entries, of how many
/// sessions, are `doubtful`.
pub fn stats_remarks(copied: &Usage, doubtful: (usize, usize)) -> Vec<String> {
    let mut remarks = Vec::new();
    if !copied.is_zero() {
        let (tokens, cost) = (age::tokens(copied.tokens()), age::cost(copied.cost));
        remarks.push(format!("forks hold copies worth {tokens} tokens and {cost}, which count once"));
    }
    if doubtful.0 > 0 {
        let entries = age::counted_as(doubtful.0, "entry", "entries");
        let sessions = age::counted(doubtful.1, "session");
        remarks.push(format!("missing or absurd numbers count as zero: in {entries} of {sessions}"));
    }
    remarks
}

/// What came of a branch, and of those that left it further down.
pub fn branch_words(attempt: &Attempt) -> String {
    let words = attempt_words(attempt);
    if attempt.others == 0 {
        return words;
    }
    let others = age::counted_as(attempt.others as usize, "branch", "branches");
    let cost = match attempt.cost_of_others {
        cost if cost > 0.0 => format!(", {}", age::cost(cost)),
        _ => String::new(),
    };
    format!("{words} · {others} more below{cost}")
}

/// The same as short as it can be.
pub fn attempt_in_short(attempt: &Attempt) -> String {
    let turns = age::counted(attempt.turns as usize, "turn");
    match attempt.usage.cost {
        cost if cost > 0.0 => format!("{turns}, {}", age::cost(cost)),
        _ => turns,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Ending, EntryIx};

    #[test]
    fn what_came_of_a_branch_is_one_line() {
        let start = EntryIx::new(0);
        let usage = |cost: f64| Usage { input: 1_200.0, cost, ..Usage::default() };
        let silent = Attempt {
            start,
            leaf: start,
            entries: 1,
            turns: 0,
            usage: Usage::default(),
            ending: Ending::Silent,
            others: 0,
            cost_of_others: 0.0,
        };
        let failed =
            Attempt { entries: 41, turns: 3, usage: usage(0.12), ending: Ending::Failed, ..silent.clone() };
        let free = Attempt { turns: 1, usage: usage(0.0), ending: Ending::Answered, ..silent.clone() };
        let forked = Attempt { others: 2, cost_of_others: 0.03, ..failed.clone() };
        for (attempt, words, short) in [
            (&silent, "0 turns, 1 entry, nothing said", "0 turns"),
            (&failed, "3 turns, 41 entries, ended in error, $0.12", "3 turns, $0.12"),
            (&free, "1 turn, 1 entry, answered, 1.2k tok", "1 turn"),
            (
                &forked,
                "3 turns, 41 entries, ended in error, $0.12 · 2 branches more below, $0.03",
                "3 turns, $0.12",
            ),
        ] {
            assert_eq!((branch_words(attempt), attempt_in_short(attempt)), (words.into(), short.into()));
        }
    }
}
