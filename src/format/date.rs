//! Dates as `new Date(text)` of pi's JavaScript engine reads them, and as it prints them.
//!
//! The engine first tries the ISO form. What is left over goes to a lenient reader that takes numbers and words
//! one by one, so that `5 Jan 2026 08:00 GMT+1`, `1/5/2026` and many odder texts are dates too. Writers of session
//! files have used several of these, and the order of branches depends on them.

use super::date_token::{Token, Tokens, Word};

/// The largest time a JavaScript date can hold, in milliseconds.
const MAX_TIME: f64 = 8.64e15;
/// No year beyond holds a date.
const MAX_YEAR: i64 = 300_000;

/// A number as a date: whole milliseconds, or `None` where JavaScript has an invalid date.
pub fn date_from_number(value: f64) -> Option<i64> {
    (value.is_finite() && value.abs() <= MAX_TIME).then_some(value as i64)
}

/// Milliseconds since 1970 of a date text, or `None` where it is none. Times without a zone are local.
pub fn date(text: &str) -> Option<i64> {
    as_pi_writes(text).or_else(|| read(text))
}

/// A date of exactly the form that pi writes, `2026-01-05T08:00:00.000Z`. Nearly all are.
fn as_pi_writes(text: &str) -> Option<i64> {
    let form = b"0000-00-00T00:00:00.000Z";
    let bytes: &[u8; 24] = text.as_bytes().try_into().ok()?;
    let fits = |(byte, form): (&u8, &u8)| if *form == b'0' { byte.is_ascii_digit() } else { byte == form };
    if !bytes.iter().zip(form).all(fits) {
        return None;
    }
    let number = |from: usize, to: usize| {
        bytes[from..to].iter().fold(0, |number, digit| 10 * number + i64::from(digit - b'0'))
    };
    let (year, month, day) = (number(0, 4), number(5, 7), number(8, 10));
    let (hour, minute, second) = (number(11, 13), number(14, 16), number(17, 19));
    // A day that not every month has takes the whole rules.
    let is_plain = (1..=12).contains(&month) && (1..=28).contains(&day);
    (is_plain && hour < 24 && minute < 60 && second < 60).then(|| {
        let seconds = ((days_from_civil(year, month, day) * 24 + hour) * 60 + minute) * 60 + second;
        seconds * 1000 + number(20, 23)
    })
}

fn read(text: &str) -> Option<i64> {
    let mut reading = Reading { tokens: Tokens { rest: text }, ..Reading::default() };
    let left_over = reading.iso()?;
    reading.lenient(left_over)?;
    reading.finish()
}

/// What has been read so far.
#[derive(Default)]
struct Reading<'t> {
    tokens: Tokens<'t>,
    /// Up to three numbers of a day.
    days: Vec<i64>,
    month: Option<i64>,
    is_iso: bool,
    /// Hours, minutes, seconds and milliseconds.
    clock: Vec<i64>,
    half_day: Option<i64>,
    sign: Option<i64>,
    zone_hours: Option<i64>,
    zone_minutes: Option<i64>,
}

impl Reading<'_> {
    /// Reads the ISO form as far as it goes. What is not of that form is returned for the lenient reader; but behind
    /// the `T` nothing else will do, and `None` says that it is no date.
    fn iso(&mut self) -> Option<Token> {
        let sign = match self.tokens.peek() {
            Token::Symbol(sign @ ('+' | '-')) => Some(sign),
            _ => None,
        };
        if let Some(sign) = sign {
            let token = self.tokens.next();
            let Some(year) = self.tokens.peek_fixed(6) else { return Some(token) };
            self.tokens.next();
            if sign == '-' && year == 0 {
                return Some(token);
            }
            self.days.push(if sign == '-' { -year } else { year });
        } else if let Some(year) = self.tokens.peek_fixed(4) {
            self.tokens.next();
            self.days.push(year);
        } else {
            return Some(self.tokens.next());
        }
        for most in [12, 31] {
            if !self.tokens.skip('-') {
                break;
            }
            match self.tokens.peek_fixed(2) {
                Some(value) if (1..=most).contains(&value) => self.days.push(value),
                _ => return Some(self.tokens.next()),
            }
            self.tokens.next();
        }
        if self.tokens.peek() == Token::Word(Word::Separator) {
            self.tokens.next();
            if !self.iso_clock() || self.tokens.peek() != Token::End {
                return None;
            }
        }
        if self.tokens.peek() != Token::End {
            return Some(self.tokens.next());
        }
        if self.sign.is_none() && self.clock.is_empty() {
            self.set_zone(0);
        }
        self.is_iso = true;
        Some(Token::End)
    }

    /// `HH:MM[:SS[.s…]][Z|±HH:MM|±HHMM]`
    fn iso_clock(&mut self) -> bool {
        let Some(hour) = self.tokens.peek_fixed(2).filter(|hour| (0..=24).contains(hour)) else {
            return false;
        };
        self.tokens.next();
        self.clock.push(hour);
        let most = if hour == 24 { 0 } else { 59 };
        if !self.tokens.skip(':') || !self.iso_number(most) {
            return false;
        }
        if self.tokens.skip(':') {
            if !self.iso_number(most) {
                return false;
            }
            if self.tokens.skip('.') {
                match self.tokens.peek() {
                    Token::Number(value, digits) if hour < 24 || value == 0 => {
                        self.clock.push(milliseconds(value, digits));
                        self.tokens.next();
                    }
                    _ => return false,
                }
            }
        }
        self.iso_zone()
    }

    fn iso_number(&mut self, most: i64) -> bool {
        let value = self.tokens.peek_fixed(2).filter(|value| (0..=most).contains(value));
        if let Some(value) = value {
            self.clock.push(value);
            self.tokens.next();
        }
        value.is_some()
    }

    fn iso_zone(&mut self) -> bool {
        match self.tokens.peek() {
            Token::Word(Word::Zulu) => {
                self.tokens.next();
                self.set_zone(0);
                true
            }
            Token::Symbol(sign @ ('+' | '-')) => {
                self.tokens.next();
                self.sign = Some(if sign == '-' { -1 } else { 1 });
                if let Some(both) = self.tokens.peek_fixed(4) {
                    self.tokens.next();
                    let is_valid = both / 100 < 24 && both % 100 < 60;
                    if is_valid {
                        (self.zone_hours, self.zone_minutes) = (Some(both / 100), Some(both % 100));
                    }
                    return is_valid;
                }
                let Some(hours) = self.tokens.peek_fixed(2).filter(|&hours| hours < 24) else { return false };
                self.tokens.next();
                self.zone_hours = Some(hours);
                if !self.tokens.skip(':') {
                    return false;
                }
                let Some(minutes) = self.tokens.peek_fixed(2).filter(|&minutes| minutes < 60) else {
                    return false;
                };
                self.tokens.next();
                self.zone_minutes = Some(minutes);
                true
            }
            _ => true,
        }
    }

    /// Takes the rest word by word; `None` where something stands there that no date can hold.
    fn lenient(&mut self, first: Token) -> Option<()> {
        let mut has_number = !self.days.is_empty();
        let mut token = first;
        while token != Token::End {
            match token {
                Token::Number(value, _) => {
                    has_number = true;
                    self.lenient_number(value)?;
                }
                Token::Word(Word::HalfDay(hours)) if !self.clock.is_empty() => self.half_day = Some(hours),
                Token::Word(Word::Month(month)) => {
                    self.month = Some(month);
                    self.tokens.skip('-');
                }
                Token::Word(Word::Zone(hours)) if has_number => self.set_zone(hours),
                Token::Word(Word::Zulu) if has_number => self.set_zone(0),
                // Words may stand in front of the first number, but apart from it.
                Token::Word(_) if has_number || matches!(self.tokens.peek(), Token::Number(..)) => {
                    return None;
                }
                Token::Symbol(sign @ ('+' | '-')) if self.is_utc() || !self.clock.is_empty() => {
                    has_number = true;
                    self.lenient_offset(sign)?;
                }
                Token::Symbol('+' | '-' | ')') if has_number => return None,
                _ => {}
            }
            token = self.tokens.next();
        }
        Some(())
    }

    fn lenient_number(&mut self, value: i64) -> Option<()> {
        if self.tokens.skip(':') {
            if self.tokens.skip(':') {
                if !self.clock.is_empty() {
                    return None;
                }
                self.clock.extend([value, 0]);
            } else {
                self.push_clock(value)?;
                self.tokens.skip('.');
            }
        } else if self.tokens.skip('.') && self.clock_expects(value) {
            self.push_clock(value)?;
            let Token::Number(fraction, digits) = self.tokens.next() else { return None };
            self.clock.push(milliseconds(fraction, digits));
            self.clock.resize(4, 0);
        } else if self.zone_hours.is_some() && self.zone_minutes.is_none() && value < 60 {
            self.zone_minutes = Some(value);
        } else if self.clock_expects(value) {
            self.push_clock(value)?;
            self.clock.resize(4, 0);
            let ends = matches!(
                self.tokens.peek(),
                Token::End | Token::Blank | Token::Word(Word::Zulu) | Token::Symbol('+' | '-')
            );
            return ends.then_some(());
        } else {
            if self.days.len() == 3 {
                return None;
            }
            self.days.push(value);
            self.tokens.skip('-');
        }
        Some(())
    }

    fn push_clock(&mut self, value: i64) -> Option<()> {
        (self.clock.len() < 4).then(|| self.clock.push(value))
    }

    /// Whether a number without a colon behind it goes on with the time of day.
    fn clock_expects(&self, value: i64) -> bool {
        match self.clock.len() {
            1 | 2 => value < 60,
            3 => value < 1000,
            _ => false,
        }
    }

    /// `+1`, `-08`, `+0100`, `+01:00`, or a sign alone.
    fn lenient_offset(&mut self, sign: char) -> Option<()> {
        self.sign = Some(if sign == '-' { -1 } else { 1 });
        let (value, digits) = match self.tokens.peek() {
            Token::Number(value, digits) => {
                self.tokens.next();
                (value, digits)
            }
            _ => (0, 0),
        };
        (self.zone_hours, self.zone_minutes) = if self.tokens.peek() == Token::Symbol(':') {
            (Some(value), None)
        } else {
            match digits {
                1 | 2 => (Some(value), Some(0)),
                3 | 4 => (Some(value / 100), Some(value % 100)),
                _ => return None,
            }
        };
        Some(())
    }

    fn set_zone(&mut self, hours: i64) {
        self.sign = Some(if hours < 0 { -1 } else { 1 });
        (self.zone_hours, self.zone_minutes) = (Some(hours.abs()), Some(0));
    }

    fn is_utc(&self) -> bool {
        self.zone_hours == Some(0) && self.zone_minutes == Some(0)
    }

    fn finish(mut self) -> Option<i64> {
        let (year, month, day) = self.day().filter(|(year, ..)| year.abs() <= MAX_YEAR)?;
        self.clock.resize(4, 0);
        let [hour, minute, second, millis] = self.clock[..] else { return None };
        let hour = match self.half_day {
            None => hour,
            Some(offset) if hour <= 12 => hour % 12 + offset,
            Some(_) => return None,
        };
        let is_midnight = hour == 24 && minute == 0 && second == 0 && millis == 0;
        if !is_midnight && (hour > 23 || minute > 59 || second > 59 || millis > 999) {
            return None;
        }
        let time = ((hour * 60 + minute) * 60 + second) * 1000 + millis;
        // A day beyond the end of its month runs into the next one.
        let utc = (days_from_civil(year, month, 1) + day - 1) * 86_400_000 + time;
        let millis = match self.sign {
            Some(sign) => {
                let minutes = self.zone_hours.unwrap_or(0) * 60 + self.zone_minutes.unwrap_or(0);
                utc - sign * minutes * 60_000
            }
            None => local_to_utc(utc)?,
        };
        date_from_number(millis as f64)
    }

    /// Year, month and day out of what was read, whose order depends on what it can be.
    fn day(&mut self) -> Option<(i64, i64, i64)> {
        if self.days.is_empty() {
            return None;
        }
        self.days.resize(3, 1);
        let [first, second, third] = self.days[..] else { return None };
        let is_day = |value: i64| (1..=31).contains(&value);
        let (year, month, day) = match self.month {
            None if self.is_iso || !is_day(first) => (first, second, third),
            None => (third, first, second),
            Some(month) if is_day(first) => (second, month, first),
            Some(month) => (first, month, second),
        };
        let year = match year {
            0..50 if !self.is_iso => year + 2000,
            50..100 if !self.is_iso => year + 1900,
            _ => year,
        };
        ((1..=12).contains(&month) && is_day(day)).then_some((year, month, day))
    }
}

/// Digits behind the point of seconds as milliseconds; what is finer is dropped.
fn milliseconds(value: i64, digits: usize) -> i64 {
    match digits {
        1 => value * 100,
        2 => value * 10,
        3 => value,
        _ => value / 10_i64.pow(digits.min(9) as u32 - 3),
    }
}

fn local_to_utc(local_millis: i64) -> Option<i64> {
    let Ok(wall) = jiff::Timestamp::from_millisecond(local_millis) else {
        // Beyond the calendar of time zones: taken as UTC.
        return Some(local_millis);
    };
    let wall = wall.to_zoned_datetime(jiff::tz::TimeZone::UTC).datetime();
    let zoned = wall.to_zoned_datetime(jiff::tz::TimeZone::system()).ok()?;
    Some(zoned.timestamp().as_millisecond())
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
        for (text, time) in [
            ("2026-02-30", "2026-03-02T00:00:00.000Z"),
            ("5 Jan 2026 08:00 GMT+1", "2026-01-05T07:00:00.000Z"),
            ("Mon Jan 05 2026 08:00:00 GMT+0100 (Central European)", "2026-01-05T07:00:00.000Z"),
            ("1/5/26 8:00 pm Z", "2026-01-05T20:00:00.000Z"),
            ("Z 2026-01-05 10::20:30.4 UTC", "2026-01-05T10:00:20.030Z"),
            ("Jan 5 UTC", "2001-01-05T00:00:00.000Z"),
        ] {
            assert_eq!(utc(text).unwrap_or_default(), time, "{text}");
        }
        let others = [
            "2026-01-05T08:00:00+02",
            "2026-01-05T08:00am",
            "2026/01/05 25:00",
            "99999999999-01-05T00:00Z",
            "Jan5x",
        ];
        for bad in others {
            assert_eq!(date(bad), None, "{bad}");
        }
        for bad in
            ["", "not a date", "2026-13-01", "2026-01-32", "2026-01-05T25:00Z", "2026-01-05T08:00:00Zjunk"]
        {
            assert_eq!(date(bad), None, "{bad}");
        }
        assert_eq!(date_from_number(f64::INFINITY), None);
        assert_eq!(date_from_number(8.64e15 + 1.0), None);
    }

    proptest::proptest! {
        #[test]
        fn what_pi_writes_is_read_as_anything_else(
            year in 0..10_000, month in 0..14, day in 0..33, hour in 0..25, minute in 0..61, millis in 0..1000,
        ) {
            let text = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:59.{millis:03}Z");
            if let Some(date) = as_pi_writes(&text) {
                proptest::prop_assert_eq!(Some(date), read(&text), "{}", text);
            } else {
                proptest::prop_assert!(day == 0 || day > 28 || month == 0 || month > 12 || hour > 23 || minute > 59);
            }
        }
    }
}
