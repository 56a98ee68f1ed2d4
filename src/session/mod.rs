//! The meaning of one session file: its entries in file order, the tree they form, labels and name, the
//! context at any leaf, and the totals.
//!
//! A [`Session`] is read once into heads and never changes; bodies are read from the file when they are
//! wanted. Tree, outline and context are functions of a session and a leaf.

mod attempt;
mod build;
mod call_table;
mod context;
mod convert;
mod copy_text;
mod dead_branch;
mod ending;
mod entry;
mod heads;
mod labels;
mod links;
pub mod message;
mod oddity;
mod outline;
mod parts;
mod path;
mod projection;
mod proof;
mod row_text;
mod source;
mod system;
mod tool_selection;
mod totals;
mod turn;
mod usage;

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

pub use attempt::{Attempt, Attempts};
pub use context::{Context, ContextItem, ModelInForce, Omission, Part};
pub use convert::SentMessage;
pub use dead_branch::DeadBranch;
pub(crate) use dead_branch::{finding as dead_branch_finding, is_left_behind};
pub use ending::Ending;
pub use entry::{Compaction, Entry, EntryBody};
pub use labels::{Label, Labels};
pub use links::{EntryIx, Links};
pub use message::Message;
pub(crate) use oddity::finding as oddity_finding;
pub use outline::{Connector, Filter, Gutter, Outline, OutlineRow, OutlineView};
pub use path::{Leaf, LeafArg};
pub use row_text::{RowClass, RowText, search_words};
pub use system::{PromptSection, SystemChange, SystemState, ToolInForce};
pub use tool_selection::ToolSelection;
pub use totals::{ModelTotal, Totals};
pub use turn::Turn;
pub use usage::{ContextTokens, WindowShare};

use crate::cancel::Cancel;
use crate::error::{Cause, Error};
use crate::format::json::Document;
use crate::format::{Diagnostic, EntryHead, EntryId, Header, Kind};
use build::Trust;
use heads::{Class, Heads, IdTable};
pub(crate) use source::Identity;
use source::Source;

/// One session file, read into heads.
#[derive(Debug)]
pub struct Session {
    path: PathBuf,
    source: Source,
    /// Bytes of the file that were read.
    length: u64,
    /// Lines that were read, blank ones included.
    lines: u32,
    /// Where the last line begins, if it has no line end.
    unfinished: Option<u64>,
    header: Header,
    entries: Heads,
    /// Entries of which only the start and the end of the line were read.
    unproved: Vec<EntryIx>,
    /// Whether that was made good.
    is_proved: AtomicBool,
    by_id: IdTable,
    links: Links,
    labels: Labels,
    /// The time of every label entry as it stands in the file.
    label_times: Vec<Option<Box<str>>>,
    name: Option<String>,
    tool_selection: Option<ToolSelection>,
    diagnostics: Vec<Diagnostic>,
}

impl Session {
    /// Reads the file at `path`. Damage inside it never fails; see [`Session::diagnostics`].
    ///
    /// # Errors
    /// When the file cannot be read, or its first record is no session header.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::open_with(path, &Cancel::new())
    }

    /// As [`Session::open`], stopping soon after `cancel` is set.
    ///
    /// # Errors
    /// As [`Session::open`], and [`Cause::Cancelled`].
    pub fn open_with(path: impl AsRef<Path>, cancel: &Cancel) -> Result<Self, Error> {
        Self::open_trusting(path.as_ref(), Trust::Nothing, cancel)
    }

    /// As [`Session::open_with`], in less time where the file is large: the middle of long results of tools is not looked
    /// at. [`Session::prove`] does that, and until then a line that was cut short or holds two records may be an entry.
    ///
    /// # Errors
    /// As [`Session::open_with`].
    pub fn open_quickly(path: impl AsRef<Path>, cancel: &Cancel) -> Result<Self, Error> {
        Self::open_trusting(path.as_ref(), Trust::LongResults, cancel)
    }

    fn open_trusting(path: &Path, trust: Trust, cancel: &Cancel) -> Result<Self, Error> {
        let failed = |error| Error::new("cannot read", path, Cause::Io(error));
        let file = File::open(path).map_err(failed)?;
        if file.metadata().map_err(failed)?.is_dir() {
            return Err(Error::new("cannot read", path, Cause::NotASession("it is a folder".into())));
        }
        build::read(path.to_owned(), Source::File(file), trust, cancel)
    }

    /// Reads a session from bytes held in memory, under the name `path`.
    ///
    /// # Errors
    /// When the first record is no session header.
    pub fn from_bytes(path: impl Into<PathBuf>, bytes: Vec<u8>) -> Result<Self, Error> {
        build::read(path.into(), Source::Memory(bytes), Trust::Nothing, &Cancel::new())
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The open file, for those who must know whether it is still the one at its path; `None` for a session in memory.
    pub(crate) fn file(&self) -> Option<&File> {
        match &self.source {
            Source::File(file) => Some(file),
            Source::Memory(_) => None,
        }
    }

    /// All bytes of a session that is held in memory; none of one in a file.
    pub(crate) fn memory(&self) -> &[u8] {
        match &self.source {
            Source::File(_) => &[],
            Source::Memory(bytes) => bytes,
        }
    }

    /// All that was read, once more.
    pub(crate) fn reader(&self) -> impl io::Read + '_ {
        io::Read::take(self.source.stream_at(0), self.length)
    }

    /// Bytes that were read.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The session id.
    pub fn id(&self) -> &str {
        self.header.id.as_deref().unwrap_or_default()
    }

    /// Number of entry lines, repeated ids included.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True for a session that is only a header.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of different ids.
    pub fn distinct_ids(&self) -> usize {
        self.by_id.len()
    }

    /// All entries in file order.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (EntryIx, EntryHead)> + DoubleEndedIterator {
        self.entries.iter().enumerate().map(|(at, head)| (EntryIx::new(at), head))
    }

    /// Where all entries stand in file order.
    pub fn indexes(&self) -> impl ExactSizeIterator<Item = EntryIx> + DoubleEndedIterator + use<> {
        (0..self.len()).map(EntryIx::new)
    }

    /// The head of an entry, unpacked.
    pub fn entry(&self, ix: EntryIx) -> EntryHead {
        self.entries.get(ix.index())
    }

    /// The byte at which the line of an entry begins.
    pub fn offset(&self, ix: EntryIx) -> u64 {
        self.entries.offset(ix.index())
    }

    /// What an entry is, as far as it takes to know whether a tree shows it.
    fn class(&self, ix: EntryIx) -> Class {
        self.entries.class(ix.index())
    }

    /// The id of an entry; one it was given (`v1#n`) where it has none.
    pub fn entry_id(&self, ix: EntryIx) -> &EntryId {
        &self.entries.ids()[ix.index()]
    }

    /// The entry an id stands for; of several with the same id, the last one in the file.
    pub fn find(&self, id: &EntryId) -> Option<EntryIx> {
        self.by_id.get(self.entries.ids(), id)
    }

    /// The entry a typed id stands for, whatever type the id has in the file.
    pub fn find_text(&self, id: &str) -> Option<EntryIx> {
        self.find(&EntryId::text(id)).or_else(|| self.find(&EntryId::json(id)))
    }

    /// Parents, children and roots.
    pub fn links(&self) -> &Links {
        &self.links
    }

    /// Where pi continues: the last entry of the file, of whatever type.
    pub fn current_leaf(&self) -> Option<EntryIx> {
        self.entries.len().checked_sub(1).map(EntryIx::new)
    }

    /// The labels in force.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// The label on an entry. Of lines with equal ids only the last carries it.
    pub fn label_of(&self, ix: EntryIx) -> Option<&Label> {
        let id = self.entry_id(ix);
        self.labels.get(id).filter(|_| self.find(id) == Some(ix))
    }

    /// The name: the last one given anywhere in the file, trimmed; `None` when blank.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The tools chosen for the session, where pi-web noted a choice.
    pub fn tool_selection(&self) -> Option<&ToolSelection> {
        self.tool_selection.as_ref()
    }

    /// What is wrong with the file, in line order.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The line of an entry exactly as it stands in the file, without its line end.
    ///
    /// # Errors
    /// When the file can no longer be read there.
    pub fn line(&self, ix: EntryIx) -> Result<Vec<u8>, Error> {
        let head = self.entry(ix);
        self.read(head.offset, head.length)
    }

    /// The parsed line of an entry.
    ///
    /// # Errors
    /// When the file can no longer be read there, or holds something else by now.
    pub fn body(&self, ix: EntryIx) -> Result<Document, Error> {
        self.parse(self.line(ix)?)
    }

    /// The parsed header line.
    ///
    /// # Errors
    /// As [`Session::body`].
    pub fn header_body(&self) -> Result<Document, Error> {
        self.parse(self.read(self.header.offset, self.header.length)?)
    }

    /// pi's word for an entry's role. In files before version 3 `hookMessage` means `custom`.
    pub fn role_word(&self, ix: EntryIx) -> String {
        self.word_of_role(&self.entry(ix).kind).to_owned()
    }

    /// As [`Session::role_word`], of an entry whose head is at hand.
    fn word_of_role<'k>(&self, kind: &'k Kind) -> &'k str {
        match kind.role() {
            Some(role) if role.word() == "hookMessage" && self.header.version.is_before_v3() => "custom",
            Some(role) => role.word(),
            None => "",
        }
    }

    /// How often each type of entry occurs, by pi's word for it, in the order of the words.
    pub fn entry_types(&self) -> BTreeMap<Box<str>, usize> {
        let mut types: BTreeMap<Box<str>, usize> = BTreeMap::new();
        for head in self.entries.iter() {
            match types.get_mut(head.kind.word()) {
                Some(count) => *count += 1,
                None => _ = types.insert(head.kind.word().into(), 1),
            }
        }
        types
    }

    fn read(&self, offset: u64, length: u32) -> Result<Vec<u8>, Error> {
        self.source.read_at(offset, length).map_err(|error| Error::new("cannot read", &self.path, error))
    }

    fn parse(&self, bytes: Vec<u8>) -> Result<Document, Error> {
        Document::parse_lossy(bytes).map_err(|_| {
            Error::new(
                "cannot read",
                &self.path,
                Cause::Other("the file has changed since it was opened".into()),
            )
        })
    }
}

#[cfg(test)]
mod tests;
