use ratatui::layout::Rect;

use super::paint::{MARKED, Painter, Window};
use crate::app::{App, Pane, SessionRow};
use crate::config::Column;
use crate::present::{Emphasis, Row, Span, Tone, age, sanitize};
use crate::store::SessionSummary;
use crate::tui::Band;

/// Columns that are left for the title where figures stand at the right.
const TITLE_COLUMNS: usize = 13;
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
            let right = Row::new().text(age::count(*count), Tone::Faint).text(behind_counts(app), Tone::Text);
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
            let right = Row::new().text(age::count(*count), Tone::Faint).text(behind_counts(app), Tone::Text);
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
    let shows_path = app.sessions.shows_paths && columns >= PATH_COLUMNS;
    let mut right = if shows_path { path(app, summary, columns / 2) } else { Row::new() };
    right = right.then(marks(app, summary, columns));
    right = right.text(figures(app, summary, columns), Tone::Dim);
    Row::between(left, right, columns)
}

/// The figures of a session, as many of the last ones as leave room for its title.
fn figures(app: &App, summary: &SessionSummary, columns: usize) -> String {
    let mut figures = String::new();
    for column in app.setup.view.columns.iter().rev() {
        let width = width_of(app, *column);
        if figures.len() + width + TITLE_COLUMNS > columns {
            break;
        }
        figures = format!("{:>width$}{figures}", figure(app, summary, *column));
    }
    figures
}

fn figure(app: &App, summary: &SessionSummary, column: Column) -> String {
    let when = |time: Option<i64>| time.map_or_else(|| "?".to_owned(), |time| app.when(time));
    match column {
        Column::Created => when(summary.created),
        Column::Modified => when(summary.modified),
        Column::Size => age::bytes(summary.size),
        _ if summary.is_glimpse => "…".to_owned(),
        Column::Messages => age::tokens(f64::from(summary.message_count)),
        Column::Tokens => age::tokens(summary.spending.total().tokens()),
        Column::Cost => age::cost(summary.spending.total().cost),
    }
}

/// The columns of a figure and a blank before it.
fn width_of(app: &App, column: Column) -> usize {
    match column {
        Column::Messages => 5,
        Column::Tokens => 6,
        Column::Cost | Column::Size => 8,
        Column::Created | Column::Modified => app.setup.view.list_times.columns(),
    }
}

/// What stands behind the count of a project, so that it stands where the counts of messages do.
fn behind_counts(app: &App) -> String {
    let columns = &app.setup.view.columns;
    let behind = columns
        .iter()
        .position(|column| *column == Column::Messages)
        .map_or(&[][..], |at| &columns[at + 1..]);
    " ".repeat(behind.iter().map(|column| width_of(app, *column)).sum())
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
