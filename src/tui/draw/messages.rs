use ratatui::layout::Rect;

use super::paint::{MARKED, Painter};
use crate::app::{Anchor, App, Item, Pane, TreeContent, View};
use crate::present::{Row, Tone};

/// Draws the messages in view.
pub(super) fn draw(painter: &mut Painter<'_, '_>, app: &App, area: Rect) {
    let pane = &app.messages;
    if pane.items().is_empty() {
        let words = match (&app.tree.content, pane.view, pane.session()) {
            (TreeContent::Failed(..) | TreeContent::Nothing, ..) | (_, _, None) => "",
            (_, View::Sent, _) if pane.context.is_none() => "building the context…",
            (_, View::Sent, _) => "nothing is sent",
            (_, View::Stored, _) => "no messages",
        };
        painter.row(&Row::new().text("  ", Tone::Text).text(words, Tone::Dim), area);
        return;
    }
    let current = pane.anchor().item;
    let anchor = pane.anchor();
    let mut y = area.y;
    for visible in pane.window(area.width, usize::from(area.height)) {
        let item = pane.items()[visible.item];
        let is_marked = pane.session().is_some_and(|session| app.marks.has_entry(session, item.entry()));
        let is_current = visible.item == current && app.focus == Pane::Messages;
        for at in visible.rows {
            let row = match pane.block(item, area.width) {
                Some(block) => block.rows.get(at).cloned().unwrap_or_default(),
                None if at == 0 => waiting(app, item, usize::from(area.width)),
                None => Row::new(),
            };
            let row = match pane.needle() {
                Some(needle) => {
                    let is_here = anchor == Anchor { item: visible.item, row: at };
                    let hits = needle.find(&row.plain());
                    row.mark(hits, if is_here { Tone::MatchHere } else { Tone::Match })
                }
                None => row,
            };
            painter.row(&row, Rect { y, height: 1, ..area });
            if is_current && !row.is_empty() {
                let style = painter.style(Tone::Accent);
                painter.frame.buffer_mut().set_string(area.x, y, "▌", style);
            }
            if is_marked && at == 0 {
                let style = painter.style(Tone::Accent);
                painter.frame.buffer_mut().set_string(area.x, y, MARKED, style);
            }
            y += 1;
        }
    }
}

/// What stands in the place of a block that is still being read.
fn waiting(app: &App, item: Item, columns: usize) -> Row {
    let Some(session) = app.messages.session() else { return Row::new() };
    let gist = crate::present::sanitize::line(&session.entry(item.entry()).gist).into_owned();
    Row::new().text("  ", Tone::Text).text(gist, Tone::Faint).fit(columns)
}
