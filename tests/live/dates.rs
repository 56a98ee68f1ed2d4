//! Texts that are dates, or nearly.

use super::dice::Dice;

/// Dates as writers of session files have been seen to spell them, and what is none.
pub(super) const ODD_DATES: &[&str] = &[
    "2026-01-05",
    "2026-01",
    "2026",
    "2026-01-05T08:00Z",
    "2026-01-05T08:00:00.5Z",
    "2026-01-05T08:00:00.123456789Z",
    "2026-01-05T08:00:00+02:00",
    "2026-01-05T08:00:00+0200",
    "2026-01-05T24:00:00Z",
    "2026-01-05T08:00:00",
    "2026-01-05 08:00:00",
    "2026-01-05 08:00:00Z",
    "2026-01-05T08:00:00 Z",
    "Mon, 05 Jan 2026 08:00:00 GMT",
    "Mon Jan 05 2026 08:00:00 GMT+0100",
    "Jan 5, 2026",
    "5 Jan 2026 08:00",
    "2026/01/05",
    "01/05/2026",
    "1/5/2026 8:00",
    "2026-1-5",
    "2026-13-01",
    "2026-02-30",
    "2026-02-30T00:00:00Z",
    "not a date",
    "",
    " 2026-01-05T08:00:00Z",
    "+002026-01-05T08:00:00Z",
    "1767600000000",
    "12",
    "2026-01-05t08:00:00z",
    "2026-01-05T08",
    "20260105",
    "2026-01-05T08:00:00.Z",
];

/// A text that looks like a date, more or less.
pub(crate) fn date_text(seed: u64) -> String {
    const WHOLE: &[&str] = &[
        "2026-01-05",
        "2026-01-05T08:00:04.123Z",
        "5 Jan 2026 08:00",
        "Mon, 05 Jan 2026 08:00:00 GMT",
        "1/5/2026 8:00 PM",
        "2026/01/05 10:20:30.4",
        "Jan 5, 2026",
        "2026-01-05T08:00:00+02:00",
    ];
    const PIECES: &[&str] = &[
        "2026",
        "26",
        "1999",
        "99",
        "01",
        "1",
        "5",
        "05",
        "31",
        "32",
        "13",
        "0",
        "00",
        "12",
        "24",
        "08",
        "8",
        "59",
        "60",
        "123",
        "1234567",
        "000123",
        "-",
        "-",
        "/",
        ":",
        ":",
        ":",
        ".",
        " ",
        " ",
        "T",
        "t",
        "Z",
        "+",
        "Jan",
        "february",
        "Mon",
        "am",
        "PM",
        "GMT",
        "EST",
        "+02:00",
        "-0530",
        "(a (b) c)",
        ")",
        ",",
        "é",
    ];
    let mut dice = Dice::new(seed);
    if dice.once_in(3) {
        return (0..=dice.roll(9)).map(|_| *dice.pick(PIECES)).collect();
    }
    let mut text = (*dice.pick(WHOLE)).to_owned();
    for _ in 0..=dice.roll(2) {
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let at = *dice.pick(&places);
        let end = *dice.pick(&places);
        let piece = *dice.pick(PIECES);
        match dice.roll(3) {
            0 => text.insert_str(at, piece),
            1 if at < end && end - at < 4 => text.replace_range(at..end, ""),
            _ if at < end && end - at < 4 => text.replace_range(at..end, piece),
            _ => {}
        }
    }
    text
}
