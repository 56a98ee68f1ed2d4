//! Search in the text of every entry of every session, on every branch.

mod moment;
mod needle;
mod query;
mod text;

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

pub use moment::moment;
pub(super) use needle::Needle;
use query::Excerpt;
pub use query::SearchQuery;

use super::files::{self, FoundFile};
use super::locate::{Environment, Layout, Store};
use super::parallel::in_parallel;
use super::resolve::read_header;
use super::scope::Scope;
use crate::cancel::Cancel;
use crate::format::json::Tape;
use crate::format::{EntryHead, EntryId, Kind, LineReader, decode, entry_head};
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
    /// Where the match stands in the excerpt, in bytes.
    pub found: Range<usize>,
}

/// What a search looks for, and how much of it is told.
#[derive(Clone, Debug)]
pub struct SearchOptions<'q> {
    /// Which sessions.
    pub scope: Scope,
    /// What is looked for.
    pub query: &'q SearchQuery,
    /// How many hits are told; any others are only counted.
    pub limit: usize,
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
        /// How many more there are that are only counted.
        more: usize,
        /// Files read so far.
        files: usize,
        /// Their size together, in bytes.
        bytes: u64,
    },
}

/// Searches the sessions of a store in parallel, the last written files first, and reports hits in that order as they
/// are found. A file that cannot be read, or is no session, holds nothing.
pub fn search(
    store: &Store,
    environment: &Environment,
    options: &SearchOptions<'_>,
    cancel: &Cancel,
    report: &mut dyn FnMut(SearchEvent),
) {
    let SearchOptions { scope, query, limit } = options;
    let mut files = files::discover(store, scope).files;
    files.sort_by_key(|file| std::cmp::Reverse(file.mtime));
    // Nothing in a file is newer than its last write.
    files.retain(|file| query.since.is_none_or(|since| file.mtime_millis() >= since));
    report(SearchEvent::Found { files: files.len(), bytes: files.iter().map(|file| file.size).sum() });
    let numbered: Vec<(usize, FoundFile)> = files.into_iter().enumerate().collect();
    let admits = |cwd: &str| {
        let is_within = |within: &str| cwd.to_lowercase().contains(within);
        let is_in_folder = match (store.layout, scope) {
            (Layout::Flat, Scope::Folder(folder)) => environment.absolute(cwd) == *folder,
            _ => true,
        };
        is_in_folder && query.within.as_deref().is_none_or(is_within)
    };
    let is_limited = query.within.is_some() || store.layout == Layout::Flat;
    let told = AtomicUsize::new(0);
    let read = |searcher: &mut Searcher, (at, file): &(usize, FoundFile)| {
        let is_wanted = !is_limited || cwd_of(&file.path).is_some_and(|cwd| admits(&cwd));
        let room = limit.saturating_sub(told.load(Ordering::Relaxed));
        let hits = is_wanted.then(|| searcher.file(&file.path, query, room, cancel)).flatten();
        let hits = hits.unwrap_or_default();
        told.fetch_add(hits.told.len(), Ordering::Relaxed);
        (*at, file.size, hits)
    };
    let mut done = (0, 0);
    let mut next = 0;
    // Files that were done before one that is reported first.
    let mut early: BTreeMap<usize, Hits> = BTreeMap::new();
    in_parallel(&numbered, cancel, Searcher::default, read, &mut |batch| {
        for (at, size, hits) in batch {
            done = (done.0 + 1, done.1 + size);
            early.insert(at, hits);
        }
        let mut hits = Vec::new();
        let mut more = 0;
        while let Some(next_hits) = early.remove(&next) {
            hits.extend(next_hits.told);
            more += next_hits.more;
            next += 1;
        }
        report(SearchEvent::Hits { hits, more, files: done.0, bytes: done.1 });
    });
}

/// What one file holds.
#[derive(Default)]
struct Hits {
    told: Vec<SearchHit>,
    /// Hits that are only counted.
    more: usize,
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
    head: EntryHead,
    excerpt: Excerpt,
}

impl Searcher {
    /// What a file holds: `room` hits are told, others are counted.
    fn file(&mut self, path: &Path, query: &SearchQuery, room: usize, cancel: &Cancel) -> Option<Hits> {
        let (found, more) = self.lines(path, query, room, cancel)?;
        if found.is_empty() {
            return Some(Hits { told: Vec::new(), more });
        }
        let session = Session::open_with(path, cancel).ok()?;
        let current: HashSet<EntryIx> = session.path_to(session.current_leaf()).into_iter().collect();
        let mut entries = session.entries().peekable();
        let mut told = Vec::new();
        for Found { line, head, excerpt } in found {
            while entries.next_if(|(_, head)| head.line < line).is_some() {}
            let Some((ix, _)) = entries.next_if(|(_, head)| head.line == line) else { continue };
            told.push(SearchHit {
                path: path.to_owned(),
                session: session.id().into(),
                entry: session.entry_id(ix).clone(),
                kind: head.kind.word().into(),
                role: session.role_word(ix).into(),
                time: head.time.or(message_time(&head.kind)),
                is_current: current.contains(&ix),
                line,
                column: excerpt.column,
                excerpt: excerpt.text,
                found: excerpt.found,
            });
        }
        Some(Hits { told, more })
    }

    /// The lines that match, `room` of them, and how many more there are. Most are ruled out by their bytes; what is
    /// left is parsed and its text looked at.
    fn lines(
        &mut self,
        path: &Path,
        query: &SearchQuery,
        room: usize,
        cancel: &Cancel,
    ) -> Option<(Vec<Found>, usize)> {
        let source = File::open(path).ok()?;
        let lines = match &mut self.lines {
            Some(lines) => {
                lines.restart_at(source, 0, 0);
                lines
            }
            none => none.insert(LineReader::new(source)),
        };
        let mut found = Vec::new();
        let mut more = 0;
        while let Some(line) = lines.next_line().ok()? {
            if cancel.is_cancelled() {
                return None;
            }
            if !query.may_match(line.bytes) {
                continue;
            }
            let text = decode(line.bytes);
            let Ok(value) = self.tape.parse(&text) else { continue };
            let Some(excerpt) = query.find(&text::pieces(value)) else { continue };
            let head = entry_head(value, line.number, line.offset, line.bytes.len() as u32);
            if !query.admits(&head) {
                continue;
            }
            if found.len() < room {
                found.push(Found { line: line.number, head, excerpt });
            } else {
                more += 1;
            }
        }
        Some((found, more))
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
