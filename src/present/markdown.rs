//! Text of messages with light Markdown: headings, lists, quotes, code fences, inline code and bold.

use super::row::{Emphasis, Row, Span, Tone};
use super::wrap::wrap;

/// Renders sanitised text into at most `room` rows of `columns` cells, and returns with them the number of
/// source lines that found no room.
pub(crate) fn markdown(text: &str, columns: usize, room: usize) -> (Vec<Row>, usize) {
    let mut fence: Option<&str> = None;
    rows_of(text, room, |line| {
        let trimmed = line.trim_start();
        let marker = ["```", "~~~"].into_iter().find(|marker| trimmed.starts_with(marker));
        match (fence, marker) {
            (None, Some(marker)) => {
                fence = Some(marker);
                let language = trimmed.trim_start_matches(['`', '~']).trim();
                if language.is_empty() { Vec::new() } else { code_line(language, Tone::Faint, columns) }
            }
            (Some(open), Some(marker)) if open == marker => {
                fence = None;
                Vec::new()
            }
            (Some(_), _) => code_line(line, Tone::Code, columns),
            (None, None) => prose_line(line, columns),
        }
    })
}

/// Renders sanitised text as it stands, wrapped; what does not fit a line goes on below its start, of code a
/// little further in. Returns as [`markdown`].
pub(crate) fn plain(text: &str, tone: Tone, columns: usize, room: usize) -> (Vec<Row>, usize) {
    let step = if matches!(tone, Tone::Code | Tone::Tool) { 2 } else { 0 };
    rows_of(text, room, |line| {
        wrap(&Row::new().text(line, tone), columns, line.len() - line.trim_start().len() + step)
    })
}

fn rows_of(text: &str, room: usize, mut render: impl FnMut(&str) -> Vec<Row>) -> (Vec<Row>, usize) {
    let mut rows = Vec::new();
    let mut lines = text.split('\n');
    while rows.len() < room {
        let Some(line) = lines.next() else { return (rows, 0) };
        rows.extend(render(line));
    }
    rows.truncate(room);
    (rows, lines.count())
}

fn code_line(line: &str, tone: Tone, columns: usize) -> Vec<Row> {
    let indent = line.len() - line.trim_start().len();
    wrap(&Row::new().text("  ", Tone::Text).text(line, tone), columns, indent + 4)
}

fn prose_line(line: &str, columns: usize) -> Vec<Row> {
    let body = line.trim_start();
    let indent = line.len() - body.len();
    if let Some(title) = heading(body) {
        return wrap(&inline(title, Tone::Strong, Emphasis::BOLD), columns, 0);
    }
    if body.len() >= 3 && ['-', '*', '_'].iter().any(|&mark| body.chars().all(|c| c == mark)) {
        return vec![Row::new().text("─".repeat(columns), Tone::Faint)];
    }
    if let Some(quoted) = body.strip_prefix('>') {
        let quoted = inline(quoted.trim_start(), Tone::Dim, Emphasis::NONE);
        return wrap(&quoted, columns.saturating_sub(2), 0)
            .into_iter()
            .map(|row| Row::new().text("│ ", Tone::Faint).then(row).fit(columns))
            .collect();
    }
    let marker = list_marker(body);
    let lead = match marker {
        0 => Row::new().text(&line[..indent], Tone::Text),
        2 => Row::new().text(&line[..indent], Tone::Text).text("• ", Tone::Dim),
        _ => Row::new().text(&line[..indent], Tone::Text).text(&body[..marker], Tone::Dim),
    };
    wrap(&lead.then(inline(&body[marker..], Tone::Text, Emphasis::NONE)), columns, indent + marker)
}

/// The text of a heading, without its marks.
fn heading(line: &str) -> Option<&str> {
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    title.strip_prefix(' ').filter(|_| (1..=6).contains(&level)).map(str::trim)
}

/// Bytes of a list marker with the blank behind it: `- `, `* `, `+ `, `12. `, `12) `; 0 where there is none.
fn list_marker(line: &str) -> usize {
    if ["- ", "* ", "+ "].iter().any(|marker| line.starts_with(marker)) {
        return 2;
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let follows = |mark| line[digits..].starts_with(mark);
    if (1..=4).contains(&digits) && (follows(". ") || follows(") ")) { digits + 2 } else { 0 }
}

/// Inline code and bold. A mark without its counterpart stands for itself.
fn inline(text: &str, tone: Tone, emphasis: Emphasis) -> Row {
    let mut row = Row::new();
    let mut is_bold = false;
    let mut rest = text;
    while let Some(at) = rest.find(['`', '*']) {
        let style = |is_bold| if is_bold { emphasis | Emphasis::BOLD } else { emphasis };
        let (before, from) = rest.split_at(at);
        let ticks = from.len() - from.trim_start_matches('`').len();
        let code = match ticks {
            1 | 2 => from[ticks..].split_once(&from[..ticks]).filter(|(code, _)| !code.is_empty()),
            _ => None,
        };
        if let Some((code, behind)) = code {
            row.push(Span::new(before, tone).with(style(is_bold)));
            row.push(Span::new(code, Tone::Code).with(emphasis));
            rest = behind;
        } else if let Some(behind) = from.strip_prefix("**")
            && (is_bold || (!behind.starts_with([' ', '*']) && behind.contains("**")))
        {
            row.push(Span::new(before, tone).with(style(is_bold)));
            is_bold = !is_bold;
            rest = behind;
        } else {
            let literal = from.len() - from.trim_start_matches(['`', '*']).len();
            row.push(Span::new(&rest[..at + literal], tone).with(style(is_bold)));
            rest = &from[literal..];
        }
    }
    let last = if is_bold { emphasis | Emphasis::BOLD } else { emphasis };
    row.push(Span::new(rest, tone).with(last));
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(text: &str, columns: usize) -> Vec<String> {
        markdown(text, columns, 100).0.iter().map(Row::plain).collect()
    }

    #[test]
    fn marks_become_tones() {
        assert_eq!(
            inline("say `x` and **now `y`** or * `", Tone::Text, Emphasis::NONE).spans,
            [
                Span::new("say ", Tone::Text),
                Span::new("x", Tone::Code),
                Span::new(" and ", Tone::Text),
                Span::new("now ", Tone::Text).with(Emphasis::BOLD),
                Span::new("y", Tone::Code),
                Span::new(" or *", Tone::Text),
                Span::new(" `", Tone::Text),
            ]
        );
        assert_eq!(rendered("## A `b`", 20), ["A b"]);
        assert_eq!(rendered("#no ####### no", 20), ["#no ####### no"]);
    }

    #[test]
    fn lists_and_quotes_hang() {
        assert_eq!(rendered("- one two three", 9), ["• one two", "  three"]);
        assert_eq!(rendered("  10. one two three", 13), ["  10. one two", "      three"]);
        assert_eq!(rendered("> one two", 6), ["│ one", "│ two"]);
        assert_eq!(rendered("---", 4), ["────"]);
    }

    #[test]
    fn fences_keep_their_lines() {
        assert_eq!(
            rendered("a\n```rust\nfn x() {\n    # y\n}\n```\nb\n~~~\n```", 20),
            ["a", "  rust", "  fn x() {", "      # y", "  }", "b", "  ```"]
        );
    }

    #[test]
    fn lines_without_room_are_counted() {
        let (rows, left) = markdown("a\nb\nc\nd", 10, 2);
        assert_eq!((rows.len(), left), (2, 2));
        assert_eq!(
            plain("a b\nc", Tone::Dim, 1, 9),
            (["a", "b", "c"].map(|text| Row::new().text(text, Tone::Dim)).to_vec(), 0)
        );
    }
}
