//! The few JavaScript behaviours that the format inherits from pi: lengths in UTF-16 units, dates, number
//! and string printing, white space, and a sort that survives incomparable values.

use std::borrow::Cow;
use std::cmp::Ordering;

pub use super::date::{date, date_from_number, iso};

/// Returns the first `units` UTF-16 units of `text` and whether that is all of it. A surrogate pair cut in
/// half leaves U+FFFD for its first half, as pi's cut leaves a lone surrogate there.
pub fn cut(text: &str, units: usize) -> (Cow<'_, str>, bool) {
    if text.len() <= units {
        return (Cow::Borrowed(text), true);
    }
    let mut left = units;
    for (at, c) in text.char_indices() {
        let width = c.len_utf16();
        if width > left {
            let kept = &text[..at];
            return if left == 0 {
                (Cow::Borrowed(kept), false)
            } else {
                (Cow::Owned(format!("{kept}{}", char::REPLACEMENT_CHARACTER)), false)
            };
        }
        left -= width;
    }
    (Cow::Borrowed(text), true)
}

/// Length in UTF-16 units.
pub fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// The largest character boundary not above `at`.
pub fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// White space and line ends as `String.prototype.trim` and `\s` know them.
pub fn is_space(c: char) -> bool {
    matches!(
        c,
        '\t' | '\n' | '\u{b}' | '\u{c}' | '\r' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200a}' | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}' | '\u{feff}'
    )
}

/// Trims as JavaScript does.
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// Trims the end as JavaScript does.
pub fn trim_end(text: &str) -> &str {
    text.trim_end_matches(is_space)
}

/// True when nothing is left after trimming.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(is_space)
}

/// The value of a key that JavaScript sorts before all others: a canonical array index.
pub fn array_index(key: &str) -> Option<u32> {
    let canonical = key == "0" || (!key.starts_with('0') && key.bytes().all(|byte| byte.is_ascii_digit()));
    (canonical && key.len() <= 10).then(|| key.parse().ok()).flatten().filter(|&index| index < u32::MAX)
}

/// Prints a number as JavaScript does inside JSON; what is not finite prints as `null`.
pub fn number(value: f64) -> String {
    if !value.is_finite() {
        return "null".into();
    }
    if value == 0.0 {
        return "0".into();
    }
    // Rust's exponent form has the shortest digits that read back equal, as JavaScript's has.
    let scientific = format!("{:e}", value.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let digits: String = mantissa.chars().filter(|&c| c != '.').collect();
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let point = exponent + 1;
    let count = digits.len() as i32;
    let sign = if value < 0.0 { "-" } else { "" };
    let body = if (count..=21).contains(&point) {
        format!("{digits}{}", "0".repeat((point - count) as usize))
    } else if 0 < point && point <= 21 {
        format!("{}.{}", &digits[..point as usize], &digits[point as usize..])
    } else if -6 < point && point <= 0 {
        format!("0.{}{digits}", "0".repeat(-point as usize))
    } else {
        let fraction = if count > 1 { format!(".{}", &digits[1..]) } else { String::new() };
        let plus = if exponent < 0 { "" } else { "+" };
        format!("{}{fraction}e{plus}{exponent}", &digits[..1])
    };
    format!("{sign}{body}")
}

/// The number a text stands for, as `Number(text)` reads it: nothing is 0, what is no number is `NaN`.
pub fn number_of(text: &str) -> f64 {
    let text = trim(text);
    for (prefix, radix) in [("0x", 16), ("0X", 16), ("0o", 8), ("0O", 8), ("0b", 2), ("0B", 2)] {
        if let Some(digits) = text.strip_prefix(prefix).filter(|digits| !digits.starts_with('+')) {
            return u128::from_str_radix(digits, radix).map_or(f64::NAN, |number| number as f64);
        }
    }
    match text {
        "" => 0.0,
        "Infinity" | "+Infinity" => f64::INFINITY,
        "-Infinity" => f64::NEG_INFINITY,
        // Rust has more words for numbers than JavaScript.
        _ if text.contains(|c: char| c.is_alphabetic() && !matches!(c, 'e' | 'E')) => f64::NAN,
        _ => text.parse().unwrap_or(f64::NAN),
    }
}

/// Appends `text` as a JSON string.
pub fn quote(text: &str, out: &mut String) {
    out.push('"');
    quote_inner(text, out);
    out.push('"');
}

/// Appends `text` as it stands inside a JSON string, without the quotes.
pub(crate) fn quote_inner(text: &str, out: &mut String) {
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0x8 => "\\b",
            0xc => "\\f",
            0..0x20 => "",
            _ => continue,
        };
        out.push_str(&text[from..at]);
        if escape.is_empty() {
            out.push_str(&format!("\\u{byte:04x}"));
        } else {
            out.push_str(escape);
        }
        from = at + 1;
    }
    out.push_str(&text[from..]);
}

/// Sorts as JavaScript's `Array.prototype.sort` does with a comparator that returns the difference of two
/// dates: stably, and where a date is missing (`None`, a `NaN` difference) the pair counts as equal. Such an
/// order is not a total one, so the steps of V8's sort for short runs are followed: count the first run,
/// then insert each further item by binary search.
pub fn sort_by_date<T: Copy>(items: &mut [T], order: SortOrder, date: impl Fn(&T) -> Option<i64>) {
    let compare = |a: &T, b: &T| match (date(a), date(b)) {
        (Some(a), Some(b)) if order == SortOrder::OldestFirst => a.cmp(&b),
        (Some(a), Some(b)) => b.cmp(&a),
        _ => Ordering::Equal,
    };
    if items.iter().all(|item| date(item).is_some()) {
        items.sort_by(compare);
        return;
    }
    let mut sorted = first_run(items, compare);
    while sorted < items.len() {
        let pivot = items[sorted];
        let mut left = 0;
        let mut right = sorted;
        while left < right {
            let middle = left + (right - left) / 2;
            if compare(&pivot, &items[middle]) == Ordering::Less {
                right = middle;
            } else {
                left = middle + 1;
            }
        }
        items[left..=sorted].rotate_right(1);
        sorted += 1;
    }
}

/// Direction of [`sort_by_date`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SortOrder {
    /// Oldest first.
    OldestFirst,
    /// Newest first.
    NewestFirst,
}

/// Length of the run at the start; a strictly falling one is turned round.
fn first_run<T: Copy>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) -> usize {
    if items.len() < 2 {
        return items.len();
    }
    let falling = compare(&items[1], &items[0]) == Ordering::Less;
    let mut length = 2;
    while length < items.len() && (compare(&items[length], &items[length - 1]) == Ordering::Less) == falling {
        length += 1;
    }
    if falling {
        items[..length].reverse();
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_javascript_prints_them() {
        for (value, text) in [
            (1.0, "1"),
            (-1.5, "-1.5"),
            (0.1, "0.1"),
            (1e-6, "0.000001"),
            (1e-7, "1e-7"),
            (1.25e-7, "1.25e-7"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (123.456, "123.456"),
            (f64::NAN, "null"),
            (-0.0, "0"),
        ] {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn texts_as_numbers() {
        for (text, number) in [
            ("", 0.0),
            (" 7 ", 7.0),
            ("0x10", 16.0),
            ("0b11", 3.0),
            ("-1.5e2", -150.0),
            (".5", 0.5),
            ("-Infinity", f64::NEG_INFINITY),
        ] {
            assert!(number_of(text).total_cmp(&number).is_eq(), "{text}");
        }
        for text in ["inf", "nan", "0x", "0x+1", "-0x1", "1_0", "1 2", "x"] {
            assert!(number_of(text).is_nan(), "{text}");
        }
    }

    #[test]
    fn a_missing_date_equals_every_other() {
        let mut items = [(1, Some(3)), (2, None), (3, Some(5)), (4, Some(1))];
        sort_by_date(&mut items, SortOrder::OldestFirst, |item| item.1);
        assert_eq!(items.map(|item| item.0), [1, 2, 4, 3]);
    }

    #[test]
    fn cutting_counts_utf16_units() {
        assert_eq!(cut("añ😀b", 3), (Cow::Owned("añ\u{fffd}".into()), false));
        assert_eq!(cut("añ😀b", 5), (Cow::Borrowed("añ😀b"), true));
        assert_eq!(units("añ😀b"), 5);
    }
}
