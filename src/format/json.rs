//! JSON as pi accepts it, read into a flat tape.
//!
//! pi reads with JavaScript's `JSON.parse`. A strict Rust reader differs from it in four ways that occur in
//! real session files, so this reader follows JavaScript: escapes of lone surrogates, numbers beyond `f64`,
//! nesting of any depth and repeated keys (the last one wins) are all accepted. A lone surrogate becomes
//! U+FFFD, which keeps lengths in UTF-16 units as they were.
//!
//! A [`Tape`] is a vector of nodes over the text it was read from. It holds no strings and no boxes, so its
//! size follows the number of values, parsing and dropping never recurse, and a 50 MB string costs 16 bytes.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use super::js;
use super::scan::{BLOCK, STRETCH, is_common_text, is_short_escape, is_special, plain_run, special_marks};

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tag {
    Null,
    True,
    False,
    Number,
    /// A string without a backslash: its text can be borrowed.
    Plain,
    /// A string with at least one escape.
    Escaped,
    Array,
    Object,
}

/// One value of the tape: `start..end` is its text (strings without their quotes), `next` the node after
/// the last one inside it.
#[derive(Clone, Copy, Debug)]
struct Node {
    tag: Tag,
    start: u32,
    end: u32,
    next: u32,
}

/// Why a text is not one JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The text ends inside a value: a line that was cut short.
    Torn,
    /// A whole value is followed by the start of another: two lines without a line end between them.
    Fused,
    /// A control character stands raw inside a string.
    RawControl,
    /// Anything else.
    Syntax,
    /// More than 4 GiB in one line.
    TooLong,
}

/// A text that is not one JSON value, and the byte at which that became clear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// Byte offset in the text.
    pub offset: usize,
    /// What is wrong there.
    pub flaw: Flaw,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.flaw {
            Flaw::Torn => "it ends in the middle of a value",
            Flaw::Fused => "a second value follows on the same line",
            Flaw::RawControl => "a control character stands unescaped in a string",
            Flaw::Syntax => "it is not JSON",
            Flaw::TooLong => "it is longer than 4 GiB",
        };
        write!(f, "{what} (byte {})", self.offset + 1)
    }
}

impl std::error::Error for Invalid {}

/// The nodes of one parsed text. Reusable: parsing again keeps the allocation.
#[derive(Clone, Debug, Default)]
pub struct Tape {
    nodes: Vec<Node>,
    open: Vec<u32>,
}

impl Tape {
    /// Reads `text` and returns its value.
    ///
    /// # Errors
    /// When the text is not exactly one JSON value, white space around it aside.
    pub fn parse<'t>(&'t mut self, text: &'t str) -> Result<Value<'t>, Invalid> {
        self.read(text, Returns::AreSpace)
    }

    /// As [`Tape::parse`], for those to whom a carriage return ends a line: none may stand in the text.
    ///
    /// # Errors
    /// Also for a carriage return.
    pub fn parse_line<'t>(&'t mut self, text: &'t str) -> Result<Value<'t>, Invalid> {
        self.read(text, Returns::AreWrong)
    }

    fn read<'t>(&'t mut self, text: &'t str, returns: Returns) -> Result<Value<'t>, Invalid> {
        self.nodes.clear();
        self.open.clear();
        if u32::try_from(text.len()).is_err() {
            return Err(Invalid { offset: 0, flaw: Flaw::TooLong });
        }
        let mut reader =
            Reader { bytes: text.as_bytes(), at: 0, returns, nodes: &mut self.nodes, open: &mut self.open };
        reader.document()?;
        Ok(Value { text, nodes: &self.nodes, at: 0 })
    }
}

/// A JSON text together with its tape: what a body is once read.
#[derive(Clone, Debug)]
pub struct Document {
    text: String,
    tape: Tape,
}

impl Document {
    /// Reads a text.
    ///
    /// # Errors
    /// As [`Tape::parse`].
    pub fn parse(text: String) -> Result<Self, Invalid> {
        let mut tape = Tape::default();
        tape.parse(&text)?;
        Ok(Self { text, tape })
    }

    /// Reads bytes as pi does: what is not UTF-8 becomes U+FFFD first.
    ///
    /// # Errors
    /// As [`Tape::parse`].
    pub fn parse_lossy(bytes: Vec<u8>) -> Result<Self, Invalid> {
        Self::parse(match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        })
    }

    /// The outermost value.
    pub fn root(&self) -> Value<'_> {
        Value { text: &self.text, nodes: &self.tape.nodes, at: 0 }
    }

    /// Bytes held, for caches with a bound.
    pub fn size(&self) -> usize {
        self.text.len() + self.tape.nodes.len() * size_of::<Node>()
    }
}

/// One value inside a parsed text: three words, copied freely.
#[derive(Clone, Copy)]
pub struct Value<'t> {
    text: &'t str,
    nodes: &'t [Node],
    at: u32,
}

impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.source())
    }
}

impl<'t> Value<'t> {
    fn node(self) -> Node {
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

    fn slice(self) -> &'t str {
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

#[derive(Clone, Copy, PartialEq, Eq)]
enum Surrogates {
    Escape,
    Replace,
}

#[derive(Clone, Copy)]
struct Printing {
    surrogates: Surrogates,
    /// Printing may stop once this many bytes are out.
    limit: usize,
}

enum Frame<'t> {
    Array(Items<'t>, bool),
    Object(std::vec::IntoIter<(Cow<'t, str>, Value<'t>)>, bool),
}

/// Prints without recursion, so that nesting costs memory and not stack.
fn write_value(value: Value<'_>, printing: Printing, out: &mut String) {
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

enum Piece<'t> {
    Text(&'t str),
    Char(char),
    Lone(u16),
}

/// Cuts an escaped string into runs of plain text, resolved escapes and lone surrogates. An escape that is
/// cut off at the end yields nothing.
fn pieces(raw: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = raw;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let Some(escape) = rest.strip_prefix('\\') else {
            let end = memchr::memchr(b'\\', rest.as_bytes()).unwrap_or(rest.len());
            let (text, after) = rest.split_at(end);
            rest = after;
            return Some(Piece::Text(text));
        };
        let Some(&letter) = escape.as_bytes().first() else {
            rest = "";
            return None;
        };
        let simple = match letter {
            b'b' => Some('\u{8}'),
            b'f' => Some('\u{c}'),
            b'n' => Some('\n'),
            b'r' => Some('\r'),
            b't' => Some('\t'),
            b'"' => Some('"'),
            b'\\' => Some('\\'),
            b'/' => Some('/'),
            _ => None,
        };
        if let Some(c) = simple {
            rest = &escape[1..];
            return Some(Piece::Char(c));
        }
        let Some(unit) = hex_unit(escape) else {
            rest = "";
            return None;
        };
        rest = &escape[5..];
        if (0xD800..0xDC00).contains(&unit)
            && let Some(low) = rest.strip_prefix('\\').and_then(hex_unit)
            && (0xDC00..0xE000).contains(&low)
        {
            rest = &rest[6..];
            let code = 0x10000 + ((u32::from(unit) - 0xD800) << 10) + (u32::from(low) - 0xDC00);
            return char::from_u32(code).map(Piece::Char);
        }
        Some(char::from_u32(u32::from(unit)).map_or(Piece::Lone(unit), Piece::Char))
    })
}

/// The value of `uXXXX` at the start of `escape`.
fn hex_unit(escape: &str) -> Option<u16> {
    let digits = escape.strip_prefix('u')?.get(..4)?;
    u16::from_str_radix(digits, 16).ok()
}

fn unescape(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    for piece in pieces(raw) {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Char(c) => out.push(c),
            Piece::Lone(_) => out.push(char::REPLACEMENT_CHARACTER),
        }
    }
    out
}

/// What carriage returns are between values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Returns {
    AreSpace,
    AreWrong,
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    returns: Returns,
    nodes: &'a mut Vec<Node>,
    /// Nodes of the containers that are open, outermost first.
    open: &'a mut Vec<u32>,
}

impl Reader<'_> {
    fn document(&mut self) -> Result<(), Invalid> {
        self.space();
        self.value()?;
        while let Some(&container) = self.open.last() {
            self.member(container)?;
        }
        self.space();
        match self.peek() {
            None => Ok(()),
            Some(b'{' | b'[' | b'"') => Err(self.flaw(Flaw::Fused)),
            Some(_) => Err(self.flaw(Flaw::Syntax)),
        }
    }

    /// Reads one step inside the innermost container: a separator and the next value, or its end.
    fn member(&mut self, container: u32) -> Result<(), Invalid> {
        let first = self.nodes.len() == container as usize + 1;
        let is_object = self.nodes[container as usize].tag == Tag::Object;
        let close = if is_object { b'}' } else { b']' };
        self.space();
        match self.peek() {
            Some(byte) if byte == close => {
                self.at += 1;
                self.open.pop();
                let next = self.nodes.len() as u32;
                let node = &mut self.nodes[container as usize];
                node.end = self.at as u32;
                node.next = next;
                return Ok(());
            }
            Some(b',') if !first => {
                self.at += 1;
                self.space();
            }
            Some(_) if first => {}
            _ => return Err(self.unexpected()),
        }
        if is_object {
            if self.peek() != Some(b'"') {
                return Err(self.unexpected());
            }
            self.string()?;
            self.space();
            if self.peek() != Some(b':') {
                return Err(self.unexpected());
            }
            self.at += 1;
            self.space();
        }
        self.value()
    }

    /// Reads a scalar, or opens a container.
    fn value(&mut self) -> Result<(), Invalid> {
        match self.peek() {
            Some(b'"') => self.string(),
            Some(b'{') => {
                self.container(Tag::Object);
                Ok(())
            }
            Some(b'[') => {
                self.container(Tag::Array);
                Ok(())
            }
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word(b"true", Tag::True),
            Some(b'f') => self.word(b"false", Tag::False),
            Some(b'n') => self.word(b"null", Tag::Null),
            _ => Err(self.unexpected()),
        }
    }

    fn container(&mut self, tag: Tag) {
        self.open.push(self.nodes.len() as u32);
        self.leaf(tag, self.at, self.at);
        self.at += 1;
    }

    fn word(&mut self, word: &[u8], tag: Tag) -> Result<(), Invalid> {
        let rest = &self.bytes[self.at..];
        if rest.starts_with(word) {
            let start = self.at;
            self.at += word.len();
            self.leaf(tag, start, self.at);
            Ok(())
        } else {
            let torn = word.starts_with(rest);
            Err(self.flaw(if torn { Flaw::Torn } else { Flaw::Syntax }))
        }
    }

    fn number(&mut self) -> Result<(), Invalid> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        self.leaf(Tag::Number, start, self.at);
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Invalid> {
        if !self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            return Err(self.unexpected());
        }
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        Ok(())
    }

    fn string(&mut self) -> Result<(), Invalid> {
        let start = self.at + 1;
        let mut tag = Tag::Plain;
        self.at = start;
        loop {
            self.at += plain_run(&self.bytes[self.at..]);
            match self.peek() {
                Some(b'"') => {
                    self.leaf(tag, start, self.at);
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => {
                    tag = Tag::Escaped;
                    self.escapes()?;
                }
                Some(_) => return Err(self.flaw(Flaw::RawControl)),
                None => return Err(self.flaw(Flaw::Torn)),
            }
        }
    }

    /// Reads from a backslash on until something else than plain text and short escapes comes, or the rest is short.
    /// Where one escape is, more are near: so many bytes are looked at together, and where something rare is among them,
    /// 64 at a time and then only the marked ones.
    fn escapes(&mut self) -> Result<(), Invalid> {
        while let Some(block) = self.bytes[self.at..].first_chunk::<BLOCK>() {
            if !is_special(block[0]) || block[0] == b'\\' {
                self.common_text();
            }
            let Some(block) = self.bytes[self.at..].first_chunk::<BLOCK>() else { break };
            let mut marks = special_marks(block);
            let mut next = BLOCK;
            while marks != 0 {
                let at = marks.trailing_zeros() as usize;
                marks &= marks - 1;
                match block[at] {
                    b'\\' if block.get(at + 1).is_some_and(|&letter| is_short_escape(letter)) => {
                        marks &= !(2 << at);
                    }
                    b'\\' => {
                        // It is a long escape, or ends beyond the block.
                        next = at;
                        break;
                    }
                    _ => {
                        self.at += at;
                        return Ok(());
                    }
                }
            }
            self.at += next;
            if next < BLOCK {
                self.escape()?;
            }
        }
        if self.peek() == Some(b'\\') { self.escape() } else { Ok(()) }
    }

    /// Skips long stretches of common text from a byte on that is plain or begins an escape.
    fn common_text(&mut self) {
        let start = self.at;
        while let Some(window) = self.bytes[self.at..].first_chunk()
            && is_common_text(window)
        {
            self.at += STRETCH;
        }
        // The last byte was looked at; only what it escapes was not.
        if self.at > start && self.bytes[self.at] != b'\\' {
            self.at += 1;
        }
    }

    fn escape(&mut self) -> Result<(), Invalid> {
        self.at += 1;
        match self.peek() {
            Some(letter) if is_short_escape(letter) => {
                self.at += 1;
                Ok(())
            }
            Some(b'u') => {
                self.at += 1;
                for _ in 0..4 {
                    if !self.peek().is_some_and(|byte| byte.is_ascii_hexdigit()) {
                        return Err(self.unexpected());
                    }
                    self.at += 1;
                }
                Ok(())
            }
            _ => Err(self.unexpected()),
        }
    }

    fn leaf(&mut self, tag: Tag, start: usize, end: usize) {
        let next = self.nodes.len() as u32 + 1;
        self.nodes.push(Node { tag, start: start as u32, end: end as u32, next });
    }

    fn space(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\n') => self.at += 1,
                Some(b'\r') if self.returns == Returns::AreSpace => self.at += 1,
                _ => return,
            }
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn flaw(&self, flaw: Flaw) -> Invalid {
        Invalid { offset: self.at, flaw }
    }

    fn unexpected(&self) -> Invalid {
        self.flaw(if self.at >= self.bytes.len() { Flaw::Torn } else { Flaw::Syntax })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(text: &str) -> Result<Document, Invalid> {
        Document::parse(text.to_owned())
    }

    #[test]
    fn javascript_accepts_what_strict_readers_refuse() {
        let lone = parse(r#"{"a":"cut \ud83d here"}"#).unwrap();
        assert_eq!(lone.root().get_str("a").unwrap(), "cut \u{fffd} here");
        assert_eq!(lone.root().stringify(), r#"{"a":"cut \ud83d here"}"#);
        assert_eq!(lone.root().to_json(), "{\"a\":\"cut \u{fffd} here\"}");

        let huge = parse("[1e999,-1e999,1.0,-0,1e21,123456789012345680000]").unwrap();
        assert_eq!(huge.root().items().next().unwrap().as_f64(), Some(f64::INFINITY));
        assert_eq!(huge.root().stringify(), "[null,null,1,0,1e+21,123456789012345680000]");

        let twice = parse(r#"{"b":1,"a":2,"\u0062":3,"1":4,"0":5}"#).unwrap();
        assert_eq!(twice.root().get_f64("b"), Some(3.0));
        assert_eq!(twice.root().stringify(), r#"{"0":5,"1":4,"b":3,"a":2}"#);

        let depth = 200_000;
        let deep = parse(&format!("{}{}", "[".repeat(depth), "]".repeat(depth))).unwrap();
        assert_eq!(deep.root().stringify().len(), 2 * depth);
    }

    #[test]
    fn the_flaw_says_what_happened_to_the_line() {
        let flaw = |text: &str| parse(text).unwrap_err().flaw;
        assert_eq!(flaw(r#"{"a":"b"#), Flaw::Torn);
        assert_eq!(flaw(r#"{"a":tr"#), Flaw::Torn);
        assert_eq!(flaw(r#"{"a":1}{"b":2}"#), Flaw::Fused);
        assert_eq!(flaw("{\"a\":\"b\u{1}\"}"), Flaw::RawControl);
        for bad in [
            "{'a':1}",
            "[1,]",
            "{\"a\":1,}",
            "01",
            "1.",
            "+1",
            "nul",
            "[1 2]",
            "{\"a\" 1}",
            "\u{feff}{}",
            "{}x",
            ",",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_prefix_is_cut_in_utf16_units() {
        let text = parse(r#"["aa😀bb","\ud83d\ude00x"]"#).unwrap();
        let items: Vec<_> = text.root().items().collect();
        assert_eq!(items[0].str_prefix(3).unwrap(), ("aa\u{fffd}".into(), false));
        assert_eq!(items[0].str_prefix(4).unwrap(), ("aa😀".into(), false));
        assert_eq!(items[0].str_prefix(6).unwrap(), ("aa😀bb".into(), true));
        assert_eq!(items[1].str_prefix(1).unwrap(), ("\u{fffd}".into(), false));
    }

    fn any_json() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            any::<i32>().prop_map(Into::into),
            (-1e15f64..1e15).prop_map(Into::into),
            ".*".prop_map(serde_json::Value::String),
        ];
        leaf.prop_recursive(5, 40, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(serde_json::Value::Array),
                prop::collection::hash_map("[a-z\"\\\\é]{0,4}", inner, 0..6)
                    .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn agrees_with_serde_on_long_strings(
            pieces in prop::collection::vec(
                prop::sample::select(vec![
                    "a", "plain text", "\\n", "\\\"", "\\\\", "\\u00e9", "\u{e9}", "\\x", "\\u00g0", "\t", "\"",
                ]),
                0..200,
            ),
            bad in any::<bool>(),
        ) {
            let good = |piece: &&&str| bad || !matches!(**piece, "\\x" | "\\u00g0" | "\t" | "\"");
            let text = format!("\"{}\"", pieces.iter().filter(good).copied().collect::<String>());
            let theirs = serde_json::from_str::<String>(&text);
            let ours = parse(&text);
            prop_assert_eq!(ours.is_ok(), theirs.is_ok(), "{}", text);
            if let (Ok(ours), Ok(theirs)) = (ours, theirs) {
                prop_assert_eq!(ours.root().as_str().unwrap(), theirs);
            }
        }

        #[test]
        fn whatever_serde_prints_is_read_back_equal(value in any_json()) {
            let read = parse(&value.to_string()).unwrap();
            let again: serde_json::Value = serde_json::from_str(&read.root().to_json()).unwrap();
            let close = |a: &serde_json::Value, b: &serde_json::Value| normalise(a) == normalise(b);
            prop_assert!(close(&value, &again), "{value} {again}");
        }

        #[test]
        fn agrees_with_serde_on_what_is_json(value in any_json(), at in any::<prop::sample::Index>(), byte in any::<char>()) {
            let mut text = value.to_string();
            let mut at = at.index(text.len() + 1);
            while !text.is_char_boundary(at) { at -= 1; }
            text.insert(at, byte);
            let theirs = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
            prop_assert_eq!(parse(&text).is_ok(), theirs, "{}", text);
        }
    }

    fn normalise(value: &serde_json::Value) -> serde_json::Value {
        match value {
            serde_json::Value::Number(number) => number.as_f64().map_or(serde_json::Value::Null, Into::into),
            serde_json::Value::Array(items) => items.iter().map(normalise).collect(),
            serde_json::Value::Object(map) => map
                .iter()
                .map(|(key, value)| (key.clone(), normalise(value)))
                .collect::<serde_json::Map<_, _>>()
                .into(),
            other => other.clone(),
        }
    }
}
