use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

use super::find::Find;
use super::messages::Bookmark;
use super::scroll::{Ends, keep_in_view};
use super::{App, Effect, Job, Notice, Overlay, Pane, Step, Ticket};
use crate::format::EntryId;
use crate::present::{Row, Tone, age, sanitize};
use crate::store::SessionSummary;

/// What a finder lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finds {
    /// What people asked, duplicates joined.
    Prompts,
    /// The bookmarks: entries with a label.
    Labels,
}

/// The sessions a finder looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinderScope {
    /// The one under the cursor.
    Session,
    /// Those of its folder.
    Project,
    /// All of the store.
    Store,
}

/// An entry that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Its session.
    pub summary: Arc<SessionSummary>,
    /// Its id.
    pub entry: EntryId,
    /// When it was written, in milliseconds since 1970.
    pub time: Option<i64>,
    /// The start of its text.
    pub text: Box<str>,
    /// A hash of the whole text: of equal ones only the newest is listed.
    pub whole: u64,
    /// Its label.
    pub label: Option<Box<str>>,
    /// How often the same was asked.
    pub times: usize,
}

impl Found {
    /// What is searched and shown, on one line.
    pub fn line(&self) -> Cow<'_, str> {
        match &self.label {
            Some(label) => Cow::Owned(format!("{label}  {}", self.text)),
            None => Cow::Borrowed(&self.text),
        }
    }
}

/// A list of entries from many sessions, narrowed by typing.
#[derive(Clone, Debug)]
pub struct Finder {
    /// What it lists.
    pub finds: Finds,
    /// The sessions it looks at.
    pub scope: FinderScope,
    /// What is typed.
    pub find: Find,
    /// Whether it is still collecting.
    pub is_collecting: bool,
    rows: Arc<Vec<Found>>,
    /// The rows that match, best first.
    shown: Vec<usize>,
    at: usize,
    top: usize,
}

impl Finder {
    fn new(finds: Finds, scope: FinderScope) -> Self {
        let mut find = Find::default();
        find.start();
        Self {
            finds,
            scope,
            find,
            is_collecting: true,
            rows: Arc::default(),
            shown: Vec::new(),
            at: 0,
            top: 0,
        }
    }

    /// The entry under the cursor.
    pub fn selected(&self) -> Option<&Found> {
        self.rows.get(*self.shown.get(self.at)?)
    }

    /// How many rows match, of how many.
    pub fn counts(&self) -> (usize, usize) {
        (self.shown.len(), self.rows.len())
    }

    /// The row under the cursor, and the first one in view for a window of this height.
    pub fn place(&self, height: usize) -> (usize, usize) {
        (self.at, keep_in_view(self.top, self.at, self.shown.len(), height))
    }

    /// The rows that match, best first.
    pub fn shown(&self) -> impl ExactSizeIterator<Item = &Found> {
        self.shown.iter().map(|&at| &self.rows[at])
    }

    pub(super) fn step(&mut self, step: Step, height: usize) {
        self.at = step.from(self.at, self.shown.len(), height, Ends::Stop);
        self.top = self.place(height).1;
    }

    /// Puts the cursor on a row.
    pub(super) fn select(&mut self, at: usize) {
        self.at = at.min(self.shown.len().saturating_sub(1));
    }

    fn show(&mut self, shown: Vec<usize>) {
        self.shown = shown.into_iter().filter(|&at| at < self.rows.len()).collect();
        self.at = 0;
        self.top = 0;
    }

    /// What it is, in words.
    pub(super) fn title(&self) -> String {
        let finds = match self.finds {
            Finds::Prompts => "Prompts",
            Finds::Labels => "Bookmarks",
        };
        let scope = match self.scope {
            FinderScope::Session => "this session",
            FinderScope::Project => "this folder",
            FinderScope::Store => "all",
        };
        let (shown, all) = self.counts();
        let count = if shown == all {
            age::count(all)
        } else {
            format!("{} of {}", age::count(shown), age::count(all))
        };
        let end = if self.is_collecting { " · reading…" } else { "" };
        format!("{finds} · {scope} · {count}{end}")
    }
}

/// An entry to be shown once its session is there.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Landing {
    /// The session's file.
    pub(super) path: PathBuf,
    /// The entry.
    pub(super) entry: EntryId,
    /// What is to be done there.
    pub(super) then: Then,
}

/// What is to be done at an entry that was landed on.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Then {
    /// Nothing.
    Stay,
    /// Show the end of the messages.
    ToEnd,
    /// Show where in it a text was found.
    Show(Box<str>),
    /// Look for a text in the whole branch, from there on.
    Find(Box<str>),
    /// Give the messages back as they were.
    GiveBack(Box<Bookmark>),
}

impl App {
    /// Opens a finder: of the session where one is being read, of everything from the list of sessions.
    pub(super) fn open_finder(&mut self, finds: Finds, effects: &mut Vec<Effect>) {
        let scope = match (finds, self.focus) {
            (Finds::Labels, _) | (_, Pane::Sessions) => FinderScope::Store,
            _ => FinderScope::Session,
        };
        self.overlay = Some(Overlay::Finder(Box::new(Finder::new(finds, scope))));
        self.collect(effects);
    }

    /// Looks at more sessions, or at fewer.
    pub(super) fn turn_finder_scope(&mut self, effects: &mut Vec<Effect>) {
        if let Some(Overlay::Finder(finder)) = &mut self.overlay {
            finder.scope = match finder.scope {
                FinderScope::Session => FinderScope::Project,
                FinderScope::Project => FinderScope::Store,
                FinderScope::Store => FinderScope::Session,
            };
            self.collect(effects);
        }
    }

    fn collect(&mut self, effects: &mut Vec<Effect>) {
        let Some(Overlay::Finder(finder)) = &mut self.overlay else { return };
        finder.is_collecting = true;
        finder.rows = Arc::default();
        finder.show(Vec::new());
        let (what, scope) = (finder.finds, finder.scope);
        let shown = self.tree.path().and_then(|path| self.sessions.summary(path)).cloned();
        let belongs = |summary: &SessionSummary| match (scope, &shown) {
            (FinderScope::Store, _) => true,
            (FinderScope::Project, Some(shown)) => summary.cwd == shown.cwd,
            (FinderScope::Session, Some(shown)) => summary.path == shown.path,
            (_, None) => false,
        };
        let mut sessions: Vec<Arc<SessionSummary>> =
            self.sessions.found().filter(|summary| belongs(summary)).cloned().collect();
        sessions.sort_by_key(|summary| std::cmp::Reverse(summary.modified));
        self.tickets.collect = self.run(Job::Collect { what, sessions }, effects);
    }

    /// Takes what was collected so far.
    pub(super) fn take_collected(&mut self, rows: Arc<Vec<Found>>, is_all: bool, effects: &mut Vec<Effect>) {
        let Some(Overlay::Finder(finder)) = &mut self.overlay else { return };
        finder.rows = rows;
        finder.is_collecting = !is_all;
        self.narrow_finder(effects);
    }

    /// Finds the rows that match what is typed.
    pub(super) fn narrow_finder(&mut self, effects: &mut Vec<Effect>) {
        let Some(Overlay::Finder(finder)) = &mut self.overlay else { return };
        let text = finder.find.text().trim().to_owned();
        self.tickets.narrow = Ticket::default();
        if text.is_empty() {
            let all = (0..finder.rows.len()).collect();
            finder.show(all);
        } else {
            let rows = Arc::clone(&finder.rows);
            self.tickets.narrow = self.run(Job::Narrow { rows, text }, effects);
        }
    }

    /// Takes the rows that match.
    pub(super) fn take_narrowed(&mut self, shown: Vec<usize>) {
        if let Some(Overlay::Finder(finder)) = &mut self.overlay {
            finder.show(shown);
        }
    }

    /// Goes to the entry under the finder's cursor.
    pub(super) fn land(&mut self, effects: &mut Vec<Effect>) {
        let Some(Overlay::Finder(finder)) = &self.overlay else { return };
        let Some(found) = finder.selected().cloned() else { return };
        self.overlay = None;
        self.focus = Pane::Messages;
        let path = found.summary.path.clone();
        self.land_on(Landing { path, entry: found.entry, then: Then::Stay }, effects);
    }

    /// Shows an entry of a session; the cursors of all panes come to it.
    pub(super) fn land_on(&mut self, landing: Landing, effects: &mut Vec<Effect>) {
        if !self.sessions.select_session(&landing.path) {
            self.notice = Some(Notice::failed("this session is no longer here"));
            return;
        }
        self.landing = Some(landing);
        self.finish_landing(effects);
    }

    /// Puts the cursors on the entry that was asked for, once its session is shown.
    pub(super) fn finish_landing(&mut self, effects: &mut Vec<Effect>) {
        let Some(landing) = &self.landing else { return };
        let Some(session) = self.tree.session().filter(|session| session.path() == landing.path) else {
            return;
        };
        let session = Arc::clone(session);
        let entry = session.find(&landing.entry);
        let then = self.landing.take().map_or(Then::Stay, |landing| landing.then);
        self.tree.select_nearest(0, entry);
        self.follow_tree(effects);
        let Some(entry) = entry else { return };
        // The tree may leave it out; the messages show it all the same.
        self.show_messages(&session, entry, effects);
        match then {
            Then::Stay => {}
            Then::ToEnd => self.step(Step::Last, effects),
            Then::Show(found) => self.show_found(&found),
            Then::Find(found) => {
                self.messages.find = Find::of(&found);
                self.find_in_messages();
            }
            Then::GiveBack(bookmark) => self.messages.give_back(*bookmark),
        }
    }

    /// The rows of a finder.
    pub(super) fn finder_rows(&self, finder: &Finder, columns: usize, top: usize, height: usize) -> Vec<Row> {
        finder
            .shown()
            .skip(top)
            .take(height)
            .map(|found| {
                let mut left = Row::new();
                if let Some(label) = &found.label {
                    left = left.text(format!("◆ {}  ", sanitize::line(label)), Tone::Label);
                }
                left = left.text(sanitize::line(&found.text), Tone::Text);
                let times = if found.times > 1 { format!(" ×{}", found.times) } else { String::new() };
                let then = found.time.map(|then| self.when(then)).unwrap_or_default();
                let title = sanitize::line(found.summary.title()).into_owned();
                let room = (columns / 3).min(40);
                let right = Row::new()
                    .text(times, Tone::Accent)
                    .text("  ", Tone::Text)
                    .then(Row::new().text(title, Tone::Dim).fit(room))
                    .text(format!("{then:>5}"), Tone::Dim);
                if columns < 60 { left.fit(columns) } else { Row::between(left, right, columns) }
            })
            .collect()
    }
}
