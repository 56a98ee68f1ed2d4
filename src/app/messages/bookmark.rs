use super::folds::Folds;
use super::{Anchor, MessagesPane};
use crate::session::EntryIx;

/// Where the reader was, and what was unfolded there.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bookmark {
    folds: Folds,
    /// The entry the reader was at, and the row in its block.
    at: Option<(EntryIx, usize)>,
    /// Rows of the window above it.
    lead: usize,
}

impl MessagesPane {
    /// Where the reader is, to come back to.
    pub(crate) fn bookmark(&self) -> Bookmark {
        let at = self.current().map(|item| (item.entry(), self.anchor.row));
        Bookmark { folds: self.folds.clone(), at, lead: self.lead }
    }

    /// Goes back to where the reader was on this branch.
    pub(crate) fn give_back(&mut self, bookmark: Bookmark) {
        self.end_find();
        self.folds = bookmark.folds;
        let Some((entry, row)) = bookmark.at else { return };
        if let Some(item) = self.listing.items().iter().position(|item| item.entry() == entry) {
            self.anchor = Anchor { item, row };
            self.lead = bookmark.lead;
        }
    }
}
