//! Deletions: asked about, cancelled, done and undone.

use std::fs;

use insta::assert_snapshot;
use piscope::session::Session;

use super::Bench;

#[test]
fn a_deletion_is_asked_about_done_and_undone() {
    let mut bench = Bench::new();
    bench.ui.press("<c-d>");
    assert_snapshot!("delete_dialog", bench.frame());
    // Any other key is none of its business.
    let before = bench.files();
    bench.ui.press("xqj<esc>");
    assert!(bench.files() == before && !bench.ui.is_over);
    assert_eq!(bench.notice(), "nothing was changed");
    bench.ui.press("<c-d><enter>");
    assert_snapshot!("deleted", bench.frame());
    assert!(!bench.file.exists());
    assert_eq!(bench.notice(), "moved 1 session to the trash, u brings back");
    assert_eq!(bench.ui.app.sessions.found().len(), 1);
    assert_eq!(Session::open(&bench.fork).unwrap().header().parent_session, None);
    assert!(bench.folder.path().join("trash/s.jsonl").exists());
    bench.ui.press("u");
    assert_eq!(bench.notice(), "brought back 1 session");
    assert_snapshot!("brought_back", bench.frame());
    assert_eq!(bench.files(), before);
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
    assert_snapshot!("delete_marked_dialog", bench.frame());
    let before = bench.files();
    bench.ui.press("<esc>");
    assert_eq!(bench.files(), before);
    bench.ui.press("<c-d><enter>");
    assert!(!bench.file.exists() && !bench.fork.exists());
    assert_eq!(bench.notice(), "moved 2 sessions to the trash, u brings back");
    assert_snapshot!("all_deleted", bench.frame());
    bench.ui.press("u");
    assert_eq!((bench.files(), bench.notice()), (before, "brought back 2 sessions"));
}

#[test]
fn a_session_that_was_just_written_is_deleted_only_after_a_warning() {
    let mut bench = Bench::new();
    let file = bench.file.clone();
    bench.written(&file, 30);
    bench.ui.press("<c-d>");
    assert_snapshot!("delete_live_dialog", bench.frame());
    bench.ui.press("<enter>");
    assert!(!bench.file.exists());
}

#[test]
fn a_fork_that_was_just_written_keeps_its_parent_and_is_named() {
    let mut bench = Bench::new();
    let before = fs::read(&bench.fork).unwrap();
    fs::File::options()
        .write(true)
        .open(&bench.fork)
        .unwrap()
        .set_modified(std::time::SystemTime::now())
        .unwrap();
    bench.ui.press("<c-d><enter>");
    assert!(bench.notice().contains(&format!("cannot give another parent to {}", bench.fork.display())));
    assert_eq!(fs::read(&bench.fork).unwrap(), before);
}

#[test]
fn a_list_is_marked_for_two_minutes_and_a_question_warns_for_one() {
    let mut bench = Bench::new();
    let file = bench.file.clone();
    for (seconds, is_marked, warns) in [(30, true, true), (90, true, false), (150, false, false)] {
        bench.written(&file, seconds);
        assert_eq!(bench.frame().contains('●'), is_marked, "{seconds}");
        bench.ui.press("<c-d>");
        assert_eq!(bench.frame().contains("it was written to"), warns, "{seconds}");
        bench.ui.press("<esc>");
    }
    // Growth that is seen counts, whatever the clock of the disk says.
    let more = crate::harness::entry("u3", "a2", "user", "more");
    fs::write(&file, fs::read_to_string(&file).unwrap() + &more).unwrap();
    bench.written(&file, 86_400);
    assert!(bench.frame().contains('●'));
}
