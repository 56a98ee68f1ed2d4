use std::path::PathBuf;
use std::sync::Arc;

use super::messages::Shown;
use super::{App, BlockStyle, Effect, Job, Notice, Pane, SessionKey, SessionRow, Ticket, View};
use crate::error::{Cause, Error};
use crate::present::Needle;
use crate::session::{EntryIx, OutlineView, Session};
use crate::store::{Query, SessionSummary};

impl App {
    /// Shows the messages of the branch through the tree's cursor.
    pub(super) fn follow_tree(&mut self, effects: &mut Vec<Effect>) {
        let Some((doc, entry)) = self.tree.cursor_entry() else {
            self.messages.clear();
            return;
        };
        let session = Arc::clone(&self.tree.docs[doc].session);
        self.show_messages(&session, entry, effects);
    }

    /// Shows the messages of the branch through an entry.
    pub(super) fn show_messages(
        &mut self,
        session: &Arc<Session>,
        entry: EntryIx,
        effects: &mut Vec<Effect>,
    ) {
        let leaf = session.leaf_through(entry);
        if self.messages.show(session, Some(leaf), Some(entry)) == Shown::OtherBranch
            && self.messages.view == View::Sent
        {
            self.want_context(effects);
        }
    }

    /// Moves the tree's cursor to what is being read.
    pub(super) fn follow_messages(&mut self) {
        let doc = self.tree.cursor().map_or(0, |cursor| cursor.doc);
        let listing = Arc::clone(self.messages.listing());
        let below = listing.items().get(self.messages.anchor().item..).unwrap_or_default();
        // Before the first row that the filter leaves, that row is the nearest one on the branch.
        for item in below {
            if self.tree.select_visible(doc, item.entry()) {
                return;
            }
        }
    }

    /// The person is back at the list: a session that stayed on the screen although the cursor is on another gives way.
    pub(super) fn preview_if_another(&mut self) {
        let selected = self.sessions.selected_session();
        if selected.is_some_and(|selected| self.tree.path() != Some(selected.path.as_path())) {
            self.previewed = None;
        }
    }

    /// Shows the session under the cursor in the other panes, once the cursor has come to another one.
    pub(super) fn preview(&mut self, effects: &mut Vec<Effect>) {
        if self.search().is_some() {
            return self.preview_hit(effects);
        }
        let selected = self.sessions.selected().map(|row| self.sessions.rows[row].clone());
        if self.sessions.rows.is_empty() && self.previewed.take().is_some() {
            self.tree.close();
            self.messages.clear();
            self.tickets.open = Ticket::default();
        }
        let key = match &selected {
            Some(SessionRow::Session { summary, .. }) => SessionKey::Session(summary.path.clone()),
            Some(SessionRow::Finding(at)) => SessionKey::Finding(self.sessions.findings[*at].path.clone()),
            _ => return,
        };
        if self.previewed.as_ref() == Some(&key) {
            return;
        }
        let is_first = self.previewed.is_none();
        self.previewed = Some(key);
        match selected {
            Some(SessionRow::Session { summary, .. }) => {
                let is_shown = self.tree.path() == Some(summary.path.as_path());
                let keeps_asked_for = is_first && self.setup.session.is_some() && !self.sessions.has_moved();
                if !is_shown && !keeps_asked_for {
                    self.tree.load(summary.path.clone());
                    let view = OutlineView { filter: self.tree.filter, ..OutlineView::default() };
                    self.tree.find.clear();
                    self.open(summary.path.clone(), view, effects);
                }
            }
            Some(SessionRow::Finding(at)) => {
                let finding = &self.sessions.findings[at];
                let cause = Cause::Other(finding.diagnostic.message.clone());
                let error = Error::new("cannot show", &finding.path, cause);
                self.tickets.open = Ticket::default();
                self.tree.fail(finding.path.clone(), error);
                self.messages.clear();
            }
            _ => {}
        }
    }

    /// Has a session read that is to be shown.
    pub(super) fn open(&mut self, path: PathBuf, view: OutlineView, effects: &mut Vec<Effect>) {
        if self.tree.session().is_some_and(|shown| shown.path() != path) {
            effects.push(Effect::StopForks);
        }
        let known = self.tree.known(&path);
        self.tickets.open = self.run(Job::Open { path, view, known }, effects);
    }

    /// Asks for the blocks that are in view, or nearly, and not there yet.
    pub(super) fn want_blocks(&mut self, effects: &mut Vec<Effect>) {
        let body = self.regions().rows(Pane::Messages);
        let Some(session) = self.messages.session().cloned() else { return };
        let height = usize::from(body.height);
        self.messages.reflow(body.width);
        self.messages.page_in(body.width, height);
        let listing = Arc::clone(self.messages.listing());
        let style = self.block_style();
        // What could be more colourful comes block by block, beside what is missing.
        let mut batches: Vec<_> =
            self.messages.take_plain_code(body.width, height).into_iter().map(|one| vec![one]).collect();
        batches.push(self.messages.take_wanted(body.width, height));
        for wanted in batches.into_iter().filter(|wanted| !wanted.is_empty()) {
            let (session, listing, style) = (Arc::clone(&session), Arc::clone(&listing), style.clone());
            self.run(Job::Blocks { session, listing, wanted, style }, effects);
        }
    }

    pub(super) fn block_style(&self) -> BlockStyle {
        BlockStyle {
            home: self.setup.home.clone(),
            zone: self.setup.zone.clone(),
            times: self.messages.times(),
            cell: self.messages.cell(),
            now: self.now,
            window: self.setup.context_window,
        }
    }

    pub(super) fn want_outline(&mut self, doc: usize, effects: &mut Vec<Effect>) {
        let Some(shown) = self.tree.docs.get(doc) else { return };
        let session = Arc::clone(&shown.session);
        let view = self.tree.view(doc);
        if doc > 0 && shown.outline.is_none() {
            self.want_forks(&session, effects);
        }
        self.run(Job::Outline { session, view }, effects);
    }

    /// Asks for the forks that left a session, if the store has any.
    pub(super) fn want_forks(&mut self, parent: &Arc<Session>, effects: &mut Vec<Effect>) {
        let canonical = self.sessions.summary(parent.path()).map(|summary| summary.canonical.clone());
        let forks = self.sessions.forks_of(canonical.as_deref().unwrap_or(parent.path()));
        let known = |fork: &Arc<SessionSummary>| self.tree.known(&fork.path);
        let forks: Vec<_> = forks.into_iter().map(|fork| (Arc::clone(&fork), known(&fork))).collect();
        if !forks.is_empty() {
            self.run(Job::Forks { parent: Arc::clone(parent), forks }, effects);
        }
    }

    pub(super) fn outline_all(&mut self, effects: &mut Vec<Effect>) {
        for doc in 0..self.tree.docs.len() {
            if self.tree.docs[doc].outline.is_some() {
                self.want_outline(doc, effects);
            }
        }
    }

    pub(super) fn want_context(&mut self, effects: &mut Vec<Effect>) {
        if let Some(session) = self.messages.session().cloned() {
            let leaf = self.messages.context_leaf();
            let window = self.setup.context_window;
            self.tickets.context = self.run(Job::Context { session, leaf, window }, effects);
        }
    }

    pub(super) fn find_changed(&mut self, effects: &mut Vec<Effect>) {
        match self.focus {
            Pane::Sessions => {
                self.sessions.begin_search();
                self.select_sessions(effects);
            }
            Pane::Tree => {
                self.tree.unfold_all();
                self.outline_all(effects);
            }
            Pane::Messages => self.find_in_messages(),
        }
    }

    /// Takes what is typed in the messages to be looked for; `#` and the start of an id go to that entry.
    pub(super) fn find_in_messages(&mut self) {
        self.tickets.find = Ticket::default();
        let typed = self.messages.find.text().to_owned();
        if let Some(id) = typed.strip_prefix('#').filter(|id| !id.is_empty()) {
            self.messages.set_needle(None);
            if self.messages.go_to_id(id) {
                self.follow_messages();
            } else {
                self.notice = Some(Notice::failed(format!("no entry {id} in this branch")));
            }
            return;
        }
        let needle = Needle::parse(&typed).unwrap_or_else(|reason| {
            self.notice = Some(Notice::failed(reason));
            None
        });
        self.messages.set_needle(needle);
        if !self.messages.find.is_typing() {
            self.messages.accept_find();
        }
        self.follow_messages();
    }

    /// Looks through the messages where that was not done, or where the rows are others since.
    pub(super) fn want_matches(&mut self, effects: &mut Vec<Effect>) {
        let width = self.regions().rows(Pane::Messages).width;
        let Some(session) = self.messages.session().cloned() else { return };
        let Some(needle) = self.messages.take_stale_search(width) else { return };
        let job = Job::FindText {
            session,
            listing: Arc::clone(self.messages.listing()),
            from: self.messages.anchor().item,
            width,
            raw: self.messages.raw_entries().clone(),
            needle,
            style: self.block_style(),
        };
        self.tickets.find = self.run(job, effects);
    }

    pub(super) fn select_sessions(&mut self, effects: &mut Vec<Effect>) {
        self.tickets.select = Ticket::default();
        let parsed = Query::parse(self.sessions.find.text());
        self.sessions.find_error = parsed.as_ref().err().map(ToString::to_string);
        match parsed {
            Ok(query) if query.is_empty() => self.sessions.take_selected(None),
            Ok(query) => {
                let rows = self.sessions.found().cloned().collect();
                let known = self.sessions.known_texts();
                self.tickets.select = self.run(Job::Select { rows, query, known }, effects);
            }
            Err(_) => self.sessions.take_selected(Some(Vec::new())),
        }
    }
}
