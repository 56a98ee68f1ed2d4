use tui_input::{Input, InputRequest};

use super::{Key, KeyName};

/// A search in one pane: the line being typed and whether it is being typed now.
#[derive(Clone, Debug, Default)]
pub struct Find {
    input: Input,
    is_typing: bool,
    /// Whether all of the text is selected, so that what is typed next replaces it.
    is_selected: bool,
}

/// What typing a key led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Typed {
    /// The text is another one.
    Changed,
    /// The cursor moved, or nothing happened.
    Same,
    /// Typing ended and the search stays.
    Accepted,
    /// Typing ended and the search is gone.
    Cancelled,
    /// The key is not for typing.
    NotForTyping,
}

impl Find {
    /// The text searched for; empty when there is no search.
    pub fn text(&self) -> &str {
        self.input.value()
    }

    /// Whether keys go into the text.
    pub fn is_typing(&self) -> bool {
        self.is_typing
    }

    /// Where the cursor stands in the text, in cells.
    pub fn cursor(&self) -> usize {
        self.input.visual_cursor()
    }

    /// Puts `prefix` before the text, or takes it away.
    pub(crate) fn toggle_prefix(&mut self, prefix: &str) {
        let text = self.text();
        let text = text.strip_prefix(prefix).map_or_else(|| format!("{prefix}{text}"), str::to_owned);
        self.input = Input::new(text);
    }

    /// A search that was not typed.
    pub(crate) fn of(text: &str) -> Self {
        Self { is_typing: false, is_selected: false, ..Self::prefilled(text) }
    }

    /// A line that is being typed and begins with an old text, all of it selected.
    pub(crate) fn prefilled(text: &str) -> Self {
        let text = one_line(text);
        Self { is_selected: !text.is_empty(), input: Input::new(text), is_typing: true }
    }

    /// Whether what is typed next replaces the text.
    pub fn is_selected(&self) -> bool {
        self.is_selected
    }

    pub(crate) fn start(&mut self) {
        self.is_typing = true;
    }

    /// Ends the search; says whether there was one.
    pub(crate) fn clear(&mut self) -> bool {
        let was_there = self.is_typing || !self.text().is_empty();
        *self = Self::default();
        was_there
    }

    pub(crate) fn paste(&mut self, text: &str) {
        self.replace_selection();
        for c in one_line(text).chars() {
            self.input.handle(InputRequest::InsertChar(c));
        }
    }

    /// Takes the text away where all of it is selected; says whether it was.
    fn replace_selection(&mut self) -> bool {
        let was_selected = std::mem::take(&mut self.is_selected);
        if was_selected {
            self.input.reset();
        }
        was_selected
    }

    /// Takes a key while typing.
    pub(crate) fn type_key(&mut self, key: Key) -> Typed {
        let modifiers = key.modifiers();
        let request = match (key.name(), modifiers.ctrl, modifiers.alt) {
            (KeyName::Enter, ..) => {
                self.is_typing = false;
                return Typed::Accepted;
            }
            (KeyName::Escape, ..) => {
                self.clear();
                return Typed::Cancelled;
            }
            (KeyName::Char(c), ..) if key.typed().is_some() => InputRequest::InsertChar(c),
            (KeyName::Char('u'), true, _) => InputRequest::DeleteLine,
            (KeyName::Char('w'), true, _) | (KeyName::Backspace, _, true) => InputRequest::DeletePrevWord,
            (KeyName::Char('a'), true, _) | (KeyName::Home, ..) => InputRequest::GoToStart,
            (KeyName::Char('e'), true, _) | (KeyName::End, ..) => InputRequest::GoToEnd,
            (KeyName::Char('k'), true, _) => InputRequest::DeleteTillEnd,
            (KeyName::Backspace, ..) => InputRequest::DeletePrevChar,
            (KeyName::Delete, ..) => InputRequest::DeleteNextChar,
            (KeyName::Left, true, _) | (KeyName::Left, _, true) => InputRequest::GoToPrevWord,
            (KeyName::Right, true, _) | (KeyName::Right, _, true) => InputRequest::GoToNextWord,
            (KeyName::Left, ..) => InputRequest::GoToPrevChar,
            (KeyName::Right, ..) => InputRequest::GoToNextChar,
            _ => return Typed::NotForTyping,
        };
        match request {
            InputRequest::InsertChar(_) => _ = self.replace_selection(),
            InputRequest::DeletePrevChar | InputRequest::DeleteNextChar if self.replace_selection() => {
                return Typed::Changed;
            }
            _ => self.is_selected = false,
        }
        match self.input.handle(request) {
            Some(change) if change.value => Typed::Changed,
            _ => Typed::Same,
        }
    }
}

/// A text as it is typed on one line: every run of line ends and tabs is a blank, other control characters are gone.
fn one_line(text: &str) -> String {
    let is_gap = |c: char| matches!(c, '\r' | '\n' | '\t');
    let parts = text.split(is_gap).enumerate().filter(|(at, part)| *at == 0 || !part.is_empty());
    let line = parts.map(|(_, part)| part).collect::<Vec<_>>().join(" ");
    line.chars().filter(|c| !c.is_control()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_text_is_replaced_kept_or_cleared() {
        for (keys, text) in [
            ("new", "new"),
            ("<right>er", "older"),
            ("<backspace>", ""),
            ("<delete>x", "x"),
            ("<home>b", "bold"),
            ("<left><backspace>", "od"),
            ("<c-u>", ""),
        ] {
            let mut line = Find::prefilled("o\u{1b}ld");
            for key in Key::sequence(keys).unwrap() {
                line.type_key(key);
            }
            assert_eq!(line.text(), text, "{keys}");
        }
        let mut line = Find::prefilled("old");
        line.paste("n\r\n\new\u{1b}");
        assert_eq!(line.text(), "n ew");
        assert!(!Find::prefilled("").is_selected());
    }
}
