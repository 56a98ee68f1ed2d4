//! `piscope compare`: what came of the branches that part at an entry.

use std::path::PathBuf;

use serde::Serialize;

use super::json::{Json, JsonTokens};
use super::list::TITLE_COLUMNS;
use super::target::session_file;
use super::{Failure, Output, Site};
use crate::present::costs::branch_words;
use crate::present::{Row, Tone, age, sanitize, width};
use crate::session::{Attempt, Attempts, EntryIx, Session};

/// The arguments of `piscope compare`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A session file, or the id of a session in the store, or the start of one.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The branches through two entries; with one, those at the fork nearest to it; with none, those at the last fork
    /// of the current branch.
    #[arg(value_name = "ENTRY", num_args = 0..=2)]
    entries: Vec<String>,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, site: &Site<'_>, output: &mut Output<'_>) -> Result<(), Failure> {
    let session = Session::open(session_file(&args.file, site)?)?;
    let find = |id: &String| {
        session.find_text(id).ok_or_else(|| {
            Failure::NothingFound(format!("cannot find entry {id} in {}", session.path().display()))
        })
    };
    let entries = args.entries.iter().map(find).collect::<Result<Vec<EntryIx>, Failure>>()?;
    let (fork, attempts) = branches(&session, &entries)?;
    if args.json {
        let branches = attempts.iter().map(|attempt| JsonBranch::of(&session, attempt)).collect();
        output.json(&Document { fork: fork.map(|fork| Json::id(session.entry_id(fork))), branches })
    } else {
        write_text(&session, fork, &attempts, site, output)
    }
}

/// The branches that are asked for, and the last entry that they share.
fn branches(session: &Session, entries: &[EntryIx]) -> Result<(Option<EntryIx>, Vec<Attempt>), Failure> {
    if let &[one, other] = entries {
        let leaves = [one, other].map(|entry| session.leaf_through(entry));
        let (fork, starts) = session
            .parting(leaves[0], leaves[1])
            .ok_or_else(|| Failure::NothingFound("both entries lie on one branch".into()))?;
        let attempts = (0..2).map(|side| session.attempt(starts[side], leaves[side])).collect();
        return Ok((fork, attempts));
    }
    let all = Attempts::of(session);
    let near = entries.first().copied().or(session.current_leaf());
    let (fork, starts) = near
        .and_then(|near| session.fork_near(near))
        .ok_or_else(|| Failure::NothingFound("nothing to compare: no branch left this one".into()))?;
    Ok((fork, starts.iter().filter_map(|&start| all.get(start).cloned()).collect()))
}

/// A turn: its prompt, its entries, and what they used.
struct Told {
    prompt: Option<EntryIx>,
    entries: usize,
    usage: crate::format::Usage,
}

fn turns(session: &Session, attempt: &Attempt) -> Vec<Told> {
    let path = session.path_to(Some(attempt.leaf));
    let from = path.iter().position(|&ix| ix == attempt.start).unwrap_or(0);
    let turns = session.turns(&path, from).into_iter();
    turns
        .map(|turn| Told {
            prompt: path[turn.entries.clone()].iter().copied().find(|&ix| session.is_prompt(ix)),
            entries: turn.entries.len(),
            usage: turn.usage,
        })
        .collect()
}

fn write_text(
    session: &Session,
    fork: Option<EntryIx>,
    attempts: &[Attempt],
    site: &Site<'_>,
    output: &mut Output<'_>,
) -> Result<(), Failure> {
    let home = site.environment.home().to_str();
    let words = |entry: EntryIx, columns: usize| {
        let text = session.entry_text(entry, None, home).in_words().joined();
        Row::new().text(sanitize::line(&text), Tone::Text).fit(columns).plain()
    };
    match fork {
        Some(fork) => {
            output.line(&format!("after  {}  {}", session.entry_id(fork), words(fork, TITLE_COLUMNS)))
        }
        None => output.line("nothing in common"),
    }?;
    for (at, attempt) in attempts.iter().enumerate() {
        let current = if Some(attempt.leaf) == session.current_leaf() { " · current" } else { "" };
        output.line("")?;
        output.line(&sanitize::line(&format!(
            "{} of {}{current}  {} to {}: {}",
            at + 1,
            attempts.len(),
            session.entry_id(attempt.start),
            session.entry_id(attempt.leaf),
            branch_words(attempt)
        )))?;
        let lines: Vec<[String; 3]> = turns(session, attempt)
            .into_iter()
            .map(|turn| {
                let prompt = turn.prompt.map(|prompt| words(prompt, TITLE_COLUMNS)).unwrap_or_default();
                [age::tokens(turn.usage.tokens()), age::cost(turn.usage.cost), prompt]
            })
            .collect();
        let widest = |at: usize| lines.iter().map(|line| width::of(&line[at])).max().unwrap_or(0);
        let (tokens, cost) = (widest(0), widest(1));
        for (at, line) in lines.iter().enumerate() {
            let text =
                format!("  turn {:<3} {:>tokens$} tok  {:>cost$}  {}", at + 1, line[0], line[1], line[2]);
            output.line(text.trim_end())?;
        }
    }
    output.flush()
}

#[derive(Serialize)]
struct Document<'s> {
    /// The last entry that all branches share; null where they share nothing.
    fork: Option<Json>,
    branches: Vec<JsonBranch<'s>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonBranch<'s> {
    start: Json,
    leaf: Json,
    current: bool,
    entries: u32,
    ending: &'s str,
    tokens: JsonTokens,
    cost: Json,
    /// Branches that begin with the same entry and end elsewhere, and what is only on those.
    others: u32,
    cost_of_others: Json,
    turns: Vec<JsonTurn>,
}

#[derive(Serialize)]
struct JsonTurn {
    /// Null for what came before the first prompt.
    prompt: Option<Json>,
    entries: usize,
    tokens: JsonTokens,
    cost: Json,
}

impl JsonBranch<'_> {
    fn of(session: &Session, attempt: &Attempt) -> Self {
        Self {
            start: Json::id(session.entry_id(attempt.start)),
            leaf: Json::id(session.entry_id(attempt.leaf)),
            current: Some(attempt.leaf) == session.current_leaf(),
            entries: attempt.entries,
            ending: attempt.ending.words(),
            tokens: JsonTokens::of(&attempt.usage),
            cost: Json::number(attempt.usage.cost),
            others: attempt.others,
            cost_of_others: Json::number(attempt.cost_of_others),
            turns: turns(session, attempt)
                .into_iter()
                .map(|turn| JsonTurn {
                    prompt: turn.prompt.map(|prompt| Json::id(session.entry_id(prompt))),
                    entries: turn.entries,
                    tokens: JsonTokens::of(&turn.usage),
                    cost: Json::number(turn.usage.cost),
                })
                .collect(),
        }
    }
}
