//! What a person changes: labels, names, forks, clones, deletions, each asked for, cancelled and confirmed.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use insta::assert_snapshot;
use piscope::app::{Overlay, Pane, TreeRow};
use piscope::session::Session;
use piscope::store::Store;
use tempfile::TempDir;

use crate::harness::Harness;

const HEADER: &str =
    r#"{"type":"session","version":3,"id":"s-1","timestamp":"2026-11-30T08:00:00.000Z","cwd":"/home/dev/p"}"#;

fn entry(id: &str, parent: &str, role: &str, text: &str) -> String {
    let parent = if parent.is_empty() { "null".into() } else { format!("\"{parent}\"") };
    format!(
        "{{\"type\":\"message\",\"id\":\"{id}\",\"parentId\":{parent},\"timestamp\":\"2026-11-30T08:00:01.000Z\",\
         \"message\":{{\"role\":\"{role}\",\"content\":\"{text}\"}}}}\n"
    )
}

/// A store with a session and a fork of it.
struct Bench {
    folder: TempDir,
    file: PathBuf,
    fork: PathBuf,
    ui: Harness,
}

impl Bench {
    fn new() -> Self {
        let lines = [
            entry("u1", "", "user", "first prompt"),
            entry("a1", "u1", "assistant", "first answer"),
            entry("u2", "a1", "user", "second prompt"),
            entry("a2", "u2", "assistant", "second answer"),
        ];
        Self::with(&format!("{HEADER}\n{}", lines.concat()))
    }

    fn with(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("sessions/--home-dev-p--");
        fs::create_dir_all(&project).unwrap();
        let (file, fork) = (project.join("s.jsonl"), project.join("f.jsonl"));
        fs::write(&file, text).unwrap();
        let header = HEADER.replace("s-1\"", &format!("s-2\",\"parentSession\":\"{}\"", file.display()));
        fs::write(&fork, format!("{header}\n{}", entry("x1", "", "user", "a fork"))).unwrap();
        for path in [&file, &fork] {
            let long_ago = SystemTime::now() - Duration::from_secs(86_400);
            File::options().write(true).open(path).unwrap().set_modified(long_ago).unwrap();
        }
        let store = Store::at(folder.path().join("sessions"));
        let ui = Harness::browse(store, folder.path(), Path::new("/home/dev/p"));
        let mut bench = Self { folder, file, fork, ui };
        bench.ui.resize(120, 24);
        let file = bench.file.clone();
        while bench.ui.app.sessions.selected_session().is_none_or(|row| row.path != file) {
            bench.ui.press("j");
        }
        bench
    }

    fn session(&self) -> Session {
        Session::open(&self.file).unwrap()
    }

    fn label(&self, id: &str) -> Option<String> {
        let session = self.session();
        let label = session.label_of(session.find_text(id).unwrap())?;
        Some(label.text.to_string())
    }

    fn notice(&self) -> &str {
        self.ui.app.notice.as_ref().map_or("", |notice| &notice.text)
    }

    /// The screen with what differs between runs made equal.
    fn frame(&self) -> String {
        self.ui.frame().replace(self.folder.path().to_str().unwrap(), "~")
    }

    fn cursor(&self) -> String {
        let (doc, entry) = self.ui.app.tree.cursor_entry().unwrap();
        self.ui.app.tree.docs[doc].session.entry_id(entry).to_string()
    }
}

#[test]
fn a_label_is_typed_changed_and_cleared_in_place() {
    let mut bench = Bench::new();
    bench.ui.press("<tab>kk");
    assert_eq!(bench.cursor(), "a1");
    bench.ui.press("Lgood");
    assert_snapshot!("label_dialog", bench.frame());
    bench.ui.press("<enter>");
    assert_eq!(bench.label("a1").as_deref(), Some("good"));
    assert_eq!((bench.cursor().as_str(), bench.notice()), ("a1", "labelled"));
    assert_snapshot!("labelled", bench.frame());
    let leaf = bench.session();
    let above = leaf.links().parent(leaf.current_leaf().unwrap()).unwrap();
    assert_eq!(leaf.entry_id(above).as_str(), "a2", "the current position stays");
    // The old text is selected, so that typing replaces it.
    bench.ui.press("Lbetter<enter>");
    assert_eq!(bench.label("a1").as_deref(), Some("better"));
    bench.ui.press("L<backspace><enter>");
    assert_eq!((bench.label("a1"), bench.notice()), (None, "label cleared"));
    assert_eq!(bench.ui.app.focus, Pane::Tree);
}

#[test]
fn a_label_that_is_cancelled_changes_nothing() {
    let mut bench = Bench::new();
    let before = fs::read(&bench.file).unwrap();
    bench.ui.press("<tab>Lgood<esc>");
    assert_eq!(fs::read(&bench.file).unwrap(), before);
    assert_eq!(bench.notice(), "nothing was changed");
    assert!(bench.ui.app.overlay.is_none());
}

#[test]
fn a_filter_by_labels_and_the_label_jumps_see_a_new_label_at_once() {
    let mut bench = Bench::new();
    bench.ui.press("<tab>kkLgood<enter><c-l>");
    assert_eq!(bench.cursor(), "a1");
    let shown = bench.ui.app.tree.rows.iter().filter(|row| matches!(row, TreeRow::Entry { .. })).count();
    assert_eq!(shown, 1);
    bench.ui.press("<c-l>G}");
    assert_eq!(bench.cursor(), "a1");
}

#[test]
fn version_1_asks_before_it_is_migrated() {
    let v1 = HEADER.replace("\"version\":3,", "")
        + "\n{\"type\":\"message\",\"message\":{\"role\":\"user\",\"content\":\"old prompt\"}}\n";
    let mut bench = Bench::with(&v1);
    bench.ui.press("<tab>Lgood<enter>");
    assert_snapshot!("migrate_dialog", bench.frame());
    bench.ui.press("<esc>");
    assert_eq!(fs::read_to_string(&bench.file).unwrap(), v1);
    bench.ui.press("Lgood<enter><enter>");
    assert!(bench.notice().starts_with("labelled; the file of version 1 is kept as"), "{}", bench.notice());
    assert_eq!(bench.session().labels().len(), 1);
    let backup = bench.file.with_file_name("s.jsonl.v1-backup");
    assert_eq!(fs::read_to_string(backup).unwrap(), v1);
}

#[test]
fn a_session_is_named_and_its_name_cleared() {
    let mut bench = Bench::new();
    bench.ui.press("R");
    assert_snapshot!("rename_dialog", bench.frame());
    bench.ui.press("a name<enter>");
    assert_eq!(bench.session().name(), Some("a name"));
    assert_eq!(bench.ui.app.sessions.selected_session().unwrap().title(), "a name");
    assert!(bench.frame().contains("a name"));
    bench.ui.press("<c-r><backspace><enter>");
    assert_eq!(bench.session().name(), None);
    assert_eq!(bench.notice(), "name cleared");
    let before = fs::read(&bench.file).unwrap();
    bench.ui.press("Rother<esc>");
    assert_eq!(fs::read(&bench.file).unwrap(), before);
}

#[test]
fn a_fork_before_a_prompt_hangs_where_it_left_and_offers_the_prompt() {
    let mut bench = Bench::new();
    let before = fs::read(&bench.file).unwrap();
    bench.ui.press("<tab>k");
    assert_eq!(bench.cursor(), "u2");
    bench.ui.press("F");
    assert_snapshot!("forked", bench.frame());
    assert!(matches!(bench.ui.app.overlay, Some(Overlay::Edit(_))));
    bench.ui.press("<enter>");
    assert!(bench.ui.app.overlay.is_none());
    assert_eq!(bench.ui.copied.len(), 1);
    let made = bench.ui.app.sessions.selected_session().unwrap().path.clone();
    assert_eq!(Session::open(&made).unwrap().len(), 2);
    assert_eq!(bench.ui.app.tree.path(), Some(bench.file.as_path()), "the tree shows what was forked");
    let cursor = bench.ui.app.tree.cursor().unwrap();
    assert_eq!((cursor.entry, bench.ui.app.tree.docs[cursor.doc].session.path()), (None, made.as_path()));
    assert_eq!(fs::read(&bench.file).unwrap(), before);
}

#[test]
fn a_clone_is_a_session_of_its_own() {
    let mut bench = Bench::new();
    bench.ui.press("<tab>K");
    assert_eq!(bench.notice(), "cloned this branch");
    let made = bench.ui.app.sessions.selected_session().unwrap().path.clone();
    assert_eq!(Session::open(made).unwrap().len(), 4);
    assert_eq!(bench.ui.app.sessions.found().len(), 3);
}

#[test]
fn a_deletion_is_asked_about_done_and_undone() {
    let mut bench = Bench::new();
    bench.ui.press("<c-d>");
    assert_snapshot!("delete_dialog", bench.frame());
    // Any other key is none of its business.
    bench.ui.press("xqj<esc>");
    assert!(bench.file.exists() && !bench.ui.is_over);
    bench.ui.press("<c-d><enter>");
    assert!(!bench.file.exists());
    assert_eq!(bench.notice(), "moved 1 session to the trash, u brings back");
    assert_eq!(bench.ui.app.sessions.found().len(), 1);
    assert_eq!(Session::open(&bench.fork).unwrap().header().parent_session, None);
    assert!(bench.folder.path().join("trash/s.jsonl").exists());
    bench.ui.press("u");
    assert_eq!(bench.notice(), "brought back 1 session");
    assert!(bench.file.exists());
    assert_eq!(bench.ui.app.sessions.found().len(), 2);
    assert_eq!(Session::open(&bench.fork).unwrap().header().parent_session.as_deref(), bench.file.to_str());
    bench.ui.press("u");
    assert_eq!(bench.notice(), "nothing was deleted since the program was started");
}

#[test]
fn marked_sessions_are_deleted_together() {
    let mut bench = Bench::new();
    bench.ui.press("mm<c-d>");
    let rows = bench.frame();
    assert!(rows.contains("first prompt") && rows.contains("a fork"), "{rows}");
    bench.ui.press("<enter>");
    assert!(!bench.file.exists() && !bench.fork.exists());
    assert_eq!(bench.notice(), "moved 2 sessions to the trash, u brings back");
}

#[test]
fn a_write_that_is_refused_says_why() {
    let mut bench = Bench::new();
    bench.ui.press("<tab>");
    let other = bench.file.with_file_name("other");
    fs::copy(&bench.file, &other).unwrap();
    fs::rename(&other, &bench.file).unwrap();
    bench.ui.press("Lgood<enter>");
    assert!(bench.notice().contains("another file has taken its place"), "{}", bench.notice());
    assert!(bench.notice().starts_with("cannot label"), "{}", bench.notice());
}
