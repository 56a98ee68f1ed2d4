//! Where the reader of messages is: finding, clicking, scrolling, and what stays in its place meanwhile.

use std::fmt::Write as _;
use std::path::Path;

use piscope::app::{Button, Item, MouseKind, Pane};
use piscope::present::Tone;
use piscope::tui::{Background, Colours, Theme};
use ratatui::layout::Rect;
use tempfile::TempDir;

use crate::harness::Harness;

/// A session with one prompt and one answer for each of `texts` in turn, alone on a screen of this size, from the top.
fn reading(texts: &[&str], columns: u16, rows: u16) -> (Harness, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    write_session(folder.path(), texts);
    let mut ui = Harness::open(folder.path());
    ui.resize(columns, rows).press("<tab><tab>z<home>");
    (ui, folder)
}

fn write_session(folder: &Path, texts: &[&str]) {
    let mut lines = String::from(
        r#"{"type":"session","version":3,"id":"s","timestamp":"2026-01-05T08:00:00Z","cwd":"/w"}"#,
    );
    for (at, text) in texts.iter().enumerate() {
        let parent = if at == 0 { "null".into() } else { format!("\"e{}\"", at - 1) };
        let role = if at % 2 == 0 { "user" } else { "assistant" };
        let content = serde_json::json!([{"type": "text", "text": text}]);
        write!(
            lines,
            "\n{{\"type\":\"message\",\"id\":\"e{at}\",\"parentId\":{parent},\"timestamp\":\"2026-01-05T08:00:00Z\",\
             \"message\":{{\"role\":\"{role}\",\"content\":{content},\"stopReason\":\"stop\"}}}}"
        )
        .unwrap();
    }
    lines.push('\n');
    std::fs::write(folder.join("2026-01-05T08-00-00-000Z_s.jsonl"), lines).unwrap();
}

/// Numbered lines with something behind the number.
fn lines(count: usize, behind: &str) -> String {
    (0..count).map(|line| format!("line {line} {behind}")).collect::<Vec<_>>().join("\n")
}

fn body(ui: &Harness) -> Rect {
    ui.app.regions().rows(Pane::Messages)
}

/// The texts of the rows that are in a tone.
fn in_tone(ui: &Harness, tone: Tone) -> Vec<String> {
    let theme = Theme::own(Colours::True, Background::Dark);
    let wanted = theme.style(tone, piscope::present::Emphasis::NONE).bg;
    let (buffer, area) = (ui.buffer(), body(ui));
    let of_row = |y| -> String {
        (area.x..area.right())
            .filter(|&x| Some(buffer[(x, y)].bg) == wanted)
            .map(|x| buffer[(x, y)].symbol().to_owned())
            .collect()
    };
    (area.y..area.bottom()).map(of_row).filter(|text| !text.is_empty()).collect()
}

/// What is said of the search at the right of the title.
fn count(ui: &Harness) -> String {
    let title = ui.frame().lines().nth(2).unwrap().to_owned();
    title.rsplit('─').nth(1).unwrap().trim().to_owned()
}

#[test]
fn what_a_row_end_breaks_is_found_and_marked_whole() {
    let long = "one two three four five six seven eight nine ten eleven twelve";
    let (mut ui, _folder) = reading(&[long, "nothing", long], 30, 20);
    ui.press("/six seven<enter>");
    assert_eq!(in_tone(&ui, Tone::MatchHere).concat().replace(' ', ""), "sixseven");
    assert!(ui.frame().ends_with("1/2"), "where panes have no titles the footer counts: {}", ui.frame());
    ui.press("n");
    assert_eq!(in_tone(&ui, Tone::Match).concat().replace(' ', ""), "sixseven");
    assert!(ui.frame().ends_with("2/2"));
}

#[test]
fn every_match_is_stepped_to_and_counted() {
    let (mut ui, _folder) = reading(&["a cookie, a cookie", "no", "the cookie jar"], 90, 30);
    ui.press("/cookie<enter>");
    let mut seen = Vec::new();
    for keys in ["n", "n", "n", "N", "N"] {
        seen.push(format!("{} {}", count(&ui), in_tone(&ui, Tone::Match).len()));
        ui.press(keys);
    }
    // Two matches stand in one row, so that one row without the match of the reader is left when they are at either.
    assert_eq!(seen, ["1/3 2", "2/3 2", "3/3 1", "1/3 2", "3/3 1"]);
    assert_eq!(in_tone(&ui, Tone::MatchHere), ["cookie"]);
}

#[test]
fn leaving_a_search_leads_back_and_accepting_it_stays() {
    let text = lines(60, "");
    let (mut ui, _folder) = reading(&[&text, "the needle"], 90, 20);
    ui.press("jjj");
    let before = (ui.app.messages.anchor(), ui.frame());
    ui.press("/needle");
    assert_ne!(ui.app.messages.anchor(), before.0);
    ui.press("<bs><bs>");
    assert!(count(&ui).starts_with("1/"));
    ui.press("<esc>");
    assert_eq!((ui.app.messages.anchor(), ui.frame()), before);
    ui.press("/needle<enter>");
    let found = ui.app.messages.anchor();
    ui.press("<esc>");
    assert_eq!(ui.app.messages.anchor(), found);
}

#[test]
fn a_search_is_made_anew_when_the_rows_are_others() {
    let long = "a word and another and one more and the needle and then some more of it";
    let (mut ui, _folder) = reading(&[long, long, long], 90, 30);
    ui.press("/the needle<enter>nn");
    assert_eq!(count(&ui), "3/3");
    for columns in [84, 110, 95] {
        ui.resize(columns, 30);
        assert_eq!(count(&ui), "3/3", "{columns}");
        assert!(!in_tone(&ui, Tone::Match).is_empty());
    }
}

#[test]
fn a_click_marks_and_does_not_scroll() {
    let (mut ui, _folder) = reading(&["first", "second", "third", "fourth", "fifth"], 90, 30);
    let area = body(&ui);
    let messages = |ui: &Harness| -> Vec<String> {
        ui.frame().lines().skip(4).map(|row| row.replace(['▌', '▎'], " ")).collect()
    };
    let before = messages(&ui);
    for (row, item) in [(6, 2), (1, 0), (9, 3), (4, 1)] {
        ui.mouse(MouseKind::Press(Button::Left), area.x + 4, area.y + row);
        assert_eq!(ui.app.messages.anchor().item, item, "{row}");
        assert_eq!(messages(&ui), before);
    }
    assert_eq!(
        ui.app.messages.current().map(Item::entry),
        ui.app.tree.cursor_entry().map(|(_, entry)| entry)
    );
}

#[test]
fn scrolling_up_from_the_end_scrolls_at_once() {
    let text = lines(30, "");
    let (mut ui, _folder) = reading(&[&text, &text], 90, 20);
    ui.press("<end>");
    let end = ui.frame();
    ui.press("k");
    assert_ne!(ui.frame(), end);
    ui.press("j");
    assert_eq!(ui.frame(), end);
    ui.press("<pageup>");
    let up = ui.frame();
    assert!(up.lines().zip(end.lines()).filter(|(up, end)| up == end).count() < 8, "{up}");
}

#[test]
fn another_width_keeps_the_line_that_is_read() {
    let text = lines(40, &"and more of it ".repeat(9));
    let (mut ui, _folder) = reading(&["hi", &text], 90, 20);
    ui.press("<c-d><c-d><c-d>");
    let top = |ui: &Harness| ui.frame().lines().nth(4).unwrap().to_owned();
    while !top(&ui).contains("line") {
        ui.press("j");
    }
    let number = top(&ui).split_whitespace().nth(2).unwrap().to_owned();
    for columns in [60, 140, 100, 90] {
        ui.resize(columns, 20);
        let frame = ui.frame();
        assert!(frame.contains(&format!("line {number} ")), "{columns}: {frame}");
    }
}

#[test]
fn a_long_message_goes_on_where_it_is_read_on() {
    let (mut ui, _folder) = reading(&[&lines(9_000, ""), "short"], 90, 30);
    ui.press("<end>");
    assert!(ui.frame().contains("short"));
    // The first 2,000 rows are there; the end of them asks for more, and so on.
    ui.press("[");
    let mut seen = 0;
    while !ui.frame().contains("line 8999") {
        ui.press("<pagedown>");
        seen += 1;
        assert!(seen < 500, "{}", ui.frame());
    }
    assert!(!ui.frame().contains(" more line"), "{}", ui.frame());
    // Folding it gives back what it took.
    let rows = |ui: &Harness| {
        let pane = &ui.app.messages;
        pane.block(pane.items()[0], body(ui).width).map_or(0, |block| block.rows.len())
    };
    assert_eq!(rows(&ui), 9_001);
    ui.press("<left>");
    assert_eq!(rows(&ui), 2_001);
}

#[test]
fn what_is_deep_in_a_long_message_is_found_and_shown() {
    let (mut ui, _folder) = reading(&[&lines(9_000, ""), "short"], 90, 30);
    ui.press("/line 8123<enter>");
    assert_eq!(count(&ui), "1/1");
    assert_eq!(in_tone(&ui, Tone::MatchHere), ["line 8123"]);
}

#[test]
fn a_huge_message_is_folded_first() {
    let (mut ui, _folder) = reading(&[&lines(9_000, &"x".repeat(90)), "short"], 90, 30);
    assert!(ui.frame().contains("line 3\n") && ui.frame().contains("short"), "{}", ui.frame());
    ui.press("<right>");
    assert!(ui.frame().contains("line 7\n") && !ui.frame().contains("short"), "{}", ui.frame());
    ui.press("<left>");
    assert!(ui.frame().contains("short"));
}

#[test]
fn json_folds_and_unfolds_level_by_level() {
    let (mut ui, _folder) = reading(&["first", "second"], 90, 40);
    ui.press("J");
    assert!(ui.frame().contains("\"text\": \"first\""), "{}", ui.frame());
    ui.press("<left>");
    assert!(ui.frame().contains("{ text, type }"), "{}", ui.frame());
    ui.press("<left><left>");
    assert!(ui.frame().contains("\"message\": { role, content, stopReason }"), "{}", ui.frame());
    ui.press("<right><right><right><right>");
    assert!(ui.frame().contains("\"text\": \"first\""), "{}", ui.frame());
    ui.press("J");
    assert!(!ui.frame().contains("\"text\""));
}
