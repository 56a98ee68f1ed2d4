use std::borrow::Cow;

use super::escape::{Piece, pieces, unescape};
use super::tape::Tag;
use super::value::{Items, Value};
use crate::format::js;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Surrogates {
    Escape,
    Replace,
}

#[derive(Clone, Copy)]
pub(super) struct Printing {
    pub(super) surrogates: Surrogates,
    /// Printing may stop once this many bytes are out.
    pub(super) limit: usize,
}

/// Prints without recursion, so that nesting costs memory and not stack.
pub(super) fn write_value(value: Value<'_>, printing: Printing, out: &mut String) {
    let mut frames = Vec::new();
    open_value(value, printing, out, &mut frames);
    while let Some(frame) = frames.last_mut() {
        if out.len() >= printing.limit {
            return;
        }
        let next = match frame {
            Frame::Array(items, first) => items.next().inspect(|_| {
                if !std::mem::take(first) {
                    out.push(',');
                }
            }),
            Frame::Object(members, first) => members.next().map(|(key, value)| {
                if !std::mem::take(first) {
                    out.push(',');
                }
                js::quote(&key, out);
                out.push(':');
                value
            }),
        };
        match next {
            Some(value) => open_value(value, printing, out, &mut frames),
            None => match frames.pop() {
                Some(Frame::Array(..)) => out.push(']'),
                _ => out.push('}'),
            },
        }
    }
}

enum Frame<'t> {
    Array(Items<'t>, bool),
    Object(std::vec::IntoIter<(Cow<'t, str>, Value<'t>)>, bool),
}

fn open_value<'t>(value: Value<'t>, printing: Printing, out: &mut String, frames: &mut Vec<Frame<'t>>) {
    let within = |text: &'t str| &text[..js::floor_boundary(text, printing.limit)];
    match value.node().tag {
        Tag::Null => out.push_str("null"),
        Tag::True => out.push_str("true"),
        Tag::False => out.push_str("false"),
        Tag::Number => out.push_str(&js::number(value.as_f64().unwrap_or(f64::NAN))),
        Tag::Plain => js::quote(within(value.slice()), out),
        Tag::Escaped => write_escaped(within(value.slice()), printing.surrogates, out),
        Tag::Array => {
            out.push('[');
            frames.push(Frame::Array(value.items(), true));
        }
        Tag::Object => {
            out.push('{');
            frames.push(Frame::Object(value.members().into_iter(), true));
        }
    }
}

fn write_escaped(raw: &str, surrogates: Surrogates, out: &mut String) {
    if surrogates == Surrogates::Replace {
        js::quote(&unescape(raw), out);
        return;
    }
    out.push('"');
    for piece in pieces(raw) {
        match piece {
            Piece::Text(text) => js::quote_inner(text, out),
            Piece::Char(c) => js::quote_inner(c.encode_utf8(&mut [0; 4]), out),
            Piece::Lone(unit) => out.push_str(&format!("\\u{unit:04x}")),
        }
    }
    out.push('"');
}
