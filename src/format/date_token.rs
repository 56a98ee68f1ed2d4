use super::js::is_space;

/// A piece of a date text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token {
    /// A run of digits: its value and how many there are.
    Number(i64, usize),
    /// One of `: - + . )`.
    Symbol(char),
    Word(Word),
    Blank,
    /// Anything else, and text in parentheses.
    Unknown,
    End,
}

/// What a run of letters means in a date.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Word {
    Month(i64),
    /// Hours to add: 0 for `am`, 12 for `pm`.
    HalfDay(i64),
    /// Hours east of Greenwich.
    Zone(i64),
    /// The single letter `Z`.
    Zulu,
    /// The single letter `T`.
    Separator,
    Other,
}

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const ZONES: [(&str, i64); 11] = [
    ("ut", 0),
    ("utc", 0),
    ("gmt", 0),
    ("est", -5),
    ("edt", -4),
    ("cst", -6),
    ("cdt", -5),
    ("mst", -7),
    ("mdt", -6),
    ("pst", -8),
    ("pdt", -7),
];

impl Word {
    /// Months are told by their first three letters, everything else only as a whole.
    fn of(word: &str) -> Self {
        let word = word.to_ascii_lowercase();
        if let Some(month) = MONTHS.iter().position(|&month| word.starts_with(month)) {
            return Self::Month(month as i64 + 1);
        }
        if let Some(&(_, hours)) = ZONES.iter().find(|(zone, _)| *zone == word) {
            return Self::Zone(hours);
        }
        match &*word {
            "am" => Self::HalfDay(0),
            "pm" => Self::HalfDay(12),
            "z" => Self::Zulu,
            "t" => Self::Separator,
            _ => Self::Other,
        }
    }
}

/// The pieces of a text, one after the other.
#[derive(Clone, Copy, Default)]
pub(super) struct Tokens<'t> {
    pub(super) rest: &'t str,
}

impl Tokens<'_> {
    pub(super) fn next(&mut self) -> Token {
        let Some(first) = self.rest.chars().next() else { return Token::End };
        let run = |is_in: fn(char) -> bool| self.rest.find(|c| !is_in(c)).unwrap_or(self.rest.len());
        let (token, length) = match first {
            '0'..='9' => {
                let length = run(|c| c.is_ascii_digit());
                (Token::Number(number(&self.rest[..length]), length), length)
            }
            ':' | '-' | '+' | '.' | ')' => (Token::Symbol(first), 1),
            _ if is_space(first) => (Token::Blank, run(is_space)),
            _ if first >= 'A' => {
                let length = run(|c| c >= 'A' && !is_space(c));
                (Token::Word(Word::of(&self.rest[..length])), length)
            }
            '(' => (Token::Unknown, parenthesised(self.rest)),
            _ => (Token::Unknown, first.len_utf8()),
        };
        self.rest = &self.rest[length..];
        token
    }

    pub(super) fn peek(self) -> Token {
        let mut ahead = self;
        ahead.next()
    }

    pub(super) fn skip(&mut self, symbol: char) -> bool {
        let is_next = self.peek() == Token::Symbol(symbol);
        if is_next {
            self.next();
        }
        is_next
    }

    /// The value of the next token if it is a number of that many digits.
    pub(super) fn peek_fixed(self, digits: usize) -> Option<i64> {
        match self.peek() {
            Token::Number(value, length) if length == digits => Some(value),
            _ => None,
        }
    }
}

/// Digits beyond the ninth that counts are passed over.
fn number(digits: &str) -> i64 {
    let significant = digits.trim_start_matches('0');
    significant[..significant.len().min(9)].parse().unwrap_or(0)
}

/// Length of the text up to the parenthesis that closes the first one, or all of it.
fn parenthesised(text: &str) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    text.len()
}
