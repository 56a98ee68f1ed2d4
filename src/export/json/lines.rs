use std::io;

use super::masked::masked;
use super::sent;
use crate::error::Error;
use crate::export::{Document, DocumentKind};
use crate::format::json::{Document as JsonText, Value};
use crate::format::{JsObject, js};
use crate::session::Session;
use crate::store::Environment;

/// What an exported session says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// When it was exported, in milliseconds since 1970.
    pub now: i64,
    /// The working directory of the session, as pi understands it.
    pub cwd: String,
}

impl Stamp {
    /// That of a session which is exported now.
    pub fn new(session: &Session, environment: &Environment, now: i64) -> Self {
        Self { now, cwd: environment.working_directory(session.header()).into_owned() }
    }
}

/// Writes a branch as a session file, as pi's `/export` does: the same id, a new time, no parent session, every entry
/// below the one before. A context goes as one message a line, each as it is sent.
///
/// The session is of version 3; one that is older is migrated first. Values are those of the file, and printed as
/// pi prints them, so that pi reads them as they were.
///
/// # Errors
/// When the file can no longer be read, nobody takes the document, or somebody asks to stop.
pub fn jsonl(of: &Document<'_>, stamp: &Stamp, out: &mut dyn io::Write) -> Result<(), Error> {
    let mut say = |line: String| writeln!(out, "{line}").map_err(|error| of.unwritten(error));
    match of.kind {
        DocumentKind::Branch => {
            say(header(of, stamp)?)?;
            let mut parent = Some("null".to_owned());
            for (at, &entry) in of.entries.iter().enumerate() {
                of.check()?;
                let body = of.session.body(entry)?;
                let entry = chained(body.root(), parent.as_deref());
                parent = body.root().get("id").map(Value::stringify);
                say(match of.redact {
                    None => entry,
                    Some(_) => masked(reread(of, entry)?.root(), of.redact),
                })?;
                (of.progress)(at + 1);
            }
        }
        DocumentKind::Context(context) => {
            for (at, item) in context.items.iter().enumerate() {
                of.check()?;
                if let Some(message) = sent(of, item)? {
                    say(message)?;
                }
                (of.progress)(at + 1);
            }
        }
    }
    Ok(())
}

fn header(of: &Document<'_>, stamp: &Stamp) -> Result<String, Error> {
    let body = of.session.header_body()?;
    let header = JsObject::default()
        .with_text("type", "session")
        .with("version", "3")
        .with_some("id", body.root().get("id").map(Value::stringify))
        .with_text("timestamp", &js::iso(stamp.now));
    Ok(header.with_text("cwd", &stamp.cwd).print())
}

/// An entry below the one before. Below one without an id it has no parent at all.
fn chained(entry: Value<'_>, parent: Option<&str>) -> String {
    let mut entry = JsObject::of(entry);
    match parent {
        Some(parent) => entry.set("parentId", parent),
        None => entry.remove("parentId"),
    }
    entry.print()
}

fn reread(of: &Document<'_>, line: String) -> Result<JsonText, Error> {
    JsonText::parse(line).map_err(|_| {
        let cause = crate::error::Cause::Other("an entry cannot be printed as JSON".into());
        Error::new("cannot export", of.session.path(), cause)
    })
}
