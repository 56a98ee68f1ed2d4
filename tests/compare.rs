//! The same questions to the real pi and to this program, live: over all fixtures and over generated sessions.
//!
//! Needs `PI_PACKAGE_DIR` and `PI_NODE`, which `tests/oracle/install` prints; without them it says so and does nothing.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot ask or read its questions has failed"
)]

mod live;
mod pi;

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use live::Oracle;
use pi::ask::{Question, comparable, failed, forgive_half_surrogates};
use pi::diff::differences;
use piscope::format::js;
use serde_json::Value;

const FILTERS: [&str; 5] = ["default", "no-tools", "user-only", "labeled-only", "all"];
const SEARCHES: [&str; 6] = ["user", "a1", "read ls", "branch", "title", "custom x"];

#[derive(Default)]
struct Counts {
    files: usize,
    /// Failures in the present file.
    in_file: usize,
    leaves: usize,
    rows: usize,
    messages: usize,
    refusals: usize,
    failures: Vec<String>,
}

#[test]
fn generated_sessions_read_as_in_pi() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(mut oracle) = Oracle::start(folder.path()) else {
        println!("not compared: PI_PACKAGE_DIR and PI_NODE are not set");
        return;
    };
    let number = |name: &str, default: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let first = number("COMPARE_SEED", 1);
    let mut counts = Counts::default();
    for seed in first..first + number("COMPARE_FILES", 300) {
        let name = format!("seed-{seed}.jsonl");
        fs::write(folder.path().join(&name), live::session(seed)).expect("a file");
        compare_file(&mut oracle, folder.path(), &name, &mut counts);
        if counts.failures.len() > 40 {
            break;
        }
    }
    counts.report();
}

#[test]
fn dates_read_as_in_pi() {
    let Some(node) = std::env::var_os("PI_NODE") else {
        println!("not compared: PI_NODE is not set");
        return;
    };
    let texts: Vec<String> = (0..20_000).map(live::date_text).collect();
    let script = "for (const text of JSON.parse(require('fs').readFileSync(0))) { \
        const time = new Date(text).getTime(); console.log(Number.isNaN(time) ? 'none' : time) }";
    let mut child = Command::new(node)
        .args(["-e", script])
        .env("TZ", "UTC")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node starts");
    let input = serde_json::to_vec(&texts).expect("JSON");
    child.stdin.take().expect("a pipe").write_all(&input).expect("node listens");
    let output = child.wait_with_output().expect("node ends");
    let theirs: Vec<&str> = std::str::from_utf8(&output.stdout).expect("UTF-8").lines().collect();
    assert_eq!(theirs.len(), texts.len());
    let wrong: Vec<String> = texts
        .iter()
        .zip(&theirs)
        .filter_map(|(text, &theirs)| {
            let ours = js::date(text).map_or("none".to_owned(), |millis| millis.to_string());
            (ours != theirs).then(|| format!("{text:?}: pi {theirs} ours {ours}"))
        })
        .collect();
    let dates = theirs.iter().filter(|&&time| time != "none").count();
    println!("compared with pi: {} date texts, {dates} of them dates", texts.len());
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
}

fn compare_file(oracle: &mut Oracle, folder: &Path, file: &str, counts: &mut Counts) {
    counts.files += 1;
    counts.in_file = 0;
    let question = |args: &[&str]| args.iter().map(|arg| (*arg).to_owned()).collect::<Vec<String>>();
    let first = compare(oracle, folder, &question(&["dump", file, "--content"]), counts);
    let leaves: BTreeSet<String> = leaves(&first);
    for leaf in ["null", "", "deadbee0"].into_iter().chain(leaves.iter().map(String::as_str)) {
        counts.leaves += 1;
        compare(oracle, folder, &question(&["dump", file, leaf, "--content"]), counts);
    }
    for filter in FILTERS {
        compare(oracle, folder, &question(&["tree", file, "--filter", filter]), counts);
        for leaf in std::iter::once("null").chain(leaves.iter().map(String::as_str).take(4)) {
            compare(oracle, folder, &question(&["tree", file, leaf, "--filter", filter]), counts);
        }
    }
    for find in SEARCHES {
        compare(oracle, folder, &question(&["tree", file, "--filter", "all", "--find", find]), counts);
    }
    for width in ["20", "40", "80"] {
        compare(oracle, folder, &question(&["tree", file, "--filter", "all", "--width", width]), counts);
    }
}

/// The ends of the branches, and one entry inside each, as far as they are texts.
fn leaves(dump: &Value) -> BTreeSet<String> {
    let branches = dump["branches"].as_array().into_iter().flatten();
    branches
        .flat_map(|branch| {
            let path = branch["path"].as_array().expect("a path");
            [path.last(), path.get(path.len() / 2)]
        })
        .flatten()
        .filter_map(|id| id.as_str().map(str::to_owned))
        .collect()
}

fn compare(oracle: &mut Oracle, folder: &Path, question: &[String], counts: &mut Counts) -> Value {
    let answer = oracle.ask(question);
    let asked = Question::of(question);
    let mut theirs = comparable(&asked, answer.clone());
    counts.rows += theirs["rows"].as_array().map_or(0, Vec::len);
    counts.messages += theirs["context"]["messages"].as_array().map_or(0, Vec::len);
    let found = match asked.answer(folder) {
        Ok(_) if failed(&theirs) => {
            counts.refusals += 1;
            Vec::new()
        }
        Ok(ours) => {
            if asked.option("--width").is_some() {
                forgive_half_surrogates(&mut theirs, &ours);
            }
            differences(&theirs, &ours)
        }
        Err(_) if failed(&theirs) => Vec::new(),
        Err(error) => vec![error],
    };
    if !found.is_empty() && counts.in_file < 3 {
        counts.in_file += 1;
        let found: Vec<&str> = found.iter().take(4).map(String::as_str).collect();
        counts.failures.push(format!("{question:?}\n    {}", found.join("\n    ")));
    }
    answer
}

impl Counts {
    fn report(&self) {
        println!(
            "compared with pi: {} files, {} leaves, {} tree rows, {} messages; pi failed on {} questions",
            self.files, self.leaves, self.rows, self.messages, self.refusals
        );
        assert!(
            self.failures.is_empty(),
            "{} differences:\n{}",
            self.failures.len(),
            self.failures.join("\n")
        );
    }
}
