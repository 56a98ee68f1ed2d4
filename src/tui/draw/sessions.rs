use ratatui::layout::Rect;

use super::paint::{MARKED, Painter, Window};
use crate::app::{App, Pane, SessionRow};
use crate::present::{Emphasis, Row, Span, Tone, age, sanitize};
use crate::store::SessionSummary;
use crate::tui::Band;

/// Columns of the figures at the right: messages, then age.
const COUNT_COLUMNS: usize = 5;
const AGE_COLUMNS: usize = 5;
/// In a pane this wide a row has room for its path; the header tells that of the selected session in any.
const PATH_COLUMNS: usize = 70;
/// In a pane this wide marks are explained in words.
const WORDS_COLUMNS: usize = 36;

/// Draws the sessions in view.
pub(super) fn draw(painter: &mut Painter<'_, '_>, app: &App, area: Rect) {
    let height = usize::from(area.height);
    let pane = &app.sessions;
    if pane.rows.is_empty() {
        painter.row(&Row::new().text("  ", Tone::Text).text(pane.why_empty(), Tone::Dim), area);
        return;
    }
    let top = pane.top(height);
    let selected = pane.selected();
    let is_focused = app.focus == Pane::Sessions;
    let window = Window {
        rows: pane
            .rows
            .iter()
            .enumerate()
            .skip(top)
            .take(height)
            .map(|(at, row)| {
                let is_selected = selected == Some(at);
                let mark = match (is_selected, is_focused) {
                    _ if is_marked(app, row) => Span::new(MARKED, Tone::Accent),
                    (true, true) => Span::new("▌", Tone::Accent),
                    (true, false) => Span::new("▌", Tone::Dim),
                    (false, _) => Span::new(" ", Tone::Text),
                };
                let mut line = Row::new();
                line.push(mark);
                line.then(dress(app, row, is_selected, usize::from(area.width).saturating_sub(1)))
            })
            .collect(),
        selected: selected.and_then(|selected| selected.checked_sub(top)),
    };
    painter.tree(&window, area, if is_focused { Band::Focused } else { Band::Unfocused });
}

fn is_marked(app: &App, row: &SessionRow) -> bool {
    matches!(row, SessionRow::Session { summary, .. } if app.marks.has_session(&summary.path))
}

fn dress(app: &App, row: &SessionRow, is_selected: bool, columns: usize) -> Row {
    let columns = columns.saturating_sub(1);
    match row {
        SessionRow::Gap => Row::new(),
        SessionRow::Period(words) => {
            Row::from(Span::new(words.clone(), Tone::Dim).with(Emphasis::BOLD)).fit(columns)
        }
        SessionRow::Project { cwd, count, is_gone, is_closed } => {
            let name = if cwd.is_empty() { "no folder".into() } else { app.shorten(cwd) };
            let before = Row::new().text(if *is_closed { "▸ " } else { "" }, Tone::Faint);
            let behind = Row::new().text(if *is_gone { " ✗ gone" } else { "" }, Tone::Warn);
            let right =
                Row::new().text(age::count(*count), Tone::Faint).text(" ".repeat(AGE_COLUMNS), Tone::Text);
            let room = columns.saturating_sub(before.width() + behind.width() + right.width() + 1);
            let name = Row::from(Span::new(sanitize::line(&name), Tone::Dim).with(Emphasis::BOLD));
            Row::between(before.then(name.fit_end(room)).then(behind), right, columns)
        }
        SessionRow::Session { summary, prefix, shows_project } => {
            session(app, summary, prefix, *shows_project, is_selected, columns)
        }
        SessionRow::Unlisted { count, is_closed } => {
            let mark = if *is_closed { "▸ " } else { "" };
            let left = Row::new().text(mark, Tone::Faint).bold("not sessions", Tone::Dim);
            let right =
                Row::new().text(age::count(*count), Tone::Faint).text(" ".repeat(AGE_COLUMNS), Tone::Text);
            Row::between(left, right, columns)
        }
        SessionRow::Finding(at) => {
            let Some(finding) = app.sessions.findings.get(*at) else { return Row::new() };
            let name = finding.path.file_name().unwrap_or(finding.path.as_os_str()).to_string_lossy();
            Row::new()
                .text("  ", Tone::Text)
                .text(sanitize::line(&name), Tone::Dim)
                .text("  ", Tone::Text)
                .text(sanitize::line(&finding.diagnostic.message), Tone::Faint)
                .fit(columns)
        }
    }
}

/// A session: title at the left, marks and figures at the right.
fn session(
    app: &App,
    summary: &SessionSummary,
    prefix: &str,
    shows_project: bool,
    is_selected: bool,
    columns: usize,
) -> Row {
    let mut left =
        Row::new().text(if shows_project { "" } else { "  " }, Tone::Text).text(prefix, Tone::Rule);
    if prefix.is_empty() && summary.fork_parent().is_some() {
        left = left.text("↳ ", Tone::Summary);
    }
    let title = sanitize::line(summary.title());
    let title = if title.trim().is_empty() { "(no title)".into() } else { title };
    left = if is_selected { left.bold(title, Tone::Text) } else { left.text(title, Tone::Text) };
    if shows_project && !summary.cwd.is_empty() {
        left = left.text(format!("  {}", sanitize::line(&app.shorten(&summary.cwd))), Tone::Faint);
    }
    let then = summary.modified.map_or_else(|| "?".to_owned(), |then| age::age(app.now, then));
    let count =
        if summary.is_glimpse { "…".to_owned() } else { age::tokens(f64::from(summary.message_count)) };
    let figures = format!("{count:>COUNT_COLUMNS$}{then:>AGE_COLUMNS$}");
    let shows_path = app.sessions.shows_paths && columns >= PATH_COLUMNS;
    let mut right = if shows_path { path(app, summary, columns / 2) } else { Row::new() };
    right = right.then(marks(app, summary, columns));
    // In a pane too narrow for both, the title goes before the figures.
    if columns >= 24 {
        right = right.text(figures, Tone::Dim);
    }
    Row::between(left, right, columns)
}

fn path(app: &App, summary: &SessionSummary, columns: usize) -> Row {
    let path = summary.path.to_string_lossy();
    Row::new().text(sanitize::line(&app.shorten(&path)), Tone::Faint).fit_end(columns)
}

fn marks(app: &App, summary: &SessionSummary, columns: usize) -> Row {
    let mut row = Row::new();
    if app.liveness(summary).is_marked() {
        row = row.text(" ●", Tone::Good);
    }
    if summary.has_labels {
        row = row.text(" ◆", Tone::Label);
    }
    if summary.problem_count > 0 {
        row = row.text(" ⚠", Tone::Warn);
    }
    if summary.dead_branch().is_some() && columns >= WORDS_COLUMNS {
        row = row.text(" dead branch", Tone::Warn);
    }
    if summary.cwd_gone == Some(true) {
        row = row.text(" ✗", Tone::Warn);
    }
    row
}
