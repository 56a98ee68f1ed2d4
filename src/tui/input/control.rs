//! Control sequences: what follows `ESC [`.

use super::{Begin, Heard, LONGEST, typed};
use crate::app::{Button, Input, Key, KeyName, Modifiers, Mouse, MouseKind};
use crate::tui::Background;

/// The control sequence at the start of `bytes`, as ECMA-48 has them: parameters, intermediate bytes, a final one.
pub(super) fn sequence(bytes: &[u8]) -> Begin {
    let body = &bytes[2..];
    match *body {
        // The console of Linux says its first function keys so.
        [b'['] => return Begin::Part,
        [b'[', key @ b'A'..=b'E', ..] => {
            return Begin::Whole(4, Some(typed(Key::plain(KeyName::F(key - b'A' + 1)))));
        }
        // A mouse as it was told before there were coordinates in digits: three bytes more.
        [b'M', ..] if body.len() < 4 => return Begin::Part,
        [b'M', ..] => return Begin::Whole(6, None),
        _ => {}
    }
    let Some(end) = body.iter().position(|byte| !(0x20..=0x3f).contains(byte)) else {
        // Nothing is so long; who holds a bracket down is heard.
        return if bytes.len() > LONGEST { Begin::Whole(2, None) } else { Begin::Part };
    };
    let last = body[end];
    if !(0x40..=0x7e).contains(&last) {
        // Broken off by something else, which is read as if this had never begun.
        return Begin::Whole(2 + end, None);
    }
    let parameters = std::str::from_utf8(&body[..end]).unwrap_or_default();
    let length = 3 + end;
    if last == b'~' && parameters == "200" {
        return Begin::Paste(length);
    }
    Begin::Whole(length, heard(parameters, last))
}

fn heard(parameters: &str, last: u8) -> Option<Heard> {
    if let Some(mouse) = parameters.strip_prefix('<') {
        return self::mouse(mouse, last).map(|mouse| Heard::Input(Input::Mouse(mouse)));
    }
    if let Some(private) = parameters.strip_prefix('?') {
        return match (last, private) {
            (b'c', _) => Some(Heard::Fence),
            (b'u', _) => Some(Heard::Keyboard),
            (b'n', "997;1") => Some(Heard::Scheme(Background::Dark)),
            (b'n', "997;2") => Some(Heard::Scheme(Background::Light)),
            _ => None,
        };
    }
    match (last, parameters) {
        (b'I', "") => return Some(Heard::Input(Input::FocusGained)),
        (b'O', "") => return Some(Heard::Input(Input::FocusLost)),
        (b'Z', _) => {
            return Some(typed(Key::new(KeyName::Tab, Modifiers { shift: true, ..Modifiers::default() })));
        }
        _ => {}
    }
    let numbers: Vec<&str> = parameters.split(';').collect();
    let number = |at: usize| numbers.get(at)?.split(':').next()?.parse::<u32>().ok();
    let (name, modified) = match last {
        b'~' if number(0) == Some(27) => (of_code(number(2)?)?, numbers.get(1)),
        b'~' => (of_number(number(0)?)?, numbers.get(1)),
        b'u' => (of_code(number(0)?)?, numbers.get(1)),
        letter => (self::letter(letter)?.name(), numbers.get(1)),
    };
    let modifiers = modifiers(modified.copied().unwrap_or_default())?;
    Some(typed(Key::new(name, modifiers)))
}

/// The modifiers in `5:1`: one more than the sum of those held down, then whether the key went down, repeats, or was let
/// go, at which it means nothing more. Caps lock and num lock are among them and mean nothing here.
fn modifiers(text: &str) -> Option<Modifiers> {
    let (held, kind) = text.split_once(':').unwrap_or((text, "1"));
    let held = held.parse::<u32>().unwrap_or(1).saturating_sub(1);
    let is_held = |bit: u32| held & bit != 0;
    // What Meta is on today's keyboards, nobody knows; with Alt it is as good as in any other program.
    let modifiers = Modifiers { shift: is_held(1), alt: is_held(2 | 32), ctrl: is_held(4), logo: is_held(8) };
    (kind != "3").then_some(modifiers)
}

/// The key of a sequence that ends in this letter.
pub(super) fn letter(letter: u8) -> Option<Key> {
    let name = match letter {
        b'A' => KeyName::Up,
        b'B' => KeyName::Down,
        b'C' => KeyName::Right,
        b'D' => KeyName::Left,
        b'E' => KeyName::Clear,
        b'F' => KeyName::End,
        b'H' => KeyName::Home,
        b'M' => KeyName::Enter,
        b'P'..=b'S' => KeyName::F(letter - b'P' + 1),
        _ => return None,
    };
    Some(Key::plain(name))
}

/// The key of a number before `~`.
fn of_number(number: u32) -> Option<KeyName> {
    Some(match number {
        1 | 7 => KeyName::Home,
        2 => KeyName::Insert,
        3 => KeyName::Delete,
        4 | 8 => KeyName::End,
        5 => KeyName::PageUp,
        6 => KeyName::PageDown,
        11..=15 => KeyName::F(number as u8 - 10),
        17..=21 => KeyName::F(number as u8 - 11),
        23..=26 => KeyName::F(number as u8 - 12),
        28 | 29 => KeyName::F(number as u8 - 13),
        31..=34 => KeyName::F(number as u8 - 14),
        _ => return None,
    })
}

/// The key of a code point, or of one of the numbers that the kitty keyboard protocol gives to other keys.
fn of_code(code: u32) -> Option<KeyName> {
    Some(match code {
        9 => KeyName::Tab,
        13 | 57414 => KeyName::Enter,
        27 => KeyName::Escape,
        8 | 127 => KeyName::Backspace,
        57376..=57387 => KeyName::F((code - 57376) as u8 + 13),
        57399..=57408 => KeyName::Char(char::from((code - 57399) as u8 + b'0')),
        57409 => KeyName::Char('.'),
        57410 => KeyName::Char('/'),
        57411 => KeyName::Char('*'),
        57412 => KeyName::Char('-'),
        57413 => KeyName::Char('+'),
        57415 => KeyName::Char('='),
        57416 => KeyName::Char(','),
        57417 => KeyName::Left,
        57418 => KeyName::Right,
        57419 => KeyName::Up,
        57420 => KeyName::Down,
        57421 => KeyName::PageUp,
        57422 => KeyName::PageDown,
        57423 => KeyName::Home,
        57424 => KeyName::End,
        57425 => KeyName::Insert,
        57426 => KeyName::Delete,
        57427 => KeyName::Clear,
        // Locks, media keys, and modifiers alone.
        0xe000..=0xf8ff => return None,
        code => KeyName::Char(char::from_u32(code).filter(|char| !char.is_control())?),
    })
}

/// What a mouse did: `button;column;row`, ended by `M`, or by `m` where the button was let go.
fn mouse(parameters: &str, last: u8) -> Option<Mouse> {
    let mut numbers = parameters.split(';').map(|number| number.parse::<u16>().ok());
    let (code, column, row) = (numbers.next()??, numbers.next()??, numbers.next()??);
    let button = match code & 3 {
        0 => Some(Button::Left),
        1 => Some(Button::Middle),
        2 => Some(Button::Right),
        _ => None,
    };
    let kind = match (code & 64 != 0, code & 32 != 0, last) {
        (true, ..) => match code & 3 {
            0 => MouseKind::ScrollUp,
            1 => MouseKind::ScrollDown,
            2 => MouseKind::ScrollLeft,
            _ => MouseKind::ScrollRight,
        },
        (false, true, b'M') => MouseKind::Drag(button?),
        (false, false, b'M') => MouseKind::Press(button?),
        (false, _, b'm') => MouseKind::Release(button?),
        _ => return None,
    };
    Some(Mouse { kind, column: column.checked_sub(1)?, row: row.checked_sub(1)? })
}
