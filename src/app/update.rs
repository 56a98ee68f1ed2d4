use std::sync::Arc;

use ratatui::layout::Size;

use super::find::Typed;
use super::messages::{is_error, is_said};
use super::tree::{is_labelled, is_prompt};
use super::{
    Action, App, Effect, Input, Item, Job, Key, Msg, Notice, Overlay, Pane, ScopeChoice, Ticket, View, Zoom,
};
use crate::session::Filter;
use crate::store::Sort;

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

    pub(super) fn start(&mut self, effects: &mut Vec<Effect>) {
        self.rescan(false, effects);
        if let Some(path) = self.setup.session.clone() {
            self.focus = Pane::Tree;
            self.tree.load(path.clone());
            let view = self.tree.view(0);
            self.tickets.open = self.run(Job::Open { path, view }, effects);
        }
    }

    /// Looks through the store. `afresh` reads again what earlier scans kept.
    pub(super) fn rescan(&mut self, afresh: bool, effects: &mut Vec<Effect>) {
        self.sessions.start_scan();
        let store = self.setup.store.clone();
        self.tickets.scan = self.run(Job::Scan { store, afresh }, effects);
    }

    pub(super) fn run(&mut self, job: Job, effects: &mut Vec<Effect>) -> Ticket {
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
            Action::NextLevel => {
                let level = self.messages.next_level();
                self.notice = Some(Notice::done(level.words()));
            }
            Action::ToggleRaw => self.messages.toggle_raw(),
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
            Action::Rescan => self.rescan(true, effects),
            Action::Filter(filter) => {
                let is_on = self.tree.filter == filter;
                self.set_filter(if is_on { Filter::Default } else { filter }, effects);
            }
            Action::NextFilter => self.turn_filter(1, effects),
            Action::PreviousFilter => self.turn_filter(Filter::ALL.len() - 1, effects),
            Action::SegmentUp => self.tree_ask(Self::segment_up, effects),
            Action::SegmentDown => self.tree_ask(Self::segment_down, effects),
            Action::ToggleLabelTimes => self.tree.shows_label_times = !self.tree.shows_label_times,
            Action::NextLabel => self.jump(true, is_labelled, "no more labels", effects),
            Action::PreviousLabel => self.jump(false, is_labelled, "no more labels", effects),
            Action::GoToParentSession => self.go_to_parent_session(),
            Action::ToggleView => self.toggle_view(effects),
            Action::HoldContext => self.hold_context(effects),
            Action::NextPrompt => self.jump(true, is_prompt, "no more prompts", effects),
            Action::PreviousPrompt => self.jump(false, is_prompt, "no more prompts", effects),
            Action::NextMessage => self.jump(true, is_said, "no more messages", effects),
            Action::PreviousMessage => self.jump(false, is_said, "no more messages", effects),
            Action::NextError => self.jump(true, is_error, "no more errors", effects),
            Action::PreviousError => self.jump(false, is_error, "no more errors", effects),
            Action::Copy => self.copy(effects),
            Action::OpenDemo => {
                self.run(Job::Demo, effects);
            }
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
}

/// `ctrl+c` leaves, also while typing.
fn is_interrupt(key: Key) -> bool {
    key.modifiers().ctrl && key.name() == super::KeyName::Char('c')
}
