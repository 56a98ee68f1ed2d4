use ratatui::layout::Size;

use super::find::Typed;
use super::messages::{is_error, is_said};
use super::tree::{is_labelled, is_prompt};
use super::{
    Action, App, CopyMenu, Effect, Input, Item, Job, Key, Msg, Notice, Overlay, Pane, ScopeChoice, Ticket,
    View, Zoom,
};
use crate::session::Filter;
use crate::store::{Kept, Sort};

impl App {
    /// Takes in what happened and returns what is to be done about it. `now` is in milliseconds since 1970.
    pub fn update(&mut self, msg: Msg, now: i64) -> Vec<Effect> {
        self.now = now;
        self.sessions.now = now;
        let mut effects = Vec::new();
        let is_reason = matches!(msg, Msg::Input(_) | Msg::Changed(_));
        match msg {
            Msg::Start => self.start(&mut effects),
            Msg::Input(input) => self.input(input, &mut effects),
            Msg::Report(ticket, report) => self.report(ticket, report, &mut effects),
            Msg::Edited(edited) => self.take_edited(edited, &mut effects),
            Msg::Back(ended) => self.come_back(ended, &mut effects),
            Msg::Changed(paths) => self.changed(paths, &mut effects),
            Msg::Tell(notice) => self.notice = Some(notice),
        }
        if is_reason {
            self.scan_again(&mut effects);
        }
        self.preview(&mut effects);
        self.want_matches(&mut effects);
        self.want_blocks(&mut effects);
        self.want_turns(&mut effects);
        effects
    }

    pub(super) fn start(&mut self, effects: &mut Vec<Effect>) {
        self.rescan(Kept::Trusted, effects);
        effects.push(Effect::Watch(self.setup.store.clone(), self.setup.session.clone()));
        if let Some(path) = self.setup.session.clone() {
            self.focus = Pane::Tree;
            self.tree.load(path.clone());
            let view = self.tree.view(0);
            self.open(path, view, effects);
        }
    }

    /// Looks through the store.
    pub(super) fn rescan(&mut self, kept: Kept, effects: &mut Vec<Effect>) {
        self.sessions.start_scan();
        let store = self.setup.store.clone();
        self.forget_changes();
        self.tickets.scan = self.run(Job::Scan { store, kept }, effects);
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
                self.lands_on_fork = None;
                if self.setup.session.is_none() {
                    self.sessions.keep_cursor();
                }
                self.key(key, effects);
            }
            Input::Mouse(mouse) => self.mouse(mouse, effects),
            Input::Paste(text) => {
                if let Some(find) = self.typing_mut() {
                    find.paste(&text);
                    self.typed(Typed::Changed, effects);
                }
            }
            Input::Resize { columns, rows } => self.size = Size { width: columns, height: rows },
            Input::FocusGained | Input::FocusLost => {}
        }
    }

    fn key(&mut self, key: Key, effects: &mut Vec<Effect>) {
        let typed = self.setup.keymap.typed(self.scope(), key).filter(|_| !is_interrupt(key));
        if let (Some(typed), Some(find)) = (typed, self.typing_mut()) {
            let typed = find.type_key(typed);
            if typed != Typed::NotForTyping {
                return self.typed(typed, effects);
            }
        }
        if let Some(action) = self.setup.keymap.resolve(self.scope(), key) {
            self.act(action, effects);
        }
    }

    /// Goes on after something was typed, wherever it was.
    fn typed(&mut self, typed: Typed, effects: &mut Vec<Effect>) {
        match (&mut self.overlay, typed) {
            (Some(Overlay::Finder(_)), Typed::Changed) => self.narrow_finder(effects),
            (Some(Overlay::Finder(_)), Typed::Accepted) => self.land(effects),
            (Some(Overlay::Finder(_)), Typed::Cancelled) => self.overlay = None,
            (Some(Overlay::Search(_)), Typed::Changed) => self.search_changed(effects),
            (Some(Overlay::Search(_)), Typed::Accepted) => self.land_on_hit(effects),
            (Some(Overlay::Search(_)), Typed::Cancelled) => self.close_search(effects),
            (Some(Overlay::Edit(_)), Typed::Accepted) => self.accept_edit(effects),
            (Some(Overlay::Edit(_)), Typed::Cancelled) => self.cancel_edit(),
            (Some(Overlay::Resume(_)), Typed::Accepted) => self.take_typed_folder(),
            (Some(Overlay::Resume(dialog)), Typed::Cancelled) => dialog.typing = None,
            (Some(Overlay::Export(_)), Typed::Accepted) => self.take_export_path(),
            (Some(Overlay::Export(dialog)), Typed::Cancelled) => dialog.typing = None,
            (None, Typed::Changed | Typed::Cancelled) => self.find_changed(effects),
            (None, Typed::Accepted) if self.focus == Pane::Messages => self.messages.accept_find(),
            _ => {}
        }
    }

    fn act(&mut self, action: Action, effects: &mut Vec<Effect>) {
        match action {
            Action::Quit => effects.push(Effect::Quit),
            Action::ToggleHelp => self.overlay = Some(Overlay::Help { top: 0 }),
            Action::ToggleDamage => self.overlay = Some(Overlay::Damage { top: 0 }),
            Action::OpenDetails => self.open_details(effects),
            Action::OpenStats => self.open_stats(effects),
            Action::StatsBy(by) => self.stats_by(by, effects),
            Action::NextPeriod => self.turn_period(effects),
            Action::NextStatsOrder => self.turn_stats_order(effects),
            Action::OpenCompare => self.open_compare(),
            Action::NextSide => self.next_side(),
            Action::NextAttempt => self.turn_attempt(true),
            Action::PreviousAttempt => self.turn_attempt(false),
            Action::NextTurn => self.step_turn(true),
            Action::PreviousTurn => self.step_turn(false),
            Action::NextPane => self.focus = self.focus.next(),
            Action::PreviousPane => self.focus = self.focus.previous(),
            Action::ToggleZoom => self.zoom = if self.zoom == Zoom::On { Zoom::Off } else { Zoom::On },
            Action::Move(step) => self.step(step, effects),
            Action::GoIn => self.go_in(effects),
            Action::StepBack => self.step_back(effects),
            Action::Unfold => self.unfold(effects),
            Action::Fold => self.fold(effects),
            Action::ToggleFold => self.toggle_fold(effects),
            Action::NextLevel => {
                let level = self.messages.next_level();
                self.notice = Some(Notice::done(level.words()));
            }
            Action::ToggleTimes => self.messages.toggle_times(),
            Action::ToggleRaw => self.messages.toggle_raw(),
            Action::Find if self.focus == Pane::Messages => self.messages.begin_find(),
            Action::Find => self.find_mut().start(),
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
            Action::ToggleDates => self.sessions.toggle_dates(),
            Action::ToggleNamed => {
                self.sessions.named_only = !self.sessions.named_only;
                self.sessions.rebuild();
            }
            Action::TogglePaths => self.sessions.shows_paths = !self.sessions.shows_paths,
            Action::Rescan => self.rescan(Kept::Renewed, effects),
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
            Action::ToggleRegex => {
                self.messages.find.toggle_prefix("re:");
                self.find_changed(effects);
            }
            Action::ToggleAlone => {
                self.zoom = if self.messages.toggle_alone() { Zoom::On } else { Zoom::Off };
            }
            Action::OpenOutside => {
                if let (Some(session), Some(item)) =
                    (self.messages.session().cloned(), self.messages.current())
                {
                    self.run(Job::ReadText { session, entry: item.entry() }, effects);
                }
            }
            Action::OpenDemo => {
                self.run(Job::Demo, effects);
            }
            action => self.take_away(action, effects),
        }
    }

    /// Carries out what takes something out of the program or changes a file: copies, a resume, a pick, edits.
    fn take_away(&mut self, action: Action, effects: &mut Vec<Effect>) {
        match action {
            Action::OpenCopyMenu => self.overlay = Some(Overlay::Copy(CopyMenu::default())),
            Action::Take(take) => self.take(take, effects),
            Action::Choose => self.choose(effects),
            Action::ToggleMark => self.mark_and_go_on(effects),
            Action::Resume => self.offer_resume(effects),
            Action::NextOrigin => self.turn_origin(),
            Action::NextPlace => self.turn_place(),
            Action::NextTools => self.turn_tools(),
            Action::TypeFolder => self.type_folder(),
            Action::FollowInstead => self.follow_instead(effects),
            Action::CopyCommand => self.copy_resume_command(effects),
            Action::OpenFinder(finds) => self.open_finder(finds, effects),
            Action::OpenSearch => self.open_search(),
            Action::NextFinderScope => self.turn_finder_scope(effects),
            Action::CopyFound => self.copy_found(effects),
            Action::CopyDetail => self.copy_detail(effects),
            Action::OpenExport => self.offer_export(),
            Action::NextFormat => self.turn_export_format(),
            Action::NextPart => self.turn_export_part(),
            Action::ToggleSecrets => self.turn_secrets(),
            Action::TypePath => self.type_export_path(),
            Action::Pick if self.setup.picks => self.pick(effects),
            Action::EditLabel
            | Action::Rename
            | Action::Fork
            | Action::Clone
            | Action::Delete
            | Action::Undelete => self.begin_edit(action, effects),
            _ => {}
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

    /// Does what is under the cursor of what lies above the panes.
    fn choose(&mut self, effects: &mut Vec<Effect>) {
        match &self.overlay {
            Some(Overlay::Copy(menu)) => {
                if let Some(take) = menu.chosen() {
                    self.take(take, effects);
                }
            }
            Some(Overlay::Resume(_)) => self.resume(effects),
            Some(Overlay::Export(_)) => self.export(effects),
            Some(Overlay::Finder(_)) => self.land(effects),
            Some(Overlay::Search(_)) => self.land_on_hit(effects),
            Some(Overlay::Edit(_)) => self.accept_edit(effects),
            Some(Overlay::Compare(_)) => self.land_on_attempt(effects),
            Some(Overlay::Stats(_)) => self.stats_go_in(effects),
            Some(Overlay::Help { .. } | Overlay::Damage { .. } | Overlay::Details(_)) | None => {}
        }
    }
}

/// `ctrl+c` leaves, also while typing.
fn is_interrupt(key: Key) -> bool {
    key.modifiers().ctrl && key.name() == super::KeyName::Char('c')
}
