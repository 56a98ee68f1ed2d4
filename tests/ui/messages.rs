//! Every kind of block as it is read: the rows with their tones, wide and narrow, folded and unfolded; and what the keys
//! of the messages do.

use std::fmt::Write as _;

use crate::harness::{Harness, fixture};
use insta::assert_snapshot;
use piscope::present::{Emphasis, Row, Tone};

/// The messages of a session with every kind of entry, alone on a screen of this size, from the top.
fn every_block(columns: u16, rows: u16) -> Harness {
    let mut ui = Harness::open(fixture("transcript"));
    ui.resize(columns, rows).press("<tab><tab>z<home>");
    ui
}

/// What is on the screen of the messages.
fn text(ui: &Harness) -> Vec<String> {
    ui.frame().lines().skip(4).map(str::to_owned).collect()
}

/// The rows of all blocks in view, every piece that is no plain text within marks that tell its tone.
fn toned(ui: &Harness) -> String {
    let pane = &ui.app.messages;
    let area = ui.app.regions().rows(piscope::app::Pane::Messages);
    let mut out = String::new();
    for visible in pane.window(area.width, usize::from(area.height)) {
        let block = pane.block(pane.items()[visible.item], area.width);
        for at in visible.rows {
            let row = block.and_then(|block| block.rows.get(at)).cloned().unwrap_or_default();
            writeln!(out, "{}", with_tones(&row).trim_end()).unwrap();
        }
    }
    out
}

fn with_tones(row: &Row) -> String {
    row.spans.iter().fold(String::new(), |mut line, span| {
        let is_plain = span.tone == Tone::Text && span.emphasis == Emphasis::NONE;
        if is_plain || span.text.trim().is_empty() {
            line.push_str(&span.text);
        } else if span.emphasis == Emphasis::NONE {
            write!(line, "‹{:?} {}›", span.tone, span.text).unwrap();
        } else {
            write!(line, "‹{:?} {:?} {}›", span.tone, span.emphasis, span.text).unwrap();
        }
        line
    })
}

#[test]
fn every_kind_of_block_has_its_tones() {
    let mut ui = every_block(100, 200);
    assert_snapshot!("blocks_folded", toned(&ui));
    ui.press("Z");
    assert_snapshot!("blocks_unfolded", toned(&ui));
}

#[test]
fn every_kind_of_block_fits_a_narrow_screen() {
    let mut ui = every_block(40, 400);
    ui.press("Z<home>");
    assert_snapshot!("blocks_narrow", text(&ui).join("\n"));
    assert_snapshot!("blocks_narrow_tones", toned(&ui));
}

#[test]
fn what_is_sent_and_what_is_stored_have_their_tones() {
    let mut ui = every_block(100, 200);
    ui.press("c<home>");
    assert_snapshot!("sent_tones", toned(&ui));
    let mut ui = every_block(60, 40);
    ui.press("])J");
    assert_snapshot!("stored_json_tones", toned(&ui));
}

#[test]
fn tools_go_into_one_line_and_come_out_again() {
    let mut ui = every_block(100, 60);
    ui.press("ZZ");
    let line = "  ▸ 5 tool calls: 1 read, 1 bash, 1 grep, 1 find, 1 ls";
    assert!(text(&ui).contains(&line.to_owned()), "{:#?}", text(&ui));
    ui.press("]))");
    assert!(!text(&ui).iter().any(|row| row.contains("thinking ")));
}

#[test]
fn one_block_is_unfolded_step_by_step() {
    let mut ui = every_block(100, 60);
    ui.press("ZZ))");
    let is_shown = |ui: &Harness, words: &str| text(ui).iter().any(|row| row.contains(words));
    assert!(!is_shown(&ui, "Where is it?"));
    ui.press("<right>");
    assert!(is_shown(&ui, "▸ thinking  Where is it?"));
    ui.press("<right>");
    assert!(is_shown(&ui, "▾ thinking"));
    ui.press("<left><left>");
    assert!(!is_shown(&ui, "Where is it?"));
}

#[test]
fn a_message_can_be_seen_as_it_is_stored() {
    let mut ui = every_block(100, 40);
    ui.press("]");
    let before = ui.frame();
    ui.press("J");
    assert!(text(&ui)[0].starts_with("▌ stored as  a0000003"), "{:#?}", text(&ui)[0]);
    assert!(text(&ui).iter().any(|row| row.contains("\"role\": \"user\",")));
    ui.press("J");
    assert_eq!(ui.frame(), before);
}

#[test]
fn errors_labels_and_messages_are_jumped_to() {
    let mut ui = every_block(100, 20);
    for (keys, words) in [
        (">", "✗ bash cat missing"),
        (">", "assistant"),
        ("<lt>", "✗ bash cat missing"),
        ("}", "◆ checkpoint-1"),
        (")", "you ran"),
        ("(", "◆ checkpoint-1"),
    ] {
        ui.press(keys);
        // A new day puts a rule before what is jumped to.
        let top = text(&ui)[..4].join("\n");
        assert!(top.contains(words), "{keys}: {top}");
    }
    ui.press("}");
    assert!(ui.frame().ends_with("no more labels"));
}

#[test]
fn a_message_opens_in_another_program() {
    let mut ui = every_block(100, 20);
    ui.press("]e");
    assert_eq!((&*ui.opened[0].text, ui.opened[0].extension), ("use cookies,\n  keep it boring", "md"));
    ui.press("<home>e");
    assert!(ui.opened[1].text.starts_with(r#"{"type":"model_change""#));
}

#[test]
fn text_expressions_and_ids_are_found() {
    let mut ui = every_block(100, 40);
    ui.press("/TOKEN<enter>");
    assert!(ui.app.messages.search().matches().len() > 3, "{}", ui.frame());
    ui.press("<esc>/cookies? that<a-r>");
    assert_eq!(ui.app.messages.find.text(), "re:cookies? that");
    assert_eq!(ui.app.messages.search().matches().len(), 1);
    assert!(ui.frame().contains("A cookie that scripts cannot read"), "{}", ui.frame());
    ui.press("<c-u>re:(");
    assert!(ui.frame().contains("Parsing error"), "{}", ui.frame());
    ui.press("<c-u>#a000001f<enter>");
    assert!(text(&ui).iter().any(|row| row.starts_with("▌ Added tower-governor")), "{}", ui.frame());
    ui.press("<esc>/#no");
    assert!(ui.frame().ends_with("no entry no in this branch"), "{}", ui.frame());
}

#[test]
fn one_message_can_have_the_screen() {
    let mut ui = every_block(120, 40);
    ui.press("z]");
    assert!(ui.frame().contains("Tree"));
    ui.press("f");
    assert!(!ui.frame().contains("Tree"));
    assert_eq!(text(&ui)[..3].join("|").matches('▌').count(), 3);
    assert_eq!(text(&ui).iter().filter(|row| !row.is_empty()).count(), 4, "{}", ui.frame());
    ui.press("<end><c-d>");
    assert_eq!(text(&ui).iter().filter(|row| !row.is_empty()).count(), 4);
    ui.press("<esc>");
    assert!(ui.frame().contains("Tree"));
}

#[test]
fn what_is_sent_says_how_full_it_makes_the_window() {
    for (window, end, title) in [(Some(1000.0), "tokens, ", "% of 1.0k"), (None, "≈ ", "sent")] {
        let mut ui = Harness::demo();
        ui.app.setup.context_window = window;
        ui.resize(160, 45).press("<tab><tab>z<end>c<end>");
        let frame = ui.frame();
        let last = frame.lines().rfind(|line| line.contains("≈ ")).unwrap();
        assert!(last.contains(end), "{last}");
        assert_eq!(last.contains("% of 1.0k"), window.is_some(), "{last}");
        let titles = frame.lines().take(5).collect::<Vec<_>>().join("\n");
        assert!(titles.contains(title), "{titles}");
    }
}

#[test]
fn times_can_be_told_as_ages() {
    let mut ui = every_block(100, 40);
    let before = ui.frame();
    ui.press("T");
    assert!(ui.frame().contains("1d ago"), "{}", ui.frame());
    ui.press("T");
    assert_eq!(ui.frame(), before);
}

#[test]
fn links_lead_where_they_say() {
    let mut ui = every_block(100, 40);
    ui.press("/docs.rs<enter>");
    let buffer = ui.buffer();
    let links = piscope::tui::links(&ui.app);
    assert!(!links.is_empty(), "{}", ui.frame());
    for one in &links {
        let area = one.area;
        let text: String = (area.x..area.right()).map(|x| buffer[(x, area.y)].symbol()).collect();
        assert!(one.link.as_str().contains(text.trim()) || text == "the docs", "{text} {:?}", one.link);
    }
    assert!(links.iter().any(|one| one.link.as_str() == "https://docs.rs/axum"));
    ui.press("?");
    assert!(piscope::tui::links(&ui.app).is_empty(), "nothing is clicked through the help");
}
