//! Secrets in texts, known by their shape or by the name they are given.

mod assignment;
mod shapes;
mod value;

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;

use regex::{Captures, Regex};

use shapes::{SHAPES, Shape, shapes};

/// A kind of secret, in words: `GitHub token`.
pub type Secret = &'static str;

/// What stands in the place of every secret, with its kind behind it.
const MASK: &str = "[redacted ";

/// Masks secrets in texts, and counts them.
///
/// What it knows are shapes: the tokens of well-known services, private keys, passwords in addresses, and values
/// assigned to names such as `password` or `API_KEY`. A secret without any shape stays.
#[derive(Debug, Default)]
pub struct Redactor {
    counts: RefCell<BTreeMap<Secret, usize>>,
}

impl Redactor {
    /// The text with every secret in it replaced by words that say what it was.
    pub fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut masked = Cow::Borrowed(text);
        for at in &shapes().triggers.matches(text) {
            let (trigger, pattern) = &shapes().each[at];
            let replaced = match &SHAPES[at] {
                shape if shape.spans_lines() => {
                    pattern.replace_all(&masked, |found: &Captures<'_>| self.replacement(shape, found))
                }
                shape => self.in_lines(&masked, trigger, pattern, shape),
            };
            if let Cow::Owned(replaced) = replaced {
                masked = Cow::Owned(replaced);
            }
        }
        masked
    }

    /// Masks what is found in lines that hold the trigger. The patterns are slow, and most lines hold none.
    fn in_lines<'t>(&self, text: &'t str, trigger: &Regex, pattern: &Regex, shape: &Shape) -> Cow<'t, str> {
        let mut masked = String::new();
        let (mut copied, mut from) = (0, 0);
        while let Some(found) = trigger.find_at(text, from) {
            let start = text[..found.start()].rfind('\n').map_or(0, |at| at + 1);
            let end = text[found.end()..].find('\n').map_or(text.len(), |at| found.end() + at);
            let replacement = |found: &Captures<'_>| self.replacement(shape, found);
            if let Cow::Owned(line) = pattern.replace_all(&text[start..end], replacement) {
                masked.push_str(&text[copied..start]);
                masked.push_str(&line);
                copied = end;
            }
            from = end;
        }
        if copied == 0 {
            return Cow::Borrowed(text);
        }
        masked.push_str(&text[copied..]);
        Cow::Owned(masked)
    }

    /// As [`Redactor::mask`], of a text that has a name, as a member of an object has.
    pub fn mask_named<'t>(&self, name: &str, text: &'t str) -> Cow<'t, str> {
        match assignment::kind_of_name(name).filter(|kind| kind.is_plausible_text(text)) {
            Some(kind) => Cow::Owned(self.note(kind.words())),
            None => self.mask(text),
        }
    }

    /// How many of each kind were masked so far, in the order of their names.
    pub fn counts(&self) -> Vec<(Secret, usize)> {
        self.counts.borrow().iter().map(|(&kind, &count)| (kind, count)).collect()
    }

    /// What was masked in words, such as `2 GitHub tokens, 1 password`; nothing where nothing was.
    pub fn words(&self) -> Option<String> {
        let counts = self.counts();
        let words = |(kind, count): &(Secret, usize)| crate::present::age::counted(*count, kind);
        (!counts.is_empty()).then(|| counts.iter().map(words).collect::<Vec<_>>().join(", "))
    }

    /// What stands instead of a match: all of it, but for the secret itself.
    fn replacement(&self, shape: &Shape, found: &Captures<'_>) -> String {
        let whole = &found[0];
        let (secret, kind) = match shape {
            Shape::Token { kind, is_secret, .. } => {
                let secret = found.get(1).or_else(|| found.get(0)).filter(|it| is_secret(it.as_str()));
                (secret, *kind)
            }
            Shape::Assignment { .. } => match assignment::secret(found) {
                Some((secret, kind)) => (Some(secret), kind.words()),
                None => (None, ""),
            },
        };
        let (Some(secret), Some(start)) = (secret, found.get(0).map(|whole| whole.start())) else {
            return whole.to_owned();
        };
        if secret.as_str().starts_with(MASK) {
            return whole.to_owned();
        }
        let (before, after) = (&whole[..secret.start() - start], &whole[secret.end() - start..]);
        format!("{before}{}{after}", self.note(kind))
    }

    /// Counts a secret, and says what stands in its place.
    fn note(&self, kind: Secret) -> String {
        *self.counts.borrow_mut().entry(kind).or_default() += 1;
        format!("{MASK}{kind}]")
    }
}

#[cfg(test)]
mod tests;
