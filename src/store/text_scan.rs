use super::query::{Query, Token};
use crate::format::js;

/// Which parts of a query the text of a session's messages holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextHits(Vec<bool>);

impl TextHits {
    /// Whether the part at this position was found; not, where the text was not looked at.
    pub(super) fn has(&self, at: usize) -> bool {
        self.0.get(at).copied().unwrap_or(false)
    }
}

/// Looks for the parts of a query in the texts of a session's messages while these pass by.
///
/// To pi, all texts of a session are one, joined by blanks. A word cannot reach over such a joint, so the
/// texts need not be kept for it; for phrases and regular expressions they are, until the session is through.
pub struct TextScan<'q> {
    query: &'q Query,
    hits: Vec<bool>,
    /// The words in small letters, empty for phrases.
    words: Vec<String>,
    keeps_text: bool,
    text: String,
}

impl<'q> TextScan<'q> {
    pub(super) fn new(query: &'q Query) -> Self {
        let (words, keeps_text) = match query {
            Query::Pattern(_) => (vec![String::new()], true),
            Query::Tokens(tokens) => {
                let word = |token: &Token| match token {
                    Token::Word(word) => word.to_lowercase(),
                    Token::Phrase(_) => String::new(),
                };
                (
                    tokens.iter().map(word).collect(),
                    tokens.iter().any(|token| matches!(token, Token::Phrase(_))),
                )
            }
        };
        Self { query, hits: vec![false; words.len()], words, keeps_text, text: String::new() }
    }

    /// Takes the text of the next message, which is not empty.
    pub fn feed(&mut self, text: &str) {
        let is_open = |hit: &bool, word: &String| !hit && !word.is_empty();
        if self.hits.iter().zip(&self.words).any(|(hit, word)| is_open(hit, word)) {
            let small = text.to_lowercase();
            for (hit, word) in self.hits.iter_mut().zip(&self.words) {
                if is_open(hit, word) {
                    *hit = memchr::memmem::find(small.as_bytes(), word.as_bytes()).is_some();
                }
            }
        }
        if self.keeps_text {
            if !self.text.is_empty() {
                self.text.push(' ');
            }
            self.text.push_str(text);
        }
    }

    /// Whether everything is found, so that no further text of the session matters.
    pub(super) fn is_settled(&self) -> bool {
        !self.keeps_text && self.hits.iter().all(|hit| *hit)
    }

    /// Ends the session: returns what was found and is ready for the next one.
    pub fn finish(&mut self) -> TextHits {
        match self.query {
            Query::Pattern(regex) => self.hits[0] = regex.is_match(&self.text).unwrap_or(false),
            Query::Tokens(tokens) if self.keeps_text => {
                let text = collapse(&self.text);
                for (hit, token) in self.hits.iter_mut().zip(tokens) {
                    if let Token::Phrase(phrase) = token {
                        *hit = text.contains(&collapse(phrase));
                    }
                }
            }
            Query::Tokens(_) => {}
        }
        self.text.clear();
        let fresh = vec![false; self.hits.len()];
        TextHits(std::mem::replace(&mut self.hits, fresh))
    }
}

/// The text in small letters, each run of white space as one blank, trimmed.
pub(super) fn collapse(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split(js::is_space).filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&word.to_lowercase());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn texts_that_pass_one_by_one_are_found_as_one(
            texts in prop::collection::vec("[aAbé \\n]{1,5}", 0..6),
            query in prop::sample::select(vec!["ab", "a b", "\"b a\"", "É \"a  b\"", "re:b a", "re:a$"]),
        ) {
            let query = Query::parse(query).unwrap();
            let mut scan = query.text_scan();
            for text in &texts {
                scan.feed(text);
            }
            let one_by_one = scan.finish();
            scan.feed(&texts.join(" "));
            prop_assert_eq!(one_by_one, scan.finish());
        }
    }
}
