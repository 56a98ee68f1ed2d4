use std::fs;
use std::io;

use super::disk::{AppendFile, Disk, Identity, RealDisk};
use super::entries::{self, Parent, Place};
use super::lock::Lock;
use super::refusal::cause_of;
use super::tail::{Tail, each_entry, is_of_known_form};
use super::{Editor, Mode, id};
use crate::error::Refusal;
use crate::error::{Cause, Error};
use crate::format::{EntryId, js};
use crate::session::{EntryIx, Session};

/// How often a line is written again because somebody else's came between it and its parent.
const ATTEMPTS: usize = 16;

/// A line that was added to a session file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Appended {
    /// The line, without its line end.
    pub line: String,
    /// The id of the new entry.
    pub id: String,
}

/// Where a new line hangs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Below {
    /// Below the entry that is last in the file at that moment.
    Last,
    /// Below an entry of one's own choice.
    Entry(Parent),
}

impl Editor {
    /// Sets the label of an entry, or clears it where `text` is blank.
    ///
    /// Below the entry that is last in the file, so that pi continues where it would have continued without it.
    ///
    /// # Errors
    /// Any [`Refusal`], and what the disk reports.
    pub fn label(&self, session: &Session, target: EntryIx, text: &str) -> Result<Appended, Error> {
        let act = "cannot label an entry of";
        let failed = |cause| Error::new(act, session.path(), cause);
        if session.header().version.is_v1() {
            return Err(failed(Refusal::NeedsMigration.into()));
        }
        let target = id_of(session, target).map_err(failed)?;
        let text = Some(js::trim(text)).filter(|text| !text.is_empty());
        self.append(&RealDisk, session, &Below::Last, &|place| entries::label(place, &target, text))
            .map_err(failed)
    }

    /// Gives a session a name, or clears it where `name` is blank. Line ends become blanks.
    ///
    /// # Errors
    /// Any [`Refusal`], and what the disk reports.
    pub fn rename(&self, session: &Session, name: &str) -> Result<Appended, Error> {
        let name = entries::fold_name(name);
        self.append(&RealDisk, session, &Below::Last, &|place| entries::session_info(place, &name))
            .map_err(|cause| Error::new("cannot rename", session.path(), cause))
    }

    /// The one door through which lines reach a session file.
    ///
    /// `make` gives the line of an entry at its place. pi takes no locks, so it may append between our look at the
    /// end and our write. What counts is then read back: where our line has come to be the last although another
    /// entry stands between it and the one that was last, pi would continue above that entry; so the line is written
    /// once more, below that entry, which changes neither labels nor names. A line below an entry that was named
    /// ([`Below::Entry`]) stays as it is.
    pub(super) fn append(
        &self,
        disk: &impl Disk,
        session: &Session,
        below: &Below,
        make: &dyn Fn(&Place<'_>) -> String,
    ) -> Result<Appended, Cause> {
        if !is_of_known_form(session) {
            return Err(Refusal::NewerVersion.into());
        }
        let shown = session.file().ok_or(Refusal::NotOnDisk)?.metadata()?;
        let path = fs::canonicalize(session.path()).map_err(cause_of)?;
        let _lock = Lock::take(&self.locks(), &path, self.patience)?;
        let file = disk.open(&path).map_err(cause_of)?;
        if file.identity()? != Identity::of(&shown) {
            return Err(Refusal::Replaced.into());
        }
        let mut overtaken = Vec::new();
        for _ in 0..ATTEMPTS {
            let tail = Tail::read(&file, session, &overtaken)?;
            let is_taken = |id: &str| tail.has_id(id) || session.find(&id.into()).is_some();
            let id = id::entry_id(is_taken)?;
            let timestamp = format!("\"{}\"", js::iso(self.now()));
            let parent = match below {
                Below::Last => &tail.parent,
                Below::Entry(parent) => parent,
            };
            let line = make(&Place { id: &id, parent, timestamp: Some(&timestamp) });
            if self.mode == Mode::Rehearse {
                return Ok(Appended { line, id });
            }
            write_line(&file, &line, &tail)?;
            let outcome = look_back(&file, &line, &tail).map_err(|cause| match cause {
                Cause::Io(error) => Cause::Other(format!(
                    "the line was written, but cannot be read back: {}",
                    Cause::from(error)
                )),
                other => other,
            })?;
            if disk.identity(&path).ok() != Some(Identity::of(&shown)) {
                return Err(Cause::Other(
                    "another file took its place while the line was written; the line went to the old file"
                        .into(),
                ));
            }
            match outcome {
                Outcome::InPlace => return Ok(Appended { line, id }),
                // Without an id to name it hangs below whatever stands before it.
                Outcome::Overtaken if *below != Below::Last || *parent == Parent::Unnamed => {
                    return Ok(Appended { line, id });
                }
                Outcome::Overtaken | Outcome::Fused => overtaken.push(id),
            }
        }
        Err(Cause::Other(format!(
            "another process wrote into it at the same moment {ATTEMPTS} times; nothing is lost, see `piscope check`"
        )))
    }
}

/// The id of an entry as JSON, exactly as it stands in the file.
pub(super) fn id_of(session: &Session, ix: EntryIx) -> Result<String, Cause> {
    let body = session.body(ix).map_err(|error| match error.cause {
        Cause::Io(error) if error.kind() != io::ErrorKind::UnexpectedEof => Cause::Io(error),
        _ => Refusal::Rewritten.into(),
    })?;
    let id = body.root().get("id").ok_or(Refusal::NoId)?;
    if EntryId::of(id) != *session.entry_id(ix) {
        return Err(Refusal::Rewritten.into());
    }
    Ok(id.stringify())
}

/// Writes a line behind the end of a file, in one write.
fn write_line(file: &impl AppendFile, line: &str, tail: &Tail) -> Result<(), Cause> {
    let mut bytes = Vec::with_capacity(line.len() + 2);
    if !tail.is_terminated {
        bytes.push(b'\n');
    }
    bytes.extend_from_slice(line.as_bytes());
    bytes.push(b'\n');
    let taken = loop {
        match file.append(&bytes) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(refused_write(error, file, tail)),
            Ok(taken) => break taken,
        }
    };
    if taken < bytes.len() {
        // Nothing is taken back, because pi may have written behind it by now. A line end keeps the next line, which
        // pi would append as it is, from becoming part of the torn one.
        let ended = taken > 0 && file.append(b"\n").is_ok_and(|count| count == 1);
        return Err(Cause::Other(format!(
            "the disk took only {taken} of {} bytes; what stood there before is untouched, and {}",
            bytes.len(),
            match (taken, ended) {
                (0, _) => "nothing was added",
                (_, true) => "the broken line stands alone, so that every reader skips it",
                (_, false) => "the file ends in a broken line, which the next write from here closes off",
            }
        )));
    }
    file.sync().map_err(|error| {
        Cause::Other(format!(
            "the line was written, but the disk does not confirm it: {}",
            Cause::from(error)
        ))
    })
}

/// What to say of a write that the system reports as failed, which need not mean that nothing was written.
fn refused_write(error: io::Error, file: &impl AppendFile, tail: &Tail) -> Cause {
    match file.length() {
        Ok(length) if length > tail.end => Cause::Other(format!(
            "the disk reports {}, yet the file has grown; what stood there before is untouched, see `piscope check`",
            Cause::from(error)
        )),
        _ => cause_of(error),
    }
}

/// How a written line stands in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// Alone on its line, and the file's current position is what it should be.
    InPlace,
    /// Alone on its line and last, but another entry came between it and its parent.
    Overtaken,
    /// Behind half a line of another process, and lost with it.
    Fused,
}

/// Reads back what was written and what stands around it.
fn look_back(file: &impl AppendFile, line: &str, tail: &Tail) -> Result<Outcome, Cause> {
    if !tail.is_untouched(file)? {
        return Err(Cause::Other(
            "another process changed what stood in it while the line was written; see `piscope check`".into(),
        ));
    }
    let mut is_there = false;
    let (mut before, mut after) = (0, 0);
    each_entry(file, tail.open_from, file.length()?, |found, entry| {
        if found.bytes == line.as_bytes() && found.terminated {
            is_there = true;
        } else if entry.is_some() {
            *(if is_there { &mut after } else { &mut before }) += 1;
        }
    })?;
    Ok(match (is_there, before, after) {
        (false, ..) => Outcome::Fused,
        (true, 1.., 0) => Outcome::Overtaken,
        _ => Outcome::InPlace,
    })
}

#[cfg(test)]
mod tests;
