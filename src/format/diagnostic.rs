use std::fmt;

use serde::{Deserialize, Serialize};

/// The kinds of damage that can be reported. Each has a short stable word for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Problem {
    /// The last line was cut short.
    TornLine,
    /// Two records stand on one line.
    FusedLines,
    /// A line is not JSON.
    InvalidJson,
    /// A line is JSON but no entry: a number, a string, an array …
    NotAnEntry,
    /// Bytes that are not UTF-8.
    InvalidUtf8,
    /// The file begins with a byte order mark, so pi cannot read its header.
    ByteOrderMark,
    /// The first record is not a session header.
    NoHeader,
    /// A second header further down.
    ExtraHeader,
    /// The header has no version although the entries have ids.
    MissingVersion,
    /// The header's version is text.
    OddVersion,
    /// The version is newer than the newest one known here.
    NewerVersion,
    /// An id occurs twice.
    DuplicateId,
    /// The parent is not in the file.
    Orphan,
    /// The entry names itself as parent.
    SelfParent,
    /// Following parents leads round in a circle.
    Cycle,
    /// A field has a type that pi cannot read.
    OddField,
    /// The file ends without a line end.
    NoFinalNewline,
    /// The branch pi would reopen is far shorter than the longest one.
    DeadBranch,
    /// A fork family that goes round in a circle.
    FamilyCycle,
    /// The file could not be read.
    Unreadable,
}

impl Problem {
    /// Whether it is more than worth a remark. A last line without its end is whole; pi adds the end.
    pub fn is_damage(self) -> bool {
        self != Self::NoFinalNewline
    }

    /// Whether only the header and all entries together show it, rather than a line alone.
    pub fn is_of_structure(self) -> bool {
        matches!(
            self,
            Self::MissingVersion
                | Self::OddVersion
                | Self::NewerVersion
                | Self::DuplicateId
                | Self::Orphan
                | Self::SelfParent
                | Self::Cycle
                | Self::DeadBranch
        )
    }

    /// The stable word, as in `piscope check --json`.
    pub fn word(self) -> &'static str {
        match self {
            Self::TornLine => "torn-line",
            Self::FusedLines => "fused-lines",
            Self::InvalidJson => "invalid-json",
            Self::NotAnEntry => "not-an-entry",
            Self::InvalidUtf8 => "invalid-utf8",
            Self::ByteOrderMark => "byte-order-mark",
            Self::NoHeader => "no-header",
            Self::ExtraHeader => "extra-header",
            Self::MissingVersion => "missing-version",
            Self::OddVersion => "odd-version",
            Self::NewerVersion => "newer-version",
            Self::DuplicateId => "duplicate-id",
            Self::Orphan => "orphan",
            Self::SelfParent => "self-parent",
            Self::Cycle => "cycle",
            Self::OddField => "odd-field",
            Self::NoFinalNewline => "no-final-newline",
            Self::DeadBranch => "dead-branch",
            Self::FamilyCycle => "family-cycle",
            Self::Unreadable => "unreadable",
        }
    }
}

/// Something about a file that is not as it should be, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// Line number from 1; 0 for the file as a whole.
    pub line: u32,
    /// What kind of damage it is.
    pub problem: Problem,
    /// One sentence in plain words: what is wrong and what it means for the reader.
    pub message: String,
}

impl Diagnostic {
    /// A finding on one line.
    pub fn new(line: u32, problem: Problem, message: impl Into<String>) -> Self {
        Self { line, problem, message: message.into() }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.message),
            line => write!(f, "line {line}: {}", self.message),
        }
    }
}
