//! The commands that write, run inside the process; the trash in a process of its own, with a home of its own.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use clap::Parser;
use piscope::cli::{self, Args};
use piscope::session::Session;
use piscope::store::Environment;
use serde_json::{Value, json};
use tempfile::TempDir;

const HEADER: &str =
    r#"{"type":"session","version":3,"id":"s-1","timestamp":"2026-01-05T08:00:00.000Z","cwd":"/p"}"#;

fn message(id: &str, parent: &str, role: &str, text: &str) -> String {
    format!(
        r#"{{"type":"message","id":"{id}","parentId":{parent},"timestamp":"2026-01-05T08:00:01.000Z","message":{{"role":"{role}","content":"{text}"}}}}"#
    )
}

/// A store with one session of two messages.
struct Bench {
    folder: TempDir,
    file: PathBuf,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("agent/sessions/--p--");
        fs::create_dir_all(&project).unwrap();
        let file = project.join("s.jsonl");
        let (u1, a1) =
            (message("u1", "null", "user", "Do it."), message("a1", "\"u1\"", "assistant", "Done."));
        let u2 = message("u2", "\"a1\"", "user", "Again.");
        fs::write(&file, format!("{HEADER}\n{u1}\n{a1}\n{u2}\n")).unwrap();
        Self { folder, file }
    }

    fn environment(&self) -> Environment {
        Environment::new(self.folder.path(), self.folder.path())
            .with("PI_CODING_AGENT_DIR", self.folder.path().join("agent"))
    }

    /// What a command says, or its exit status and complaint.
    fn run(&self, arguments: &[&str]) -> Result<String, (u8, String)> {
        let args =
            Args::try_parse_from([&["piscope"], arguments].concat()).map_err(|e| (2, e.to_string()))?;
        let mut out = Vec::new();
        cli::run(&args, args.command.as_ref().unwrap(), &self.environment(), &mut out)
            .map_err(|failure| (failure.exit_status(), failure.to_string()))?;
        Ok(String::from_utf8(out).unwrap())
    }

    fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.run(&[arguments, &["--json"]].concat()).unwrap()).unwrap()
    }

    /// The program in a process of its own, without a terminal.
    fn process(&self, arguments: &[&str]) -> Output {
        self.process_with(arguments, "")
    }

    /// The same with programs to be found in a folder.
    fn process_with(&self, arguments: &[&str], path: &str) -> Output {
        Command::new(env!("CARGO_BIN_EXE_piscope"))
            .args(arguments)
            .env("HOME", self.folder.path())
            .env("XDG_DATA_HOME", self.folder.path().join("data"))
            .env("XDG_CACHE_HOME", self.folder.path().join("cache"))
            .env("PI_CODING_AGENT_DIR", self.folder.path().join("agent"))
            .env("PATH", path)
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    fn session(&self) -> Session {
        Session::open(&self.file).unwrap()
    }

    fn text(&self) -> String {
        fs::read_to_string(&self.file).unwrap()
    }
}

#[test]
fn a_label_is_set_and_cleared() {
    let bench = Bench::new();
    let appended = bench.json(&["label", "s-1", "a1", " good "]);
    assert_eq!(appended["appended"]["label"], "good");
    assert_eq!(appended["appended"]["parentId"], "u2");
    let a1 = bench.session().find_text("a1").unwrap();
    assert_eq!(&*bench.session().label_of(a1).unwrap().text, "good");
    let cleared = bench.json(&["label", "s-1", "a1", "--clear"]);
    assert!(cleared["appended"].get("label").is_none());
    assert!(bench.session().label_of(a1).is_none());
    assert_eq!(bench.run(&["label", "s-1", "nope", "x"]).unwrap_err().0, 3);
    assert_eq!(bench.run(&["label", "s-2", "a1", "x"]).unwrap_err().0, 3);
    assert_eq!(bench.run(&["label", "s-1", "a1"]).unwrap_err().0, 2);
    assert_eq!(bench.run(&["label", "s-1", "a1", "x", "--clear"]).unwrap_err().0, 2);
}

#[test]
fn a_name_is_set_and_cleared() {
    let bench = Bench::new();
    assert!(
        bench.run(&["rename", "s-1", "a\nname"]).unwrap().starts_with("appended {\"type\":\"session_info\"")
    );
    assert_eq!(bench.session().name(), Some("a name"));
    assert_eq!(bench.json(&["rename", "s-1", "--clear"])["appended"]["name"], "");
    assert_eq!(bench.session().name(), None);
}

#[test]
fn a_dry_run_says_what_it_would_do_and_does_nothing() {
    let bench = Bench::new();
    let before = bench.text();
    let file = bench.file.to_str().unwrap();
    for (arguments, words) in [
        (vec!["label", file, "a1", "x"], "would append"),
        (vec!["rename", file, "x"], "would append"),
        (vec!["fork", file, "--at", "a1"], "would write"),
        (vec!["clone", file], "would write"),
        (vec!["delete", file], "would move to the trash"),
        (vec!["delete", file, "--permanent"], "would delete"),
    ] {
        let said = bench.run(&[&arguments[..], &["--dry-run"]].concat()).unwrap();
        assert!(said.starts_with(words), "{said}");
    }
    assert_eq!(bench.text(), before);
    assert_eq!(fs::read_dir(bench.file.parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn a_fork_before_a_prompt_hands_the_prompt_back() {
    let bench = Bench::new();
    let before = bench.text();
    let made = bench.json(&["fork", "s-1", "--at", "u2"]);
    assert_eq!(made["prompt"], "Again.");
    let fork = Session::open(made["path"].as_str().unwrap()).unwrap();
    assert_eq!(fork.id(), made["id"]);
    assert_eq!(fork.header().parent_session.as_deref(), bench.file.to_str());
    assert_eq!(fork.len(), 2);
    let at_answer = bench.json(&["fork", "s-1", "--at", "a1"]);
    assert_eq!(at_answer["prompt"], Value::Null);
    assert_eq!(Session::open(at_answer["path"].as_str().unwrap()).unwrap().len(), 2);
    let first = bench.json(&["fork", "s-1", "--at", "u1"]);
    assert_eq!(first["prompt"], "Do it.");
    assert!(Session::open(first["path"].as_str().unwrap()).unwrap().is_empty());
    assert_eq!(bench.text(), before, "the source is as it was");
    assert_eq!(bench.run(&["fork", "s-1", "--at", "nope"]).unwrap_err().0, 3);
}

#[test]
fn a_clone_ends_at_the_leaf_that_is_named() {
    let bench = Bench::new();
    let length = |arguments: &[&str]| {
        let made = bench.json(arguments);
        Session::open(made["path"].as_str().unwrap()).unwrap().len()
    };
    assert_eq!(length(&["clone", bench.file.to_str().unwrap()]), 3);
    assert_eq!(length(&["clone", bench.file.to_str().unwrap(), "--leaf", "u1"]), 1);
    assert_eq!(length(&["clone", bench.file.to_str().unwrap(), "--leaf", "null"]), 0);
    assert_eq!(bench.run(&["clone", bench.file.to_str().unwrap(), "--leaf", "nope"]).unwrap_err().0, 3);
}

#[test]
fn version_1_is_migrated_only_when_that_is_allowed() {
    let bench = Bench::new();
    let v1 = "{\"type\":\"session\",\"id\":\"s-1\",\"cwd\":\"/p\"}\n{\"type\":\"message\",\"message\":{\"role\":\"user\",\"content\":\"Hi.\"}}\n";
    fs::write(&bench.file, v1).unwrap();
    let (_, words) = bench.run(&["label", "s-1", "v1#0", "x", "--migrate"]).unwrap_err();
    assert!(words.contains("0 s ago, and what pi may be writing to is never rewritten"), "{words}");
    assert_eq!(bench.text(), v1);
    age(&bench.file);
    let (status, words) = bench.run(&["label", "s-1", "v1#0", "x"]).unwrap_err();
    assert_eq!(status, 1);
    assert!(words.contains("version 1"), "{words}");
    let planned = bench.json(&["label", "s-1", "v1#0", "x", "--migrate", "--dry-run"]);
    assert_eq!(planned["appended"], Value::Null);
    assert_eq!(bench.text(), v1);
    let done = bench.json(&["label", "s-1", "v1#0", "x", "--migrate"]);
    assert_eq!(fs::read_to_string(done["backup"].as_str().unwrap()).unwrap(), v1);
    assert!(done["backup"].as_str().unwrap().ends_with("s.jsonl.v1-backup"));
    let session = bench.session();
    assert_eq!(session.header().version.stored.as_ref(), "3");
    let first = session.entries().next().unwrap().0;
    assert_eq!(&*session.label_of(first).unwrap().text, "x");
}

#[test]
fn a_deletion_needs_a_yes() {
    let bench = Bench::new();
    let refused = bench.process(&["delete", "s-1", "--permanent"]);
    assert_eq!((refused.status.code(), bench.file.exists()), (Some(2), true), "{refused:?}");
    let child = bench.file.with_file_name("child.jsonl");
    let header = json!({"type": "session", "id": "s-2", "parentSession": bench.file});
    fs::write(&child, format!("{header}\n")).unwrap();
    age(&child);
    let done = bench.json(&["delete", "s-1", "--permanent", "--yes"]);
    assert_eq!(done["deleted"], json!([{ "path": bench.file, "to": null }]));
    assert_eq!(done["reparented"], json!([{ "path": child, "from": bench.file, "to": null }]));
    assert!(!bench.file.exists());
    assert_eq!(bench.run(&["delete", child.parent().unwrap().to_str().unwrap(), "--yes"]).unwrap_err().0, 1);
}

/// Makes a file look as if it was last written long ago.
fn age(path: &Path) {
    let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(86_400);
    fs::File::options().write(true).open(path).unwrap().set_modified(long_ago).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn a_deleted_session_lies_in_the_trash() {
    let bench = Bench::new();
    let text = bench.text();
    let output = bench.process(&["delete", "s-1", "--yes", "--json"]);
    assert!(output.status.success(), "{output:?}");
    let done: Value = serde_json::from_slice(&output.stdout).unwrap();
    let to = PathBuf::from(done["deleted"][0]["to"].as_str().unwrap());
    assert!(to.starts_with(bench.folder.path().join("data/Trash/files")), "{}", to.display());
    assert_eq!(fs::read_to_string(to).unwrap(), text);
    assert!(!bench.file.exists());
}

#[test]
fn every_refusal_gives_its_reason_and_what_to_do() {
    let newer = HEADER.replace(":3,", ":4,") + "\n{\"type\":\"novelty\",\"id\":\"n\",\"parentId\":null}\n";
    let v1 =
        "{\"type\":\"session\",\"id\":\"s-1\"}\n{\"type\":\"message\",\"message\":{\"role\":\"user\"}}\n";
    let no_id = format!("{HEADER}\n{{\"type\":\"message\",\"message\":{{\"role\":\"user\"}}}}\n");
    for (text, arguments, status, words) in [
        (
            "{\"type\":\"title\"}\n",
            &["label", "a1", "x"][..],
            1,
            "not a pi session: its first record (line 1) is a record of type \"title\"",
        ),
        ("", &["rename", "x"], 1, "not a pi session: it is empty"),
        (
            &newer,
            &["rename", "x"],
            1,
            "its version is newer than any known here and its entries are of unknown form; write with pi itself",
        ),
        (&newer, &["label", "n", "x"], 1, "write with pi itself"),
        (v1, &["label", "v1#0", "x"], 1, "with --migrate it is rewritten as version 3 first"),
        (
            &no_id,
            &["label", "v1#0", "x"],
            1,
            "the entry has no id that a label could name; label another one",
        ),
    ] {
        let bench = Bench::new();
        fs::write(&bench.file, text).unwrap();
        let file = bench.file.to_str().unwrap();
        let arguments = [&arguments[..1], &[file], &arguments[1..]].concat();
        let (found, said) = bench.run(&arguments).unwrap_err();
        assert!(said.contains(words), "{arguments:?}: {said}");
        assert!(said.contains(file) && !said.contains('\n'), "one line that names the file: {said}");
        assert_eq!((found, bench.text()), (status, text.to_owned()));
    }
    let bench = Bench::new();
    fs::remove_file(&bench.file).unwrap();
    let (status, said) = bench.run(&["rename", bench.file.to_str().unwrap(), "x"]).unwrap_err();
    assert_eq!(status, 1);
    assert!(said.ends_with("no such file or directory"), "{said}");
}

#[test]
fn a_session_that_another_piscope_writes_to_is_waited_for() {
    let bench = Bench::new();
    bench.run(&["rename", "s-1", "first"]).unwrap();
    let locks = bench.environment().cache_dir().join("locks");
    let lock = fs::read_dir(&locks).unwrap().next().unwrap().unwrap().path();
    let lock = fs::File::options().write(true).open(lock).unwrap();
    lock.lock().unwrap();
    let before = bench.text();
    let (status, said) = bench.run(&["rename", "s-1", "second"]).unwrap_err();
    assert_eq!((status, bench.text()), (1, before));
    assert!(said.ends_with("another piscope is writing to it; try again"), "{said}");
    lock.unlock().unwrap();
    bench.run(&["rename", "s-1", "second"]).unwrap();
}

#[test]
fn a_session_that_was_just_written_is_live_for_programs() {
    let bench = Bench::new();
    let live = |bench: &Bench| {
        (bench.json(&["list"])["rows"][0]["live"].clone(), bench.json(&["info", "s-1"])["live"].clone())
    };
    assert_eq!(live(&bench), (json!(true), json!(true)));
    age(&bench.file);
    assert_eq!(live(&bench), (json!(false), json!(false)));
}

/// The program `trash` goes first, as in pi; but it is not believed.
#[cfg(target_os = "linux")]
#[test]
fn the_program_trash_is_used_where_there_is_one() {
    use std::os::unix::fs::PermissionsExt;
    for (script, lands) in [
        // It takes the file.
        ("/bin/mv \"$1\" \"$HOME/taken\"", "taken"),
        // It says that it did, and did not; it refuses.
        ("exit 0", "data/Trash/files/s.jsonl"),
        ("echo no room >&2; exit 1", "data/Trash/files/s.jsonl"),
    ] {
        let bench = Bench::new();
        let text = bench.text();
        let bin = bench.folder.path().join("bin");
        fs::create_dir(&bin).unwrap();
        fs::write(bin.join("trash"), format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(bin.join("trash"), PermissionsExt::from_mode(0o755)).unwrap();
        let output = bench.process_with(&["delete", "s-1", "--yes"], bin.to_str().unwrap());
        assert!(output.status.success(), "{script}: {output:?}");
        assert!(!bench.file.exists(), "{script}");
        assert_eq!(fs::read_to_string(bench.folder.path().join(lands)).unwrap(), text, "{script}");
    }
}
