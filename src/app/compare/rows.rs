use std::ops::Range;

use super::{BOTH_COLUMNS, CompareView, GAP, Turns, side_columns};
use crate::app::App;
use crate::format::Usage;
use crate::present::costs::{attempt_words, branch_words};
use crate::present::{Row, Tone, age, sanitize};
use crate::session::EntryIx;

/// Rows above the turns: what the branches share, one blank, two for each branch, one blank.
const HEAD_ROWS: u16 = 5;
/// Where there are more than two branches, so many of them are listed, with a blank row below.
const LISTED: usize = 5;
/// Columns of what came of a branch in that list.
const LISTED_WORDS: usize = 44;
/// From this height on there is room for that.
const LISTING_HEIGHT: u16 = 20;

impl CompareView {
    /// What it is, in words.
    pub(in crate::app) fn title(&self) -> String {
        format!("Compare · {}", age::counted_as(self.attempts.len(), "branch", "branches"))
    }

    /// The branches that are listed above the two that are shown: those around the one that has the focus.
    fn listed(&self, height: u16) -> Range<usize> {
        if self.attempts.len() < 3 || height < LISTING_HEIGHT {
            return 0..0;
        }
        let last = self.attempts.len().saturating_sub(LISTED);
        let from = self.sides[self.side].saturating_sub(LISTED / 2).min(last);
        from..(from + LISTED).min(self.attempts.len())
    }

    /// Rows in which turns are shown.
    pub(super) fn turns_height(&self, height: u16) -> usize {
        let listed = self.listed(height).len();
        let head = usize::from(HEAD_ROWS) + listed + usize::from(listed > 0);
        usize::from(height).saturating_sub(head).max(1)
    }

    /// The rows that each turn takes, with its heading and the blank row below it.
    pub(super) fn heights(&self, columns: u16) -> Vec<usize> {
        let shown: Vec<&Turns> = self.shown(columns).iter().filter_map(|at| self.turns.get(at)).collect();
        let count = shown.iter().map(|turns| turns.told.len()).max().unwrap_or(0);
        let rows = |turns: &&Turns, at: usize| turns.told.get(at).map_or(0, |turn| turn.rows.len());
        (0..count).map(|at| 2 + shown.iter().map(|turns| rows(turns, at)).max().unwrap_or(0)).collect()
    }
}

impl App {
    /// The rows of the comparison that are in view.
    pub(in crate::app) fn compare_rows(&self, view: &CompareView, columns: u16, height: u16) -> Vec<Row> {
        let shown = view.shown(columns);
        let width = usize::from(side_columns(columns));
        let after = match view.fork {
            Some(fork) => format!("after  {}", self.entry_words(view, fork)),
            None => "nothing in common".to_owned(),
        };
        let beside = |sides: Vec<Row>| beside(sides, width, columns);
        let mut rows = vec![
            Row::new().text(" ", Tone::Text).text(after, Tone::Dim).fit(usize::from(columns)),
            Row::new(),
        ];
        let listed = view.listed(height);
        if !listed.is_empty() {
            rows.extend(listed.map(|at| self.listed_row(view, at, usize::from(columns))));
            rows.push(Row::new());
        }
        rows.extend([
            beside(shown.iter().map(|&at| self.side_title(view, at)).collect()),
            beside(shown.iter().map(|&at| side_words(view, at, columns)).collect()),
            Row::new(),
        ]);
        if height <= HEAD_ROWS {
            rows.drain(..2);
        }
        let room = view.turns_height(height);
        let heights = view.heights(columns);
        let all = heights.iter().sum::<usize>();
        let mut skip = view.top.min(all.saturating_sub(room));
        let until = rows.len() + room;
        for (at, &height) in heights.iter().enumerate() {
            if skip >= height {
                skip -= height;
                continue;
            }
            for row in std::mem::take(&mut skip)..height {
                if rows.len() == until {
                    return rows;
                }
                let sides = shown.iter().map(|side| turn_row(view.turns.get(side), at, row, width));
                rows.push(beside(sides.collect()));
            }
        }
        let is_reading = shown.iter().any(|at| view.turns.get(at).is_none_or(|turns| !turns.is_all));
        if is_reading && rows.len() < until {
            rows.push(Row::new().text(" reading…", Tone::Dim));
        }
        rows
    }

    fn entry_words(&self, view: &CompareView, entry: EntryIx) -> String {
        let text = view.session.entry_text(entry, None, self.setup.home.as_deref());
        sanitize::line(&text.in_words().joined()).into_owned()
    }

    /// Which of the branches it is, and how it begins.
    fn side_title(&self, view: &CompareView, at: usize) -> Row {
        let attempt = &view.attempts[at];
        let is_focused = view.sides[view.side] == at;
        let is_current = Some(attempt.leaf) == view.session.current_leaf();
        let (mark, tone) = if is_focused { ("▌", Tone::Accent) } else { (" ", Tone::Strong) };
        let place = format!("{} of {}", at + 1, view.attempts.len());
        let row = Row::new().text(mark, Tone::Accent).bold(place, tone);
        let row = if is_current { row.text(" · current", Tone::Good) } else { row };
        row.text(format!("  {}", self.entry_words(view, view.begins[at])), Tone::Text)
    }

    /// One of more than two branches on a line: what came of it, and how it begins.
    fn listed_row(&self, view: &CompareView, at: usize, columns: usize) -> Row {
        let attempt = &view.attempts[at];
        let (mark, tone) = match view.sides.iter().position(|&side| side == at) {
            Some(side) if side == view.side => ("▌", Tone::Text),
            Some(_) => ("▏", Tone::Text),
            None => (" ", Tone::Dim),
        };
        let number = view.attempts.len().to_string().len();
        let words = attempt_words(attempt);
        let words = Row::new().text(words, if attempt.ending.is_bad() { Tone::Warn } else { tone });
        let room = (columns / 2).min(LISTED_WORDS);
        let row = Row::new().text(mark, Tone::Accent).text(format!("{:>number$}  ", at + 1), tone);
        let row = row.then(words.fit(room).pad(room, Tone::Text)).text("  ", Tone::Text);
        row.text(self.entry_words(view, view.begins[at]), tone).fit(columns)
    }
}

/// What came of a branch.
fn side_words(view: &CompareView, at: usize, columns: u16) -> Row {
    let attempt = &view.attempts[at];
    let tone = if attempt.ending.is_bad() { Tone::Warn } else { Tone::Dim };
    let words = if columns >= BOTH_COLUMNS { branch_words(attempt) } else { attempt_words(attempt) };
    Row::new().text(" ", Tone::Text).text(words, tone)
}

/// A row of a turn: its heading, what was said, or the blank row below it.
fn turn_row(turns: Option<&Turns>, at: usize, row: usize, width: usize) -> Row {
    let Some(turn) = turns.and_then(|turns| turns.told.get(at)) else { return Row::new() };
    match row.checked_sub(1) {
        None => {
            let left = Row::new().text("─ ", Tone::Faint).text(format!("turn {} ", at + 1), Tone::Dim);
            let right = match spent(&turn.usage) {
                nothing if nothing.is_empty() => Row::new(),
                words => Row::new().text(format!(" {words}"), Tone::Dim).text(" ─", Tone::Faint),
            };
            let line = width.saturating_sub(left.width() + right.width());
            left.text("─".repeat(line), Tone::Faint).then(right)
        }
        Some(row) => turn.rows.get(row).cloned().unwrap_or_default(),
    }
}

fn spent(usage: &Usage) -> String {
    let mut words = Vec::new();
    if usage.tokens() > 0.0 {
        words.push(format!("{} tok", age::tokens(usage.tokens())));
    }
    if usage.cost > 0.0 {
        words.push(age::cost(usage.cost));
    }
    words.join(" · ")
}

/// Rows of the branches in view beside each other.
fn beside(sides: Vec<Row>, width: usize, columns: u16) -> Row {
    let mut row = Row::new();
    for (at, side) in sides.into_iter().enumerate() {
        if at > 0 {
            row = row.text(format!("{:^1$}", "│", usize::from(GAP)), Tone::Faint);
        }
        row = row.then(side.fit(width).pad(width, Tone::Text));
    }
    row.fit(usize::from(columns))
}
