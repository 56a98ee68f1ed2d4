mod branches;
mod folds;
mod rows;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) use folds::TreeAsk;

use super::find::Find;
use super::scroll::{Ends, keep_in_view};
use super::{ForkFound, Opened, Step};
use crate::error::Error;
use crate::format::{Kind, Role};
use crate::session::{Attempts, EntryIx, Filter, Outline, OutlineRow, OutlineView, Session, Totals};
use crate::store::SessionSummary;

/// The tree of one session, with its forks.
#[derive(Debug, Default)]
pub struct TreePane {
    /// What there is to show.
    pub content: TreeContent,
    /// The session at 0, then the forks that were found, each behind the one it left.
    pub docs: Vec<Doc>,
    /// What is drawn from top to bottom.
    pub rows: Vec<TreeRow>,
    /// Which entries are shown.
    pub filter: Filter,
    /// The search.
    pub find: Find,
    /// Whether the times of labels are shown.
    pub shows_label_times: bool,
    cursor: Option<TreeKey>,
    /// The row at which the cursor was last seen. Drawing asks for it many times, and there may be many rows.
    seen_at: usize,
    top: usize,
}

/// What the tree pane has to show.
#[derive(Debug, Default)]
pub enum TreeContent {
    /// No session is selected.
    #[default]
    Nothing,
    /// A session is being read; the one before it stays on the screen.
    Loading(PathBuf),
    /// A session.
    Ready,
    /// A session that could not be read.
    Failed(PathBuf, Error),
}

/// A session in the tree: the one that is shown, or a fork.
#[derive(Debug)]
pub struct Doc {
    /// The session.
    pub session: Arc<Session>,
    /// Its rows; of a fork only its own entries, once it was unfolded.
    pub outline: Option<Arc<Outline>>,
    /// How it hangs in the tree, for forks.
    pub fork: Option<Fork>,
    /// Sums, known for the session itself.
    pub totals: Option<Totals>,
    /// The ends of its branches.
    pub leaves: Vec<EntryIx>,
    /// What came of its branches.
    pub attempts: Attempts,
    folded: HashSet<EntryIx>,
}

/// How a fork hangs in the tree.
#[derive(Debug)]
pub struct Fork {
    /// Its row in the store.
    pub summary: Arc<SessionSummary>,
    /// The document it left.
    pub parent: usize,
    /// The last entry both share; `None` when they share none.
    pub point: Option<EntryIx>,
    /// Entries of its own.
    pub own_entries: usize,
    /// Whether its own entries are shown.
    pub is_open: bool,
    /// Whether nothing follows below the entry it left.
    pub is_last: bool,
    /// The entries it shares, in its own counting.
    shared: HashSet<EntryIx>,
}

/// One row of the tree pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeRow {
    /// An entry.
    Entry {
        /// Its document.
        doc: usize,
        /// The row in that document's outline.
        row: usize,
    },
    /// The row of a fork.
    Fork {
        /// The fork's document.
        doc: usize,
    },
}

/// A row by what it shows, which stays when rows come and go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TreeKey {
    /// The document.
    pub doc: usize,
    /// The entry; none for the row of a fork.
    pub entry: Option<EntryIx>,
}

impl TreePane {
    /// A tree that shows nothing yet, and then what passes a filter.
    pub(super) fn new(filter: Filter) -> Self {
        Self { filter, ..Self::default() }
    }

    /// The session that is shown, forks aside.
    pub fn session(&self) -> Option<&Arc<Session>> {
        self.docs.first().map(|doc| &doc.session)
    }

    /// What was read of a file that is shown, as the session or as one of its forks.
    pub(crate) fn known(&self, path: &Path) -> Option<Arc<Session>> {
        self.docs.iter().map(|doc| &doc.session).find(|session| session.path() == path).cloned()
    }

    /// The file that is shown or being read.
    pub fn path(&self) -> Option<&Path> {
        match &self.content {
            TreeContent::Nothing => None,
            TreeContent::Loading(path) | TreeContent::Failed(path, _) => Some(path),
            TreeContent::Ready => self.session().map(|session| session.path()),
        }
    }

    /// The row under the cursor.
    pub fn selected(&self) -> Option<usize> {
        let cursor = self.cursor?;
        let is_there = |row: &TreeRow| self.key(*row) == Some(cursor);
        let seen = Some(self.seen_at).filter(|&at| self.rows.get(at).is_some_and(is_there));
        seen.or_else(|| self.rows.iter().position(is_there))
    }

    /// Looks where the cursor is after it, or the rows, were changed.
    fn see_cursor(&mut self) {
        self.seen_at = self.selected().unwrap_or(0);
    }

    fn keep_cursor_in_view(&mut self, height: usize) {
        self.see_cursor();
        self.top = self.top(height);
    }

    /// What stands under the cursor.
    pub fn cursor(&self) -> Option<TreeKey> {
        self.cursor
    }

    /// The document and entry under the cursor; for a fork's row the fork's own leaf.
    pub fn cursor_entry(&self) -> Option<(usize, EntryIx)> {
        let cursor = self.cursor?;
        let entry = cursor.entry.or_else(|| self.docs[cursor.doc].session.current_leaf())?;
        Some((cursor.doc, entry))
    }

    /// The first row in view for a pane of this height.
    pub fn top(&self, height: usize) -> usize {
        keep_in_view(self.top, self.selected().unwrap_or(0), self.rows.len(), height)
    }

    /// The outline row of an entry's row.
    pub fn outline_row(&self, doc: usize, row: usize) -> Option<(&Outline, &OutlineRow)> {
        let outline = self.docs.get(doc)?.outline.as_deref()?;
        Some((outline, outline.rows.get(row)?))
    }

    /// What a row shows.
    pub fn key(&self, row: TreeRow) -> Option<TreeKey> {
        match row {
            TreeRow::Entry { doc, row, .. } => {
                self.outline_row(doc, row).map(|(_, row)| TreeKey { doc, entry: Some(row.entry) })
            }
            TreeRow::Fork { doc, .. } => Some(TreeKey { doc, entry: None }),
        }
    }

    /// How a document's tree is shown now.
    pub(crate) fn view(&self, doc: usize) -> OutlineView {
        let view = OutlineView {
            filter: self.filter,
            search: self.find.text().to_owned(),
            ..OutlineView::default()
        };
        let Some(doc) = self.docs.get(doc) else { return view };
        OutlineView {
            leaf: doc.session.current_leaf(),
            folded: doc.folded.clone(),
            hidden: doc.fork.as_ref().map(|fork| fork.shared.clone()).unwrap_or_default(),
            ..view
        }
    }

    /// Begins to read another session.
    pub(crate) fn load(&mut self, path: PathBuf) {
        self.content = TreeContent::Loading(path);
    }

    /// Shows a session that was read. One that was shown before and has only grown keeps cursor, folds, forks and
    /// scroll; a cursor at its end goes on to the new end, if it `follows`. Any other keeps the cursor where the entry
    /// is still there.
    pub(crate) fn show(&mut self, opened: Opened, follows: bool) {
        let leaf = opened.session.current_leaf();
        let follows = follows && self.cursor.is_some() && self.cursor == self.end();
        self.content = TreeContent::Ready;
        let shown = self.docs.first_mut().filter(|doc| has_grown(&doc.session, &opened.session));
        if let Some(doc) = shown {
            doc.session = opened.session;
            doc.outline = Some(Arc::new(opened.outline));
            doc.totals = Some(opened.totals);
            doc.leaves = opened.leaves;
            doc.attempts = opened.attempts;
            self.rebuild();
            match self.cursor {
                Some(TreeKey { doc: 0, .. }) if follows => self.select_nearest(0, leaf),
                Some(TreeKey { doc: 0, entry: Some(entry) }) => self.select_nearest(0, Some(entry)),
                _ => {}
            }
            return;
        }
        let is_same = self.session().is_some_and(|session| session.path() == opened.session.path());
        let kept = if is_same { self.cursor_id() } else { None };
        let session = opened.session;
        self.docs = vec![Doc {
            session: Arc::clone(&session),
            outline: Some(Arc::new(opened.outline)),
            fork: None,
            totals: Some(opened.totals),
            leaves: opened.leaves,
            attempts: opened.attempts,
            folded: HashSet::new(),
        }];
        self.top = 0;
        self.rebuild();
        let entry = kept.and_then(|id| session.find_text(&id)).or(leaf);
        self.select_nearest(0, entry);
    }

    /// The row at which the session ends, also where its last entry is not shown: a label hangs below the row that is.
    fn end(&self) -> Option<TreeKey> {
        let doc = self.docs.first()?;
        let outline = doc.outline.as_deref()?;
        let row = outline.nearest_row(&doc.session, doc.session.current_leaf())?;
        Some(TreeKey { doc: 0, entry: Some(outline.rows[row].entry) })
    }

    /// Shows why a session could not be read.
    pub(crate) fn fail(&mut self, path: PathBuf, error: Error) {
        self.close();
        self.content = TreeContent::Failed(path, error);
    }

    /// Shows no session.
    pub(crate) fn close(&mut self) {
        *self = Self { filter: self.filter, shows_label_times: self.shows_label_times, ..Self::default() };
    }

    /// Takes new rows for a document.
    pub(crate) fn take_outline(&mut self, session: &Arc<Session>, outline: Outline) {
        let Some(at) = self.docs.iter().position(|doc| Arc::ptr_eq(&doc.session, session)) else { return };
        // The answer to an older question.
        if outline.view != self.view(at) {
            return;
        }
        self.docs[at].outline = Some(Arc::new(outline));
        let cursor = self.cursor;
        self.rebuild();
        match cursor {
            Some(TreeKey { doc, entry: Some(entry) }) => self.select_nearest(doc, Some(entry)),
            Some(TreeKey { doc, entry: None }) if self.selected().is_none() => self.select_nearest(doc, None),
            _ => {}
        }
    }

    /// Hangs forks under the entries they left. Returns the documents whose rows have to be built anew because they
    /// have grown.
    pub(crate) fn take_forks(&mut self, parent: &Arc<Session>, forks: Vec<ForkFound>) -> Vec<usize> {
        let Some(at) = self.docs.iter().position(|doc| Arc::ptr_eq(&doc.session, parent)) else {
            return Vec::new();
        };
        let mut grown = Vec::new();
        for found in forks {
            let known = self.docs.iter().position(|doc| doc.session.path() == found.session.path());
            if let Some(known) = known {
                let doc = &mut self.docs[known];
                if let Some(fork) = doc.fork.as_mut().filter(|_| has_grown(&doc.session, &found.session)) {
                    fork.own_entries = found.session.len() - found.shared.len();
                    fork.shared = found.shared;
                    fork.summary = found.summary;
                    doc.session = found.session;
                    doc.attempts = found.attempts;
                    grown.extend(doc.outline.is_some().then_some(known));
                }
                continue;
            }
            self.docs.push(Doc {
                outline: None,
                totals: None,
                leaves: Vec::new(),
                attempts: found.attempts,
                folded: HashSet::new(),
                fork: Some(Fork {
                    parent: at,
                    point: found.point,
                    own_entries: found.session.len() - found.shared.len(),
                    is_open: false,
                    is_last: false,
                    summary: found.summary,
                    shared: found.shared,
                }),
                session: found.session,
            });
        }
        self.rebuild();
        grown
    }

    /// Puts the cursor on the row of a fork; says whether it hangs in the tree.
    pub(crate) fn select_fork(&mut self, path: &Path) -> bool {
        let is_it = |doc: &Doc| doc.fork.is_some() && doc.session.path() == path;
        let Some(doc) = self.docs.iter().position(is_it) else { return false };
        self.cursor = Some(TreeKey { doc, entry: None });
        self.see_cursor();
        true
    }

    /// Moves the cursor as pi's tree does: round at the ends.
    pub(crate) fn step(&mut self, step: Step, height: usize) {
        let from = self.selected().unwrap_or(0);
        self.select_row(step.from(from, self.rows.len(), height, Ends::Wrap), height);
    }

    /// Moves the cursor as a wheel does: no further than the ends.
    pub(crate) fn scroll(&mut self, step: Step, height: usize) {
        let from = self.selected().unwrap_or(0);
        self.select_row(step.from(from, self.rows.len(), height, Ends::Stop), height);
    }

    /// Puts the cursor on a row.
    pub(crate) fn select_row(&mut self, row: usize, height: usize) {
        if let Some(&shown) = self.rows.get(row) {
            self.cursor = self.key(shown);
            self.seen_at = row;
        }
        self.keep_cursor_in_view(height);
    }

    /// Puts the cursor on an entry, or on its nearest visible ancestor.
    pub(crate) fn select_nearest(&mut self, doc: usize, entry: Option<EntryIx>) {
        let Some(shown) = self.docs.get(doc) else { return };
        let Some(outline) = shown.outline.as_deref() else { return };
        match outline.nearest_row(&shown.session, entry) {
            Some(row) => self.cursor = Some(TreeKey { doc, entry: Some(outline.rows[row].entry) }),
            // With nothing to be seen the entry is remembered, for when it can be seen again.
            None => self.cursor = entry.map(|entry| TreeKey { doc, entry: Some(entry) }).or(self.cursor),
        }
        self.see_cursor();
    }

    /// Puts the cursor on an entry or on its nearest visible ancestor; says whether there is one.
    pub(crate) fn select_visible(&mut self, doc: usize, entry: EntryIx) -> bool {
        let Some(shown) = self.docs.get(doc) else { return false };
        let Some(outline) = shown.outline.as_deref() else { return false };
        let Some(row) = outline.visible_row(&shown.session, Some(entry)) else { return false };
        self.cursor = Some(TreeKey { doc, entry: Some(outline.rows[row].entry) });
        self.see_cursor();
        true
    }

    /// Goes to the next or previous row for which `wanted` holds, round at the ends; says whether there is one.
    pub(crate) fn jump(
        &mut self,
        forward: bool,
        height: usize,
        wanted: impl Fn(&Session, EntryIx) -> bool,
    ) -> bool {
        let count = self.rows.len();
        let from = self.selected().unwrap_or(0);
        let found = (1..=count)
            .map(|step| if forward { (from + step) % count } else { (from + count - step) % count })
            .find(|&at| {
                self.key(self.rows[at])
                    .and_then(|key| Some((key.doc, key.entry?)))
                    .is_some_and(|(doc, entry)| wanted(&self.docs[doc].session, entry))
            });
        if let Some(at) = found {
            self.select_row(at, height);
        }
        found.is_some()
    }

    fn cursor_id(&self) -> Option<String> {
        let (doc, entry) = self.cursor_entry()?;
        (doc == 0).then(|| self.docs[0].session.entry_id(entry).as_str().to_owned())
    }
}

/// Whether a session is what an earlier reading of the same file has grown to: all that was there stands where it
/// stood.
pub(crate) fn has_grown(before: &Session, now: &Session) -> bool {
    let stands = |ix| now.offset(ix) == before.offset(ix) && now.entry_id(ix) == before.entry_id(ix);
    before.path() == now.path() && before.len() <= now.len() && before.indexes().all(stands)
}

/// Whether an entry is a prompt of the person.
pub(crate) fn is_prompt(session: &Session, entry: EntryIx) -> bool {
    matches!(session.entry(entry).kind.role(), Some(Role::User))
}

/// Whether an entry carries a label one can jump to; `usage` entries have no row to jump to.
pub(crate) fn is_labelled(session: &Session, entry: EntryIx) -> bool {
    session.label_of(entry).is_some() && !matches!(session.entry(entry).kind, Kind::Usage { .. })
}
