//! Search in the text of every entry of every session, on every branch.

mod needle;
mod query;
mod text;

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::path::{Path, PathBuf};

pub use query::SearchQuery;

use super::files::{self, FoundFile};
use super::locate::{Environment, Layout, Store};
use super::parallel::in_parallel;
use super::resolve::read_header;
use super::scope::Scope;
use crate::cancel::Cancel;
use crate::format::json::Tape;
use crate::format::{EntryId, Kind, LineReader, decode};
use crate::session::{EntryIx, Session};

/// An entry that holds what was looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchHit {
    /// The session's file.
    pub path: PathBuf,
    /// The session's id.
    pub session: Box<str>,
    /// The entry.
    pub entry: EntryId,
    /// pi's word for its type.
    pub kind: Box<str>,
    /// pi's word for its role; empty where it is no message.
    pub role: Box<str>,
    /// Its time in milliseconds since 1970, where that can be read.
    pub time: Option<i64>,
    /// Whether it lies on the branch that pi would continue.
    pub is_current: bool,
    /// The number of its line in the file, from 1.
    pub line: u32,
    /// The place of the match in the text it was found in, in characters from 1.
    pub column: usize,
    /// The match and what stands around it, white space as single blanks. Not sanitised.
    pub excerpt: Box<str>,
}

/// What a search reports while it goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchEvent {
    /// The files are known, none is read. Comes once and first.
    Found {
        /// How many files there are.
        files: usize,
        /// Their size together, in bytes.
        bytes: u64,
    },
    /// Some more files are read.
    Hits {
        /// What was found: the last written file first, and in file order within it.
        hits: Vec<SearchHit>,
        /// Files read so far.
        files: usize,
        /// Their size together, in bytes.
        bytes: u64,
    },
}

/// Searches the sessions of a store in parallel, the last written files first, and reports hits in that order as they
/// are found. A file that cannot be read, or is no session, holds nothing.
///
/// Puts its work on rayon's pool and waits for it, so it must not itself be called on that pool.
pub fn search(
    store: &Store,
    environment: &Environment,
    scope: &Scope,
    query: &SearchQuery,
    cancel: &Cancel,
    report: &mut dyn FnMut(SearchEvent),
) {
    let mut files = files::discover(store, scope).files;
    files.sort_by_key(|file| std::cmp::Reverse(file.mtime));
    // Nothing in a file is newer than its last write.
    files.retain(|file| query.since.is_none_or(|since| file.mtime_millis() >= since));
    report(SearchEvent::Found { files: files.len(), bytes: files.iter().map(|file| file.size).sum() });
    let numbered: Vec<(usize, FoundFile)> = files.into_iter().enumerate().collect();
    let mut done = (0, 0);
    let mut next = 0;
    // Files that were done before one that is reported first.
    let mut early = BTreeMap::new();
    let admits = |cwd: &str| {
        let is_within = |within: &str| cwd.to_lowercase().contains(within);
        let is_in_folder = match (store.layout, scope) {
            (Layout::Flat, Scope::Folder(folder)) => environment.absolute(cwd) == *folder,
            _ => true,
        };
        is_in_folder && query.within.as_deref().is_none_or(is_within)
    };
    let is_limited = query.within.is_some() || store.layout == Layout::Flat;
    let read = |searcher: &mut Searcher, (at, file): &(usize, FoundFile)| {
        let is_wanted = !is_limited || cwd_of(&file.path).is_some_and(|cwd| admits(&cwd));
        let hits = is_wanted.then(|| searcher.file(&file.path, query, cancel)).flatten();
        (*at, file.size, hits.unwrap_or_default())
    };
    in_parallel(&numbered, cancel, Searcher::default, read, &mut |batch| {
        for (at, size, hits) in batch {
            done = (done.0 + 1, done.1 + size);
            early.insert(at, hits);
        }
        let mut hits = Vec::new();
        while let Some(more) = early.remove(&next) {
            hits.extend(more);
            next += 1;
        }
        report(SearchEvent::Hits { hits, files: done.0, bytes: done.1 });
    });
}

/// Searches one file after the other, in buffers that are kept.
#[derive(Default)]
struct Searcher {
    lines: Option<LineReader<File>>,
    tape: Tape,
}

/// A line that matches, and where.
struct Found {
    line: u32,
    column: usize,
    excerpt: Box<str>,
}

impl Searcher {
    fn file(&mut self, path: &Path, query: &SearchQuery, cancel: &Cancel) -> Option<Vec<SearchHit>> {
        let found = self.lines(path, query, cancel)?;
        if found.is_empty() {
            return None;
        }
        let session = Session::open_with(path, cancel).ok()?;
        let current: HashSet<EntryIx> = session.path_to(session.current_leaf()).into_iter().collect();
        let mut entries = session.entries().peekable();
        let mut hits = Vec::new();
        for found in found {
            while entries.next_if(|(_, head)| head.line < found.line).is_some() {}
            let Some((ix, head)) = entries.next_if(|(_, head)| head.line == found.line) else { continue };
            let role = session.role_word(ix);
            if query.role.as_deref().is_some_and(|wanted| !wanted.eq_ignore_ascii_case(role))
                || query.since.is_some_and(|since| head.time.is_none_or(|time| time < since))
            {
                continue;
            }
            hits.push(SearchHit {
                path: path.to_owned(),
                session: session.id().into(),
                entry: session.entry_id(ix).clone(),
                kind: head.kind.word().into(),
                role: role.into(),
                time: head.time.or(message_time(&head.kind)),
                is_current: current.contains(&ix),
                line: found.line,
                column: found.column,
                excerpt: found.excerpt,
            });
        }
        Some(hits)
    }

    /// The lines that match. Most are ruled out by their bytes; what is left is parsed and its text looked at.
    fn lines(&mut self, path: &Path, query: &SearchQuery, cancel: &Cancel) -> Option<Vec<Found>> {
        let source = File::open(path).ok()?;
        let lines = match &mut self.lines {
            Some(lines) => {
                lines.restart_at(source, 0, 0);
                lines
            }
            none => none.insert(LineReader::new(source)),
        };
        let mut found = Vec::new();
        while let Some(line) = lines.next_line().ok()? {
            if cancel.is_cancelled() {
                return None;
            }
            if !query.may_match(line.bytes) {
                continue;
            }
            let text = decode(line.bytes);
            let Ok(value) = self.tape.parse(&text) else { continue };
            if let Some((column, excerpt)) = query.find(&text::pieces(value)) {
                found.push(Found { line: line.number, column, excerpt });
            }
        }
        Some(found)
    }
}

/// The working directory in a session's header; empty where there is none.
fn cwd_of(path: &Path) -> Option<Box<str>> {
    Some(read_header(path).ok()??.cwd.unwrap_or_default())
}

fn message_time(kind: &Kind) -> Option<i64> {
    match kind {
        Kind::Message(message) => message.time,
        _ => None,
    }
}
