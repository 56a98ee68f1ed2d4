use std::borrow::Cow;

use fancy_regex::Regex;

use super::needle::Needle;
use crate::format::js;
use crate::store::query::{Query, QueryError, Token};

/// Characters of an excerpt in front of the match, and in all.
const EXCERPT_BEFORE: usize = 40;
const EXCERPT: usize = 160;

/// What is looked for in the text of entries: words and phrases, all of which an entry has to hold, or `re:` and a
/// JavaScript regular expression. Case is ignored. Words that begin with `role:`, `in:` or `since:` narrow it down.
#[derive(Clone, Debug, Default)]
pub struct SearchQuery {
    needles: Vec<Needle>,
    pattern: Option<Box<Regex>>,
    /// Only entries with this role, in pi's words.
    pub role: Option<Box<str>>,
    /// Only sessions whose working directory holds this text, which is in small letters.
    pub within: Option<Box<str>>,
    /// Only entries from this time on, in milliseconds since 1970.
    pub since: Option<i64>,
}

impl SearchQuery {
    /// Reads a query. `moment` reads what stands behind `since:` as milliseconds since 1970.
    ///
    /// # Errors
    /// Where there is nothing to look for, a time cannot be read, or a regular expression cannot be used.
    pub fn parse(text: &str, moment: &dyn Fn(&str) -> Option<i64>) -> Result<Self, QueryError> {
        let mut query = Self::default();
        let tokens = match Query::parse(text)? {
            Query::Pattern(regex) => return Ok(Self { pattern: Some(regex), ..query }),
            Query::Tokens(tokens) => tokens,
        };
        for token in &tokens {
            match token {
                Token::Phrase(phrase) => query.needles.push(Needle::phrase(phrase)?),
                Token::Word(word) => match word.split_once(':') {
                    Some(("role", role)) if !role.is_empty() => query.role = Some(role.into()),
                    Some(("in", folder)) if !folder.is_empty() => {
                        query.within = Some(folder.to_lowercase().into());
                    }
                    Some(("since", since)) if !since.is_empty() => {
                        let time = moment(since)
                            .ok_or_else(|| QueryError(format!("{since} is no time to search from")))?;
                        query.since = Some(time);
                    }
                    _ => query.needles.push(Needle::word(word)?),
                },
            }
        }
        if query.needles.is_empty() {
            return Err(QueryError("there is nothing to look for".into()));
        }
        Ok(query)
    }

    /// Whether a line may match, judged by its bytes: never false for one that does.
    pub(super) fn may_match(&self, line: &[u8]) -> bool {
        self.needles.iter().all(|needle| needle.may_be_in(line))
    }

    /// Looks at the texts of an entry, and returns where the first thing that was looked for stands in its text, in
    /// characters from 1, with an excerpt.
    pub(super) fn find(&self, pieces: &[Cow<'_, str>]) -> Option<(usize, Box<str>)> {
        if let Some(pattern) = &self.pattern {
            return pieces.iter().find_map(|piece| {
                let found = pattern.find(piece).ok().flatten()?;
                Some(place(piece, found.start()))
            });
        }
        let mut first = None;
        for needle in &self.needles {
            let found = pieces.iter().find_map(|piece| Some((piece, needle.find(piece)?.0)))?;
            first.get_or_insert(found);
        }
        first.map(|(piece, at)| place(piece, at))
    }
}

/// The column of a place in a text, and what stands around it.
fn place(text: &str, at: usize) -> (usize, Box<str>) {
    let start = text[..at].char_indices().rev().take(EXCERPT_BEFORE).last().map_or(at, |(start, _)| start);
    let end = text[start..].char_indices().nth(EXCERPT).map_or(text.len(), |(end, _)| start + end);
    let mut excerpt = String::new();
    if start > 0 {
        excerpt.push('…');
    }
    let mut words = text[start..end].split(js::is_space).filter(|word| !word.is_empty());
    excerpt.extend(words.next());
    for word in words {
        excerpt.push(' ');
        excerpt.push_str(word);
    }
    if end < text.len() {
        excerpt.push('…');
    }
    (text[..at].chars().count() + 1, excerpt.into())
}
