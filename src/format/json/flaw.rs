use std::fmt;

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
