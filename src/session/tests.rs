use super::*;
use crate::format::Problem;

/// A session of `lines` below a header, each line JSON with single quotes for double ones.
fn session(lines: &[&str]) -> Session {
    let mut text = String::from(
        "{'type':'session','version':3,'id':'s','timestamp':'2026-01-05T08:00:00.000Z','cwd':'/p'}\n",
    );
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
    Session::from_bytes("test.jsonl", text.replace('\'', "\"").into_bytes()).unwrap()
}

fn user(id: &str, parent: &str) -> String {
    let parent = if parent.is_empty() { "null".into() } else { format!("'{parent}'") };
    format!(
        "{{'type':'message','id':'{id}','parentId':{parent},'timestamp':'2026-01-05T08:00:01.000Z','message':{{'role':'user','content':'{id}'}}}}"
    )
}

fn problems(session: &Session) -> Vec<(u32, Problem)> {
    session.diagnostics().iter().map(|diagnostic| (diagnostic.line, diagnostic.problem)).collect()
}

fn path(session: &Session, leaf: Option<EntryIx>) -> Vec<&str> {
    session.path_to(leaf).into_iter().map(|ix| session.entry_id(ix).as_str()).collect()
}

fn rows(session: &Session) -> Vec<&str> {
    let view = OutlineView { leaf: session.current_leaf(), ..OutlineView::default() };
    let outline = Outline::build(session, view).unwrap();
    outline.rows.iter().map(|row| session.entry_id(row.entry).as_str()).collect()
}

#[test]
fn circles_end_and_every_entry_is_shown_once() {
    let two = session(&[&user("u0", ""), &user("x1", "x2"), &user("x2", "x1")]);
    assert_eq!(problems(&two), [(3, Problem::Cycle)]);
    assert_eq!(path(&two, two.current_leaf()), ["x1", "x2"]);
    assert_eq!(rows(&two), ["x1", "x2", "u0"]);

    let own = session(&[&user("u1", "u1"), &user("a1", "u1")]);
    assert_eq!(problems(&own), [(2, Problem::SelfParent)]);
    assert_eq!(rows(&own), ["u1", "a1"]);
}

#[test]
fn of_equal_ids_the_last_has_the_children() {
    let twice = session(&[&user("u1", ""), &user("dd", "u1"), &user("dd", "u1"), &user("u2", "dd")]);
    assert_eq!(problems(&twice), [(4, Problem::DuplicateId)]);
    assert_eq!(rows(&twice), ["u1", "dd", "u2", "dd"]);
    assert_eq!((twice.len(), twice.distinct_ids()), (4, 3));
}

#[test]
fn entries_without_ids_are_a_chain() {
    let line =
        "{'type':'message','timestamp':'2026-01-05T08:00:01.000Z','message':{'role':'user','content':'x'}}";
    let chain = session(&[line, line, "{'type':'session_info','id':'n','name':'N'}"]);
    assert_eq!(path(&chain, chain.current_leaf()), ["v1#0", "v1#1", "n"]);
    assert_eq!(chain.name(), Some("N"));
}

#[test]
fn a_path_of_a_hundred_thousand_entries_needs_no_stack() {
    let lines: Vec<String> = (0..100_000u32)
        .map(|at| user(&at.to_string(), &at.checked_sub(1).map(|at| at.to_string()).unwrap_or_default()))
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let deep = session(&lines);
    assert_eq!(path(&deep, deep.current_leaf()).len(), 100_000);
    assert_eq!(rows(&deep).len(), 100_000);
}

#[test]
fn a_bad_line_costs_that_line() {
    let text = concat!(
        "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n",
        "{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"message\":{\"role\":\"user\",\"content\":\"x\"}}\n",
        "{\"id\":1}{\"id\":2}\n",
        "42\n",
        "nonsense\n",
        "{\"type\":\"message\",\"id\":\"b\",\"parentId\":\"a\",\"mess"
    );
    let torn = Session::from_bytes("t.jsonl", text.into()).unwrap();
    assert_eq!(
        problems(&torn),
        [
            (3, Problem::FusedLines),
            (4, Problem::NotAnEntry),
            (5, Problem::InvalidJson),
            (6, Problem::TornLine)
        ]
    );
    assert_eq!(torn.len(), 1);
}

#[test]
fn what_is_no_session_says_why() {
    for (bytes, why) in [
        ("", "it is empty"),
        ("{\"type\":\"message\",\"id\":\"a\"}\n", "a record of type \"message\""),
        ("{\"type\":\"session\",\"id\":7}\n", "a header whose id is no text"),
        ("\u{feff}{\"type\":\"session\",\"id\":\"s\"}\n", "byte order mark"),
    ] {
        let error = Session::from_bytes("x.jsonl", bytes.into()).unwrap_err();
        assert!(error.is_not_a_session() && error.to_string().contains(why), "{error}");
    }
}

#[test]
fn a_short_branch_behind_a_long_one_is_dead() {
    let mut lines: Vec<String> = vec![user("e0", "")];
    lines.extend((1..20).map(|at| user(&format!("e{at}"), &format!("e{}", at - 1))));
    lines.push(user("late", "e3"));
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let dead = session(&lines).dead_branch().unwrap();
    assert_eq!((dead.current, dead.length), (5, 20));
    assert_eq!(session(&lines[..20]).dead_branch(), None);
}

#[test]
fn a_context_is_built_at_the_entry_that_is_meant_also_where_ids_repeat() {
    let session = session(&[&user("a", ""), &user("a", ""), &user("b", "a")]);
    let at = |index| session.context_at(Some(EntryIx::new(index))).entries;
    assert_eq!(at(0), [EntryIx::new(0)]);
    assert_eq!(at(2), [EntryIx::new(1), EntryIx::new(2)]);
    assert_eq!(session.context(&LeafArg::Id("a".into())).entries, [EntryIx::new(1)]);
    assert!(session.context_at(None).entries.is_empty());
}
