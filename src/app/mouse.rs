use ratatui::layout::Position;

use super::{App, Button, Effect, Mouse, MouseKind, Pane, Step};

/// Rows that one notch of the wheel scrolls.
const WHEEL_ROWS: usize = 3;

impl App {
    pub(super) fn mouse(&mut self, mouse: Mouse, effects: &mut Vec<Effect>) {
        let position = Position { x: mouse.column, y: mouse.row };
        if self.overlay.is_some() {
            let step = match mouse.kind {
                MouseKind::ScrollUp => Step::Up,
                MouseKind::ScrollDown => Step::Down,
                MouseKind::Press(Button::Left) => return self.click_overlay(position),
                _ => return,
            };
            return (0..WHEEL_ROWS).for_each(|_| self.step(step, effects));
        }
        let regions = self.regions();
        if let (MouseKind::Press(Button::Left), Some(pane)) = (mouse.kind, regions.named_at(position)) {
            self.focus = pane;
            return;
        }
        let Some(region) = regions.at(position).copied() else { return };
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
    pub(super) fn wheel(&mut self, pane: Pane, step: Step, effects: &mut Vec<Effect>) {
        if pane == Pane::Tree {
            let height = self.body_height(pane);
            (0..WHEEL_ROWS).for_each(|_| self.tree.scroll(step, height));
            return self.follow_tree(effects);
        }
        let focus = std::mem::replace(&mut self.focus, pane);
        (0..WHEEL_ROWS).for_each(|_| self.step(step, effects));
        self.focus = focus;
    }

    pub(super) fn click(&mut self, pane: Pane, row: usize, effects: &mut Vec<Effect>) {
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
                let width = self.regions().rows(Pane::Messages).width;
                if self.messages.mark_row(row, width, height) {
                    self.messages.toggle_fold();
                }
                self.follow_messages();
            }
        }
    }
}
