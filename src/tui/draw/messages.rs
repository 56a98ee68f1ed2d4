use ratatui::layout::Rect;

use super::paint::{MARKED, Painter};
use crate::app::{App, Item, Match, Pane, TreeContent, View};
use crate::present::{Hit, Row, Tone, hits_within};

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
    let search = pane.search();
    let mut y = area.y;
    for visible in pane.window(area.width, usize::from(area.height)) {
        let item = pane.items()[visible.item];
        let is_marked = pane.session().is_some_and(|session| app.marks.has_entry(session, item.entry()));
        let is_current = visible.item == current && app.focus == Pane::Messages;
        let here = search.here().filter(|here| here.anchor.item == visible.item);
        let hits = match (search.needle(), pane.block(item, area.width)) {
            (Some(needle), Some(block)) => hits_within(&block.rows, &visible.rows, needle),
            _ => Vec::new(),
        };
        for at in visible.rows {
            let row = match pane.block(item, area.width) {
                Some(block) => block.rows.get(at).map(|row| marked(row, at, &hits, here)).unwrap_or_default(),
                None if at == 0 => waiting(app, item, usize::from(area.width)),
                None => Row::new(),
            };
            painter.row(&row, Rect { y, height: 1, ..area });
            let edge = match (is_marked && at == 0, is_current && !row.is_empty()) {
                (true, _) => MARKED,
                (false, true) => "▌",
                (false, false) => "",
            };
            let edge = Row::new().text(edge, Tone::Accent).fit(usize::from(area.width));
            painter.row(&edge, Rect { y, height: 1, ..area });
            y += 1;
        }
    }
}

/// The row of a block with what was found in it marked, and the match the reader is at more than the others.
fn marked(row: &Row, at: usize, hits: &[Hit], here: Option<Match>) -> Row {
    let mut row = row.clone();
    for is_here in [false, true] {
        let parts = hits.iter().filter(|hit| {
            let begins = hit.parts.first().map(|part| part.start);
            is_here == here.is_some_and(|here| here.anchor.row == hit.row && Some(here.byte) == begins)
        });
        let of_row = |hit: &Hit| hit.parts.get(at.checked_sub(hit.row)?).map(|part| (part.start, part.end));
        row =
            row.mark(parts.filter_map(of_row).collect(), if is_here { Tone::MatchHere } else { Tone::Match });
    }
    row
}

/// What stands in the place of a block that is still being read.
fn waiting(app: &App, item: Item, columns: usize) -> Row {
    let Some(session) = app.messages.session() else { return Row::new() };
    let gist = crate::present::sanitize::line(&session.entry(item.entry()).gist).into_owned();
    Row::new().text("  ", Tone::Text).text(gist, Tone::Faint).fit(columns)
}
