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
    /// Whether files that take time come first as a glimpse of each, and all of them whole only then.
    pub glimpses: bool,
}

/// What is read whole in about the time that a glimpse takes, in bytes.
const SHORT: u64 = 64 * 1024;

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
        /// The sessions among them, in no certain order. Of glimpses the whole row follows.
        rows: Vec<ScannedRow>,
        /// Files that are not listed, and files and folders that could not be read.
        findings: Vec<Finding>,
        /// Files read whole so far.
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
    let keeps = options.kept != Kept::Unused
        && options.scope == Scope::All
        && options.query.is_none()
        && options.first_message == FirstMessage::Start;
    let cache = keeps.then(|| Cache::of(store, environment));
    let (Discovery { files, findings }, known) = rayon::join(
        || files::discover(store, &options.scope),
        || cache.as_ref().filter(|_| options.kept == Kept::Trusted).map(Cache::load).unwrap_or_default(),
    );
    report(ScanEvent::Found { files: files.len(), bytes: files.iter().map(|file| file.size).sum() });
    if !findings.is_empty() {
        report(ScanEvent::Batch { rows: Vec::new(), findings, files: 0, bytes: 0 });
    }
    let mut newest_first: Vec<usize> = (0..files.len()).collect();
    newest_first.sort_by_key(|&order| std::cmp::Reverse(files[order].mtime));
    let folders = Folders::default();
    let mut records = Vec::new();
    let mut done = (0, 0);
    let mut read = |orders: &[usize], whole: u64| {
        let mut glimpsed = Vec::new();
        let read = |worker: &mut Worker<'_>, &order: &usize| {
            let file = &files[order];
            let look = Look { file, known: known.get(&file.path), environment, folders: &folders };
            let is_whole = look.unread() <= whole;
            let seen = if is_whole {
                worker.read(&look, options.first_message, keeps, cancel).map(Some)
            } else {
                Ok(worker.glimpse(&look))
            };
            (order, is_whole, seen)
        };
        let worker = || Worker {
            summarizer: Summarizer::default(),
            texts: options.query.map(Query::text_scan),
            zone: environment.zone(),
        };
        in_parallel(orders, cancel, worker, read, &mut |batch| {
            let mut rows = Vec::new();
            let mut findings = Vec::new();
            for (order, is_whole, seen) in batch {
                match seen {
                    Ok(seen) => rows.extend(seen.map(|Seen { summary, hits, record }| {
                        records.extend(record);
                        ScannedRow { order, summary, hits }
                    })),
                    Err(Refusal::NotListed(finding)) => findings.push(finding),
                    Err(Refusal::Cancelled) => continue,
                }
                if is_whole {
                    done = (done.0 + 1, done.1 + files[order].size);
                } else {
                    glimpsed.push(order);
                }
            }
            report(ScanEvent::Batch { rows, findings, files: done.0, bytes: done.1 });
        });
        glimpsed
    };
    let mut glimpsed = read(&newest_first, if options.glimpses { SHORT } else { u64::MAX });
    glimpsed.sort_by_key(|&order| std::cmp::Reverse(files[order].mtime));
    read(&glimpsed, u64::MAX);
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

/// A file to be looked at, and what helps to make a row of it.
struct Look<'a> {
    file: &'a FoundFile,
    /// What was kept of it.
    known: Option<&'a Record>,
    environment: &'a Environment,
    folders: &'a Folders,
}

/// What a worker says of a file.
struct Seen {
    summary: SessionSummary,
    hits: TextHits,
    /// What is to be kept of it, where that is not kept already.
    record: Option<Record>,
}

impl Look<'_> {
    /// How many bytes it takes to read what is not known of it; an estimate, where the file may have been rewritten.
    fn unread(&self) -> u64 {
        match self.known {
            Some(known) if known.still_holds(self.file) => 0,
            Some(known) => self.file.size.saturating_sub(known.tally.offset),
            None => self.file.size,
        }
    }

    fn row(&self, tally: &Tally) -> SessionSummary {
        self.folders.marked(tally.summary(self.file, self.environment.cwd()), self.environment)
    }
}

impl Worker<'_> {
    /// What the start and the end of a file say, where those are as they should be.
    fn glimpse(&mut self, look: &Look<'_>) -> Option<Seen> {
        let tally = self.summarizer.glimpse(look.file, self.zone)?;
        let summary = SessionSummary { is_glimpse: true, ..look.row(&tally) };
        Some(Seen { summary, hits: TextHits::default(), record: None })
    }

    fn read(
        &mut self,
        look: &Look<'_>,
        first_message: FirstMessage,
        keeps: bool,
        cancel: &Cancel,
    ) -> Result<Seen, Refusal> {
        let Look { file, known, .. } = *look;
        if let Some(known) = known.filter(|known| known.still_holds(file)) {
            return Ok(Seen { summary: look.row(&known.tally), hits: TextHits::default(), record: None });
        }
        let begun = SystemTime::now();
        let start =
            known.filter(|known| known.begins(file)).map(|known| known.tally.clone()).unwrap_or_default();
        let Some(texts) = &mut self.texts else {
            let wanted = Wanted { first_message, texts: None, zone: self.zone };
            let tally = self.summarizer.read(file, start, wanted, cancel)?;
            let record = keeps.then(|| Record::of(file, &tally, begun)).flatten();
            return Ok(Seen { summary: look.row(&tally), hits: TextHits::default(), record });
        };
        let mut feed = |text: &str| texts.feed(text);
        let wanted = Wanted { first_message, texts: Some(&mut feed), zone: self.zone };
        let tally = self.summarizer.read(file, start, wanted, cancel);
        // A file that gave no row must leave nothing behind for the next one either.
        let hits = texts.finish();
        Ok(Seen { summary: look.row(&tally?), hits, record: None })
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
