//! What is written here beside what the real pi writes: the same files, and together into one file.
//!
//! Needs `PI_PACKAGE_DIR` and `PI_NODE`, which `tests/oracle/install` prints; without them it says so and does nothing.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

mod manager;
mod pi;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use pi::Pi;
use piscope::edit::{Editor, SessionManager};
use piscope::session::message::{Content, Message, UserMessage};
use piscope::session::{EntryIx, Session};
use piscope::store::Environment;
use serde_json::{Value, json};
use tempfile::TempDir;

/// At most so many entries of a file are branched at.
const ENTRIES: usize = 60;

fn editor(folder: &TempDir) -> Editor {
    let cwd = std::env::current_dir().unwrap();
    Editor::new(&Environment::new("/home/dev", cwd).with("XDG_CACHE_HOME", folder.path()))
}

/// Every fixture that pi and this program both take as a session.
fn fixtures() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut files: Vec<PathBuf> = ["samples", "cases", "corpus"]
        .iter()
        .flat_map(|set| fs::read_dir(root.join(set)).unwrap())
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .collect();
    files.sort();
    assert!(files.len() > 60);
    files
}

/// A copy in a folder of its own, which nobody seems to be writing to.
fn copied(file: &Path) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join(file.file_name().unwrap());
    fs::copy(file, &copy).unwrap();
    let hour_ago = SystemTime::now() - Duration::from_secs(3600);
    fs::File::options().write(true).open(&copy).unwrap().set_modified(hour_ago).unwrap();
    (folder, copy)
}

/// The lines of a session with fresh ids and times made equal: each entry's id is its place, a header's are blank.
fn comparable(text: &str, path: &Path) -> String {
    let mut text = text.replace(path.to_str().unwrap(), "SOURCE");
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap_or(Value::Null)).collect();
    for (at, line) in lines.iter().enumerate() {
        let Some(id) = line["id"].as_str().filter(|id| id.len() > 3) else { continue };
        text = text.replace(&format!("\"{id}\""), &format!("\"#{at}\""));
    }
    if let Some(timestamp) = lines.first().and_then(|header| header["timestamp"].as_str())
        && let Some((header, rest)) = text.split_once('\n')
    {
        text = format!("{}\n{rest}", header.replace(timestamp, "NOW"));
    }
    text
}

#[test]
fn a_branch_becomes_the_file_that_pi_writes() {
    let Some(mut pi) = Pi::start() else { return };
    let (mut compared, mut put_off) = (0, 0);
    for file in fixtures() {
        let Ok(session) = Session::open(&file) else { continue };
        // pi never comes back from a circle of parents.
        if session.links().is_circular()
            || session.diagnostics().iter().any(|it| it.problem.word() == "not-an-entry")
        {
            continue;
        }
        for nth in 0..session.len().min(ENTRIES) {
            let ix = EntryIx::new(nth);
            let by_id = session.find(session.entry_id(ix)) == Some(ix);
            if !by_id {
                continue;
            }
            let (_kept, theirs) = copied(&file);
            let answer = pi.act("branch", &theirs, json!({ "nth": nth }));
            let Some(text) = answer["text"].as_str() else {
                println!("{} {nth}: pi: {}", file.display(), answer["error"]);
                continue;
            };
            let (folder, ours) = copied(&file);
            let session = Session::open(&ours).unwrap();
            let made = editor(&folder).clone_branch(&session, Some(ix)).unwrap();
            if text.is_empty() {
                put_off += 1;
                continue;
            }
            compared += 1;
            assert_eq!(
                comparable(&fs::read_to_string(&made.path).unwrap(), &ours),
                comparable(text, &theirs),
                "{} at {}",
                file.display(),
                session.entry_id(ix)
            );
        }
    }
    println!("{compared} branches compared, {put_off} that pi has not written yet");
    assert!(compared > 300, "{compared}");
}

#[test]
fn a_migration_leaves_the_file_that_pi_leaves() {
    let Some(mut pi) = Pi::start() else { return };
    let mut compared = 0;
    for file in fixtures() {
        let (_kept, theirs) = copied(&file);
        let (folder, ours) = copied(&file);
        let Ok(session) = Session::open(&ours) else { continue };
        if !session.header().version.is_before_v3() {
            continue;
        }
        let answer = pi.act("open", &theirs, json!({}));
        let outcome = editor(&folder).migrate(&session);
        if !answer["error"].is_null() {
            outcome.expect_err("pi refuses it too");
            continue;
        }
        let backup = outcome.unwrap();
        assert_eq!(fs::read(backup).unwrap(), fs::read(&file).unwrap());
        let left = |path: &Path| comparable(&fs::read_to_string(path).unwrap(), path);
        assert_eq!(left(&ours), left(&theirs), "{}", file.display());
        compared += 1;
    }
    assert!(compared > 4, "{compared}");
}

const START: &str = r#"{"type":"session","version":3,"id":"0198a000-0000-7000-8000-0000000000aa","timestamp":"2026-01-05T08:00:00.000Z","cwd":"/p"}
{"type":"message","id":"00000001","parentId":null,"timestamp":"2026-01-05T08:00:01.000Z","message":{"role":"user","content":"hi"}}
"#;

fn conversation(session: &Session) -> Vec<String> {
    let path = session.path_to(session.current_leaf());
    let said = path.into_iter().filter(|&ix| session.entry(ix).kind.word() == "message");
    said.map(|ix| session.entry_id(ix).to_string()).collect()
}

/// Every order of four acts: pi appends, pi is started anew, pi moves to the first entry, a label and a name from here.
#[test]
fn whatever_the_order_nothing_is_lost_and_the_leaf_stays() {
    let Some(mut pi) = Pi::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let editor = editor(&folder);
    let path = folder.path().join("s.jsonl");
    for order in 0..5_u32.pow(4) {
        fs::write(&path, START).unwrap();
        pi.act("open", &path, json!({}));
        let shown = Session::open(&path).unwrap();
        let first = EntryIx::new(0);
        let start = vec!["00000001".to_owned()];
        // What stands on the branch at the end of the file, and on the one at which pi is.
        let (mut said, mut said_in_pi) = (start.clone(), start.clone());
        let (mut label, mut name) = (None, None);
        for step in 0..4 {
            match order / 5_u32.pow(step) % 5 {
                0 => {
                    let id =
                        pi.act("append", &path, json!({ "text": "more" }))["id"].as_str().unwrap().to_owned();
                    said_in_pi.push(id);
                    said.clone_from(&said_in_pi);
                }
                1 => {
                    pi.act("open", &path, json!({}));
                    said_in_pi.clone_from(&said);
                }
                2 => {
                    pi.act("move", &path, json!({ "to": start[0] }));
                    said_in_pi.clone_from(&start);
                }
                3 => {
                    label = Some(format!("label {step}"));
                    editor.label(&shown, first, label.as_deref().unwrap()).unwrap();
                }
                _ => {
                    name = Some(format!("name {step}"));
                    editor.rename(&shown, name.as_deref().unwrap()).unwrap();
                }
            }
        }
        let session = Session::open(&path).unwrap();
        assert!(session.diagnostics().is_empty(), "{order}: {:?}", session.diagnostics());
        assert_eq!(conversation(&session), said, "{order}");
        let state = pi.act("state", &path, json!({}));
        assert_eq!(state["conversation"], json!(said), "{order}");
        assert_eq!(state["name"], json!(name), "{order}");
        assert_eq!(state["labels"].get("00000001"), label.map(Value::String).as_ref(), "{order}");
    }
}

/// Has pi append as fast as it can while `write` is called again and again, at least `least` times. Returns the ids of
/// what pi has appended, and what `write` has returned.
fn beside_a_busy_pi(
    pi: &mut Pi,
    path: &Path,
    least: usize,
    mut write: impl FnMut(usize) -> String,
) -> (Vec<String>, Vec<String>) {
    fs::write(path, START).unwrap();
    pi.begin("stress", path, json!({ "ms": 2000 }));
    let done = AtomicBool::new(false);
    let (theirs, ours) = std::thread::scope(|scope| {
        let answer = scope.spawn(|| {
            let answer = pi.answer();
            done.store(true, Ordering::Relaxed);
            answer
        });
        let mut ours = Vec::new();
        while !done.load(Ordering::Relaxed) || ours.len() < least {
            ours.push(write(ours.len()));
        }
        (answer.join().unwrap(), ours)
    });
    let theirs: Vec<String> = serde_json::from_value(theirs["ids"].clone()).unwrap();
    println!("pi appended {} messages, {} lines were written beside it", theirs.len(), ours.len());
    assert!(theirs.len() > 1000);
    (theirs, ours)
}

/// The lines of a file, each of them whole and there once.
fn whole_lines(text: &str) -> HashSet<&str> {
    let mut lines = HashSet::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        serde_json::from_str::<Value>(line).expect("a line is whole");
        assert!(lines.insert(line), "a line stands once");
    }
    lines
}

/// pi appends as fast as it can while labels and names are written here: every line of both survives.
#[test]
fn a_busy_pi_and_a_busy_piscope_lose_nothing() {
    let Some(mut pi) = Pi::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let editor = editor(&folder);
    let path = folder.path().join("s.jsonl");
    let mut shown = None;
    let (ids, lines) = beside_a_busy_pi(&mut pi, &path, 200, |count| {
        if count % 20 == 0 {
            shown = Some(Session::open(&path).unwrap());
        }
        let shown = shown.as_ref().unwrap();
        let appended = if count % 2 == 0 {
            editor.label(shown, EntryIx::new(0), &format!("label {count}"))
        } else {
            editor.rename(shown, &format!("name {count}"))
        };
        appended.unwrap().line
    });
    let text = fs::read_to_string(&path).unwrap();
    let alone = whole_lines(&text);
    for line in &lines {
        assert!(alone.contains(&**line), "{line}");
    }
    let session = Session::open(&path).unwrap();
    assert!(session.diagnostics().is_empty(), "{:?}", session.diagnostics());
    let said: Vec<String> = std::iter::once("00000001".to_owned()).chain(ids).collect();
    assert_eq!(conversation(&session), said);
    let state = pi.act("state", &path, json!({}));
    assert_eq!(state["conversation"], json!(said));
    assert_eq!(state["name"].as_str(), session.name());
}

/// The same with a `SessionManager` of ours that appends a branch of its own.
#[test]
fn a_handle_beside_a_busy_pi_loses_nothing() {
    let Some(mut pi) = Pi::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    let environment = Environment::new("/home/dev", folder.path()).with("XDG_CACHE_HOME", folder.path());
    let mut handle = None;
    let (theirs, ours) = beside_a_busy_pi(&mut pi, &path, 50, |count| {
        let open = || SessionManager::open(&environment, &path, None, None).unwrap();
        let handle = handle.get_or_insert_with(open);
        let content = Some(Content::Text(format!("ours {count}")));
        let message = Message::User(UserMessage { content, ..UserMessage::default() });
        handle.append_message(&message).unwrap().to_string()
    });
    whole_lines(&fs::read_to_string(&path).unwrap());
    let session = Session::open(&path).unwrap();
    assert!(session.diagnostics().iter().all(|it| it.problem.word() == "dead-branch"));
    assert_eq!(session.len(), 1 + theirs.len() + ours.len());
    for branch in [&theirs, &ours] {
        let end = session.find_text(branch.last().unwrap());
        let path: Vec<String> =
            session.path_to(end).into_iter().map(|ix| session.entry_id(ix).to_string()).collect();
        assert!(path.ends_with(branch), "each has a branch of its own");
    }
}
