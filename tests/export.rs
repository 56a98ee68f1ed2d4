//! Exports, as `piscope export` writes them.

#![expect(clippy::unwrap_used, reason = "a test that cannot set up its files has failed")]

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

use clap::Parser;
use jiff::tz::TimeZone;
use piscope::cancel::Cancel;
use piscope::cli::{self, Args, Failure};
use piscope::export::{Document, DocumentKind, Format, Redactor, Stamp};
use piscope::session::{LeafArg, Session};
use piscope::store::Environment;
use proptest::prelude::*;
use pulldown_cmark::{Event, HeadingLevel, Tag};
use serde_json::{Value, json};

const EVERYTHING: &str = "tests/fixtures/transcript/every-block.jsonl";
const TYPES: &str = "tests/fixtures/samples/v3-all-types.jsonl";
const COMPACTED: &str = "tests/fixtures/samples/v3-compaction.jsonl";
const FORMATS: [&str; 5] = ["md", "html", "jsonl", "json", "text"];

fn run(args: &[&str]) -> (String, Result<(), Failure>) {
    let args = Args::parse_from(["piscope", "export"].iter().chain(args));
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut out = Vec::new();
    let environment = Environment::new("/home/dev", here);
    let outcome = cli::run(&args, args.command.as_ref().unwrap(), &environment, &mut out);
    (String::from_utf8(out).unwrap(), outcome)
}

/// A document on standard output, without the moment at which it was written.
fn export(args: &[&str]) -> String {
    let (text, outcome) = run(args);
    outcome.unwrap();
    let Some((header, rest)) =
        text.split_once('\n').filter(|(header, _)| header.starts_with("{\"type\":\"session\""))
    else {
        return text;
    };
    let (before, after) = header.split_once("\"timestamp\":\"").unwrap();
    format!("{before}\"timestamp\":\"now{}\n{rest}", &after[24..])
}

#[test]
fn every_entry_in_every_format() {
    // Of HTML see the tests in `html`.
    for format in FORMATS.into_iter().filter(|&format| format != "html") {
        insta::assert_snapshot!(format!("everything_{format}"), export(&[EVERYTHING, "--format", format]));
        insta::assert_snapshot!(format!("types_{format}"), export(&[TYPES, "--format", format]));
        let context = export(&[COMPACTED, "--context", "--format", format]);
        insta::assert_snapshot!(format!("context_{format}"), context);
    }
}

#[test]
fn a_branch_ends_where_it_is_told_to() {
    let nothing = export(&[TYPES, "--leaf", "null", "--format", "jsonl"]);
    assert_eq!(nothing.lines().count(), 1);
    let whole: Value = serde_json::from_str(&export(&[EVERYTHING, "--format", "json"])).unwrap();
    let part: Value =
        serde_json::from_str(&export(&[EVERYTHING, "--leaf", "a0000005", "--format", "json"])).unwrap();
    assert_eq!(part["leaf"], "a0000005");
    assert_eq!(part["entries"].as_array().unwrap()[..], whole["entries"].as_array().unwrap()[..5]);
}

/// A session of one branch.
fn session(folder: &Path, messages: &[Value]) -> String {
    let mut lines = vec![json!({"type": "session", "version": 3, "id": "s", "cwd": "/w"}).to_string()];
    for (at, entry) in messages.iter().enumerate() {
        let mut entry = entry.clone();
        entry["id"] = format!("e{at}").into();
        entry["parentId"] = if at == 0 { Value::Null } else { format!("e{}", at - 1).into() };
        lines.push(entry.to_string());
    }
    let path = folder.join("s.jsonl");
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    path.to_str().unwrap().to_owned()
}

/// One entry of every kind, with a text wherever one can stand.
fn everywhere(text: &str) -> Vec<Value> {
    let message = |message: Value| json!({"type": "message", "timestamp": text, "message": message});
    vec![
        json!({"type": "session_info", "name": text}),
        message(json!({"role": "user", "content": text})),
        message(
            json!({"role": "system", "content": text, "sections": {text: text}, "toolsAdded": [{"name": text}]}),
        ),
        message(json!({"role": "assistant", "model": text, "stopReason": "error", "errorMessage": text,
            "usage": {"input": -1, "output": 1e300, "cost": {"total": text}}, "content": [
            {"type": "thinking", "thinking": text}, {"type": "text", "text": text},
            {"type": "image", "data": text, "mimeType": text}, {"type": text, "x": text},
            {"type": "toolCall", "id": text, "name": text,
                "arguments": {"path": text, "command": text, text: text, "content": format!("{text}\n{text}")}},
        ]})),
        message(json!({"role": "toolResult", "toolName": text, "content": [{"type": "text", "text": text}]})),
        message(
            json!({"role": "bashExecution", "command": text, "output": text, "truncated": true, "fullOutputPath": text}),
        ),
        message(json!({"role": text, "content": text})),
        json!({"type": "custom_message", "customType": text, "content": text}),
        json!({"type": "custom", "customType": text, "data": {text: text}}),
        json!({"type": "model_change", "provider": text, "modelId": text}),
        json!({"type": "thinking_level_change", "thinkingLevel": text}),
        json!({"type": "label", "targetId": "e1", "label": text}),
        json!({"type": "branch_summary", "summary": text}),
        json!({"type": "usage", "kind": text, "provider": text, "model": text, "note": text}),
        json!({"type": "context_edit", "targetId": text, "replacement": {"content": text}}),
        json!({"type": text}),
        json!({"type": "compaction", "summary": text, "tokensBefore": 1e300}),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Characters that do harm, and pieces of the languages that documents are written in.
    #[test]
    fn every_byte_is_clean_whatever_a_file_holds(
        pieces in prop::collection::vec(prop_oneof![
            (0u32..0xa0).prop_map(|c| char::from_u32(c).unwrap().to_string()),
            (0x2000u32..0x2070).prop_map(|c| char::from_u32(c).unwrap().to_string()),
            prop::sample::select(vec!["\n# x\n", "```\n", "<!--", "</details>\n\n", "<script>", "\n===\n", "\u{1b}[31m",
                "\u{1b}]0;x\u{7}", "](javascript:x)", "[a", "&lt;", "*", "\n---\n", "    ", "\n\n", "`", "|", "\n> "])
                .prop_map(str::to_owned),
        ], 1..12)
    ) {
        let text = pieces.concat();
        let folder = tempfile::tempdir().unwrap();
        let path = session(folder.path(), &everywhere(&text));
        let session = Session::open(&path).unwrap();
        let context = session.context(&LeafArg::Current);
        let branch = session.path_to(session.current_leaf());
        for (entries, kind) in [(&branch, DocumentKind::Branch), (&context.entries, DocumentKind::Context(&context))] {
            for format in Format::ALL {
                let of = Document { session: &session, entries, kind, redact: Some(&Redactor::default()),
                    zone: &TimeZone::UTC, cancel: &Cancel::new(), progress: &|_| {} };
                let mut document = Vec::new();
                format.write(&of, &Stamp { now: 0, cwd: text.clone() }, &mut document).unwrap();
                let document = String::from_utf8(document).unwrap();
                let is_dirty = |c: char| (c.is_control() && !matches!(c, '\n' | '\t'))
                    || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
                // A session file is for pi, to which all of it is text.
                let is_dirty = |c: char| if format == Format::Jsonl { c < ' ' && c != '\n' } else { is_dirty(c) };
                prop_assert!(!document.contains(is_dirty), "{}", document);
                match format {
                    Format::Json => drop(serde_json::from_str::<Value>(&document).unwrap()),
                    Format::Jsonl => document.lines().for_each(|line| drop(serde_json::from_str::<Value>(line).unwrap())),
                    Format::Markdown => is_sound(&document)?,
                    Format::Html | Format::Text => {}
                }
            }
        }
    }
}

/// Nothing in a Markdown document is HTML but its own folds, and these are closed.
fn is_sound(document: &str) -> Result<(), TestCaseError> {
    let mut open = 0;
    let mut titles = 0;
    for event in pulldown_cmark::Parser::new_ext(document, pulldown_cmark::Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { level: HeadingLevel::H1, .. }) => titles += 1,
            Event::Html(html) => {
                let html = html.trim();
                let is_summary = html.starts_with("<summary>") && html.ends_with("</summary>");
                prop_assert!(
                    is_summary || html == "<details>" || html == "</details>",
                    "{html}\n\n{document}"
                );
                prop_assert_eq!(html.matches('<').count(), if is_summary { 2 } else { 1 });
                open += i32::from(html == "<details>") - i32::from(html == "</details>");
                prop_assert!((0..=1).contains(&open), "{}", document);
            }
            Event::InlineHtml(html) => prop_assert!(false, "{html}\n\n{document}"),
            _ => {}
        }
    }
    prop_assert_eq!((open, titles), (0, 1), "{}", document);
    Ok(())
}

#[test]
fn numbers_that_cannot_be_believed_are_mentioned_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = session(folder.path(), &[everywhere("x"), everywhere("y")].concat());
    let document = export(&[&path, "--format", "text"]);
    assert_eq!(document.matches("believed").count(), 1, "{document}");
    assert!(
        document.contains("2 entries lack numbers that can be believed; they count as zero"),
        "{document}"
    );
    let document: Value = serde_json::from_str(&export(&[&path, "--format", "json"])).unwrap();
    assert_eq!(document["totals"]["doubtful"], 2);
    assert_eq!(document["totals"]["cost"], 0);
}

#[test]
fn secrets_are_masked_in_every_format_and_listed() {
    let folder = tempfile::tempdir().unwrap();
    let token = format!("ghp_{}", "a1B2c3D4e5".repeat(4));
    let path = session(folder.path(), &everywhere(&format!("key {token} and password=hunter22 here")));
    for context in [&[][..], &["--context"]] {
        for format in FORMATS {
            let args = [&[&*path, "--format", format], context].concat();
            assert!(export(&args).contains(&token), "{format}");
            let masked = export(&[&args[..], &["--redact"]].concat());
            assert!(!masked.contains(&token) && !masked.contains("hunter22"), "{format}: {masked}");
            let listed = masked.contains("GitHub tokens, ") || masked.contains("\"kind\":\"GitHub token\"");
            assert_eq!(listed, format != "jsonl", "{format}: {masked}");
        }
    }
    let named = session(
        folder.path(),
        &[json!({"type": "custom", "customType": "x", "data": {"password": "swordfish"}})],
    );
    for format in FORMATS {
        assert!(!export(&[&named, "--format", format, "--redact"]).contains("swordfish"), "{format}");
    }
}

#[test]
fn a_file_is_written_over_only_when_told() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("branch.md");
    let out = out.to_str().unwrap();
    let (told, outcome) = run(&[TYPES, "-o", out, "--dry-run"]);
    outcome.unwrap();
    assert!(told.starts_with("would write Markdown of ") && !Path::new(out).exists(), "{told}");
    run(&[TYPES, "-o", out]).1.unwrap();
    let written = fs::read_to_string(out).unwrap();
    assert_eq!(written, export(&[TYPES, "--format", "md"]));
    let failure = run(&[EVERYTHING, "-o", out]).1.unwrap_err();
    assert!(failure.exit_status() == 1 && failure.to_string().contains("it is there already"), "{failure}");
    assert_eq!(fs::read_to_string(out).unwrap(), written);
    run(&[EVERYTHING, "-o", out, "--force"]).1.unwrap();
    assert_ne!(fs::read_to_string(out).unwrap(), written);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let failure = run(&[TYPES]).1.unwrap_err();
    assert!(failure.exit_status() == 2 && failure.to_string().contains("md, html, jsonl"), "{failure}");
}

#[test]
fn an_export_is_a_session_again() {
    let folder = tempfile::tempdir().unwrap();
    for fixture in [EVERYTHING, TYPES, "tests/fixtures/samples/v1.jsonl", "tests/fixtures/samples/v2.jsonl"] {
        let out = folder.path().join("again.jsonl");
        let out = out.to_str().unwrap();
        run(&[fixture, "-o", out, "--force"]).1.unwrap();
        let before: Value =
            serde_json::from_str(&export(&[fixture, "--context", "--format", "json"])).unwrap();
        let after: Value = serde_json::from_str(&export(&[out, "--context", "--format", "json"])).unwrap();
        let contents = |document: &Value| {
            let messages = document["messages"].as_array().unwrap().iter();
            messages.map(|message| (message["role"].clone(), message["content"].clone())).collect::<Vec<_>>()
        };
        assert_eq!(contents(&before), contents(&after), "{fixture}");
        assert_eq!(before["session"]["id"], after["session"]["id"]);
    }
}

#[test]
fn a_reader_who_has_enough_is_no_failure() {
    let folder = tempfile::tempdir().unwrap();
    let path = session(folder.path(), &vec![json!({"type": "custom", "data": "x".repeat(10_000)}); 100]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_piscope"))
        .args(["export", &path, "--format", "json"])
        .env_clear()
        .env("HOME", "/nowhere")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut [0; 100]).unwrap();
    drop(out);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}
