//! Values as tidy lines, as YAML lays them out: for reading, not for parsing.

use super::row::{Row, Span, Tone};
use super::sanitize;
use super::walk::{Members, Step, Walk};
use super::wrap::wrap;
use crate::format::js;
use crate::format::json::{Shape, Value};

const INDENT: usize = 2;
/// Deeper levels are no further indented.
const DEEPEST_INDENT: usize = 12;
const STRING_UNITS: usize = 64 * 1024;
const NUMBER_BYTES: usize = 40;

/// Lays out a value in at most `room` rows of `columns` cells; `false` with them when there would be more.
pub(crate) fn yaml(value: Value<'_>, columns: usize, room: usize) -> (Vec<Row>, bool) {
    Layout { columns, room, rows: Vec::new() }.run(Walk::of(value))
}

/// Lays out members as [`yaml`] does those of an object.
pub(crate) fn yaml_members(members: Members<'_>, columns: usize, room: usize) -> (Vec<Row>, bool) {
    Layout { columns, room, rows: Vec::new() }.run(Walk::of_members(members))
}

struct Layout {
    columns: usize,
    room: usize,
    rows: Vec<Row>,
}

impl Layout {
    fn run(mut self, mut walk: Walk<'_>) -> (Vec<Row>, bool) {
        let mut line = Row::new();
        while let Some(step) = walk.next() {
            if self.rows.len() > self.room {
                break;
            }
            let Step::Value { key, value, depth } = step else { continue };
            let Some(level) = depth.checked_sub(1) else {
                if self.value(value, &mut line, 0) {
                    walk.pass();
                }
                continue;
            };
            if line.is_empty() {
                line.push(Span::new(" ".repeat(INDENT * level.min(DEEPEST_INDENT)), Tone::Text));
            }
            let is_item = key.is_none();
            match key {
                Some(key) => {
                    line.push(Span::new(sanitize::line(&key), Tone::Name));
                    line.push(Span::new(": ", Tone::Faint));
                }
                None => line.push(Span::new("- ", Tone::Faint)),
            }
            let is_told = self.value(value, &mut line, level);
            if is_told && matches!(value.shape(), Shape::Array | Shape::Object) {
                walk.pass();
            }
            // The members of an object in a list begin behind its dash.
            if is_told || !(is_item && value.is_object()) {
                self.end_line(&mut line, level);
            }
        }
        self.end_line(&mut line, 0);
        let is_whole = self.rows.len() <= self.room;
        self.rows.truncate(self.room);
        (self.rows, is_whole)
    }

    fn end_line(&mut self, line: &mut Row, level: usize) {
        if !line.is_empty() {
            let hang = INDENT * (level.min(DEEPEST_INDENT) + 1);
            self.rows.extend(wrap(&std::mem::take(line), self.columns, hang));
        }
    }

    /// Ends the line with a value; says whether that is all of it, so that no elements follow below.
    fn value(&mut self, value: Value<'_>, line: &mut Row, level: usize) -> bool {
        match value.shape() {
            Shape::Array if value.items().next().is_none() => line.push(Span::new("[]", Tone::Faint)),
            Shape::Object if value.members().is_empty() => line.push(Span::new("{}", Tone::Faint)),
            Shape::Array | Shape::Object => return false,
            Shape::String => self.string(value, line, level),
            Shape::Number | Shape::Null | Shape::Bool => {
                let source = value.source();
                let head = &source[..js::floor_boundary(source, NUMBER_BYTES)];
                line.push(Span::new(head, Tone::Literal));
                line.push(Span::new(if head == source { "" } else { "…" }, Tone::Faint));
            }
        }
        true
    }

    /// A short string behind its key, one of several lines below it.
    fn string(&mut self, value: Value<'_>, line: &mut Row, level: usize) {
        let (text, is_whole) = value.str_prefix(STRING_UNITS).unwrap_or_default();
        let text = sanitize::text(text.trim_end_matches('\n'));
        let cut = if is_whole { "" } else { "…" };
        if !text.contains('\n') {
            line.push(Span::new(text, Tone::Code));
            line.push(Span::new(cut, Tone::Faint));
            return;
        }
        self.end_line(line, level);
        let indent =
            if level == 0 && self.rows.is_empty() { 0 } else { INDENT * (level.min(DEEPEST_INDENT) + 1) };
        for text in text.split('\n') {
            if self.rows.len() > self.room {
                return;
            }
            let row = Row::new().text(" ".repeat(indent), Tone::Text).text(text, Tone::Code);
            let blanks = text.len() - text.trim_start_matches(' ').len();
            self.rows.extend(wrap(&row, self.columns, indent + blanks + INDENT));
        }
        if !cut.is_empty() {
            self.rows.push(Row::new().text(cut, Tone::Faint).fit(self.columns));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::json::Document;

    fn laid_out(source: &str, columns: usize, room: usize) -> (Vec<String>, bool) {
        let document = Document::parse(source.into()).unwrap();
        let (rows, is_whole) = yaml(document.root(), columns, room);
        (rows.iter().map(|row| row.plain().trim_end().to_owned()).collect(), is_whole)
    }

    #[test]
    fn members_and_items_have_lines_of_their_own() {
        let (rows, is_whole) = laid_out(
            r#"{"task":"Review.\n  Be brief.\n","files":["a.rs","b.rs"],"options":{"deep":{"n":2,"ok":true}},"none":null,
            "list":[{"a":1,"b":"x"},[1,[]],{}],"e":"\u001b[2J"}"#,
            60,
            99,
        );
        assert!(is_whole);
        assert_eq!(
            rows,
            [
                "task:",
                "  Review.",
                "    Be brief.",
                "files:",
                "  - a.rs",
                "  - b.rs",
                "options:",
                "  deep:",
                "    n: 2",
                "    ok: true",
                "none: null",
                "list:",
                "  - a: 1",
                "    b: x",
                "  -",
                "    - 1",
                "    - []",
                "  - {}",
                "e:",
            ]
        );
        assert_eq!(laid_out(r#""one""#, 60, 9).0, ["one"]);
    }

    #[test]
    fn long_values_hang_below_their_key() {
        assert_eq!(laid_out(r#"{"key":"one two three"}"#, 12, 9).0, ["key: one two", "  three"]);
    }

    #[test]
    fn depth_and_length_are_bounded() {
        let deep = format!("{}{}", "[".repeat(50_000), "]".repeat(50_000));
        let (rows, is_whole) = laid_out(&deep, 80, 100);
        assert_eq!((rows.len(), is_whole), (100, false));
        let long = format!("[\"{}\"]", "x\\n".repeat(10_000));
        let (rows, is_whole) = laid_out(&long, 80, 100);
        assert_eq!((rows.len(), is_whole), (100, false));
        for columns in 0..9 {
            let document = Document::parse(r#"{"key":{"more":["設計設計","a\nb"]}}"#.into()).unwrap();
            assert!(yaml(document.root(), columns, 99).0.iter().all(|row| row.width() <= columns));
        }
    }
}
