use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::files::{self, FoundFile};
use super::locate::{Environment, Store};
use super::scope::Scope;
use crate::format::json::Tape;
use crate::format::{Header, LineReader};

/// How far into a file a header is looked for, in bytes. A header that does not end within is none, as for
/// pi.
const HEADER_LIMIT: u64 = 1024 * 1024;

/// A session found by the start of its id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The whole id.
    pub id: Box<str>,
    /// The file.
    pub path: PathBuf,
}

/// Why a session that somebody named could not be told.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unresolved {
    /// No session of the store has such an id.
    #[error("no session in {} has the id {wanted}, nor one that begins so", root.display())]
    NotFound {
        /// What was asked for.
        wanted: String,
        /// Where it was looked for.
        root: PathBuf,
    },
    /// Several ids begin so.
    #[error("{wanted} is the start of several session ids: {}", Hits(hits))]
    Ambiguous {
        /// What was asked for.
        wanted: String,
        /// The sessions whose ids begin so.
        hits: Vec<Hit>,
    },
}

struct Hits<'h>(&'h [Hit]);

impl fmt::Display for Hits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, hit) in self.0.iter().enumerate() {
            let comma = if at > 0 { ", " } else { "" };
            write!(f, "{comma}{} ({})", hit.id, hit.path.display())?;
        }
        Ok(())
    }
}

/// Turns what a person calls a session into the path of its file. What contains a separator or ends in
/// `.jsonl` is a path, whether or not there is such a file. Anything else is the id of a session of the
/// store, or the start of exactly one.
///
/// Of several files with the very id, the first in the order of discovery is taken.
///
/// # Errors
/// When no id or more than one fits.
pub fn resolve(store: &Store, environment: &Environment, wanted: &str) -> Result<PathBuf, Unresolved> {
    if wanted.contains(['/', '\\']) || files::is_session_name(wanted.as_ref()) {
        return Ok(environment.absolute(wanted));
    }
    let not_found = || Unresolved::NotFound { wanted: wanted.to_owned(), root: store.root.clone() };
    if wanted.is_empty() {
        return Err(not_found());
    }
    let mut hits: Vec<(Hit, FoundFile)> = Vec::new();
    let mut tape = Tape::default();
    for file in files::discover(store, &Scope::All).files {
        let Ok(Some(id)) = session_id(&file.path, &mut tape) else { continue };
        if &*id == wanted {
            return Ok(file.path);
        }
        // One file may be reached in two ways, and a copied file has the id of the other.
        let is_new = hits.iter().all(|(hit, other)| hit.id != id && other.canonical != file.canonical);
        if id.starts_with(wanted) && is_new {
            hits.push((Hit { id, path: file.path.clone() }, file));
        }
    }
    let mut hits: Vec<Hit> = hits.into_iter().map(|(hit, _)| hit).collect();
    match hits.len() {
        0 => Err(not_found()),
        1 => Ok(hits.swap_remove(0).path),
        _ => Err(Unresolved::Ambiguous { wanted: wanted.to_owned(), hits }),
    }
}

/// The id in a file's header, where it is a text.
fn session_id(path: &Path, tape: &mut Tape) -> io::Result<Option<Box<str>>> {
    Ok(header(path, tape)?.and_then(|header| header.id))
}

/// Reads the header of a file, and no more of the file than needed; `None` where it is no session. The first line
/// that is JSON has to be the header.
///
/// # Errors
/// What the system reports.
pub fn read_header(path: &Path) -> io::Result<Option<Header>> {
    header(path, &mut Tape::default())
}

fn header(path: &Path, tape: &mut Tape) -> io::Result<Option<Header>> {
    let mut lines = LineReader::with_block(File::open(path)?.take(HEADER_LIMIT), 4096);
    while let Some(line) = lines.next_line()? {
        let text = String::from_utf8_lossy(line.bytes);
        match tape.parse(&text) {
            Ok(value) if value.is_falsy() => {}
            Ok(value) => {
                return Ok(Header::of(value, line.number, line.offset, line.bytes.len() as u32));
            }
            Err(_) => {}
        }
    }
    Ok(None)
}
