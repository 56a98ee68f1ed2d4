use super::SessionManager;
use crate::error::Error;
use crate::format::EntryId;
use crate::session::{Entry, EntryIx, Session};

/// A node of the tree: an entry, its label and the nodes below it. It is a place in the session and costs nothing, so
/// trees may be as deep as files are long.
#[derive(Clone, Copy, Debug)]
pub struct TreeNode<'m> {
    session: &'m Session,
    entry: EntryIx,
}

impl SessionManager {
    /// The roots of the tree in file order: entries without a parent, and those whose parent is not in the file.
    pub fn get_tree(&self) -> Vec<TreeNode<'_>> {
        let node = |&entry: &EntryIx| TreeNode { session: &self.session, entry };
        self.session.links().roots().iter().map(node).collect()
    }
}

impl<'m> TreeNode<'m> {
    /// The entry's id.
    pub fn id(&self) -> &'m EntryId {
        self.session.entry_id(self.entry)
    }

    /// The entry.
    ///
    /// # Errors
    /// When the file can no longer be read.
    pub fn entry(&self) -> Result<Entry, Error> {
        self.session.read_entry(self.entry)
    }

    /// The nodes below it, oldest first.
    pub fn children(&self) -> impl Iterator<Item = TreeNode<'m>> + use<'m> {
        let session = self.session;
        session.links().children(self.entry).iter().map(move |&entry| TreeNode { session, entry })
    }

    /// The label in force on it.
    pub fn label(&self) -> Option<&'m str> {
        self.session.label_of(self.entry).map(|label| &*label.text)
    }

    /// The time at which that was set, as JSON.
    pub fn label_timestamp(&self) -> Option<&'m str> {
        self.session.label_of(self.entry)?.timestamp.as_deref()
    }
}
