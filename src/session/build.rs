mod grow;

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::heads::{Class, Heads, IdTable};
use super::labels::{Label, Labels};
use super::links::{EntryIx, Links};
use super::source::Source;
use super::tool_selection::ToolSelection;
use super::{Session, oddity, parts};
use crate::cancel::Cancel;
use crate::error::{Cause, Error};
use crate::format::json::{Flaw, Invalid, Tape, Value};
use crate::format::{
    Diagnostic, EntryHead, Header, Kind, LineReader, Problem, RawLine, Role, decode, entry_head,
    is_falsy_line, js, shorten_result,
};

/// Cancellation is looked at once per this many lines.
const LINES_BETWEEN_LOOKS: u32 = 256;

/// Results of tools that stand further down in their file keep no text: the tree shows their calls, and a search can read
/// the texts. So the heads of a very large session stay small.
const GISTS_OF_RESULTS: u64 = 64 << 20;

/// What is taken for true without looking at every byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Trust {
    #[default]
    Nothing,
    /// What stands in the middle of a long tool result, until it is proved.
    LongResults,
}

/// Reads a whole session into heads.
pub(super) fn read(path: PathBuf, source: Source, trust: Trust, cancel: &Cancel) -> Result<Session, Error> {
    read_with(path, source, trust, parts::Size::default(), cancel)
}

/// As [`read`]; what is left behind the header is read in parts side by side where it is large.
pub(super) fn read_with(
    path: PathBuf,
    source: Source,
    trust: Trust,
    size: parts::Size,
    cancel: &Cancel,
) -> Result<Session, Error> {
    let mut builder = Builder { trust, ..Builder::default() };
    let outcome = builder.read(&source, size, cancel);
    match outcome {
        Ok(length) => builder.finish(path, source, length),
        Err(refusal) => Err(refusal.of(path)),
    }
}

/// Why a file is not read to its end.
#[derive(Debug)]
pub(super) enum Refusal {
    NotASession(String),
    Unreadable(io::Error),
    Cancelled,
}

impl Refusal {
    fn of(self, path: impl AsRef<Path>) -> Error {
        match self {
            Self::NotASession(reason) => Error::new("cannot open", path, Cause::NotASession(reason)),
            Self::Unreadable(error) => Error::new("cannot read", path, error),
            Self::Cancelled => Error::new("cannot read", path, Cause::Cancelled),
        }
    }
}

/// What the lines so far amount to.
#[derive(Default)]
pub(super) struct Builder {
    tape: Tape,
    trust: Trust,
    /// A line without its middle.
    short: Vec<u8>,
    /// The entries of such lines.
    unproved: Vec<EntryIx>,
    has_header: bool,
    header: Option<Header>,
    entries: Heads,
    /// The time of every label entry as it stands in the file.
    label_times: Vec<Option<Box<str>>>,
    /// Which entry each parsed value became; needed only for version 1, which counts values.
    values: Vec<Option<EntryIx>>,
    tool_selection: Option<ToolSelection>,
    diagnostics: Vec<Diagnostic>,
    /// Where the last line begins, if it has no line end yet.
    unfinished: Option<u64>,
    /// How many lines that were, blank ones included.
    lines: u32,
}

impl Builder {
    /// A builder for lines behind the header.
    pub(super) fn behind_header(trust: Trust) -> Self {
        Self { has_header: true, trust, ..Self::default() }
    }

    /// Reads a source to its end and returns how many bytes that were.
    fn read(&mut self, source: &Source, size: parts::Size, cancel: &Cancel) -> Result<u64, Refusal> {
        let mut lines = LineReader::new(source.stream_at(0));
        while !self.has_header && self.next_line(&mut lines, cancel)? {}
        let end = source.size().map_err(Refusal::Unreadable)?;
        if end.saturating_sub(lines.offset()) > size.large {
            return parts::read(self, source, lines.offset()..end, self.trust, size.part, cancel);
        }
        // What is small is read whole as fast.
        self.trust = Trust::Nothing;
        self.read_rest(&mut lines, cancel)
    }

    /// Reads lines to their end and returns where that is.
    fn read_rest(&mut self, lines: &mut LineReader<impl io::Read>, cancel: &Cancel) -> Result<u64, Refusal> {
        while self.next_line(lines, cancel)? {}
        Ok(lines.offset())
    }

    /// Takes the next line; says whether there was one.
    pub(super) fn next_line(
        &mut self,
        lines: &mut LineReader<impl io::Read>,
        cancel: &Cancel,
    ) -> Result<bool, Refusal> {
        let Some(line) = lines.next_line().map_err(Refusal::Unreadable)? else { return Ok(false) };
        if line.number % LINES_BETWEEN_LOOKS == 0 && cancel.is_cancelled() {
            return Err(Refusal::Cancelled);
        }
        self.unfinished = (!line.terminated).then_some(line.offset);
        self.lines = line.number;
        self.line(line).map_err(Refusal::NotASession)?;
        Ok(true)
    }

    /// Appends what the lines behind this builder's amount to, which were counted from 1.
    pub(super) fn append(&mut self, next: Self) {
        let lines = self.lines;
        let entries = self.entries.len();
        let shifted = |ix: EntryIx| EntryIx::new(ix.index() + entries);
        self.unproved.extend(next.unproved.into_iter().map(shifted));
        self.values.extend(next.values.into_iter().map(|value| value.map(shifted)));
        self.label_times.extend(next.label_times);
        self.tool_selection = next.tool_selection.or(self.tool_selection.take());
        self.unfinished = next.unfinished.or(self.unfinished);
        self.lines = lines.saturating_add(next.lines);
        self.entries.append(next.entries, lines);
        self.diagnostics.extend(next.diagnostics.into_iter().map(|mut diagnostic| {
            diagnostic.line += lines;
            diagnostic
        }));
    }

    /// Takes one line; an error says why the file is no session.
    fn line(&mut self, line: RawLine<'_>) -> Result<(), String> {
        let trusts = self.trust == Trust::LongResults && self.has_header && line.terminated;
        if trusts && self.short_line(line) {
            return Ok(());
        }
        let text = decode(line.bytes);
        if matches!(text, Cow::Owned(_)) {
            self.note(line, Problem::InvalidUtf8, "bytes that are not UTF-8 are shown as \u{fffd}");
        }
        if js::is_blank(&text) {
            return Ok(());
        }
        let mut tape = std::mem::take(&mut self.tape);
        let outcome = match tape.parse(&text) {
            Ok(value) => self.value(value, line),
            Err(invalid) => {
                self.bad_line(invalid, line);
                Ok(())
            }
        };
        self.tape = tape;
        outcome
    }

    /// Takes a long result by its start and its end, where it has those of one.
    fn short_line(&mut self, line: RawLine<'_>) -> bool {
        let mut short = std::mem::take(&mut self.short);
        let mut tape = std::mem::take(&mut self.tape);
        let text = shorten_result(line.bytes, &mut short).then(|| std::str::from_utf8(&short).ok()).flatten();
        let is_taken = match text.map(|text| tape.parse(text)) {
            Some(Ok(value)) => {
                self.unproved.push(EntryIx::new(self.entries.len()));
                self.value(value, line).is_ok()
            }
            _ => false,
        };
        (self.short, self.tape) = (short, tape);
        is_taken
    }

    fn value(&mut self, value: Value<'_>, line: RawLine<'_>) -> Result<(), String> {
        let Ok(length) = u32::try_from(line.bytes.len()) else {
            self.note(line, Problem::NotAnEntry, "the line is longer than 4 GB; it is skipped");
            return Ok(());
        };
        if is_falsy_line(value) {
            self.note(line, Problem::NotAnEntry, "the line holds no entry; it is skipped");
            return Ok(());
        }
        if !self.has_header {
            let header =
                Header::of(value, line.number, line.offset, length).filter(|header| header.id.is_some());
            self.header = Some(header.ok_or_else(|| not_a_header(value, line.number))?);
            self.has_header = true;
            self.values.push(None);
            return Ok(());
        }
        if !value.is_object() {
            self.values.push(None);
            self.note(
                line,
                Problem::NotAnEntry,
                "the line holds no entry; it is skipped, pi's tree breaks on it",
            );
            return Ok(());
        }
        if value.get_str("type").as_deref() == Some("session") {
            self.values.push(None);
            self.note(line, Problem::ExtraHeader, "a second header; it is ignored, as in pi");
            return Ok(());
        }
        if !line.terminated {
            self.note(
                line,
                Problem::NoFinalNewline,
                "the last line has no line end; pi adds one when it opens the file",
            );
        }
        let head = kept_head(value, line.number, line.offset, length);
        if let Some(selection) = ToolSelection::of(value, &head.kind) {
            self.tool_selection = Some(selection);
        }
        self.diagnostics.extend(oddity::finding(value, line.number));
        if matches!(head.kind, Kind::Label { .. }) {
            self.label_times.push(value.get_some("timestamp").map(|time| time.to_json().into()));
        }
        self.values.push(Some(EntryIx::new(self.entries.len())));
        self.entries.push(&head);
        Ok(())
    }

    fn bad_line(&mut self, invalid: Invalid, line: RawLine<'_>) {
        let torn = invalid.flaw == Flaw::Torn && !line.terminated;
        let (problem, message) = match invalid.flaw {
            _ if line.offset == 0 && line.bytes.starts_with(b"\xef\xbb\xbf") => (
                Problem::ByteOrderMark,
                "the file begins with a byte order mark, so its first line cannot be read".to_owned(),
            ),
            Flaw::Torn if torn => {
                (Problem::TornLine, "the last line was cut short; it is skipped, as in pi".to_owned())
            }
            Flaw::Fused => (
                Problem::FusedLines,
                format!(
                    "two records stand on one line; both are lost to pi and skipped here (byte {})",
                    invalid.offset + 1
                ),
            ),
            _ => (Problem::InvalidJson, format!("the line is skipped, as in pi: {invalid}")),
        };
        self.note(line, problem, message);
    }

    fn note(&mut self, line: RawLine<'_>, problem: Problem, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::new(line.number, problem, message));
    }

    fn finish(mut self, path: PathBuf, source: Source, length: u64) -> Result<Session, Error> {
        let Some(header) = self.header.take() else {
            let reason = match self.diagnostics.first() {
                None if length == 0 => "it is empty".to_owned(),
                None => "it holds no records".to_owned(),
                Some(first) => format!("it has no header ({first})"),
            };
            return Err(Error::new("cannot open", path, Cause::NotASession(reason)));
        };
        self.check_version(&header);
        if header.version.is_v1() {
            self.map_kept_indexes();
        }
        self.entries.shrink();
        let entries = &self.entries;
        let by_id = IdTable::of(entries.ids(), |at, earlier| {
            let (line, first) = (entries.line(at.index()), entries.line(earlier.index()));
            let id = &entries.ids()[at.index()];
            self.diagnostics.push(Diagnostic::new(
                line,
                Problem::DuplicateId,
                format!("the id {id} was used before, on line {first}; pi knows only the last line with it"),
            ));
        });
        let is_v1 = header.version.is_v1();
        let is_chain = |at: usize| {
            let is_before = |at: usize| !entries.has_own_id(at);
            is_v1 || is_before(at) || at.checked_sub(1).is_some_and(is_before)
        };
        let links = Links::build(entries, &by_id, is_chain, &mut self.diagnostics);
        let mut session = Session {
            path,
            source,
            length,
            lines: self.lines,
            unfinished: self.unfinished,
            header,
            labels: self.replay_labels(),
            name: self.last_name(),
            label_times: self.label_times,
            tool_selection: self.tool_selection,
            entries: self.entries,
            unproved: self.unproved,
            is_proved: AtomicBool::new(false),
            by_id,
            links,
            diagnostics: self.diagnostics,
        };
        if let Some(dead) = session.dead_branch() {
            session.diagnostics.push(dead.diagnostic(&session));
        }
        session.diagnostics.sort_by_key(|diagnostic| diagnostic.line);
        Ok(session)
    }

    fn check_version(&mut self, header: &Header) {
        let version = &header.version;
        let with_ids = version.is_v1() && (0..self.entries.len()).any(|at| self.entries.has_own_id(at));
        let (problem, message) = if version.number.is_nan() {
            (
                Problem::OddVersion,
                format!("the version {} is no number; pi rewrites the file at every opening", version.stored),
            )
        } else if with_ids {
            (
                Problem::MissingVersion,
                "the header says version 1 but entries have ids; they and the tree are kept here, pi would replace \
                 every id and make one chain of the entries"
                    .to_owned(),
            )
        } else if version.number > 3.0 {
            (
                Problem::NewerVersion,
                format!("version {} is newer than 3, the newest one known", version.stored),
            )
        } else {
            return;
        };
        self.diagnostics.push(Diagnostic::new(header.line, problem, message));
    }

    /// Version 1 names the first kept entry by its number among all parsed values. Only an earlier entry counts.
    fn map_kept_indexes(&mut self) {
        let entries = std::mem::take(&mut self.entries);
        let target = |at: usize, index: f64| {
            let target = self.values.get(index as usize).copied().flatten()?.index();
            (target < at && index.fract() == 0.0).then(|| entries.ids()[target].clone())
        };
        let mapped = entries.iter().enumerate().map(|(at, mut head)| {
            if let Kind::Compaction { first_kept, first_kept_index: Some(index), .. } = &mut head.kind {
                *first_kept = target(at, *index);
            }
            head
        });
        self.entries = mapped.collect();
    }

    fn replay_labels(&self) -> Labels {
        let mut labels = Labels::default();
        let mut timestamps = self.label_times.iter();
        for head in self.of_class(Class::Label) {
            if let Kind::Label { target, label } = head.kind {
                labels.replay(Label {
                    target,
                    text: label.unwrap_or_default(),
                    timestamp: timestamps.next().cloned().flatten(),
                    time: head.time,
                });
            }
        }
        labels
    }

    fn of_class(&self, class: Class) -> impl DoubleEndedIterator<Item = EntryHead> {
        (0..self.entries.len())
            .filter(move |&at| self.entries.class(at) == class)
            .map(|at| self.entries.get(at))
    }

    fn last_name(&self) -> Option<String> {
        let Kind::SessionInfo { name } = self.of_class(Class::SessionInfo).next_back()?.kind else {
            return None;
        };
        let name = name.unwrap_or_default();
        let name = js::trim(&name);
        (!name.is_empty()).then(|| name.to_owned())
    }
}

/// What is kept of an entry.
pub(super) fn kept_head(value: Value<'_>, line: u32, offset: u64, length: u32) -> EntryHead {
    let mut head = entry_head(value, line, offset, length);
    if offset >= GISTS_OF_RESULTS && matches!(head.kind.role(), Some(Role::ToolResult { .. })) {
        head.gist_is_cut = !std::mem::take(&mut head.gist).is_empty();
    }
    head
}

fn not_a_header(value: Value<'_>, line: u32) -> String {
    let what = match value.get_str("type").as_deref() {
        Some("session") => "a header whose id is no text".to_owned(),
        Some(other) => format!("a record of type {other:?}"),
        None => "no record of a session".to_owned(),
    };
    format!("its first record (line {line}) is {what}")
}
