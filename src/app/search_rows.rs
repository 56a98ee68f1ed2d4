use ratatui::layout::Size;

use super::App;
use super::search::{SearchRow, SearchView};
use crate::present::{Row, Tone, age, sanitize, width, wrap};
use crate::store::SearchHit;

/// Columns of the words that say who speaks.
const ROLE_COLUMNS: usize = 11;
/// Columns of an age at the right.
const AGE_COLUMNS: usize = 5;

/// What can be typed, and what it means.
const SYNTAX: [(&str, &str); 6] = [
    ("words", "all of them in one entry, in any case"),
    ("\"a phrase\"", "side by side"),
    ("re:pattern", "a regular expression, behind the rest"),
    ("role:user", "what one of them said: user, assistant, toolResult"),
    ("in:api", "in folders of this name"),
    ("since:7d", "not before: 12h, 3w, 2026-11-30"),
];

impl App {
    /// The rows of the search that are in view.
    pub(super) fn search_rows(&self, view: &SearchView, size: Size, top: usize) -> Vec<Row> {
        let (columns, height) = (usize::from(size.width), usize::from(size.height));
        if view.rows().is_empty() {
            return empty(view, columns);
        }
        let selected = view.place(height).0;
        let rows = view.rows().iter().enumerate().skip(top).take(height);
        rows.map(|(at, row)| match row {
            SearchRow::Session { first, count } => self.search_heading(view.hit(*first), *count, columns),
            SearchRow::Hit(hit) => self.hit_row(view.hit(*hit), selected == Some(at), columns),
        })
        .collect()
    }

    fn search_heading(&self, hit: &SearchHit, count: usize, columns: usize) -> Row {
        let summary = self.sessions.summary(&hit.path);
        let title = summary.map_or(&*hit.session, |summary| summary.title());
        let cwd = summary.map(|summary| self.shorten(&summary.cwd)).unwrap_or_default();
        let left = Row::new()
            .text(" ", Tone::Text)
            .bold(sanitize::line(title), Tone::Text)
            .text("  ", Tone::Text)
            .text(sanitize::line(&cwd), Tone::Faint);
        let count = format!(" {}{:AGE_COLUMNS$}", age::count(count), "");
        Row::between(left, Row::new().text(count, Tone::Faint), columns)
    }

    fn hit_row(&self, hit: &SearchHit, is_selected: bool, columns: usize) -> Row {
        let (word, tone) = speaker(hit);
        let mark = if is_selected { "▌" } else { " " };
        let left = Row::new()
            .text(mark, Tone::Accent)
            .text("  ", Tone::Text)
            .text(sanitize::line(&format!("{word:<ROLE_COLUMNS$}")), tone);
        let columns_of_time = self.setup.view.list_times.columns();
        let then = hit.time.map(|then| self.when(then)).unwrap_or_default();
        let mut right = Row::new();
        if !hit.is_current {
            right = right.text(" abandoned", Tone::Faint);
        }
        let right = right.text(format!("{then:>columns_of_time$}"), Tone::Dim);
        let room = columns.saturating_sub(left.width() + right.width() + 1);
        Row::between(left.then(excerpt(hit, room)), right, columns)
    }
}

/// What stands where there are no hits: what is wrong, or what can be typed.
fn empty(view: &SearchView, columns: usize) -> Vec<Row> {
    let words = |words: &str, tone| wrap(&Row::new().text(words, tone), columns.saturating_sub(2), 0);
    if let Some(problem) = &view.problem {
        return words(&sanitize::line(problem), Tone::Warn);
    }
    if !view.find.text().trim().is_empty() {
        return words(if view.progress.is_running { "searching…" } else { "nothing found" }, Tone::Dim);
    }
    let about = "Searches every branch of every session: what was said and thought, tools and their output, \
                 summaries, labels and names.";
    let mut rows = words(about, Tone::Dim);
    rows.push(Row::new());
    rows.extend(SYNTAX.iter().map(|(typed, meaning)| {
        Row::new().text(format!("{typed:<12}"), Tone::Accent).text(*meaning, Tone::Dim).fit(columns)
    }));
    rows
}

/// What was found and as much as fits of what stands around it. Dead branches are dim.
fn excerpt(hit: &SearchHit, room: usize) -> Row {
    let tone = if hit.is_current { Tone::Text } else { Tone::Dim };
    let (before, rest) = hit.excerpt.split_at_checked(hit.found.start).unwrap_or(("", &hit.excerpt));
    let (found, after) = rest.split_at_checked(hit.found.len()).unwrap_or((rest, ""));
    let row = Row::new()
        .text(sanitize::line(before), tone)
        .text(sanitize::line(found), Tone::Match)
        .text(sanitize::line(after), tone);
    let before = width::of(&sanitize::line(before));
    let found = width::of(&sanitize::line(found)).min(room);
    // Where all of it does not fit, a third of the room is left in front of the match.
    let skip = if row.width() <= room || before + found <= room * 2 / 3 {
        0
    } else {
        (before + 1).saturating_sub(room / 3).min(row.width().saturating_sub(room) + 1)
    };
    let row = if skip == 0 { row } else { Row::new().text("…", tone).then(row.pan(skip)) };
    row.fit(room)
}

/// Who says it, in a word.
fn speaker(hit: &SearchHit) -> (&str, Tone) {
    match (&*hit.role, &*hit.kind) {
        ("user", _) => ("user", Tone::User),
        ("assistant", _) => ("assistant", Tone::Assistant),
        ("toolResult", _) => ("tool", Tone::Tool),
        ("bashExecution", _) => ("bash", Tone::Tool),
        ("", "branch_summary") => ("summary", Tone::Summary),
        ("", "compaction") => ("compaction", Tone::Summary),
        ("", "label") => ("label", Tone::Label),
        ("", "session_info") => ("name", Tone::Label),
        ("", "custom_message") => ("custom", Tone::Custom),
        ("", kind) => (kind, Tone::Dim),
        (role, _) => (role, Tone::Custom),
    }
}
