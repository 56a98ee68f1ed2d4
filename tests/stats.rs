//! What sessions and branches have cost, as `piscope stats` and `piscope compare` tell it.

#![expect(clippy::unwrap_used, reason = "a test that cannot set up its files has failed")]

use std::fs;
use std::path::Path;

use clap::Parser;
use piscope::cli::{self, Args, Failure};
use piscope::store::{Environment, write_demo};
use serde_json::Value;

/// A moment in the year 2026.
const NOW: i64 = 1_796_040_000_000;

/// Runs a command as somebody at `home`.
fn run(home: &Path, args: &[&str]) -> (String, Result<(), Failure>) {
    let args = Args::parse_from(["piscope"].iter().chain(args));
    let mut out = Vec::new();
    let environment = Environment::new(home, home).with("XDG_CACHE_HOME", home.join("cache"));
    let outcome = cli::run(&args, args.command.as_ref().unwrap(), &environment, &mut out);
    (String::from_utf8(out).unwrap(), outcome)
}

fn stats(home: &Path, store: &Path, args: &[&str]) -> (String, Result<(), Failure>) {
    run(home, &[&["stats", "--store", store.to_str().unwrap()], args].concat())
}

fn json(home: &Path, store: &Path, args: &[&str]) -> Value {
    let (text, outcome) = stats(home, store, &[args, &["--json"]].concat());
    outcome.unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn the_demo_by_everything() {
    let folder = tempfile::tempdir().unwrap();
    let demo = write_demo(&folder.path().join("demo"), NOW).unwrap();
    let text = |args: &[&str]| {
        let (text, outcome) = stats(&demo.home, &demo.sessions, args);
        outcome.unwrap();
        text
    };
    insta::assert_snapshot!("demo_by_session", text(&[]));
    insta::assert_snapshot!("demo_by_project", text(&["--by", "project"]));
    insta::assert_snapshot!("demo_by_model", text(&["--by", "model", "--sort", "name"]));
    insta::assert_snapshot!("demo_by_day", text(&["--by", "day", "--since", "2026-11-20"]));
}

#[test]
fn every_way_of_adding_up_comes_to_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let demo = write_demo(&folder.path().join("demo"), NOW).unwrap();
    let all = json(&demo.home, &demo.sessions, &[]);
    assert!(all["total"]["copied"]["tokens"]["total"].as_f64().unwrap() > 0.0, "the demo has forks");
    assert!(all["total"]["abandoned"]["cost"].as_f64().unwrap() > 0.0, "and branches that were left");
    for by in ["session", "project", "model", "day"] {
        let stats = json(&demo.home, &demo.sessions, &["--by", by]);
        for sum in ["/cost", "/tokens/total", "/current/cost", "/abandoned/tokens/input"] {
            let rows: f64 = stats["rows"]
                .as_array()
                .unwrap()
                .iter()
                .map(|row| row.pointer(sum).unwrap().as_f64().unwrap())
                .sum();
            let total = stats["total"].pointer(sum).unwrap().as_f64().unwrap();
            assert!((rows - total).abs() < 1e-9, "{by} {sum}: {rows} {total}");
        }
        assert_eq!(stats["total"]["sessions"], all["total"]["sessions"]);
    }
}

#[test]
fn what_cannot_be_asked_is_refused_and_nothing_is_told_as_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (home, store) = (folder.path(), folder.path().join("store"));
    fs::create_dir(&store).unwrap();
    for (args, status) in
        [(&["--since", "soon"][..], 2), (&["--until", "tomorrow"], 2), (&[], 3), (&["--json"], 3)]
    {
        let (_, outcome) = stats(home, &store, args);
        assert_eq!(outcome.unwrap_err().exit_status(), status, "{args:?}");
    }
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    assert_eq!(stats(home, &file, &[]).1.unwrap_err().exit_status(), 1, "a file is no store");
}

#[test]
fn a_folder_s_forks_leave_out_what_they_copied_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    let store = home.join("store");
    let entry = |id: &str, parent: &str, cost: f64| {
        format!(
            r#"{{"type":"message","id":"{id}","parentId":{parent},"timestamp":"2026-01-05T12:00:00.000Z","message":{{"role":"assistant","content":[],"usage":{{"input":1,"output":1,"cacheRead":0,"cacheWrite":0,"cost":{{"total":{cost}}}}}}}}}"#
        )
    };
    let write = |name: &str, header: &str, entries: &[String]| {
        let path = store.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("{header}\n{}\n", entries.join("\n"))).unwrap();
    };
    let shared = entry("a", "null", 1.0);
    write(
        "--a--/a.jsonl",
        r#"{"type":"session","version":3,"id":"a","cwd":"/a"}"#,
        std::slice::from_ref(&shared),
    );
    let parent = store.join("--a--/a.jsonl");
    let header = format!(
        r#"{{"type":"session","version":3,"id":"b","cwd":"/b","parentSession":"{}"}}"#,
        parent.display()
    );
    write("--b--/b.jsonl", &header, &[shared, entry("b", "\"a\"", 2.0)]);
    let stats = json(home, &store, &["--cwd", "/b"]);
    assert_eq!((&stats["total"]["cost"], &stats["total"]["copied"]["cost"]), (&2.into(), &1.into()));
    assert_eq!(stats["rows"][0]["id"], "b");
}

#[test]
fn branches_are_compared_with_what_they_cost() {
    let folder = tempfile::tempdir().unwrap();
    let demo = write_demo(&folder.path().join("demo"), NOW).unwrap();
    let list = run(&demo.home, &["list", "--json", "--store", demo.sessions.to_str().unwrap()]).0;
    let list: Value = serde_json::from_str(&list).unwrap();
    let rows = list["rows"].as_array().unwrap();
    let session =
        rows.iter().find(|row| row["name"] == "Refactor auth module" && row["parentSession"].is_null());
    let path = session.unwrap()["path"].as_str().unwrap();
    let (text, outcome) = run(&demo.home, &["compare", path]);
    outcome.unwrap();
    insta::assert_snapshot!("demo_compare", text);
    let json = |args: &[&str]| -> Value {
        let (text, outcome) = run(&demo.home, &[&["compare", path, "--json"], args].concat());
        outcome.unwrap();
        serde_json::from_str(&text).unwrap()
    };
    let near = json(&[]);
    let starts: Vec<&str> =
        near["branches"].as_array().unwrap().iter().map(|branch| branch["start"].as_str().unwrap()).collect();
    assert_eq!(json(&starts), near, "the branches through the first entries of both");
    assert_eq!(json(&[near["fork"].as_str().unwrap()]), near, "the branches below the fork");
    for (args, status) in [(&["absent"][..], 3), (&[starts[0], starts[0]], 3)] {
        let (_, outcome) = run(&demo.home, &[&["compare", path], args].concat());
        assert_eq!(outcome.unwrap_err().exit_status(), status, "{args:?}");
    }
}
