use super::{TreeKey, TreePane};
use crate::session::{Connector, EntryIx, OutlineRow};

/// What a move in the tree asks of the app.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum TreeAsk {
    /// Nothing.
    Nothing,
    /// The rows of a document have to be built anew.
    Outline(usize),
    /// There is nothing to unfold: go in.
    GoIn,
}

impl TreePane {
    /// Folds what is under the cursor, or goes to its parent.
    pub(crate) fn fold(&mut self, height: usize) -> TreeAsk {
        let Some(cursor) = self.cursor else { return TreeAsk::Nothing };
        let Some(entry) = cursor.entry else {
            if self.close_fork(cursor.doc) {
                return TreeAsk::Nothing;
            }
            let fork = self.docs[cursor.doc].fork.as_ref();
            if let Some((parent, point @ Some(_))) = fork.map(|fork| (fork.parent, fork.point)) {
                self.select_nearest(parent, point);
                self.keep_cursor_in_view(height);
            }
            return TreeAsk::Nothing;
        };
        let Some(row) = self.outline_row_of(cursor.doc, entry).cloned() else { return TreeAsk::Nothing };
        if row.is_foldable && !row.is_folded {
            self.docs[cursor.doc].folded.insert(entry);
            return TreeAsk::Outline(cursor.doc);
        }
        match row.parent {
            Some(parent) => {
                let entry = self.docs[cursor.doc]
                    .outline
                    .as_deref()
                    .map(|outline| outline.rows[parent as usize].entry);
                self.cursor = Some(TreeKey { doc: cursor.doc, entry });
            }
            None if cursor.doc > 0 => self.cursor = Some(TreeKey { doc: cursor.doc, entry: None }),
            None => {}
        }
        self.keep_cursor_in_view(height);
        TreeAsk::Nothing
    }

    /// Unfolds what is under the cursor.
    pub(crate) fn unfold(&mut self) -> TreeAsk {
        let Some(cursor) = self.cursor else { return TreeAsk::Nothing };
        match cursor.entry {
            None => self.open_fork(cursor.doc),
            Some(entry) if self.docs[cursor.doc].folded.remove(&entry) => TreeAsk::Outline(cursor.doc),
            Some(_) => TreeAsk::GoIn,
        }
    }

    /// Folds or unfolds what is under the cursor; a row that cannot be folded passes it on to its segment.
    pub(crate) fn toggle_fold(&mut self, height: usize) -> TreeAsk {
        let Some(cursor) = self.cursor else { return TreeAsk::Nothing };
        let is_closed = match cursor.entry {
            None => self.docs[cursor.doc].fork.as_ref().is_some_and(|fork| !fork.is_open),
            Some(entry) => self.docs[cursor.doc].folded.contains(&entry),
        };
        if is_closed {
            return self.unfold();
        }
        let is_foldable = cursor
            .entry
            .is_none_or(|entry| self.outline_row_of(cursor.doc, entry).is_some_and(|row| row.is_foldable));
        if is_foldable { self.fold(height) } else { TreeAsk::Nothing }
    }

    /// pi's segment key upwards: folds where a segment starts, else jumps up to where one starts.
    pub(crate) fn segment_up(&mut self, height: usize) -> TreeAsk {
        let Some((doc, entry)) = self.cursor.and_then(|cursor| Some((cursor.doc, cursor.entry?))) else {
            return self.fold(height);
        };
        let Some(row) = self.outline_row_of(doc, entry) else { return TreeAsk::Nothing };
        if row.is_foldable && !row.is_folded {
            return self.fold(height);
        }
        let Some(outline) = self.docs[doc].outline.as_deref() else { return TreeAsk::Nothing };
        let mut at = row;
        while let Some(parent) = at.parent {
            at = &outline.rows[parent as usize];
            if at.is_foldable {
                break;
            }
        }
        self.cursor = Some(TreeKey { doc, entry: Some(at.entry) });
        self.keep_cursor_in_view(height);
        TreeAsk::Nothing
    }

    /// pi's segment key downwards: unfolds, else jumps to the first child of the next fork or the chain's end.
    pub(crate) fn segment_down(&mut self, height: usize) -> TreeAsk {
        let Some((doc, entry)) = self.cursor.and_then(|cursor| Some((cursor.doc, cursor.entry?))) else {
            return self.unfold();
        };
        if self.docs[doc].folded.contains(&entry) {
            return self.unfold();
        }
        let Some(outline) = self.docs[doc].outline.as_deref() else { return TreeAsk::Nothing };
        let Some(mut at) = outline.row_of(entry) else { return TreeAsk::Nothing };
        while let Some(next) = outline.rows.get(at + 1).filter(|next| next.parent == Some(at as u32)) {
            at += 1;
            // A first child that starts a segment of its own stands behind a fork.
            if next.connector != Connector::None {
                break;
            }
        }
        self.cursor = Some(TreeKey { doc, entry: Some(outline.rows[at].entry) });
        self.keep_cursor_in_view(height);
        TreeAsk::Nothing
    }

    /// Forgets all folds, as a new filter or search does in pi.
    pub(crate) fn unfold_all(&mut self) {
        for doc in &mut self.docs {
            doc.folded.clear();
        }
    }

    fn outline_row_of(&self, doc: usize, entry: EntryIx) -> Option<&OutlineRow> {
        let outline = self.docs.get(doc)?.outline.as_deref()?;
        outline.rows.get(outline.row_of(entry)?)
    }

    fn open_fork(&mut self, doc: usize) -> TreeAsk {
        let is_built = self.docs[doc].outline.is_some();
        let Some(fork) = self.docs[doc].fork.as_mut() else { return TreeAsk::GoIn };
        if fork.is_open {
            return TreeAsk::GoIn;
        }
        fork.is_open = true;
        self.rebuild();
        if is_built { TreeAsk::Nothing } else { TreeAsk::Outline(doc) }
    }

    fn close_fork(&mut self, doc: usize) -> bool {
        let was_open = self.docs[doc].fork.as_mut().is_some_and(|fork| std::mem::take(&mut fork.is_open));
        if was_open {
            self.rebuild();
        }
        was_open
    }
}
