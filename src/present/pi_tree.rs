//! The tree drawn as plain lines exactly as pi's own `/tree` draws it, for programs and for comparison.
//!
//! Each line is the cursor's two columns, a cell of three columns for every level, marks, label and text. Where
//! lines are wider than the screen, all of them are panned so that the selected row's text can be read, and cut
//! without a mark.

use std::borrow::Cow;

use super::width;
use crate::error::Error;
use crate::format::js;
use crate::session::{Connector, Outline, OutlineRow, Session};

/// How to draw.
#[derive(Clone, Copy, Debug)]
pub struct Drawing<'a> {
    /// Columns a line may take.
    pub columns: usize,
    /// The row with the cursor.
    pub selected: Option<usize>,
    /// The home directory, written as `~` in the paths of tool calls.
    pub home: Option<&'a str>,
    /// Whether people read it: what pi writes as `undefined` is then said in words.
    pub in_words: bool,
}

/// One row of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PiRow {
    /// The label on the entry.
    pub label: Option<String>,
    /// The text behind it, of its whole length.
    pub text: String,
    /// The line as drawn. Like pi's it may hold control characters from the file, but no escape sequences;
    /// blanks at its end are cut.
    pub line: String,
}

/// Draws all rows of an outline.
///
/// # Errors
/// When a text has to be read from the file and cannot be.
pub fn draw(session: &Session, outline: &Outline, drawing: Drawing<'_>) -> Result<Vec<PiRow>, Error> {
    let mut rows = Vec::with_capacity(outline.rows.len());
    for row in &outline.rows {
        let text = session.whole_row_text(outline, row, drawing.home)?;
        let text = if drawing.in_words { text.in_words() } else { text }.joined();
        let label = session.label_of(row.entry).map(|label| label.text.to_string());
        rows.push(PiRow { label, text, line: String::new() });
    }
    let bodies: Vec<String> = outline.rows.iter().zip(&rows).map(|(row, drawn)| body(row, drawn)).collect();
    let shift = shift(outline, &bodies, drawing);
    for (at, (row, body)) in outline.rows.iter().zip(&bodies).enumerate() {
        let cursor = if drawing.selected == Some(at) { "› " } else { "  " };
        let view = drawing.columns.saturating_sub(CURSOR_COLUMNS);
        let panned = window(&cells(outline, row, shift + view), body, shift, view);
        let line = window(cursor, &panned, 0, drawing.columns);
        js::trim_end(&line).clone_into(&mut rows[at].line);
    }
    Ok(rows)
}

const CURSOR_COLUMNS: usize = 2;
const CELL_COLUMNS: usize = 3;

/// Everything behind the cells: marks, label and text.
fn body(row: &OutlineRow, drawn: &PiRow) -> String {
    let label = drawn.label.as_ref().map(|label| format!("[{label}] ")).unwrap_or_default();
    without_escapes(&format!("{}{label}{}", marks(row), drawn.text)).into_owned()
}

fn marks(row: &OutlineRow) -> String {
    let fold = if row.is_folded && row.connector == Connector::None { "⊞ " } else { "" };
    let active = if row.is_active { "• " } else { "" };
    format!("{fold}{active}")
}

/// The cells left of a row, as far as `columns`.
fn cells(outline: &Outline, row: &OutlineRow, columns: usize) -> String {
    let depth = outline.depth(row) as usize;
    let drawn = depth.min(columns.div_ceil(CELL_COLUMNS));
    let mut cells = vec![[' '; CELL_COLUMNS]; drawn];
    if row.connector != Connector::None && depth > 0 && depth == drawn {
        let corner = if row.connector == Connector::Last { '└' } else { '├' };
        let fold = match (row.is_folded, row.is_foldable) {
            (true, _) => '⊞',
            (false, true) => '⊟',
            (false, false) => '─',
        };
        cells[depth - 1] = [corner, fold, ' '];
    }
    for gutter in outline.gutters(row) {
        if let Some(cell) = cells.get_mut(gutter.level as usize) {
            *cell = [if gutter.is_drawn { '│' } else { ' ' }, ' ', ' '];
        }
    }
    let mut text: String = cells.into_iter().flatten().collect();
    // Cells beyond the window are never seen, but their columns count.
    text.push_str(&" ".repeat(if depth > drawn { CELL_COLUMNS } else { 0 }));
    text
}

/// By how many columns all lines are panned.
fn shift(outline: &Outline, bodies: &[String], drawing: Drawing<'_>) -> usize {
    let view = drawing.columns.saturating_sub(CURSOR_COLUMNS);
    let cells = |row: &OutlineRow| outline.depth(row) as usize * CELL_COLUMNS;
    let widest = outline.rows.iter().zip(bodies).map(|(row, body)| cells(row) + columns_of(body)).max();
    let (Some(widest), Some(selected)) = (widest, drawing.selected.and_then(|at| outline.rows.get(at)))
    else {
        return 0;
    };
    let margin = (view / 3).clamp(4, 20);
    let anchor = cells(selected) + columns_of(&marks(selected));
    if widest <= view || anchor + margin <= view {
        return 0;
    }
    let lead = (view / 4).clamp(2, 12);
    anchor.saturating_sub(lead).min(widest - view)
}

/// The columns from `from` on, at most `columns` of them, of two texts that follow each other.
fn window(before: &str, text: &str, from: usize, columns: usize) -> String {
    let mut out = String::new();
    let mut at = 0;
    for (cluster, width) in clusters(before).chain(clusters(text)) {
        // What has no width and stands at the very end stays in a line that is not panned.
        let is_full = at == from + columns && (from > 0 || cluster == "\u{1b}");
        if at + width > from + columns || is_full {
            break;
        }
        if at >= from {
            out.push_str(cluster);
        }
        at += width;
    }
    out
}

/// Clusters with the columns that pi gives them: a tab takes three, and the halfwidth voicing marks, which ratatui gives
/// a column each, take none.
fn clusters(text: &str) -> impl Iterator<Item = (&str, usize)> {
    width::clusters(text).map(|(cluster, width)| {
        let voicing_marks = cluster.matches(['\u{ff9e}', '\u{ff9f}']).count();
        (cluster, if cluster == "\t" { 3 } else { width - voicing_marks })
    })
}

fn columns_of(text: &str) -> usize {
    clusters(text).map(|(_, width)| width).sum()
}

/// Removes what a terminal would take as colours, links and titles: such sequences have no columns.
fn without_escapes(text: &str) -> Cow<'_, str> {
    if !text.contains('\u{1b}') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        out.push_str(&rest[..at]);
        let sequence = &rest[at..];
        let length = escape_length(sequence);
        if length == 0 {
            out.push('\u{1b}');
        }
        rest = &sequence[length.max(1)..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Length in bytes of the sequence at the start of `text`; 0 where there is none.
fn escape_length(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    match chars.next() {
        Some((_, '[')) => chars
            .find(|(_, c)| !matches!(c, '0'..='9' | ';' | ':' | '?'))
            .filter(|(_, c)| c.is_ascii_alphabetic())
            .map_or(0, |(at, _)| at + 1),
        Some((_, ']' | '_')) => match chars.find(|(_, c)| matches!(c, '\u{7}' | '\u{1b}')) {
            Some((at, '\u{7}')) => at + 1,
            Some((at, _)) if text[at..].starts_with("\u{1b}\\") => at + 2,
            _ => 0,
        },
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::OutlineView;

    #[test]
    fn escape_sequences_go_and_their_remains_stay() {
        for (text, clean) in [
            ("\u{1b}[31mred\u{1b}[0m", "red"),
            ("a\u{1b}]8;;http://x\u{7}link\u{1b}]8;;\u{1b}\\b", "alinkb"),
            ("\u{1b}[<35;1Mx", "\u{1b}[<35;1Mx"),
            ("end\u{1b}", "end\u{1b}"),
            ("\u{1b}]open", "\u{1b}]open"),
        ] {
            assert_eq!(without_escapes(text), clean, "{text:?}");
        }
    }

    #[test]
    fn a_window_cuts_at_columns_and_never_inside_a_cluster() {
        assert_eq!(window("  ", "abc", 0, 4), "  ab");
        assert_eq!(window("", "設計x", 0, 3), "設");
        assert_eq!(window("", "設計x", 2, 3), "計x");
        assert_eq!(window("", "a\tb", 0, 3), "a");
    }

    #[test]
    fn lines_are_panned_only_where_the_selected_text_would_not_be_seen() {
        let mut lines = String::from("{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n");
        for at in 0..12 {
            for (id, parent) in
                [(format!("a{at}"), format!("a{}", at - 1)), (format!("b{at}"), format!("a{}", at - 1))]
            {
                lines.push_str(&format!(
                    "{{\"type\":\"message\",\"id\":\"{id}\",\"parentId\":\"{parent}\",\"message\":{{\"role\":\"user\",\"content\":\"{id}\"}}}}\n"
                ));
            }
        }
        let session = Session::from_bytes("x.jsonl", lines.into_bytes()).unwrap();
        let outline = Outline::build(&session, OutlineView::default()).unwrap();
        let line = |selected: usize, at: usize| {
            let drawing = Drawing { columns: 30, selected: Some(selected), home: None, in_words: false };
            draw(&session, &outline, drawing).unwrap()[at].line.clone()
        };
        assert_eq!(line(0, 0), "› user: a0");
        let deepest = (0..outline.rows.len()).max_by_key(|&at| outline.rows[at].indent).unwrap();
        assert!(line(deepest, deepest).starts_with("› "), "{}", line(deepest, deepest));
        assert!(line(deepest, deepest).contains("user: "), "{}", line(deepest, deepest));
        assert_eq!(line(deepest, 0), "");
    }
}
