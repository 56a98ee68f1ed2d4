//! Files that change while they are shown.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use piscope::app::Pane;
use piscope::format::Problem;
use piscope::store::Store;
use tempfile::TempDir;

use crate::harness::{HEADER, Harness, NOW};

/// A prompt.
fn prompt(id: &str, parent: &str, text: &str) -> String {
    crate::harness::entry(id, parent, "user", text)
}

/// A store with one session: a root with two branches, of which the second is the current one.
struct Bench {
    _folder: TempDir,
    file: PathBuf,
    ui: Harness,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("sessions/--home-dev-p--");
        fs::create_dir_all(&project).unwrap();
        let file = project.join("s.jsonl");
        let lines = [
            prompt("r", "", "root"),
            prompt("a1", "r", "first branch"),
            prompt("a2", "a1", "its end"),
            prompt("b1", "r", "second branch"),
            prompt("b2", "b1", "the leaf"),
        ];
        fs::write(&file, format!("{HEADER}\n{}", lines.concat())).unwrap();
        let store = Store::at(folder.path().join("sessions"));
        let ui = Harness::browse(store, folder.path(), Path::new("/home/dev/p"));
        Self { _folder: folder, file, ui }
    }

    fn append(&mut self, text: &str) {
        File::options().append(true).open(&self.file).unwrap().write_all(text.as_bytes()).unwrap();
        let file = self.file.clone();
        self.ui.changed(&[&file]);
    }

    fn cursor(&self) -> String {
        let (doc, entry) = self.ui.app.tree.cursor_entry().unwrap();
        self.ui.app.tree.docs[doc].session.entry_id(entry).to_string()
    }

    fn entries(&self) -> usize {
        self.ui.app.tree.session().unwrap().len()
    }
}

#[test]
fn a_reader_at_the_end_is_taken_along() {
    let mut bench = Bench::new();
    bench.ui.press("<tab>");
    assert_eq!(bench.cursor(), "b2");
    bench.append(&prompt("b3", "b2", "more"));
    assert_eq!((bench.cursor().as_str(), bench.entries()), ("b3", 6));
    assert!(bench.ui.frame().contains("more"), "the messages follow too");
}

#[test]
fn what_is_being_written_can_be_followed_instead_of_resumed() {
    let mut bench = Bench::new();
    let written = UNIX_EPOCH + Duration::from_millis(NOW as u64 - 5_000);
    File::options().append(true).open(&bench.file).unwrap().set_modified(written).unwrap();
    bench.ui.press("<tab><home>r");
    let frame = bench.ui.frame();
    assert!(frame.contains("two writers at once are a bad idea; l follows it here instead"), "{frame}");
    bench.ui.press("l");
    assert!(bench.ui.app.overlay.is_none());
    assert_eq!((bench.ui.app.focus, bench.cursor().as_str()), (Pane::Messages, "b2"));
    bench.append(&prompt("b3", "b2", "more"));
    assert_eq!(bench.cursor(), "b3");
    assert!(bench.ui.frame().contains("more"));
}

#[test]
fn a_session_at_rest_offers_nothing_to_follow() {
    let mut bench = Bench::new();
    let written = UNIX_EPOCH + Duration::from_millis(NOW as u64 - 3_600_000);
    File::options().append(true).open(&bench.file).unwrap().set_modified(written).unwrap();
    bench.ui.press("r");
    assert!(!bench.ui.frame().contains("follow"), "{}", bench.ui.frame());
    bench.ui.press("l");
    assert!(bench.ui.app.overlay.is_some());
}

#[test]
fn a_reader_at_the_end_is_taken_along_from_behind_a_label() {
    let mut bench = Bench::new();
    bench.ui.press("<tab>Lmark<enter>");
    assert_eq!(bench.cursor(), "b2", "the label is not shown, and what it hangs below is the end");
    bench.append(&prompt("b3", "b2", "more"));
    assert_eq!(bench.cursor(), "b3");
    // With the label's own entry in view the cursor is not pushed off what was labelled.
    bench.ui.press("<c-a>Lmark<enter>");
    assert_eq!(bench.cursor(), "b3");
}

#[test]
fn a_reader_elsewhere_stays_with_folds_and_all() {
    let mut bench = Bench::new();
    // The first branch is folded, and the second one read above its end.
    bench.ui.press("<tab>G");
    assert_eq!(bench.cursor(), "a2");
    bench.ui.press("k<left>kk");
    let shown =
        |bench: &Bench| (bench.cursor(), bench.ui.app.tree.rows.len(), bench.ui.app.messages.anchor());
    let (cursor, rows, anchor) = shown(&bench);
    assert_eq!((cursor.as_str(), rows), ("b1", 4));
    bench.append(&prompt("b3", "b2", "more"));
    assert_eq!(shown(&bench), (cursor, rows + 1, anchor));
    assert_eq!(bench.entries(), 6);
}

#[test]
fn half_a_line_is_no_entry_until_the_rest_comes() {
    let mut bench = Bench::new();
    let line = prompt("b3", "b2", "more");
    bench.append(&line[..40]);
    assert_eq!(bench.entries(), 5);
    bench.append(&line[40..]);
    assert_eq!(bench.entries(), 6);
}

#[test]
fn sessions_come_and_go() {
    let mut bench = Bench::new();
    let other = bench.file.with_file_name("t.jsonl");
    fs::write(&other, format!("{HEADER}\n{}", prompt("x", "", "newcomer"))).unwrap();
    bench.ui.changed(&[&other]);
    assert_eq!(bench.ui.app.sessions.found().len(), 2);
    assert!(bench.ui.frame().contains("newcomer"));
    assert_eq!(bench.ui.app.tree.path(), Some(bench.file.as_path()), "the cursor stays where it was");
    fs::remove_file(&other).unwrap();
    bench.ui.changed(&[&other]);
    assert_eq!(bench.ui.app.sessions.found().len(), 1);
    // A folder that came may have had its files before it was watched.
    let folder = bench.file.parent().unwrap().with_file_name("--home-dev-q--");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("u.jsonl"), format!("{HEADER}\n")).unwrap();
    bench.ui.changed(&[&folder]);
    assert_eq!(bench.ui.app.sessions.found().len(), 2);
    fs::remove_dir_all(&folder).unwrap();
    bench.ui.changed(&[&folder]);
    assert_eq!(bench.ui.app.sessions.found().len(), 1);
}

#[test]
fn a_file_that_was_replaced_is_read_whole() {
    let mut bench = Bench::new();
    bench.ui.press("<tab>");
    let file = bench.file.clone();
    fs::write(
        &file,
        format!("{HEADER}\n{}{}", prompt("r", "", "root"), prompt("z", "r", "all is other now")),
    )
    .unwrap();
    bench.ui.changed(&[&file]);
    assert_eq!((bench.cursor().as_str(), bench.entries()), ("z", 2));
    fs::remove_file(&file).unwrap();
    bench.ui.changed(&[&file]);
    assert!(bench.ui.frame().contains("gone from the disk"));
    assert_eq!(bench.entries(), 2, "what was read can still be read");
}

#[test]
fn a_file_that_only_looks_changed_is_not_read_again() {
    let mut bench = Bench::new();
    let before = bench.ui.app.tree.session().cloned().unwrap();
    let file = bench.file.clone();
    bench.ui.changed(&[&file]);
    assert!(std::sync::Arc::ptr_eq(&before, bench.ui.app.tree.session().unwrap()));
}

#[test]
fn what_nobody_told_is_found_once_the_last_look_was_long_ago() {
    let mut bench = Bench::new();
    fs::write(bench.file.with_file_name("t.jsonl"), HEADER).unwrap();
    bench.ui.press("j");
    assert_eq!(bench.ui.app.sessions.found().len(), 1, "nothing is looked for all the time");
    bench.ui.now += 31_000;
    bench.ui.press("j");
    assert_eq!(bench.ui.app.sessions.found().len(), 2);
}

/// A long result of a tool, in the shape in which pi writes it.
fn result(id: usize) -> String {
    let parent = id.checked_sub(1).map_or("null".to_owned(), |parent| format!("\"t{parent}\""));
    format!(
        r#"{{"type":"message","id":"t{id}","parentId":{parent},"timestamp":"2026-11-30T08:00:01.000Z","message":{{"role":"toolResult","toolCallId":"c","toolName":"read","content":[{{"type":"text","text":"{}"}}],"isError":false,"timestamp":17}}}}"#,
        "word ".repeat(1000)
    )
}

#[test]
fn what_was_taken_on_trust_in_a_large_session_is_made_good() {
    const RESULTS: usize = 2_000;
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("sessions/--home-dev-p--");
    fs::create_dir_all(&project).unwrap();
    let mut text = format!("{HEADER}\n");
    for id in 0..RESULTS {
        text += &result(id);
        // Two records on one line begin and end as one does.
        text += if id == RESULTS / 2 { "" } else { "\n" };
    }
    let leaf = prompt("leaf", &format!("t{}", RESULTS - 1), "the last word");
    fs::write(project.join("s.jsonl"), text + &leaf).unwrap();
    let mut ui =
        Harness::browse(Store::at(folder.path().join("sessions")), folder.path(), Path::new("/home/dev/p"));
    ui.press("<tab>");
    let session = ui.app.tree.session().unwrap();
    assert_eq!(session.len(), RESULTS - 2 + 1);
    assert!(session.diagnostics().iter().any(|found| found.problem == Problem::FusedLines));
    let (_, entry) = ui.app.tree.cursor_entry().unwrap();
    assert_eq!(session.entry_id(entry).as_str(), "leaf");
    assert!(ui.frame().contains("the last word"));
}
