//! JSON as people read it: one member a line, indented, long strings cut.

use std::borrow::Cow;

use super::row::{Row, Span, Tone};
use super::sanitize;
use super::wrap::wrap;
use crate::format::js;
use crate::format::json::{Items, Shape, Value};

const INDENT: usize = 2;
/// Deeper levels are no further indented.
const DEEPEST_INDENT: usize = 16;
const STRING_UNITS: usize = 4_000;
const NUMBER_BYTES: usize = 40;

enum Frame<'v> {
    Array(Items<'v>),
    Object(std::vec::IntoIter<(Cow<'v, str>, Value<'v>)>),
}

/// Prints a value into at most `room` rows of `columns` cells; `false` with them when there would be more.
pub fn json(value: Value<'_>, columns: usize, room: usize) -> (Vec<Row>, bool) {
    let mut printer = Printer { columns, rows: Vec::new(), line: Row::new(), depth: 0, has_opened: false };
    let mut frames = Vec::new();
    printer.open(value, &mut frames);
    while let Some(frame) = frames.last_mut() {
        if printer.rows.len() > room {
            break;
        }
        let (key, value) = match frame {
            Frame::Array(items) => (None, items.next()),
            Frame::Object(members) => {
                members.next().map_or((None, None), |(key, value)| (Some(key), Some(value)))
            }
        };
        let Some(value) = value else {
            let mark = if matches!(frames.pop(), Some(Frame::Array(_))) { "]" } else { "}" };
            printer.close(mark, frames.len());
            continue;
        };
        printer.next_element(frames.len());
        if let Some(key) = key {
            printer.put(quoted(&key), Tone::Name);
            printer.put(": ", Tone::Faint);
        }
        printer.open(value, &mut frames);
    }
    printer.end_line();
    let is_whole = printer.rows.len() <= room;
    printer.rows.truncate(room);
    (printer.rows, is_whole)
}

struct Printer {
    columns: usize,
    rows: Vec<Row>,
    /// The line being written; it is wrapped when the next one starts.
    line: Row,
    depth: usize,
    /// Whether the line ends in the opening bracket of a container that has no element yet.
    has_opened: bool,
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

    fn open<'v>(&mut self, value: Value<'v>, frames: &mut Vec<Frame<'v>>) {
        match value.shape() {
            Shape::Array => {
                self.put("[", Tone::Faint);
                self.has_opened = true;
                frames.push(Frame::Array(value.items()));
            }
            Shape::Object => {
                self.put("{", Tone::Faint);
                self.has_opened = true;
                frames.push(Frame::Object(value.members().into_iter()));
            }
            Shape::String => {
                let (text, is_whole) = value.str_prefix(STRING_UNITS).unwrap_or_default();
                self.put(quoted(&text), Tone::Code);
                self.put(if is_whole { "" } else { "…" }, Tone::Faint);
            }
            Shape::Number => {
                let source = value.source();
                let head = &source[..js::floor_boundary(source, NUMBER_BYTES)];
                self.put(head, Tone::Literal);
                self.put(if head == source { "" } else { "…" }, Tone::Faint);
            }
            Shape::Null | Shape::Bool => self.put(value.source(), Tone::Literal),
        }
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
        let (rows, is_whole) = json(document.root(), columns, room);
        (rows.iter().map(Row::plain).collect(), is_whole)
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
    }
}
