//! Stories about judging what is there: the details of a session, branches beside each other.

use insta::assert_snapshot;
use piscope::app::Pane;

use crate::harness::{HEADER, Harness, entry};

/// An answer of a model that has read 1,000 tokens, most of them from the cache.
fn answer(id: &str, parent: &str, model: &str, stop: &str, text: &str) -> String {
    entry(id, parent, "assistant", text).replace(
        "\"role\"",
        &format!(
            "\"provider\":\"lab\",\"model\":\"{model}\",\"stopReason\":\"{stop}\",\"usage\":{{\"input\":100,\"output\":20,\
             \"cacheRead\":900,\"cacheWrite\":0,\"cost\":{{\"total\":0.25}}}},\"role\""
        ),
    )
}

/// A session with an abandoned branch, two models, a label, an answer without numbers, and damage.
fn eventful() -> String {
    let mut lines = format!("{HEADER}\n");
    lines.push_str(&entry("a", "", "user", "which way, \\u001b[31mred\\u0007 one?"));
    lines.push_str(&answer("b", "a", "tiny", "stop", "to the left"));
    lines.push_str(&entry("c", "b", "user", "and then?"));
    lines.push_str(&answer("d", "c", "tiny", "error", ""));
    lines.push_str("{\"type\":\"mess\n");
    lines.push_str(&entry("e", "a", "user", "or to the right?"));
    lines.push_str(&answer("f", "e", "big", "stop", "to the right"));
    lines.push_str(&entry("g", "f", "assistant", "for nothing"));
    lines.push_str(
        "{\"type\":\"label\",\"id\":\"h\",\"parentId\":\"g\",\"targetId\":\"f\",\"label\":\"good\"}\n",
    );
    lines
}

fn open(text: &str) -> (tempfile::TempDir, Harness) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("s.jsonl"), text).unwrap();
    let ui = Harness::open(folder.path());
    (folder, ui)
}

#[test]
fn details_tell_everything_about_a_session() {
    let (_folder, mut ui) = open(&eventful());
    ui.press("i");
    // The first line is the path of the file, which is another each time.
    let below = |ui: &Harness| ui.frame().lines().skip(5).collect::<Vec<_>>().join("\n");
    assert_snapshot!("details_wide", below(&ui));
    ui.resize(80, 24).press("<end><up>");
    assert_snapshot!("details_narrow", below(&ui));
    ui.press("i");
    assert!(ui.app.overlay.is_none());
}

#[test]
fn a_line_of_the_details_can_be_copied() {
    let mut ui = Harness::demo();
    ui.press("/refactor auth<enter>i<down>y");
    let clip = ui.copied.pop().unwrap();
    assert_eq!(clip.text, ui.app.tree.session().unwrap().id());
    ui.press("<up>y");
    assert_eq!(ui.copied.pop().unwrap().text, ui.app.tree.path().unwrap().to_string_lossy());
}

#[test]
fn details_of_a_fork_tell_its_family_and_what_it_copied() {
    let mut ui = Harness::demo();
    ui.press("/jwt variant<enter>i");
    let frame = ui.frame();
    assert!(frame.contains("parent") && frame.contains("Refactor auth module"), "{frame}");
    assert!(frame.contains("are its parent's"), "{frame}");
    ui.press("<esc><esc>/refactor auth<enter>i");
    let frame = ui.frame();
    assert!(frame.contains("forks") && frame.contains("try sessions instead ·"), "{frame}");
}

#[test]
fn a_branch_tells_in_the_tree_what_came_of_it() {
    let mut ui = Harness::demo();
    ui.press("/refactor auth<enter><tab>z");
    let told = "2 turns, 7 entries, aborted, $0.06";
    let row = ui.frame().lines().find(|row| row.contains(told)).unwrap().to_owned();
    assert!(row.contains("user: use JWT, the mobile app"), "{row}");
    ui.press("z<c-u><end>");
    while !ui.frame().lines().last().unwrap().ends_with(told) {
        assert!(ui.app.tree.selected() > Some(0), "no row tells it below: {}", ui.frame());
        ui.press("<up>");
    }
}

#[test]
fn branches_stand_beside_each_other() {
    let mut ui = Harness::demo();
    ui.press("/refactor auth<enter><tab>=");
    assert_snapshot!("compare_wide", ui.frame());
    ui.press("]");
    assert!(!ui.frame().contains("─ turn 1"), "{}", ui.frame());
    ui.press("[").resize(80, 24);
    assert_snapshot!("compare_narrow", ui.frame());
    ui.press("<tab>");
    assert!(ui.frame().contains("aborted"), "{}", ui.frame());
    ui.press("<enter>");
    assert_eq!((ui.app.focus, ui.app.overlay.is_none()), (Pane::Tree, true));
    let session = ui.app.messages.session().unwrap();
    assert_ne!(ui.app.messages.leaf(), session.current_leaf());
}

/// A session with three answers to one prompt, and one more prompt after the first of them.
fn three_attempts() -> String {
    let mut lines = format!("{HEADER}\n");
    lines.push_str(&entry("a", "", "user", "which way?"));
    for (id, text) in [("b", "to the left"), ("c", "to the right"), ("d", "straight on")] {
        lines.push_str(&entry(id, "a", "assistant", text));
    }
    lines.push_str(&entry("e", "b", "user", "and then?"));
    lines.push_str(&entry("f", "e", "assistant", "home"));
    lines
}

fn three_attempts_open() -> (tempfile::TempDir, Harness) {
    let (folder, mut ui) = open(&three_attempts());
    ui.press("<tab>");
    (folder, ui)
}

#[test]
fn arrows_choose_among_more_than_two() {
    let (_folder, mut ui) = three_attempts_open();
    ui.press("g=");
    let shows = |ui: &Harness, left: &str, right: &str| {
        let frame = ui.frame();
        let row = frame.lines().find(|row| row.contains(" of 3") && row.contains('│')).unwrap();
        assert!(row.contains(left) && row.contains(right), "{left}, {right}: {row}");
    };
    shows(&ui, "1 of 3 · current", "2 of 3");
    ui.press("<right>");
    shows(&ui, "3 of 3", "2 of 3");
    ui.press("<right>");
    shows(&ui, "1 of 3", "2 of 3");
    ui.press("<tab><left>");
    shows(&ui, "1 of 3", "3 of 3");
    assert!(ui.frame().contains("2 turns, 3 entries, answered"), "{}", ui.frame());
}

#[test]
fn marked_entries_say_what_is_compared() {
    let (_folder, mut ui) = three_attempts_open();
    // The second and the third answer.
    ui.press("gjjjmm=");
    let frame = ui.frame();
    assert!(frame.contains("Compare · 2 branches"), "{frame}");
    let (_folder, mut ui) = three_attempts_open();
    ui.press("gmm=");
    assert!(ui.frame().contains("the marked entries lie on one branch"), "{}", ui.frame());
}

#[test]
fn without_branches_there_is_nothing_to_compare() {
    let (_folder, mut ui) = open(&format!("{HEADER}\n{}", entry("a", "", "user", "alone")));
    ui.press("<tab>=");
    assert!(ui.frame().contains("nothing to compare"), "{}", ui.frame());
}

#[test]
fn views_fit_every_size() {
    for keys in ["i", "<tab>="] {
        let mut ui = Harness::demo();
        ui.press(keys);
        for (columns, rows) in [(1, 1), (3, 2), (20, 10), (40, 5), (97, 12), (120, 30), (300, 80)] {
            ui.resize(columns, rows).press("<down><pageDown><up>");
            ui.frame();
        }
    }
}
