//! Text from files made harmless for a terminal.
//!
//! Escape sequences are removed whole, so that no litter of them stays behind; other control characters and
//! everything that turns the writing direction or cannot be seen goes too. What is left draws as what it is.

use std::borrow::Cow;
use std::iter::Peekable;
use std::str::Chars;

use super::width;

const TAB_STOP: usize = 4;

/// Text for one row: line breaks and tabs become one blank each.
pub fn line(text: &str) -> Cow<'_, str> {
    clean(text, Breaks::Blank)
}

/// Text of several lines, separated by `\n` and nothing else. Tabs reach to the next multiple of four columns. A lone
/// `\r` ends a line, too: nothing of a text is lost because it would have been written over.
pub fn text(text: &str) -> Cow<'_, str> {
    clean(text, Breaks::Keep)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Breaks {
    Keep,
    Blank,
    /// Kept, and tabs with them.
    Tabs,
}

/// Text of a document that others will open: as [`text`], but tabs stay, and what turns the writing direction stands
/// there by its number, such as `[U+202E]`, so that it is seen and not obeyed.
pub fn document(text: &str) -> Cow<'_, str> {
    clean(text, Breaks::Tabs)
}

fn clean(text: &str, breaks: Breaks) -> Cow<'_, str> {
    let is_clean = |c: char| match c {
        '\n' => breaks != Breaks::Blank,
        '\t' => breaks == Breaks::Tabs,
        _ => Class::of(c) == Class::Plain,
    };
    match text.find(|c| !is_clean(c)) {
        None => Cow::Borrowed(text),
        Some(from) => Cow::Owned(rewrite(text, from, breaks)),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Plain,
    /// Removed without a trace.
    Gone,
    /// Removed, or shown by its number: it would turn the writing direction.
    Direction,
    /// Invisible but as wide as this many blanks.
    Blanks(usize),
    Break,
    Tab,
    /// A line end together with a `\n` behind it.
    Return,
    /// ESC, which starts a sequence together with what follows.
    Escape,
    /// The one-character form of `ESC [`.
    Csi,
    /// The one-character forms of the sequences that run up to a terminator.
    StringStart,
    /// Kept only where it joins characters that know joining.
    Joiner,
    /// Kept only in the flag of a region.
    Tag,
}

impl Class {
    fn of(c: char) -> Self {
        match c {
            ' '..='~' => Self::Plain,
            '\n' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => Self::Break,
            '\t' => Self::Tab,
            '\r' => Self::Return,
            '\u{1b}' => Self::Escape,
            '\u{9b}' => Self::Csi,
            '\u{90}' | '\u{98}' | '\u{9d}' | '\u{9e}' | '\u{9f}' => Self::StringStart,
            '\u{200c}' | '\u{200d}' => Self::Joiner,
            '\u{e0020}'..='\u{e007f}' => Self::Tag,
            '\u{115f}' | '\u{3164}' => Self::Blanks(2),
            '\u{ffa0}' => Self::Blanks(1),
            // Embeddings, overrides, isolates.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => Self::Direction,
            // Marks of direction.
            '\u{61c}' | '\u{200e}' | '\u{200f}'
            // Nothing to see: soft hyphen, grapheme joiner, fillers, zero-width blanks, invisible operators,
            // byte order mark, interlinear annotations, language tags.
            | '\u{ad}' | '\u{34f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}' | '\u{200b}'
            | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e001f}' => Self::Gone,
            _ if c.is_control() => Self::Gone,
            _ => Self::Plain,
        }
    }
}

/// Rewrites `text`, whose first `from` bytes are clean.
fn rewrite(text: &str, from: usize, breaks: Breaks) -> String {
    let mut out = Output::new(&text[..from], text.len());
    let mut rest = text[from..].chars().peekable();
    while let Some(c) = rest.next() {
        match Class::of(c) {
            Class::Plain => out.push(c),
            Class::Direction if breaks == Breaks::Tabs => {
                out.text.push_str(&format!("[U+{:04X}]", u32::from(c)));
            }
            Class::Gone | Class::Direction => {}
            Class::Tab if breaks == Breaks::Tabs => out.push(c),
            Class::Blanks(count) => out.blanks(count),
            Class::Return if rest.peek() == Some(&'\n') => {}
            Class::Break | Class::Return | Class::Tab if breaks == Breaks::Blank => out.push(' '),
            Class::Break | Class::Return => out.new_line(),
            Class::Tab => out.tab(),
            Class::Escape => skip_escape(&mut rest),
            Class::Csi => skip_csi(&mut rest),
            Class::StringStart => skip_string(&mut rest),
            Class::Joiner => {
                if out.last().is_some_and(|before| !before.is_ascii()) {
                    out.push(c);
                }
            }
            Class::Tag => {
                if out.last().is_some_and(|before| before == '🏴' || Class::of(before) == Class::Tag) {
                    out.push(c);
                }
            }
        }
    }
    out.text
}

struct Output {
    text: String,
    /// Where the current line starts.
    line: usize,
    /// How far the current line has been measured, and the column there.
    measured: (usize, usize),
}

impl Output {
    fn new(clean: &str, capacity: usize) -> Self {
        let mut text = String::with_capacity(capacity);
        text.push_str(clean);
        let line = clean.rfind('\n').map_or(0, |at| at + 1);
        Self { text, line, measured: (line, 0) }
    }

    fn last(&self) -> Option<char> {
        self.text[self.line..].chars().next_back()
    }

    fn push(&mut self, c: char) {
        self.text.push(c);
    }

    fn blanks(&mut self, count: usize) {
        for _ in 0..count {
            self.push(' ');
        }
    }

    fn tab(&mut self) {
        let (at, column) = self.measured;
        let column = column + width::of(&self.text[at..]);
        self.measured = (self.text.len(), column);
        self.blanks(TAB_STOP - column % TAB_STOP);
    }

    fn new_line(&mut self) {
        self.text.push('\n');
        self.line = self.text.len();
        self.measured = (self.line, 0);
    }
}

type Rest<'t> = Peekable<Chars<'t>>;

/// Skips what follows an ESC: a whole sequence of any of the four forms that ECMA-48 knows.
fn skip_escape(rest: &mut Rest<'_>) {
    match rest.peek() {
        Some('[') => {
            rest.next();
            skip_csi(rest);
        }
        Some(']' | 'P' | 'X' | '^' | '_') => {
            rest.next();
            skip_string(rest);
        }
        Some(' '..='~') => {
            while rest.next_if(|c| matches!(c, ' '..='/')).is_some() {}
            rest.next_if(|c| matches!(c, '0'..='~'));
        }
        _ => {}
    }
}

/// Skips parameters, intermediates and the final character; stops short at anything that cannot belong there.
fn skip_csi(rest: &mut Rest<'_>) {
    while rest.next_if(|c| matches!(c, '0'..='?')).is_some() {}
    while rest.next_if(|c| matches!(c, ' '..='/')).is_some() {}
    rest.next_if(|c| matches!(c, '@'..='~'));
}

/// Skips a string up to its terminator (BEL or ST). It also ends before another ESC and before a line break,
/// so that a string nobody ended costs its line and not the rest of the text.
fn skip_string(rest: &mut Rest<'_>) {
    while let Some(c) = rest.next_if(|c| !matches!(c, '\u{1b}' | '\n')) {
        if matches!(c, '\u{7}' | '\u{9c}' | '\u{18}' | '\u{1a}') {
            return;
        }
    }
    // An ESC is looked at again: as ST it is a two-character sequence and vanishes like any other.
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn escape_sequences_leave_nothing_behind() {
        for (raw, clean) in [
            ("\u{1b}[31mred\u{1b}[0m", "red"),
            ("\u{1b}[38:2::1:2:3mx\u{1b}[?25l\u{1b}[>4;2m\u{1b}[<5u\u{1b}[=1c", "x"),
            ("\u{1b}[1 q|", "|"),
            ("\u{9b}31mred", "red"),
            ("\u{1b}]0;title\u{7}a", "a"),
            ("\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
            ("\u{9d}0;title\u{9c}a", "a"),
            (
                "\u{1b}Pq#0;2;0\u{1b}\\a\u{1b}_Gf=100;AAAA\u{1b}\\b\u{1b}^pm\u{1b}\\c\u{1b}Xsos\u{1b}\\d",
                "abcd",
            ),
            ("a\u{1b}]52;c;never ended", "a"),
            ("\u{1b}(Ba\u{1b}7b\u{1b}=c\u{1b}#8d\u{1b}ce", "abcde"),
            ("a\u{1b}", "a"),
            ("\u{1b}\u{1b}[31mé\u{1b}é", "éé"),
            ("bell\u{7} back\u{8} nul\u{0} del\u{7f} ss3\u{8f}", "bell back nul del ss3"),
        ] {
            assert_eq!(text(raw), clean, "{raw:?}");
            assert_eq!(line(raw), clean, "{raw:?}");
        }
        assert_eq!(text("a\u{1b}]never ended\nb"), "a\nb");
    }

    #[test]
    fn what_cannot_be_seen_goes() {
        for (raw, clean) in [
            ("user\u{202e}txt.exe\u{202c}", "usertxt.exe"),
            ("\u{2066}a\u{2069}\u{200e}\u{61c}b", "ab"),
            ("ze\u{200b}ro\u{feff} so\u{ad}ft\u{2060}", "zero soft"),
            ("a\u{3164}b\u{115f}c\u{ffa0}d\u{1160}", "a  b  c d"),
            ("p\u{200d}a\u{200c}y", "pay"),
            ("👩\u{200d}💻 क्\u{200d}ष می\u{200c}خواهم", "👩\u{200d}💻 क्\u{200d}ष می\u{200c}خواهم"),
            ("a\u{e0061}\u{e007f}🏴\u{e0067}\u{e0062}\u{e007f}", "a🏴\u{e0067}\u{e0062}\u{e007f}"),
        ] {
            assert_eq!(text(raw), clean, "{raw:?}");
            assert_eq!(line(raw), clean, "{raw:?}");
        }
    }

    #[test]
    fn breaks_and_tabs() {
        for (raw, lines, one) in [
            ("a\r\nb\n", "a\nb\n", "a b "),
            ("a\u{2028}b\u{85}c\u{b}d", "a\nb\nc\nd", "a b c d"),
            ("a\tb\n\tc\n設\td", "a   b\n    c\n設  d", "a b  c 設 d"),
            (" 10%\r 50%\r100%\nnext", " 10%\n 50%\n100%\nnext", " 10%  50% 100% next"),
            ("100%\r", "100%\n", "100% "),
            ("100%\r\u{1b}[K\nnext", "100%\n\nnext", "100%  next"),
            ("long line\rx\ty", "long line\nx   y", "long line x y"),
            ("a\r\r\nb", "a\n\nb", "a  b"),
            ("ab\r\tc", "ab\n    c", "ab  c"),
        ] {
            assert_eq!(text(raw), lines, "{raw:?}");
            assert_eq!(line(raw), one, "{raw:?}");
        }
    }

    #[test]
    fn documents_keep_tabs_and_show_what_turns_the_direction() {
        for (raw, clean) in [
            ("a\tb\r\n\u{1b}[1mc\u{1b}[0m\rd", "a\tb\nc\nd"),
            ("user\u{202e}txt.exe\u{202c}\u{200f}", "user[U+202E]txt.exe[U+202C]"),
            ("\u{2066}a\u{2069}\u{feff}\u{9b}2Jb\u{0}", "[U+2066]a[U+2069]b"),
        ] {
            assert_eq!(document(raw), clean, "{raw:?}");
        }
        assert!(matches!(document("two\n\tlines"), Cow::Borrowed(_)));
    }

    #[test]
    fn clean_text_is_not_copied() {
        for clean in ["plain ASCII ~", "設計 e\u{301} 🇩🇪 ❤\u{fe0f}"] {
            assert!(matches!(line(clean), Cow::Borrowed(_)), "{clean}");
            assert!(matches!(text(clean), Cow::Borrowed(_)), "{clean}");
        }
        assert!(matches!(text("two\nlines"), Cow::Borrowed(_)));
    }

    /// Text in which the dangerous characters are as frequent as the others.
    fn hostile() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            any::<char>().prop_map(String::from),
            (0u32..0xa0).prop_map(|c| char::from_u32(c).unwrap().to_string()),
            (0x2000u32..0x2070).prop_map(|c| char::from_u32(c).unwrap().to_string()),
            "\u{1b}[\\[\\]P_X^(]?[0-9;:<=>?]{0,4}[ -~]?",
        ];
        prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn nothing_dangerous_survives(raw in hostile()) {
            for (clean, kept) in [(line(&raw), ""), (text(&raw), "\n"), (document(&raw), "\n\t")] {
                for c in clean.chars() {
                    prop_assert!(!c.is_control() || kept.contains(c), "{c:?}");
                    prop_assert!(!matches!(
                        c,
                        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}'
                            | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{200b}'
                    ), "{c:?}");
                }
            }
        }

        #[test]
        fn cleaning_twice_changes_nothing(raw in hostile()) {
            let once = text(&raw).into_owned();
            prop_assert_eq!(&*text(&once), &*once);
            let once = line(&raw).into_owned();
            prop_assert_eq!(&*line(&once), &*once);
            let once = document(&raw).into_owned();
            prop_assert_eq!(&*document(&once), &*once);
        }
    }
}
