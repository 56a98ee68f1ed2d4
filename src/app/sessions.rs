use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::find::Find;
use super::scroll::{Ends, keep_in_view};
use super::{KnownTexts, Look, Step, TextsRead};
use crate::store::{Family, Finding, ScanEvent, ScannedRow, SessionSummary, Sort, sort_recent};

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

/// How far a scan is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Whether it goes on.
    pub is_running: bool,
    /// Whether it only looks for what has changed since the last one.
    pub is_again: bool,
    /// Files to be read in all.
    pub files: usize,
    /// Files read.
    pub files_done: usize,
    /// Bytes to be read in all.
    pub bytes: u64,
    /// Bytes read.
    pub bytes_done: u64,
}

/// One row of the sessions pane.
#[derive(Clone, Debug, PartialEq)]
pub enum SessionRow {
    /// A blank row between projects.
    Gap,
    /// A working directory.
    Project {
        /// The directory as the sessions' headers give it; empty where they give none.
        cwd: Box<str>,
        /// Its sessions.
        count: usize,
        /// Whether the directory is gone.
        is_gone: bool,
        /// Whether its sessions are hidden.
        is_closed: bool,
    },
    /// A session.
    Session {
        /// Its row in the store.
        summary: Arc<SessionSummary>,
        /// What stands in front of a fork's title.
        prefix: String,
        /// Whether the project stands in the row for want of a heading.
        shows_project: bool,
    },
    /// The heading of the files that give no row.
    Unlisted {
        /// How many there are.
        count: usize,
        /// Whether they are hidden.
        is_closed: bool,
    },
    /// A file or folder that gives no row, by its place among the findings.
    Finding(usize),
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
    /// A pane without sessions, for a program started in `cwd`.
    pub fn new(cwd: &str) -> Self {
        Self {
            rows: Vec::new(),
            progress: Progress::default(),
            scope: ScopeChoice::All,
            order: Sort::Threaded,
            named_only: false,
            shows_paths: false,
            find: Find::default(),
            find_error: None,
            is_reading_texts: false,
            findings: Vec::new(),
            cwd: cwd.into(),
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

    /// Begins a new scan; what was found before stays until the scan has found it again or ended.
    pub(crate) fn start_scan(&mut self) {
        self.progress = Progress { is_running: true, ..Progress::default() };
        self.found_again.clear();
        self.new_findings.clear();
    }

    /// Takes news of a scan.
    pub(crate) fn take(&mut self, event: ScanEvent) {
        match event {
            ScanEvent::Found { files, bytes } => {
                self.progress = Progress { files, bytes, ..self.progress };
            }
            ScanEvent::Batch { rows, findings, files, bytes } => {
                self.progress.files_done = files.max(self.progress.files_done);
                self.progress.bytes_done = bytes.max(self.progress.bytes_done);
                self.new_findings.extend(findings);
                if self.found.is_empty() {
                    self.findings.clone_from(&self.new_findings);
                }
                for ScannedRow { order, summary, .. } in rows {
                    self.take_row(order, summary);
                }
                self.rebuild();
            }
        }
    }

    /// Takes a session of the scan that goes on. A file that is reached twice keeps the row it was found by first.
    fn take_row(&mut self, order: usize, summary: SessionSummary) {
        if !self.found_again.insert(summary.canonical.clone()) {
            return;
        }
        if let Some(&at) = self.places.get(&summary.canonical) {
            self.found[at] = (order, Arc::new(summary));
        } else {
            self.places.insert(summary.canonical.clone(), self.found.len());
            self.places.insert(summary.path.clone(), self.found.len());
            self.found.push((order, Arc::new(summary)));
        }
    }

    /// Takes what one file has come to after the scan.
    pub(crate) fn take_look(&mut self, look: Look) {
        let path = look.path();
        self.findings.retain(|finding| finding.path != path);
        let at = self.found.iter().position(|(_, summary)| summary.path == path);
        match (look, at) {
            (Look::Row(summary), Some(at)) => self.found[at].1 = Arc::new(*summary),
            // Equally recent sessions are listed in the order of discovery, and this was discovered last.
            (Look::Row(summary), None) if !self.places.contains_key(&summary.canonical) => {
                self.found.push((usize::MAX, Arc::new(*summary)));
            }
            (Look::Row(_), None) => {}
            (other, at) => {
                if let Some(at) = at {
                    self.found.remove(at);
                }
                if let Look::Finding(finding) = other {
                    self.findings.push(finding);
                }
            }
        }
        self.index();
        self.rebuild();
    }

    fn index(&mut self) {
        self.places.clear();
        for (at, (_, summary)) in self.found.iter().enumerate() {
            self.places.insert(summary.canonical.clone(), at);
            self.places.insert(summary.path.clone(), at);
        }
    }

    /// The scan is over: what it has not found is gone.
    pub(crate) fn end_scan(&mut self) {
        self.progress.is_running = false;
        let found_again = std::mem::take(&mut self.found_again);
        self.found.retain(|(_, summary)| found_again.contains(&summary.canonical));
        self.findings = std::mem::take(&mut self.new_findings);
        self.index();
        self.rebuild();
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

    /// Moves the cursor.
    pub(crate) fn step(&mut self, step: Step, height: usize) {
        let from = self.selected().unwrap_or(0);
        let to = step.from(from, self.rows.len(), height, Ends::Stop);
        self.select_row(self.past_gap(to, step.is_upward()), height);
    }

    fn past_gap(&self, row: usize, upward: bool) -> usize {
        match self.rows.get(row) {
            Some(SessionRow::Gap) if upward => row.saturating_sub(1),
            Some(SessionRow::Gap) => row + 1,
            _ => row,
        }
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

    /// Folds the project under the cursor, or goes to the session's parent or its project.
    pub(crate) fn fold(&mut self, height: usize) {
        let Some(row) = self.selected() else { return };
        match &self.rows[row] {
            SessionRow::Project { .. } | SessionRow::Unlisted { .. } => {
                if let Some(key) = self.key(&self.rows[row]) {
                    self.closed.insert(key);
                    self.rebuild();
                }
            }
            SessionRow::Session { prefix, .. } => {
                let depth = prefix.chars().count();
                let is_above = |row: &SessionRow| match row {
                    SessionRow::Session { prefix, .. } => prefix.chars().count() < depth,
                    SessionRow::Gap => false,
                    _ => true,
                };
                if let Some(above) = self.rows[..row].iter().rposition(is_above) {
                    self.select_row(above, height);
                }
            }
            _ => {
                if let Some(above) =
                    self.rows.iter().position(|row| matches!(row, SessionRow::Unlisted { .. }))
                {
                    self.select_row(above, height);
                }
            }
        }
        self.see_cursor();
        self.top = self.top(height);
    }

    /// Unfolds what is under the cursor; says whether there was something to unfold.
    pub(crate) fn unfold(&mut self) -> bool {
        let was_closed = self.cursor.as_ref().is_some_and(|key| self.closed.remove(key));
        if was_closed {
            self.rebuild();
        }
        was_closed
    }

    /// Folds or unfolds the heading under the cursor; says whether there is one.
    pub(crate) fn toggle_heading(&mut self, height: usize) -> bool {
        let is_heading = self.selected().is_some_and(|row| {
            matches!(self.rows[row], SessionRow::Project { .. } | SessionRow::Unlisted { .. })
        });
        if is_heading && !self.unfold() {
            self.fold(height);
        }
        is_heading
    }

    /// Lists the rows anew after something changed.
    pub(crate) fn rebuild(&mut self) {
        let before = self.selected();
        let shown = self.shown();
        self.rows = match (&self.selected, self.order) {
            (None, Sort::Threaded) => self.by_project(&shown),
            _ => shown
                .into_iter()
                .map(|summary| SessionRow::Session { summary, prefix: String::new(), shows_project: true })
                .collect(),
        };
        self.append_findings();
        self.settle_cursor();
        // The row under the cursor stays where it is on the screen while rows come in above it.
        if let (Some(before), Some(now)) = (before, self.selected()) {
            self.top = (self.top + now).saturating_sub(before);
        }
        self.see_cursor();
    }

    /// The sessions that are shown, the best match or the most recent first.
    fn shown(&self) -> Vec<Arc<SessionSummary>> {
        let admits = |summary: &SessionSummary| {
            (self.scope == ScopeChoice::All || summary.cwd == self.cwd)
                && (!self.named_only || summary.name.is_some())
        };
        let mut found: Vec<&(usize, Arc<SessionSummary>)> =
            self.found.iter().filter(|(_, summary)| admits(summary)).collect();
        found.sort_by_key(|(order, _)| *order);
        sort_recent(&mut found, |(_, summary)| summary);
        let mut shown: Vec<Arc<SessionSummary>> =
            found.into_iter().map(|(_, summary)| Arc::clone(summary)).collect();
        if let Some(selected) = &self.selected {
            let rank: HashMap<&Path, usize> =
                selected.iter().enumerate().map(|(at, path)| (path.as_path(), at)).collect();
            shown.retain(|summary| rank.contains_key(summary.path.as_path()));
            if self.order != Sort::Recent {
                shown.sort_by_key(|summary| rank.get(summary.path.as_path()).copied());
            }
        }
        shown
    }

    /// Projects by newest activity, and below each its fork families.
    fn by_project(&self, shown: &[Arc<SessionSummary>]) -> Vec<SessionRow> {
        let mut order: Vec<&str> = Vec::new();
        let mut projects: BTreeMap<&str, Vec<&Arc<SessionSummary>>> = BTreeMap::new();
        for summary in shown {
            let project = projects.entry(&summary.cwd).or_default();
            if project.is_empty() {
                order.push(&summary.cwd);
            }
            project.push(summary);
        }
        let mut rows = Vec::new();
        for cwd in order {
            let sessions = &projects[cwd];
            if !rows.is_empty() {
                rows.push(SessionRow::Gap);
            }
            let is_closed = self.closed.contains(&SessionKey::Project(cwd.into()));
            rows.push(SessionRow::Project {
                cwd: cwd.into(),
                count: sessions.len(),
                is_gone: sessions.iter().any(|summary| summary.cwd_gone == Some(true)),
                is_closed,
            });
            if !is_closed {
                let family = Family::of(sessions.iter().map(|summary| &***summary));
                rows.extend(family.rows.iter().enumerate().map(|(at, row)| SessionRow::Session {
                    summary: Arc::clone(sessions[row.session]),
                    prefix: family.prefix(at).chars().skip(3).collect(),
                    shows_project: false,
                }));
            }
        }
        rows
    }

    fn append_findings(&mut self) {
        if self.findings.is_empty() || self.selected.is_some() {
            return;
        }
        if !self.rows.is_empty() {
            self.rows.push(SessionRow::Gap);
        }
        let is_closed = self.closed.contains(&SessionKey::Unlisted);
        self.rows.push(SessionRow::Unlisted { count: self.findings.len(), is_closed });
        if !is_closed {
            self.rows.extend((0..self.findings.len()).map(SessionRow::Finding));
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
            SessionRow::Gap => None,
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
