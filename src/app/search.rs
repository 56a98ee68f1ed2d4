use std::path::PathBuf;

use super::find::Find;
use super::finder::{Landing, Then};
use super::messages::Bookmark;
use super::scroll::{Ends, keep_in_view};
use super::{App, Effect, Job, OverlayPicture, OverlayRegion, Pane, Progress, Regions, Step, Ticket, Zoom};
use crate::format::EntryId;
use crate::present::{Needle, age};
use crate::session::OutlineView;
use crate::store::{SearchEvent, SearchHit, SearchQuery, moment};

/// Hits that are listed; any others are counted.
pub(crate) const LISTED: usize = 1_000;

/// A search through the text of all sessions. It takes the place of their list; the other panes show the hit under its
/// cursor.
#[derive(Clone, Debug)]
pub struct SearchView {
    /// What is typed.
    pub find: Find,
    /// Why what is typed cannot be looked for.
    pub problem: Option<String>,
    /// How far it is.
    pub progress: Progress,
    rows: Vec<SearchRow>,
    hits: Vec<SearchHit>,
    /// The row of each hit.
    places: Vec<usize>,
    /// Hits that are only counted.
    more: usize,
    /// The hit under the cursor.
    at: usize,
    top: usize,
    /// Whether the hits are those of what was typed before: they stay until there are others.
    is_stale: bool,
    /// The hit in the other panes.
    shown: Option<(PathBuf, EntryId)>,
    before: Before,
}

/// One row of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchRow {
    /// The heading of a session.
    Session {
        /// Its first hit.
        first: usize,
        /// How many it has.
        count: usize,
    },
    /// A hit.
    Hit(usize),
}

/// What the screen showed before the search, to be shown again when nothing is chosen.
#[derive(Clone, Debug)]
struct Before {
    focus: Pane,
    zoom: Zoom,
    path: Option<PathBuf>,
    entry: Option<EntryId>,
    tree_find: Find,
    messages: Bookmark,
}

impl SearchView {
    fn new(before: Before) -> Self {
        let mut find = Find::default();
        find.start();
        Self {
            find,
            problem: None,
            progress: Progress::default(),
            rows: Vec::new(),
            hits: Vec::new(),
            places: Vec::new(),
            more: 0,
            at: 0,
            top: 0,
            is_stale: false,
            shown: None,
            before,
        }
    }

    /// What is listed from top to bottom.
    pub fn rows(&self) -> &[SearchRow] {
        &self.rows
    }

    /// A hit.
    pub fn hit(&self, at: usize) -> &SearchHit {
        &self.hits[at]
    }

    /// The hit under the cursor.
    pub fn selected(&self) -> Option<&SearchHit> {
        self.hits.get(self.at)
    }

    /// The row under the cursor, if there is one, and the first one in view for a window of this height.
    pub fn place(&self, height: usize) -> (Option<usize>, usize) {
        let row = self.places.get(self.at).copied();
        (row, keep_in_view(self.top, row.unwrap_or(0), self.rows.len(), height))
    }

    /// What it has come to, in words.
    pub fn title(&self) -> String {
        let all = self.hits.len() + self.more;
        let hits = match self.more {
            _ if self.find.text().trim().is_empty() || self.is_stale => return "Search".into(),
            0 => age::counted(all, "hit"),
            _ => format!("{} of {}", age::count(self.hits.len()), age::counted(all, "hit")),
        };
        let sessions = self.rows.len() - self.hits.len();
        format!("Search · {hits} in {}", age::counted(sessions, "session"))
    }

    pub(super) fn step(&mut self, step: Step, height: usize) {
        self.at = step.from(self.at, self.hits.len(), height, Ends::Stop);
        self.top = self.place(height).1;
    }

    /// Puts the cursor on the hit of a row; on the first one of a heading's.
    pub(super) fn select(&mut self, row: usize) {
        match self.rows.get(row) {
            Some(&(SearchRow::Session { first: at, .. } | SearchRow::Hit(at))) => self.at = at,
            None => {}
        }
    }

    fn clear(&mut self) {
        self.rows.clear();
        self.hits.clear();
        self.places.clear();
        (self.more, self.at, self.top, self.is_stale) = (0, 0, 0, false);
    }

    /// Takes news of the search for what is typed.
    fn take(&mut self, event: SearchEvent) {
        match event {
            SearchEvent::Found { files, bytes } => {
                self.progress = Progress { is_running: true, files, bytes, ..Progress::default() };
            }
            SearchEvent::Hits { hits, more, files, bytes } => {
                (self.progress.files_done, self.progress.bytes_done) = (files, bytes);
                if self.is_stale && !(hits.is_empty() && more == 0) {
                    self.clear();
                }
                self.more += more;
                for hit in hits {
                    self.push(hit);
                }
            }
        }
    }

    /// Lists a hit below the heading of its session. Those of one session come one after the other.
    fn push(&mut self, hit: SearchHit) {
        if self.hits.len() == LISTED {
            self.more += 1;
            return;
        }
        let at = self.hits.len();
        let heading = self.rows.iter_mut().rev().find_map(|row| match row {
            SearchRow::Session { first, count } => Some((*first, count)),
            SearchRow::Hit(_) => None,
        });
        match heading {
            Some((first, count)) if self.hits[first].path == hit.path => *count += 1,
            _ => self.rows.push(SearchRow::Session { first: at, count: 1 }),
        }
        self.places.push(self.rows.len());
        self.rows.push(SearchRow::Hit(at));
        self.hits.push(hit);
    }

    fn end(&mut self) {
        self.progress.is_running = false;
        if self.is_stale {
            self.clear();
        }
    }

    /// The hit under the cursor, if the other panes do not show it yet; they will.
    fn take_unseen(&mut self) -> Option<Landing> {
        let hit = self.hits.get(self.at)?;
        let key = (hit.path.clone(), hit.entry.clone());
        if self.is_stale || self.shown.as_ref() == Some(&key) {
            return None;
        }
        self.shown = Some(key);
        Some(landing(hit, Then::Show))
    }
}

/// Leads to a hit; `then` says what is to be done with the text that was found.
fn landing(hit: &SearchHit, then: fn(Box<str>) -> Then) -> Landing {
    let found = hit.excerpt.get(hit.found.clone()).filter(|found| !found.is_empty());
    let then = found.map_or(Then::Stay, |found| then(found.into()));
    Landing { path: hit.path.clone(), entry: hit.entry.clone(), then }
}

impl App {
    /// Opens the search through all sessions.
    pub(super) fn open_search(&mut self) {
        let entry = self.tree.cursor_entry().map(|(doc, entry)| {
            let session = &self.tree.docs[doc].session;
            session.entry_id(entry).clone()
        });
        let before = Before {
            focus: self.focus,
            zoom: self.zoom,
            path: self.tree.path().map(ToOwned::to_owned),
            entry,
            tree_find: self.tree.find.clone(),
            messages: self.messages.bookmark(),
        };
        self.focus = Pane::Sessions;
        self.zoom = Zoom::Off;
        self.overlay = Some(super::Overlay::Search(Box::new(SearchView::new(before))));
    }

    pub(super) fn search(&self) -> Option<&SearchView> {
        match &self.overlay {
            Some(super::Overlay::Search(view)) => Some(view),
            _ => None,
        }
    }

    fn search_mut(&mut self) -> Option<&mut SearchView> {
        match &mut self.overlay {
            Some(super::Overlay::Search(view)) => Some(view),
            _ => None,
        }
    }

    /// Looks for what is typed now; the search for what was typed before ends.
    pub(super) fn search_changed(&mut self, effects: &mut Vec<Effect>) {
        let (now, zone) = (self.now, self.setup.zone.clone());
        let store = self.setup.store.clone();
        let Some(view) = self.search_mut() else { return };
        let typed = view.find.text().trim();
        let parsed = SearchQuery::parse(typed, &|text| moment(text, now, &zone));
        let is_blank = typed.is_empty();
        match parsed {
            Ok(query) => {
                (view.problem, view.is_stale) = (None, true);
                self.tickets.search = self.run(Job::Search { store, query: Box::new(query) }, effects);
            }
            Err(error) => {
                view.problem = (!is_blank).then(|| error.to_string());
                view.clear();
                self.stop_search(effects);
            }
        }
    }

    /// Nobody waits for the search any more.
    fn stop_search(&mut self, effects: &mut Vec<Effect>) {
        self.tickets.search = Ticket::default();
        if let Some(view) = self.search_mut() {
            view.progress.is_running = false;
        }
        effects.push(Effect::StopSearch);
    }

    /// Takes news of the search.
    pub(super) fn take_found(&mut self, event: SearchEvent) {
        if let Some(view) = self.search_mut() {
            view.take(event);
        }
    }

    /// The search is over.
    pub(super) fn end_search(&mut self) {
        if let Some(view) = self.search_mut() {
            view.end();
        }
    }

    /// Shows the hit under the cursor in the other panes.
    pub(super) fn preview_hit(&mut self, effects: &mut Vec<Effect>) {
        if let Some(landing) = self.search_mut().and_then(SearchView::take_unseen) {
            self.show_landing(landing, effects);
        }
    }

    /// Opens the session of an entry beside the list, if it is not shown, and goes to the entry.
    fn show_landing(&mut self, landing: Landing, effects: &mut Vec<Effect>) {
        let path = landing.path.clone();
        self.landing = Some(landing);
        if self.tree.path() == Some(path.as_path()) {
            return self.finish_landing(effects);
        }
        let view = OutlineView {
            filter: self.tree.filter,
            search: self.tree.find.text().to_owned(),
            ..OutlineView::default()
        };
        self.tree.load(path.clone());
        self.open(path, view, effects);
    }

    /// Shows where a text was found, from the entry the messages are at on, whatever is folded.
    pub(super) fn show_found(&mut self, found: &str) {
        if let Ok(needle @ Some(_)) = Needle::parse(found) {
            self.messages.set_needle(needle);
        }
    }

    /// Goes to the hit under the cursor for good: the cursors of all panes stay there, and the matches of its branch
    /// can be gone through.
    pub(super) fn land_on_hit(&mut self, effects: &mut Vec<Effect>) {
        let Some(view) = self.search_mut() else { return };
        view.find.start();
        let Some(hit) = view.selected().filter(|_| !view.is_stale) else { return };
        let landing = landing(hit, Then::Find);
        self.stop_search(effects);
        self.overlay = None;
        self.focus = Pane::Messages;
        // A session that the list does not show yet is shown all the same.
        if self.sessions.select_session(&landing.path) {
            self.previewed = self.sessions.selected_key();
        }
        self.show_landing(landing, effects);
    }

    /// Ends the search; the screen shows what it showed before.
    pub(super) fn close_search(&mut self, effects: &mut Vec<Effect>) {
        self.stop_search(effects);
        let Some(super::Overlay::Search(view)) = self.overlay.take() else { return };
        let Before { focus, zoom, path, entry, tree_find, messages } = view.before;
        (self.focus, self.zoom) = (focus, zoom);
        if view.shown.is_none() {
            return;
        }
        self.landing = None;
        self.tree.find = tree_find;
        self.messages.set_needle(None);
        match (path, entry) {
            (Some(path), Some(entry)) => {
                let then = Then::GiveBack(Box::new(messages));
                self.show_landing(Landing { path, entry, then }, effects);
            }
            _ => self.previewed = None,
        }
    }

    /// The search as it is drawn, in the place of the list of sessions.
    pub(super) fn search_picture(&self, view: &SearchView) -> OverlayPicture {
        let regions = Regions::searching(self.size);
        let pane = regions.pane(Pane::Sessions).copied();
        let body = regions.rows(Pane::Sessions);
        let (selected, top) = view.place(usize::from(body.height));
        let title = pane.and_then(|pane| pane.title);
        let area = title.map_or(body, |title| title.union(body));
        OverlayPicture {
            region: OverlayRegion { area, title, body },
            title: view.title(),
            rows: self.search_rows(view, body.as_size(), top),
            selected: selected.and_then(|row| row.checked_sub(top)),
        }
    }
}
