use std::borrow::Cow;

use ratatui::buffer::Buffer;

use crate::store::Environment;

/// What the picture is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Glyphs {
    /// Lines, bullets and signs of Unicode, and texts as they are.
    #[default]
    Unicode,
    /// Lines and signs of ASCII, for fonts that lack the others; texts as they are.
    AsciiSigns,
    /// Nothing but ASCII, for terminals that know no other: what else stands in a text is a `?`.
    Ascii,
}

/// Every sign of ours that is not ASCII, and what stands for it in as many cells.
const SIGNS: [(&str, &str); 41] = [
    ("─", "-"),
    ("━", "="),
    ("╌", "-"),
    ("│", "|"),
    ("┃", "|"),
    ("┆", ":"),
    ("├", "|"),
    ("└", "`"),
    ("┌", "."),
    ("┐", "."),
    ("┘", "'"),
    ("┼", "+"),
    ("┬", "-"),
    ("┴", "-"),
    ("▎", "|"),
    ("▏", "|"),
    ("▌", ">"),
    ("█", "#"),
    ("▓", "="),
    ("▒", "="),
    ("░", "."),
    ("•", "*"),
    ("·", "-"),
    ("●", "o"),
    ("◆", "#"),
    ("▣", "#"),
    ("▸", ">"),
    ("▾", "v"),
    ("⊞", "+"),
    ("⊟", "-"),
    ("›", ">"),
    ("‹", "<"),
    ("↳", ">"),
    ("↑", "^"),
    ("↓", "v"),
    ("→", ">"),
    ("…", "~"),
    ("⚠", "!"),
    ("✗", "x"),
    ("✓", "+"),
    ("≈", "~"),
];
/// Signs that also stand in many texts, where they are as good.
const LIKENESSES: [(&str, &str); 6] =
    [("×", "x"), ("−", "-"), ("–", "-"), ("’", "'"), ("“", "\""), ("”", "\"")];

impl Glyphs {
    /// What the person wants, or the terminal can be thought to know: `PISCOPE_ASCII` (`yes` or `no`), else the
    /// locale. Where none is set, nothing speaks against Unicode.
    pub fn detect(environment: &Environment) -> Self {
        let variable = |name| environment.variable(name).and_then(|value| value.to_str());
        let locale =
            ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(variable).find(|name| !name.is_empty());
        let is_unicode = locale.is_none_or(|name| {
            let name = name.to_ascii_lowercase();
            name.contains("utf-8") || name.contains("utf8")
        });
        match variable("PISCOPE_ASCII") {
            Some("no") => Self::Unicode,
            Some("yes") if is_unicode => Self::AsciiSigns,
            _ if is_unicode || cfg!(windows) => Self::Unicode,
            _ => Self::Ascii,
        }
    }

    /// A line with what there is.
    pub fn of_text(self, line: &str) -> Cow<'_, str> {
        match self {
            Self::Ascii if !line.is_ascii() => {
                line.chars().map(|c| if c.is_ascii() { c } else { '?' }).collect()
            }
            _ => Cow::Borrowed(line),
        }
    }

    /// Redraws a picture with what there is.
    pub fn apply(self, buffer: &mut Buffer) {
        if self == Self::Unicode {
            return;
        }
        for cell in buffer.content.iter_mut().filter(|cell| !cell.symbol().is_ascii()) {
            let known = SIGNS.iter().chain(&LIKENESSES).find(|(sign, _)| *sign == cell.symbol());
            match known {
                Some((_, ascii)) => _ = cell.set_symbol(ascii),
                // The second cell of a wide character is a space already.
                None if self == Self::Ascii => _ = cell.set_symbol("?"),
                None => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;
    use crate::present::width;

    #[test]
    fn a_sign_and_what_stands_for_it_are_one_cell() {
        for (sign, ascii) in SIGNS.iter().chain(&LIKENESSES) {
            assert_eq!((width::of(sign), ascii.len()), (1, 1), "{sign}");
            assert!(ascii.is_ascii());
        }
    }

    #[test]
    fn texts_stay_where_the_terminal_can_show_them() {
        for (glyphs, wanted) in [
            (Glyphs::Unicode, "├─ ▸ é 設 ok"),
            (Glyphs::AsciiSigns, "|- > é 設 ok"),
            (Glyphs::Ascii, "|- > ? ?  ok"),
        ] {
            let mut buffer = Buffer::empty(Rect::new(0, 0, 12, 1));
            buffer.set_string(0, 0, "├─ ▸ é 設 ok", Style::new());
            glyphs.apply(&mut buffer);
            assert_eq!(buffer, Buffer::with_lines([wanted]), "{glyphs:?}");
        }
    }

    #[test]
    fn the_locale_decides_unless_the_person_does() {
        for (variables, wanted) in [
            (&[][..], Glyphs::Unicode),
            (&[("LANG", "en_US.UTF-8")], Glyphs::Unicode),
            (&[("LANG", "C")], Glyphs::Ascii),
            (&[("LANG", "C"), ("LC_ALL", "de_DE.utf8")], Glyphs::Unicode),
            (&[("LANG", "de_DE.UTF-8"), ("LC_CTYPE", "de_DE.ISO-8859-1")], Glyphs::Ascii),
            (&[("LANG", "C"), ("LC_ALL", "")], Glyphs::Ascii),
            (&[("LANG", "en_US.UTF-8"), ("PISCOPE_ASCII", "yes")], Glyphs::AsciiSigns),
            (&[("LANG", "C"), ("PISCOPE_ASCII", "yes")], Glyphs::Ascii),
            (&[("LANG", "C"), ("PISCOPE_ASCII", "no")], Glyphs::Unicode),
        ] {
            let environment = variables
                .iter()
                .fold(Environment::new("/", "/"), |environment, (name, value)| environment.with(name, value));
            assert_eq!(Glyphs::detect(&environment), wanted, "{variables:?}");
        }
    }
}
