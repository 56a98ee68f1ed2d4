//! The rows of the tree as they are drawn: guides, marks, label and text, for the visible columns.

use jiff::tz::TimeZone;

use super::row::{Row, Span, Tone};
use super::{age, sanitize};
use crate::session::{Connector, Outline, OutlineRow, RowClass, RowText, Session};

/// Columns of one level.
const CELL: usize = 3;

/// How the rows of a tree are dressed.
#[derive(Clone, Copy, Debug)]
pub struct OutlineOptions<'o> {
    /// The present in milliseconds since 1970 and the time zone, where the times of labels are shown.
    pub label_times: Option<(i64, &'o TimeZone)>,
    /// The home directory, shown as `~` in paths.
    pub home: Option<&'o str>,
    /// Whether the row is the one under the cursor, which is never dimmed.
    pub is_selected: bool,
}

/// One row of a tree, dressed but not yet cut. Its parts are pi's, from the left: guides, fold mark, active mark,
/// label, time of the label, text. Rows off the path to the current leaf are dimmed.
#[derive(Debug)]
pub struct OutlineLine<'o> {
    outline: &'o Outline,
    row: &'o OutlineRow,
    /// What stands right of the guides.
    words: Row,
    /// Where label and text begin, from the left edge.
    anchor: usize,
}

impl<'o> OutlineLine<'o> {
    /// Dresses a row of an outline of `session`.
    pub fn new(
        session: &Session,
        outline: &'o Outline,
        row: &'o OutlineRow,
        options: &OutlineOptions<'_>,
    ) -> Self {
        let is_dimmed = !row.is_active && !options.is_selected && outline.view.leaf.is_some();
        let marks = marks(row);
        let anchor = guide_columns(outline, row) + marks.width();
        let text = text(&session.row_text(outline, row, options.home).in_words(), is_dimmed);
        Self { outline, row, words: marks.then(label(session, row, options)).then(text), anchor }
    }

    /// The column at which label and text begin, behind guides and marks.
    pub fn anchor(&self) -> usize {
        self.anchor
    }

    /// Columns of the whole row.
    pub fn width(&self) -> usize {
        guide_columns(self.outline, self.row) + self.words.width()
    }

    /// The `columns` of the row that are in view when `pan` columns have been moved out of it at the left. The cost
    /// follows the visible columns and the depth, never the product of both.
    pub fn draw(self, pan: usize, columns: usize) -> Row {
        let before = guide_columns(self.outline, self.row);
        let guides = guides(self.outline, self.row, pan, columns);
        if before.saturating_sub(pan) >= columns {
            return guides.fit(columns);
        }
        guides.then(self.words.pan(pan.saturating_sub(before))).fit(columns)
    }
}

/// Columns to move out of view at the left of a pane of `columns`, as pi does it: only where the `widest` row in view
/// does not fit and the text of the selected row, which begins at `anchor`, would begin near the right edge.
pub fn pan(anchor: usize, widest: usize, columns: usize) -> usize {
    let readable = (columns / 3).clamp(4, 20);
    if anchor + readable <= columns {
        return 0;
    }
    let context = (columns / 4).clamp(2, 12);
    widest.saturating_sub(columns).min(anchor.saturating_sub(context))
}

/// The guides in front of what hangs below a row: its own, and its bar where siblings follow.
pub fn guides_below(outline: &Outline, row: &OutlineRow) -> Row {
    let mut cells = vec!["   "; outline.depth(row) as usize];
    for gutter in outline.gutters(row).filter(|gutter| gutter.is_drawn) {
        if let Some(cell) = cells.get_mut(gutter.level as usize) {
            *cell = "│  ";
        }
    }
    if row.connector == Connector::Mid
        && let Some(cell) = cells.last_mut()
    {
        *cell = "│  ";
    }
    Row::new().text(cells.concat(), Tone::Rule)
}

fn guide_columns(outline: &Outline, row: &OutlineRow) -> usize {
    outline.depth(row) as usize * CELL
}

/// The part of the guides that lies in view.
fn guides(outline: &Outline, row: &OutlineRow, pan: usize, columns: usize) -> Row {
    let depth = outline.depth(row) as usize;
    let first = pan / CELL;
    let end = depth.min(pan.saturating_add(columns).div_ceil(CELL));
    let Some(count) = end.checked_sub(first).filter(|&count| count > 0) else { return Row::new() };
    let mut cells = vec!["   "; count];
    if let Some(cell) = (depth - 1).checked_sub(first).and_then(|at| cells.get_mut(at)) {
        *cell = connector(row);
    }
    for gutter in outline.gutters(row) {
        let level = gutter.level as usize;
        let Some(at) = level.checked_sub(first) else { break };
        if let Some(cell) = cells.get_mut(at) {
            *cell = if gutter.is_drawn { "│  " } else { "   " };
        }
    }
    Row::new().text(cells.concat(), Tone::Rule).pan(pan % CELL)
}

fn connector(row: &OutlineRow) -> &'static str {
    match (row.connector, row.is_folded, row.is_foldable) {
        (Connector::None, ..) => "   ",
        (Connector::Mid, true, _) => "├⊞ ",
        (Connector::Mid, false, true) => "├⊟ ",
        (Connector::Mid, false, false) => "├─ ",
        (Connector::Last, true, _) => "└⊞ ",
        (Connector::Last, false, true) => "└⊟ ",
        (Connector::Last, false, false) => "└─ ",
    }
}

fn marks(row: &OutlineRow) -> Row {
    let mut marks = Row::new();
    if row.is_folded && row.connector == Connector::None {
        marks.push(Span::new("⊞ ", Tone::Faint));
    }
    if row.is_active {
        marks.push(Span::new("• ", Tone::Accent));
    }
    marks
}

fn label(session: &Session, row: &OutlineRow, options: &OutlineOptions<'_>) -> Row {
    let Some(label) = session.label_of(row.entry) else { return Row::new() };
    let words = Row::new().text(format!("[{}] ", sanitize::line(&label.text)), Tone::Label);
    let time = options
        .label_times
        .and_then(|(now, zone)| label.time.and_then(|time| age::label_time(now, time, zone)));
    match time {
        Some(time) => words.text(format!("{time} "), Tone::Faint),
        None => words,
    }
}

fn text(text: &RowText, is_dimmed: bool) -> Row {
    let (speaker, words) = match text.class {
        RowClass::User => (Tone::User, Tone::Text),
        RowClass::Assistant => (Tone::Assistant, Tone::Text),
        RowClass::Failed => (Tone::Assistant, Tone::Bad),
        RowClass::Tool => (Tone::Tool, Tone::Tool),
        RowClass::Bash | RowClass::Other => (Tone::Dim, Tone::Dim),
        RowClass::Bookkeeping => (Tone::Assistant, Tone::Dim),
        RowClass::Custom => (Tone::Custom, Tone::Custom),
        RowClass::Compaction => (Tone::Summary, Tone::Summary),
        RowClass::BranchSummary => (Tone::Warn, Tone::Warn),
    };
    let tone = |tone| if is_dimmed { Tone::Faint } else { tone };
    Row::new().text(text.speaker, tone(speaker)).text(sanitize::line(&text.text), tone(words))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;
    use crate::session::OutlineView;

    const HEADER: &str = r#"{"type":"session","version":3,"id":"s","cwd":"/"}"#;

    /// A session of user messages given as (id, parent, text).
    fn session(entries: &[(&str, &str, &str)]) -> Session {
        let mut lines = HEADER.to_owned();
        for (id, parent, text) in entries {
            write!(
                lines,
                "\n{{\"type\":\"message\",\"id\":\"{id}\",\"parentId\":\"{parent}\",\"message\":{{\"role\":\"user\",\"content\":\"{text}\"}}}}"
            )
            .unwrap();
        }
        Session::from_bytes("s.jsonl", lines.into_bytes()).unwrap()
    }

    fn rows(session: &Session, view: OutlineView, pan: usize, columns: usize) -> Vec<Row> {
        let outline = Outline::build(session, view).unwrap();
        let options = OutlineOptions { label_times: None, home: None, is_selected: false };
        let lines = outline.rows.iter().map(|row| OutlineLine::new(session, &outline, row, &options));
        lines.map(|line| line.draw(pan, columns)).collect()
    }

    fn view(session: &Session) -> OutlineView {
        OutlineView { leaf: session.current_leaf(), ..OutlineView::default() }
    }

    fn plain(rows: &[Row]) -> Vec<String> {
        rows.iter().map(Row::plain).collect()
    }

    #[test]
    fn guides_and_marks_are_pi_s() {
        let session = session(&[
            ("a", "", "hello"),
            ("b", "a", "other"),
            ("c", "b", "reply"),
            ("d", "c", "deep l"),
            ("e", "c", "deep r"),
            ("f", "a", "again"),
            ("g", "f", "ok"),
            ("h", "e", "last"),
        ]);
        let open = rows(&session, view(&session), 0, 40);
        assert_eq!(
            plain(&open),
            [
                "• user: hello",
                "├⊟ • user: other",
                "│     • user: reply",
                "│     ├⊟ • user: deep r",
                "│     │     • user: last",
                "│     └─ user: deep l",
                "└⊟ user: again",
                "      user: ok",
            ]
        );
        assert_eq!(open[1].spans[1].tone, Tone::Accent);
        assert_eq!(open[5].spans.last().unwrap().tone, Tone::Faint);
        let mut folded = view(&session);
        folded.folded.extend(["a", "b"].iter().filter_map(|id| session.find_text(id)));
        assert_eq!(plain(&rows(&session, folded, 0, 40)), ["⊞ • user: hello"]);
        assert_eq!(
            plain(&rows(&session, view(&session), 4, 9))[..4],
            ["er: hello", " user: o…", "  • user…", "  ├⊟ • u…"]
        );
    }

    #[test]
    fn labels_and_hostile_texts_are_clean() {
        let mut lines = HEADER.to_owned();
        lines.push_str("\n{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"message\":{\"role\":\"user\",\"content\":\"x\\u001b[31my\\u202e\"}}");
        lines.push_str("\n{\"type\":\"label\",\"id\":\"b\",\"parentId\":\"a\",\"targetId\":\"a\",\"label\":\"go\\u009b2Jod\",\"timestamp\":\"2026-01-05T08:02:00Z\"}");
        let session = Session::from_bytes("s.jsonl", lines.into_bytes()).unwrap();
        let outline = Outline::build(&session, view(&session)).unwrap();
        let options = OutlineOptions {
            label_times: Some((1_767_600_120_000, &TimeZone::UTC)),
            home: None,
            is_selected: false,
        };
        let line = OutlineLine::new(&session, &outline, &outline.rows[0], &options);
        assert_eq!((line.anchor(), line.width()), (2, 23));
        assert_eq!(line.draw(0, 60).plain(), "• [good] 08:02 user: xy");
    }

    #[test]
    fn every_view_of_a_deep_tree_fits() {
        let mut entries = vec![("0".to_owned(), String::new(), "root 設計".to_owned())];
        for at in 1..120 {
            entries.push((at.to_string(), (at - 1).to_string(), "next 設計".to_owned()));
            entries.push((format!("x{at}"), (at - 1).to_string(), "sibling".to_owned()));
        }
        let entries: Vec<_> = entries.iter().map(|(id, parent, text)| (&**id, &**parent, &**text)).collect();
        let session = session(&entries);
        let whole = rows(&session, view(&session), 0, 1_000);
        for (pan, columns) in [(0, 0), (0, 1), (1, 7), (5, 30), (100, 9), (355, 20), (2_000, 10)] {
            for (row, whole) in rows(&session, view(&session), pan, columns).iter().zip(&whole) {
                let panned = whole.clone().pan(pan).fit(columns);
                assert!(row.width() <= columns);
                assert_eq!(row.plain().trim_end_matches('…'), panned.plain().trim_end_matches('…'));
            }
        }
    }

    #[test]
    fn the_pane_moves_as_pi_s_does() {
        for (anchor, widest, columns, moved) in [
            (0, 500, 60, 0),
            (40, 500, 60, 0),
            (41, 500, 60, 29),
            (41, 70, 60, 10),
            (41, 60, 60, 0),
            (300, 400, 60, 288),
            (9, 40, 12, 6),
            (9, 40, 0, 7),
            (1, 40, 0, 0),
        ] {
            assert_eq!(pan(anchor, widest, columns), moved, "{anchor} {widest} {columns}");
        }
    }
}
