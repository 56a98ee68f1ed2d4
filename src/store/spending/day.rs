use std::fmt;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

/// A local day, by its distance from the first of January 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Day(i32);

const FIRST: Date = Date::constant(1970, 1, 1);

impl Day {
    /// The day of a moment in milliseconds since 1970; `None` for one beyond the calendar.
    pub fn of(millis: i64, zone: &TimeZone) -> Option<Self> {
        let moment = Timestamp::from_millisecond(millis).ok()?;
        let date = zone.to_datetime(moment).date();
        Some(Self(date.since(FIRST).ok()?.get_days()))
    }

    /// The day so many days before this one.
    #[must_use]
    pub fn before(self, days: i32) -> Self {
        Self(self.0.saturating_sub(days))
    }

    /// The date, unless it lies beyond the calendar.
    pub fn date(self) -> Option<Date> {
        FIRST.checked_add(jiff::Span::new().try_days(self.0).ok()?).ok()
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.date() {
            Some(date) => date.fmt(f),
            None => write!(f, "day {}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_local_and_written_as_dates() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap().as_millisecond();
        let kiritimati = TimeZone::fixed(jiff::tz::offset(14));
        for (moment, zone, shown) in [
            ("2026-01-05T12:00:00Z", TimeZone::UTC, "2026-01-05"),
            ("2026-01-05T12:00:00Z", kiritimati, "2026-01-06"),
            ("1969-12-31T23:59:59Z", TimeZone::UTC, "1969-12-31"),
            ("2024-02-29T00:00:00Z", TimeZone::UTC, "2024-02-29"),
        ] {
            assert_eq!(Day::of(at(moment), &zone).unwrap().to_string(), shown);
        }
        let day = Day::of(at("2026-03-01T00:00:00Z"), &TimeZone::UTC).unwrap();
        assert_eq!(day.before(1).to_string(), "2026-02-28");
        assert_eq!(Day::of(i64::MAX, &TimeZone::UTC), None);
        assert_eq!(Day(i32::MAX).to_string(), "day 2147483647");
    }
}
