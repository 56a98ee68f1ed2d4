//! The few JavaScript behaviours that the format inherits from pi: lengths in UTF-16 units, dates, number
//! and string printing, white space, and a sort that survives incomparable values.

use std::borrow::Cow;
use std::cmp::Ordering;

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

/// The largest time a JavaScript date can hold, in milliseconds.
const MAX_TIME: f64 = 8.64e15;

/// A number as a date: whole milliseconds, or `None` where JavaScript has an invalid date.
pub fn date_from_number(value: f64) -> Option<i64> {
    (value.is_finite() && value.abs() <= MAX_TIME).then_some(value as i64)
}

/// Milliseconds since 1970 of a date text, as `new Date(text)` reads it: the ISO forms exactly, a few other
/// common forms, `None` for the rest.
pub fn date(text: &str) -> Option<i64> {
    iso_date(text).or_else(|| loose_date(text))
}

fn iso_date(text: &str) -> Option<i64> {
    let mut rest = text;
    let year_digits = if rest.starts_with(['+', '-']) { 7 } else { 4 };
    let year: i64 = take(&mut rest, year_digits)?.parse().ok()?;
    if text.starts_with("-000000") {
        return None;
    }
    let mut month = 1;
    let mut day = 1;
    if strip(&mut rest, '-') {
        month = take_digits(&mut rest, 2)?;
        if strip(&mut rest, '-') {
            day = take_digits(&mut rest, 2)?;
        }
    }
    let mut time = 0;
    let mut offset = Some(0);
    if strip(&mut rest, 'T') || strip(&mut rest, 't') {
        (time, offset) = clock(&mut rest)?;
    }
    if !rest.is_empty() || !(1..=12).contains(&month) || day < 1 || day > days_in(year, month) {
        return None;
    }
    let utc = days_from_civil(year, month, day) * 86_400_000 + time;
    let millis = match offset {
        Some(minutes) => utc - minutes * 60_000,
        None => local_to_utc(utc)?,
    };
    ((millis as f64).abs() <= MAX_TIME).then_some(millis)
}

/// Reads `HH:MM[:SS[.s…]][Z|±HH:MM]`: milliseconds of the day, and the offset in minutes or `None` for
/// local time.
fn clock(rest: &mut &str) -> Option<(i64, Option<i64>)> {
    let hour = take_digits(rest, 2)?;
    if !strip(rest, ':') {
        return None;
    }
    let minute = take_digits(rest, 2)?;
    let mut second = 0;
    let mut millis = 0;
    if strip(rest, ':') {
        second = take_digits(rest, 2)?;
        if strip(rest, '.') {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let fraction = take(rest, digits).filter(|text| !text.is_empty())?;
            let padded = format!("{fraction:0<3}");
            millis = padded[..3].parse().ok()?;
        }
    }
    let midnight = hour == 24 && minute == 0 && second == 0 && millis == 0;
    if (hour > 23 && !midnight) || minute > 59 || second > 59 {
        return None;
    }
    let offset = if strip(rest, 'Z') || strip(rest, 'z') {
        Some(0)
    } else if let Some(sign) = rest.chars().next().filter(|c| matches!(c, '+' | '-')) {
        *rest = &rest[1..];
        let hours = take_digits(rest, 2)?;
        strip(rest, ':');
        let minutes = take_digits(rest, 2)?;
        if hours > 23 || minutes > 59 {
            return None;
        }
        let total = hours * 60 + minutes;
        Some(if sign == '-' { -total } else { total })
    } else {
        None
    };
    Some((((hour * 60 + minute) * 60 + second) * 1000 + millis, offset))
}

/// Forms outside ISO that writers of session files have been seen to use.
fn loose_date(text: &str) -> Option<i64> {
    let text = trim(text);
    if let Ok(stamp) = jiff::fmt::rfc2822::parse(text) {
        return Some(stamp.timestamp().as_millisecond());
    }
    let (day, time) = text.split_once(' ')?;
    if day.len() == 10 && time.len() >= 5 {
        return iso_date(&format!("{day}T{}", time.replace(' ', "")));
    }
    None
}

fn local_to_utc(local_millis: i64) -> Option<i64> {
    let wall = jiff::Timestamp::from_millisecond(local_millis)
        .ok()?
        .to_zoned_datetime(jiff::tz::TimeZone::UTC)
        .datetime();
    let zoned = wall.to_zoned_datetime(jiff::tz::TimeZone::system()).ok()?;
    Some(zoned.timestamp().as_millisecond())
}

fn take<'t>(rest: &mut &'t str, count: usize) -> Option<&'t str> {
    let head = rest.get(..count)?;
    *rest = &rest[count..];
    Some(head)
}

fn take_digits(rest: &mut &str, count: usize) -> Option<i64> {
    let head = take(rest, count)?;
    head.bytes().all(|byte| byte.is_ascii_digit()).then(|| head.parse().ok()).flatten()
}

fn strip(rest: &mut &str, c: char) -> bool {
    rest.strip_prefix(c).map(|after| *rest = after).is_some()
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

/// Days from 1970-01-01 to a date of the proleptic Gregorian calendar.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let shifted = if month <= 2 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let year_of_era = shifted.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// Prints milliseconds since 1970 as `Date.prototype.toISOString` does.
pub fn iso(millis: i64) -> String {
    let days = millis.div_euclid(86_400_000);
    let time = millis.rem_euclid(86_400_000);
    let (year, month, day) = civil_from_days(days);
    let year = match year {
        0..=9999 => format!("{year:04}"),
        _ => format!("{}{:06}", if year < 0 { '-' } else { '+' }, year.abs()),
    };
    let (hour, minute, second) = (time / 3_600_000, time / 60_000 % 60, time / 1000 % 60);
    format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", time % 1000)
}

fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
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
    fn dates_as_javascript_reads_them() {
        let utc = |text: &str| date(text).map(iso);
        assert_eq!(utc("2026-01-05T08:00:04.000Z").unwrap(), "2026-01-05T08:00:04.000Z");
        assert_eq!(utc("2026-01-05T08:00:04.1239Z").unwrap(), "2026-01-05T08:00:04.123Z");
        assert_eq!(utc("2026-01-05T08:00+02:00").unwrap(), "2026-01-05T06:00:00.000Z");
        assert_eq!(utc("2026-01-05").unwrap(), "2026-01-05T00:00:00.000Z");
        assert_eq!(utc("2026").unwrap(), "2026-01-01T00:00:00.000Z");
        assert_eq!(utc("2024-02-29T24:00Z").unwrap(), "2024-03-01T00:00:00.000Z");
        assert_eq!(utc("+012026-01-01T00:00:00Z").unwrap(), "+012026-01-01T00:00:00.000Z");
        assert_eq!(utc("Mon, 05 Jan 2026 08:00:00 GMT").unwrap(), "2026-01-05T08:00:00.000Z");
        for bad in
            ["", "not a date", "2026-13-01", "2026-01-32", "2026-01-05T25:00Z", "2026-01-05T08:00:00Zjunk"]
        {
            assert_eq!(date(bad), None, "{bad}");
        }
        assert_eq!(date_from_number(f64::INFINITY), None);
        assert_eq!(date_from_number(8.64e15 + 1.0), None);
    }

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
