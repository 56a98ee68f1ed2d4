//! Every question of `tests/fixtures/golden` answered again and compared with what the real pi said.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot read its questions has failed")]

mod pi;

use std::fs;
use std::path::Path;

use pi::ask::{Question, command, comparable, failed, forgive_half_surrogates};
use pi::diff::differences;
use pi::folder::{SETS, fixtures};
use pi::ours::{leave_out, leave_out_rows_lost_by_pi};
use piscope::edit::manager::{SessionManager, TreeNode};
use piscope::format::EntryId;
use piscope::session::{Entry, EntryBody};
use piscope::store::Environment;
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

#[test]
fn the_managers_getters_answer_as_pis_do() {
    let folder = fixtures();
    let mut failures = Vec::new();
    let mut compared = 0;
    for set in SETS {
        for (question, mut theirs) in golden(&format!("{set}-dump"), set, folder.path()) {
            if failed(&theirs) {
                continue;
            }
            leave_out(&question[1], &mut theirs);
            let sent = theirs["context"]["messages"].as_array();
            let sources =
                sent.map(|sent| sent.iter().map(|sent| json!([sent["src"], sent["from"]])).collect());
            let has_context = sent.is_some();
            theirs["sources"] = sources.unwrap_or(Value::Null);
            let leaf = Question::of(&question).positional.get(1).cloned();
            let ours = getters(&folder.path().join(&question[1]), leaf.as_deref());
            compared += 1;
            failures.extend(ours.iter().filter_map(|(part, answer)| {
                let expected = theirs.pointer(part).filter(|_| *part != "/sources" || has_context)?;
                (expected != answer).then(|| format!("{question:?} {part}: pi {expected} ours {answer}"))
            }));
        }
    }
    assert!(compared > 100, "{compared}");
    assert_none(&failures);
}

/// What the getters say, by the place of the same answer in the oracle's document.
fn getters(file: &Path, leaf: Option<&str>) -> Vec<(&'static str, Value)> {
    let environment = Environment::new("/home/dev", "/");
    let mut manager = SessionManager::open(&environment, file, None, None).expect("a session");
    let id = |id: &EntryId| pi::parse(&id.to_json());
    let ids = |entries: &[Entry]| entries.iter().map(|entry| id(&entry.id)).collect::<Value>();
    let mut answers = vec![
        ("/leafId", manager.get_leaf_id().map_or(Value::Null, id)),
        ("/name", manager.get_session_name().map_or(Value::Null, Value::from)),
        ("/entryCount", manager.get_entry_count().into()),
        ("/entryLines", manager.session().len().into()),
        ("/tree", chains(manager.get_tree())),
        ("/header/id", manager.get_session_id().into()),
    ];
    let is_moved = match leaf {
        Some("null") => {
            manager.reset_leaf();
            true
        }
        Some(leaf) => manager.branch(leaf).is_ok(),
        None => true,
    };
    let projection = manager.build_session_projection().expect("a context");
    if is_moved && !projection.entries.iter().any(|entry| entry.source_entry.body == EntryBody::Message(None))
    {
        let context = manager.build_session_context().expect("a context");
        assert!(projection.messages().eq(&context.messages));
        let sources = projection.entries.iter().flat_map(|entry| {
            entry.messages.iter().map(|message| json!([id(&entry.source_entry.id), message.role()]))
        });
        answers.extend([
            ("/context/entries", ids(&manager.build_context_entries().expect("entries"))),
            ("/context/thinkingLevel", context.thinking_level.as_str().into()),
            ("/sources", sources.collect()),
        ]);
    }
    for branch in manager.get_entries().expect("entries") {
        let path = manager.get_branch(Some(branch.id.as_str())).expect("a branch");
        assert_eq!(path.last().map(|entry| &entry.id), Some(&branch.id));
    }
    answers
}

/// The tree in the oracle's shape: chains of ids, and where one forks, the chains of its children as their last item.
fn chains(nodes: Vec<TreeNode<'_>>) -> Value {
    let chain = |mut node: TreeNode<'_>| {
        let mut items = vec![pi::parse(&node.id().to_json())];
        loop {
            let children: Vec<TreeNode<'_>> = node.children().collect();
            match children.as_slice() {
                [] => return Value::from(items),
                [child] => {
                    node = *child;
                    items.push(pi::parse(&node.id().to_json()));
                }
                _ => {
                    items.push(chains(children));
                    return Value::from(items);
                }
            }
        }
    };
    nodes.into_iter().map(chain).collect()
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
