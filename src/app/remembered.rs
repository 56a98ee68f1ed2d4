use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::finder::{Landing, Then};
use super::{App, Level, Pane, ScopeChoice, SessionKey, Zoom};
use crate::format::EntryId;
use crate::session::Filter;
use crate::store::Sort;

/// How many places are remembered of a store.
const MOST_PLACES: usize = 50;

/// Where somebody was in a store when they left, and how they had it: what the next start goes on with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the screen")]
pub struct Remembered {
    order: Option<Sort>,
    by_date: bool,
    this_folder: bool,
    named_only: bool,
    filter: Option<Filter>,
    /// The filter that the settings began with: where they say another one now, that is wanted.
    set_filter: Option<Filter>,
    level: Option<Level>,
    zoomed: bool,
    /// The working directories of the projects that were folded.
    folded: Vec<Box<str>>,
    /// The last one first, each from another folder.
    places: Vec<Place>,
}

/// Where somebody was who had started the program in a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Place {
    started_in: String,
    session: PathBuf,
    entry: Option<EntryId>,
    pane: Pane,
}

impl Remembered {
    /// Where somebody was who starts the program in a folder.
    fn place_of(&self, cwd: &str) -> Option<&Place> {
        self.places.iter().find(|place| place.started_in == cwd)
    }
}

impl App {
    /// What is to be remembered when the program ends now.
    pub fn remembered(&self) -> Remembered {
        let mut folded: Vec<Box<str>> = self.sessions.closed_projects().map(Into::into).collect();
        folded.sort();
        let here = self.place();
        let is_elsewhere = |place: &&Place| place.started_in != self.setup.cwd;
        let places = here.iter().chain(self.setup.remembered.places.iter().filter(is_elsewhere));
        Remembered {
            order: Some(self.sessions.order),
            by_date: self.sessions.by_date,
            this_folder: self.sessions.scope == ScopeChoice::ThisFolder,
            named_only: self.sessions.named_only,
            filter: Some(self.tree.filter),
            set_filter: Some(self.setup.tree_filter),
            level: Some(self.messages.level()),
            zoomed: self.zoom == Zoom::On && !self.messages.is_alone(),
            folded,
            places: places.take(MOST_PLACES).cloned().collect(),
        }
    }

    fn place(&self) -> Option<Place> {
        // With the cursor on a heading, one is at no session.
        let is_at_one = self.focus != Pane::Sessions || self.sessions.selected_session().is_some();
        let session = self.tree.path().filter(|_| is_at_one)?.to_owned();
        let entry = self.cursor_entry().filter(|_| self.focus != Pane::Sessions);
        let entry = entry.map(|(session, entry)| session.entry_id(entry).clone());
        Some(Place { started_in: self.setup.cwd.clone(), session, entry, pane: self.focus })
    }

    /// Has things as they were.
    pub(super) fn restore(&mut self) {
        let remembered = &self.setup.remembered;
        if let Some(order) = remembered.order {
            self.sessions.order = order;
        }
        if remembered.this_folder {
            self.sessions.scope = ScopeChoice::ThisFolder;
        }
        self.sessions.named_only = remembered.named_only;
        self.sessions.by_date = remembered.by_date;
        if let Some(filter) = remembered.filter
            && remembered.set_filter == Some(self.setup.tree_filter)
        {
            self.tree.filter = filter;
        }
        if let Some(level) = remembered.level {
            self.messages.start_at(level);
        }
        if remembered.zoomed {
            self.zoom = Zoom::On;
        }
        for cwd in &remembered.folded {
            self.sessions.close_project(SessionKey::Project(cwd.clone()));
        }
        // What was asked for goes before what was left.
        if self.setup.session.is_none() {
            self.goes_back_to = remembered.place_of(&self.setup.cwd).cloned();
        }
    }

    /// Goes to where somebody was, once the session is in the list; nowhere if they have moved meanwhile.
    pub(super) fn go_back(&mut self) {
        let Some(place) = &self.goes_back_to else { return };
        if self.sessions.has_moved() {
            self.goes_back_to = None;
        } else if self.sessions.select_session(&place.session) {
            self.focus = place.pane;
            self.landing = place.entry.clone().map(|entry| Landing {
                path: place.session.clone(),
                entry,
                then: Then::Stay,
            });
            self.goes_back_to = None;
        }
    }
}
