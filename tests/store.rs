//! The folder of sessions: which files are found, what a row says, and how rows are threaded and searched.

#![expect(clippy::unwrap_used, reason = "a test that cannot set up its files has failed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use piscope::cancel::Cancel;
use piscope::format::{Problem, js};
use piscope::session::Session;
use piscope::store::{
    Environment, Family, Finding, FirstMessage, Layout, Origin, Query, ScanEvent, ScanOptions, ScannedRow,
    Scope, SessionSummary, Sort, Store, TextHits, Unresolved, keep_distinct_files, rescan_text, resolve,
    scan, sort_recent, summarize,
};

const NOON: &str = "2026-01-05T12:00:00.000Z";

/// A store in a folder of its own, removed at the end of the test.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn root(&self) -> PathBuf {
        fs::canonicalize(self.folder.path()).unwrap()
    }

    fn environment(&self) -> Environment {
        Environment::new("/home/u", self.root())
    }

    fn store(&self) -> Store {
        Store { root: self.root(), layout: Layout::PerProject, origin: Origin::Default }
    }

    /// Writes a file whose last write is `seconds` after the epoch.
    fn write(&self, path: &str, text: impl AsRef<[u8]>, seconds: u64) -> PathBuf {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        let file = fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(UNIX_EPOCH + Duration::from_secs(seconds)).unwrap();
        path
    }

    fn row(&self, text: impl AsRef<[u8]>) -> Result<SessionSummary, Finding> {
        let path = self.write("one.jsonl", text, 1_767_700_000);
        summarize(&path, &self.environment(), FirstMessage::Whole)
    }

    fn names(&self, rows: &[ScannedRow]) -> Vec<String> {
        rows.iter()
            .map(|row| row.summary.path.strip_prefix(self.root()).unwrap().to_str().unwrap().to_owned())
            .collect()
    }
}

/// All rows in the order of the list, and what was found wrong.
fn scanned(
    store: &Store,
    environment: &Environment,
    options: &ScanOptions<'_>,
) -> (Vec<ScannedRow>, Vec<Finding>) {
    let (mut rows, mut findings) = (Vec::new(), Vec::new());
    scan(store, environment, options, &Cancel::new(), &mut |event| {
        if let ScanEvent::Batch { rows: more, findings: others, .. } = event {
            rows.extend(more);
            findings.extend(others);
        }
    });
    rows.sort_by_key(|row| row.order);
    sort_recent(&mut rows, |row| &row.summary);
    (rows, findings)
}

fn header(id: &str) -> String {
    format!(r#"{{"type":"session","version":3,"id":"{id}","timestamp":"{NOON}","cwd":"/p"}}"#)
}

fn said(role: &str, content: &str) -> String {
    let entry = r#""type":"message","timestamp":"2026-01-05T13:00:00.000Z""#;
    format!(r#"{{{entry},"message":{{"role":"{role}","content":{content}}}}}"#)
}

fn session(id: &str, lines: &[&str]) -> String {
    let mut text = header(id);
    for line in lines {
        text.push('\n');
        text.push_str(line);
    }
    text + "\n"
}

fn iso(date: Option<i64>) -> String {
    date.map(js::iso).unwrap_or_default()
}

#[cfg(unix)]
#[test]
fn one_level_of_folders_is_looked_at_and_links_are_followed() {
    use std::os::unix::fs::symlink;
    let place = Place::new();
    let empty = session("x", &[]);
    for (name, seconds) in [
        ("--p--/2026-01-05T08-00-00-000Z_id.jsonl", 1),
        ("--p--/no timestamp & spaces.jsonl", 2),
        ("--p--/.hidden.jsonl", 3),
        ("--p--/UPPER.JSONL", 9),
        ("--p--/backup.jsonl.bak", 9),
        ("--p--/sub/run-0/session.jsonl", 9),
        ("--p--/folder.jsonl/inner.jsonl", 9),
        ("loose.jsonl", 9),
        ("plain name/foreign.jsonl", 5),
        (".dotted/x.jsonl", 6),
    ] {
        place.write(name, &empty, seconds);
    }
    let outside = Place::new();
    outside.write("real/linked.jsonl", &empty, 4);
    symlink(outside.root().join("real"), place.root().join("--linked--")).unwrap();
    symlink("/nowhere", place.root().join("--broken--")).unwrap();
    symlink("/nowhere", place.root().join("--p--/broken.jsonl")).unwrap();
    symlink("2026-01-05T08-00-00-000Z_id.jsonl", place.root().join("--p--/alias.jsonl")).unwrap();

    let (mut rows, mut findings) = scanned(&place.store(), &place.environment(), &ScanOptions::default());
    let listed = [
        ".dotted/x.jsonl",
        "plain name/foreign.jsonl",
        "--linked--/linked.jsonl",
        "--p--/.hidden.jsonl",
        "--p--/no timestamp & spaces.jsonl",
        "--p--/alias.jsonl",
        "--p--/2026-01-05T08-00-00-000Z_id.jsonl",
    ];
    assert_eq!(place.names(&rows), listed);
    findings.sort_by(|a, b| a.path.cmp(&b.path));
    let found: Vec<_> = findings
        .iter()
        .map(|finding| (finding.path.file_name().unwrap(), finding.diagnostic.problem))
        .collect();
    assert_eq!(
        found,
        [
            ("--broken--".as_ref(), Problem::Unreadable),
            ("broken.jsonl".as_ref(), Problem::Unreadable),
            ("folder.jsonl".as_ref(), Problem::Unreadable)
        ]
    );
    assert_eq!(findings[2].diagnostic.message, "it is a folder");
    assert_eq!(findings[0].diagnostic.message, "it cannot be read: no such file or directory");

    let folder = ScanOptions { scope: Scope::Folder("/p".into()), ..ScanOptions::default() };
    let by_name_downwards = [
        "--p--/no timestamp & spaces.jsonl",
        "--p--/alias.jsonl",
        "--p--/2026-01-05T08-00-00-000Z_id.jsonl",
        "--p--/.hidden.jsonl",
    ];
    assert_eq!(place.names(&scanned(&place.store(), &place.environment(), &folder).0), by_name_downwards);

    keep_distinct_files(&mut rows, |row| &row.summary);
    assert_eq!(place.names(&rows), listed[..6]);
}

#[test]
fn a_named_directory_is_a_root_if_a_subfolder_holds_sessions() {
    let place = Place::new();
    place.write("a.jsonl", session("a", &[]), 1);
    place.write("notes/readme.md", "", 1);
    assert_eq!(Store::at(place.root()).layout, Layout::Flat);
    place.write("notes/b.jsonl", "", 1);
    assert_eq!(Store::at(place.root()).layout, Layout::PerProject);
    assert_eq!(Store::at(place.root().join("missing")).layout, Layout::Flat);
}

#[test]
fn a_missing_store_is_an_empty_one() {
    let place = Place::new();
    let store = Store::at(place.root().join("missing"));
    assert_eq!(scanned(&store, &place.environment(), &ScanOptions::default()), (Vec::new(), Vec::new()));
}

#[test]
fn the_scope_is_the_folder_or_in_a_flat_store_the_header() {
    let place = Place::new();
    let at = |cwd: &str| session("x", &[]).replace("\"/p\"", cwd);
    place.write("--srv-a-b--/one.jsonl", at("\"/srv/a/b\""), 1);
    place.write("--srv-a-b--/two.jsonl", at("\"/srv/a-b\""), 2);
    place.write("flat/c.jsonl", at(r#""C:\\Users\\Dev\\app""#), 1);
    place.write("flat/h.jsonl", at("\"~/x/../y\""), 1);
    place.write("flat/l.jsonl", at("[\"/srv\"]"), 1);
    let environment = place.environment();
    let inside = |store: &Store, cwd: &str| {
        let (rows, _) = scanned(store, &environment, &ScanOptions::default());
        let scope = Scope::Folder(cwd.into());
        let rows: Vec<_> =
            rows.into_iter().filter(|row| scope.admits(store, &environment, &row.summary)).collect();
        place.names(&rows)
    };
    let collided = ["--srv-a-b--/two.jsonl", "--srv-a-b--/one.jsonl"];
    assert_eq!(inside(&place.store(), "/srv/a/b"), collided);
    assert_eq!(inside(&place.store(), "/srv/a-b"), collided);
    assert!(inside(&place.store(), "/srv/a").is_empty());

    let flat = Store { root: place.root().join("flat"), layout: Layout::Flat, origin: Origin::Flag };
    assert_eq!(inside(&flat, "/home/u/y"), ["flat/h.jsonl"]);
    assert_eq!(inside(&flat, "c:/users/dev/APP/"), ["flat/c.jsonl"]);
    assert!(inside(&flat, "/srv").is_empty());
}

#[test]
fn a_row_says_what_pi_says() {
    let place = Place::new();
    let row = place
        .row(session(
            "id-1",
            &[
                &said("system", "\"rules\""),
                &said("assistant", "\"hello\""),
                &said("user", r#"[{"type":"image","data":"AAAA"}]"#),
                &said("user", "\"  \""),
                &said("user", r#"[{"type":"text","text":"two"},{"type":"text"},{"type":"text","text":7}]"#),
                r#"{"type":"session_info","name":" First name "}"#,
                r#"{"type":"custom_message","content":"counts for nothing"}"#,
                &said("toolResult", "null"),
                r#"{"type":"session_info","name":"Last\nname\t"}"#,
            ],
        ))
        .unwrap();
    assert_eq!(row.id.as_ref().unwrap().as_str(), "id-1");
    assert_eq!((&*row.cwd, row.cwd_gone), ("/p", Some(true)));
    assert_eq!(row.name.as_deref(), Some("Last\nname"));
    assert_eq!(row.message_count, 6);
    assert_eq!(row.first_message(), "  ");
    assert_eq!(row.prompt.as_deref(), Some("two  7"));
    assert_eq!(iso(row.created), NOON);
    assert_eq!(iso(row.modified), "2026-01-05T13:00:00.000Z");
    assert_eq!((row.diagnostics, row.mtime), (vec![], 1_767_700_000_000));
}

#[test]
fn a_title_is_the_name_or_the_first_prompt_that_says_something() {
    let place = Place::new();
    let named = |name: &str| format!(r#"{{"type":"session_info","name":{name}}}"#);
    for (lines, title) in [
        (vec![said("user", "\"Real\""), named("\"Given\"")], "Given"),
        (vec![said("user", "\"Real\""), named("\"Given\""), named("\"\"")], "Real"),
        (vec![said("user", "\"Real\""), named("\"Given\""), named("null")], "Real"),
        (vec![said("user", "\" \\n\""), said("user", "\"/model\""), said("user", "\"Real\"")], "Real"),
        (vec![said("user", "\"<system-reminder>x</system-reminder>\\nReal\"")], "Real"),
        (vec![said("user", "\"/compact\"")], "(no prompt)"),
        (vec![], "(no messages)"),
    ] {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        assert_eq!(place.row(session("x", &lines)).unwrap().title(), title, "{lines:?}");
    }
    let long = place.row(session("x", &[&said("user", &format!("\"{}\"", "word ".repeat(10_000)))])).unwrap();
    assert_eq!((long.first_message().len(), long.title().len()), (50_000, 400));
    let short = summarize(&long.path, &place.environment(), FirstMessage::Start).unwrap();
    assert_eq!(short.first_message().len(), 400);
}

#[test]
fn a_session_moves_up_when_somebody_speaks() {
    let place = Place::new();
    let entry = |stamp: &str, message: &str| {
        format!(r#"{{"type":"message","timestamp":{stamp},"message":{message}}}"#)
    };
    let user = |own: &str| format!(r#"{{"role":"user","content":"","timestamp":{own}}}"#);
    let hour = "\"2026-01-05T13:00:00.000Z\"";
    for (line, modified) in [
        (entry(hour, &user("1767700000123")), "2026-01-06T11:46:40.123Z"),
        (entry(hour, &user("\"x\"")), "2026-01-05T13:00:00.000Z"),
        (entry("5", &user("null")), "1970-01-01T00:00:00.005Z"),
        (entry("\"junk\"", &user("null")), NOON),
        (entry(hour, &user("-5")), NOON),
        (entry(hour, &user("1e300")), ""),
        (entry(hour, r#"{"role":"user","timestamp":1767700000123}"#), NOON),
        (entry(hour, r#"{"role":"toolResult","content":"","timestamp":1767700000123}"#), NOON),
        (entry(hour, "\"no object\""), NOON),
        (r#"{"type":"session_info","name":"n","timestamp":"2026-01-05T13:00:00.000Z"}"#.to_owned(), NOON),
    ] {
        assert_eq!(iso(place.row(session("x", &[&line])).unwrap().modified), modified, "{line}");
    }
    let row = place.row(r#"{"type":"session","id":7,"timestamp":"junk","cwd":["/p"]}"#).unwrap();
    assert_eq!((iso(row.modified), iso(row.created)), ("2026-01-06T11:46:40.000Z".into(), String::new()));
    assert_eq!((row.id.unwrap().to_json(), &*row.cwd, row.cwd_gone), ("7".into(), "", None));
}

#[test]
fn an_odd_line_costs_itself_and_not_the_session() {
    let place = Place::new();
    for line in [
        said("user", "null"),
        said("assistant", "{}"),
        said("user", "[null]"),
        said("user", "false"),
        r#"{"type":"message"}"#.to_owned(),
        r#"{"type":"message","message":null}"#.to_owned(),
        r#"{"type":"session_info","name":5}"#.to_owned(),
    ] {
        let named = r#"{"type":"session_info","name":"kept"}"#;
        let row = place.row(session("x", &[named, &line, &said("user", "\"hi\"")])).unwrap();
        assert_eq!(
            (row.message_count, row.name.as_deref(), row.first_message()),
            (1, Some("kept"), "hi"),
            "{line}"
        );
        let diagnostic = &row.diagnostics[..];
        assert!(
            matches!(diagnostic, [one] if one.line == 3 && one.problem == Problem::OddField),
            "{diagnostic:?}"
        );
    }
    let odd = "5\n[1]\n{\"type\":\"session\",\"id\":\"other\"}\n{\"a\":1}{\"b\":2}\n\n  \nnull\n{\"to";
    let row = place.row(format!("not json\n{}\n{odd}", header("x"))).unwrap();
    let found: Vec<_> = row.diagnostics.iter().map(|one| (one.line, one.problem)).collect();
    assert_eq!(
        found,
        [
            (1, Problem::InvalidJson),
            (3, Problem::NotAnEntry),
            (4, Problem::NotAnEntry),
            (5, Problem::ExtraHeader),
            (6, Problem::FusedLines),
            (9, Problem::NotAnEntry),
            (10, Problem::TornLine),
        ]
    );
    let many = place.row(format!("{}\n{}", header("x"), "{\n".repeat(1000))).unwrap();
    assert_eq!((many.diagnostics.len(), many.problem_count), (16, 1000));
}

#[test]
fn lines_of_a_list_end_at_carriage_returns_too() {
    let place = Place::new();
    let (first, second) = (said("user", "\"a\u{2028}b\""), said("user", "\"c\""));
    for end in ["\n", "\r\n", "\r"] {
        let row = place.row([header("x"), first.clone(), second.clone()].join(end)).unwrap();
        assert_eq!((row.message_count, row.first_message()), (2, "a\u{2028}b"), "{end:?}");
        // Opening knows no lone `\r`, so that such a file cannot be opened, in pi either.
        let told: Vec<_> = row.diagnostics.iter().map(|found| found.problem).collect();
        assert_eq!(told, if end == "\r" { vec![Problem::NoHeader] } else { vec![] }, "{end:?}");
    }
    let mut bytes = session("x", &[]).into_bytes();
    bytes.extend(said("user", "\"BAD\"").into_bytes());
    let at = bytes.windows(3).position(|window| window == b"BAD").unwrap();
    bytes[at] = 0xff;
    let row = place.row(bytes).unwrap();
    assert_eq!(row.first_message(), "\u{fffd}AD");
    assert_eq!(row.diagnostics[0].problem, Problem::InvalidUtf8);
}

#[test]
fn a_file_without_a_header_says_why_it_is_not_listed() {
    let place = Place::new();
    for (text, problem) in [
        (String::new(), Problem::NoHeader),
        ("\n\n".into(), Problem::NoHeader),
        (format!("{}\n{}", said("user", "\"x\""), header("x")), Problem::NoHeader),
        (format!("5\n{}", header("x")), Problem::NoHeader),
        (format!("\u{feff}{}\n{}", header("x"), said("user", "\"x\"")), Problem::ByteOrderMark),
    ] {
        assert_eq!(place.row(&text).unwrap_err().diagnostic.problem, problem, "{text}");
    }
    assert!(place.row(format!("\u{feff}\n\n{}", header("x"))).is_ok());
    let gone = summarize(&place.root().join("gone.jsonl"), &place.environment(), FirstMessage::Start);
    assert_eq!(gone.unwrap_err().diagnostic.problem, Problem::Unreadable);
}

#[test]
fn labels_count_only_while_they_are_set() {
    let place = Place::new();
    let label =
        |target: &str, text: &str| format!(r#"{{"type":"label","targetId":"{target}","label":{text}}}"#);
    for (lines, expected) in [
        (vec![label("a", "\"mark\"")], true),
        (vec![label("a", "\"mark\""), label("a", "null")], false),
        (vec![label("a", "\"mark\""), label("b", "\"\"")], true),
        (vec![], false),
    ] {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        assert_eq!(place.row(session("x", &lines)).unwrap().has_labels, expected, "{lines:?}");
    }
}

#[test]
fn equally_recent_sessions_come_by_name_downwards() {
    let place = Place::new();
    for name in ["--a--/_.jsonl", "--b--/B.jsonl", "--a--/b.jsonl", "--a--/10.jsonl", "--b--/2.jsonl"] {
        place.write(name, session("x", &[]), 7);
    }
    let (rows, _) = scanned(&place.store(), &place.environment(), &ScanOptions::default());
    let order = ["--b--/B.jsonl", "--a--/b.jsonl", "--b--/2.jsonl", "--a--/10.jsonl", "--a--/_.jsonl"];
    assert_eq!(place.names(&rows), order);
}

/// A fork of `parent`, last active in second `second`.
fn fork(place: &Place, name: &str, parent: &str, second: u32) {
    let stamp = format!("2026-01-05T14:00:{second:02}.000Z");
    let line = said("user", "\"hi\"").replace("2026-01-05T13:00:00.000Z", &stamp);
    let head = header(name).replace("\"cwd\"", &format!("\"parentSession\":\"{parent}\",\"cwd\""));
    place.write(&format!("--{name}--/{name}.jsonl"), format!("{head}\n{line}\n"), 1);
}

fn drawn(place: &Place, family: &Family, rows: &[ScannedRow]) -> Vec<String> {
    let names = place.names(rows);
    let line = |at: usize| {
        let name = names[family.rows[at].session].rsplit('/').next().unwrap().trim_end_matches(".jsonl");
        format!("{}{name}", family.prefix(at))
    };
    (0..family.rows.len()).map(line).collect()
}

#[test]
fn forks_hang_below_the_session_they_left() {
    let place = Place::new();
    let root = place.root().to_str().unwrap().to_owned();
    let file = |name: &str| format!("{root}/--{name}--/{name}.jsonl");
    fork(&place, "old", "", 1);
    fork(&place, "a", &file("old"), 2);
    fork(&place, "b", "--other--/../--old--/old.jsonl", 5);
    fs::create_dir(place.root().join("--other--")).unwrap();
    fork(&place, "aa", &file("a"), 3);
    fork(&place, "ab", &file("a"), 9);
    fork(&place, "aba", &file("ab"), 4);
    fork(&place, "young", "", 8);
    fork(&place, "orphan", "/gone/away.jsonl", 7);
    let (rows, _) = scanned(&place.store(), &place.environment(), &ScanOptions::default());
    let family = Family::of(rows.iter().map(|row| &row.summary));
    let expected =
        ["old", "   ├─ a", "   │  ├─ ab", "   │  │  └─ aba", "   │  └─ aa", "   └─ b", "young", "orphan"];
    assert_eq!(drawn(&place, &family, &rows), expected);
    assert!(family.findings.is_empty());

    let at =
        |name: &str| rows.iter().position(|row| row.summary.id.as_ref().unwrap().as_str() == name).unwrap();
    assert_eq!(family.parent_of(at("aba")), Some(at("ab")));
    assert_eq!(family.children_of(at("old")), [at("a"), at("b")]);
    assert_eq!(family.parent_of(at("orphan")), None);
}

#[test]
fn sessions_in_a_circle_are_roots_with_a_finding() {
    let place = Place::new();
    let root = place.root().to_str().unwrap().to_owned();
    let file = |name: &str| format!("{root}/--{name}--/{name}.jsonl");
    fork(&place, "self", &file("self"), 9);
    fork(&place, "x", &file("y"), 8);
    fork(&place, "y", &file("x"), 7);
    fork(&place, "tail", &file("x"), 6);
    fork(&place, "tip", &file("tail"), 5);
    let (rows, _) = scanned(&place.store(), &place.environment(), &ScanOptions::default());
    let family = Family::of(rows.iter().map(|row| &row.summary));
    assert_eq!(drawn(&place, &family, &rows), ["self", "x", "   └─ tail", "      └─ tip", "y"]);
    let found: Vec<_> = family.findings.iter().map(|finding| finding.diagnostic.problem).collect();
    assert_eq!(found, [Problem::FamilyCycle; 3]);
}

#[test]
fn a_chain_of_forks_may_be_long() {
    let place = Place::new();
    let mut row = place.row(session("x", &[])).unwrap();
    let rows: Vec<SessionSummary> = (0..50_000)
        .map(|at| {
            row.canonical = format!("/s/{at}").into();
            row.parent = (at > 0).then(|| format!("/s/{}", at - 1).into());
            row.clone()
        })
        .collect();
    let family = Family::of(&rows);
    assert_eq!(family.rows.last().unwrap().depth, 49_999);
}

#[test]
fn a_query_looks_at_name_id_text_and_folder() {
    let place = Place::new();
    let text = said("assistant", "\"The tokenizer\\n  is\"");
    let path = place.write(
        "--p--/parser.jsonl",
        session(
            "0199-ABC",
            &[
                &said("user", "\"first words\""),
                &text,
                &said("user", "\"slow\""),
                r#"{"type":"session_info","name":"Refactor auth"}"#,
            ],
        ),
        1,
    );
    let matched = |text: &str| {
        let query = Query::parse(text).unwrap();
        let options = ScanOptions { query: Some(&query), ..ScanOptions::default() };
        let (rows, _) = scanned(&place.store(), &place.environment(), &options);
        assert_eq!(rows[0].summary.path, path);
        let mut again = Vec::new();
        rescan_text(std::slice::from_ref(&path), &query, &Cancel::new(), &mut |hits| again.extend(hits));
        assert_eq!(again, [(0, rows[0].hits.clone())], "{text}");
        let unread = query.score(&rows[0].summary, &TextHits::default());
        let read = query.score(&rows[0].summary, &rows[0].hits);
        assert!(query.needs_text(&rows[0].summary) || unread == read, "{text}");
        query.score(&rows[0].summary, &rows[0].hits).map(|score| (score * 10.0).round() / 10.0)
    };
    for (query, score) in [
        ("", Some(0.0)),
        ("auth", Some(-35.8)),
        ("AUTH", Some(-35.8)),
        ("abc", Some(1_000_000.0)),
        ("tokenizer", Some(1_000_000.0)),
        ("tknzr", None),
        ("rfct", Some(1_999_985.1)),
        ("auth tokenizer", Some(999_964.2)),
        ("auth nothing", None),
        ("\"tokenizer is\"", Some(1_000_000.0)),
        ("\"is slow\"", Some(1_000_000.0)),
        ("\"refactor  auth\"", Some(-567.2)),
        ("\"", None),
        ("\"\"", Some(0.0)),
        ("re:^refactor", Some(0.0)),
        ("re:is slow$", Some(1_000_000.0)),
        ("re:^/p$", Some(1_000_000.0)),
        ("re:parser", None),
        ("RE:auth", None),
        ("parser", None),
    ] {
        assert_eq!(matched(query), score, "{query}");
    }
    assert_eq!(Query::parse(" re: ").unwrap_err().to_string(), "the regular expression is empty");
    assert!(Query::parse("re:(").is_err());
}

#[test]
fn relevance_puts_the_best_match_first_and_recent_keeps_the_order() {
    let place = Place::new();
    let named = |name: &str| format!(r#"{{"type":"session_info","name":"{name}"}}"#);
    for (at, name) in ["b auth", "auth", "c auth", "none"].into_iter().enumerate() {
        fork(&place, &format!("s{at}"), "", at as u32);
        let path = place.root().join(format!("--s{at}--/s{at}.jsonl"));
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{text}{}\n", named(name))).unwrap();
    }
    let (rows, _) = scanned(&place.store(), &place.environment(), &ScanOptions::default());
    let none = TextHits::default();
    let rows: Vec<_> = rows.iter().map(|row| (&row.summary, &none)).collect();
    let found = |query: &str, sort| {
        let found = Query::parse(query).unwrap().select(&rows, sort);
        found.into_iter().map(|at| rows[at].0.name.clone().unwrap().into_string()).collect::<Vec<_>>()
    };
    assert_eq!(found("auth", Sort::Recent), ["c auth", "auth", "b auth"]);
    assert_eq!(found("auth", Sort::Relevance), ["auth", "c auth", "b auth"]);
    assert_eq!(found("auth", Sort::Threaded), ["auth", "c auth", "b auth"]);
    assert_eq!(found(" ", Sort::Relevance), ["none", "c auth", "auth", "b auth"]);
}

#[test]
fn a_session_is_named_by_path_by_id_or_by_the_start_of_one() {
    let place = Place::new();
    let one = place.write("--a--/one.jsonl", session("0199aa-1", &[]), 3);
    let two = place.write("--b--/two.jsonl", format!("broken\n{}", session("0199ab-2", &[])), 2);
    let copy = place.write("--b--/copy.jsonl", session("0199ab-2", &[]), 1);
    place.write("--b--/long.jsonl", format!("{}\n{}", " ".repeat(1 << 20), header("far")), 1);
    place.write("--b--/number.jsonl", r#"{"type":"session","id":12}"#, 1);
    let (store, environment) = (place.store(), place.environment());
    let resolved = |wanted: &str| resolve(&store, &environment, wanted);
    assert_eq!(resolved("0199aa").unwrap(), one);
    assert_eq!(resolved("0199ab").unwrap(), two);
    assert_eq!(resolved("0199ab-2").unwrap(), two);
    assert_ne!(two, copy);
    assert_eq!(resolved("./x").unwrap(), environment.cwd().join("./x"));
    assert_eq!(resolved("gone.jsonl").unwrap(), environment.cwd().join("gone.jsonl"));
    assert_eq!(resolved("~/x.jsonl").unwrap(), Path::new("/home/u/x.jsonl"));
    let Err(Unresolved::Ambiguous { hits, .. }) = resolved("0199") else { panic!("not ambiguous") };
    assert_eq!(hits.iter().map(|hit| &*hit.id).collect::<Vec<_>>(), ["0199aa-1", "0199ab-2"]);
    assert!(resolved("0199").unwrap_err().to_string().contains("0199ab-2 ("));
    for unknown in ["", "nope", "far", "12"] {
        assert!(matches!(resolved(unknown), Err(Unresolved::NotFound { .. })), "{unknown}");
    }
}

#[test]
fn progress_adds_up_and_a_cancelled_scan_ends() {
    let place = Place::new();
    for at in 0..500 {
        place.write(&format!("--p--/{at}.jsonl"), session("x", &[&said("user", "\"hi\"")]), at);
    }
    place.write("--p--/bad.jsonl", "nothing", 1);
    let mut events = Vec::new();
    scan(&place.store(), &place.environment(), &ScanOptions::default(), &Cancel::new(), &mut |event| {
        events.push(event);
    });
    let ScanEvent::Found { files: 501, bytes } = events[0] else { panic!("{:?}", events[0]) };
    let Some(ScanEvent::Batch { files: 501, bytes: done, .. }) = events.last() else {
        panic!("not at the end")
    };
    assert_eq!(*done, bytes);

    let cancel = Cancel::new();
    let mut rows = 0;
    scan(&place.store(), &place.environment(), &ScanOptions::default(), &cancel, &mut |event| match event {
        ScanEvent::Found { .. } => cancel.cancel(),
        ScanEvent::Batch { rows: more, .. } => rows += more.len(),
    });
    assert_eq!(rows, 0);
}

/// A session of more than a glimpse, whose prompt stands at its start and whose name and last message at its end.
fn long_session() -> String {
    let filler = said("toolResult", &format!("\"{}\"", "x".repeat(1000)));
    let name = r#"{"type":"session_info","name":" the last "}"#;
    let before = r#"{"type":"session_info","name":"another"}"#;
    let named_in_the_middle = [before, name, &filler].join("\n");
    session(
        "long",
        &[
            &said("user", "\"fix it\""),
            &vec![&*filler; 200].join("\n"),
            &named_in_the_middle,
            &said("assistant", "\"done\""),
        ],
    )
}

#[test]
fn a_glimpse_of_large_files_comes_first_and_tells_what_the_whole_row_tells() {
    let place = Place::new();
    place.write("--p--/long.jsonl", long_session(), 9);
    place.write("--p--/torn.jsonl", long_session() + "{\"type\":\"mess", 8);
    place.write("--p--/short.jsonl", session("short", &[&said("user", "\"hi\"")]), 3);
    place.write("--p--/none.jsonl", "x".repeat(100_000), 7);
    let options = ScanOptions { glimpses: true, ..ScanOptions::default() };
    let (mut glimpses, mut rows, mut findings) = (Vec::new(), Vec::new(), 0);
    scan(&place.store(), &place.environment(), &options, &Cancel::new(), &mut |event| {
        let ScanEvent::Batch { rows: more, findings: others, files, .. } = event else { return };
        findings += others.len();
        for row in more {
            if row.summary.is_glimpse {
                assert!(files <= 1, "glimpses come first");
                glimpses.push(row);
            } else {
                rows.push(row);
            }
        }
    });
    glimpses.sort_by_key(|row| row.order);
    rows.sort_by_key(|row| row.order);
    assert_eq!(findings, 1);
    assert_eq!((rows.clone(), findings), {
        let (rows, findings) = scanned(&place.store(), &place.environment(), &ScanOptions::default());
        (rows, findings.len())
    });
    assert_eq!(place.names(&glimpses), ["--p--/long.jsonl", "--p--/torn.jsonl"]);
    for (glimpse, row) in glimpses.iter().zip(&rows) {
        let row = &row.summary;
        let told = SessionSummary {
            message_count: row.message_count,
            spending: row.spending.clone(),
            diagnostics: row.diagnostics.clone(),
            problem_count: row.problem_count,
            is_glimpse: false,
            ..glimpse.summary.clone()
        };
        assert_eq!(told, *row);
        assert_eq!((row.title(), row.message_count), ("the last", 203));
    }
}

#[test]
fn reading_a_store_changes_nothing() {
    let place = Place::new();
    let path = place.write("--p--/torn.jsonl", session("x", &["{\"torn"]).trim_end(), 42);
    let before = (fs::read(&path).unwrap(), fs::metadata(&path).unwrap().modified().unwrap());
    scanned(&place.store(), &place.environment(), &ScanOptions::default());
    assert_eq!((fs::read(&path).unwrap(), fs::metadata(&path).unwrap().modified().unwrap()), before);
}

#[test]
fn a_row_tells_the_damage_that_opening_the_session_tells() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut damaged = 0;
    for folder in ["cases", "corpus", "samples"] {
        for file in fs::read_dir(fixtures.join(folder)).unwrap() {
            let path = file.unwrap().path();
            let environment = Environment::new("/home/u", fixtures.clone());
            if path.extension().is_none_or(|end| end != "jsonl") {
                continue;
            }
            let Ok(row) = summarize(&path, &environment, FirstMessage::Start) else { continue };
            let told: Vec<_> = row.diagnostics.iter().map(|found| (found.line, found.problem)).collect();
            match Session::open(&path) {
                // pi ends the last line itself, and writes whole lines.
                Ok(session) => {
                    let mut wanted: Vec<_> = session
                        .diagnostics()
                        .iter()
                        .filter(|found| found.problem != Problem::NoFinalNewline)
                        .map(|found| (found.line, found.problem))
                        .collect();
                    let mut told = told;
                    told.sort_unstable();
                    wanted.sort_unstable();
                    assert_eq!(told, wanted, "{}", path.display());
                    damaged += usize::from(!wanted.is_empty());
                }
                Err(_) => assert_eq!(told, [(0, Problem::NoHeader)], "{}", path.display()),
            }
        }
    }
    assert!(damaged > 15, "{damaged}");
}
