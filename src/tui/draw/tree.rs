use ratatui::layout::Rect;

use super::paint::{MARKED, Painter, Window};
use crate::app::{App, Doc, Pane, TreeContent, TreeRow};
use crate::present::costs::{attempt_in_short, attempt_words};
use crate::present::outline::{OutlineLine, OutlineOptions, guides_below, pan};
use crate::present::{Row, Span, Tone, age, sanitize, width, wrap};
use crate::session::Attempt;
use crate::store::SessionSummary;
use crate::tui::Band;

/// Columns of the marks in front of a fork's name.
const FORK_MARK: usize = 3;

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
            let words = match (is_empty, tree.find.text().is_empty()) {
                (true, _) => "  no entries yet",
                (false, true) => "  nothing to show with this filter",
                (false, false) => "  no entry matches",
            };
            return painter.row(&Row::new().text(words, Tone::Dim), area);
        }
        TreeContent::Loading(_) | TreeContent::Ready => {}
    }
    let height = usize::from(area.height);
    let top = tree.top(height);
    let selected = tree.selected();
    let is_focused = app.focus == Pane::Tree;
    let columns = usize::from(area.width).saturating_sub(2);
    let in_view = tree.rows.iter().enumerate().skip(top).take(height);
    let lines: Vec<Line<'_>> = in_view.map(|(at, &row)| Line::of(app, row, selected == Some(at))).collect();
    let widest = lines.iter().map(Line::width).max().unwrap_or(0);
    let anchor = selected.and_then(|row| lines.get(row.checked_sub(top)?)).map_or(0, Line::anchor);
    let pan = pan(anchor, widest, columns);
    let mut rows = Vec::with_capacity(height);
    for ((at, &row), shown) in tree.rows.iter().enumerate().skip(top).zip(lines) {
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
        let words = shown.draw(pan, columns);
        let words = match tree.attempt(row) {
            Some(attempt) => with_attempt(words, attempt, columns),
            None => words,
        };
        rows.push(line.then(if selected == Some(at) { emphasised(words) } else { words }));
    }
    let window = Window { rows, selected: selected.and_then(|selected| selected.checked_sub(top)) };
    painter.tree(&window, area, if is_focused { Band::Focused } else { Band::Unfocused });
}

/// A row with what came of the branch it begins, in as many words as there is room for.
fn with_attempt(words: Row, attempt: &Attempt, columns: usize) -> Row {
    const GAP: usize = 3;
    let room = columns.saturating_sub(words.width() + GAP);
    let long = attempt_words(attempt);
    let said = [long, attempt_in_short(attempt)].into_iter().find(|said| width::of(said) <= room);
    match said {
        Some(said) => words.text(" ".repeat(GAP), Tone::Text).text(said, Tone::Faint),
        None => words,
    }
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

/// A row of the tree, dressed but not yet cut to the pane.
struct Line<'a> {
    /// What stands in front of a fork's rows.
    front: Row,
    words: Words<'a>,
}

enum Words<'a> {
    Entry(OutlineLine<'a>),
    Plain(Row),
}

impl<'a> Line<'a> {
    fn of(app: &'a App, row: TreeRow, is_selected: bool) -> Self {
        let options = OutlineOptions {
            label_times: app.tree.shows_label_times.then_some((app.now, &app.setup.zone)),
            home: app.setup.home.as_deref(),
            is_selected,
        };
        let entry = |doc: usize, row: usize| {
            let (outline, shown) = app.tree.outline_row(doc, row)?;
            Some(OutlineLine::new(&app.tree.docs[doc].session, outline, shown, &options))
        };
        match row {
            TreeRow::Fork { doc } => {
                Self { front: in_front(app, doc), words: Words::Plain(fork(app, &app.tree.docs[doc])) }
            }
            TreeRow::Entry { doc, row } => Self {
                front: in_front(app, doc).then(below(&app.tree.docs[doc])),
                words: entry(doc, row).map_or_else(|| Words::Plain(Row::new()), Words::Entry),
            },
        }
    }

    fn anchor(&self) -> usize {
        self.front.width()
            + match &self.words {
                Words::Entry(line) => line.anchor(),
                Words::Plain(_) => FORK_MARK,
            }
    }

    fn width(&self) -> usize {
        self.front.width()
            + match &self.words {
                Words::Entry(line) => line.width(),
                Words::Plain(row) => row.width(),
            }
    }

    fn draw(self, pan: usize, columns: usize) -> Row {
        let before = self.front.width();
        let front = self.front.pan(pan).fit(columns);
        let (pan, columns) = (pan.saturating_sub(before), columns - front.width());
        front.then(match self.words {
            Words::Entry(line) => line.draw(pan, columns),
            Words::Plain(row) => row.pan(pan).fit(columns),
        })
    }
}

/// The guides in front of a fork: those of the rows that it, and the forks it hangs in, hang below.
fn in_front(app: &App, doc: usize) -> Row {
    let mut pieces = Vec::new();
    let mut at = doc;
    while let Some(fork) = app.tree.docs.get(at).and_then(|doc| doc.fork.as_ref()) {
        let parent = &app.tree.docs[fork.parent];
        let guides = parent.outline.as_deref().and_then(|outline| {
            let row = outline.visible_row(&parent.session, Some(fork.point?))?;
            Some(guides_below(outline, &outline.rows[row]))
        });
        pieces.push(below(parent).then(guides.unwrap_or_default()));
        at = fork.parent;
    }
    pieces.into_iter().rev().fold(Row::new(), Row::then)
}

/// The guide in front of what hangs below a fork: its bar where something follows the fork.
fn below(doc: &Doc) -> Row {
    match &doc.fork {
        None => Row::new(),
        Some(fork) => Row::new().text(if fork.is_last { "   " } else { "│  " }, Tone::Rule),
    }
}

/// The selected row stands out by its text too, so that it does without colours.
fn emphasised(mut row: Row) -> Row {
    if let Some(last) = row.spans.last_mut() {
        last.emphasis = last.emphasis | crate::present::Emphasis::BOLD;
    }
    row
}

/// The row of a fork: its name, how many entries it has of its own, its age.
fn fork(app: &App, doc: &Doc) -> Row {
    let Some(fork) = &doc.fork else { return Row::new() };
    let summary: &SessionSummary = &fork.summary;
    let then = summary.modified.map(|then| format!(" · {}", app.when(then))).unwrap_or_default();
    Row::new()
        .text(if fork.is_last { "└" } else { "├" }, Tone::Rule)
        .text(if fork.is_open { "⊟ " } else { "↳ " }, Tone::Summary)
        .text(sanitize::line(summary.title()), Tone::Text)
        .text(format!("  fork · {}{then}", entries(fork.own_entries)), Tone::Faint)
}

fn entries(count: usize) -> String {
    if count == 1 { "1 entry".into() } else { format!("{} entries", age::count(count)) }
}
