use super::tree::TreeAsk;
use super::{App, Effect, Notice, Overlay, Pane, Step, TreeKey, Zoom};
use crate::session::{EntryIx, Session};

impl App {
    pub(super) fn step(&mut self, step: Step, effects: &mut Vec<Effect>) {
        if self.overlay.is_some() {
            return self.step_overlay(step);
        }
        let height = self.body_height(self.focus);
        match self.focus {
            Pane::Sessions => {
                self.sessions.step(step, height);
                self.preview_if_another();
            }
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

    pub(super) fn go_in(&mut self, effects: &mut Vec<Effect>) {
        match self.focus {
            Pane::Sessions => {
                self.preview_if_another();
                let height = self.body_height(Pane::Sessions);
                if !self.sessions.toggle_heading(height) {
                    self.focus = Pane::Tree;
                }
            }
            Pane::Tree => match self.tree.cursor() {
                Some(TreeKey { doc, entry: None }) => self.go_to_fork(doc),
                _ => self.focus = Pane::Messages,
            },
            Pane::Messages if self.setup.picks => self.pick(effects),
            Pane::Messages => self.messages.toggle_fold(),
        }
    }

    /// Shows a fork as a session of its own.
    fn go_to_fork(&mut self, doc: usize) {
        let path = self.tree.docs[doc].session.path().to_owned();
        if !self.sessions.select_session(&path) {
            self.notice = Some(Notice::failed("this fork is not among the sessions"));
        }
    }

    /// Ends what was begun last: what lies above, a search, the zoom, the focus of a pane further right.
    pub(super) fn step_back(&mut self, effects: &mut Vec<Effect>) {
        if matches!(self.overlay, Some(Overlay::Edit(_))) {
            return self.cancel_edit();
        }
        if self.search().is_some() {
            return self.close_search(effects);
        }
        if self.stats_go_up(effects) || self.overlay.take().is_some() {
            return;
        }
        let had_find = match self.focus {
            Pane::Messages => self.messages.end_find(),
            _ => self.find_mut().clear(),
        };
        if had_find {
            self.find_changed(effects);
        } else if self.marks.clear(self.focus) {
        } else if self.focus == Pane::Messages && self.messages.is_alone() {
            self.messages.toggle_alone();
            self.zoom = Zoom::Off;
        } else if self.zoom == Zoom::On {
            self.zoom = Zoom::Off;
        } else if self.focus != Pane::Sessions {
            self.focus = self.focus.previous();
        }
    }

    pub(super) fn unfold(&mut self, effects: &mut Vec<Effect>) {
        match self.focus {
            Pane::Sessions => {
                if !self.sessions.unfold() && self.sessions.selected_session().is_some() {
                    self.focus = Pane::Tree;
                }
            }
            Pane::Tree => self.tree_ask(|app, _| app.tree.unfold(), effects),
            Pane::Messages => {
                self.messages.unfold();
            }
        }
    }

    pub(super) fn fold(&mut self, effects: &mut Vec<Effect>) {
        match self.focus {
            Pane::Sessions => {
                let height = self.body_height(Pane::Sessions);
                self.sessions.fold(height);
            }
            Pane::Tree => self.tree_ask(|app, height| app.tree.fold(height), effects),
            Pane::Messages => {
                if !self.messages.fold_more() {
                    self.focus = Pane::Tree;
                }
            }
        }
    }

    pub(super) fn toggle_fold(&mut self, effects: &mut Vec<Effect>) {
        match self.focus {
            Pane::Sessions => {}
            Pane::Tree => self.tree_ask(|app, height| app.tree.toggle_fold(height), effects),
            Pane::Messages => self.messages.toggle_fold(),
        }
    }

    pub(super) fn segment_up(&mut self, height: usize) -> TreeAsk {
        self.tree.segment_up(height)
    }

    pub(super) fn segment_down(&mut self, height: usize) -> TreeAsk {
        self.tree.segment_down(height)
    }

    /// Does something with the tree and what it asks for in turn.
    pub(super) fn tree_ask(
        &mut self,
        act: impl FnOnce(&mut Self, usize) -> TreeAsk,
        effects: &mut Vec<Effect>,
    ) {
        let height = self.body_height(Pane::Tree);
        match act(self, height) {
            TreeAsk::Nothing => {}
            TreeAsk::Outline(doc) => self.want_outline(doc, effects),
            TreeAsk::GoIn => self.focus = Pane::Messages,
        }
        self.follow_tree(effects);
    }

    pub(super) fn next_match(&mut self, forward: bool, effects: &mut Vec<Effect>) {
        match self.focus {
            Pane::Messages => {
                if self.messages.next_match(forward, self.body_height(Pane::Messages)) {
                    self.follow_messages();
                } else if !self.messages.find.text().is_empty() {
                    self.notice = Some(Notice::failed("not found in this branch"));
                }
            }
            _ if self.find().text().is_empty() => {
                self.notice = Some(Notice::failed("nothing is searched for; / finds"));
            }
            _ => self.step(if forward { Step::Down } else { Step::Up }, effects),
        }
    }

    /// Goes to the next or previous entry for which `wanted` holds, in the tree or in the messages.
    pub(super) fn jump(
        &mut self,
        forward: bool,
        wanted: fn(&Session, EntryIx) -> bool,
        otherwise: &str,
        effects: &mut Vec<Effect>,
    ) {
        let height = self.body_height(Pane::Tree);
        let is_there = match self.focus {
            Pane::Messages => self.messages.jump(forward, wanted),
            _ => self.tree.jump(forward, height, wanted),
        };
        match self.focus {
            _ if !is_there => self.notice = Some(Notice::failed(otherwise)),
            Pane::Messages => self.follow_messages(),
            _ => self.follow_tree(effects),
        }
    }

    /// Goes to the session that the shown one was forked from, and there to the entry it left.
    pub(super) fn go_to_parent_session(&mut self) {
        let Some(session) = self.tree.session() else { return };
        let fork = session.path().to_owned();
        let parent = self.sessions.summary(session.path()).and_then(|summary| summary.fork_parent());
        let parent = parent.map(std::path::Path::to_owned);
        self.notice = match (parent, &session.header().parent_session) {
            (Some(parent), _) if self.sessions.select_session(&parent) => {
                self.lands_on_fork = Some(fork);
                None
            }
            (_, Some(written)) => {
                Some(Notice::failed(format!("the session it was forked from is not here: {written}")))
            }
            (_, None) => Some(Notice::failed("this session was not forked from another")),
        };
    }
}
