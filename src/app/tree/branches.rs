use super::{TreeKey, TreePane, TreeRow};
use crate::session::{Attempt, EntryIx};

impl TreePane {
    /// What came of the branch that begins with a row: at the entry itself, or above it at one that the filter hides.
    pub fn attempt(&self, row: TreeRow) -> Option<&Attempt> {
        let TreeRow::Entry { doc, row } = row else { return None };
        let (outline, row) = self.outline_row(doc, row)?;
        let above = row.parent.map(|above| outline.rows[above as usize].entry);
        let doc = &self.docs[doc];
        let is_own = |at: &EntryIx| Some(*at) != above && !outline.view.hidden.contains(at);
        let mut up = Some(row.entry);
        while let Some(at) = up.filter(is_own) {
            if let Some(attempt) = doc.attempts.get(at) {
                return Some(attempt);
            }
            up = doc.session.links().parent(at);
        }
        None
    }

    /// Puts the cursor on the first entry that is shown of a branch from `start` down to `leaf`; says whether there is one.
    pub(crate) fn select_branch(&mut self, start: TreeKey, leaf: EntryIx) -> bool {
        let (Some(shown), Some(first)) = (self.docs.get(start.doc), start.entry) else { return false };
        let Some(outline) = shown.outline.as_deref() else { return false };
        let path = shown.session.path_to(Some(leaf));
        let below = path.iter().copied().skip_while(|&ix| ix != first);
        let is_shown = |&ix: &EntryIx| {
            let row = outline.visible_row(&shown.session, Some(ix));
            row.is_some_and(|row| outline.rows[row].entry == ix)
        };
        let Some(entry) = below.into_iter().find(is_shown) else { return false };
        self.cursor = Some(TreeKey { entry: Some(entry), ..start });
        self.see_cursor();
        true
    }
}
