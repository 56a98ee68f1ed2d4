//! A change to a text as rows: what was removed, what was added, and which words differ.

use similar::{ChangeTag, TextDiff};

use super::row::{Row, Span, Tone};
use super::sanitize;
use super::wrap::wrap;

/// Texts of more lines are shown as removed and added without looking for what they share.
const MOST_LINES: usize = 1_000;
/// Lines of more bytes are not compared word by word.
const LONGEST_LINE: usize = 1_000;
/// Longer runs of changed lines are not compared word by word.
const LONGEST_RUN: usize = 40;
/// Where less than this part of two lines is shared, marking the words would only confuse.
const LEAST_SHARED: f32 = 0.4;

/// What happened to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It is in both texts.
    Kept,
    /// It is in the new text only.
    Added,
    /// It is in the old text only.
    Removed,
    /// Not a line but a gap between two places.
    Skipped,
}

/// A line of a diff. Its text is sanitised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// What happened to it.
    pub(crate) fate: Fate,
    /// The line number where it is known.
    pub(crate) number: Option<u32>,
    /// The text in pieces; `true` marks a piece that differs from the line it replaces.
    pub(crate) pieces: Vec<(bool, String)>,
}

/// A change of one text, line by line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff {
    lines: Vec<Line>,
}

impl Diff {
    /// Compares two texts.
    pub fn between(old: &str, new: &str) -> Self {
        let mut diff = Self::default();
        diff.append(old, new);
        diff
    }

    /// Adds another place of the same file to the diff.
    pub fn append(&mut self, old: &str, new: &str) {
        let (old, new) = (sanitize::text(old), sanitize::text(new));
        if !self.lines.is_empty() {
            self.lines.push(Line { fate: Fate::Skipped, number: None, pieces: Vec::new() });
        }
        let from = self.lines.len();
        let mut push = |fate, text: &str| {
            let text = text.trim_end_matches('\n').to_owned();
            self.lines.push(Line { fate, number: None, pieces: vec![(false, text)] });
        };
        if old.lines().count().max(new.lines().count()) > MOST_LINES {
            old.lines().for_each(|line| push(Fate::Removed, line));
            new.lines().for_each(|line| push(Fate::Added, line));
        } else {
            for change in TextDiff::from_lines(&*old, &*new).iter_all_changes() {
                push(
                    match change.tag() {
                        ChangeTag::Equal => Fate::Kept,
                        ChangeTag::Insert => Fate::Added,
                        ChangeTag::Delete => Fate::Removed,
                    },
                    change.value(),
                );
            }
        }
        mark_words(&mut self.lines[from..]);
    }

    /// Reads the diff that pi's edit tool records: a sign, a padded line number, a blank and the text; `...`
    /// for a gap.
    pub fn parse(recorded: &str) -> Self {
        let mut lines: Vec<Line> = recorded.lines().map(recorded_line).collect();
        mark_words(&mut lines);
        Self { lines }
    }

    /// True when there is nothing to show.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Lines added and lines removed.
    pub fn counts(&self) -> (usize, usize) {
        let of = |fate| self.lines.iter().filter(|line| line.fate == fate).count();
        (of(Fate::Added), of(Fate::Removed))
    }

    /// The lines from top to bottom.
    pub(crate) fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The rows, `columns` wide, and the number of lines that found no room in `room` rows.
    pub fn rows(&self, columns: usize, room: usize) -> (Vec<Row>, usize) {
        let highest = self.lines.iter().filter_map(|line| line.number).max();
        let digits = highest.map_or(0, |number| number.to_string().len());
        let mut rows = Vec::new();
        for (at, line) in self.lines.iter().enumerate() {
            if rows.len() >= room {
                rows.truncate(room);
                return (rows, self.lines.len() - at);
            }
            rows.extend(line.rows(digits, columns));
        }
        rows.truncate(room);
        (rows, 0)
    }
}

impl Line {
    fn rows(&self, digits: usize, columns: usize) -> Vec<Row> {
        let (sign, tone, word, gutter) = match self.fate {
            Fate::Kept => (' ', Tone::Tool, Tone::Tool, Tone::Faint),
            Fate::Added => ('+', Tone::Added, Tone::AddedWord, Tone::Added),
            Fate::Removed => ('-', Tone::Removed, Tone::RemovedWord, Tone::Removed),
            Fate::Skipped => return vec![Row::new().text("…", Tone::Faint).fit(columns)],
        };
        let number = self.number.map(|number| number.to_string()).unwrap_or_default();
        let lead = if digits == 0 { format!("{sign} ") } else { format!("{number:>digits$} {sign} ") };
        let mut row = Row::new();
        for (differs, text) in &self.pieces {
            row.push(Span::new(text.as_str(), if *differs { word } else { tone }));
        }
        let has_room = columns > 2 * lead.len();
        let text_columns = if has_room { columns - lead.len() } else { columns };
        let text = &self.pieces.first().map_or("", |(_, text)| text);
        let hang = text.len() - text.trim_start().len() + 2;
        let rows = wrap(&row, text_columns, hang).into_iter().enumerate();
        rows.map(|(at, row)| {
            let row = if !has_room {
                row
            } else if at == 0 {
                Row::new().text(lead.as_str(), gutter).then(row)
            } else {
                Row::new().text(" ".repeat(lead.len()), gutter).then(row)
            };
            if self.fate == Fate::Kept { row } else { row.pad(columns, tone) }
        })
        .collect()
    }
}

fn recorded_line(line: &str) -> Line {
    let fate = match line.as_bytes().first() {
        Some(b'+') => Fate::Added,
        Some(b'-') => Fate::Removed,
        _ => Fate::Kept,
    };
    let rest = line.get(1..).unwrap_or_default();
    let numbered = rest.trim_start_matches(' ');
    let digits = numbered.bytes().take_while(u8::is_ascii_digit).count();
    if fate == Fate::Kept && numbered == "..." {
        return Line { fate: Fate::Skipped, number: None, pieces: Vec::new() };
    }
    let text = if digits == 0 { rest } else { &numbered[digits..] };
    // Tabs are expanded from the column at which the text begins, so the number goes first.
    let text = sanitize::text(text.strip_prefix(' ').unwrap_or(text)).replace('\n', " ");
    Line { fate, number: numbered[..digits].parse().ok(), pieces: vec![(false, text)] }
}

/// Marks the differing words where a run of removed lines is followed by as many added ones.
fn mark_words(lines: &mut [Line]) {
    let mut at = 0;
    while at < lines.len() {
        let run = |from: usize, fate| lines[from..].iter().take_while(|line| line.fate == fate).count();
        let removed = run(at, Fate::Removed);
        let added = run(at + removed, Fate::Added);
        if removed == added && removed <= LONGEST_RUN {
            for old in at..at + removed {
                let (head, tail) = lines.split_at_mut(old + 1);
                compare_words(&mut head[old], &mut tail[removed - 1]);
            }
        }
        at += (removed + added).max(1);
    }
}

fn compare_words(old: &mut Line, new: &mut Line) {
    let text = |line: &Line| line.pieces.iter().map(|(_, text)| text.as_str()).collect::<String>();
    let (before, after) = (text(old), text(new));
    if before.len().max(after.len()) > LONGEST_LINE {
        return;
    }
    let words = TextDiff::from_words(before.as_str(), after.as_str());
    if words.ratio() < LEAST_SHARED {
        return;
    }
    old.pieces.clear();
    new.pieces.clear();
    for change in words.iter_all_changes() {
        let piece = change.value().to_owned();
        match change.tag() {
            ChangeTag::Equal => {
                old.pieces.push((false, piece.clone()));
                new.pieces.push((false, piece));
            }
            ChangeTag::Delete => old.pieces.push((true, piece)),
            ChangeTag::Insert => new.pieces.push((true, piece)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(diff: &Diff, columns: usize) -> Vec<String> {
        diff.rows(columns, 99).0.iter().map(|row| row.plain().trim_end().to_owned()).collect()
    }

    #[test]
    fn lines_and_words_are_compared() {
        let diff = Diff::between("fn a() {\n  let x = 1;\n}\n", "fn a() {\n  let y = 1;\n}\n");
        assert_eq!(diff.counts(), (1, 1));
        assert_eq!(shown(&diff, 40), ["  fn a() {", "-   let x = 1;", "+   let y = 1;", "  }"]);
        let (rows, _) = diff.rows(40, 99);
        let words = |row: &Row, tone| {
            row.spans
                .iter()
                .filter(|span| span.tone == tone)
                .map(|span| span.text.clone())
                .collect::<String>()
        };
        assert_eq!(words(&rows[1], Tone::RemovedWord), "x");
        assert_eq!(words(&rows[2], Tone::AddedWord), "y");
        assert_eq!(rows[2].width(), 40, "the band is as wide as the pane");
    }

    #[test]
    fn recorded_diffs_keep_their_numbers() {
        let diff = Diff::parse("     ...\n   9 a\n- 10 b\u{1b}[2J\n+ 10 \tc\n     ...");
        assert_eq!(shown(&diff, 30), ["…", " 9   a", "10 - b", "10 +     c", "…"]);
        assert_eq!(diff.counts(), (1, 1));
    }

    #[test]
    fn several_places_are_parted() {
        let mut diff = Diff::between("a", "b");
        diff.append("c\nd", "");
        assert_eq!(shown(&diff, 20), ["- a", "+ b", "…", "- c", "- d"]);
        assert!(Diff::between("", "").is_empty());
    }

    #[test]
    fn long_lines_wrap_below_their_text() {
        let diff = Diff::between("", "one two three");
        assert_eq!(shown(&diff, 10), ["+ one two", "    three"]);
        for columns in 0..12 {
            assert!(diff.rows(columns, 99).0.iter().all(|row| row.width() <= columns));
        }
    }

    #[test]
    fn huge_texts_are_bounded() {
        let diff = Diff::between(&"a\n".repeat(5_000), &"b\n".repeat(5_000));
        let (rows, left) = diff.rows(80, 100);
        assert_eq!((rows.len(), left), (100, 9_900));
    }
}
