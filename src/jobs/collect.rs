use std::collections::HashMap;
use std::collections::hash_map::{DefaultHasher, Entry};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use fuzzy_matcher::FuzzyMatcher;
use fuzzy_matcher::skim::SkimMatcherV2;

use crate::app::{Finds, Found, Report};
use crate::cancel::Cancel;
use crate::error::Error;
use crate::session::{EntryIx, Session};
use crate::store::SessionSummary;

/// Characters of a text that are kept to be shown and searched.
const KEPT: usize = 2_000;
/// Sessions after which there is a first report; each further one comes after twice as many.
const FIRST_REPORT: usize = 16;

/// Collects from the most recent session on. A session that cannot be read is left out.
pub(super) fn collect(
    what: Finds,
    sessions: &[Arc<SessionSummary>],
    cancel: &Cancel,
    report: &mut dyn FnMut(Report),
) {
    let mut found = Vec::new();
    let mut next_report = FIRST_REPORT;
    for (at, summary) in sessions.iter().enumerate() {
        if what == Finds::Labels && !summary.has_labels {
            continue;
        }
        // One that vanished or was damaged since the scan is told in its own row.
        if let Ok(session) = Session::open_with(&summary.path, cancel) {
            found.extend(of_session(what, summary, &session).unwrap_or_default());
        }
        if cancel.is_cancelled() {
            return;
        }
        if at + 1 == next_report {
            next_report *= 2;
            report(Report::Collected { rows: Arc::new(in_order(what, found.clone())), is_all: false });
        }
    }
    report(Report::Collected { rows: Arc::new(in_order(what, found)), is_all: true });
}

fn of_session(what: Finds, summary: &Arc<SessionSummary>, session: &Session) -> Result<Vec<Found>, Error> {
    let row = |entry: EntryIx, label: Option<&str>| -> Result<Option<Found>, Error> {
        let text = match session.copy_text(entry)? {
            Some(text) => text,
            None if what == Finds::Prompts => return Ok(None),
            None => session.entry_text(entry, None, None).in_words().joined(),
        };
        let text = text.trim();
        Ok(Some(Found {
            summary: Arc::clone(summary),
            entry: session.entry_id(entry).clone(),
            time: session.entry(entry).time,
            text: text.chars().take(KEPT).collect::<String>().into(),
            whole: hash(text),
            label: label.map(Into::into),
            times: 1,
        }))
    };
    let rows: Result<Vec<Option<Found>>, Error> = match what {
        Finds::Prompts => {
            session.indexes().filter(|&ix| session.is_prompt(ix)).map(|ix| row(ix, None)).collect()
        }
        Finds::Labels => session
            .labels()
            .iter()
            .filter_map(|label| Some((session.find(&label.target)?, &*label.text)))
            .map(|(ix, label)| row(ix, Some(label)))
            .collect(),
    };
    Ok(rows?.into_iter().flatten().collect())
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// The newest first. Of prompts with the same text only the newest stays, which counts the others.
fn in_order(what: Finds, mut found: Vec<Found>) -> Vec<Found> {
    found.sort_by_key(|found| std::cmp::Reverse(found.time));
    if what == Finds::Labels {
        return found;
    }
    let mut place: HashMap<u64, usize> = HashMap::new();
    let mut joined: Vec<Found> = Vec::with_capacity(found.len());
    for found in found {
        match place.entry(found.whole) {
            Entry::Occupied(at) => joined[*at.get()].times += 1,
            Entry::Vacant(vacant) => {
                vacant.insert(joined.len());
                joined.push(found);
            }
        }
    }
    joined
}

/// The rows in which every word occurs, its letters in order though not side by side; the best first, and of
/// equally good ones the newest.
pub(super) fn narrow(rows: &[Found], text: &str, cancel: &Cancel) -> Vec<usize> {
    let matcher = SkimMatcherV2::default();
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut found: Vec<(i64, usize)> = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        if cancel.is_cancelled() {
            break;
        }
        let line = row.line();
        let score: Option<i64> = words.iter().map(|word| matcher.fuzzy_match(&line, word)).sum();
        found.extend(score.map(|score| (score, at)));
    }
    found.sort_by_key(|&(score, at)| (std::cmp::Reverse(score), at));
    found.into_iter().map(|(_, at)| at).collect()
}
