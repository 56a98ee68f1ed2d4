//! JSON as people read it: one member a line, indented, long strings cut, what is deep folded.

use super::row::{Row, Span, Tone};
use super::sanitize;
use super::walk::{Step, Walk};
use super::wrap::wrap;
use crate::format::js;
use crate::format::json::{Shape, Value};

const INDENT: usize = 2;
/// Deeper levels are no further indented.
const DEEPEST_INDENT: usize = 16;
const STRING_UNITS: usize = 4_000;
/// As much of a string is shown where something is folded.
const FOLDED_STRING_UNITS: usize = 400;
/// As much of a long string without a blank, as pictures are written, is shown where something is folded.
const DATA_BYTES: usize = 60;
const NUMBER_BYTES: usize = 40;
/// Names of members that stand for a folded object.
const NAMED_MEMBERS: usize = 6;

/// A value laid out as rows.
pub struct JsonRows {
    /// The rows.
    pub rows: Vec<Row>,
    /// Whether there was room for all of it.
    pub is_whole: bool,
    /// Whether some of it is folded.
    pub is_folded: bool,
}

/// Prints a value into at most `room` rows of `columns` cells. Of arrays and objects only so many `levels` are open.
pub fn json(value: Value<'_>, columns: usize, room: usize, levels: usize) -> JsonRows {
    let mut printer = Printer { columns, levels, ..Printer::default() };
    let mut walk = Walk::of(value);
    while let Some(step) = walk.next() {
        if printer.rows.len() > room {
            break;
        }
        match step {
            Step::Value { key, value, depth } => {
                if depth > 0 {
                    printer.next_element(depth);
                }
                if let Some(key) = key {
                    printer.put(quoted(&key), Tone::Name);
                    printer.put(": ", Tone::Faint);
                }
                if printer.value(value, depth) {
                    walk.pass();
                }
            }
            Step::End { shape, depth } => printer.close(if shape == Shape::Array { "]" } else { "}" }, depth),
        }
    }
    printer.end_line();
    let is_whole = printer.rows.len() <= room;
    printer.rows.truncate(room);
    JsonRows { rows: printer.rows, is_whole, is_folded: printer.is_folded }
}

#[derive(Default)]
struct Printer {
    columns: usize,
    levels: usize,
    rows: Vec<Row>,
    /// The line being written; it is wrapped when the next one starts.
    line: Row,
    depth: usize,
    /// Whether the line ends in the opening bracket of a container that has no element yet.
    has_opened: bool,
    is_folded: bool,
}

impl Printer {
    fn put(&mut self, text: impl Into<String>, tone: Tone) {
        self.line.push(Span::new(text, tone));
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        let hang = INDENT * (self.depth.min(DEEPEST_INDENT) + 2);
        self.rows.extend(wrap(&line, self.columns, hang));
    }

    fn start_line(&mut self, depth: usize) {
        self.end_line();
        self.depth = depth;
        self.put(" ".repeat(INDENT * depth.min(DEEPEST_INDENT)), Tone::Text);
    }

    fn next_element(&mut self, depth: usize) {
        if !std::mem::take(&mut self.has_opened) {
            self.put(",", Tone::Faint);
        }
        self.start_line(depth);
    }

    fn close(&mut self, mark: &str, depth: usize) {
        if !std::mem::take(&mut self.has_opened) {
            self.start_line(depth);
        }
        self.put(mark, Tone::Faint);
    }

    /// Writes a value, of an array or object its opening bracket; says whether it is one that is folded.
    fn value(&mut self, value: Value<'_>, depth: usize) -> bool {
        let tone = match value.shape() {
            Shape::Array | Shape::Object if depth >= self.levels => return self.folded(value),
            Shape::Array | Shape::Object => {
                self.put(if value.is_object() { "{" } else { "[" }, Tone::Faint);
                self.has_opened = true;
                return false;
            }
            Shape::String => {
                self.string(value);
                return false;
            }
            Shape::Number | Shape::Null | Shape::Bool => Tone::Literal,
        };
        let source = value.source();
        let head = &source[..js::floor_boundary(source, NUMBER_BYTES)];
        self.put(head, tone);
        self.put(if head == source { "" } else { "…" }, Tone::Faint);
        false
    }

    fn string(&mut self, value: Value<'_>) {
        let units = if self.levels == usize::MAX { STRING_UNITS } else { FOLDED_STRING_UNITS };
        let (mut text, is_whole) = value.str_prefix(units).unwrap_or_default();
        let is_data = !is_whole && self.levels != usize::MAX && !text.contains(char::is_whitespace);
        if is_data {
            text.truncate(js::floor_boundary(&text, DATA_BYTES));
        }
        self.put(quoted(&text), Tone::Code);
        let size = || super::age::bytes(value.source().len() as u64);
        self.put(
            if is_data { format!("… {}", size()) } else { if is_whole { "" } else { "…" }.into() },
            Tone::Faint,
        );
        self.is_folded |= !is_whole && self.levels != usize::MAX;
    }

    /// Writes what stands for an array or object that is folded, unless it is empty.
    fn folded(&mut self, value: Value<'_>) -> bool {
        let words = if value.is_object() {
            let members = value.members();
            let names: Vec<_> =
                members.iter().take(NAMED_MEMBERS).map(|(key, _)| sanitize::line(key)).collect();
            let more = if members.len() > NAMED_MEMBERS { ", …" } else { "" };
            format!("{}{more}", names.join(", "))
        } else {
            match value.items().count() {
                0 => String::new(),
                count => super::age::counted(count, "element"),
            }
        };
        let (open, close) = if value.is_object() { ("{", "}") } else { ("[", "]") };
        self.put(open, Tone::Faint);
        if !words.is_empty() {
            self.put(format!(" {words} "), Tone::Dim);
            self.is_folded = true;
        }
        self.put(close, Tone::Faint);
        true
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::new();
    js::quote(text, &mut out);
    sanitize::line(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::json::Document;

    fn printed(source: &str, columns: usize, room: usize) -> (Vec<String>, bool) {
        let document = Document::parse(source.into()).unwrap();
        let json = json(document.root(), columns, room, usize::MAX);
        (json.rows.iter().map(Row::plain).collect(), json.is_whole)
    }

    #[test]
    fn what_is_deep_is_folded() {
        let folded = |levels| {
            let source = r#"{"a":{"b":[1,[2]],"c":{},"d\u001b":1},"e":[]}"#;
            let document = Document::parse(source.into()).unwrap();
            let json = json(document.root(), 60, 99, levels);
            (json.rows.iter().map(|row| row.plain().trim().to_owned()).collect::<String>(), json.is_folded)
        };
        assert_eq!(folded(0), ("{ a, e }".into(), true));
        assert_eq!(folded(1), (r#"{"a": { b, c, d },"e": []}"#.into(), true));
        assert_eq!(folded(2).0, r#"{"a": {"b": [ 2 elements ],"c": {},"d\u001b": 1},"e": []}"#);
        assert!(!folded(9).1);
        let long = format!("\"{}\"", "x".repeat(500));
        let document = Document::parse(long).unwrap();
        assert!(json(document.root(), 60, 99, 5).is_folded);
        assert!(!json(document.root(), 60, 99, usize::MAX).is_folded);
    }

    #[test]
    fn one_member_a_line() {
        let (rows, is_whole) = printed(r#"{"a":[1,{"b":null}],"c":{},"d":[],"e":"x\ny\u001b[2J"}"#, 60, 99);
        assert!(is_whole);
        assert_eq!(
            rows,
            [
                "{",
                "  \"a\": [",
                "    1,",
                "    {",
                "      \"b\": null",
                "    }",
                "  ],",
                "  \"c\": {},",
                "  \"d\": [],",
                "  \"e\": \"x\\ny\\u001b[2J\"",
                "}",
            ]
        );
        assert_eq!(printed("7", 60, 9), (vec!["7".into()], true));
    }

    #[test]
    fn depth_and_length_are_bounded() {
        let deep = format!("{}{}", "[".repeat(50_000), "]".repeat(50_000));
        let (rows, is_whole) = printed(&deep, 80, 100);
        assert_eq!((rows.len(), is_whole), (100, false));
        let long = format!("\"{}\"", "x".repeat(1_000_000));
        let (rows, _) = printed(&long, 80, 100);
        assert_eq!(rows.len(), 53);
        assert!(rows[52].ends_with('…'));
        let document = Document::parse(long).unwrap();
        let folded = json(document.root(), 80, 100, 1);
        let rows: Vec<String> = folded.rows.iter().map(Row::plain).collect();
        assert_eq!((rows, folded.is_folded), (vec![format!("\"{}\"… 977 KB", "x".repeat(60))], true));
    }
}
