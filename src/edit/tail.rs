use std::collections::HashSet;

use super::disk::{AppendFile, Range, read_exact_at};
use super::entries::Parent;
use crate::error::Cause;
use crate::error::Refusal;
use crate::format::json::{Tape, Value};
use crate::format::{EntryId, Kind, LineReader, ParentRef, RawLine};
use crate::session::{EntryIx, Session};

/// How much is read at a time on the way back to a line's start.
const BLOCK: u64 = 4096;
/// How many bytes before the end are remembered, to see later that they still stand there.
const WITNESS: u64 = 4096;

/// The end of a session file as it is now, read from where the session that is shown ends.
#[derive(Debug)]
pub(super) struct Tail {
    /// The length of the file.
    pub(super) end: u64,
    /// Whether the file ends in a line end. Where it does not, the next line needs one in front of it.
    pub(super) is_terminated: bool,
    /// The entry that is last now, as a parent. Torn lines do not count.
    pub(super) parent: Parent,
    /// Where to look from for what is written from now on: the end, or the start of a line that is torn so far and
    /// may yet be completed.
    pub(super) open_from: u64,
    /// Ids that came after the session was read.
    ids: HashSet<EntryId>,
    /// The bytes that stand right before the end.
    witness: Vec<u8>,
}

impl Tail {
    /// Looks at what has come behind `session`, and refuses where the session itself is no longer there. The entries
    /// called `ours` are no parents.
    pub(super) fn read(file: &impl AppendFile, session: &Session, ours: &[String]) -> Result<Self, Cause> {
        let end = file.length()?;
        if end < session.length() {
            return Err(Refusal::Shrunk.into());
        }
        if !session.still_stands(|at, length| read_exact_at(file, at, length as usize))? {
            return Err(Refusal::Rewritten.into());
        }
        // A last line without an end may have been half a line when it was read, or become half of one since.
        let start = line_start(file, session.length())?;
        let mut tail = Self {
            end,
            is_terminated: read_exact_at(file, end - 1, 1)? == b"\n",
            parent: last_before(start, session)?,
            open_from: end,
            ids: HashSet::new(),
            witness: witness(file, end)?,
        };
        each_entry(file, start, end, |line, entry| {
            let Some(entry) = entry else {
                if !line.terminated {
                    tail.open_from = line.offset;
                }
                return;
            };
            let id = entry.get("id").map(EntryId::of);
            if !id.as_ref().is_some_and(|id| ours.iter().any(|ours| id.as_str() == ours)) {
                tail.parent = parent_named_by(entry);
            }
            tail.ids.extend(id);
        })?;
        if session.header().version.is_v1() {
            tail.parent = Parent::Unnamed;
        }
        Ok(tail)
    }

    /// Whether an entry of this id has come since the session was read.
    pub(super) fn has_id(&self, id: &str) -> bool {
        self.ids.contains(&EntryId::from(id))
    }

    /// Whether everything up to the end that was seen is as it was, as far as its length and its last bytes tell.
    pub(super) fn is_untouched(&self, file: &impl AppendFile) -> Result<bool, Cause> {
        Ok(file.length()? >= self.end && witness(file, self.end)? == self.witness)
    }
}

/// Hands every line of a range that starts at a line's start to `visit`, with the entry where it is one.
pub(super) fn each_entry(
    file: &impl AppendFile,
    start: u64,
    end: u64,
    mut visit: impl FnMut(RawLine<'_>, Option<Value<'_>>),
) -> Result<(), Cause> {
    let mut lines = LineReader::at(Range::new(file, start, end), start, 0);
    let mut tape = Tape::default();
    while let Some(line) = lines.next_line()? {
        let text = String::from_utf8_lossy(line.bytes);
        let entry = tape
            .parse(&text)
            .ok()
            .filter(|value| value.is_object() && value.get_str("type").as_deref() != Some("session"));
        visit(line, entry);
    }
    Ok(())
}

/// The last entry of a session that lies before a byte of its file.
fn last_before(end: u64, session: &Session) -> Result<Parent, Cause> {
    let mut backwards = (0..session.len()).rev().map(EntryIx::new);
    match backwards.find(|&ix| session.entry(ix).offset < end) {
        None => Ok(Parent::None),
        Some(ix) => Ok(parent_named_by(session.body(ix).map_err(|error| error.cause)?.root())),
    }
}

fn parent_named_by(entry: Value<'_>) -> Parent {
    entry.get("id").map_or(Parent::Unnamed, |id| Parent::Id(id.stringify()))
}

/// Where the line that reaches up to `end` starts: `end` itself where a line end stands before it.
fn line_start(file: &impl AppendFile, end: u64) -> Result<u64, Cause> {
    let mut to = end;
    while to > 0 {
        let from = to.saturating_sub(BLOCK);
        let block = read_exact_at(file, from, (to - from) as usize)?;
        if let Some(found) = memchr::memrchr(b'\n', &block) {
            return Ok(from + found as u64 + 1);
        }
        to = from;
    }
    Ok(0)
}

fn witness(file: &impl AppendFile, end: u64) -> Result<Vec<u8>, Cause> {
    let from = end.saturating_sub(WITNESS);
    Ok(read_exact_at(file, from, (end - from) as usize)?)
}

/// Whether a file of a newer version than 3 may be appended to: when all its entries are of known types and say
/// what they hang below.
pub(super) fn is_of_known_form(session: &Session) -> bool {
    let is_known = |ix: EntryIx| {
        let head = session.entry(ix);
        head.parent != ParentRef::Missing && !matches!(head.kind, Kind::Unknown(_))
    };
    let is_newer = session.header().version.number > 3.0;
    !is_newer || session.entries().all(|(ix, _)| is_known(ix))
}
