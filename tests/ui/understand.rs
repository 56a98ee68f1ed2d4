//! Stories about judging what is there: the details of a session, branches beside each other.

use insta::assert_snapshot;
use piscope::app::{MouseKind, Pane};
use piscope::tui::Glyphs;

use crate::harness::{HEADER, Harness, entry, text_of};

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
    assert_snapshot!("compare_three", ui.frame());
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
fn costs_are_told_and_lead_down_to_a_session() {
    let mut ui = Harness::demo();
    ui.press("$");
    assert_snapshot!("stats_wide", ui.frame());
    ui.press("d").resize(80, 24);
    assert_snapshot!("stats_narrow", ui.frame());
    ui.press("p<down><enter>");
    assert!(ui.frame().contains("Spent · by session · ~/old/prototype · all time"), "{}", ui.frame());
    ui.press("m");
    assert!(ui.frame().contains("openai/gpt-5.1-codex"), "{}", ui.frame());
    ui.press("<enter>");
    let title = "Spent · by session · ~/old/prototype · openai/gpt-5.1-codex";
    assert!(ui.frame().contains(title), "{}", ui.frame());
    ui.press("<esc>");
    assert!(ui.frame().contains("Spent · by model · ~/old/prototype"), "{}", ui.frame());
    ui.press("<esc>");
    assert!(ui.frame().contains("Spent · by project · all time"), "{}", ui.frame());
    let row = ui.frame().lines().find(|row| row.contains('▌')).unwrap().to_owned();
    assert!(row.contains("~/old/prototype"), "the cursor is where it was: {row}");
    ui.press("<enter><enter>");
    assert_eq!((ui.app.focus, ui.app.overlay.is_none()), (Pane::Tree, true));
    assert_eq!(ui.app.tree.session().unwrap().name(), Some("spike: event sourcing"));
    ui.press("$<esc>");
    assert!(ui.app.overlay.is_none());
}

#[test]
fn costs_are_told_of_a_period_and_in_an_order() {
    let mut ui = Harness::demo();
    ui.press("$st");
    let frame = ui.frame();
    assert!(frame.contains("by session · 7 days") && !frame.contains("spike: event sourcing"), "{frame}");
    ui.press("t");
    assert!(ui.frame().contains("30 days"), "{}", ui.frame());
    ui.press("to");
    assert!(ui.frame().contains("all time · most tokens first"), "{}", ui.frame());
    let first = ui.frame().lines().find(|row| row.contains('▌')).unwrap().to_owned();
    assert!(first.contains("Refactor auth module"), "{first}");
    ui.press("o");
    let names: Vec<String> = ui
        .frame()
        .lines()
        .skip(5)
        .take(11)
        .map(|row| row.trim_start_matches(['▌', ' ']).to_owned())
        .collect();
    assert!(names.is_sorted(), "{names:?}");
}

#[test]
fn costs_follow_sessions_that_come() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let session = |id: &str| format!("{HEADER}\n{}", answer(id, "", "tiny", "stop", "yes"));
    std::fs::write(file("a.jsonl"), session("a")).unwrap();
    let mut ui = Harness::open(folder.path());
    ui.press("$");
    assert!(ui.frame().contains("all of 1 session"), "{}", ui.frame());
    std::fs::write(file("b.jsonl"), session("b").replace("s-1", "s-2")).unwrap();
    ui.changed(&[&file("b.jsonl")]);
    let frame = ui.frame();
    assert!(frame.contains("all of 2 sessions") && frame.contains("$0.50"), "{frame}");
}

#[test]
fn text_of_files_stays_text() {
    let escaped = r"\u001b[31m\u0007\u202e\u0000\u009b2J";
    let text = eventful()
        .replace("which way", &format!("which {escaped} way"))
        .replace("\"tiny\"", &format!("\"ti{escaped}ny\""))
        .replace("\"good\"", &format!("\"go{escaped}od\""))
        .replace("/home/dev/p", &format!("/home/{escaped}/p"));
    let (_folder, mut ui) = open(&text);
    for keys in ["i", "<end>", "<esc><tab>=", "<tab>", "<esc>$", "m", "s", "d", "<enter>"] {
        ui.press(keys);
        let frame = ui.frame();
        assert!(!frame.contains(['\u{1b}', '\u{7}', '\u{202e}', '\u{9b}', '\0']), "{keys}: {frame}");
        assert!(!frame.contains("31m") && !frame.contains("2J"), "{keys}: {frame}");
    }
}

#[test]
fn the_wheel_moves_what_lies_above() {
    let mut ui = Harness::demo();
    ui.press("/refactor auth<enter><tab>=");
    let before = ui.frame();
    ui.mouse(MouseKind::ScrollDown, 10, 10);
    assert_ne!(ui.frame(), before);
}

#[test]
fn bars_are_drawn_in_ascii_too() {
    let mut ui = Harness::demo();
    ui.press("$");
    let mut buffer = ui.buffer();
    Glyphs::Ascii.apply(&mut buffer);
    let frame = text_of(&buffer);
    assert!(frame.is_ascii() && frame.contains("===-") && frame.contains("= current - abandoned"), "{frame}");
}

#[test]
fn views_open_on_whatever_the_file_holds() {
    for set in ["cases", "samples"] {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(set);
        let mut ui = Harness::open(&folder);
        ui.resize(100, 30);
        for _ in 0..ui.app.sessions.rows.len() {
            ui.press("<down>i<end>");
            ui.frame();
            ui.press("<esc><tab>=<tab><right>");
            ui.frame();
            ui.press("<esc>");
            ui.app.focus = Pane::Sessions;
        }
        ui.press("$smdp<enter>");
        ui.frame();
    }
}

#[test]
fn views_fit_every_size() {
    for keys in ["i", "<tab>=", "$s"] {
        let mut ui = Harness::demo();
        ui.press(keys);
        for (columns, rows) in [(1, 1), (3, 2), (20, 10), (40, 5), (97, 12), (120, 30), (300, 80)] {
            ui.resize(columns, rows).press("<down><pageDown><up>");
            ui.frame();
        }
    }
}
