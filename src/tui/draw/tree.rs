use ratatui::layout::Rect;

use super::paint::{MARKED, Painter, Window};
use crate::app::{App, Doc, Pane, TreeContent, TreeRow};
use crate::present::outline::{OutlineOptions, guides_below, outline_row, text_column};
use crate::present::{Row, Span, Tone, age, sanitize, wrap};
use crate::store::SessionSummary;
use crate::tui::Band;

/// Columns of one level.
const CELL: usize = 3;

/// Draws the rows of the tree in view, or why there is none.
pub(super) fn draw(painter: &mut Painter<'_, '_>, app: &App, area: Rect) {
    let tree = &app.tree;
    match &tree.content {
        TreeContent::Failed(path, error) => {
            let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
            let mut rows =
                vec![Row::new().bold(format!("  {}", sanitize::line(&name)), Tone::Text), Row::new()];
            let words =
                Row::new().text("  ", Tone::Text).text(sanitize::line(&error.cause.to_string()), Tone::Warn);
            rows.extend(wrap(&words, usize::from(area.width), 2));
            return painter.rows(&rows, area);
        }
        TreeContent::Nothing => return,
        TreeContent::Loading(_) if tree.docs.is_empty() => {
            return painter.row(&Row::new().text("  reading…", Tone::Dim), area);
        }
        TreeContent::Ready if tree.rows.is_empty() => {
            let is_empty = tree.docs.first().is_some_and(|doc| doc.session.is_empty());
            let words = if is_empty { "  no entries yet" } else { "  nothing to show with this filter" };
            return painter.row(&Row::new().text(words, Tone::Dim), area);
        }
        TreeContent::Loading(_) | TreeContent::Ready => {}
    }
    let height = usize::from(area.height);
    let top = tree.top(height);
    let selected = tree.selected();
    let is_focused = app.focus == Pane::Tree;
    let columns = usize::from(area.width).saturating_sub(2);
    let pan = pan(app, top, height, columns);
    let mut rows = Vec::with_capacity(height);
    for (at, &row) in tree.rows.iter().enumerate().skip(top).take(height) {
        let mark = match (selected == Some(at), is_focused) {
            (true, true) => Span::new("▌", Tone::Accent),
            (true, false) => Span::new("▌", Tone::Dim),
            (false, _) => Span::new(" ", Tone::Text),
        };
        let mut line = Row::new();
        line.push(mark);
        let line = match (is_marked(app, row), is_sent(app, row)) {
            (true, _) => line.text(MARKED, Tone::Accent),
            (false, true) => line.text("▏", Tone::Summary),
            (false, false) => line.text(" ", Tone::Text),
        };
        rows.push(line.then(dress(app, row, selected == Some(at), pan, columns)));
    }
    let window = Window { rows, selected: selected.and_then(|selected| selected.checked_sub(top)) };
    painter.tree(&window, area, if is_focused { Band::Focused } else { Band::Unfocused });
}

/// Whether the row's entry is part of what is sent, while that is shown beside the tree.
fn is_sent(app: &App, row: TreeRow) -> bool {
    let key = app.tree.key(row);
    key.and_then(|key| Some((key.doc, key.entry?)))
        .is_some_and(|(doc, entry)| app.messages.is_sent(&app.tree.docs[doc].session, entry))
}

fn is_marked(app: &App, row: TreeRow) -> bool {
    let key = app.tree.key(row).and_then(|key| Some((key.doc, key.entry?)));
    key.is_some_and(|(doc, entry)| app.marks.has_entry(&app.tree.docs[doc].session, entry))
}

fn dress(app: &App, row: TreeRow, is_selected: bool, pan: usize, columns: usize) -> Row {
    let words = match row {
        TreeRow::Fork { doc, is_last, .. } => {
            in_front(app, doc).then(fork(&app.tree.docs[doc], is_last, app.now)).pan(pan).fit(columns)
        }
        TreeRow::Entry { doc, row, .. } => {
            let Some((outline, shown)) = app.tree.outline_row(doc, row) else { return Row::new() };
            let indent = if doc == 0 { Row::new() } else { in_front(app, doc).text("   ", Tone::Text) };
            let before = indent.width();
            let indent = indent.pan(pan).fit(columns);
            let options = OutlineOptions {
                columns: columns - indent.width(),
                pan: pan.saturating_sub(before),
                label_times: app.tree.shows_label_times.then_some((app.now, &app.setup.zone)),
                home: app.setup.home.as_deref(),
            };
            indent.then(outline_row(&app.tree.docs[doc].session, outline, shown, &options))
        }
    };
    if is_selected { emphasised(words) } else { words }
}

/// The guides in front of a fork: those of the rows that it, and the forks it hangs in, hang below.
fn in_front(app: &App, doc: usize) -> Row {
    let mut pieces = Vec::new();
    let mut at = doc;
    while let Some(fork) = app.tree.docs.get(at).and_then(|doc| doc.fork.as_ref()) {
        let parent = &app.tree.docs[fork.parent];
        let below = parent.outline.as_deref().and_then(|outline| {
            let row = outline.visible_row(&parent.session, Some(fork.point?))?;
            Some(guides_below(outline, &outline.rows[row]))
        });
        let piece = below.unwrap_or_default();
        pieces.push(if fork.parent == 0 { piece } else { Row::new().text("   ", Tone::Text).then(piece) });
        at = fork.parent;
    }
    pieces.into_iter().rev().fold(Row::new(), Row::then)
}

/// The selected row stands out by its text too, so that it does without colours.
fn emphasised(mut row: Row) -> Row {
    if let Some(last) = row.spans.last_mut() {
        last.emphasis = last.emphasis | crate::present::Emphasis::BOLD;
    }
    row
}

/// The row of a fork: its name, how many entries it has of its own, its age.
fn fork(doc: &Doc, is_last: bool, now: i64) -> Row {
    let Some(fork) = &doc.fork else { return Row::new() };
    let summary: &SessionSummary = &fork.summary;
    let then = summary.modified.map(|then| format!(" · {}", age::age(now, then))).unwrap_or_default();
    Row::new()
        .text(if is_last { "└" } else { "├" }, Tone::Faint)
        .text(if fork.is_open { "⊟ " } else { "↳ " }, Tone::Summary)
        .text(sanitize::line(summary.title()), Tone::Text)
        .text(format!("  fork · {}{then}", entries(fork.own_entries)), Tone::Faint)
}

fn entries(count: usize) -> String {
    if count == 1 { "1 entry".into() } else { format!("{} entries", age::count(count)) }
}

/// Columns moved out of view at the left, as pi does it: only where a row in view is wider than the pane and the
/// selected row would begin near the right edge.
fn pan(app: &App, top: usize, height: usize, columns: usize) -> usize {
    let tree = &app.tree;
    let start = |row: TreeRow| match row {
        TreeRow::Fork { base, .. } => base as usize * CELL,
        TreeRow::Entry { doc, row, base } => {
            let own = tree.outline_row(doc, row).map_or(0, |(outline, shown)| text_column(outline, shown));
            base as usize * CELL + own
        }
    };
    let Some(selected) = tree.selected().and_then(|row| tree.rows.get(row)) else { return 0 };
    let begins = start(*selected);
    let margin = (columns / 3).clamp(4, 20);
    if begins + margin <= columns {
        return 0;
    }
    let deepest = tree.rows.iter().skip(top).take(height).map(|&row| start(row)).max().unwrap_or(0);
    let wanted = begins.saturating_sub((columns / 4).clamp(2, 12));
    wanted.min(deepest.saturating_sub(2))
}
