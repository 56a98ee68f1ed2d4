use super::*;
use crate::cancel::Cancel;

const HEADER: &str =
    r#"{"type":"session","version":3,"id":"s","timestamp":"2026-01-05T08:00:00.000Z","cwd":"/w"}"#;

fn user(id: &str, parent: &str) -> String {
    format!(
        r#"{{"type":"message","id":"{id}","parentId":{parent},"timestamp":"2026-01-05T08:00:01.000Z","message":{{"role":"user","content":"{id}"}}}}"#
    )
}

fn manager(lines: &[String]) -> SessionManager {
    let text = std::iter::once(HEADER.to_owned()).chain(lines.iter().cloned()).collect::<Vec<_>>().join("\n");
    SessionManager::in_memory_from(&Environment::new("/home/u", "/w"), "/w", text).unwrap()
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
    let manager = SessionManager::in_memory(&environment, "/w").unwrap();
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
