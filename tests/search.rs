//! Search in the text of sessions: what it finds, where, and that nothing is missed.

#![expect(clippy::unwrap_used, reason = "a test that cannot set up its files has failed")]

use std::fs;
use std::path::PathBuf;

use piscope::cancel::Cancel;
use piscope::store::{
    Environment, Layout, Origin, Scope, SearchEvent, SearchHit, SearchOptions, SearchQuery, Store, search,
};
use proptest::prelude::*;
use serde_json::{Value, json};

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn write(&self, name: &str, cwd: &str, lines: &[String]) -> PathBuf {
        let path = self.folder.path().join("--p--").join(format!("{name}.jsonl"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let header =
            json!({"type":"session","version":3,"id":name,"timestamp":"2026-01-05T12:00:00.000Z","cwd":cwd});
        fs::write(&path, format!("{header}\n{}\n", lines.join("\n"))).unwrap();
        path
    }

    fn search(&self, query: &str) -> Vec<SearchHit> {
        let day = |text: &str| text.parse().ok();
        let query = SearchQuery::parse(query, &day).unwrap();
        let store =
            Store { root: self.folder.path().into(), layout: Layout::PerProject, origin: Origin::Default };
        let environment = Environment::new("/home/u", "/");
        let mut found = Vec::new();
        let options = SearchOptions { scope: Scope::All, query: &query, limit: usize::MAX };
        search(&store, &environment, &options, &Cancel::new(), &mut |event| {
            if let SearchEvent::Hits { hits, .. } = event {
                found.extend(hits);
            }
        });
        found
    }

    fn entries(&self, query: &str) -> Vec<String> {
        self.search(query).iter().map(|hit| hit.entry.as_str().to_owned()).collect()
    }
}

fn entry(id: &str, parent: Option<&str>, fields: &Value) -> String {
    let mut entry =
        json!({"id": id, "parentId": parent, "timestamp": "2026-01-05T12:00:00.000Z", "type": "message"});
    entry.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    entry.to_string()
}

fn said(role: &str, content: &Value) -> Value {
    json!({"message": {"role": role, "content": content}})
}

#[test]
fn all_that_was_said_on_any_branch_is_found() {
    let place = Place::new();
    let path = place.write(
        "s",
        "/work/Api",
        &[
            entry("1", None, &said("user", &json!("Fix the Login, please"))),
            entry("2", Some("1"), &said("assistant", &json!([
                {"type": "thinking", "thinking": "perhaps cookies"},
                {"type": "text", "text": "I'll look"},
                {"type": "toolCall", "id": "c", "name": "bash", "arguments": {"command": "rg \"log in\" src/auth.rs"}},
            ]))),
            entry("3", Some("2"), &json!({"message": {"role": "toolResult", "toolCallId": "needle-id", "content": [
                {"type": "text", "text": "a long way to the\n\tpanic in line 7"},
                {"type": "image", "data": "bG9naW4="},
            ]}})),
            entry("4", Some("1"), &json!({"type": "branch_summary", "summary": "The other way was slow"})),
            entry("5", Some("4"), &json!({"message": {"role": "bashExecution", "command": "make", "output": "done"}})),
            entry("6", Some("5"), &json!({"type": "label", "targetId": "5", "label": "checkpoint"})),
            entry("7", Some("6"), &json!({"type": "session_info", "name": "the login work"})),
        ],
    );
    for (query, entries) in [
        ("login", vec!["1", "7"]),
        ("LOGIN please", vec!["1"]),
        ("\"to the panic\"", vec!["3"]),
        ("cookies", vec!["2"]),
        ("\"log in\"", vec!["2"]),
        ("src/auth.rs", vec!["2"]),
        ("slow", vec!["4"]),
        ("done", vec!["5"]),
        ("make done", vec!["5"]),
        ("checkpoint", vec!["6"]),
        ("needle-id", vec![]),
        ("bG9naW4", vec![]),
        ("toolResult", vec![]),
        ("role:user login", vec!["1"]),
        ("role:USER login", vec!["1"]),
        ("in:api login", vec!["1", "7"]),
        ("in:web login", vec![]),
        ("since:1767614400000 login", vec!["1", "7"]),
        ("since:1767614400001 login", vec![]),
        ("re:l(og)? ?in\\b", vec!["1", "2", "7"]),
    ] {
        assert_eq!(place.entries(query), entries, "{query}");
    }
    let hit = &place.search("panic")[0];
    assert_eq!((&hit.path, &*hit.session, &*hit.role, hit.line), (&path, "s", "toolResult", 4));
    assert_eq!((hit.column, &*hit.excerpt), (20, "a long way to the panic in line 7"));
    assert!(!hit.is_current);
    assert!(place.search("slow")[0].is_current);
}

#[test]
fn a_query_without_words_is_refused() {
    for query in ["", "  ", "role:user", "since:soon x", "re:", "re:("] {
        assert!(SearchQuery::parse(query, &|text| text.parse().ok()).is_err(), "{query}");
    }
}

#[test]
fn the_newest_file_comes_first() {
    let place = Place::new();
    for at in 0..40 {
        let path = place.write(&format!("{at}"), "/p", &[entry("e", None, &said("user", &json!("word")))]);
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000 + at);
        fs::File::options().append(true).open(path).unwrap().set_modified(time).unwrap();
    }
    let sessions: Vec<String> = place.search("word").iter().map(|hit| hit.session.to_string()).collect();
    let wanted: Vec<String> = (0..40).rev().map(|at| at.to_string()).collect();
    assert_eq!(sessions, wanted);
}

fn text() -> impl Strategy<Value = String> {
    let pieces = vec![
        "a", "A", "b", "é", "É", "k", "\u{212a}", "✓", "\"", "\\", "/", "\n", "\t", " ", "\u{1b}", "日",
        "u00",
    ];
    prop::collection::vec(prop::sample::select(pieces), 0..12).prop_map(|pieces| pieces.concat())
}

/// A text as JSON, with characters written as escapes where `escapes` says so.
fn quoted(text: &str, escapes: u32) -> String {
    let mut out = String::from("\"");
    for (at, c) in text.chars().enumerate() {
        if escapes >> (at % 32) & 1 == 1 && (c as u32) < 0x10000 {
            out.push_str(&format!("\\u{:04x}", c as u32));
        } else {
            let quoted = Value::from(c.to_string()).to_string();
            out.push_str(&quoted[1..quoted.len() - 1]);
        }
    }
    out + "\""
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn finds_what_a_naive_search_finds(
        texts in prop::collection::vec((text(), any::<u32>()), 1..12),
        words in prop::collection::vec(text(), 1..3),
    ) {
        let words: Vec<String> = words
            .iter()
            .map(|word| word.chars().filter(|c| !c.is_whitespace() && *c != '"').collect())
            .filter(|word: &String| !word.is_empty() && !word.contains("re:"))
            .collect();
        prop_assume!(!words.is_empty());
        let place = Place::new();
        let lines: Vec<String> = texts
            .iter()
            .enumerate()
            .map(|(at, (text, escapes))| {
                let text = quoted(text, *escapes);
                format!(r#"{{"type":"message","id":"{at}","message":{{"role":"user","content":{text}}}}}"#)
            })
            .collect();
        place.write("s", "/p", &lines);
        let naive: Vec<String> = texts
            .iter()
            .enumerate()
            .filter(|(_, (text, _))| {
                words.iter().all(|word| text.to_lowercase().contains(&word.to_lowercase()))
            })
            .map(|(at, _)| at.to_string())
            .collect();
        prop_assert_eq!(place.entries(&words.join(" ")), naive, "{:?}", words);
    }
}
