use std::path::Path;

use super::{Home, SessionManager};
use crate::error::Error;
use crate::format::{EntryId, Header, ParentRef};
use crate::session::{Entry, EntryIx};
use crate::store::Store;

impl SessionManager {
    /// The id of the current leaf; none before everything. After opening it is the last entry of the file.
    pub fn get_leaf_id(&self) -> Option<&EntryId> {
        self.leaf.map(|leaf| self.session.entry_id(leaf))
    }

    /// The current leaf.
    ///
    /// # Errors
    /// When the file can no longer be read.
    pub fn get_leaf_entry(&self) -> Result<Option<Entry>, Error> {
        self.leaf.map(|leaf| self.session.read_entry(leaf)).transpose()
    }

    /// The entry with an id; of several, the last in the file.
    ///
    /// # Errors
    /// When the file can no longer be read.
    pub fn get_entry(&self, id: &str) -> Result<Option<Entry>, Error> {
        self.session.find_text(id).map(|ix| self.session.read_entry(ix)).transpose()
    }

    /// All entries in file order, without the header.
    ///
    /// # Errors
    /// When the file can no longer be read.
    pub fn get_entries(&self) -> Result<Vec<Entry>, Error> {
        self.read(self.session.indexes())
    }

    /// How many entries there are, without the header; lines with one id count once.
    pub fn get_entry_count(&self) -> usize {
        self.session.distinct_ids()
    }

    /// The path from its root down to an entry, or to the current leaf. An id that is not in the file has none.
    ///
    /// # Errors
    /// When the file can no longer be read.
    pub fn get_branch(&self, from: Option<&str>) -> Result<Vec<Entry>, Error> {
        let end = match from {
            None => self.leaf,
            Some(id) => self.session.find_text(id),
        };
        self.read(self.session.path_to(end).into_iter())
    }

    /// The entries that name `parent` as theirs, in file order, whether or not it is in the file.
    ///
    /// # Errors
    /// When the file can no longer be read.
    pub fn get_children(&self, parent: &str) -> Result<Vec<Entry>, Error> {
        let wanted = self.session.find_text(parent);
        let is_child = |ix: EntryIx| {
            let is_orphan =
                || matches!(&self.session.entry(ix).parent, ParentRef::Id(id) if id.as_str() == parent);
            match (self.session.links().named_parent(ix), wanted) {
                (Some(above), Some(wanted)) => above == wanted,
                (None, None) => is_orphan(),
                _ => false,
            }
        };
        let is_last_of_its_id = |ix: EntryIx| self.session.find(self.session.entry_id(ix)) == Some(ix);
        let all = self.session.indexes();
        self.read(all.filter(|&ix| is_child(ix) && is_last_of_its_id(ix)))
    }

    /// The label in force on an entry.
    pub fn get_label(&self, id: &str) -> Option<&str> {
        let ix = self.session.find_text(id)?;
        self.session.label_of(ix).map(|label| &*label.text)
    }

    /// The session's name: the last one given, on whatever branch; none where that is blank.
    pub fn get_session_name(&self) -> Option<&str> {
        self.session.name()
    }

    /// The header.
    pub fn get_header(&self) -> &Header {
        self.session.header()
    }

    /// The working directory.
    pub fn get_cwd(&self) -> &Path {
        &self.cwd
    }

    /// Where new sessions would be written; empty for a session in memory.
    pub fn get_session_dir(&self) -> &Path {
        &self.session_dir
    }

    /// The session's id.
    pub fn get_session_id(&self) -> &str {
        self.session.id()
    }

    /// The session's file, which need not exist yet; none for a session in memory.
    pub fn get_session_file(&self) -> Option<&Path> {
        self.is_persisted().then(|| self.session.path())
    }

    /// Whether the session has a file, or will have one.
    pub fn is_persisted(&self) -> bool {
        self.home != Home::Memory
    }

    /// Whether new sessions go to pi's own place for the working directory.
    pub fn uses_default_session_dir(&self) -> bool {
        self.session_dir == Store::of_agent(&self.environment).folder_of(&self.cwd)
    }

    pub(super) fn read(&self, entries: impl Iterator<Item = EntryIx>) -> Result<Vec<Entry>, Error> {
        entries.map(|ix| self.session.read_entry(ix)).collect()
    }
}
