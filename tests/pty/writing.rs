//! What is written through the real screen, and what another program writes while it shows.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use piscope::session::Session;
use tempfile::TempDir;

use crate::terminal::Pty;

const HEADER: &str =
    r#"{"type":"session","version":3,"id":"0123","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/p"}"#;

fn message(id: &str, parent: &str, text: &str) -> String {
    format!(
        "{{\"type\":\"message\",\"id\":\"{id}\",\"parentId\":{parent},\"timestamp\":\"2026-01-01T00:00:01.000Z\",\
         \"message\":{{\"role\":\"user\",\"content\":\"{text}\"}}}}\n"
    )
}

/// A home with one session of two prompts, written an hour ago.
fn home() -> (TempDir, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let store = home.path().join("agent/sessions/--p--");
    fs::create_dir_all(&store).unwrap();
    let file = store.join("s.jsonl");
    let lines = [message("aaaa", "null", "first prompt"), message("bbbb", "\"aaaa\"", "second prompt")];
    fs::write(&file, format!("{HEADER}\n{}", lines.concat())).unwrap();
    let hour_ago = SystemTime::now() - Duration::from_secs(3600);
    File::options().write(true).open(&file).unwrap().set_modified(hour_ago).unwrap();
    (home, file)
}

fn start(home: TempDir, arguments: &[&str]) -> Pty {
    let agent = home.path().join("agent");
    let trash = home.path().join("trash");
    let variables =
        [("PI_CODING_AGENT_DIR", agent.to_str().unwrap()), ("PISCOPE_TRASH", trash.to_str().unwrap())];
    Pty::at(home, env!("CARGO_BIN_EXE_piscope"), arguments, &variables)
}

#[test]
fn a_label_typed_on_the_screen_stands_in_the_file() {
    let (home, file) = home();
    let before = fs::read(&file).unwrap();
    let mut pty = start(home, &[file.to_str().unwrap()]);
    pty.wait_for_text("▌ • user: second prompt");
    pty.press("kLmärk");
    pty.wait_for_text("label: märk");
    pty.press("<enter>");
    pty.wait_for_text("▌ • [märk] user: first prompt");
    let session = Session::open(&file).unwrap();
    let first = session.find_text("aaaa").unwrap();
    assert_eq!(&*session.label_of(first).unwrap().text, "märk");
    let leaf = session.current_leaf().unwrap();
    assert_eq!(session.links().parent(leaf), session.find_text("bbbb"));
    assert!(fs::read(&file).unwrap().starts_with(&before));
    // Whoever thinks better of it leaves the file as it is.
    let labelled = fs::read(&file).unwrap();
    pty.press("Lother<esc>");
    pty.wait_for_text("nothing was changed");
    assert_eq!(fs::read(&file).unwrap(), labelled);
    pty.press("q");
    pty.finish().assert_restored();
}

/// Appends one entry after another to a session until it is told to stop.
fn write_on(file: &Path, is_seen: &AtomicBool) {
    let mut parent = "bbbb".to_owned();
    for at in 0.. {
        if is_seen.load(Ordering::Relaxed) {
            return;
        }
        let id = format!("c{at}");
        let line = message(&id, &format!("\"{parent}\""), &format!("grown by {at}."));
        File::options().append(true).open(file).unwrap().write_all(line.as_bytes()).unwrap();
        parent = id;
        thread::park_timeout(Duration::from_millis(100));
    }
}

/// Lets a session grow until the screen is as wanted. Growth goes unseen until the watch stands, so one line is not
/// enough.
fn grow_until(pty: &Pty, file: &Path, wanted: &str, is_so: impl Fn(&vt100::Screen) -> bool) {
    let is_seen = AtomicBool::new(false);
    thread::scope(|scope| {
        let writer = scope.spawn(|| write_on(file, &is_seen));
        pty.wait_for(wanted, is_so);
        is_seen.store(true, Ordering::Relaxed);
        writer.thread().unpark();
    });
}

#[test]
fn a_reader_at_the_end_is_taken_along_and_one_elsewhere_stays() {
    for (keys, cursor, follows) in [("", "second prompt", true), ("k", "first prompt", false)] {
        let (home, file) = home();
        let mut pty = start(home, &[file.to_str().unwrap()]);
        pty.wait_for_text("▌ • user: second prompt");
        pty.press(keys);
        pty.wait_for_text(&format!("▌ • user: {cursor}"));
        grow_until(&pty, &file, "an entry that came", |screen| {
            let text = screen.contents();
            text.contains("user: grown by") && text.contains("▌ • user: grown by") == follows
        });
        if !follows {
            pty.wait_for_text(&format!("▌ • user: {cursor}"));
        }
        pty.press("q");
        pty.finish().assert_restored();
    }
}

#[test]
fn sessions_that_come_and_go_are_listed_and_not() {
    let (home, file) = home();
    let mut pty = start(home, &[]);
    pty.wait_for_text("first prompt");
    let other = file.with_file_name("t.jsonl");
    fs::write(&other, format!("{HEADER}\n{}", message("xxxx", "null", "newcomer"))).unwrap();
    // The watch stands once growth is seen, and then nothing is missed.
    grow_until(&pty, &other, "the new session", |screen| screen.contents().contains("newcomer"));
    fs::remove_file(&other).unwrap();
    pty.wait_for("its end", |screen| !screen.contents().contains("newcomer"));
    pty.press("q");
    pty.finish().assert_restored();
}

#[test]
fn a_deletion_by_command_is_asked_about() {
    for (arguments, question, answer, stays) in [
        (&["delete", "0123"][..], "Move to the trash? [y/N]", "n", true),
        (&["delete", "0123", "--permanent"], "Delete for good? [y/N]", "", true),
        (&["delete", "0123"], "Move to the trash? [y/N]", "y", false),
        (&["delete", "0123", "--permanent"], "Delete for good? [y/N]", "y", false),
    ] {
        let (home, file) = home();
        let trash = home.path().join("trash");
        let before = fs::read(&file).unwrap();
        let mut pty = start(home, arguments);
        pty.wait_for_text(question);
        pty.press(answer);
        pty.press("<enter>");
        pty.wait_for_end();
        assert_eq!(fs::read(&file).ok(), stays.then(|| before.clone()), "{arguments:?} {answer}");
        let is_in_trash = fs::read(trash.join("s.jsonl")).is_ok_and(|bytes| bytes == before);
        assert_eq!(is_in_trash, !stays && arguments.len() == 2);
    }
}
