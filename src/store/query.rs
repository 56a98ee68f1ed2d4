use fancy_regex::Regex;

use super::fuzzy::fuzzy_score;
use super::pattern;
use super::sort::Sort;
use super::summary::SessionSummary;
use super::text_scan::{TextHits, TextScan, collapse};
use crate::format::js::{self, SortOrder};

/// What a person typed to find sessions.
#[derive(Clone, Debug)]
pub enum Query {
    /// Words and phrases, all of which have to match. None of them matches everything.
    Tokens(Vec<Token>),
    /// A JavaScript regular expression, case ignored.
    Pattern(Box<Regex>),
}

/// A part of a query. Matched case-insensitively in one field at a time: name, id, the text of all messages,
/// working directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A word, also found fuzzily in name and working directory.
    Word(String),
    /// What stood between quotes, with any run of white space matching any other.
    Phrase(String),
}

/// A query that cannot be run; displays as one sentence that names the construct.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct QueryError(pub(super) String);

/// The score where a field other than the name holds what is looked for.
const ELSEWHERE: f64 = 1_000_000.0;
/// Added to the score of a fuzzy match.
const FUZZY: f64 = 2_000_000.0;

impl Query {
    /// Reads a query. `re:` in front makes the rest a regular expression. Otherwise white space separates
    /// words and a pair of quotes encloses a phrase; with an odd number of quotes they are ordinary
    /// characters.
    ///
    /// # Errors
    /// For a regular expression that is empty, wrong, or uses what cannot be done here.
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        let text = js::trim(text);
        if let Some(pattern) = text.strip_prefix("re:") {
            let pattern = js::trim(pattern);
            if pattern.is_empty() {
                return Err(QueryError("the regular expression is empty".into()));
            }
            return Ok(Self::Pattern(Box::new(pattern::compile(pattern)?)));
        }
        let quotes = text.matches('"').count();
        if quotes % 2 == 1 {
            return Ok(Self::Tokens(words(text).collect()));
        }
        let mut tokens = Vec::new();
        for (at, part) in text.split('"').enumerate() {
            if at % 2 == 0 {
                tokens.extend(words(part));
            } else if !js::is_blank(part) {
                tokens.push(Token::Phrase(js::trim(part).to_owned()));
            }
        }
        Ok(Self::Tokens(tokens))
    }

    /// True when every session matches.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Tokens(tokens) if tokens.is_empty())
    }

    /// A collector for the text of one session's messages.
    pub fn text_scan(&self) -> TextScan<'_> {
        TextScan::new(self)
    }

    /// Whether the text of the messages can change the score of a session.
    pub fn needs_text(&self, row: &SessionSummary) -> bool {
        let fields = Fields::of(row);
        match self {
            Self::Pattern(regex) => fields.pattern_score(regex, false).is_none(),
            Self::Tokens(tokens) => tokens
                .iter()
                .any(|token| fields.token_score(token, false).is_none_or(|score| score > ELSEWHERE)),
        }
    }

    /// The score of a session, lower is better; `None` when it does not match. `hits` tells what its text
    /// holds.
    pub fn score(&self, row: &SessionSummary, hits: &TextHits) -> Option<f64> {
        let fields = Fields::of(row);
        match self {
            Self::Pattern(regex) => fields.pattern_score(regex, hits.has(0)),
            Self::Tokens(tokens) => {
                let mut sum = 0.0;
                for (at, token) in tokens.iter().enumerate() {
                    sum += fields.token_score(token, hits.has(at))?;
                }
                Some(sum)
            }
        }
    }

    /// Picks the matching ones out of `rows`, which are in the order of `sort_recent`, and returns their
    /// positions: as they come for [`Sort::Recent`] or where the query is empty, else the best match first
    /// and the newer of equally good ones.
    pub fn select(&self, rows: &[(&SessionSummary, &TextHits)], sort: Sort) -> Vec<usize> {
        let mut found: Vec<(usize, f64)> = rows
            .iter()
            .enumerate()
            .filter_map(|(at, (row, hits))| Some((at, self.score(row, hits)?)))
            .collect();
        if sort != Sort::Recent && !self.is_empty() {
            found.sort_by(|a, b| a.1.total_cmp(&b.1));
            for equal in found.chunk_by_mut(|a, b| a.1.total_cmp(&b.1).is_eq()) {
                js::sort_by_date(equal, SortOrder::NewestFirst, |&(at, _)| rows[at].0.modified);
            }
        }
        found.into_iter().map(|(at, _)| at).collect()
    }
}

fn words(text: &str) -> impl Iterator<Item = Token> {
    text.split(js::is_space).filter(|word| !word.is_empty()).map(|word| Token::Word(word.to_owned()))
}

/// The fields of a row that are looked at, apart from the text of its messages. The path and the first
/// message are not.
struct Fields<'r> {
    name: &'r str,
    id: &'r str,
    cwd: &'r str,
}

impl<'r> Fields<'r> {
    fn of(row: &'r SessionSummary) -> Self {
        Self {
            name: row.name.as_deref().unwrap_or_default(),
            id: row.id.as_ref().map_or("", |id| id.as_str()),
            cwd: &row.cwd,
        }
    }

    fn pattern_score(&self, regex: &Regex, in_text: bool) -> Option<f64> {
        let found = |field: &str| regex.is_match(field).unwrap_or(false);
        if found(self.name) {
            Some(0.0)
        } else {
            (in_text || found(self.id) || found(self.cwd)).then_some(ELSEWHERE)
        }
    }

    fn token_score(&self, token: &Token, in_text: bool) -> Option<f64> {
        match token {
            Token::Word(word) => {
                let wanted = word.to_lowercase();
                let holds = |field: &str| field.to_lowercase().contains(&wanted);
                if holds(self.name) {
                    return fuzzy_score(word, self.name);
                }
                if in_text || holds(self.id) || holds(self.cwd) {
                    return Some(ELSEWHERE);
                }
                let scores = [fuzzy_score(word, self.name), fuzzy_score(word, self.cwd)];
                scores.into_iter().flatten().reduce(f64::min).map(|score| FUZZY + score)
            }
            Token::Phrase(phrase) => {
                let wanted = collapse(phrase);
                let name = collapse(self.name);
                if name.contains(&wanted) {
                    return fuzzy_score(&wanted, &name);
                }
                let elsewhere = in_text
                    || self.id.to_lowercase().contains(&wanted)
                    || collapse(self.cwd).contains(&wanted);
                elsewhere.then_some(ELSEWHERE)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token> {
        match Query::parse(text).unwrap() {
            Query::Tokens(tokens) => tokens,
            Query::Pattern(_) => panic!("{text} is a pattern"),
        }
    }

    #[test]
    fn quotes_make_phrases_where_they_come_in_pairs() {
        let word = |text: &str| Token::Word(text.into());
        let phrase = |text: &str| Token::Phrase(text.into());
        for (text, expected) in [
            ("", vec![]),
            ("  foo\u{2003}bar ", vec![word("foo"), word("bar")]),
            ("foo\"bar  baz\"qux", vec![word("foo"), phrase("bar  baz"), word("qux")]),
            ("\" a b \" \"\" \" \"", vec![phrase("a b")]),
            ("a\"b c", vec![word("a\"b"), word("c")]),
            ("\"", vec![word("\"")]),
            ("RE:x", vec![word("RE:x")]),
        ] {
            assert_eq!(tokens(text), expected, "{text}");
        }
        assert!(matches!(Query::parse(" re: x "), Ok(Query::Pattern(_))));
    }
}
