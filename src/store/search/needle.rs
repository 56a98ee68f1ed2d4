use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;
use regex::{Regex, RegexBuilder, bytes};

use crate::store::query::QueryError;

/// A text to be found, case ignored as Unicode's simple folding does.
#[derive(Clone, Debug)]
pub(in crate::store) struct Needle {
    regex: Regex,
    /// Finds the longest part of it that stands in a line as it is, if there is one.
    raw: Option<bytes::Regex>,
}

impl Needle {
    /// A word, found as it is.
    pub(in crate::store) fn word(word: &str) -> Result<Self, QueryError> {
        Self::new(&regex::escape(word), word)
    }

    /// A phrase, in which any run of white space matches any other.
    pub(in crate::store) fn phrase(phrase: &str) -> Result<Self, QueryError> {
        let words: Vec<String> = phrase.split_whitespace().map(regex::escape).collect();
        Self::new(&words.join(r"\s+"), phrase)
    }

    fn new(pattern: &str, text: &str) -> Result<Self, QueryError> {
        let too_long = |_| QueryError("what is looked for is too long".into());
        // White space, and what JSON may write as an escape, ends a part.
        let part = text
            .split(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '"' | '\\' | '/'))
            .max_by_key(|part| part.len())
            .filter(|part| !part.is_empty());
        let raw = part.map(|part| {
            bytes::RegexBuilder::new(&regex::escape(part)).case_insensitive(true).build().map_err(too_long)
        });
        Ok(Self {
            regex: RegexBuilder::new(pattern).case_insensitive(true).build().map_err(too_long)?,
            raw: raw.transpose()?,
        })
    }

    /// Whether the text of a line may hold it, judged by its bytes.
    pub(in crate::store) fn may_be_in(&self, line: &[u8]) -> bool {
        self.raw.as_ref().is_none_or(|raw| raw.is_match(line)) || has_escaped_text(line)
    }

    /// Where it begins and ends in a text.
    pub(in crate::store) fn find(&self, text: &str) -> Option<Range<usize>> {
        self.regex.find(text).map(|found| found.range())
    }
}

/// Whether a character that could be looked for is written as an escape with its number, which pi never does. Control
/// characters always are.
fn has_escaped_text(line: &[u8]) -> bool {
    static ESCAPE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\\u"));
    ESCAPE.find_iter(line).any(|at| !matches!(line.get(at + 2..at + 5), Some(b"000" | b"001")))
}
