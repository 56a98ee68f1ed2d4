use std::borrow::Cow;
use std::ops::Range;

use fancy_regex::Regex;

use super::needle::Needle;
use crate::format::{EntryHead, Role, js};
use crate::store::query::{Query, QueryError, Token};

/// Characters of an excerpt in front of the match, and in all.
const EXCERPT_BEFORE: usize = 40;
const EXCERPT: usize = 160;

/// What is looked for in the text of entries: words and phrases, all of which an entry has to hold, or `re:` and a
/// JavaScript regular expression. Case is ignored. Words that begin with `role:`, `in:` or `since:` narrow it down; with a
/// regular expression they stand in front of it.
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
        let mut rest = js::trim(text);
        while let Some((word, behind)) = rest.split_once(js::is_space)
            && query.narrow(word, moment)?
        {
            rest = js::trim(behind);
        }
        let tokens = match Query::parse(rest)? {
            Query::Pattern(regex) => return Ok(Self { pattern: Some(regex), ..query }),
            Query::Tokens(tokens) => tokens,
        };
        for token in &tokens {
            match token {
                Token::Phrase(phrase) => query.needles.push(Needle::phrase(phrase)?),
                Token::Word(word) if query.narrow(word, moment)? => {}
                Token::Word(word) => query.needles.push(Needle::word(word)?),
            }
        }
        if query.needles.is_empty() {
            return Err(QueryError("there is nothing to look for".into()));
        }
        Ok(query)
    }

    /// Takes a word that narrows the search; says whether it is one.
    fn narrow(&mut self, word: &str, moment: &dyn Fn(&str) -> Option<i64>) -> Result<bool, QueryError> {
        match word.split_once(':') {
            Some((_, "")) => return Ok(false),
            Some(("role", role)) => self.role = Some(role.into()),
            Some(("in", folder)) => self.within = Some(folder.to_lowercase().into()),
            Some(("since", since)) => {
                let time =
                    moment(since).ok_or_else(|| QueryError(format!("{since} is no time to search from")))?;
                self.since = Some(time);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Whether an entry is one of those that are looked at.
    pub(super) fn admits(&self, head: &EntryHead) -> bool {
        let role = head.kind.role().map_or("", Role::word);
        // In files before version 3 the one is called the other.
        let role = if role == "hookMessage" { "custom" } else { role };
        self.role.as_deref().is_none_or(|wanted| wanted.eq_ignore_ascii_case(role))
            && self.since.is_none_or(|since| head.time.is_some_and(|time| time >= since))
    }

    /// Whether a line may match, judged by its bytes: never false for one that does.
    pub(super) fn may_match(&self, line: &[u8]) -> bool {
        self.needles.iter().all(|needle| needle.may_be_in(line))
    }

    /// Looks at the texts of an entry, and returns where the first thing that was looked for stands.
    pub(super) fn find(&self, pieces: &[Cow<'_, str>]) -> Option<Excerpt> {
        if let Some(pattern) = &self.pattern {
            return pieces.iter().find_map(|piece| {
                let found = pattern.find(piece).ok().flatten()?;
                Some(Excerpt::of(piece, found.range()))
            });
        }
        let mut first = None;
        for needle in &self.needles {
            let found = pieces.iter().find_map(|piece| Some((piece, needle.find(piece)?)))?;
            first.get_or_insert(found);
        }
        first.map(|(piece, found)| Excerpt::of(piece, found))
    }
}

/// A place in a text, and what stands around it.
pub(super) struct Excerpt {
    /// Where it begins in the text, in characters from 1.
    pub(super) column: usize,
    /// A part of the text, white space as single blanks.
    pub(super) text: Box<str>,
    /// Where it stands in this part, in bytes.
    pub(super) found: Range<usize>,
}

impl Excerpt {
    fn of(text: &str, found: Range<usize>) -> Self {
        let before = text[..found.start].char_indices().rev().take(EXCERPT_BEFORE).last();
        let start = before.map_or(found.start, |(start, _)| start);
        let end = text[start..].char_indices().nth(EXCERPT).map_or(text.len(), |(end, _)| start + end);
        let mut excerpt = String::new();
        if start > 0 {
            excerpt.push('…');
        }
        let mut within = None;
        let mut is_blank = true;
        for (at, c) in text[start..end].char_indices() {
            let is_space = js::is_space(c);
            if is_space && !is_blank {
                excerpt.push(' ');
            }
            if start + at >= found.start && within.is_none() {
                within = Some(excerpt.len()..excerpt.len());
            }
            is_blank = is_space;
            if !is_space {
                excerpt.push(c);
            }
            if let Some(within) = within.as_mut().filter(|_| start + at < found.end && !is_space) {
                within.end = excerpt.len();
            }
        }
        let whole = excerpt.trim_end().len();
        excerpt.truncate(whole);
        let within = within.unwrap_or(whole..whole);
        if end < text.len() {
            excerpt.push('…');
        }
        Self {
            column: text[..found.start].chars().count() + 1,
            found: within.start.min(whole)..within.end.min(whole),
            text: excerpt.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_shows_where_the_match_stands() {
        let long = format!("{} here \n it is {}", "a".repeat(60), "b".repeat(200));
        for (text, found, shown, marked) in [
            ("all of it", 4..6, "all of it".to_owned(), "of"),
            (" \t a  \n  b ", 3..10, "a b".into(), "a b"),
            ("", 0..0, String::new(), ""),
            ("é ü", 3..5, "é ü".into(), "ü"),
            (&long, 61..65, format!("…{} here it is {}…", "a".repeat(39), "b".repeat(107)), "here"),
        ] {
            let excerpt = Excerpt::of(text, found);
            assert_eq!((&*excerpt.text, &excerpt.text[excerpt.found.clone()]), (&*shown, marked), "{text:?}");
        }
    }

    #[test]
    fn what_narrows_a_search_may_stand_before_a_regular_expression() {
        let query = SearchQuery::parse("in:Api role:user re:a b", &|_| None).unwrap();
        assert!(query.pattern.is_some());
        assert_eq!((query.within.as_deref(), query.role.as_deref()), (Some("api"), Some("user")));
        assert!(SearchQuery::parse("word re:a", &|_| None).unwrap().pattern.is_none());
    }
}
