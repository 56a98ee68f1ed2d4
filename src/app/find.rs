use tui_input::{Input, InputRequest};

use super::{Key, KeyName};

/// A search in one pane: the line being typed and whether it is being typed now.
#[derive(Clone, Debug, Default)]
pub struct Find {
    input: Input,
    is_typing: bool,
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
        for c in text.chars().filter(|c| !c.is_control()) {
            self.input.handle(InputRequest::InsertChar(c));
        }
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
            (KeyName::Char(c), false, false) => InputRequest::InsertChar(c),
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
        match self.input.handle(request) {
            Some(change) if change.value => Typed::Changed,
            _ => Typed::Same,
        }
    }
}
