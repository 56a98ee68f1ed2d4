mod folds;
mod found;
mod rows;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::tz::TimeZone;

pub use found::Progress;
pub use rows::SessionRow;

use super::find::Find;
use super::scroll::{Ends, keep_in_view};
use super::{KnownTexts, Step, TextsRead};
use crate::store::{Finding, SessionSummary, Sort};

/// The sessions of a store, by project and fork family.
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
#[derive(Debug)]
pub struct SessionsPane {
    /// What is drawn from top to bottom.
    pub rows: Vec<SessionRow>,
    /// How far the scan is.
    pub progress: Progress,
    /// All sessions, or those of one working directory.
    pub scope: ScopeChoice,
    /// Their order.
    pub order: Sort,
    /// Whether only sessions with a name are shown.
    pub named_only: bool,
    /// Whether the most recent ones stand below the day or month of their last activity.
    pub by_date: bool,
    /// Whether each session's path is shown.
    pub shows_paths: bool,
    /// The search.
    pub find: Find,
    /// What is wrong with the search, if anything.
    pub find_error: Option<String>,
    /// Whether texts of messages are still being read for it.
    pub is_reading_texts: bool,
    /// Files and folders that give no row, and why.
    pub findings: Vec<Finding>,
    /// The folder in which the program was started.
    cwd: Box<str>,
    /// The time zone of days.
    zone: TimeZone,
    /// Milliseconds since 1970, as of the last message.
    pub(crate) now: i64,
    /// With the place of each in the order of discovery.
    found: Vec<(usize, Arc<SessionSummary>)>,
    /// Where among these each is, by its path and by its real path: a file reached twice has one row.
    places: HashMap<PathBuf, usize>,
    /// The real paths of the sessions that the scan which goes on has found.
    found_again: HashSet<PathBuf>,
    /// What that scan has to say about other files.
    new_findings: Vec<Finding>,
    /// The sessions that match the search, best first.
    selected: Option<Vec<PathBuf>>,
    /// What the texts of messages hold of the search, as far as they were read for it.
    texts: Arc<KnownTexts>,
    /// Whether the next answer to the search moves the cursor to its best match.
    goes_to_best: bool,
    closed: HashSet<SessionKey>,
    cursor: Option<SessionKey>,
    /// The row at which the cursor was last seen. Drawing asks for it many times, and there may be many rows.
    seen_at: usize,
    has_moved: bool,
    top: usize,
}

/// Which sessions are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScopeChoice {
    /// All of the store.
    #[default]
    All,
    /// Those of the folder in which the program was started.
    ThisFolder,
}

/// A row by what it shows, which stays when rows come and go.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SessionKey {
    /// A project by its directory.
    Project(Box<str>),
    /// A session by its file.
    Session(PathBuf),
    /// The heading of the files that give no row.
    Unlisted,
    /// One of these.
    Finding(PathBuf),
}

impl SessionsPane {
    /// A pane without sessions, for a program started in `cwd`, with the days of a time zone.
    pub fn new(cwd: &str, zone: &TimeZone) -> Self {
        Self {
            rows: Vec::new(),
            progress: Progress::default(),
            scope: ScopeChoice::All,
            order: Sort::Threaded,
            named_only: false,
            by_date: false,
            shows_paths: false,
            find: Find::default(),
            find_error: None,
            is_reading_texts: false,
            findings: Vec::new(),
            cwd: cwd.into(),
            zone: zone.clone(),
            now: 0,
            found: Vec::new(),
            places: HashMap::new(),
            found_again: HashSet::new(),
            new_findings: Vec::new(),
            selected: None,
            texts: Arc::default(),
            goes_to_best: false,
            closed: HashSet::from([SessionKey::Unlisted]),
            cursor: None,
            seen_at: 0,
            has_moved: false,
            top: 0,
        }
    }

    /// All sessions found so far.
    pub fn found(&self) -> impl ExactSizeIterator<Item = &Arc<SessionSummary>> {
        self.found.iter().map(|(_, summary)| summary)
    }

    /// The session of a file.
    pub fn summary(&self, path: &Path) -> Option<&Arc<SessionSummary>> {
        self.places.get(path).map(|&at| &self.found[at].1)
    }

    /// The sessions that were split off a file.
    pub fn forks_of(&self, canonical: &Path) -> Vec<Arc<SessionSummary>> {
        let is_fork = |summary: &&Arc<SessionSummary>| {
            summary.parent.as_deref() == Some(canonical) && summary.canonical != canonical
        };
        self.found().filter(is_fork).cloned().collect()
    }

    /// The row under the cursor.
    pub fn selected(&self) -> Option<usize> {
        let cursor = self.cursor.as_ref()?;
        let is_there = |row: &SessionRow| self.is_at(row, cursor);
        let seen = Some(self.seen_at).filter(|&at| self.rows.get(at).is_some_and(is_there));
        seen.or_else(|| self.rows.iter().position(is_there))
    }

    /// Looks where the cursor is after it, or the rows, were changed.
    fn see_cursor(&mut self) {
        self.seen_at = self.selected().unwrap_or(0);
    }

    /// What the cursor is on.
    pub(crate) fn selected_key(&self) -> Option<SessionKey> {
        self.cursor.clone()
    }

    /// The session under the cursor.
    pub fn selected_session(&self) -> Option<&Arc<SessionSummary>> {
        match self.rows.get(self.selected()?)? {
            SessionRow::Session { summary, .. } => Some(summary),
            _ => None,
        }
    }

    /// The first row in view for a pane of this height.
    pub fn top(&self, height: usize) -> usize {
        keep_in_view(self.top, self.selected().unwrap_or(0), self.rows.len(), height)
    }

    /// Leaves the cursor where it is from now on, whatever else comes in.
    pub(crate) fn keep_cursor(&mut self) {
        self.has_moved = true;
    }

    /// Whether somebody has chosen where the cursor is.
    pub(crate) fn has_moved(&self) -> bool {
        self.has_moved
    }

    /// The order of the rows: while a search selects them there are no families, and the best match comes first unless
    /// the newest is to.
    pub fn listed_order(&self) -> Sort {
        match (&self.selected, self.order) {
            (Some(_), Sort::Threaded) => Sort::Relevance,
            (_, order) => order,
        }
    }

    /// Sessions in the rows, folded ones included.
    pub fn count(&self) -> usize {
        self.rows
            .iter()
            .map(|row| match row {
                SessionRow::Project { count, is_closed: true, .. } => *count,
                SessionRow::Session { .. } => 1,
                _ => 0,
            })
            .sum()
    }

    /// Another search was typed: its best match gets the cursor.
    pub(crate) fn begin_search(&mut self) {
        self.goes_to_best = true;
        self.texts = Arc::default();
        self.is_reading_texts = false;
    }

    /// What need not be read again for the search.
    pub(crate) fn known_texts(&mut self) -> Arc<KnownTexts> {
        self.is_reading_texts = true;
        Arc::clone(&self.texts)
    }

    /// Keeps what was read for the search.
    pub(crate) fn take_texts(&mut self, read: TextsRead, is_all: bool) {
        self.is_reading_texts = !is_all;
        if !read.is_empty() {
            Arc::make_mut(&mut self.texts).extend(read);
        }
    }

    /// Takes the sessions that match the search, best first. The cursor stays where it is while more of them come in.
    pub(crate) fn take_selected(&mut self, selected: Option<Vec<PathBuf>>) {
        self.selected = selected;
        self.rebuild();
        let goes_to_best = std::mem::take(&mut self.goes_to_best) || self.selected().is_none();
        if self.selected.is_some() && goes_to_best {
            self.cursor = self.rows.iter().find_map(|row| match row {
                SessionRow::Session { .. } => self.key(row),
                _ => None,
            });
            self.see_cursor();
            self.top = 0;
        }
    }

    /// Puts dates above the most recent sessions, or takes them away. In another order there are none to put.
    pub(crate) fn toggle_dates(&mut self) {
        self.by_date = self.order != Sort::Recent || !self.by_date;
        self.order = Sort::Recent;
        self.rebuild();
    }

    /// Moves the cursor.
    pub(crate) fn step(&mut self, step: Step, height: usize) {
        let from = self.selected().unwrap_or(0);
        let to = step.from(from, self.rows.len(), height, Ends::Stop);
        self.select_row(self.past_gap(to, step.is_upward()), height);
    }

    fn past_gap(&self, row: usize, upward: bool) -> usize {
        let is_passed = |&at: &usize| self.rows.get(at).is_some_and(SessionRow::is_passed);
        let below = || (row..self.rows.len()).find(|at| !is_passed(at));
        let above = || (0..=row).rev().find(|at| !is_passed(at));
        let found = if upward { above().or_else(below) } else { below().or_else(above) };
        found.unwrap_or(row)
    }

    /// Puts the cursor on a row.
    pub(crate) fn select_row(&mut self, row: usize, height: usize) {
        if let Some(key) = self.rows.get(row).and_then(|row| self.key(row)) {
            self.cursor = Some(key);
            self.has_moved = true;
        }
        self.see_cursor();
        self.top = self.top(height);
    }

    /// Puts the cursor on a session, which is shown from then on: its project is unfolded, a search ends.
    pub(crate) fn select_session(&mut self, path: &Path) -> bool {
        let Some(summary) = self.summary(path).cloned() else { return false };
        if self.closed.remove(&SessionKey::Project(summary.cwd.clone())) {
            self.rebuild();
        }
        self.cursor = Some(SessionKey::Session(summary.path.clone()));
        self.see_cursor();
        self.has_moved = true;
        if self.selected().is_none() {
            // It is in the store but left out: by a search, the scope, or for want of a name.
            self.find.clear();
            self.is_reading_texts = false;
            self.selected = None;
            self.scope = ScopeChoice::All;
            self.named_only = false;
            self.rebuild();
        }
        true
    }

    /// Why there are no rows, in words.
    pub fn why_empty(&self) -> &str {
        match self.scope {
            _ if self.find_error.is_some() => self.find_error.as_deref().unwrap_or_default(),
            _ if self.is_reading_texts => "reading messages…",
            _ if self.progress.is_running && self.found.is_empty() => "looking for sessions…",
            _ if !self.find.text().is_empty() => "no session matches",
            _ if self.named_only => "no session has a name",
            ScopeChoice::ThisFolder => "no session of this folder",
            ScopeChoice::All => "no sessions in the store",
        }
    }

    /// The cursor stays on what it is on. Until somebody does something, it is on the newest session of the folder
    /// the program was started in, or else on the first session.
    fn settle_cursor(&mut self) {
        if self.has_moved && self.selected().is_some() {
            return;
        }
        let mut sessions = self.rows.iter().filter(|row| matches!(row, SessionRow::Session { .. }));
        let first = sessions.clone().next();
        let here = sessions
            .find(|row| matches!(row, SessionRow::Session { summary, .. } if summary.cwd == self.cwd));
        let other = || self.rows.first().filter(|_| !self.progress.is_running);
        self.cursor = here.or(first).or_else(other).and_then(|row| self.key(row));
    }

    fn key(&self, row: &SessionRow) -> Option<SessionKey> {
        match row {
            SessionRow::Gap | SessionRow::Period(_) => None,
            SessionRow::Project { cwd, .. } => Some(SessionKey::Project(cwd.clone())),
            SessionRow::Session { summary, .. } => Some(SessionKey::Session(summary.path.clone())),
            SessionRow::Unlisted { .. } => Some(SessionKey::Unlisted),
            SessionRow::Finding(at) => Some(SessionKey::Finding(self.findings.get(*at)?.path.clone())),
        }
    }

    fn is_at(&self, row: &SessionRow, key: &SessionKey) -> bool {
        match (row, key) {
            (SessionRow::Session { summary, .. }, SessionKey::Session(path)) => summary.path == *path,
            (SessionRow::Project { cwd, .. }, SessionKey::Project(key)) => cwd == key,
            (SessionRow::Unlisted { .. }, SessionKey::Unlisted) => true,
            (SessionRow::Finding(at), SessionKey::Finding(path)) => {
                self.findings.get(*at).is_some_and(|finding| finding.path == *path)
            }
            _ => false,
        }
    }
}
