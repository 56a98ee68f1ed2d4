use super::flaw::{Flaw, Invalid};
use super::reader::{Reader, Returns};
use super::value::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
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
pub(super) struct Node {
    pub(super) tag: Tag,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) next: u32,
}

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
