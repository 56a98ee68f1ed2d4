//! Every screen at every size: nothing panics, nothing hostile reaches a cell, no wide character is cut in half.

use crate::harness::{Harness, fixture};
use piscope::present::width;
use ratatui::buffer::Buffer;

/// What a hostile file must never put into a cell.
fn is_hostile(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{feff}')
}

fn check(buffer: &Buffer, what: &str) {
    for y in 0..buffer.area.height {
        let mut x = 0;
        while x < buffer.area.width {
            let symbol = buffer[(x, y)].symbol();
            assert!(!symbol.chars().any(is_hostile), "{what}: {symbol:?} at {x},{y}");
            let cells = width::of(symbol).max(1) as u16;
            assert!(x + cells <= buffer.area.width, "{what}: {symbol:?} leaves the screen at {x},{y}");
            x += cells;
        }
    }
}

#[test]
fn every_size_draws_every_screen() {
    let tours = ["", "<tab>", "<tab><tab>", "?", "!", "<tab>/user", "<tab>c", "<tab><tab>czZ"];
    for (columns, rows) in [
        (0, 0),
        (1, 1),
        (2, 1),
        (1, 9),
        (3, 3),
        (9, 4),
        (20, 5),
        (40, 12),
        (79, 24),
        (80, 24),
        (119, 30),
        (300, 100),
    ] {
        for tour in tours {
            let mut ui = Harness::demo();
            ui.press(tour).resize(columns, rows);
            let buffer = ui.buffer();
            check(&buffer, &format!("{tour} at {columns}x{rows}"));
            let is_blank = buffer.content.iter().all(|cell| cell.symbol() == " ");
            assert!(!is_blank || columns == 0 || rows == 0, "{tour} at {columns}x{rows} is blank");
            // The terminal may have become another one while the news of it is on its way.
            for (width, height) in [(0, 0), (5, 5), (columns / 2, rows), (columns, rows / 2), (200, 60)] {
                ui.buffer_of(width, height);
            }
        }
    }
}

#[test]
fn every_fixture_has_a_row_and_opens_at_any_width() {
    for folder in ["cases", "samples", "corpus"] {
        let mut ui = Harness::open(fixture(folder));
        let files = std::fs::read_dir(fixture(folder))
            .unwrap()
            .filter(|entry| {
                entry.as_ref().unwrap().path().extension().is_some_and(|ending| ending == "jsonl")
            })
            .count();
        let sessions = ui.app.sessions.found().len();
        assert_eq!(sessions + ui.app.sessions.findings.len(), files, "{folder}");
        ui.press("<end><right><home>");
        let count = ui.app.sessions.rows.len();
        for _ in 0..count {
            for (columns, rows) in [(160, 45), (100, 30), (50, 16), (12, 6)] {
                ui.resize(columns, rows).press("<tab><c-a><home><end><tab>cc<home><space>Z<end>Z<tab>");
                check(&ui.buffer(), folder);
                ui.press("<tab><c-d><tab><tab>");
            }
            ui.press("<down>");
        }
    }
}
