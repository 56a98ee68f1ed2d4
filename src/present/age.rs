//! Times and amounts as people read them in a row.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

use crate::session::WindowShare;

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// How it is told when something was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Times {
    /// By the clock, with the date where it is another day.
    #[default]
    Clock,
    /// By how long ago it was.
    Age,
    /// By the date, and the clock where there is room, as in ISO 8601.
    Iso,
}

impl Times {
    /// A moment in a few words; nothing for one beyond the calendar.
    pub fn words(self, now: i64, then: i64, zone: &TimeZone) -> String {
        match self {
            Self::Clock => moment(now, then, zone).unwrap_or_default(),
            Self::Age => ago(now, then),
            Self::Iso => match (date(then, zone), clock(then, zone)) {
                (Some(date), Some(clock)) => format!("{date} {clock}"),
                _ => String::new(),
            },
        }
    }

    /// A moment in no more than [`Times::columns`], less one: `3h`; `14:02`, `5 Jan`, `5 Jan 25`; `2025-01-05`.
    pub fn short(self, now: i64, then: i64, zone: &TimeZone) -> String {
        let told = match self {
            Self::Age => Some(age(now, then)),
            Self::Iso => date(then, zone),
            Self::Clock => short(now, then, zone),
        };
        told.unwrap_or_else(|| "?".into())
    }

    /// The columns of [`Times::short`] and a blank before it.
    pub fn columns(self) -> usize {
        match self {
            Self::Age => 5,
            Self::Clock => 10,
            Self::Iso => 11,
        }
    }
}

fn short(now: i64, then: i64, zone: &TimeZone) -> Option<String> {
    let (now, then) = (local(now, zone)?, local(then, zone)?);
    Some(if now.date() == then.date() {
        format!("{:02}:{:02}", then.hour(), then.minute())
    } else if now.year() == then.year() {
        then.strftime("%-d %b").to_string()
    } else {
        then.strftime("%-d %b %y").to_string()
    })
}

/// The age of a moment as pi's picker shows it: `now`, then whole minutes, hours, days, weeks, months of 30
/// and years of 365 days. Both arguments are milliseconds since 1970; the future is `now`.
pub fn age(now: i64, then: i64) -> String {
    let passed = now.saturating_sub(then);
    let days = passed / DAY;
    match (passed, days) {
        (i64::MIN..MINUTE, _) => "now".into(),
        (MINUTE..HOUR, _) => format!("{}m", passed / MINUTE),
        (HOUR..DAY, _) => format!("{}h", passed / HOUR),
        (_, ..7) => format!("{days}d"),
        (_, 7..30) => format!("{}w", days / 7),
        (_, 30..365) => format!("{}mo", days / 30),
        (_, 365..) => format!("{}y", days / 365),
    }
}

/// The age of a moment in a sentence: `3h ago`, `just now`.
pub fn ago(now: i64, then: i64) -> String {
    match age(now, then).as_str() {
        "now" => "just now".into(),
        age => format!("{age} ago"),
    }
}

/// The time of day, `14:02`; `None` for a moment beyond the calendar.
pub fn clock(millis: i64, zone: &TimeZone) -> Option<String> {
    let local = local(millis, zone)?;
    Some(format!("{:02}:{:02}", local.hour(), local.minute()))
}

/// The date, `2026-01-05`; `None` for a moment beyond the calendar.
pub fn date(millis: i64, zone: &TimeZone) -> Option<String> {
    Some(local(millis, zone)?.date().to_string())
}

/// The day, `Mon 5 Jan 2026`; `None` for a moment beyond the calendar.
pub fn day(millis: i64, zone: &TimeZone) -> Option<String> {
    let at = local(millis, zone)?;
    Some(at.strftime("%a %-d %b %Y").to_string())
}

/// A moment as short as it can be without doubt: `14:02` today, `5 Jan 14:02` in this year, else
/// `5 Jan 2025 14:02`.
pub fn moment(now: i64, then: i64, zone: &TimeZone) -> Option<String> {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let at = local(then, zone)?;
    let today = local(now, zone).map(DateTime::date);
    let clock = clock(then, zone)?;
    if today == Some(at.date()) {
        return Some(clock);
    }
    let month = MONTHS[usize::from(at.month().unsigned_abs() - 1) % 12];
    Some(if today.map(Date::year) == Some(at.year()) {
        format!("{} {month} {clock}", at.day())
    } else {
        format!("{} {month} {} {clock}", at.day(), at.year())
    })
}

/// The stretch of time in which a moment lies, in a word or two: `today`, `yesterday`, the day of the week for the six
/// days before, else the month, with its year where that is another. `None` for a moment beyond the calendar.
pub fn period(now: i64, then: i64, zone: &TimeZone) -> Option<String> {
    let (today, day) = (local(now, zone)?.date(), local(then, zone)?.date());
    let days = day.until(today).ok()?.get_days();
    Some(match days {
        ..=0 => "today".into(),
        1 => "yesterday".into(),
        2..=6 => day.strftime("%A").to_string(),
        _ if day.year() == today.year() => day.strftime("%B").to_string(),
        _ => day.strftime("%B %Y").to_string(),
    })
}

/// The time of a label as pi's tree shows it: `14:02` today, `1/5 14:02` in this year, else `25/1/5 14:02`.
pub fn label_time(now: i64, then: i64, zone: &TimeZone) -> Option<String> {
    let at = local(then, zone)?;
    let today = local(now, zone).map(DateTime::date);
    let clock = clock(then, zone)?;
    let day = format!("{}/{}", at.month(), at.day());
    Some(if today == Some(at.date()) {
        clock
    } else if today.map(Date::year) == Some(at.year()) {
        format!("{day} {clock}")
    } else {
        format!("{:02}/{day} {clock}", at.year().rem_euclid(100))
    })
}

fn local(millis: i64, zone: &TimeZone) -> Option<DateTime> {
    let moment = Timestamp::from_millisecond(millis).ok()?;
    Some(moment.to_zoned_datetime(zone.clone()).datetime())
}

/// A number of tokens as pi's footer shows it: `999`, `1.2k`, `12k`, `1.2M`, `12M`; `?` for
/// what is no number.
pub fn tokens(count: f64) -> String {
    if !count.is_finite() {
        "?".into()
    } else if count < 1000.0 {
        format!("{}", count.max(0.0).round())
    } else if count < 10_000.0 {
        format!("{}k", one_digit(count / 1000.0))
    } else if count < 1_000_000.0 {
        format!("{}k", (count / 1000.0).round())
    } else if count < 10_000_000.0 {
        format!("{}M", one_digit(count / 1_000_000.0))
    } else {
        format!("{}M", (count / 1_000_000.0).round())
    }
}

/// How full a model's window is: `6.2% of 200k`, `? of 200k` where that is not known.
pub fn share(share: WindowShare) -> String {
    let percent = share.percent.map_or_else(|| "?".to_owned(), |percent| format!("{}%", one_digit(percent)));
    format!("{percent} of {}", tokens(share.window))
}

/// One digit after the point; a tie is rounded up, as JavaScript does.
fn one_digit(value: f64) -> String {
    // Only quarters can be ties in binary, and a hundredth more decides those without touching others.
    let is_quarter = (value * 4.0).fract() == 0.0;
    format!("{:.1}", if is_quarter { value + 0.01 } else { value })
}

/// A whole number with its thousands parted: `12,345`.
pub fn count(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `count(number)` with its noun: `1 line`, `2,140 lines`.
pub fn counted(number: usize, noun: &str) -> String {
    format!("{} {noun}{}", count(number), if number == 1 { "" } else { "s" })
}

/// `count(number)` with a noun whose plural is not regular: `1 entry`, `2 entries`.
pub fn counted_as(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// An amount of dollars: `$0.38`, `<$0.01`, `$1,204`.
pub fn cost(dollars: f64) -> String {
    if !dollars.is_finite() || dollars <= 0.0 {
        "$0.00".into()
    } else if dollars < 0.005 {
        "<$0.01".into()
    } else if dollars < 1000.0 {
        format!("${dollars:.2}")
    } else {
        format!("${}", count(dollars.round() as usize))
    }
}

/// How long something took: `320 ms`, `8.4 s`, `2 min 5 s`; nothing for what is no length of time.
pub fn duration(millis: f64) -> String {
    if !millis.is_finite() || millis < 0.0 {
        String::new()
    } else if millis < 1_000.0 {
        format!("{} ms", millis.round())
    } else if millis < 60_000.0 {
        format!("{:.1} s", millis / 1_000.0)
    } else {
        let seconds = (millis / 1_000.0).round();
        format!("{} min {} s", (seconds / 60.0).floor(), seconds % 60.0)
    }
}

/// A size: `812 B`, `1.2 KB`, `412 KB`, `3.1 MB`, with 1 KB = 1024 bytes.
pub fn bytes(size: u64) -> String {
    const UNITS: [&str; 4] = ["KB", "MB", "GB", "TB"];
    if size < 1024 {
        return format!("{size} B");
    }
    let mut value = size as f64 / 1024.0;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if value < 9.95 { format!("{value:.1} {}", UNITS[unit]) } else { format!("{value:.0} {}", UNITS[unit]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_is_a_day_or_a_month() {
        // Mon 30 Nov 2026, 12:00.
        let now = 1_796_040_000_000;
        for (days, wanted) in [
            (-1, "today"),
            (0, "today"),
            (1, "yesterday"),
            (2, "Saturday"),
            (6, "Tuesday"),
            (7, "November"),
            (40, "October"),
            (365, "November 2025"),
        ] {
            assert_eq!(period(now, now - days * DAY, &TimeZone::UTC).as_deref(), Some(wanted), "{days}");
        }
        assert_eq!(period(now, i64::MAX, &TimeZone::UTC), None);
    }

    #[test]
    fn ages_as_pi_shows_them() {
        for (passed, text) in [
            (-5, "now"),
            (MINUTE - 1, "now"),
            (MINUTE, "1m"),
            (HOUR - 1, "59m"),
            (DAY - 1, "23h"),
            (DAY, "1d"),
            (7 * DAY - 1, "6d"),
            (7 * DAY, "1w"),
            (30 * DAY - 1, "4w"),
            (30 * DAY, "1mo"),
            (364 * DAY, "12mo"),
            (365 * DAY, "1y"),
            (800 * DAY, "2y"),
        ] {
            assert_eq!(age(1_000_000_000_000, 1_000_000_000_000 - passed), text);
        }
        assert_eq!(age(i64::MAX, i64::MIN), format!("{}y", i64::MAX / DAY / 365));
    }

    #[test]
    fn a_column_tells_when_something_was() {
        let (zone, now) = (TimeZone::UTC, 1_767_600_120_000); // 2026-01-05 08:02 UTC
        for (passed, age, clock, iso) in [
            (HOUR, "1h", "07:02", "2026-01-05"),
            (DAY, "1d", "4 Jan", "2026-01-04"),
            (20 * DAY, "2w", "16 Dec 25", "2025-12-16"),
        ] {
            for (times, told) in [(Times::Age, age), (Times::Clock, clock), (Times::Iso, iso)] {
                assert_eq!(times.short(now, now - passed, &zone), told);
                assert!(told.len() < times.columns());
            }
        }
        assert_eq!(Times::Iso.words(now, now, &zone), "2026-01-05 08:02");
        assert_eq!(Times::Clock.short(now, i64::MAX, &zone), "?");
    }

    #[test]
    fn local_times() {
        let zone = TimeZone::fixed(jiff::tz::offset(2));
        let then = 1_767_600_120_000; // 2026-01-05 08:02 UTC
        assert_eq!(clock(then, &zone).unwrap(), "10:02");
        assert_eq!(date(then, &zone).unwrap(), "2026-01-05");
        assert_eq!(date(then + 14 * HOUR, &zone).unwrap(), "2026-01-06");
        for (passed, short, label) in [
            (HOUR, "10:02", "10:02"),
            (DAY, "5 Jan 10:02", "1/5 10:02"),
            (365 * DAY, "5 Jan 2026 10:02", "26/1/5 10:02"),
        ] {
            assert_eq!(moment(then + passed, then, &zone).unwrap(), short);
            assert_eq!(label_time(then + passed, then, &zone).unwrap(), label);
        }
        assert_eq!(clock(i64::MAX, &zone), None);
    }

    #[test]
    fn token_counts_as_pi_shows_them() {
        for (number, text) in [
            (0.0, "0"),
            (999.0, "999"),
            (1000.0, "1.0k"),
            (1150.0, "1.1k"),
            (1250.0, "1.3k"),
            (1234.0, "1.2k"),
            (9999.0, "10.0k"),
            (12_499.0, "12k"),
            (999_999.0, "1000k"),
            (1_250_000.0, "1.3M"),
            (12_500_000.0, "13M"),
            (f64::NAN, "?"),
        ] {
            assert_eq!(tokens(number), text, "{number}");
        }
    }

    #[test]
    fn amounts() {
        assert_eq!(count(999), "999");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(counted(1, "line"), "1 line");
        assert_eq!(counted(2140, "line"), "2,140 lines");
        assert_eq!(
            [0.0, 0.004, 0.005, 0.384, 12.0, 1204.4, f64::INFINITY].map(cost),
            ["$0.00", "<$0.01", "$0.01", "$0.38", "$12.00", "$1,204", "$0.00"]
        );
        assert_eq!(
            [0, 1023, 1024, 1229, 421_888, 1_048_575, 3_250_586].map(bytes),
            ["0 B", "1023 B", "1.0 KB", "1.2 KB", "412 KB", "1.0 MB", "3.1 MB"]
        );
    }

    #[test]
    fn durations_have_one_unit_or_two() {
        for (millis, text) in
            [(0.0, "0 ms"), (320.4, "320 ms"), (8_440.0, "8.4 s"), (125_000.0, "2 min 5 s"), (f64::NAN, "")]
        {
            assert_eq!(duration(millis), text);
        }
    }
}
