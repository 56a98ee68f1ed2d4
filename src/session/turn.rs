use std::ops::Range;

use super::attempt::{counted, is_prompt, is_work};
use super::{EntryIx, Session};
use crate::format::Usage;

/// A prompt and what came of it, up to the next one; at the beginning of a branch also what came without a prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// Its entries, as places on the path.
    pub entries: Range<usize>,
    /// What they have used.
    pub usage: Usage,
}

impl Session {
    /// Parts the end of a path, from the place `from` on, into turns. What stands before the first prompt is a turn of
    /// its own only where something was done there.
    pub fn turns(&self, path: &[EntryIx], from: usize) -> Vec<Turn> {
        let mut turns: Vec<Turn> = Vec::new();
        let mut has_work = false;
        for (at, &ix) in path.iter().enumerate().skip(from) {
            let head = &self.entry(ix);
            let begins = match turns.last() {
                None => true,
                Some(_) => is_prompt(head) && has_work,
            };
            if begins {
                turns.push(Turn { entries: at..at, usage: Usage::default() });
            }
            has_work |= is_prompt(head) || is_work(head);
            if let Some(turn) = turns.last_mut() {
                turn.entries.end = at + 1;
                if let Some(usage) = counted(head) {
                    turn.usage.add(usage);
                }
            }
        }
        turns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_begins_with_a_prompt_or_with_the_branch() {
        let line = |at: usize, letter: char| {
            let body = match letter {
                'u' => r#""type":"message","message":{"role":"user","content":"x"}"#,
                'a' => {
                    r#""type":"message","message":{"role":"assistant","content":[],"usage":{"cost":{"total":1}}}"#
                }
                't' => r#""type":"message","message":{"role":"toolResult","content":[]}"#,
                _ => r#""type":"branch_summary","summary":"s""#,
            };
            let parent = if at == 0 { "null".into() } else { format!("\"{}\"", at - 1) };
            format!("{{\"id\":\"{at}\",\"parentId\":{parent},{body}}}\n")
        };
        for (entries, from, expected) in [
            ("", 0, &[][..]),
            ("uataua", 0, &[(0, 4), (4, 6)]),
            ("uataua", 1, &[(1, 4), (4, 6)]),
            ("suau", 0, &[(0, 3), (3, 4)]),
            ("us", 1, &[(1, 2)]),
            ("uu", 0, &[(0, 1), (1, 2)]),
            ("saua", 0, &[(0, 2), (2, 4)]),
        ] {
            let lines: String = entries.chars().enumerate().map(|(at, letter)| line(at, letter)).collect();
            let text = format!("{{\"type\":\"session\",\"version\":3,\"id\":\"s\"}}\n{lines}");
            let session = Session::from_bytes("x.jsonl", text.into_bytes()).unwrap();
            let path = session.path_to(session.current_leaf());
            let turns = session.turns(&path, from);
            let ranges: Vec<(usize, usize)> =
                turns.iter().map(|turn| (turn.entries.start, turn.entries.end)).collect();
            assert_eq!(ranges, expected, "{entries} from {from}");
            let cost = turns.iter().fold(0.0, |sum, turn| sum + turn.usage.cost);
            let answers = entries.chars().skip(from).filter(|&letter| letter == 'a').count();
            assert_eq!(cost.to_bits(), (answers as f64).to_bits());
        }
    }
}
