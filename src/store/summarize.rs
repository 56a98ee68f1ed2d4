mod glimpse;

use std::borrow::Cow;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use super::branches::{Branches, Places, Unknown};
use super::files::{Finding, FoundFile};
use super::message::{is_readable, text_of};
use super::spending::{Ledger, Spending};
use super::summary::{FirstMessage, SessionSummary};
use super::{coerce, paths, prompt};
use crate::cancel::Cancel;
use crate::format::json::{Flaw, Invalid, Tape, Value};
use crate::format::{self, Diagnostic, EntryId, LineReader, Problem, RawLine, decode, js};
use crate::session::{Session, oddity_finding};

/// What is kept of a text of which a row shows the start, in UTF-16 units.
const SHOWN_UNITS: usize = 400;
/// What is kept of a name, in UTF-16 units.
const NAME_UNITS: usize = 1000;
/// The largest buffer for texts that is kept for the next file.
const KEPT_TEXT: usize = 1 << 20;
/// How many findings on single lines are kept a file.
const KEPT_DIAGNOSTICS: usize = 16;

/// Reads summaries, one file after the other, in buffers that are kept: one summarizer a worker.
#[derive(Default)]
pub(super) struct Summarizer {
    lines: Option<LineReader<File>>,
    tape: Tape,
    text: String,
}

/// What to read besides the row itself.
pub(super) struct Wanted<'a> {
    pub first_message: FirstMessage,
    /// Gets the text of every user and assistant message that has any, in file order.
    pub texts: Option<&'a mut dyn FnMut(&str)>,
    /// Where days begin and end.
    pub zone: &'a TimeZone,
}

/// Why there is no row.
pub(super) enum Refusal {
    NotListed(Finding),
    Cancelled,
}

impl Summarizer {
    /// Reads a file from where a tally of it ends, a fresh one from its start, and returns the tally of all of it, or
    /// why pi does not list the file.
    pub(super) fn read(
        &mut self,
        file: &FoundFile,
        tally: Tally,
        wanted: Wanted<'_>,
        cancel: &Cancel,
    ) -> Result<Tally, Refusal> {
        let not_listed = |finding| Err(Refusal::NotListed(finding));
        let opened = File::open(&file.path).and_then(|mut source| {
            source.seek(SeekFrom::Start(tally.offset))?;
            Ok(source)
        });
        let source = match opened {
            Ok(source) => source,
            Err(error) => return not_listed(Finding::unreadable(&file.path, error)),
        };
        let lines = match &mut self.lines {
            Some(lines) => {
                lines.restart_at(source, tally.offset, tally.lines);
                lines
            }
            none => none.insert(LineReader::at(source, tally.offset, tally.lines)),
        };
        if self.text.capacity() > KEPT_TEXT {
            self.text = String::new();
        }
        let mut row = Row::new(wanted, tally);
        match row.read_lines(lines, &mut self.tape, &mut self.text, cancel) {
            Ok(Ended::AtEnd) => {}
            Ok(Ended::Cancelled) => return Err(Refusal::Cancelled),
            Ok(Ended::NoHeader) => return not_listed(row.no_header(file)),
            Ok(Ended::TakesAll) => return self.read(file, Tally::default(), row.wanted, cancel),
            Err(error) => return not_listed(Finding::unreadable(&file.path, error)),
        }
        if row.tally.header.is_none() {
            return not_listed(row.no_header(file));
        }
        let Row { mut tally, places, ledger, wanted, .. } = row;
        tally.spending = Arc::new(ledger.close(Arc::unwrap_or_clone(tally.spending), &places));
        if tally.is_tangled() {
            tally.open(&file.path, wanted.zone, cancel);
        }
        Ok(tally)
    }
}

enum Ended {
    AtEnd,
    NoHeader,
    Cancelled,
    /// What was read at another time does not tell enough.
    TakesAll,
}

/// What a row needs of the header.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Header {
    id: Option<EntryId>,
    cwd: Box<str>,
    parent_session: Option<Box<str>>,
    created: Option<i64>,
    /// The time where it is a text that parses: the only form that counts as an activity.
    stamp: Option<i64>,
}

/// What the lines of a file so far add up to: all that its row needs, and all it takes to go on from there when the
/// file has grown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Tally {
    /// Bytes read.
    pub(super) offset: u64,
    /// Lines read.
    lines: u32,
    /// Whether the last of them has its line end, so that the next can only begin behind it.
    pub(super) is_whole: bool,
    header: Option<Header>,
    name: Option<Box<str>>,
    message_count: u32,
    activity: Option<f64>,
    first_message: Option<Box<str>>,
    prompt: Option<Box<str>>,
    labelled: HashSet<EntryId>,
    branches: Branches,
    spending: Arc<Spending>,
    /// Whether the header or the line ends are not as pi writes them, so that only opening the file tells what that
    /// means.
    is_odd: bool,
    /// What opening the file says of its header and its tree, where one of them is not plain.
    on_opening: Vec<Diagnostic>,
    starts_with_mark: bool,
    diagnostics: Vec<Diagnostic>,
    problem_count: u32,
}

/// A row in the making.
struct Row<'a> {
    wanted: Wanted<'a>,
    tally: Tally,
    /// Where the entries stand that were read now.
    places: Places,
    /// What they have used.
    ledger: Ledger,
    is_from_start: bool,
}

impl<'a> Row<'a> {
    fn new(wanted: Wanted<'a>, tally: Tally) -> Self {
        let is_from_start = tally.offset == 0;
        Self { wanted, tally, places: Places::default(), ledger: Ledger::default(), is_from_start }
    }

    /// Lines end at `\n`, `\r\n` or a lone `\r` here, although opening a file knows only `\n`. U+2028 and
    /// U+2029 end none.
    fn read_lines(
        &mut self,
        lines: &mut LineReader<impl Read>,
        tape: &mut Tape,
        text: &mut String,
        cancel: &Cancel,
    ) -> io::Result<Ended> {
        while let Some(line) = lines.next_line()? {
            if cancel.is_cancelled() {
                return Ok(Ended::Cancelled);
            }
            (self.tally.lines, self.tally.is_whole) = (line.number, line.terminated);
            if let Some(ended) = self.read_line(&line, tape, text) {
                return Ok(ended);
            }
        }
        self.tally.offset = lines.offset();
        Ok(Ended::AtEnd)
    }

    /// Reads a line as one, as nearly all of them can be; where that fails, the pieces of it.
    fn read_line(&mut self, line: &RawLine<'_>, tape: &mut Tape, text: &mut String) -> Option<Ended> {
        let decoded = decode(line.bytes);
        if let Ok(value) = tape.parse_line(&decoded) {
            self.note_encoding(matches!(decoded, Cow::Owned(_)), line.number);
            return self.read_value(value, line.number, text);
        }
        pieces(line.bytes).enumerate().find_map(|(at, bytes)| {
            self.tally.is_odd |= at > 0 && !bytes.is_empty();
            let decoded = decode(bytes);
            self.note_encoding(matches!(decoded, Cow::Owned(_)), line.number);
            match tape.parse(&decoded) {
                Ok(value) => self.read_value(value, line.number, text),
                Err(flaw) => {
                    self.read_broken(&decoded, flaw, line.number, line.terminated);
                    None
                }
            }
        })
    }

    fn note_encoding(&mut self, is_mended: bool, line: u32) {
        if is_mended {
            self.report(line, Problem::InvalidUtf8, "it holds bytes that are not UTF-8");
        }
    }

    /// Takes the value of a line; says so where the file need not be read on.
    fn read_value(&mut self, value: Value<'_>, line: u32, text: &mut String) -> Option<Ended> {
        if value.is_falsy() {
            self.report(line, Problem::NotAnEntry, "it is JSON but no entry");
            return None;
        }
        if self.tally.header.is_none() {
            return (!self.read_header(value)).then_some(Ended::NoHeader);
        }
        if self.read_place(value, line).is_err() {
            return Some(Ended::TakesAll);
        }
        self.read_entry(value, line, text);
        None
    }

    /// The first line that holds anything has to be a header. Its id is not looked at, unlike in opening.
    fn read_header(&mut self, value: Value<'_>) -> bool {
        if value.get_str("type").as_deref() != Some("session") {
            return false;
        }
        let text = |key: &str| value.get_str(key).map(|text| Box::from(&*text));
        self.tally.header = Some(Header {
            id: value.get_some("id").map(EntryId::of),
            cwd: text("cwd").unwrap_or_default(),
            parent_session: text("parentSession"),
            created: coerce::date(value.get("timestamp")),
            stamp: value.get_str("timestamp").and_then(|text| js::date(&text)),
        });
        let known = format::Header::of(value, 0, 0, 0);
        let is_plain = |header: &format::Header| header.id.is_some() && header.version.number <= 3.0;
        let is_v1 = known.as_ref().is_some_and(|header| header.version.is_v1());
        self.tally.spending = Arc::new(Spending::begin(text("parentSession").as_deref()));
        self.tally.is_odd = !known.as_ref().is_some_and(is_plain);
        self.tally.branches = Branches::of_version_1(is_v1);
        true
    }

    /// Where an entry stands in the tree.
    fn read_place(&mut self, value: Value<'_>, line: u32) -> Result<(), Unknown> {
        if !value.is_object() || value.get_str("type").as_deref() == Some("session") {
            return Ok(());
        }
        self.tally.branches.add(value, line, &mut self.places, self.is_from_start)?;
        if let Some(node) = self.places.last() {
            self.ledger.note(value, node, self.wanted.zone);
        }
        Ok(())
    }

    /// What one line after the header adds to the row. pi drops a whole session from its list for a field of a type
    /// it does not expect; here that costs the line.
    fn read_entry(&mut self, value: Value<'_>, line: u32, text: &mut String) {
        if let Some(oddity) = oddity_finding(value, line) {
            self.keep(oddity);
        }
        match value.get_str("type").as_deref() {
            Some("message") => {
                if let Some(message) = value.get_some("message") {
                    self.read_message(value, message, text);
                }
            }
            Some("session_info") => match value.get_some("name") {
                None => self.tally.name = None,
                Some(name) => {
                    if let Some(name) = name.as_str() {
                        self.tally.name = kept(js::trim(&name), self.wanted.first_message, NAME_UNITS);
                    }
                }
            },
            Some("label") => {
                let target = value.get("targetId").map_or_else(|| EntryId::from(""), EntryId::of);
                if value.get("label").is_some_and(|label| !label.is_falsy()) {
                    self.tally.labelled.insert(target);
                } else {
                    self.tally.labelled.remove(&target);
                }
            }
            Some("session") => {
                self.report(line, Problem::ExtraHeader, "a second session header, which is ignored");
            }
            _ if !value.is_object() => self.report(line, Problem::NotAnEntry, "it is JSON but no entry"),
            _ => {}
        }
    }

    /// Every message counts. User and assistant messages that own a content also have a time and perhaps a
    /// text.
    fn read_message(&mut self, entry: Value<'_>, message: Value<'_>, buffer: &mut String) {
        let role = message.get_str("role");
        let is_user = role.as_deref() == Some("user");
        let content = message.get("content");
        let (true, Some(content)) = (is_user || role.as_deref() == Some("assistant"), content) else {
            self.tally.message_count += 1;
            return;
        };
        let wants_title = is_user && (self.tally.first_message.is_none() || self.tally.prompt.is_none());
        if !is_readable(content) {
            return;
        }
        let text = if wants_title || self.wanted.texts.is_some() {
            text_of(content, buffer)
        } else {
            Cow::Borrowed("")
        };
        self.tally.message_count += 1;
        self.read_time(entry, message);
        if text.is_empty() {
            return;
        }
        if wants_title {
            let keep = self.wanted.first_message;
            if self.tally.first_message.is_none() {
                self.tally.first_message = kept(&text, keep, SHOWN_UNITS);
            }
            if self.tally.prompt.is_none() {
                self.tally.prompt =
                    prompt::telling_part(&text).and_then(|part| kept(part, FirstMessage::Start, SHOWN_UNITS));
            }
        }
        if let Some(texts) = &mut self.wanted.texts {
            texts(&text);
        }
    }

    /// The message's own time where it is a number, else the entry's where it is a date.
    fn read_time(&mut self, entry: Value<'_>, message: Value<'_>) {
        let own = message.get_f64("timestamp");
        let time = own.or_else(|| coerce::date(entry.get("timestamp")).map(|millis| millis as f64));
        if let Some(time) = time {
            self.tally.activity = Some(self.tally.activity.map_or(time, |latest| latest.max(time)));
        }
    }

    fn read_broken(&mut self, text: &str, invalid: Invalid, line: u32, is_ended: bool) {
        if self.tally.header.is_none() && text.starts_with('\u{feff}') {
            self.tally.starts_with_mark = true;
            self.report(
                line,
                Problem::ByteOrderMark,
                "the file begins with a byte order mark, so pi drops this line",
            );
        } else if !js::is_blank(text) {
            let problem = match invalid.flaw {
                Flaw::Torn if !is_ended => Problem::TornLine,
                Flaw::Fused => Problem::FusedLines,
                _ => Problem::InvalidJson,
            };
            self.report(line, problem, invalid.to_string());
        }
    }

    fn report(&mut self, line: u32, problem: Problem, message: impl Into<String>) {
        self.keep(Diagnostic::new(line, problem, message));
    }

    fn keep(&mut self, finding: Diagnostic) {
        self.tally.problem_count = self.tally.problem_count.saturating_add(1);
        if self.tally.diagnostics.len() < KEPT_DIAGNOSTICS {
            self.tally.diagnostics.push(finding);
        }
    }

    fn no_header(&self, file: &FoundFile) -> Finding {
        let (problem, message) = if self.tally.starts_with_mark {
            (
                Problem::ByteOrderMark,
                "it begins with a byte order mark, so pi cannot read its header and does not list it",
            )
        } else if file.size == 0 {
            (Problem::NoHeader, "it is empty")
        } else {
            (Problem::NoHeader, "it does not begin with a session header, so pi does not list it")
        };
        Finding::new(&file.path, problem, message)
    }
}

impl Tally {
    /// Whether it can be written down: JSON knows no infinite times.
    pub(super) fn is_plain(&self) -> bool {
        self.activity.is_none_or(f64::is_finite)
    }

    fn is_tangled(&self) -> bool {
        self.is_odd || self.branches.is_tangled()
    }

    /// Opens the file for what only the whole tree tells: what is wrong with it, or why it cannot be opened, and on which
    /// branch its entries are.
    fn open(&mut self, path: &Path, zone: &TimeZone, cancel: &Cancel) {
        let is_of_structure = |finding: &&Diagnostic| finding.problem.is_of_structure();
        match Session::open_with(path, cancel) {
            Ok(session) => {
                self.on_opening = session.diagnostics().iter().filter(is_of_structure).cloned().collect();
                self.spending = Arc::new(Spending::of(&session, zone));
            }
            Err(error) => {
                self.on_opening = vec![Diagnostic::new(0, Problem::NoHeader, error.cause.to_string())];
            }
        }
    }

    /// What is to be said of the header, the tree and its branches.
    fn structure_findings(&self) -> Vec<Diagnostic> {
        if self.is_tangled() {
            self.on_opening.clone()
        } else {
            self.branches.finding().into_iter().collect()
        }
    }

    /// The row of a file that was read to its end. Relative parents are resolved against `base`.
    pub(super) fn summary(&self, file: &FoundFile, base: &Path) -> SessionSummary {
        let mtime = file.mtime_millis();
        let header = self.header.as_ref();
        let structure = self.structure_findings();
        let problem_count = self.problem_count.saturating_add(structure.len() as u32);
        let parent_session = header.and_then(|header| header.parent_session.clone());
        let modified = match self.activity {
            Some(time) if time > 0.0 => js::date_from_number(time),
            _ => Some(header.and_then(|header| header.stamp).unwrap_or(mtime)),
        };
        let parent = parent_session
            .as_deref()
            .filter(|parent| !parent.is_empty())
            .map(|parent| paths::canonical(&base.join(parent)));
        SessionSummary {
            path: file.path.clone(),
            canonical: file.canonical.clone(),
            size: file.size,
            mtime,
            id: header.and_then(|header| header.id.clone()),
            cwd: header.map(|header| header.cwd.clone()).unwrap_or_default(),
            cwd_gone: None,
            name: self.name.clone(),
            parent_session,
            parent,
            created: header.and_then(|header| header.created),
            modified,
            message_count: self.message_count,
            first_message: self.first_message.clone(),
            prompt: self.prompt.clone(),
            has_labels: !self.labelled.is_empty(),
            spending: Arc::clone(&self.spending),
            diagnostics: self.diagnostics.iter().cloned().chain(structure).collect(),
            problem_count,
            is_glimpse: false,
        }
    }
}

/// The pieces of a line between carriage returns.
pub(super) fn pieces(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ends = memchr::memchr_iter(b'\r', line).chain([line.len()]);
    ends.scan(0, |start, end| Some(&line[std::mem::replace(start, end + 1)..end]))
}

/// What is kept of a text, `None` of an empty one.
fn kept(text: &str, keep: FirstMessage, units: usize) -> Option<Box<str>> {
    if text.is_empty() {
        return None;
    }
    Some(match keep {
        FirstMessage::Whole => text.into(),
        FirstMessage::Start => js::cut(text, units).0.into(),
    })
}
