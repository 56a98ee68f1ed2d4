//! What is looked for in texts.

use fancy_regex::Regex;

/// Before a regular expression, as in the search of sessions.
const REGEX_MARK: &str = "re:";
/// Regular expressions that need more steps than this on one row do not match it.
const MOST_STEPS: usize = 100_000;

/// A text in any case, or a regular expression behind `re:`.
#[derive(Clone, Debug)]
pub enum Needle {
    /// The text in lower case.
    Text(String),
    /// The expression; case counts only where it has a capital letter.
    Regex(Box<Regex>),
}

impl Needle {
    /// Reads what was typed; nothing for what is blank.
    ///
    /// # Errors
    /// What is wrong with the regular expression.
    pub fn parse(typed: &str) -> Result<Option<Self>, String> {
        let Some(pattern) = typed.strip_prefix(REGEX_MARK) else {
            let is_blank = typed.trim().is_empty();
            return Ok((!is_blank).then(|| Self::Text(typed.to_lowercase())));
        };
        if pattern.is_empty() {
            return Ok(None);
        }
        let ignores_case = !pattern.contains(char::is_uppercase);
        let regex = fancy_regex::RegexBuilder::new(pattern)
            .case_insensitive(ignores_case)
            .backtrack_limit(MOST_STEPS)
            .build()
            .map_err(|error| error.to_string())?;
        Ok(Some(Self::Regex(Box::new(regex))))
    }

    /// The byte ranges of a text in which it occurs, from left to right; an empty occurrence is none.
    pub fn find(&self, text: &str) -> Vec<(usize, usize)> {
        match self {
            Self::Text(wanted) => occurrences(text, wanted),
            Self::Regex(regex) => regex
                .find_iter(text)
                .map_while(Result::ok)
                .map(|found| (found.start(), found.end()))
                .filter(|(start, end)| start < end)
                .collect(),
        }
    }
}

/// Byte ranges of `text` in which `wanted`, a text in lower case, occurs.
pub(crate) fn occurrences(text: &str, wanted: &str) -> Vec<(usize, usize)> {
    let mut lower = String::with_capacity(text.len());
    // For every byte of the lower-case text the character of the original that it comes from.
    let mut origins = Vec::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        lower.extend(c.to_lowercase());
        origins.resize(lower.len(), (at, at + c.len_utf8()));
    }
    if wanted.is_empty() {
        return Vec::new();
    }
    lower
        .match_indices(wanted)
        .filter_map(|(at, hit)| Some((origins.get(at)?.0, origins.get(at + hit.len() - 1)?.1)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(typed: &str, text: &str) -> Vec<(usize, usize)> {
        Needle::parse(typed).unwrap().map(|needle| needle.find(text)).unwrap_or_default()
    }

    #[test]
    fn texts_and_expressions_are_found() {
        for (typed, text, ranges) in [
            ("AB", "abcAB", vec![(0, 2), (3, 5)]),
            ("  ", "  ", vec![]),
            ("re:a.c", "xABCabc", vec![(1, 4), (4, 7)]),
            ("re:A.c", "xABCAbc", vec![(4, 7)]),
            ("re:x*", "aaxxa", vec![(2, 4)]),
            ("re:", "re:", vec![]),
            (r"re:(\w)\1", "hello", vec![(2, 4)]),
        ] {
            assert_eq!(found(typed, text), ranges, "{typed}");
        }
        assert!(Needle::parse("re:(").is_err());
    }

    #[test]
    fn a_costly_expression_gives_up() {
        assert_eq!(found(r"re:^(?=(a+)+$)\1b", &format!("{}c", "a".repeat(5_000))), []);
    }
}
