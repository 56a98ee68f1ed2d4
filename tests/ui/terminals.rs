//! The same on terminals that can do less: without colours, with ASCII alone, and as lines to be heard.

use std::fmt::Write as _;

use insta::assert_snapshot;
use piscope::tui::{Colours, Glyphs, Linear};
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier};

use crate::harness::{Harness, text_of};

/// The rows of a picture, with what is not plain text between marks that name its look.
fn with_looks(buffer: &Buffer) -> String {
    let mut out = String::new();
    for y in 0..buffer.area.height {
        let mut look = Modifier::empty();
        let mut row = String::new();
        for x in 0..buffer.area.width {
            let cell = &buffer[(x, y)];
            let here = if cell.symbol() == " " && !cell.modifier.contains(Modifier::REVERSED) {
                Modifier::empty()
            } else {
                cell.modifier
            };
            if here != look {
                if !look.is_empty() {
                    row.push('›');
                }
                if !here.is_empty() {
                    write!(row, "‹{here:?} ").unwrap();
                }
                look = here;
            }
            row.push_str(cell.symbol());
        }
        writeln!(out, "{}", row.trim_end()).unwrap();
    }
    out
}

#[test]
fn without_colours_everything_is_told_by_words_and_signs() {
    let mut ui = Harness::demo();
    ui.resize(120, 30).press("jjjj<tab>kkkkkkkk");
    let coloured = text_of(&ui.buffer());
    ui.theme.colours = Colours::None;
    let plain = ui.buffer();
    assert_eq!(text_of(&plain), coloured);
    assert!(plain.content.iter().all(|cell| (cell.fg, cell.bg) == (Color::Reset, Color::Reset)));
    assert_snapshot!("no_colours", with_looks(&plain));
}

#[test]
fn ascii_draws_the_same_with_other_signs() {
    let mut ui = Harness::demo();
    ui.resize(120, 30).press("jjjj<tab>kkkkkkkk");
    let mut buffer = ui.buffer();
    Glyphs::Ascii.apply(&mut buffer);
    let frame = text_of(&buffer);
    assert!(frame.is_ascii(), "{frame}");
    assert_snapshot!("ascii", frame);
}

#[test]
fn every_change_is_a_line() {
    let mut ui = Harness::demo();
    let size = Linear::size();
    ui.resize(size.width, size.height);
    let mut linear = Linear::new().unwrap();
    let mut heard = String::new();
    for keys in [
        "",
        "j",
        "jjj",
        "<tab>",
        "k",
        "<tab>",
        ")",
        "j",
        "Z",
        "/cookie",
        "<enter>",
        "<esc><esc>",
        "y",
        "j",
        "<esc>",
        "?",
        "<esc>",
        "q",
    ] {
        ui.press(keys);
        writeln!(heard, "[{keys}]").unwrap();
        for line in linear.news(&ui.app, &ui.theme) {
            writeln!(heard, "{line}").unwrap();
        }
    }
    assert_snapshot!("linear", heard);
}
