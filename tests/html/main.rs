//! Branches and contexts as HTML: what is written for a session of every kind of entry and for a demo, and that nothing
//! a file says ever becomes markup, a link to code, or something that loads.
//!
//! The whole files are left in the target folder (`tmp/html`), to be opened in a browser.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its fixtures has failed")]

mod markup;

use std::fs;
use std::path::{Path, PathBuf};

use jiff::tz::TimeZone;
use piscope::cancel::Cancel;
use piscope::error::Cause;
use piscope::export::{Document, DocumentKind, Redactor, html};
use piscope::session::{LeafArg, Session};
use proptest::prelude::*;
use serde_json::{Value, json};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn fixture() -> String {
    fs::read_to_string(root().join("tests/fixtures/transcript/every-block.jsonl")).unwrap()
}

fn demo() -> String {
    fs::read_to_string(root().join("assets/demo/refactor-auth-module.jsonl"))
        .unwrap()
        .replace("@HOME@", "/home/me")
}

fn session(lines: &str) -> Session {
    Session::from_bytes("/session.jsonl", lines.as_bytes().to_vec()).unwrap()
}

/// The current branch of a session, or its context, as a page.
fn page(session: &Session, is_context: bool) -> String {
    redacted(session, is_context, None)
}

fn redacted(session: &Session, is_context: bool, redact: Option<&Redactor>) -> String {
    let context = session.context(&LeafArg::Current);
    let path = session.path_to(session.current_leaf());
    let (cancel, zone) = (Cancel::new(), TimeZone::UTC);
    let document = Document {
        session,
        entries: if is_context { &context.entries } else { &path },
        kind: if is_context { DocumentKind::Context(&context) } else { DocumentKind::Branch },
        redact,
        zone: &zone,
        cancel: &cancel,
        progress: &|_| {},
    };
    let mut out = Vec::new();
    html(&document, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// A page without its style sheet, after a look at its markup; the whole of it is kept for browsers.
fn looked_at(name: &str, page: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("html");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(name).with_extension("html"), page).unwrap();
    assert_eq!(markup::flaw(page), None);
    let (head, rest) = page.split_once("<style>").unwrap();
    format!("{head}<style>{}", &rest[rest.find("</style>").unwrap()..])
}

#[test]
fn every_kind_of_entry_is_told() {
    insta::assert_snapshot!(looked_at("every-block", &page(&session(&fixture()), false)));
}

#[test]
fn a_session_with_branches_is_told() {
    insta::assert_snapshot!(looked_at("demo", &page(&session(&demo()), false)));
}

#[test]
fn a_context_is_told_as_it_is_sent() {
    insta::assert_snapshot!(looked_at("context", &page(&session(&demo()), true)));
}

#[test]
fn an_empty_session_is_a_page() {
    let page = page(&session(r#"{"type":"session","version":3,"id":"s","cwd":"/"}"#), false);
    assert_eq!(markup::flaw(&page), None);
    assert!(page.contains("<h1>Session s</h1>"), "{page}");
}

#[test]
fn who_asks_to_stop_is_heard() {
    let session = session(&fixture());
    let entries = session.path_to(session.current_leaf());
    let (cancel, zone) = (Cancel::new(), TimeZone::UTC);
    cancel.cancel();
    let document = Document {
        session: &session,
        entries: &entries,
        kind: DocumentKind::Branch,
        redact: None,
        zone: &zone,
        cancel: &cancel,
        progress: &|_| {},
    };
    assert!(matches!(html(&document, &mut Vec::new()).unwrap_err().cause, Cause::Cancelled));
}

#[test]
fn a_secret_is_masked_where_it_is_told_and_where_it_is_repeated() {
    let token = "ghp_a1B2c3D4e5a1B2c3D4e5a1B2c3D4e5a1B2c3";
    let call = |id: &str, name: &str, arguments: Value| json!({"type": "toolCall", "id": id, "name": name, "arguments": arguments});
    let entries = [
        json!({"type": "message", "id": "a", "parentId": null, "message": {"role": "assistant", "content": [
            call("1", "deploy", json!({"password": "swordfish", "x": format!("use {token}")})),
            call("2", "bash", json!({"command": format!("curl -H 'x: {token}' https://a.b")})),
            call("3", "edit", json!({"path": "a", "oldText": "old", "newText": format!("old {token}")})),
        ]}}),
        json!({"type": "message", "id": "b", "parentId": "a", "message": {"role": "toolResult", "toolCallId": "2",
            "toolName": "bash", "content": [{"type": "text", "text": format!("\u{1b}[32m{}\u{1b}[1m{}\u{1b}[0m", &token[..20], &token[20..])}]}}),
        json!({"type": "message", "id": "c", "parentId": "b", "message": {"role": "toolResult", "toolCallId": "3",
            "toolName": "edit", "content": []}}),
    ];
    let header = r#"{"type":"session","version":3,"id":"s","cwd":"/"}"#.to_owned();
    let lines: Vec<String> = std::iter::once(header).chain(entries.iter().map(Value::to_string)).collect();
    let session = session(&lines.join("\n"));
    let redactor = Redactor::default();
    let page = redacted(&session, false, Some(&redactor));
    assert_eq!(markup::flaw(&page), None);
    for secret in ["swordfish", &token[..20], &token[20..]] {
        assert!(!page.contains(secret), "{secret}: {page}");
    }
    assert_eq!(redactor.counts(), [("GitHub token", 4), ("password", 1)]);
}

/// Pieces of texts that try to become markup, or to be obeyed.
fn hostile() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "<script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "' onmouseover='x",
        "</title></style></pre></code></details>",
        "<!--",
        "-->",
        "]]>",
        "&#60;script&#62;",
        "&lt;b",
        "&",
        "[a](javascript:alert(1))",
        "[b](data:text/html,<script>)",
        "![c](https://x.y/z.png)",
        "<javascript:alert(1)>",
        "<https://x.y/?a=\"b>",
        "[d][e]\n\n[e]: java\nscript:x",
        "https://x.y/\"onclick=\"z",
        "\n```html\n<b>\n```\n",
        "\n```js\" onload=\"x\n",
        "\n|a|b|\n|-|-:|\n|<i>|2|\n",
        "\n> ",
        "\n- [x] ",
        "\n1. ",
        "# ",
        "**",
        "`",
        "~~",
        "\n\n",
        "\t",
        "\u{1b}[31m",
        "\u{1b}]8;;javascript:x\u{7}",
        "\u{202e}",
        "\u{2066}",
        "\u{0}",
        "&#27;&#x202e;",
        "\r",
        "wörd ",
    ];
    let piece = prop_oneof![
        4 => prop::sample::select(PIECES).prop_map(str::to_owned),
        1 => "\\PC{0,6}",
    ];
    prop::collection::vec(piece, 0..7).prop_map(|pieces| pieces.concat())
}

/// Puts hostile texts in place of texts that do not decide what an entry is.
fn poison(value: &mut Value, texts: &mut impl Iterator<Item = String>) {
    match value {
        Value::String(text) => *text = texts.next().unwrap(),
        Value::Array(items) => items.iter_mut().for_each(|item| poison(item, texts)),
        Value::Object(members) => {
            for (key, value) in members {
                match (key.as_str(), &mut *value) {
                    ("type" | "role" | "timestamp" | "toolName" | "stopReason", _) => {}
                    // The names of tools decide how their calls are shown.
                    ("name", Value::String(name)) if name.len() < 8 => {}
                    // Ids that fit stay fitting.
                    (
                        "id" | "parentId" | "targetId" | "fromId" | "toolCallId" | "firstKeptEntryId",
                        Value::String(id),
                    ) => {
                        id.push_str("\"><script>");
                    }
                    _ => poison(value, texts),
                }
            }
        }
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn nothing_that_a_file_says_becomes_markup(texts in prop::collection::vec(hostile(), 1..40)) {
        let mut texts = texts.into_iter().cycle();
        let lines: Vec<String> = fixture()
            .lines()
            .map(|line| {
                let mut line: Value = serde_json::from_str(line).unwrap();
                poison(&mut line, &mut texts);
                line.to_string()
            })
            .collect();
        let session = session(&lines.join("\n"));
        prop_assert!(session.len() > 25);
        for is_context in [false, true] {
            let page = page(&session, is_context);
            prop_assert_eq!(markup::flaw(&page), None);
        }
    }
}
