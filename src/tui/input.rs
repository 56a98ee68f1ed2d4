use crossterm::event::{
    Event as TerminalEvent, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent,
    MouseEventKind,
};

use crate::app::{Button, Input, Key, KeyName, Modifiers, Mouse, MouseKind};

/// What a terminal can tell: what the person does, and its answer to a question of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    Input(Input),
    /// The colour behind the text, as red, green and blue.
    Background([u8; 3]),
}

/// The question to which the answer is [`Heard::Background`]: "OSC 11". Terminals that do not know it stay silent.
pub(crate) const ASK_BACKGROUND: &str = "\x1b]11;?\x1b\\";

/// Makes our own events of the terminal's.
///
/// The answer to [`ASK_BACKGROUND`] reaches us as if it were typed: `alt+]`, then `11;rgb:1616/1717/1c1c`, then
/// `alt+\` or `ctrl+g`. It may come late, so it is watched for all the time; otherwise its letters would be
/// taken for commands. Keys that began like an answer and then were none are handed on.
#[derive(Default)]
pub(crate) struct Decoder {
    held: Vec<Key>,
}

/// What every answer starts with, behind `alt+]`.
const ANSWER: &str = "11;rgb:";
/// More characters than any answer has behind that.
const LONGEST_ANSWER: usize = 40;

impl Decoder {
    /// Translates one event; there may be nothing of interest in it, or several keys that had been held back.
    pub(crate) fn feed(&mut self, event: TerminalEvent) -> Vec<Heard> {
        let input = match event {
            TerminalEvent::Key(key) => return key_of(key).map_or_else(Vec::new, |key| self.key(key)),
            TerminalEvent::Mouse(mouse) => mouse_of(mouse).map(Input::Mouse),
            TerminalEvent::Paste(text) => Some(Input::Paste(text)),
            TerminalEvent::Resize(columns, rows) => Some(Input::Resize { columns, rows }),
            TerminalEvent::FocusGained => Some(Input::FocusGained),
            TerminalEvent::FocusLost => Some(Input::FocusLost),
        };
        input.into_iter().map(Heard::Input).collect()
    }

    fn key(&mut self, key: Key) -> Vec<Heard> {
        let alt = |char| Key::new(KeyName::Char(char), Modifiers { alt: true, ..Modifiers::default() });
        if self.held.is_empty() && key != alt(']') {
            return vec![Heard::Input(Input::Key(key))];
        }
        let answer: String = self.held.iter().filter_map(|key| key.typed()).collect();
        if let Some(colour) = answer.strip_prefix(ANSWER)
            && (key == alt('\\') || key == Key::ctrl('g') || key == Key::plain(KeyName::Escape))
        {
            self.held.clear();
            return rgb(colour).map(Heard::Background).into_iter().collect();
        }
        self.held.push(key);
        let goes_on = match key.typed() {
            Some(char) if answer.len() < ANSWER.len() => ANSWER[answer.len()..].starts_with(char),
            Some(char) => {
                answer.len() < ANSWER.len() + LONGEST_ANSWER && (char.is_ascii_hexdigit() || char == '/')
            }
            None => self.held.len() == 1,
        };
        if goes_on {
            return Vec::new();
        }
        self.held.drain(..).map(|key| Heard::Input(Input::Key(key))).collect()
    }
}

/// The colour in `1616/1717/1c1c`: three numbers of one to four hexadecimal digits, each a part of its largest.
fn rgb(text: &str) -> Option<[u8; 3]> {
    let mut parts = text.split('/').map(|part| {
        let largest = 16_u32.checked_pow(u32::try_from(part.len()).ok()?)? - 1;
        let value = u32::from_str_radix(part, 16).ok()?;
        u8::try_from((value * 255).checked_div(largest)?).ok()
    });
    let colour = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(colour)
}

fn key_of(event: KeyEvent) -> Option<Key> {
    if event.kind == KeyEventKind::Release {
        return None;
    }
    let mut modifiers = Modifiers {
        ctrl: event.modifiers.contains(KeyModifiers::CONTROL),
        alt: event.modifiers.contains(KeyModifiers::ALT),
        shift: event.modifiers.contains(KeyModifiers::SHIFT),
        logo: event.modifiers.contains(KeyModifiers::SUPER),
    };
    let name = match event.code {
        KeyCode::Char(char) => KeyName::Char(char),
        KeyCode::Enter => KeyName::Enter,
        KeyCode::Esc => KeyName::Escape,
        KeyCode::Tab => KeyName::Tab,
        KeyCode::BackTab => {
            modifiers.shift = true;
            KeyName::Tab
        }
        KeyCode::Backspace => KeyName::Backspace,
        KeyCode::Delete => KeyName::Delete,
        KeyCode::Insert => KeyName::Insert,
        KeyCode::KeypadBegin => KeyName::Clear,
        KeyCode::Home => KeyName::Home,
        KeyCode::End => KeyName::End,
        KeyCode::PageUp => KeyName::PageUp,
        KeyCode::PageDown => KeyName::PageDown,
        KeyCode::Up => KeyName::Up,
        KeyCode::Down => KeyName::Down,
        KeyCode::Left => KeyName::Left,
        KeyCode::Right => KeyName::Right,
        KeyCode::F(number) => KeyName::F(number),
        KeyCode::Null => {
            modifiers.ctrl = true;
            KeyName::Char(' ')
        }
        _ => return None,
    };
    Some(Key::new(name, modifiers))
}

fn mouse_of(event: MouseEvent) -> Option<Mouse> {
    let button = |button| match button {
        MouseButton::Left => Button::Left,
        MouseButton::Middle => Button::Middle,
        MouseButton::Right => Button::Right,
    };
    let kind = match event.kind {
        MouseEventKind::Down(which) => MouseKind::Press(button(which)),
        MouseEventKind::Drag(which) => MouseKind::Drag(button(which)),
        MouseEventKind::Up(which) => MouseKind::Release(button(which)),
        MouseEventKind::ScrollUp => MouseKind::ScrollUp,
        MouseEventKind::ScrollDown => MouseKind::ScrollDown,
        MouseEventKind::ScrollLeft => MouseKind::ScrollLeft,
        MouseEventKind::ScrollRight => MouseKind::ScrollRight,
        MouseEventKind::Moved => return None,
    };
    Some(Mouse { kind, column: event.column, row: event.row })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(code: KeyCode, modifiers: KeyModifiers) -> TerminalEvent {
        TerminalEvent::Key(KeyEvent::new(code, modifiers))
    }

    fn shown(heard: &[Heard]) -> String {
        let one = |heard: &Heard| match heard {
            Heard::Input(Input::Key(key)) => key.to_string(),
            other => format!("{other:?}"),
        };
        heard.iter().map(one).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn keys_of_terminals_have_our_names() {
        let none = KeyModifiers::NONE;
        for (code, modifiers, name) in [
            (KeyCode::Char('l'), none, "l"),
            (KeyCode::Char('L'), KeyModifiers::SHIFT, "L"),
            (KeyCode::Char('l'), KeyModifiers::SHIFT, "L"),
            (KeyCode::Char('?'), KeyModifiers::SHIFT, "?"),
            (KeyCode::Char('d'), KeyModifiers::CONTROL, "ctrl+d"),
            (KeyCode::Char('O'), KeyModifiers::CONTROL | KeyModifiers::SHIFT, "ctrl+shift+o"),
            (KeyCode::Char('h'), KeyModifiers::CONTROL, "backspace"),
            (KeyCode::Backspace, none, "backspace"),
            (KeyCode::Backspace, KeyModifiers::CONTROL, "ctrl+backspace"),
            (KeyCode::Char('7'), KeyModifiers::CONTROL, "ctrl+-"),
            (KeyCode::Char(' '), KeyModifiers::CONTROL, "ctrl+space"),
            (KeyCode::BackTab, KeyModifiers::SHIFT, "shift+tab"),
            (KeyCode::BackTab, none, "shift+tab"),
            (KeyCode::Left, KeyModifiers::CONTROL, "ctrl+left"),
            (KeyCode::Left, KeyModifiers::ALT, "alt+left"),
            (KeyCode::F(5), none, "f5"),
            (KeyCode::CapsLock, none, ""),
        ] {
            assert_eq!(
                shown(&Decoder::default().feed(press(code, modifiers))),
                name,
                "{code:?} {modifiers:?}"
            );
        }
    }

    #[test]
    fn a_held_key_repeats_and_a_released_one_is_silent() {
        for (kind, name) in [(KeyEventKind::Repeat, "j"), (KeyEventKind::Release, "")] {
            let event = KeyEvent::new_with_kind(KeyCode::Char('j'), KeyModifiers::NONE, kind);
            assert_eq!(shown(&Decoder::default().feed(TerminalEvent::Key(event))), name);
        }
    }

    /// Feeds text as a terminal's parser hands it on: an escape makes `alt` of the next character.
    fn feed(text: &str) -> String {
        let mut decoder = Decoder::default();
        let mut heard = Vec::new();
        let mut modifiers = KeyModifiers::NONE;
        for char in text.chars() {
            let event = match char {
                '\x1b' => {
                    modifiers = KeyModifiers::ALT;
                    continue;
                }
                '\x07' => press(KeyCode::Char('g'), KeyModifiers::CONTROL),
                char if char.is_uppercase() => press(KeyCode::Char(char), modifiers | KeyModifiers::SHIFT),
                char => press(KeyCode::Char(char), modifiers),
            };
            modifiers = KeyModifiers::NONE;
            heard.extend(decoder.feed(event));
        }
        shown(&heard)
    }

    #[test]
    fn an_answer_of_the_terminal_is_no_typing() {
        for (text, heard) in [
            ("j\x1b]11;rgb:1616/1717/1c1c\x1b\\q", "j Background([22, 23, 28]) q"),
            ("\x1b]11;rgb:FF/fF/00\x07q", "Background([255, 255, 0]) q"),
            ("\x1b]11;rgb:f/0/8\x07", "Background([255, 0, 136])"),
            ("\x1b]11;rgb:1/2\x07q", "q"),
            ("\x1b]11;rgb:////\x07q", "q"),
            ("\x1b]1q", "alt+] 1 q"),
            ("\x1b]q", "alt+] q"),
            ("\x1b]\x1b]", "alt+] alt+]"),
            ("\x1b]11;rgb:ffx", "alt+] 1 1 ; r g b : f f x"),
        ] {
            assert_eq!(feed(text), heard, "{text:?}");
        }
        let endless = format!("\x1b]11;rgb:{}", "f".repeat(99));
        assert_eq!(feed(&endless).matches('f').count(), 99);
    }

    #[test]
    fn a_mouse_that_only_moves_is_silent() {
        for (kind, heard) in [
            (MouseEventKind::Moved, None),
            (MouseEventKind::ScrollDown, Some(MouseKind::ScrollDown)),
            (MouseEventKind::Down(MouseButton::Right), Some(MouseKind::Press(Button::Right))),
        ] {
            let event = MouseEvent { kind, column: 3, row: 4, modifiers: KeyModifiers::NONE };
            let heard = heard.map(|kind| Heard::Input(Input::Mouse(Mouse { kind, column: 3, row: 4 })));
            assert_eq!(Decoder::default().feed(TerminalEvent::Mouse(event)), Vec::from_iter(heard));
        }
    }
}
