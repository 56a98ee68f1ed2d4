use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use super::escape::unescape;
use super::print::{Printing, Surrogates, write_value};
use super::tape::{Node, Tag};
use crate::format::js;

/// What a [`Value`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// Any number, also one beyond `f64`.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

/// One value inside a parsed text: three words, copied freely.
#[derive(Clone, Copy)]
pub struct Value<'t> {
    pub(super) text: &'t str,
    pub(super) nodes: &'t [Node],
    pub(super) at: u32,
}

impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.source())
    }
}

impl<'t> Value<'t> {
    pub(super) fn node(self) -> Node {
        self.nodes[self.at as usize]
    }

    /// What this value is.
    pub fn shape(self) -> Shape {
        match self.node().tag {
            Tag::Null => Shape::Null,
            Tag::True | Tag::False => Shape::Bool,
            Tag::Number => Shape::Number,
            Tag::Plain | Tag::Escaped => Shape::String,
            Tag::Array => Shape::Array,
            Tag::Object => Shape::Object,
        }
    }

    /// True for `null`.
    pub fn is_null(self) -> bool {
        self.shape() == Shape::Null
    }

    /// True for an object.
    pub fn is_object(self) -> bool {
        self.shape() == Shape::Object
    }

    /// The bool, if it is one.
    pub fn as_bool(self) -> Option<bool> {
        match self.node().tag {
            Tag::True => Some(true),
            Tag::False => Some(false),
            _ => None,
        }
    }

    /// The number, if it is one; beyond `f64` it is infinite.
    pub fn as_f64(self) -> Option<f64> {
        (self.node().tag == Tag::Number).then(|| self.slice().parse().unwrap_or(f64::NAN))
    }

    /// The string with its escapes resolved, if it is one.
    pub fn as_str(self) -> Option<Cow<'t, str>> {
        match self.node().tag {
            Tag::Plain => Some(Cow::Borrowed(self.slice())),
            Tag::Escaped => Some(Cow::Owned(unescape(self.slice()))),
            _ => None,
        }
    }

    /// The first `units` UTF-16 units of the string, and whether that is all of it. Reads no more than needed.
    pub fn str_prefix(self, units: usize) -> Option<(String, bool)> {
        let slice = self.slice();
        let head = |bytes_a_unit: usize| {
            let bytes = units.saturating_mul(bytes_a_unit).saturating_add(12);
            &slice[..js::floor_boundary(slice, bytes)]
        };
        let (head, text) = match self.node().tag {
            Tag::Plain => (head(4), Cow::Borrowed(head(4))),
            Tag::Escaped => {
                // Where escapes are rare, few bytes hold enough units, and two more: the last may be half a pair. An
                // escape takes at most six bytes a unit.
                let text = unescape(head(2));
                if js::units(&text) >= units.saturating_add(2) {
                    (head(2), Cow::Owned(text))
                } else {
                    (head(6), Cow::Owned(unescape(head(6))))
                }
            }
            _ => return None,
        };
        let (cut, whole) = js::cut(&text, units);
        Some((cut.into_owned(), whole && head.len() == slice.len()))
    }

    /// Bytes of the string as written in the file, quotes excluded; 0 for other shapes.
    pub fn str_bytes(self) -> usize {
        match self.node().tag {
            Tag::Plain | Tag::Escaped => self.slice().len(),
            _ => 0,
        }
    }

    /// The text between the quotes of a string exactly as written, without a copy.
    pub fn raw_str(self) -> Option<&'t str> {
        matches!(self.node().tag, Tag::Plain | Tag::Escaped).then(|| self.slice())
    }

    /// The value under `key`, the last one where the key repeats; `None` when absent or not an object.
    pub fn get(self, key: &str) -> Option<Value<'t>> {
        let mut found = None;
        for (name, value) in self.pairs() {
            if name.equals(key) {
                found = Some(value);
            }
        }
        found
    }

    /// As [`Value::get`], with `null` counted as absent.
    pub fn get_some(self, key: &str) -> Option<Value<'t>> {
        self.get(key).filter(|value| !value.is_null())
    }

    /// The string under `key`.
    pub fn get_str(self, key: &str) -> Option<Cow<'t, str>> {
        self.get(key)?.as_str()
    }

    /// The number under `key`.
    pub fn get_f64(self, key: &str) -> Option<f64> {
        self.get(key)?.as_f64()
    }

    /// The elements of an array; nothing for other shapes.
    pub fn items(self) -> Items<'t> {
        let node = self.node();
        let end = if node.tag == Tag::Array { node.next } else { self.at + 1 };
        Items { text: self.text, nodes: self.nodes, at: self.at + 1, end }
    }

    /// The members of an object in the order JavaScript lists them: array indexes ascending, then the other
    /// keys as first seen; a repeated key has its last value.
    pub fn members(self) -> Vec<(Cow<'t, str>, Value<'t>)> {
        let mut members: Vec<(Cow<'t, str>, Value<'t>)> = Vec::new();
        let mut place: HashMap<Cow<'t, str>, usize> = HashMap::new();
        for (name, value) in self.pairs() {
            let Some(key) = name.as_str() else { continue };
            if let Some(&at) = place.get(&key) {
                members[at].1 = value;
            } else {
                place.insert(key.clone(), members.len());
                members.push((key, value));
            }
        }
        if members.iter().any(|(key, _)| js::array_index(key).is_some()) {
            members.sort_by_key(|(key, _)| js::array_index(key).map_or(u64::MAX, u64::from));
        }
        members
    }

    /// True where JavaScript takes the value as false: `null`, `false`, `0`, `""`.
    pub fn is_falsy(self) -> bool {
        match self.node().tag {
            Tag::Null | Tag::False => true,
            Tag::True | Tag::Array | Tag::Object | Tag::Escaped => false,
            Tag::Plain => self.slice().is_empty(),
            Tag::Number => self.as_f64() == Some(0.0),
        }
    }

    /// The text of the value as it stands in the file.
    pub fn source(self) -> &'t str {
        let node = self.node();
        let quote = usize::from(matches!(node.tag, Tag::Plain | Tag::Escaped));
        &self.text[node.start as usize - quote..node.end as usize + quote]
    }

    /// The value as JavaScript's `JSON.stringify` prints it: compact, numbers and keys normalised, lone
    /// surrogates as escapes.
    pub fn stringify(self) -> String {
        let mut out = String::new();
        write_value(self, Printing { surrogates: Surrogates::Escape, limit: usize::MAX }, &mut out);
        out
    }

    /// The start of what [`Value::stringify`] prints, at least `bytes` of it where there are that many.
    pub fn stringify_prefix(self, bytes: usize) -> String {
        let mut out = String::new();
        write_value(self, Printing { surrogates: Surrogates::Escape, limit: bytes }, &mut out);
        out
    }

    /// As [`Value::stringify`], with lone surrogates as U+FFFD so that strict readers accept the text.
    pub fn to_json(self) -> String {
        let mut out = String::new();
        write_value(self, Printing { surrogates: Surrogates::Replace, limit: usize::MAX }, &mut out);
        out
    }

    pub(super) fn slice(self) -> &'t str {
        let node = self.node();
        &self.text[node.start as usize..node.end as usize]
    }

    fn equals(self, key: &str) -> bool {
        match self.node().tag {
            Tag::Plain => {
                let node = self.node();
                self.text.as_bytes()[node.start as usize..node.end as usize] == *key.as_bytes()
            }
            Tag::Escaped => unescape(self.slice()) == key,
            _ => false,
        }
    }

    /// Keys and values of an object in file order, repeats included.
    fn pairs(self) -> impl Iterator<Item = (Value<'t>, Value<'t>)> {
        let node = self.node();
        let end = if node.tag == Tag::Object { node.next } else { self.at + 1 };
        let mut items = Items { text: self.text, nodes: self.nodes, at: self.at + 1, end };
        std::iter::from_fn(move || Some((items.next()?, items.next()?)))
    }
}

/// The elements of an array.
#[derive(Clone)]
pub struct Items<'t> {
    text: &'t str,
    nodes: &'t [Node],
    at: u32,
    end: u32,
}

impl<'t> Iterator for Items<'t> {
    type Item = Value<'t>;

    fn next(&mut self) -> Option<Value<'t>> {
        (self.at < self.end).then(|| {
            let value = Value { text: self.text, nodes: self.nodes, at: self.at };
            self.at = self.nodes[self.at as usize].next;
            value
        })
    }
}
