use std::collections::HashSet;
use std::io::{BufReader, Read};
use std::path::PathBuf;

use super::delete::liveness;
use super::lock::Lock;
use super::refusal::refuse_while_live;
use super::replace::Original;
use super::{Editor, Mode, id};
use crate::error::Refusal;
use crate::error::{Cause, Error};
use crate::format::JsObject;
use crate::format::json::{Tape, Value};
use crate::format::{LineReader, Version};
use crate::session::Session;
use crate::store::Writers;

const ACT: &str = "cannot migrate";

impl Editor {
    /// Rewrites a session of version 1 or 2 as version 3, as pi does when it opens one, and returns where the
    /// original was kept: beside it, as `….jsonl.v1-backup`.
    ///
    /// Entries keep their places, so an entry is found again by its place in the file. Lines that are not JSON are
    /// dropped, as by pi; the backup has them.
    ///
    /// # Errors
    /// When pi may be writing to the file, when it has changed since it was read, when the backup is there already, when a version 1 file holds
    /// something that is no entry (pi cannot open such a file either), and what the disk reports.
    pub fn migrate(&self, session: &Session) -> Result<PathBuf, Error> {
        let failed = |cause| Error::new(ACT, session.path(), cause);
        let version = &session.header().version;
        if !version.is_before_v3() {
            return Err(failed(Cause::Other("its version needs no migration".into())));
        }
        let original = Original::open(session.path()).map_err(failed)?;
        let _lock = Lock::take(&self.locks(), original.path(), self.patience).map_err(failed)?;
        refuse_while_live(liveness(&Writers::look(), original.path(), session.header())).map_err(failed)?;
        let stands = session.still_stands(|at, length| original.read_at(at, length));
        if original.length != session.length() || !stands.map_err(|error| failed(error.into()))? {
            return Err(failed(Refusal::Rewritten.into()));
        }
        let name = original.path().as_os_str().to_string_lossy().into_owned();
        let backup = PathBuf::from(format!("{name}.v{}-backup", if version.is_v1() { 1 } else { 2 }));
        let bytes =
            migrated(original.bytes().map_err(|error| failed(error.into()))?, version).map_err(failed)?;
        if self.mode == Mode::Write {
            original.replace(Some(&backup), |_, out| Ok(out.write_all(&bytes)?)).map_err(failed)?;
        }
        Ok(backup)
    }
}

/// A session as version 3, in memory; itself where it is of version 3 already.
pub(crate) fn as_version_3(session: &Session) -> Result<Option<Session>, Cause> {
    let version = &session.header().version;
    if !version.is_before_v3() {
        return Ok(None);
    }
    let bytes = migrated(session.reader(), version)?;
    Ok(Some(Session::from_bytes(session.path(), bytes).map_err(|error| error.cause)?))
}

/// The lines of a session file as pi rewrites them.
fn migrated(source: impl Read, version: &Version) -> Result<Vec<u8>, Cause> {
    let mut migration =
        Migration { is_v1: version.is_v1(), ids: Vec::new(), taken: HashSet::new(), last: None };
    let mut lines = LineReader::new(BufReader::new(source));
    let mut tape = Tape::default();
    let mut out = Vec::new();
    while let Some(line) = lines.next_line()? {
        let text = String::from_utf8_lossy(line.bytes);
        let Ok(value) = tape.parse(&text) else { continue };
        if value.is_falsy() {
            continue;
        }
        if !value.is_object() && migration.is_v1 {
            return Err(Cause::Other(format!(
                "line {} holds no entry; pi cannot open such a file",
                line.number
            )));
        }
        let printed = if value.is_object() { migration.entry(value)?.print() } else { value.stringify() };
        out.extend_from_slice(printed.as_bytes());
        out.push(b'\n');
    }
    Ok(out)
}

struct Migration {
    is_v1: bool,
    /// The ids of all values so far, as JSON; none for headers. Version 1 refers to entries by their number among
    /// all parsed values, the header being 0.
    ids: Vec<Option<String>>,
    /// All fresh ids.
    taken: HashSet<String>,
    /// The id of the entry before, as JSON.
    last: Option<String>,
}

impl Migration {
    fn entry(&mut self, value: Value<'_>) -> Result<JsObject, Cause> {
        let mut entry = JsObject::of(value);
        let kind = value.get_str("type").unwrap_or_default();
        if kind == "session" {
            entry.set("version", "3");
            self.ids.push(None);
            return Ok(entry);
        }
        if self.is_v1 {
            self.name(&mut entry)?;
            if let Some(index) = value.get_f64("firstKeptEntryIndex").filter(|_| kind == "compaction") {
                // An index that is no whole number finds nothing.
                let target =
                    if index.fract() == 0.0 && index >= 0.0 { self.ids.get(index as usize) } else { None };
                if let Some(id) = target.cloned().flatten() {
                    entry.set("firstKeptEntryId", id);
                }
                entry.remove("firstKeptEntryIndex");
            }
        }
        let message = value.get("message").filter(|message| message.is_object() && kind == "message");
        if let Some(message) = message.filter(|it| it.get_str("role").as_deref() == Some("hookMessage")) {
            entry.set("message", JsObject::of(message).with_text("role", "custom").print());
        }
        Ok(entry)
    }

    /// Gives an entry an id of its own and hangs it below the entry before.
    fn name(&mut self, entry: &mut JsObject) -> Result<(), Cause> {
        let fresh = id::entry_id(|id| self.taken.contains(id))?;
        let id = format!("\"{fresh}\"");
        self.taken.insert(fresh);
        entry.set("id", id.as_str());
        entry.set("parentId", self.last.take().unwrap_or_else(|| "null".into()));
        self.ids.push(Some(id.clone()));
        self.last = Some(id);
        Ok(())
    }
}
