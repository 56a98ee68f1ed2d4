mod faults;
mod properties;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;

use super::*;
use crate::store::Environment;

const HEADER: &str =
    r#"{"type":"session","version":3,"id":"s","timestamp":"2026-01-05T08:00:00.000Z","cwd":"/p"}"#;

fn entry(id: &str, parent: &str) -> String {
    format!(
        r#"{{"type":"message","id":"{id}","parentId":{parent},"timestamp":"2026-01-05T08:00:01.000Z","message":{{"role":"user","content":"hi"}}}}"#
    )
}

/// A session file in a folder of its own, with an editor.
struct Bench {
    folder: TempDir,
    path: PathBuf,
    editor: Editor,
}

impl Bench {
    fn with(bytes: &[u8]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        fs::write(&path, bytes).unwrap();
        let environment = Environment::new(folder.path(), folder.path());
        let mut editor = Editor::new(&environment).at(1_767_600_000_000);
        editor.patience = Duration::from_millis(20);
        Self { folder, path, editor }
    }

    /// Two entries, a chain.
    fn chain() -> Self {
        Self::with(format!("{HEADER}\n{}\n{}\n", entry("u1", "null"), entry("a1", "\"u1\"")).as_bytes())
    }

    fn session(&self) -> Session {
        Session::open(&self.path).unwrap()
    }

    fn bytes(&self) -> Vec<u8> {
        fs::read(&self.path).unwrap()
    }

    /// What another program does to the file.
    fn foreign(&self, text: &str) {
        use std::io::Write;
        File::options().append(true).open(&self.path).unwrap().write_all(text.as_bytes()).unwrap();
    }

    fn name(&self, disk: &impl Disk, session: &Session) -> Result<Appended, String> {
        let make = |place: &Place<'_>| entries::session_info(place, "new");
        self.editor.append(disk, session, &Below::Last, &make).map_err(|cause| cause.to_string())
    }
}

/// The parent that a line names, as JSON.
fn parent_of(line: &str) -> Option<String> {
    let value: serde_json::Value = serde_json::from_str(line).unwrap();
    value.get("parentId").map(ToString::to_string)
}

/// The entries from the root to the current leaf, without labels and names.
fn conversation(session: &Session) -> Vec<String> {
    let path = session.path_to(session.current_leaf());
    let said = path.into_iter().filter(|&ix| session.entry(ix).kind.word() == "message");
    said.map(|ix| session.entry_id(ix).to_string()).collect()
}

#[test]
fn a_line_hangs_below_the_entry_that_is_last() {
    let (u1, a1) = (entry("u1", "null"), entry("a1", "\"u1\""));
    for (tail, parent, newline) in [
        (String::new(), Some("null"), ""),
        (format!("{u1}\n{a1}\n"), Some("\"a1\""), ""),
        (format!("{u1}\n{a1}"), Some("\"a1\""), "\n"),
        (format!("{u1}\n{}", &a1[..40]), Some("\"u1\""), "\n"),
        (format!("{u1}\n{}\n\n  \n", &a1[..40]), Some("\"u1\""), ""),
        (format!("{u1}\n{a1}{a1}\n"), Some("\"u1\""), ""),
        (format!("{u1}\n7\n[]\nnull\n{HEADER}\n"), Some("\"u1\""), ""),
        (format!("{u1}\r\n"), Some("\"u1\""), ""),
        (r#"{"type":"message","id":7,"parentId":null,"message":{}}"#.into(), Some("7"), "\n"),
        (
            r#"{"type":"message","id":"\ud83d","parentId":null,"message":{}}"#.into(),
            Some("\"\\ud83d\""),
            "\n",
        ),
        (r#"{"type":"message","message":{}}"#.into(), None, "\n"),
    ] {
        let bench = Bench::with(format!("{HEADER}\n{tail}").as_bytes());
        let before = bench.bytes();
        let appended = bench.editor.rename(&bench.session(), " a\nname ").unwrap();
        if tail.contains("ud83d") {
            assert!(appended.line.contains(r#""parentId":"\ud83d""#), "{}", appended.line);
        } else {
            assert_eq!(parent_of(&appended.line).as_deref(), parent, "{tail}");
        }
        let expected = [&before, newline.as_bytes(), appended.line.as_bytes(), b"\n"].concat();
        assert_eq!(bench.bytes(), expected, "{tail}");
        assert_eq!(bench.session().name(), Some("a name"), "{tail}");
    }
}

#[test]
fn a_label_says_what_pi_would_say() {
    let bench = Bench::chain();
    let session = bench.session();
    let u1 = session.find_text("u1").unwrap();
    let set = bench.editor.label(&session, u1, "  mark ").unwrap();
    let rest = r#""parentId":"a1","timestamp":"2026-01-05T08:00:00.000Z","targetId":"u1","label":"mark"}"#;
    assert_eq!(set.line, format!(r#"{{"type":"label","id":"{}",{rest}"#, set.id));
    // The session that is shown is the old one; the next line hangs below the one just written all the same.
    let cleared = bench.editor.label(&session, u1, " ").unwrap();
    assert_eq!(parent_of(&cleared.line), Some(format!("\"{}\"", set.id)));
    assert!(!cleared.line.contains("\"label\":"));
    assert!(bench.session().labels().is_empty());
}

#[test]
fn a_rehearsal_writes_nothing() {
    let bench = Bench::chain();
    let before = bench.bytes();
    let line = bench.editor.clone().rehearsing().rename(&bench.session(), "x").unwrap().line;
    assert_eq!(parent_of(&line).as_deref(), Some("\"a1\""));
    assert_eq!(bench.bytes(), before);
}

#[test]
fn version_1_takes_a_name_but_no_label() {
    let v1 = "{\"type\":\"session\",\"id\":\"s\"}\n{\"type\":\"message\",\"message\":{\"role\":\"user\"}}\n";
    let bench = Bench::with(v1.as_bytes());
    let session = bench.session();
    let refused = bench.editor.label(&session, EntryIx::new(0), "x").unwrap_err();
    assert_eq!(refused.cause.to_string(), Refusal::NeedsMigration.to_string());
    assert_eq!(bench.bytes(), v1.as_bytes());
    let named = bench.editor.rename(&session, "n").unwrap();
    assert_eq!(parent_of(&named.line), None);
    assert_eq!(bench.session().name(), Some("n"));
}

#[test]
fn a_newer_version_must_look_known() {
    let header = HEADER.replace(":3,", ":4,");
    let known = format!("{header}\n{}\n", entry("u1", "null"));
    let bench = Bench::with(known.as_bytes());
    bench.editor.rename(&bench.session(), "x").unwrap();
    for odd in [r#"{"type":"novelty","id":"n","parentId":null}"#, r#"{"type":"label","id":"n"}"#] {
        let bench = Bench::with(format!("{header}\n{odd}\n").as_bytes());
        let refused = bench.editor.rename(&bench.session(), "x").unwrap_err();
        assert_eq!(refused.cause.to_string(), Refusal::NewerVersion.to_string());
    }
}

#[test]
fn a_version_that_is_no_number_is_one_all_the_same() {
    let bench = Bench::with(format!("{}\n", HEADER.replace(":3,", ":\"0.1.0\",")).as_bytes());
    bench.editor.rename(&bench.session(), "x").unwrap();
    assert_eq!(bench.session().name(), Some("x"));
}

#[test]
fn a_file_that_is_no_longer_the_one_shown_is_refused() {
    let change = |change: &dyn Fn(&Bench)| {
        let bench = Bench::chain();
        let session = bench.session();
        change(&bench);
        let after = fs::read(&bench.path).ok();
        let refused = bench.editor.rename(&session, "x").unwrap_err();
        assert_eq!(fs::read(&bench.path).ok(), after, "the file is as the other left it");
        refused.cause.to_string()
    };
    let text = |bench: &Bench| String::from_utf8(bench.bytes()).unwrap();
    assert_eq!(change(&|bench| fs::remove_file(&bench.path).unwrap()), Refusal::Vanished.to_string());
    assert_eq!(
        change(&|bench| {
            let other = bench.folder.path().join("other");
            fs::copy(&bench.path, &other).unwrap();
            fs::rename(other, &bench.path).unwrap();
        }),
        Refusal::Replaced.to_string()
    );
    assert_eq!(
        change(&|bench| File::options().write(true).open(&bench.path).unwrap().set_len(120).unwrap()),
        Refusal::Shrunk.to_string()
    );
    assert_eq!(
        change(&|bench| fs::write(&bench.path, text(bench).replace("/p", "/q")).unwrap()),
        Refusal::Rewritten.to_string()
    );
    assert_eq!(
        change(&|bench| fs::write(&bench.path, text(bench).replace("\"a1\"", "\"b1\"")).unwrap()),
        Refusal::Rewritten.to_string()
    );
}

#[test]
fn a_lock_that_is_held_is_waited_for_and_then_reported() {
    let bench = Bench::chain();
    let path = fs::canonicalize(&bench.path).unwrap();
    let lock = Lock::take(&bench.editor.locks(), &path, Duration::ZERO).unwrap();
    let refused = bench.editor.rename(&bench.session(), "x").unwrap_err();
    assert!(matches!(refused.cause, Cause::Refused(Refusal::Locked)), "{refused}");
    drop(lock);
    bench.editor.rename(&bench.session(), "x").unwrap();
}
