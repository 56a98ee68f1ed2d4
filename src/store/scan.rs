use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use jiff::tz::TimeZone;

use super::cache::{Cache, Record};
use super::files::{self, Discovery, Finding, FoundFile};
use super::locate::{Environment, Store};
use super::parallel::in_parallel;
use super::paths;
use super::query::Query;
use super::scope::Scope;
use super::summarize::{Refusal, Summarizer, Tally, Wanted};
use super::summary::{FirstMessage, SessionSummary};
use super::text_scan::{TextHits, TextScan};
use crate::cancel::Cancel;
use crate::format::Problem;

/// What a scan looks at and what it keeps.
#[derive(Debug, Default)]
pub struct ScanOptions<'q> {
    /// Which sessions.
    pub scope: Scope,
    /// How much of the first message.
    pub first_message: FirstMessage,
    /// A query whose words are looked for in the text of all messages on the way.
    pub query: Option<&'q Query>,
    /// What becomes of what earlier scans of the store kept. A query or whole first messages take a full reading.
    pub kept: Kept,
}

/// Whether a scan may rely on what earlier ones kept in the cache folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kept {
    /// Every file is read, and nothing is kept.
    #[default]
    Unused,
    /// Only what is new since then is read, and kept in turn.
    Trusted,
    /// Every file is read, and what was kept before is replaced.
    Renewed,
}

/// A session that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct ScannedRow {
    /// The place of its file in the order of discovery, in which equally recent sessions are listed.
    pub order: usize,
    /// The row.
    pub summary: SessionSummary,
    /// What its text holds of the query.
    pub hits: TextHits,
}

/// What a scan reports while it goes on.
#[derive(Clone, Debug, PartialEq)]
pub enum ScanEvent {
    /// The files are known, none is read. Comes once and first.
    Found {
        /// How many files there are.
        files: usize,
        /// Their size together, in bytes.
        bytes: u64,
    },
    /// Some more files are read.
    Batch {
        /// The sessions among them, in no certain order.
        rows: Vec<ScannedRow>,
        /// Files that are not listed, and files and folders that could not be read.
        findings: Vec<Finding>,
        /// Files read so far.
        files: usize,
        /// Their size together, in bytes.
        bytes: u64,
    },
}

/// Reads the sessions of a store in parallel, the last written files first, and reports them in batches as
/// they are found. One file is open for each worker and memory does not depend on the size of files. A scan
/// that is cancelled ends within a line of every worker's file.
pub fn scan(
    store: &Store,
    environment: &Environment,
    options: &ScanOptions<'_>,
    cancel: &Cancel,
    report: &mut dyn FnMut(ScanEvent),
) {
    let Discovery { files, findings } = files::discover(store, &options.scope);
    report(ScanEvent::Found { files: files.len(), bytes: files.iter().map(|file| file.size).sum() });
    let mut done = (0, 0);
    if !findings.is_empty() {
        report(ScanEvent::Batch { rows: Vec::new(), findings, files: 0, bytes: 0 });
    }
    let mut newest_first: Vec<usize> = (0..files.len()).collect();
    newest_first.sort_by_key(|&order| std::cmp::Reverse(files[order].mtime));
    let folders = Folders::default();
    let keeps = options.kept != Kept::Unused
        && options.scope == Scope::All
        && options.query.is_none()
        && options.first_message == FirstMessage::Start;
    let cache = keeps.then(|| Cache::of(store, environment));
    let known = cache.as_ref().filter(|_| options.kept == Kept::Trusted).map(Cache::load).unwrap_or_default();
    let mut records = Vec::new();
    let read = |worker: &mut Worker<'_>, &order: &usize| {
        let file = &files[order];
        let outcome = worker.read(file, known.get(&file.path), options.first_message, keeps, cancel);
        let outcome = outcome.map(|read| {
            let summary = read.tally.summary(file, environment.cwd());
            (folders.marked(summary, environment), read.hits, read.record)
        });
        (file.size, order, outcome)
    };
    let worker = || Worker {
        summarizer: Summarizer::default(),
        texts: options.query.map(Query::text_scan),
        zone: environment.zone(),
    };
    in_parallel(&newest_first, cancel, worker, read, &mut |batch| {
        let mut rows = Vec::new();
        let mut findings = Vec::new();
        for (size, order, outcome) in batch {
            match outcome {
                Ok((summary, hits, record)) => {
                    rows.push(ScannedRow { order, summary, hits });
                    records.extend(record);
                }
                Err(Refusal::NotListed(finding)) => findings.push(finding),
                Err(Refusal::Cancelled) => continue,
            }
            done = (done.0 + 1, done.1 + size);
        }
        report(ScanEvent::Batch { rows, findings, files: done.0, bytes: done.1 });
    });
    if let Some(cache) = cache.filter(|_| !cancel.is_cancelled()) {
        cache.save(&known, &files, &records);
    }
}

/// Reads the row of one file, as after it changed.
///
/// # Errors
/// Why the file is not listed.
pub fn summarize(
    path: &Path,
    environment: &Environment,
    first_message: FirstMessage,
) -> Result<SessionSummary, Finding> {
    let file = FoundFile::look_at(path).map_err(|error| Finding::unreadable(path, error))?;
    let wanted = Wanted { first_message, texts: None, zone: environment.zone() };
    match Summarizer::default().read(&file, Tally::default(), wanted, &Cancel::new()) {
        Ok(tally) => Ok(Folders::default().marked(tally.summary(&file, environment.cwd()), environment)),
        Err(Refusal::NotListed(finding)) => Err(finding),
        Err(Refusal::Cancelled) => Err(Finding::new(path, Problem::Unreadable, "reading it was cancelled")),
    }
}

/// What one thread keeps between files.
struct Worker<'q> {
    summarizer: Summarizer,
    texts: Option<TextScan<'q>>,
    zone: &'q TimeZone,
}

/// What a worker says of a file.
struct Read {
    tally: Tally,
    hits: TextHits,
    /// What is to be kept of it, where that is not kept already.
    record: Option<Record>,
}

impl Worker<'_> {
    fn read(
        &mut self,
        file: &FoundFile,
        known: Option<&Record>,
        first_message: FirstMessage,
        keeps: bool,
        cancel: &Cancel,
    ) -> Result<Read, Refusal> {
        if let Some(known) = known.filter(|known| known.still_holds(file)) {
            return Ok(Read { tally: known.tally.clone(), hits: TextHits::default(), record: None });
        }
        let begun = SystemTime::now();
        let start =
            known.filter(|known| known.begins(file)).map(|known| known.tally.clone()).unwrap_or_default();
        let Some(texts) = &mut self.texts else {
            let wanted = Wanted { first_message, texts: None, zone: self.zone };
            let tally = self.summarizer.read(file, start, wanted, cancel)?;
            let record = keeps.then(|| Record::of(file, &tally, begun)).flatten();
            return Ok(Read { tally, hits: TextHits::default(), record });
        };
        let mut feed = |text: &str| texts.feed(text);
        let wanted = Wanted { first_message, texts: Some(&mut feed), zone: self.zone };
        let tally = self.summarizer.read(file, start, wanted, cancel);
        // A file that gave no row must leave nothing behind for the next one either.
        let hits = texts.finish();
        Ok(Read { tally: tally?, hits, record: None })
    }
}

/// Which working directories are gone. Each is looked at once.
#[derive(Default)]
struct Folders(Mutex<HashMap<Box<str>, Option<bool>>>);

impl Folders {
    fn marked(&self, mut row: SessionSummary, environment: &Environment) -> SessionSummary {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let seen = known().get(&row.cwd).copied();
        row.cwd_gone = seen.unwrap_or_else(|| {
            let gone = is_gone(&row.cwd, environment);
            known().insert(row.cwd.clone(), gone);
            gone
        });
        row
    }
}

/// Whether a working directory is gone; unknown where there is none, where it is relative or of another
/// system, and where the system does not say.
fn is_gone(cwd: &str, environment: &Environment) -> Option<bool> {
    let is_elsewhere = paths::is_windows_path(cwd) && !cfg!(windows);
    if cwd.is_empty() || is_elsewhere || !(cwd.starts_with('~') || Path::new(cwd).is_absolute()) {
        return None;
    }
    match std::fs::metadata(environment.absolute(cwd)) {
        Ok(metadata) => Some(!metadata.is_dir()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Some(true),
        Err(_) => None,
    }
}
