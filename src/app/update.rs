use std::sync::Arc;

use ratatui::layout::{Position, Size};

use super::find::Typed;
use super::messages::Shown;
use super::tree::{TreeAsk, is_labelled, is_prompt};
use super::{
    Action, App, BlockStyle, Button, Effect, Input, Item, Job, Key, Mouse, MouseKind, Msg, Notice, Overlay,
    Pane, Report, ScopeChoice, SessionKey, SessionRow, Setup, Step, Ticket, TreeContent, View, Zoom,
};
use crate::error::{Cause, Error};
use crate::present::transcript::Fold;
use crate::session::{EntryIx, Filter, OutlineView};
use crate::store::{Query, Sort};

/// Rows that one notch of the wheel scrolls.
const WHEEL_ROWS: usize = 3;

impl App {
    /// Takes in what happened and returns what is to be done about it. `now` is in milliseconds since 1970.
    pub fn update(&mut self, msg: Msg, now: i64) -> Vec<Effect> {
        self.now = now;
        let mut effects = Vec::new();
        match msg {
            Msg::Start => self.start(&mut effects),
            Msg::Input(input) => self.input(input, &mut effects),
            Msg::Report(ticket, report) => self.report(ticket, report, &mut effects),
        }
        self.preview(&mut effects);
        self.want_blocks(&mut effects);
        effects
    }

    fn start(&mut self, effects: &mut Vec<Effect>) {
        self.rescan(effects);
        if let Some(path) = self.setup.session.clone() {
            self.focus = Pane::Tree;
            self.tree.load(path.clone());
            let view = self.tree.view(0);
            self.tickets.open = self.run(Job::Open { path, view }, effects);
        }
    }

    fn rescan(&mut self, effects: &mut Vec<Effect>) {
        self.sessions.start_scan();
        self.tickets.scan = self.run(Job::Scan { store: self.setup.store.clone() }, effects);
    }

    fn run(&mut self, job: Job, effects: &mut Vec<Effect>) -> Ticket {
        self.tickets.last = self.tickets.last.next();
        effects.push(Effect::Run(self.tickets.last, job));
        self.tickets.last
    }

    fn input(&mut self, input: Input, effects: &mut Vec<Effect>) {
        match input {
            Input::Key(key) => {
                self.notice = None;
                self.key(key, effects);
            }
            Input::Mouse(mouse) => self.mouse(mouse, effects),
            Input::Paste(text) if self.overlay.is_none() && self.find().is_typing() => {
                self.find_mut().paste(&text);
                self.find_changed(effects);
            }
            Input::Resize { columns, rows } => self.size = Size { width: columns, height: rows },
            Input::Paste(_) | Input::FocusGained => {}
        }
    }

    fn key(&mut self, key: Key, effects: &mut Vec<Effect>) {
        if self.overlay.is_none() && self.find().is_typing() && !is_interrupt(key) {
            match self.find_mut().type_key(key) {
                Typed::Changed | Typed::Cancelled => return self.find_changed(effects),
                Typed::Same | Typed::Accepted => return,
                Typed::NotForTyping => {}
            }
        }
        if let Some(action) = self.keymap.resolve(self.scope(), key) {
            self.act(action, effects);
        }
    }

    fn act(&mut self, action: Action, effects: &mut Vec<Effect>) {
        match action {
            Action::Quit => effects.push(Effect::Quit),
            Action::ToggleHelp => self.overlay = Some(Overlay::Help { top: 0 }),
            Action::ToggleDamage => self.overlay = Some(Overlay::Damage { top: 0 }),
            Action::NextPane => self.focus = self.focus.next(),
            Action::PreviousPane => self.focus = self.focus.previous(),
            Action::ToggleZoom => self.zoom = if self.zoom == Zoom::On { Zoom::Off } else { Zoom::On },
            Action::Move(step) => self.step(step, effects),
            Action::GoIn => self.go_in(),
            Action::StepBack => self.step_back(effects),
            Action::Unfold => self.unfold(effects),
            Action::Fold => self.fold(effects),
            Action::ToggleFold => self.toggle_fold(effects),
            Action::ToggleAllFolds => self.messages.toggle_all_folds(),
            Action::Find => {
                self.find_mut().start();
            }
            Action::NextMatch => self.next_match(true, effects),
            Action::PreviousMatch => self.next_match(false, effects),
            Action::ToggleScope => {
                let here = self.sessions.scope == ScopeChoice::ThisFolder;
                self.sessions.scope = if here { ScopeChoice::All } else { ScopeChoice::ThisFolder };
                self.sessions.rebuild();
            }
            Action::CycleOrder => {
                self.sessions.order = match self.sessions.order {
                    Sort::Threaded => Sort::Recent,
                    Sort::Recent => Sort::Relevance,
                    Sort::Relevance => Sort::Threaded,
                };
                self.sessions.rebuild();
            }
            Action::ToggleNamed => {
                self.sessions.named_only = !self.sessions.named_only;
                self.sessions.rebuild();
            }
            Action::TogglePaths => self.sessions.shows_paths = !self.sessions.shows_paths,
            Action::Rescan => self.rescan(effects),
            Action::Filter(filter) => {
                let is_on = self.tree.filter == filter;
                self.set_filter(if is_on { Filter::Default } else { filter }, effects);
            }
            Action::NextFilter => self.turn_filter(1, effects),
            Action::PreviousFilter => self.turn_filter(Filter::ALL.len() - 1, effects),
            Action::SegmentUp => self.tree_ask(Self::segment_up, effects),
            Action::SegmentDown => self.tree_ask(Self::segment_down, effects),
            Action::ToggleLabelTimes => self.tree.shows_label_times = !self.tree.shows_label_times,
            Action::NextLabel => self.jump_in_tree(true, is_labelled, "no label in this tree", effects),
            Action::PreviousLabel => self.jump_in_tree(false, is_labelled, "no label in this tree", effects),
            Action::GoToParentSession => self.go_to_parent_session(),
            Action::ToggleView => self.toggle_view(effects),
            Action::HoldContext => self.hold_context(effects),
            Action::NextPrompt => self.jump_to_prompt(true, effects),
            Action::PreviousPrompt => self.jump_to_prompt(false, effects),
            Action::Copy => self.copy(effects),
            Action::OpenDemo => {
                self.run(Job::Demo, effects);
            }
        }
    }

    fn step(&mut self, step: Step, effects: &mut Vec<Effect>) {
        if let Some(overlay) = self.overlay {
            let body = super::Regions::overlay(self.size).body;
            let rows = self.overlay_rows(overlay, usize::from(body.width)).len();
            let height = usize::from(body.height);
            if let Some(overlay) = &mut self.overlay {
                overlay.step(step, rows, height);
            }
            return;
        }
        let height = self.body_height(self.focus);
        match self.focus {
            Pane::Sessions => self.sessions.step(step, height),
            Pane::Tree => {
                self.tree.step(step, height);
                self.follow_tree(effects);
            }
            Pane::Messages => {
                let width = self.regions().rows(Pane::Messages).width;
                self.messages.step(step, width, height);
                self.follow_messages();
            }
        }
    }

    fn go_in(&mut self) {
        match self.focus {
            Pane::Sessions => {
                let height = self.body_height(Pane::Sessions);
                if !self.sessions.toggle_heading(height) {
                    self.focus = Pane::Tree;
                }
            }
            Pane::Tree | Pane::Messages => self.focus = Pane::Messages,
        }
    }

    /// Ends what was begun last: what lies above, a search, the zoom, the focus of a pane further right.
    fn step_back(&mut self, effects: &mut Vec<Effect>) {
        if self.overlay.take().is_some() {
            return;
        }
        let had_find = match self.focus {
            Pane::Messages => self.messages.end_find(),
            _ => self.find_mut().clear(),
        };
        if had_find {
            self.find_changed(effects);
        } else if self.zoom == Zoom::On {
            self.zoom = Zoom::Off;
        } else if self.focus != Pane::Sessions {
            self.focus = self.focus.previous();
        }
    }

    fn unfold(&mut self, effects: &mut Vec<Effect>) {
        match self.focus {
            Pane::Sessions => {
                if !self.sessions.unfold() && self.sessions.selected_session().is_some() {
                    self.focus = Pane::Tree;
                }
            }
            Pane::Tree => self.tree_ask(|app, _| app.tree.unfold(), effects),
            Pane::Messages => {
                if self.messages.current_fold() == Some(Fold::Closed) {
                    self.messages.toggle_fold();
                }
            }
        }
    }

    fn fold(&mut self, effects: &mut Vec<Effect>) {
        match self.focus {
            Pane::Sessions => {
                let height = self.body_height(Pane::Sessions);
                self.sessions.fold(height);
            }
            Pane::Tree => self.tree_ask(|app, height| app.tree.fold(height), effects),
            Pane::Messages => {
                if self.messages.current_fold() == Some(Fold::Open) {
                    self.messages.toggle_fold();
                } else {
                    self.focus = Pane::Tree;
                }
            }
        }
    }

    fn toggle_fold(&mut self, effects: &mut Vec<Effect>) {
        match self.focus {
            Pane::Sessions => {}
            Pane::Tree => self.tree_ask(|app, height| app.tree.toggle_fold(height), effects),
            Pane::Messages => self.messages.toggle_fold(),
        }
    }

    fn segment_up(&mut self, height: usize) -> TreeAsk {
        self.tree.segment_up(height)
    }

    fn segment_down(&mut self, height: usize) -> TreeAsk {
        self.tree.segment_down(height)
    }

    /// Does something with the tree and what it asks for in turn.
    fn tree_ask(&mut self, act: impl FnOnce(&mut Self, usize) -> TreeAsk, effects: &mut Vec<Effect>) {
        let height = self.body_height(Pane::Tree);
        match act(self, height) {
            TreeAsk::Nothing => {}
            TreeAsk::Outline(doc) => self.want_outline(doc, effects),
            TreeAsk::GoIn => self.focus = Pane::Messages,
        }
        self.follow_tree(effects);
    }

    fn want_outline(&mut self, doc: usize, effects: &mut Vec<Effect>) {
        let Some(shown) = self.tree.docs.get(doc) else { return };
        let session = Arc::clone(&shown.session);
        let view = self.tree.view(doc);
        if doc > 0 && shown.outline.is_none() {
            self.want_forks(&session, effects);
        }
        self.run(Job::Outline { session, view }, effects);
    }

    /// Asks for the forks that left a session, if the store has any.
    fn want_forks(&mut self, parent: &Arc<crate::session::Session>, effects: &mut Vec<Effect>) {
        let canonical = self.sessions.summary(parent.path()).map(|summary| summary.canonical.clone());
        let forks = self.sessions.forks_of(canonical.as_deref().unwrap_or(parent.path()));
        if !forks.is_empty() {
            self.run(Job::Forks { parent: Arc::clone(parent), forks }, effects);
        }
    }

    fn set_filter(&mut self, filter: Filter, effects: &mut Vec<Effect>) {
        self.tree.filter = filter;
        self.tree.unfold_all();
        self.outline_all(effects);
    }

    fn turn_filter(&mut self, by: usize, effects: &mut Vec<Effect>) {
        let at = Filter::ALL.iter().position(|&filter| filter == self.tree.filter).unwrap_or(0);
        self.set_filter(Filter::ALL[(at + by) % Filter::ALL.len()], effects);
    }

    fn outline_all(&mut self, effects: &mut Vec<Effect>) {
        for doc in 0..self.tree.docs.len() {
            if self.tree.docs[doc].outline.is_some() {
                self.want_outline(doc, effects);
            }
        }
    }

    fn find_changed(&mut self, effects: &mut Vec<Effect>) {
        match self.focus {
            Pane::Sessions => self.select_sessions(effects),
            Pane::Tree => {
                self.tree.unfold_all();
                self.outline_all(effects);
            }
            Pane::Messages => {
                let text = self.messages.find.text().to_owned();
                self.tickets.find = Ticket::default();
                if text.trim().is_empty() {
                    self.messages.take_matches(Vec::new());
                } else if let Some(session) = self.messages.session().cloned() {
                    let items = Arc::clone(self.messages.items());
                    let width = self.regions().rows(Pane::Messages).width;
                    let style = self.block_style();
                    self.tickets.find =
                        self.run(Job::FindText { session, items, width, text, style }, effects);
                }
            }
        }
    }

    fn select_sessions(&mut self, effects: &mut Vec<Effect>) {
        self.tickets.select = Ticket::default();
        let parsed = Query::parse(self.sessions.find.text());
        self.sessions.find_error = parsed.as_ref().err().map(ToString::to_string);
        match parsed {
            Ok(query) if query.is_empty() => self.sessions.take_selected(None),
            Ok(query) => {
                let rows = self.sessions.found().cloned().collect();
                self.tickets.select = self.run(Job::Select { rows, query }, effects);
            }
            Err(_) => self.sessions.take_selected(Some(Vec::new())),
        }
    }

    fn next_match(&mut self, forward: bool, effects: &mut Vec<Effect>) {
        match self.focus {
            Pane::Messages => {
                if self.messages.next_match(forward) {
                    self.follow_messages();
                } else if !self.messages.find.text().is_empty() {
                    self.notice = Some(Notice::failed("not found in this branch"));
                }
            }
            _ => self.step(if forward { Step::Down } else { Step::Up }, effects),
        }
    }

    fn jump_in_tree(
        &mut self,
        forward: bool,
        wanted: fn(&crate::session::Session, EntryIx) -> bool,
        otherwise: &str,
        effects: &mut Vec<Effect>,
    ) {
        let height = self.body_height(Pane::Tree);
        if self.tree.jump(forward, height, wanted) {
            self.follow_tree(effects);
        } else {
            self.notice = Some(Notice::failed(otherwise));
        }
    }

    fn jump_to_prompt(&mut self, forward: bool, effects: &mut Vec<Effect>) {
        if self.focus == Pane::Tree {
            self.jump_in_tree(forward, is_prompt, "no prompt in this tree", effects);
        } else if self.messages.jump(forward, is_prompt) {
            self.follow_messages();
        }
    }

    fn go_to_parent_session(&mut self) {
        let Some(session) = self.tree.session() else { return };
        let parent = self.sessions.summary(session.path()).and_then(|summary| summary.parent.clone());
        self.notice = match (parent, &session.header().parent_session) {
            (Some(parent), _) if self.sessions.select_session(&parent) => None,
            (_, Some(written)) => {
                Some(Notice::failed(format!("the session it was forked from is not here: {written}")))
            }
            (_, None) => Some(Notice::failed("this session was not forked from another")),
        };
    }

    fn toggle_view(&mut self, effects: &mut Vec<Effect>) {
        self.messages.held = None;
        match self.messages.view {
            View::Sent => self.messages.set_view(View::Stored),
            View::Stored => {
                self.messages.context = None;
                self.messages.set_view(View::Sent);
                self.want_context(effects);
            }
        }
    }

    fn hold_context(&mut self, effects: &mut Vec<Effect>) {
        let cursor = match self.focus {
            Pane::Messages => self.messages.current().map(Item::entry),
            _ => self.tree.cursor_entry().map(|(_, entry)| entry),
        };
        let Some(entry) = cursor else { return };
        self.messages.held = if self.messages.held == Some(entry) { None } else { Some(entry) };
        self.messages.set_view(View::Sent);
        self.want_context(effects);
    }

    fn want_context(&mut self, effects: &mut Vec<Effect>) {
        if let Some(session) = self.messages.session().cloned() {
            let leaf = self.messages.context_leaf();
            self.tickets.context = self.run(Job::Context { session, leaf }, effects);
        }
    }

    fn copy(&mut self, effects: &mut Vec<Effect>) {
        if self.focus == Pane::Sessions {
            if let Some(summary) = self.sessions.selected_session() {
                effects.push(Effect::Copy(summary.path.to_string_lossy().into_owned()));
            }
            return;
        }
        let cursor = match self.focus {
            Pane::Messages => self.messages.session().cloned().zip(self.messages.current().map(Item::entry)),
            _ => {
                self.tree.cursor_entry().map(|(doc, entry)| (Arc::clone(&self.tree.docs[doc].session), entry))
            }
        };
        if let Some((session, entry)) = cursor {
            self.run(Job::CopyText { session, entry }, effects);
        }
    }

    fn mouse(&mut self, mouse: Mouse, effects: &mut Vec<Effect>) {
        let position = Position { x: mouse.column, y: mouse.row };
        if self.overlay.is_some() {
            let step = match mouse.kind {
                MouseKind::ScrollUp => Step::Up,
                MouseKind::ScrollDown => Step::Down,
                _ => return,
            };
            return (0..WHEEL_ROWS).for_each(|_| self.step(step, effects));
        }
        let Some(region) = self.regions().at(position).copied() else { return };
        match mouse.kind {
            MouseKind::ScrollUp => self.wheel(region.pane, Step::Up, effects),
            MouseKind::ScrollDown => self.wheel(region.pane, Step::Down, effects),
            MouseKind::Press(Button::Left) => {
                self.notice = None;
                self.focus = region.pane;
                if region.body.contains(position) {
                    self.click(region.pane, usize::from(position.y - region.body.y), effects);
                }
            }
            _ => {}
        }
    }

    /// Scrolls the pane under the mouse without taking the focus from another.
    fn wheel(&mut self, pane: Pane, step: Step, effects: &mut Vec<Effect>) {
        let focus = std::mem::replace(&mut self.focus, pane);
        for _ in 0..WHEEL_ROWS {
            self.step(step, effects);
        }
        self.focus = focus;
    }

    fn click(&mut self, pane: Pane, row: usize, effects: &mut Vec<Effect>) {
        let height = self.body_height(pane);
        match pane {
            Pane::Sessions => {
                let at = self.sessions.top(height) + row;
                let was_selected = self.sessions.selected() == Some(at);
                self.sessions.select_row(at, height);
                if was_selected {
                    self.sessions.toggle_heading(height);
                }
            }
            Pane::Tree => {
                let at = self.tree.top(height) + row;
                let was_selected = self.tree.selected() == Some(at);
                self.tree.select_row(at, height);
                if was_selected {
                    self.toggle_fold(effects);
                }
                self.follow_tree(effects);
            }
            Pane::Messages => {
                let mut left = row;
                for visible in self.messages.window(self.regions().rows(Pane::Messages).width, height) {
                    if left < visible.rows.len() {
                        let was_current = self.messages.anchor().item == visible.item;
                        self.messages.place(super::Anchor { item: visible.item, row: visible.rows.start });
                        if was_current && visible.rows.start + left == 0 {
                            self.messages.toggle_fold();
                        }
                        self.follow_messages();
                        return;
                    }
                    left -= visible.rows.len();
                }
            }
        }
    }

    fn report(&mut self, ticket: Ticket, report: Report, effects: &mut Vec<Effect>) {
        match report {
            Report::Scan(event) if ticket == self.tickets.scan => {
                self.sessions.take(event);
                if !self.sessions.find.text().is_empty() {
                    self.select_sessions_again(effects);
                }
            }
            Report::ScanEnded if ticket == self.tickets.scan => {
                self.sessions.end_scan();
                // Forks of the session that is shown may have been found only now.
                if let (TreeContent::Ready, Some(session)) =
                    (&self.tree.content, self.tree.session().cloned())
                {
                    self.want_forks(&session, effects);
                    if self.setup.session.as_deref() == Some(session.path()) && !self.sessions.has_moved() {
                        self.sessions.select_session(session.path());
                    }
                }
            }
            Report::Selected(paths) if ticket == self.tickets.select => {
                self.sessions.take_selected(Some(paths));
            }
            Report::Opened(opened) if ticket == self.tickets.open => {
                let session = Arc::clone(&opened.session);
                self.tree.show(*opened);
                self.want_forks(&session, effects);
                self.follow_tree(effects);
            }
            Report::NotOpened { path, error } if ticket == self.tickets.open => {
                self.tree.fail(path, error);
                self.messages.clear();
            }
            Report::Outlined { session, outline } => {
                self.tree.take_outline(&session, *outline);
                self.follow_tree(effects);
            }
            Report::Forks { parent, forks } => self.tree.take_forks(&parent, forks),
            Report::Context { session, context } if ticket == self.tickets.context => {
                self.messages.take_context(&session, *context);
            }
            Report::Blocks { session, blocks } => self.messages.take_blocks(&session, blocks),
            Report::Found(found) if ticket == self.tickets.find => {
                self.messages.take_matches(found);
                self.follow_messages();
            }
            Report::CopyText(text) => effects.push(Effect::Copy(text)),
            Report::Demo { store, home } => self.browse_demo(store, &home, effects),
            Report::Notice(notice) => self.notice = Some(notice),
            Report::Dropped(job) => {
                if let Job::Blocks { wanted, .. } = *job {
                    self.messages.forget_wanted(&wanted);
                }
            }
            // The answer to a request that has been overtaken by a newer one.
            _ => {}
        }
    }

    /// Matches rows that came in after the search was typed, without moving the cursor to the best one.
    fn select_sessions_again(&mut self, effects: &mut Vec<Effect>) {
        if self.tickets.select == Ticket::default() || !self.sessions.progress.is_running {
            self.select_sessions(effects);
        }
    }

    fn browse_demo(&mut self, store: crate::store::Store, home: &str, effects: &mut Vec<Effect>) {
        let setup = Setup { store, home: Some(home.into()), session: None, ..self.setup.clone() };
        let tickets = self.tickets;
        *self = Self::new(setup, self.size, self.now);
        self.tickets.last = tickets.last;
        self.start(effects);
    }

    /// Shows the messages of the branch through the tree's cursor.
    fn follow_tree(&mut self, effects: &mut Vec<Effect>) {
        let Some((doc, entry)) = self.tree.cursor_entry() else {
            self.messages.clear();
            return;
        };
        let session = Arc::clone(&self.tree.docs[doc].session);
        let leaf = session.leaf_through(entry);
        if self.messages.show(&session, Some(leaf), Some(entry)) == Shown::OtherBranch
            && self.messages.view == View::Sent
        {
            self.want_context(effects);
        }
    }

    /// Moves the tree's cursor to what is being read.
    fn follow_messages(&mut self) {
        let Some(entry) = self.messages.current().map(Item::entry) else { return };
        let doc = self.tree.cursor().map_or(0, |cursor| cursor.doc);
        self.tree.select_nearest(doc, Some(entry));
    }

    /// Shows the session under the cursor in the other panes, once the cursor has come to another one.
    fn preview(&mut self, effects: &mut Vec<Effect>) {
        let selected = self.sessions.selected().map(|row| self.sessions.rows[row].clone());
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
                    self.tickets.open = self.run(Job::Open { path: summary.path.clone(), view }, effects);
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

    /// Asks for the blocks that are in view, or nearly, and not there yet.
    fn want_blocks(&mut self, effects: &mut Vec<Effect>) {
        let body = self.regions().rows(Pane::Messages);
        let Some(session) = self.messages.session().cloned() else { return };
        let height = usize::from(body.height);
        let items = Arc::clone(self.messages.items());
        let style = self.block_style();
        // The lane runs the newest first: what is missing goes before what could be more colourful.
        let mut batches: Vec<_> =
            self.messages.take_plain_code(body.width, height).into_iter().map(|one| vec![one]).collect();
        batches.push(self.messages.take_wanted(body.width, height));
        for wanted in batches.into_iter().filter(|wanted| !wanted.is_empty()) {
            let (session, items, style) = (Arc::clone(&session), Arc::clone(&items), style.clone());
            self.run(Job::Blocks { session, items, wanted, style }, effects);
        }
    }

    fn block_style(&self) -> BlockStyle {
        BlockStyle { home: self.setup.home.clone(), zone: self.setup.zone.clone(), now: self.now }
    }
}

/// `ctrl+c` leaves, also while typing.
fn is_interrupt(key: Key) -> bool {
    key.modifiers().ctrl && key.name() == super::KeyName::Char('c')
}
