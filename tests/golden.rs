//! Every question of `tests/fixtures/golden` answered again and compared with what the real pi said.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot read its questions has failed")]

mod pi;

use std::fs;
use std::path::Path;

use pi::ask::{Question, command, comparable, failed, forgive_half_surrogates};
use pi::diff::differences;
use pi::folder::{SETS, fixtures};
use pi::ours::{leave_out, leave_out_rows_lost_by_pi};
use serde_json::{Value, json};

/// What we answer where pi fails or we differ: a command, the part of its document, and what that is.
const OUR_ANSWERS: &[(&[&str], &str, &str)] = &[
    (&["info", "cases/017-scalar-and-array-lines.jsonl"], "/entryTypes", r#"{"message":2,"object":1}"#),
    (&["info", "cases/017-scalar-and-array-lines.jsonl"], "/tree", r#"[["v1#0"],["u1","a1"]]"#),
    (&["info", "cases/028-cycle-two-entries.jsonl"], "/tree", r#"[["u0"],["x1","x2"]]"#),
    (
        &["tree", "cases/028-cycle-two-entries.jsonl"],
        "lines",
        r#"["  • user: Loop one.","›    • assistant: Loop two.","  user: Root stays visible."]"#,
    ),
    (&["context", "cases/028-cycle-two-entries.jsonl"], "/entries", r#"["x1","x2"]"#),
    (
        &["tree", "cases/029-self-parent.jsonl"],
        "lines",
        r#"["  • user: My own parent.","› • assistant: Odd."]"#,
    ),
    (&["context", "cases/029-self-parent.jsonl"], "/entries", r#"["u1","a1"]"#),
    (&["tree", "samples/self-parent.jsonl"], "lines", r#"["› • user: fine","  user: self"]"#),
    (&["info", "cases/031-duplicate-id-siblings.jsonl"], "/tree", r#"[["u1",[["dd"],["dd","u2"]]]]"#),
    (
        &["tree", "cases/031-duplicate-id-siblings.jsonl"],
        "lines",
        r#"["  • user: Start.","  ├⊟ • assistant: Second writer.","› │     • user: After.","  └─ assistant: First writer."]"#,
    ),
    (
        &["tree", "samples/duplicate-ids.jsonl"],
        "lines",
        r#"["  • user: same id again","› ├─ • assistant: child of the dup","  └─ assistant: hi","  user: hello"]"#,
    ),
    (&["info", "cases/032-duplicate-id-makes-cycle.jsonl"], "/tree", r#"[["d1"],["a1","d1","a2"]]"#),
    (&["context", "cases/032-duplicate-id-makes-cycle.jsonl"], "/entries", r#"["a1","d1","a2"]"#),
    (
        &["tree", "cases/049-text-block-without-text.jsonl"],
        "lines",
        r#"["  • user: tail","› • assistant: (no content)"]"#,
    ),
    (
        &["tree", "cases/050-message-key-missing.jsonl"],
        "lines",
        r#"["  • (empty message)","› • assistant: Still here."]"#,
    ),
    (
        &["context", "cases/050-message-key-missing.jsonl"],
        "/omitted",
        r#"[{"id":"u1","reason":"no message in it"}]"#,
    ),
    (
        &["tree", "cases/053-custom-message-odd-content.jsonl"],
        "lines",
        r#"["  • user: Go.","  • [plan]:","  • [plan]:","› • assistant: ok"]"#,
    ),
    (&["tree", "samples/null-custom-message.jsonl", "--find", "note"], "lines", r#"["› • [note]:"]"#),
    (&["info", "cases/080-name-wrong-type.jsonl"], "/name", "null"),
    (&["info", "cases/080-name-wrong-type.jsonl"], "/row/firstMessage", r#""p""#),
    (&["info", "cases/046-user-content-null.jsonl"], "/row/messageCount", "1"),
    (&["info", "cases/095-cwd-windows.jsonl"], "/cwd", r#""C:\\Users\\Dev\\My Projects\\app""#),
    (
        &["info", "cases/109-version-missing-but-tree-present.jsonl"],
        "/tree",
        r#"[["u1","a1",[["b1"],["c1","l1","k1"]]]]"#,
    ),
    (
        &["info", "cases/109-version-missing-but-tree-present.jsonl"],
        "/labels",
        r#"[{"target":"a1","label":"keep me","timestamp":"2026-01-05T08:00:05.000Z"}]"#,
    ),
    (&["context", "cases/109-version-missing-but-tree-present.jsonl"], "/entries", r#"["k1","c1","l1"]"#),
    (
        &["tree", "cases/109-version-missing-but-tree-present.jsonl"],
        "lines",
        r#"["  • user: Start.","  • [keep me] assistant: Base.","  ├⊟ • user: Main.","› │     • [compaction: 0k tokens]","  └─ user: Side."]"#,
    ),
];

#[test]
fn samples_read_as_in_pi() {
    replay("samples");
}

#[test]
fn cases_read_as_in_pi() {
    replay("cases");
}

#[test]
fn corpus_reads_as_in_pi() {
    replay("corpus");
}

#[test]
fn what_pi_cannot_do_we_do_as_agreed() {
    let folder = fixtures();
    for (args, part, expected) in OUR_ANSWERS {
        let file = folder.path().join(args[1]);
        let file = file.to_string_lossy();
        let args: Vec<&str> =
            [args[0], &*file, "--json"].into_iter().chain(args[2..].iter().copied()).collect();
        let document = command(folder.path(), &args).expect("an answer");
        let found = match *part {
            "lines" => {
                document["rows"].as_array().into_iter().flatten().map(|row| row["line"].clone()).collect()
            }
            pointer => document.pointer(pointer).cloned().unwrap_or_else(|| json!("nothing there")),
        };
        assert_eq!(found, pi::parse(expected), "{args:?} {part}");
    }
}

#[test]
fn lists_and_searches_find_what_pi_finds() {
    let folder = fixtures();
    let failures = golden("lists", "", folder.path()).filter_map(|(question, theirs)| {
        let asked = Question::of(&question);
        let ours = asked.answer(folder.path());
        if failed(&theirs) {
            let refused = ours.as_ref().is_err() || ours.as_ref().is_ok_and(|ours| ours["hits"] == json!([]));
            return (!refused).then(|| format!("{question:?} is refused by pi"));
        }
        let theirs = comparable(&asked, theirs);
        let mut ours = ours.unwrap_or_else(|error| json!({ "failed": error }));
        for part in ["rows", "threaded", "hits"] {
            leave_out_rows_lost_by_pi(&theirs[part], &mut ours[part]);
        }
        report(&question, &differences(&theirs, &ours))
    });
    assert_none(&failures.collect::<Vec<_>>());
}

/// Answers all questions about the files of a set.
fn replay(set: &str) {
    let folder = fixtures();
    let mut failures = Vec::new();
    for kind in ["dump", "tree"] {
        let questions = golden(&format!("{set}-{kind}"), set, folder.path());
        failures.extend(questions.filter_map(|(question, answer)| compare(&question, answer, folder.path())));
    }
    assert_none(&failures);
}

/// What is different in our answer to one question.
fn compare(question: &[String], answer: Value, folder: &Path) -> Option<String> {
    let mut asked = Question::of(question);
    if asked.has("--keys") {
        // What keys do in the selector is the screen's concern.
        return None;
    }
    let was_typed = asked.option("--find").is_some_and(|find| find.contains(['L', 'T']));
    if was_typed {
        // pi's selector takes these two letters as keys: they are not in its search, and labels show their times.
        let find = question.iter().position(|argument| argument == "--find").expect("a search") + 1;
        let mut typed = question.to_vec();
        answer["search"].as_str().unwrap_or_default().clone_into(&mut typed[find]);
        asked = Question::of(&typed);
    }
    let ours = asked.answer(folder);
    if failed(&answer) {
        let is_refusal =
            answer["error"].as_str().is_some_and(|error| error.contains("not a valid pi session"));
        return (ours.is_ok() == is_refusal).then(|| format!("{question:?}: pi {}", answer["error"]));
    }
    let mut theirs = comparable(&asked, answer);
    leave_out(&question[1], &mut theirs);
    let ours = ours.unwrap_or_else(|error| json!({ "failed": error }));
    if asked.option("--width").is_some() {
        forgive_half_surrogates(&mut theirs, &ours);
    }
    let mut found = differences(&theirs, &ours);
    found.retain(|difference| !(was_typed && difference.contains("].line: ")));
    report(question, &found)
}

/// The questions and pi's answers in one file of the folder.
fn golden(name: &str, set: &str, folder: &Path) -> impl Iterator<Item = (Vec<String>, Value)> + use<> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/golden/{name}.jsonl"));
    let text = fs::read_to_string(file).expect("golden answers");
    let lines: Vec<String> = text.lines().map(|line| filled(line, set_of(line, set), folder)).collect();
    lines.into_iter().map(|line| {
        let mut line = pi::parse(&line);
        let question = line["question"].as_array().into_iter().flatten();
        let question = question.map(|argument| argument.as_str().unwrap_or_default().to_owned()).collect();
        (question, line["answer"].take())
    })
}

/// An answer with the placeholders for folders filled in.
fn filled(text: &str, set: &str, folder: &Path) -> String {
    text.replace("@DIR@", &folder.join(set).to_string_lossy()).replace("@ROOT@", &folder.to_string_lossy())
}

/// The set a question is about: that of the file of golden answers, else the one it names.
fn set_of<'l>(line: &'l str, set: &'l str) -> &'l str {
    let named = || SETS.into_iter().find(|set| line.contains(&format!(",\"{set}\"")));
    if set.is_empty() { named().unwrap_or("cases") } else { set }
}

fn report(question: &[String], found: &[String]) -> Option<String> {
    let found: Vec<&str> = found.iter().take(5).map(String::as_str).collect();
    (!found.is_empty()).then(|| format!("{question:?}\n    {}", found.join("\n    ")))
}

fn assert_none(failures: &[String]) {
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
}
