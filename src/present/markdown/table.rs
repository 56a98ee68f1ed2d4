use pulldown_cmark::Alignment;

use crate::present::row::{Emphasis, Row, Tone};
use crate::present::wrap::wrap;

/// Blanks between two columns.
const GAP: usize = 2;
/// A table whose columns would get fewer cells than this is set as a list.
const LEAST_COLUMN: usize = 4;
/// Cells measured for the widths of the columns.
const MOST_MEASURED: usize = 20_000;

/// A table: the first row is its head.
pub(super) struct Table {
    alignments: Vec<Alignment>,
    rows: Vec<Vec<Row>>,
    row: Vec<Row>,
}

impl Table {
    pub(super) fn new(alignments: Vec<Alignment>) -> Self {
        Self { alignments, rows: Vec::new(), row: Vec::new() }
    }

    pub(super) fn push(&mut self, cell: Row) {
        self.row.push(cell);
    }

    pub(super) fn end_row(&mut self) {
        self.rows.push(std::mem::take(&mut self.row));
    }

    /// The table in `columns` cells: its columns as wide as their texts where there is room, else the widest ones
    /// wrapped; where they would get too narrow, a list of its rows. Little more than `room` rows are made.
    pub(super) fn rows(mut self, columns: usize, room: usize) -> Vec<Row> {
        if let Some(head) = self.rows.first_mut() {
            for span in head.iter_mut().flat_map(|cell| &mut cell.spans) {
                span.emphasis = span.emphasis | Emphasis::BOLD;
            }
        }
        match self.widths(columns) {
            Some(widths) => self.grid(&widths, room),
            None => self.list(columns, room),
        }
    }

    /// The cells of every column.
    fn widths(&self, columns: usize) -> Option<Vec<usize>> {
        let count = self.alignments.len();
        let room = columns.checked_sub(GAP * count.checked_sub(1)?)?;
        let mut natural = vec![1; count];
        for row in self.rows.iter().take(MOST_MEASURED / count) {
            for (width, cell) in natural.iter_mut().zip(row) {
                *width = cell.width().max(*width);
            }
        }
        // The widest columns give way until the rest fits: all that are wider than `cap` get `cap` cells.
        let sum = |cap: usize| natural.iter().map(|&width| width.min(cap)).sum::<usize>();
        let (mut fits, mut too_wide) = (0, columns + 1);
        while too_wide - fits > 1 {
            let cap = usize::midpoint(fits, too_wide);
            if sum(cap) <= room {
                fits = cap;
            } else {
                too_wide = cap;
            }
        }
        let is_readable = natural.iter().all(|&width| width <= fits) || fits >= LEAST_COLUMN;
        let mut spare = room - sum(fits);
        let widths = natural.iter().map(|&width| {
            let more = spare.min(width.saturating_sub(fits)).min(1);
            spare -= more;
            width.min(fits) + more
        });
        is_readable.then(|| widths.collect())
    }

    fn grid(&self, widths: &[usize], room: usize) -> Vec<Row> {
        let mut out = Vec::new();
        for (at, cells) in self.rows.iter().enumerate() {
            if out.len() > room {
                break;
            }
            let wrapped: Vec<Vec<Row>> = widths
                .iter()
                .enumerate()
                .map(|(column, &width)| cells.get(column).map_or_else(Vec::new, |cell| wrap(cell, width, 0)))
                .collect();
            let height = wrapped.iter().map(Vec::len).max().unwrap_or(0);
            for line in 0..height {
                let mut row = Row::new();
                for ((column, cell), &width) in wrapped.iter().enumerate().zip(widths) {
                    // A row of several cells goes on with no single one of them.
                    let cell = Row { joint: None, ..cell.get(line).cloned().unwrap_or_default() };
                    let gap = if column == 0 { 0 } else { GAP };
                    let free = width.saturating_sub(cell.width());
                    let before = match self.alignments[column] {
                        Alignment::Right => free,
                        Alignment::Center => free / 2,
                        Alignment::Left | Alignment::None => 0,
                    };
                    row = row
                        .text(" ".repeat(gap + before), Tone::Text)
                        .then(cell)
                        .text(" ".repeat(free - before), Tone::Text);
                }
                out.push(row);
            }
            if at == 0 {
                let rules: Vec<String> = widths.iter().map(|&width| "─".repeat(width)).collect();
                out.push(Row::new().text(rules.join(&" ".repeat(GAP)), Tone::Rule));
            }
        }
        out
    }

    /// Every row as lines of `head: cell`.
    fn list(&self, columns: usize, room: usize) -> Vec<Row> {
        let Some((head, body)) = self.rows.split_first() else { return Vec::new() };
        let mut out = Vec::new();
        for (at, cells) in body.iter().enumerate() {
            if out.len() > room {
                break;
            }
            if at > 0 {
                out.push(Row::new());
            }
            for (name, cell) in head.iter().zip(cells).filter(|(_, cell)| !cell.is_empty()) {
                let line = name.clone().text(": ", Tone::Faint).then(cell.clone());
                out.extend(wrap(&line, columns, 2));
            }
        }
        if body.is_empty() {
            out.extend(head.iter().flat_map(|name| wrap(name, columns, 2)));
        }
        out
    }
}
