//! Cursors and places stay where they are, whatever comes and goes around them.

use crate::harness::{Harness, fixture};
use piscope::app::{Item, Pane, SessionRow};

/// The id of the entry under the tree's cursor.
fn entry(ui: &Harness) -> String {
    let (doc, entry) = ui.app.tree.cursor_entry().unwrap();
    ui.app.tree.docs[doc].session.entry_id(entry).to_string()
}

#[test]
fn an_empty_tree_remembers_the_entry() {
    let mut ui = Harness::demo();
    ui.press("<tab><home>jjj");
    let before = entry(&ui);
    ui.press("/☃<enter>");
    assert!(ui.app.tree.rows.is_empty());
    ui.press("<esc>");
    assert_eq!(entry(&ui), before);
    assert!(ui.app.tree.selected().is_some() && !ui.app.messages.items().is_empty());
}

#[test]
fn both_views_show_the_same_place() {
    let mut ui = Harness::demo();
    ui.press("<tab><tab><end>");
    let before = ui.app.messages.current().map(Item::entry);
    ui.press("c");
    let sent = ui.app.messages.current().map(Item::entry);
    assert_eq!(sent, before);
    ui.press("c");
    assert_eq!(ui.app.messages.current().map(Item::entry), before);
}

#[test]
fn reading_from_the_top_stays_on_the_branch() {
    let mut ui = Harness::demo();
    ui.press("<tab><tab><home>");
    let row = ui.app.tree.selected().unwrap();
    let (_, shown) = ui.app.tree.outline_row(0, row).unwrap();
    assert!(shown.is_active, "row {row}");
}

#[test]
fn a_rescan_keeps_the_session() {
    let mut ui = Harness::demo();
    ui.press("jjjj");
    let path = ui.app.sessions.selected_session().unwrap().path.clone();
    ui.press("<f5>");
    assert_eq!(ui.app.sessions.selected_session().unwrap().path, path);
    assert_eq!(ui.app.tree.path().unwrap(), path);
}

#[test]
fn what_is_no_session_never_gets_the_first_cursor() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("a.jsonl")).unwrap();
    std::fs::copy(fixture("samples/v3-linear.jsonl"), folder.path().join("b.jsonl")).unwrap();
    let ui = Harness::open(folder.path());
    let row = ui.app.sessions.selected().unwrap();
    assert!(matches!(ui.app.sessions.rows[row], SessionRow::Session { .. }));
    assert_eq!(ui.app.focus, Pane::Sessions);
}

#[test]
fn a_dead_branch_is_told_in_the_row_the_title_and_the_damage() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = String::from("{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"cwd\":\"/p\"}\n");
    for at in 0..30 {
        let parent = if at == 0 { "null".into() } else { format!("\"e{}\"", at - 1) };
        let message = "{\"role\":\"user\",\"content\":\"on\"}";
        text += &format!(
            "{{\"type\":\"message\",\"id\":\"e{at}\",\"parentId\":{parent},\"message\":{message}}}\n"
        );
    }
    let file = folder.path().join("a.jsonl");
    std::fs::write(&file, &text).unwrap();
    let ui = Harness::open(folder.path());
    assert!(!ui.frame().contains("dead branch"));
    text += "{\"type\":\"session_info\",\"id\":\"n\",\"parentId\":\"e3\",\"name\":\"left behind\"}\n";
    std::fs::write(&file, text).unwrap();
    let mut ui = Harness::open(folder.path());
    let frame = ui.frame();
    let row = frame.lines().find(|line| line.contains("left behind  ")).unwrap();
    assert!(row.contains("⚠ dead branch"), "{row}");
    assert!(frame.contains("dead branch: 5 of 30 entries"), "{frame}");
    ui.press("!");
    let frame = ui.frame();
    assert!(frame.contains("line 32") && frame.contains("ends at e29"), "{frame}");
}
