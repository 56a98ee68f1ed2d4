use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// Reads a time in milliseconds since 1970, as it may stand behind `since:`: a local day, an exact time, or how long
/// before `now`.
pub fn moment(text: &str, now: i64, zone: &TimeZone) -> Option<i64> {
    if let Ok(day) = text.parse::<Date>()
        && text.len() == "2026-11-30".len()
    {
        return Some(day.to_zoned_datetime(zone.clone()).ok()?.timestamp().as_millisecond());
    }
    if let Ok(time) = text.parse::<Timestamp>() {
        return Some(time.as_millisecond());
    }
    let unit = text.chars().last()?;
    let count: i64 = text[..text.len() - unit.len_utf8()].parse().ok().filter(|count| *count >= 0)?;
    let hours = match unit {
        'h' => 1,
        'd' => 24,
        'w' => 7 * 24,
        _ => return None,
    };
    now.checked_sub(count.checked_mul(hours * 60 * 60 * 1000)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::js;

    #[test]
    fn times_are_days_or_moments_or_ages() {
        let now: Timestamp = "2026-11-30T12:00:00Z".parse().unwrap();
        for (text, wanted) in [
            ("2026-11-29", Some("2026-11-29T00:00:00.000Z")),
            ("2026-11-29T10:00:00Z", Some("2026-11-29T10:00:00.000Z")),
            ("12h", Some("2026-11-30T00:00:00.000Z")),
            ("2d", Some("2026-11-28T12:00:00.000Z")),
            ("1w", Some("2026-11-23T12:00:00.000Z")),
            ("0d", Some("2026-11-30T12:00:00.000Z")),
            ("", None),
            ("soon", None),
            ("-1d", None),
            ("5", None),
            ("d", None),
            ("99999999999999999999d", None),
            ("9999999999999d", None),
        ] {
            let found = moment(text, now.as_millisecond(), &TimeZone::UTC).map(js::iso);
            assert_eq!(found.as_deref(), wanted, "{text}");
        }
    }
}
