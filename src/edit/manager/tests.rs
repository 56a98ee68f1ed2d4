use std::fs;
use std::path::Path;

use super::*;
use crate::cancel::Cancel;
use crate::error::{Cause, Error};
use crate::session::message::{Content, Message, UserMessage};

const HEADER: &str =
    r#"{"type":"session","version":3,"id":"s","timestamp":"2026-01-05T08:00:00.000Z","cwd":"/w"}"#;

fn user(id: &str, parent: &str) -> String {
    format!(
        r#"{{"type":"message","id":"{id}","parentId":{parent},"timestamp":"2026-01-05T08:00:01.000Z","message":{{"role":"user","content":"{id}"}}}}"#
    )
}

fn manager(lines: &[String]) -> SessionManager {
    let text = std::iter::once(HEADER.to_owned()).chain(lines.iter().cloned()).collect::<Vec<_>>().join("\n");
    in_memory_from(text)
}

fn in_memory_from(text: impl Into<Vec<u8>>) -> SessionManager {
    let environment = Environment::new("/home/u", "/w");
    SessionManager::in_memory_from(&environment, "/w", &NewSession::default(), text).unwrap()
}

fn said(text: &str) -> Message {
    Message::User(UserMessage { content: Some(Content::Text(text.into())), ..UserMessage::default() })
}

/// A folder of its own, with an environment whose caches lie in it.
fn bench() -> (tempfile::TempDir, Environment) {
    let folder = tempfile::tempdir().unwrap();
    let environment =
        Environment::new(folder.path(), folder.path()).with("XDG_CACHE_HOME", folder.path().join("cache"));
    (folder, environment)
}

fn ids(entries: &[crate::session::Entry]) -> Vec<&str> {
    entries.iter().map(|entry| entry.id.as_str()).collect()
}

#[test]
fn the_leaf_moves_in_memory_only() {
    let mut manager = manager(&[user("a", "null"), user("b", "\"a\""), user("c", "\"a\"")]);
    assert_eq!(manager.get_leaf_id().unwrap().as_str(), "c");
    assert_eq!(ids(&manager.get_branch(None).unwrap()), ["a", "c"]);
    manager.branch("b").unwrap();
    assert_eq!(ids(&manager.get_branch(None).unwrap()), ["a", "b"]);
    assert_eq!(manager.build_session_context().unwrap().messages.len(), 2);
    assert!(manager.branch("none").unwrap_err().to_string().contains("there is no entry none"));
    assert_eq!(manager.get_leaf_id().unwrap().as_str(), "b", "a failed move changes nothing");
    manager.reset_leaf();
    assert_eq!((manager.get_leaf_id(), manager.get_leaf_entry().unwrap()), (None, None));
    assert!(manager.get_branch(None).unwrap().is_empty());
}

#[test]
fn children_are_found_also_below_what_is_missing() {
    let manager =
        manager(&[user("a", "null"), user("b", "\"a\""), user("x", "\"gone\""), user("c", "\"a\"")]);
    assert_eq!(ids(&manager.get_children("a").unwrap()), ["b", "c"]);
    assert_eq!(ids(&manager.get_children("gone").unwrap()), ["x"]);
    assert!(manager.get_children("c").unwrap().is_empty());
    let tree = manager.get_tree();
    assert_eq!(tree.iter().map(|node| node.id().as_str()).collect::<Vec<_>>(), ["a", "x"]);
    assert_eq!(tree[0].children().count(), 2);
    assert_eq!(manager.get_entry("x").unwrap().unwrap().parent_id.unwrap().as_str(), "gone");
    assert_eq!(manager.get_entry("gone").unwrap(), None);
}

#[test]
fn a_session_in_memory_has_no_file() {
    let environment = Environment::new("/home/u", "/w");
    let manager = SessionManager::in_memory(&environment, "/w", &NewSession::default()).unwrap();
    assert_eq!((manager.get_session_file(), manager.is_persisted()), (None, false));
    assert_eq!((manager.get_cwd(), manager.get_entry_count()), (Path::new("/w"), 0));
    assert_eq!(manager.get_header().cwd.as_deref(), Some("/w"));
    assert_eq!(manager.get_session_id().len(), 36);
}

#[test]
fn a_missing_or_empty_file_is_a_new_session_and_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let environment = Environment::new("/home/u", folder.path());
    let empty = folder.path().join("empty.jsonl");
    fs::write(&empty, "").unwrap();
    for path in [&empty, &folder.path().join("missing.jsonl")] {
        let manager = SessionManager::open(&environment, path, None, None).unwrap();
        assert_eq!((manager.get_session_file(), manager.is_persisted()), (Some(path.as_path()), true));
        assert_eq!((manager.get_session_dir(), manager.get_cwd()), (folder.path(), folder.path()));
    }
    assert_eq!(fs::read(&empty).unwrap(), b"");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let other = folder.path().join("other.jsonl");
    fs::write(&other, "{}\n").unwrap();
    assert!(SessionManager::open(&environment, &other, None, None).unwrap_err().is_not_a_session());
}

#[test]
fn sessions_are_listed_and_continued_by_their_working_directory() {
    let folder = tempfile::tempdir().unwrap();
    let environment =
        Environment::new(folder.path(), "/w").with("XDG_CACHE_HOME", folder.path().join("cache"));
    let flat = folder.path().join("flat");
    fs::create_dir(&flat).unwrap();
    for (name, cwd) in [("a", "/w"), ("b", "/elsewhere")] {
        let header = HEADER.replace("\"/w\"", &format!("\"{cwd}\"")).replace("\"s\"", &format!("\"{name}\""));
        fs::write(flat.join(format!("{name}.jsonl")), format!("{header}\n{}\n", user("u", "null"))).unwrap();
    }
    let mut told = Vec::new();
    let mut progress = |done, of| told.push((done, of));
    let list = SessionManager::list(&environment, "/w", Some(&flat), &Cancel::new(), &mut progress).unwrap();
    assert_eq!(list.iter().map(|row| row.cwd.as_ref()).collect::<Vec<_>>(), ["/w"]);
    assert_eq!((told.first(), told.last()), (Some(&(0, 2)), Some(&(2, 2))));
    let all = SessionManager::list_all(&environment, Some(&flat), &Cancel::new(), &mut |_, _| ()).unwrap();
    assert_eq!(all.len(), 2);
    let cancelled = Cancel::new();
    cancelled.cancel();
    let refused =
        SessionManager::list_all(&environment, Some(&flat), &cancelled, &mut |_, _| ()).unwrap_err();
    assert!(matches!(refused.cause, Cause::Cancelled));

    let recent = SessionManager::continue_recent(&environment, "/w", Some(&flat)).unwrap();
    assert_eq!((recent.get_session_id(), recent.get_entry_count()), ("a", 1));
    let new = SessionManager::continue_recent(&environment, "/nobody", Some(&flat)).unwrap();
    assert_eq!((new.get_entry_count(), new.is_persisted()), (0, true));
    assert!(!new.get_session_file().unwrap().exists());
    let listed = SessionManager::list(&environment, "/w", None, &Cancel::new(), &mut |_, _| ()).unwrap();
    assert!(listed.is_empty(), "pi's own place is another one");
}

#[test]
fn a_file_appears_with_the_first_thing_said() {
    let (folder, environment) = bench();
    let dir = folder.path().join("new");
    let mut manager = SessionManager::create(&environment, "/w", Some(&dir), &NewSession::default()).unwrap();
    manager.append_model_change("p", "m").unwrap();
    manager.append_session_info("a\nname").unwrap();
    assert!(!dir.exists(), "nothing is made for what may never be said");
    manager.append_message(&said("hi")).unwrap();
    let path = manager.get_session_file().unwrap().to_owned();
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 4);
    let again = SessionManager::open(&environment, &path, None, None).unwrap();
    assert_eq!(again.get_entries().unwrap(), manager.get_entries().unwrap());
    assert_eq!((again.get_session_name(), again.get_leaf_id()), (Some("a name"), manager.get_leaf_id()));
    // A session of nothing but settings is written when that is asked for.
    manager.new_session(&NewSession { id: Some("mine".into()), parent_session: Some("p".into()) }).unwrap();
    manager.append_thinking_level_change("high").unwrap();
    manager.persist().unwrap();
    manager.persist().unwrap();
    let path = manager.get_session_file().unwrap();
    let text = fs::read_to_string(path).unwrap();
    assert!(path.to_str().unwrap().ends_with("_mine.jsonl") && text.lines().count() == 2, "{text}");
    assert!(text.lines().next().unwrap().ends_with(r#""parentSession":"p"}"#), "{text}");
}

#[test]
fn what_cannot_be_written_never_was() {
    let (folder, environment) = bench();
    let path = folder.path().join("s.jsonl");
    let mut manager = SessionManager::open(&environment, &path, None, None).unwrap();
    manager.append_model_change("p", "m").unwrap();
    fs::write(&path, "somebody else's").unwrap();
    let state = |manager: &SessionManager| (manager.get_leaf_id().cloned(), manager.get_entries().unwrap());
    let before = state(&manager);
    let error = manager.append_message(&said("hi")).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("cannot write {}: another file stands there already", path.display())
    );
    assert_eq!(state(&manager), before);
    assert_eq!(fs::read_to_string(&path).unwrap(), "somebody else's");
    fs::remove_file(&path).unwrap();
    manager.append_message(&said("hi")).unwrap();
    // pi would make a file without a header.
    fs::remove_file(&path).unwrap();
    let before = state(&manager);
    let error = manager.append_message(&said("more")).unwrap_err();
    assert!(error.to_string().contains("the file is gone"), "{error}");
    assert_eq!(state(&manager), before);
    assert!(!path.exists());
    assert!(manager.branch_with_summary(None, "s", None, None, None).is_err());
    assert_eq!(state(&manager), before, "the leaf is where it was");
}

#[test]
fn what_pi_does_wrong_in_silence_is_refused() {
    let mut manager = manager(&[user("a", "null"), user("b", "\"a\"")]);
    let refused = |outcome: Result<crate::format::EntryId, Error>| outcome.unwrap_err().cause.to_string();
    assert!(
        refused(manager.append_compaction("s", Some("gone"), 1.0, None, None, None))
            .contains("no entry gone")
    );
    let error = manager.append_custom_entry("c", Some("{")).unwrap_err().to_string();
    assert!(error.starts_with("cannot append to a session in memory: \"{\" is no JSON"), "{error}");
    assert!(refused(manager.append_label_change("gone", Some("x"))).contains("no entry gone"));
    manager.append_custom_entry("c", Some("{\n \"a\" : 1.0\n}")).unwrap();
    let line = manager.session().line(manager.session().current_leaf().unwrap()).unwrap();
    assert!(String::from_utf8(line).unwrap().contains(r#""data":{"a":1},"#), "on one line");
    manager.reset_leaf();
    assert!(refused(manager.append_label_change("a", Some("x"))).contains("branch to an entry first"));
    assert!(refused(manager.append_session_info("x")).contains("branch to an entry first"));
    assert!(refused(manager.append_context_edit("a", None)).contains("not on the active branch"));
    manager.append_message(&said("another beginning")).unwrap();
    assert_eq!(manager.get_tree().len(), 2);
}

#[test]
fn a_file_of_version_1_is_migrated_when_that_is_asked_for() {
    let (folder, environment) = bench();
    let path = folder.path().join("s.jsonl");
    let v1 = "{\"type\":\"session\",\"id\":\"s\"}\n{\"type\":\"message\",\"message\":{\"role\":\"user\",\"content\":\"hi\"}}\n";
    fs::write(&path, v1).unwrap();
    let hour_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    fs::File::options().write(true).open(&path).unwrap().set_modified(hour_ago).unwrap();
    let mut manager = SessionManager::open(&environment, &path, None, None).unwrap();
    assert!(manager.append_message(&said("more")).unwrap_err().to_string().contains("version 1"));
    // A fork is whole, and of version 3.
    let dir = folder.path().join("forks");
    let fork =
        SessionManager::fork_from(&environment, &path, "/elsewhere", Some(&dir), &NewSession::default())
            .unwrap();
    assert_eq!((fork.get_entry_count(), fork.get_header().version.stored.as_ref()), (1, "3"));
    assert!(fork.get_leaf_entry().unwrap().unwrap().id.as_str().len() == 8);
    assert_eq!(fork.get_header().parent_session.as_deref(), path.to_str());
    assert_eq!(fs::read_to_string(&path).unwrap(), v1);
    let backup = manager.migrate().unwrap();
    assert_eq!(fs::read_to_string(backup).unwrap(), v1);
    manager.append_message(&said("more")).unwrap();
    assert_eq!(manager.build_session_context().unwrap().messages.len(), 2);
    // What is held in memory is migrated at once, and given a header where it has none.
    assert_eq!(in_memory_from(v1).get_header().version.stored.as_ref(), "3");
    assert_eq!(in_memory_from(user("a", "null")).get_entry_count(), 1);
}

#[test]
fn two_handles_on_one_file_lose_nothing() {
    let (folder, environment) = bench();
    let path = folder.path().join("s.jsonl");
    let open = || SessionManager::open(&environment, &path, None, None).unwrap();
    let mut one = open();
    one.append_message(&said("begin")).unwrap();
    let mut two = open();
    for at in 0..5 {
        let from_one = one.append_message(&said(&format!("one {at}"))).unwrap();
        let from_two = two.append_message(&said(&format!("two {at}"))).unwrap();
        assert_eq!((one.get_leaf_id(), two.get_leaf_id()), (Some(&from_one), Some(&from_two)));
    }
    let all = open();
    assert_eq!(all.get_entry_count(), 11);
    assert!(all.session().diagnostics().is_empty());
    assert_eq!(all.get_leaf_id(), two.get_leaf_id(), "the last line is where pi goes on");
    assert_eq!(one.get_branch(None).unwrap().len(), 6, "each has its own branch");
}
