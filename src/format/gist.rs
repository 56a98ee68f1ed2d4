use super::content::{Block, Blocks};
use super::json::Value;
use super::{coerce, js};

/// A text as pi's tree puts it on one line: line breaks and tabs as blanks, trimmed.
pub fn one_line(text: &str) -> String {
    let text = js::trim(text);
    let mut line = String::with_capacity(text.len());
    let mut start = 0;
    for end in memchr::memchr2_iter(b'\n', b'\t', text.as_bytes()) {
        line.push_str(&text[start..end]);
        line.push(' ');
        start = end + 1;
    }
    line.push_str(&text[start..]);
    line
}

/// The text of an entry's row, and whether the line holds more of it.
#[derive(Default)]
pub(super) struct Gist {
    pub(super) text: String,
    pub(super) is_cut: bool,
}

impl Gist {
    pub(super) fn whole(text: &str) -> Self {
        Self { text: text.to_owned(), is_cut: false }
    }

    /// One blank in place of nothing, where there was something.
    pub(super) fn blank_if(mut self, has_characters: bool) -> Self {
        if has_characters && self.text.is_empty() {
            self.text.push(' ');
        }
        self
    }

    /// A value that pi inserts as it is.
    pub(super) fn of_word(value: Option<Value<'_>>) -> Self {
        Self::whole(&coerce::inserted(value))
    }

    /// The first `units` UTF-16 units of a string.
    pub(super) fn of_text(value: Option<Value<'_>>, units: usize) -> Self {
        let Some((text, whole)) = value.and_then(|value| value.str_prefix(units)) else {
            return Self::default();
        };
        Self { text: one_line(&text), is_cut: !whole }
    }

    /// The first `units` UTF-16 units of the text blocks of a content, without anything between them.
    pub(super) fn of_content(content: Option<Value<'_>>, units: usize) -> Self {
        let mut text = String::new();
        let mut left = units;
        for block in Blocks::of(content) {
            let Block::Text(Some(value)) = block else { continue };
            let Some((head, whole)) = value.str_prefix(left) else { continue };
            left -= js::units(&head).min(left);
            text.push_str(&head);
            if !whole {
                return Self { text: one_line(&text), is_cut: true };
            }
        }
        Self { text: one_line(&text), is_cut: false }
    }
}
