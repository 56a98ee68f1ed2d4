//! What a terminal sends, as what the person does and what the terminal answers.
//!
//! Answers come among the keys, at any time and in any number of pieces, so one reader takes both apart: neither is an
//! answer ever taken for keys, nor does a key wait for one or get lost.

mod control;

use std::mem;
use std::time::Duration;

use crate::app::{Input, Key, KeyName, Modifiers};
use crate::tui::Background;

/// What a terminal can tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    /// What the person does.
    Input(Input),
    /// The colour behind the text, as red, green and blue: the answer to [`ASK_BACKGROUND`].
    Background([u8; 3]),
    /// The terminal has become a dark one or a light one, as [`super::terminal`] has it tell.
    Scheme(Background),
    /// The answer to [`ASK_KEYBOARD`]: the terminal knows the kitty keyboard protocol.
    Keyboard,
    /// The answer to [`ASK_KIND`], which every terminal gives: all questions before it are answered or never will be.
    Fence,
}

/// Asks for the colour behind the text (OSC 11).
pub(crate) const ASK_BACKGROUND: &str = "\x1b]11;?\x1b\\";
/// Asks for the state of the kitty keyboard protocol.
pub(crate) const ASK_KEYBOARD: &str = "\x1b[?u";
/// Asks what kind of terminal it is (DA1).
pub(crate) const ASK_KIND: &str = "\x1b[c";

const ESCAPE: u8 = 0x1b;
/// What begins and ends a text that is pasted.
const PASTE_ENDS: &[u8] = b"\x1b[201~";
/// How long the rest of a key may take. Over the longest of lines it comes in one piece with its beginning.
const PATIENCE_WITH_KEYS: Duration = Duration::from_millis(30);
/// How long the rest of an answer may take.
const PATIENCE_WITH_ANSWERS: Duration = Duration::from_secs(1);
/// More bytes than any answer or key has.
const LONGEST: usize = 64;

/// Takes bytes of the terminal apart.
#[derive(Default)]
pub(crate) struct Parser {
    pending: Vec<u8>,
    /// What was pasted so far.
    paste: Option<Vec<u8>>,
}

/// What the first of the pending bytes are.
enum Begin {
    /// So many of them mean this, or nothing.
    Whole(usize, Option<Heard>),
    /// The escape key was pressed so many times.
    Escapes(usize),
    /// A pasted text begins behind so many of them.
    Paste(usize),
    /// More have to come before that is known.
    Part,
}

impl Parser {
    /// Takes what has come in, and tells what is whole of it.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Vec<Heard> {
        self.pending.extend_from_slice(bytes);
        let mut heard = Vec::new();
        while !self.pending.is_empty() {
            if self.paste.is_some() {
                match self.pasted() {
                    Some(text) => heard.push(Heard::Input(Input::Paste(text))),
                    None => break,
                }
                continue;
            }
            match begin(&self.pending) {
                Begin::Whole(length, what) => {
                    self.pending.drain(..length);
                    heard.extend(what);
                }
                Begin::Escapes(count) => {
                    self.pending.drain(..count);
                    heard.extend((0..count).map(|_| typed(Key::plain(KeyName::Escape))));
                }
                Begin::Paste(length) => {
                    self.pending.drain(..length);
                    self.paste = Some(Vec::new());
                }
                Begin::Part => break,
            }
        }
        heard
    }

    /// How long to wait for the rest of what has begun, before [`Parser::give_up`]; none where nothing has.
    pub(crate) fn patience(&self) -> Option<Duration> {
        match self.pending.as_slice() {
            [] => None,
            _ if self.paste.is_some() => None,
            // More than anybody types so fast.
            [ESCAPE, b'[' | b']', _, ..] => Some(PATIENCE_WITH_ANSWERS),
            _ => Some(PATIENCE_WITH_KEYS),
        }
    }

    /// Nothing more has come: what looked like the beginning of a sequence was a key, or will never be whole.
    pub(crate) fn give_up(&mut self) -> Vec<Heard> {
        let pending = mem::take(&mut self.pending);
        let Some((&first, rest)) = pending.split_first() else { return Vec::new() };
        if matches!(pending[..], [ESCAPE, b'[' | b']', _, ..]) {
            return Vec::new();
        }
        if first != ESCAPE {
            // A character that was never finished.
            return self.feed(rest);
        }
        let (key, rest) = match rest.split_first() {
            Some((&next, rest)) if next.is_ascii_graphic() => (with_alt(Key::char(char::from(next))), rest),
            _ => (Key::plain(KeyName::Escape), rest),
        };
        let mut heard = vec![typed(key)];
        heard.extend(self.feed(rest));
        heard
    }

    /// The pasted text, once its end is there.
    fn pasted(&mut self) -> Option<String> {
        let paste = self.paste.as_mut()?;
        let Some(end) = find(&self.pending, PASTE_ENDS) else {
            // The end itself may come in pieces.
            let sure = self.pending.len().saturating_sub(PASTE_ENDS.len() - 1);
            paste.extend(self.pending.drain(..sure));
            return None;
        };
        paste.extend(self.pending.drain(..end));
        self.pending.drain(..PASTE_ENDS.len());
        let text = self.paste.take()?;
        Some(String::from_utf8_lossy(&text).into_owned())
    }
}

fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len()).position(|part| part == wanted)
}

fn typed(key: Key) -> Heard {
    Heard::Input(Input::Key(key))
}

fn with_alt(key: Key) -> Key {
    Key::new(key.name(), Modifiers { alt: true, ..key.modifiers() })
}

fn begin(bytes: &[u8]) -> Begin {
    match *bytes {
        [ESCAPE, b'[', ..] => control::sequence(bytes),
        [ESCAPE] | [ESCAPE, b'O'] => Begin::Part,
        [ESCAPE, b'O', letter, ..] => match control::letter(letter) {
            Some(key) => Begin::Whole(3, Some(typed(key))),
            None => Begin::Whole(2, Some(typed(with_alt(Key::char('O'))))),
        },
        [ESCAPE, b']', ..] => answer(bytes),
        [ESCAPE, ESCAPE, ..] => escapes(bytes),
        [ESCAPE, ..] => match character(&bytes[1..]) {
            Some((length, key)) => Begin::Whole(length + 1, key.map(|key| typed(with_alt(key)))),
            None => Begin::Part,
        },
        _ => match character(bytes) {
            Some((length, key)) => Begin::Whole(length, key.map(typed)),
            None => Begin::Part,
        },
    }
}

/// What two escapes or more are. Some terminals put one before a sequence where others say `alt` in it.
fn escapes(bytes: &[u8]) -> Begin {
    let count = bytes.iter().take_while(|byte| **byte == ESCAPE).count();
    match bytes.get(count) {
        None => Begin::Part,
        Some(b'[' | b'O') if count == 2 => match begin(&bytes[1..]) {
            Begin::Whole(length, Some(Heard::Input(Input::Key(key)))) => {
                Begin::Whole(length + 1, Some(typed(with_alt(key))))
            }
            Begin::Part => Begin::Part,
            _ => Begin::Escapes(1),
        },
        Some(b'[' | b'O') => Begin::Escapes(count - 2),
        Some(_) => Begin::Escapes(count),
    }
}

/// The key of the first character, and its length. None while the character is not whole.
fn character(bytes: &[u8]) -> Option<(usize, Option<Key>)> {
    let key = match *bytes.first()? {
        0 => Key::ctrl(' '),
        b'\r' => Key::plain(KeyName::Enter),
        b'\t' => Key::plain(KeyName::Tab),
        0x7f => Key::plain(KeyName::Backspace),
        byte @ 1..=0x1a => Key::ctrl(char::from(byte + b'a' - 1)),
        byte @ 0x1b..=0x1f => Key::ctrl(char::from(byte - 0x1b + b'3')),
        byte if byte.is_ascii() => Key::char(char::from(byte)),
        byte => {
            let length = byte.leading_ones() as usize;
            let Some(character) = bytes.get(..length).filter(|_| (2..=4).contains(&length)) else {
                return if (2..=4).contains(&length) { None } else { Some((1, None)) };
            };
            let Some(character) = std::str::from_utf8(character).ok().and_then(|text| text.chars().next())
            else {
                return Some((1, None));
            };
            return Some((length, Some(Key::char(character))));
        }
    };
    Some((1, Some(key)))
}

/// The answer to [`ASK_BACKGROUND`], or `alt+]` where it is none.
fn answer(bytes: &[u8]) -> Begin {
    const ANSWER: &[u8] = b"\x1b]11;";
    let key = Begin::Whole(2, Some(typed(with_alt(Key::char(']')))));
    let length = bytes.len().min(ANSWER.len());
    if bytes[..length] != ANSWER[..length] {
        return key;
    }
    let said = &bytes[length..];
    let is_said = |byte: &u8| byte.is_ascii_alphanumeric() || b":/#".contains(byte);
    let end = said.iter().take_while(|byte| is_said(byte)).count();
    if end > LONGEST {
        return key;
    }
    if end == said.len() {
        return Begin::Part;
    }
    let ending = match said[end..] {
        [0x07, ..] => 1,
        [ESCAPE, b'\\', ..] => 2,
        [ESCAPE] => return Begin::Part,
        _ => return key,
    };
    let colour = std::str::from_utf8(&said[..end]).ok().and_then(colour);
    Begin::Whole(length + end + ending, colour.map(Heard::Background))
}

/// The colour in `rgb:1616/1717/1c1c`, three numbers of one to four hexadecimal digits, each a part of its largest, or
/// in `#16171c`.
fn colour(text: &str) -> Option<[u8; 3]> {
    let part = |digits: &str| {
        let largest = 16_u32.checked_pow(u32::try_from(digits.len()).ok()?)? - 1;
        let value = u32::from_str_radix(digits, 16).ok()?;
        u8::try_from((u64::from(value) * 255).checked_div(u64::from(largest))?).ok()
    };
    if let Some(digits) = text.strip_prefix('#') {
        let length = if digits.len() == 12 { 4 } else { 2 };
        let channel = |at: usize| part(digits.get(at * length..(at + 1) * length)?);
        let colour = [channel(0)?, channel(1)?, channel(2)?];
        return (digits.len() == 3 * length).then_some(colour);
    }
    let parts = text.split_once(':').filter(|(kind, _)| matches!(*kind, "rgb" | "rgba"))?.1;
    let mut parts = parts.split('/');
    let colour = [part(parts.next()?)?, part(parts.next()?)?, part(parts.next()?)?];
    // With `rgba` a fourth one tells how opaque it is.
    (parts.count() <= usize::from(text.starts_with("rgba"))).then_some(colour)
}

#[cfg(test)]
mod tests;
