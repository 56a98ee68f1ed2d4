use std::fmt;
use std::str::FromStr;

/// A key with its modifiers, in one normal form: keys that a terminal cannot tell apart are equal.
///
/// Keys are written as in pi: `ctrl+d`, `alt+left`, `shift+tab`, `pageUp`, `space`, `L`, `+`. Names and the letters
/// behind `ctrl` and `alt` may be in any case. The normal form is this:
///
/// * Without `ctrl`, `alt` and `super` a letter carries its case and no `shift`: `shift+l` is `L`. With one of them
///   it is small, and `shift` is said: `ctrl+shift+o`.
/// * What the control codes of ASCII make the same is the same: `ctrl+i` is `tab`, `ctrl+m` is `enter`, `ctrl+[` is
///   `esc`, `ctrl+h` is `backspace`, and `ctrl+_`, `ctrl+/`, `ctrl+7` are `ctrl+-`.
///
/// ```
/// use piscope::app::Key;
///
/// let key: Key = "shift+ctrl+O".parse()?;
/// assert_eq!(key.to_string(), "ctrl+shift+o");
/// assert_eq!("shift+l".parse(), "L".parse::<Key>());
/// assert_eq!(Key::sequence("<tab>j<c-d>")?.len(), 3);
/// # Ok::<(), piscope::app::UnknownKey>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    name: KeyName,
    modifiers: Modifiers,
}

/// A key by what is printed on it or by what it types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those on the keys")]
pub enum KeyName {
    /// The key that types this character.
    Char(char),
    Enter,
    Escape,
    Tab,
    Backspace,
    Delete,
    Insert,
    /// The key in the middle of the number pad.
    Clear,
    Home,
    End,
    PageUp,
    PageDown,
    Up,
    Down,
    Left,
    Right,
    /// A function key, from 1.
    F(u8),
}

/// The keys held down together with another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key, and any of them may be held")]
pub struct Modifiers {
    /// Control.
    pub ctrl: bool,
    /// Alt, Option or Meta.
    pub alt: bool,
    /// Shift.
    pub shift: bool,
    /// Super, Windows or Command. Only terminals with the kitty keyboard protocol tell of it.
    pub logo: bool,
}

/// A text that names no key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no key{hint}")]
pub struct UnknownKey {
    text: String,
    hint: &'static str,
}

/// Every name that is not a single character; the first one of a key is the one that is shown.
const NAMES: [(&str, KeyName); 28] = [
    ("enter", KeyName::Enter),
    ("return", KeyName::Enter),
    ("cr", KeyName::Enter),
    ("esc", KeyName::Escape),
    ("escape", KeyName::Escape),
    ("tab", KeyName::Tab),
    ("space", KeyName::Char(' ')),
    ("backspace", KeyName::Backspace),
    ("bs", KeyName::Backspace),
    ("delete", KeyName::Delete),
    ("del", KeyName::Delete),
    ("insert", KeyName::Insert),
    ("ins", KeyName::Insert),
    ("clear", KeyName::Clear),
    ("home", KeyName::Home),
    ("end", KeyName::End),
    ("pageUp", KeyName::PageUp),
    ("pgup", KeyName::PageUp),
    ("pageDown", KeyName::PageDown),
    ("pgdown", KeyName::PageDown),
    ("pgdn", KeyName::PageDown),
    ("up", KeyName::Up),
    ("down", KeyName::Down),
    ("left", KeyName::Left),
    ("right", KeyName::Right),
    ("plus", KeyName::Char('+')),
    ("gt", KeyName::Char('>')),
    ("lt", KeyName::Char('<')),
];

impl Key {
    /// The key in its normal form.
    pub fn new(name: KeyName, modifiers: Modifiers) -> Self {
        let Modifiers { ctrl, alt, shift, logo } = modifiers;
        let (name, shift) = match name {
            KeyName::Char(' ') => (name, shift),
            KeyName::Char(letter) if ctrl || alt || logo => match small(letter) {
                Some(small) => (KeyName::Char(small), true),
                None => (name, shift && letter.is_alphabetic()),
            },
            KeyName::Char(letter) if shift => (KeyName::Char(capital(letter).unwrap_or(letter)), false),
            _ => (name, shift),
        };
        let (name, ctrl) = match (name, ctrl) {
            (KeyName::Char('i'), true) => (KeyName::Tab, false),
            (KeyName::Char('m'), true) => (KeyName::Enter, false),
            (KeyName::Char('['), true) => (KeyName::Escape, false),
            (KeyName::Char('h'), true) => (KeyName::Backspace, false),
            (KeyName::Char('4'), true) => (KeyName::Char('\\'), true),
            (KeyName::Char('5'), true) => (KeyName::Char(']'), true),
            (KeyName::Char('6'), true) => (KeyName::Char('^'), true),
            (KeyName::Char('_' | '/' | '7'), true) => (KeyName::Char('-'), true),
            (KeyName::Char('@'), true) => (KeyName::Char(' '), true),
            _ => (name, ctrl),
        };
        Self { name, modifiers: Modifiers { ctrl, alt, shift, logo } }
    }

    /// The key alone.
    pub fn plain(name: KeyName) -> Self {
        Self::new(name, Modifiers::default())
    }

    /// The key that types this character.
    pub fn char(char: char) -> Self {
        Self::plain(KeyName::Char(char))
    }

    /// The key together with Control.
    pub fn ctrl(char: char) -> Self {
        Self::new(KeyName::Char(char), Modifiers { ctrl: true, ..Modifiers::default() })
    }

    /// The key without its modifiers. A capital letter is itself, not a small one with `shift`.
    pub fn name(self) -> KeyName {
        self.name
    }

    /// The modifiers that are not already told by the character.
    pub fn modifiers(self) -> Modifiers {
        self.modifiers
    }

    /// The character that the key adds to a line of text, if it is one that types.
    pub fn typed(self) -> Option<char> {
        match self.name {
            KeyName::Char(char) if !self.modifiers.make_commands() => Some(char),
            _ => None,
        }
    }

    /// Reads a sequence of keys in the notation of vim: characters stand for themselves, everything else is in
    /// angle brackets, as in `<tab>jj<right><c-d><s-tab><a-left><esc>x`. `<lt>` is `<`. Between the brackets the
    /// notation of pi is understood too: `<ctrl+d>`.
    ///
    /// # Errors
    /// Brackets that do not close, or hold no key.
    pub fn sequence(text: &str) -> Result<Vec<Self>, UnknownKey> {
        let mut keys = Vec::new();
        let mut rest = text;
        while let Some(char) = rest.chars().next() {
            if char == '<' {
                let end = rest.find('>').ok_or_else(|| UnknownKey::new(rest, "; a `<` is written `<lt>`"))?;
                keys.push(Self::bracketed(&rest[1..end])?);
                rest = &rest[end + 1..];
            } else {
                keys.push(Self::char(char));
                rest = &rest[char.len_utf8()..];
            }
        }
        Ok(keys)
    }

    fn bracketed(text: &str) -> Result<Self, UnknownKey> {
        let mut modifiers = Modifiers::default();
        let mut rest = text;
        while let [letter, b'-', _, ..] = rest.as_bytes() {
            match letter.to_ascii_lowercase() {
                b'c' => modifiers.ctrl = true,
                b'a' | b'm' => modifiers.alt = true,
                b's' => modifiers.shift = true,
                _ => break,
            }
            rest = &rest[2..];
        }
        if modifiers == Modifiers::default() { text.parse() } else { named(rest, modifiers) }
    }
}

impl FromStr for Key {
    type Err = UnknownKey;

    fn from_str(text: &str) -> Result<Self, UnknownKey> {
        let mut modifiers = Modifiers::default();
        let mut rest = text.trim();
        while let Some((modifier, key)) = rest.split_once('+')
            && !key.is_empty()
        {
            match modifier.to_ascii_lowercase().as_str() {
                "ctrl" => modifiers.ctrl = true,
                "alt" => modifiers.alt = true,
                "shift" => modifiers.shift = true,
                "super" => modifiers.logo = true,
                _ => return Err(UnknownKey::new(text, "; modifiers are `ctrl`, `alt`, `shift` and `super`")),
            }
            rest = key;
        }
        named(rest, modifiers).map_err(|error| UnknownKey::new(text, error.hint))
    }
}

/// The key of a name or a single character. Behind `ctrl`, `alt` and `super` the case of a letter says nothing.
fn named(text: &str, modifiers: Modifiers) -> Result<Key, UnknownKey> {
    let mut chars = text.chars();
    if let (Some(char), None) = (chars.next(), chars.next()) {
        if char.is_control() {
            return Err(UnknownKey::new(text, ""));
        }
        if modifiers.shift && !char.is_alphabetic() {
            return Err(UnknownKey::new(text, "; write the character that shift makes of it"));
        }
        let letter = if modifiers.make_commands() { small(char) } else { None };
        return Ok(Key::new(KeyName::Char(letter.unwrap_or(char)), modifiers));
    }
    if let Some((_, name)) = NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)) {
        return Ok(Key::new(*name, modifiers));
    }
    let number = text.strip_prefix(['f', 'F']).filter(|digits| !digits.starts_with(['0', '+']));
    match number.and_then(|digits| digits.parse().ok()) {
        Some(number @ 1..=24) => Ok(Key::new(KeyName::F(number), modifiers)),
        _ => Err(UnknownKey::new(text, "")),
    }
}

/// The small form of a letter, where it is another letter.
fn small(letter: char) -> Option<char> {
    only(letter.to_lowercase()).filter(|small| *small != letter)
}

/// The capital form of a letter, where it is one letter.
fn capital(letter: char) -> Option<char> {
    only(letter.to_uppercase())
}

fn only(mut chars: impl Iterator<Item = char>) -> Option<char> {
    let first = chars.next()?;
    chars.next().is_none().then_some(first)
}

impl Modifiers {
    /// Whether a character together with them is a command and no text.
    fn make_commands(self) -> bool {
        self.ctrl || self.alt || self.logo
    }
}

impl UnknownKey {
    fn new(text: &str, hint: &'static str) -> Self {
        Self { text: text.to_owned(), hint }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Modifiers { ctrl, alt, shift, logo } = self.modifiers;
        for (held, modifier) in [(logo, "super+"), (ctrl, "ctrl+"), (alt, "alt+"), (shift, "shift+")] {
            if held {
                f.write_str(modifier)?;
            }
        }
        match self.name {
            KeyName::F(number) => write!(f, "f{number}"),
            KeyName::Char(char) if char != ' ' => write!(f, "{char}"),
            name => f.write_str(NAMES.iter().find(|(_, other)| *other == name).map_or("", |(text, _)| text)),
        }
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{self}>")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn keys_are_read_and_shown_in_one_form() {
        for (text, shown) in [
            ("a", "a"),
            ("L", "L"),
            ("shift+l", "L"),
            ("shift+L", "L"),
            ("Shift+É", "É"),
            ("shift+é", "É"),
            ("ß", "ß"),
            ("shift+ß", "ß"),
            ("ctrl+d", "ctrl+d"),
            ("CTRL+D", "ctrl+d"),
            ("ctrl+shift+o", "ctrl+shift+o"),
            ("shift+ctrl+O", "ctrl+shift+o"),
            ("alt+left", "alt+left"),
            ("alt+B", "alt+b"),
            ("shift+alt+b", "alt+shift+b"),
            ("Enter", "enter"),
            ("return", "enter"),
            ("esc", "esc"),
            ("ESCAPE", "esc"),
            ("pageup", "pageUp"),
            ("pgdn", "pageDown"),
            ("Space", "space"),
            (" ", "space"),
            ("ctrl+space", "ctrl+space"),
            ("ctrl+@", "ctrl+space"),
            ("shift+tab", "shift+tab"),
            ("tab", "tab"),
            ("f1", "f1"),
            ("F12", "f12"),
            ("f", "f"),
            ("+", "+"),
            ("ctrl++", "ctrl++"),
            ("?", "?"),
            ("ctrl+i", "tab"),
            ("ctrl+m", "enter"),
            ("ctrl+[", "esc"),
            ("ctrl+h", "backspace"),
            ("ctrl+j", "ctrl+j"),
            ("ctrl+_", "ctrl+-"),
            ("ctrl+/", "ctrl+-"),
            ("ctrl+4", "ctrl+\\"),
            ("ctrl+]", "ctrl+]"),
            ("ctrl+alt+]", "ctrl+alt+]"),
            ("ctrl+backspace", "ctrl+backspace"),
            ("ctrl+super+K", "super+ctrl+k"),
            ("super+shift+k", "super+shift+k"),
            ("clear", "clear"),
        ] {
            let key: Key = if text == " " { Key::char(' ') } else { text.parse().unwrap() };
            assert_eq!(key.to_string(), shown, "{text}");
            assert_eq!(shown.parse(), Ok(key), "{shown}");
        }
    }

    #[test]
    fn what_is_no_key_is_refused_with_a_reason() {
        for (text, message) in [
            ("", "`` is no key"),
            ("ctrl+", "`ctrl+` is no key"),
            ("hyper+x", "`hyper+x` is no key; modifiers are `ctrl`, `alt`, `shift` and `super`"),
            ("a+b", "`a+b` is no key; modifiers are `ctrl`, `alt`, `shift` and `super`"),
            ("shift+1", "`shift+1` is no key; write the character that shift makes of it"),
            ("f0", "`f0` is no key"),
            ("f25", "`f25` is no key"),
            ("f+1", "`f+1` is no key; modifiers are `ctrl`, `alt`, `shift` and `super`"),
            ("enterr", "`enterr` is no key"),
            ("\u{1b}", "`\u{1b}` is no key"),
        ] {
            assert_eq!(text.parse::<Key>().unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn sequences_are_read_in_the_notation_of_vim() {
        for (text, shown) in [
            ("<tab>jj<right>", "tab j j right"),
            ("<c-d><s-tab><esc>x", "ctrl+d shift+tab esc x"),
            ("<C-S-o><a-left><m-x>", "ctrl+shift+o alt+left alt+x"),
            ("<ctrl+d><L>L", "ctrl+d L L"),
            ("<lt>a><c-->", "< a > ctrl+-"),
            ("<pgup><pgdn><cr><bs><del>", "pageUp pageDown enter backspace delete"),
            ("a b", "a space b"),
            ("設", "設"),
            ("", ""),
        ] {
            let keys: Vec<String> = Key::sequence(text).unwrap().iter().map(Key::to_string).collect();
            assert_eq!(keys.join(" "), shown, "{text}");
        }
        for text in ["<tab", "<>", "<nope>", "<x-d>"] {
            assert!(Key::sequence(text).is_err(), "{text}");
        }
    }

    #[test]
    fn only_keys_without_control_type() {
        for (text, typed) in [("a", Some('a')), ("L", Some('L')), ("space", Some(' ')), ("tab", None)] {
            assert_eq!(text.parse::<Key>().unwrap().typed(), typed);
        }
        assert_eq!(Key::ctrl('a').typed(), None);
        assert_eq!("alt+a".parse::<Key>().unwrap().typed(), None);
    }

    proptest! {
        #[test]
        fn the_normal_form_is_final_and_can_be_read_back(
            char in any::<char>().prop_filter("no control codes", |char| !char.is_control() && !char.is_whitespace()),
            ctrl: bool,
            alt: bool,
            shift: bool,
            logo: bool,
        ) {
            let key = Key::new(KeyName::Char(char), Modifiers { ctrl, alt, shift, logo });
            prop_assert_eq!(Key::new(key.name(), key.modifiers()), key);
            prop_assert_eq!(key.to_string().parse(), Ok(key));
        }
    }
}
