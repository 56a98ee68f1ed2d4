//! Code and other text that keeps its lines.

use super::highlight_code::highlight;
use super::link::link_addresses;
use super::row::{Row, Tone};
use super::wrap::wrap;
use crate::format::js;

/// Bytes of code in one block that are highlighted: as much of a file as pi's read tool hands on, and what a worker manages
/// while the reader looks.
const MOST_HIGHLIGHTED: usize = 52 * 1024;

/// Whether code is shown in one tone or in those of its syntax. The rows are the same, so that the one can take the
/// place of the other without moving anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CodeTones {
    /// All code in one tone: at once.
    #[default]
    Plain,
    /// Words, literals and comments apart: a matter of tens of milliseconds, for a worker.
    Highlighted,
}

/// Sets the code of one block.
pub(crate) struct CodeSetter {
    tones: CodeTones,
    /// Bytes that may still be highlighted.
    left: usize,
    /// Whether some code is plain that could be highlighted.
    pub(crate) could_be_highlighted: bool,
}

impl CodeSetter {
    pub(crate) fn new(tones: CodeTones) -> Self {
        Self { tones, left: MOST_HIGHLIGHTED, could_be_highlighted: false }
    }

    /// The lines of sanitised code in a language, a file extension or a file name, not wrapped; at most `most` of them.
    /// Where the code is too long, its first lines are highlighted.
    pub(crate) fn lines(&mut self, code: &str, language: &str, most: usize) -> Vec<Row> {
        let end = match code.get(..js::floor_boundary(code, self.left)) {
            Some(start) if start.len() < code.len() => start.rfind('\n').unwrap_or(0),
            _ => code.len(),
        };
        let mut rows = Vec::new();
        if !language.is_empty() && end > 0 {
            match self.tones {
                CodeTones::Plain => self.could_be_highlighted = true,
                CodeTones::Highlighted => {
                    self.left -= end;
                    rows = highlight(&code[..end], language, most).unwrap_or_default();
                }
            }
        }
        let rest = code.split('\n').skip(rows.len()).take(most - rows.len());
        rows.extend(rest.map(|line| Row::new().text(line, Tone::Code)));
        rows
    }
}

/// The language of a file, by its name.
pub(crate) fn language_of(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => extension,
        _ => name,
    }
}

/// Wraps a line of code: what does not fit goes on a little further in than the line starts.
pub(crate) fn wrap_line(line: &Row, columns: usize) -> Vec<Row> {
    wrap(line, columns, indentation(line) + 2)
}

/// Blanks before the text of a line.
fn indentation(line: &Row) -> usize {
    let mut blanks = 0;
    for span in &line.spans {
        let text = span.text.trim_start_matches(' ');
        blanks += span.text.len() - text.len();
        if !text.is_empty() {
            break;
        }
    }
    blanks
}

/// Renders sanitised text as it stands into at most `room` rows of `columns` cells, and returns with them the number of
/// lines that found no room. What does not fit a line goes on below its start, of code a little further in.
pub(crate) fn plain(text: &str, tone: Tone, columns: usize, room: usize) -> (Vec<Row>, usize) {
    let step = if matches!(tone, Tone::Code | Tone::Tool) { 2 } else { 0 };
    let lines = text.split('\n').map(|line| {
        let indent = line.len() - line.trim_start().len();
        wrap(&link_addresses(Row::new().text(line, tone)), columns, indent + step)
    });
    fill(lines, room)
}

/// Takes the rows of as many lines as find room, and counts the lines that do not.
pub(crate) fn fill(lines: impl Iterator<Item = Vec<Row>>, room: usize) -> (Vec<Row>, usize) {
    let mut rows = Vec::new();
    let mut lost = 0;
    for line in lines {
        if rows.len() >= room {
            lost += 1;
        } else {
            rows.extend(line);
        }
    }
    rows.truncate(room);
    (rows, lost)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_in_the_name() {
        for (path, language) in [
            ("src/main.rs", "rs"),
            ("a.tar.gz", "gz"),
            ("/x/Dockerfile", "Dockerfile"),
            (".gitignore", ".gitignore"),
            ("", ""),
        ] {
            assert_eq!(language_of(path), language);
        }
    }

    #[test]
    fn lines_without_room_are_counted() {
        let (rows, lost) = plain("a b\nc", Tone::Dim, 1, 9);
        let texts: Vec<String> = rows.iter().map(Row::plain).collect();
        assert_eq!((texts.as_slice(), lost), (&["a", "b", "c"].map(str::to_owned)[..], 0));
        let (rows, lost) = plain("a b\nc\nd", Tone::Dim, 1, 1);
        assert_eq!((rows.len(), lost), (1, 2));
    }

    #[test]
    fn highlighting_changes_tones_and_nothing_else() {
        let code = "fn main() {\n    let x = \"a\"; // b\n}\n";
        let mut plain = CodeSetter::new(CodeTones::Plain);
        let mut coloured = CodeSetter::new(CodeTones::Highlighted);
        for language in ["rust", "rs", "klingon", ""] {
            let text = |rows: Vec<Row>| rows.iter().map(Row::plain).collect::<Vec<_>>();
            assert_eq!(text(plain.lines(code, language, 3)), text(coloured.lines(code, language, 3)));
        }
        assert!(plain.could_be_highlighted);
        assert!(!coloured.could_be_highlighted);
    }

    #[test]
    fn of_long_code_the_start_is_highlighted() {
        let code = "let x = 1;\n".repeat(6_000);
        let mut setter = CodeSetter::new(CodeTones::Highlighted);
        let rows = setter.lines(&code, "rust", 9_000);
        let is_plain = |row: &Row| row.spans.iter().all(|span| span.tone == Tone::Code);
        assert_eq!(
            (rows.len(), rows.iter().map(Row::plain).collect::<Vec<_>>().join("\n")),
            (6_001, code.clone())
        );
        assert!(!is_plain(&rows[0]) && is_plain(&rows[5_999]));
        assert!(setter.lines(&code, "rust", 9).iter().all(is_plain), "nothing is left for a second piece");
        assert_eq!(setter.lines(&"x".repeat(100_000), "rust", 9).len(), 1);
    }
}
