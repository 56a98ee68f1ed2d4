use std::ops::Range;

use super::needle::Needle;
use super::row::Row;

/// An occurrence of something in rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The row in which it begins.
    pub row: usize,
    /// The bytes of that row, and of those below it in turn, that belong to it. There is at least one range, and none
    /// is empty.
    pub parts: Vec<Range<usize>>,
}

/// Finds something in rows, from top to bottom: also where a line that was too long for one row is broken in the middle
/// of it.
pub fn hits(rows: &[Row], needle: &Needle) -> Vec<Hit> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < rows.len() {
        let end = line_end(rows, at);
        let line = Line::of(&rows[at..end]);
        found.extend(needle.find(&line.text).into_iter().filter_map(|range| line.hit(range, at)));
        at = end;
    }
    found
}

/// Finds something in those of the rows that are in a range, and in what is out of it of the lines at its ends.
pub fn hits_within(rows: &[Row], range: &Range<usize>, needle: &Needle) -> Vec<Hit> {
    let last = range.end.min(rows.len());
    if range.start >= last {
        return Vec::new();
    }
    let first = line_start(rows, range.start);
    let mut found = hits(&rows[first..line_end(rows, last - 1)], needle);
    for hit in &mut found {
        hit.row += first;
    }
    found
}

/// The row at which the line begins that the row `at` is a part of.
fn line_start(rows: &[Row], at: usize) -> usize {
    rows.iter().take(at + 1).rposition(|row| row.joint.is_none()).unwrap_or(0)
}

/// The row behind the line that begins at the row `at`, or that this row is a part of.
fn line_end(rows: &[Row], at: usize) -> usize {
    let below = rows.get(at + 1..).unwrap_or_default();
    at + 1 + below.iter().take_while(|row| row.joint.is_some()).count()
}

/// The text of a line put together again from its rows.
struct Line {
    text: String,
    /// For every row that has some of it: the row, the bytes of the text, and where those begin in the row.
    pieces: Vec<(usize, Range<usize>, usize)>,
}

impl Line {
    fn of(rows: &[Row]) -> Self {
        let mut line = Self { text: String::new(), pieces: Vec::new() };
        for (at, row) in rows.iter().enumerate() {
            let plain = row.plain();
            let joint = row.joint.filter(|_| at > 0);
            let lead = joint.map_or(0, |joint| joint.lead);
            let text = plain.get(lead..).unwrap_or_default();
            // What fills a row up to its right edge is no part of the line.
            let text = if at + 1 < rows.len() { text.trim_end_matches(' ') } else { text };
            line.text.extend(std::iter::repeat_n(' ', joint.map_or(0, |joint| joint.blanks)));
            let start = line.text.len();
            line.text.push_str(text);
            line.pieces.push((at, start..line.text.len(), lead));
        }
        line
    }

    /// A range of the text as ranges of the rows, of which the first is row `first` of all.
    fn hit(&self, (start, end): (usize, usize), first: usize) -> Option<Hit> {
        let touched = self.pieces.iter().filter(|(_, text, _)| text.start < end && start < text.end);
        let mut row = None;
        let mut parts = Vec::new();
        for (at, text, lead) in touched {
            row.get_or_insert(first + at);
            let within = |byte: usize| byte.clamp(text.start, text.end) - text.start + lead;
            parts.push(within(start)..within(end));
        }
        Some(Hit { row: row?, parts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::Tone;
    use crate::present::wrap::wrap;
    use proptest::prelude::*;

    fn found(rows: &[Row], typed: &str) -> Vec<(usize, Vec<String>)> {
        let needle = Needle::parse(typed).unwrap().unwrap();
        let texts = |hit: &Hit| {
            let rows = rows[hit.row..].iter().zip(&hit.parts);
            rows.map(|(row, part)| row.plain()[part.clone()].to_owned()).collect()
        };
        hits(rows, &needle).iter().map(|hit| (hit.row, texts(hit))).collect()
    }

    fn page(text: &str, columns: usize) -> Vec<Row> {
        let left = Row::new().text("▎ ", Tone::User);
        let lines = text.split('\n').flat_map(|line| wrap(&Row::new().text(line, Tone::Text), columns, 2));
        lines.map(|row| left.clone().then(row)).collect()
    }

    #[test]
    fn what_is_broken_by_the_end_of_a_row_is_found_whole() {
        for (text, columns, typed, wanted) in [
            ("use the cookie jar", 10, "cookie jar", vec![(1, vec!["cookie", "jar"])]),
            ("use the cookie jar", 10, "the  cookie", vec![]),
            ("use the cookie jar", 10, "re:e ?c", vec![(0, vec!["e", "c"])]),
            ("abcdefghij", 4, "defg", vec![(0, vec!["d", "ef", "g"])]),
            ("x a\nb a", 9, "a b", vec![]),
            ("a a a", 9, "a", vec![(0, vec!["a"]), (0, vec!["a"]), (0, vec!["a"])]),
        ] {
            let wanted: Vec<(usize, Vec<String>)> = wanted
                .into_iter()
                .map(|(row, parts): (usize, Vec<&str>)| (row, parts.into_iter().map(str::to_owned).collect()))
                .collect();
            assert_eq!(found(&page(text, columns), typed), wanted, "{text:?} {typed}");
        }
    }

    #[test]
    fn a_line_is_found_from_any_of_its_rows() {
        let rows = page("one two three\nfour", 7);
        let ends: Vec<(usize, usize)> =
            (0..rows.len()).map(|at| (line_start(&rows, at), line_end(&rows, at))).collect();
        assert_eq!(ends, [(0, 2), (0, 2), (2, 3)]);
        let needle = Needle::parse("two three").unwrap().unwrap();
        assert_eq!(hits_within(&rows, &(1..2), &needle), hits(&rows, &needle));
        assert_eq!(hits_within(&rows, &(2..9), &needle), []);
        assert_eq!(hits_within(&[], &(0..9), &needle), []);
    }

    #[test]
    fn what_fills_a_row_up_is_no_part_of_the_line() {
        let rows: Vec<Row> = page("one two", 6).into_iter().map(|row| row.pad(9, Tone::Added)).collect();
        assert_eq!(found(&rows, "one two"), [(0, vec!["one".to_owned(), "two".to_owned()])]);
    }

    proptest! {
        #[test]
        fn wrapping_hides_nothing(
            words in prop::collection::vec("[a-c設]{1,7}", 1..12),
            from in 0usize..12,
            count in 1usize..4,
            columns in 3usize..30,
        ) {
            let wanted = words.iter().skip(from % words.len()).take(count).cloned().collect::<Vec<_>>().join(" ");
            let rows = page(&words.join(" "), columns);
            prop_assert!(!found(&rows, &wanted).is_empty(), "{wanted} {rows:?}");
        }
    }
}
