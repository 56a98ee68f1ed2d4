use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::files::FoundFile;
use super::hash::hash;
use super::locate::{Environment, Store};
use super::summarize::Tally;
use crate::error::Error;

/// The first line of a file of this form; what has another is of another version and is not read. Behind it stands the
/// time zone, whose days are kept.
const FORM: &str = concat!("piscope ", env!("CARGO_PKG_VERSION"), " summaries 4");
const FOLDER: &str = "summaries";
/// Coarser than the clock of any file system.
const TICK: Duration = Duration::from_secs(2);

/// What scans kept of one store, in a file of the cache folder: nothing but what the list shows, for nobody else to read.
///
/// It only ever saves time. What is damaged in it is left out, a folder that cannot be written costs a full reading, and
/// it is replaced as a whole, so two programs may use it at once.
pub(super) struct Cache {
    path: PathBuf,
    /// Its first line.
    form: String,
}

/// What is kept of one session file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Record {
    path: PathBuf,
    size: u64,
    /// Nanoseconds since 1970.
    mtime: u64,
    identity: (u64, i64),
    /// Whether the file was written so shortly before it was read that its time may stay the same at another writing.
    is_fresh: bool,
    /// Of the start of the file and of the bytes before the end of what was read.
    fingerprint: u64,
    pub(super) tally: Tally,
}

/// The records of a store by the path of their file.
pub(super) type Records = HashMap<PathBuf, Record>;

impl Cache {
    /// The place for a store.
    pub(super) fn of(store: &Store, environment: &Environment) -> Self {
        let name = store.fingerprint(environment);
        Self {
            path: environment.cache_dir().join(FOLDER).join(format!("{name:016x}.jsonl")),
            form: format!("{FORM} {}", environment.zone().iana_name().unwrap_or("local")),
        }
    }

    /// Everything that was kept and can be read.
    pub(super) fn load(&self) -> Records {
        let text = fs::read_to_string(&self.path).unwrap_or_default();
        match text.split_once('\n') {
            Some((form, lines)) if form == self.form => lines
                .par_lines()
                .filter_map(|line| serde_json::from_str::<Record>(line).ok())
                .map(|record| (record.path.clone(), record))
                .collect(),
            _ => Records::new(),
        }
    }

    /// Keeps `records` and those of `known` that still hold: their files were looked at, and none of `records` is
    /// theirs. Where that fails, nothing is kept.
    pub(super) fn save(&self, known: &Records, seen: &[FoundFile], records: &[Record]) {
        let mut all: HashMap<&Path, &Record> = HashMap::with_capacity(seen.len());
        for file in seen {
            if let Some(record) = known.get(&file.path) {
                all.insert(&file.path, record);
            }
        }
        let has_gone = all.len() < known.len();
        if records.is_empty() && !has_gone {
            return;
        }
        for record in records {
            all.insert(&record.path, record);
        }
        // The next scan reads what this one could not keep.
        _ = self.write(all.values().copied());
    }

    fn write<'r>(&self, records: impl Iterator<Item = &'r Record>) -> io::Result<()> {
        let Some(folder) = self.path.parent() else { return Ok(()) };
        fs::create_dir_all(folder)?;
        let beside = self.path.with_extension(format!("{}.new", std::process::id()));
        let written = create_private(&beside).and_then(|file| {
            let mut out = BufWriter::new(file);
            writeln!(out, "{}", self.form)?;
            for record in records {
                serde_json::to_writer(&mut out, record)?;
                writeln!(out)?;
            }
            out.into_inner().map_err(io::IntoInnerError::into_error)?;
            fs::rename(&beside, &self.path)
        });
        if written.is_err() {
            _ = fs::remove_file(&beside);
        }
        written
    }
}

/// Forgets what scans kept, of every store.
///
/// # Errors
/// When it cannot be removed.
pub fn clear_cache(environment: &Environment) -> Result<(), Error> {
    let folder = environment.cache_dir().join(FOLDER);
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Error::new("cannot remove", folder, error))
        }
        _ => Ok(()),
    }
}

impl Record {
    /// What to keep of a file that was read from `begun` on; nothing where its path or its times cannot be written down.
    pub(super) fn of(file: &FoundFile, tally: &Tally, begun: SystemTime) -> Option<Self> {
        if file.path.to_str().is_none() || !tally.is_plain() {
            return None;
        }
        Some(Self {
            path: file.path.clone(),
            size: file.size,
            mtime: nanoseconds(file.mtime)?,
            identity: file.identity,
            is_fresh: file.mtime + TICK > begun,
            fingerprint: fingerprint(&file.path, tally.offset).ok()?,
            tally: tally.clone(),
        })
    }

    /// Whether the file is as it was.
    pub(super) fn still_holds(&self, file: &FoundFile) -> bool {
        !self.is_fresh
            && self.tally.offset == file.size
            && (self.size, Some(self.mtime), self.identity)
                == (file.size, nanoseconds(file.mtime), file.identity)
    }

    /// Whether the file is what it was and more behind it, so that reading can go on from there.
    pub(super) fn begins(&self, file: &FoundFile) -> bool {
        self.tally.is_whole
            && self.tally.offset < file.size
            && self.identity.0 == file.identity.0
            && fingerprint(&file.path, self.tally.offset).is_ok_and(|print| print == self.fingerprint)
    }
}

fn nanoseconds(time: SystemTime) -> Option<u64> {
    u64::try_from(time.duration_since(UNIX_EPOCH).ok()?.as_nanos()).ok()
}

/// A hash of the first bytes of a file and of those before `end`.
fn fingerprint(path: &Path, end: u64) -> io::Result<u64> {
    const PIECE: u64 = 4096;
    let mut file = File::open(path)?;
    let mut bytes = Vec::new();
    for start in [0, end.saturating_sub(PIECE)] {
        file.seek(SeekFrom::Start(start))?;
        (&file).take(PIECE.min(end)).read_to_end(&mut bytes)?;
    }
    Ok(hash(&bytes))
}

#[cfg(unix)]
fn create_private(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    File::options().write(true).create(true).truncate(true).mode(0o600).open(path)
}

#[cfg(not(unix))]
fn create_private(path: &Path) -> io::Result<File> {
    File::create(path)
}
