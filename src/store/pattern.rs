//! Regular expressions as JavaScript writes them, for a Rust engine that has look-around and back-references.
//!
//! The two languages look alike and differ in what common constructs mean: `\d`, `\w` and `\b` know only
//! ASCII, `.` stops at four line ends, a bracket in a class is a bracket, a brace that counts nothing is a
//! brace, and an unknown escape is its letter. So a pattern is read here by JavaScript's rules and written
//! anew; what has no counterpart is an error that says what it is.

use fancy_regex::{Regex, RegexBuilder};

use super::query::QueryError;

const DIGIT: &str = "0-9";
const WORD: &str = "0-9A-Za-z_";
const SPACE: &str =
    r"\t\n\x0b\x0c\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}";
const WORD_EDGE: &str = "(?:(?<=[0-9A-Za-z_])(?![0-9A-Za-z_])|(?<![0-9A-Za-z_])(?=[0-9A-Za-z_]))";
const NO_WORD_EDGE: &str = "(?:(?<=[0-9A-Za-z_])(?=[0-9A-Za-z_])|(?<![0-9A-Za-z_])(?![0-9A-Za-z_]))";

/// Compiles a JavaScript pattern with the flag `i` and no other.
pub(super) fn compile(pattern: &str) -> Result<Regex, QueryError> {
    let translated = Translator::new(pattern).run().map_err(|what| error(pattern, &what))?;
    RegexBuilder::new(&translated).build().map_err(|cause| error(pattern, &cause.to_string()))
}

fn error(pattern: &str, what: &str) -> QueryError {
    QueryError(format!("the regular expression {pattern} cannot be used: {what}"))
}

struct Translator {
    chars: Vec<char>,
    at: usize,
    out: String,
    groups: u32,
    has_named_groups: bool,
}

/// One escape: a character, or a set of them written as the inside of a class.
enum Escape {
    Char(char),
    Set(&'static str),
    NotSet(&'static str),
}

impl Translator {
    fn new(pattern: &str) -> Self {
        let mut new = Self {
            chars: pattern.chars().collect(),
            at: 0,
            out: String::from("(?i)"),
            groups: 0,
            has_named_groups: false,
        };
        new.count_groups();
        new
    }

    /// Groups that capture, which decide whether `\1` refers to one.
    fn count_groups(&mut self) {
        let mut in_class = false;
        let mut at = 0;
        while let Some(&c) = self.chars.get(at) {
            match c {
                '\\' => at += 1,
                '[' => in_class = true,
                ']' => in_class = false,
                '(' if !in_class => {
                    let ahead: String = self.chars[at + 1..].iter().take(3).collect();
                    let named = ahead.starts_with("?<") && !matches!(ahead.chars().nth(2), Some('=' | '!'));
                    self.has_named_groups |= named;
                    self.groups += u32::from(named || !ahead.starts_with('?'));
                }
                _ => {}
            }
            at += 1;
        }
    }

    fn run(mut self) -> Result<String, String> {
        let mut can_repeat = false;
        while let Some(c) = self.next() {
            let repeats_next = match c {
                '*' | '+' | '?' => {
                    self.quantifier(&c.to_string(), can_repeat)?;
                    false
                }
                '{' => match self.count() {
                    Some(count) => {
                        self.quantifier(&count, can_repeat)?;
                        false
                    }
                    None => self.literal('{'),
                },
                '\\' => self.outer_escape()?,
                '[' => {
                    self.class()?;
                    true
                }
                '(' => {
                    self.group()?;
                    false
                }
                ')' => self.write(")", true),
                '|' => self.write("|", false),
                '^' => self.write(r"\A", false),
                '$' => self.write(r"\z", false),
                '.' => self.write(r"[^\n\r\x{2028}\x{2029}]", true),
                c => self.literal(c),
            };
            can_repeat = repeats_next;
        }
        Ok(self.out)
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        Some(c)
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn take(&mut self, text: &str) -> bool {
        let found = text.chars().eq(self.chars[self.at..].iter().copied().take(text.chars().count()));
        if found {
            self.at += text.chars().count();
        }
        found
    }

    /// Writes what stands for itself in both languages, and says whether a quantifier may follow.
    fn write(&mut self, text: &str, can_repeat: bool) -> bool {
        self.out.push_str(text);
        can_repeat
    }

    fn literal(&mut self, c: char) -> bool {
        push_literal(c, &mut self.out);
        true
    }

    fn quantifier(&mut self, text: &str, can_repeat: bool) -> Result<(), String> {
        if !can_repeat {
            return Err(format!("there is nothing to repeat in front of {text}"));
        }
        self.out.push_str(text);
        if self.peek() == Some('?') {
            self.at += 1;
            self.out.push('?');
        }
        Ok(())
    }

    /// `{2}`, `{2,}` or `{2,3}` at this place; anything else in braces is text.
    fn count(&mut self) -> Option<String> {
        let length = self.chars[self.at..].iter().position(|&c| c == '}')?;
        let inside: String = self.chars[self.at..self.at + length].iter().collect();
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let (low, high) = inside.split_once(',').unwrap_or((&inside, ""));
        if !is_number(low) || !(high.is_empty() || is_number(high)) {
            return None;
        }
        self.at += length + 1;
        Some(format!("{{{inside}}}"))
    }

    fn group(&mut self) -> Result<(), String> {
        for opening in ["?:", "?=", "?!", "?<=", "?<!"] {
            if self.take(opening) {
                self.out.push('(');
                self.out.push_str(opening);
                return Ok(());
            }
        }
        if self.take("?<") {
            let name = self.group_name().ok_or("a group has no proper name")?;
            self.out.push_str(&format!("(?<{name}>"));
            return Ok(());
        }
        if self.peek() == Some('?') {
            let kind: String = self.chars[self.at..].iter().take(2).collect();
            return Err(format!("({kind} begins no group that JavaScript knows"));
        }
        self.out.push('(');
        Ok(())
    }

    /// The name up to `>`.
    fn group_name(&mut self) -> Option<String> {
        let length = self.chars[self.at..].iter().position(|&c| c == '>')?;
        let name: String = self.chars[self.at..self.at + length].iter().collect();
        self.at += length + 1;
        let fits = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        fits.then_some(name)
    }

    fn outer_escape(&mut self) -> Result<bool, String> {
        match self.peek() {
            Some('b') => {
                self.at += 1;
                return Ok(self.write(WORD_EDGE, false));
            }
            Some('B') => {
                self.at += 1;
                return Ok(self.write(NO_WORD_EDGE, false));
            }
            Some('k') if self.has_named_groups => {
                self.at += 1;
                let name = self.take("<").then(|| self.group_name()).flatten();
                let name = name.ok_or(r"\k names no group")?;
                return Ok(self.write(&format!(r"(?:\k<{name}>)"), true));
            }
            Some('1'..='9') => {
                if let Some(number) = self.back_reference() {
                    return Ok(self.write(&format!(r"(?:\{number})"), true));
                }
            }
            _ => {}
        }
        match self.escape()? {
            Escape::Char(c) => self.literal(c),
            Escape::Set(set) => self.write(&format!("[{set}]"), true),
            Escape::NotSet(set) => self.write(&format!("[^{set}]"), true),
        };
        Ok(true)
    }

    /// A number that a group has.
    fn back_reference(&mut self) -> Option<u32> {
        let digits = self.chars[self.at..].iter().take_while(|c| c.is_ascii_digit()).count();
        let number: u32 = self.chars[self.at..self.at + digits].iter().collect::<String>().parse().ok()?;
        (number <= self.groups).then(|| {
            self.at += digits;
            number
        })
    }

    /// Reads an escape that means the same inside and outside of a class.
    fn escape(&mut self) -> Result<Escape, String> {
        let c = self.next().ok_or(r"it ends in \")?;
        Ok(match c {
            'd' => Escape::Set(DIGIT),
            'D' => Escape::NotSet(DIGIT),
            'w' => Escape::Set(WORD),
            'W' => Escape::NotSet(WORD),
            's' => Escape::Set(SPACE),
            'S' => Escape::NotSet(SPACE),
            't' => Escape::Char('\t'),
            'n' => Escape::Char('\n'),
            'v' => Escape::Char('\u{b}'),
            'f' => Escape::Char('\u{c}'),
            'r' => Escape::Char('\r'),
            '0'..='7' => Escape::Char(self.octal(c)),
            'x' => Escape::Char(self.hex(2).and_then(char::from_u32).unwrap_or('x')),
            'u' => Escape::Char(self.unicode()?),
            'c' => match self.peek() {
                Some(letter) if letter.is_ascii_alphabetic() => {
                    self.at += 1;
                    Escape::Char(char::from(letter as u8 % 32))
                }
                _ => {
                    self.at -= 1;
                    Escape::Char('\\')
                }
            },
            c => Escape::Char(c),
        })
    }

    fn octal(&mut self, first: char) -> char {
        let mut value = first.to_digit(8).unwrap_or(0);
        while let Some(digit) =
            self.peek().and_then(|c| c.to_digit(8)).filter(|digit| value * 8 + digit < 256)
        {
            value = value * 8 + digit;
            self.at += 1;
        }
        char::from(value as u8)
    }

    fn hex(&mut self, digits: usize) -> Option<u32> {
        let text: String = self.chars.get(self.at..self.at + digits)?.iter().collect();
        let value = text
            .bytes()
            .all(|byte| byte.is_ascii_hexdigit())
            .then(|| u32::from_str_radix(&text, 16).ok())??;
        self.at += digits;
        Some(value)
    }

    /// `uXXXX`, or a pair of them that makes one character.
    fn unicode(&mut self) -> Result<char, String> {
        let Some(unit) = self.hex(4) else { return Ok('u') };
        if (0xD800..0xDC00).contains(&unit) && self.take(r"\u") {
            let low = self.hex(4).filter(|low| (0xDC00..0xE000).contains(low));
            if let Some(c) =
                low.and_then(|low| char::from_u32(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00)))
            {
                return Ok(c);
            }
        }
        char::from_u32(unit).ok_or_else(|| format!(r"\u{unit:04x} is half a character"))
    }

    /// Reads a class up to its bracket.
    fn class(&mut self) -> Result<(), String> {
        let negated = self.take("^");
        let mut items = String::new();
        loop {
            let from = match self.next().ok_or("a [ is never closed")? {
                ']' => break,
                '\\' => self.class_escape()?,
                c => Escape::Char(c),
            };
            let Escape::Char(low) = from else {
                push_item(&from, &mut items);
                continue;
            };
            let is_range =
                self.peek() == Some('-') && !matches!(self.chars.get(self.at + 1), None | Some(']'));
            if !is_range {
                push_item(&from, &mut items);
                continue;
            }
            self.at += 1;
            let to = match self.next().ok_or("a [ is never closed")? {
                '\\' => self.class_escape()?,
                c => Escape::Char(c),
            };
            let Escape::Char(high) = to else {
                for item in [from, Escape::Char('-'), to] {
                    push_item(&item, &mut items);
                }
                continue;
            };
            if low > high {
                return Err(format!("the range {low}-{high} is out of order"));
            }
            push_literal(low, &mut items);
            items.push('-');
            push_literal(high, &mut items);
        }
        match (items.is_empty(), negated) {
            // JavaScript's empty class matches nothing, its opposite anything.
            (true, false) => self.out.push_str("(?!)"),
            (true, true) => self.out.push_str("(?s:.)"),
            (false, false) => self.out.push_str(&format!("[{items}]")),
            (false, true) => self.out.push_str(&format!("[^{items}]")),
        }
        Ok(())
    }

    fn class_escape(&mut self) -> Result<Escape, String> {
        if self.take("b") { Ok(Escape::Char('\u{8}')) } else { self.escape() }
    }
}

fn push_item(item: &Escape, items: &mut String) {
    match item {
        Escape::Char(c) => push_literal(*c, items),
        Escape::Set(set) => items.push_str(set),
        Escape::NotSet(set) => items.push_str(&format!("[^{set}]")),
    }
}

/// Writes a character so that the engine takes it as itself, inside and outside of classes.
fn push_literal(c: char, out: &mut String) {
    if c.is_ascii_alphanumeric() || !c.is_ascii() {
        out.push(c);
    } else {
        out.push_str(&format!("\\x{{{:x}}}", u32::from(c)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_mean_what_they_mean_in_javascript() {
        for (pattern, text, expected) in [
            ("ABC", "xabcx", true),
            ("^a$", "a\nb", false),
            ("a$", "a\n", false),
            ("abc.def", "abc\ndef", false),
            ("abc.def", "abc\u{2028}def", false),
            ("abc.def", "abc\u{85}def", true),
            (r"^\w$", "é", false),
            (r"\bé", "aé", true),
            (r"\d", "٣", false),
            (r"^\s+$", " \u{3000}\u{feff}", true),
            (r"\s", "\u{85}", false),
            ("a{b", "a{b", true),
            ("a{2}", "aa", true),
            ("a}]", "a}]", true),
            ("[[]", "a[b", true),
            ("[a&&b]", "&", true),
            ("[^]b", "ab", true),
            ("[]", "a", false),
            (r"[\w-]b", "-b", true),
            (r"[a\]]b", "]b", true),
            (r"[\b]", "\u{8}", true),
            (r"[^\d]", "1", false),
            (r"[\D]", "a", true),
            (r"\u0061\x31", "a1", true),
            (r"\ud83d\ude00", "😀", true),
            (r"(a)\1", "aA", true),
            (r"\1", "\u{1}", true),
            (r"(?<x>a)b\k<x>", "aba", true),
            ("a(?=b)", "ab", true),
            ("(?<=a)b", "ab", true),
            ("(?<!a)b", "ab", false),
            (r"a\/b", "a/b", true),
            (r"a\qb", "aqb", true),
            (r"a\zb", "azb", true),
            (r"\p{L}", "p{l}", true),
            (r"\0", "\0", true),
            (r"\cJ", "\n", true),
            ("a+?", "a", true),
            ("# x", "# x", true),
        ] {
            assert_eq!(compile(pattern).unwrap().is_match(text).unwrap(), expected, "{pattern} in {text:?}");
        }
    }

    #[test]
    fn an_error_names_the_construct() {
        for (pattern, part) in [
            ("*", "nothing to repeat in front of *"),
            ("a**", "nothing to repeat"),
            ("a++", "nothing to repeat in front of +"),
            ("(?i)a", "(?i"),
            ("(?#c)", "(?#"),
            ("[b-a]", "b-a"),
            ("[a", "never closed"),
            ("a\\", "ends in \\"),
            (r"\ud83d", r"\ud83d"),
            ("(", "("),
            ("a)", "a)"),
            ("a{2,1}", "a{2,1}"),
        ] {
            let message = compile(pattern).unwrap_err().to_string();
            assert!(message.contains(part), "{pattern}: {message}");
        }
    }
}
