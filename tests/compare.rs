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

use jiff::tz::TimeZone;
use live::Oracle;
use pi::ask::{Question, comparable, failed, forgive_half_surrogates};
use pi::diff::differences;
use pi::folder::{SETS, fixtures};
use pi::ours::{leave_out, leave_out_rows_lost_by_pi};
use piscope::format::js;
use piscope::session::Session;
use piscope::store::{Environment, FirstMessage, Spending, summarize};
use serde_json::Value;

const FILTERS: [&str; 5] = ["default", "no-tools", "user-only", "labeled-only", "all"];
/// Words, fuzzy ones, phrases, an unbalanced quote, expressions good and bad, digits, halves swapped, other scripts.
const QUERIES: [&str; 24] = [
    "user plan",
    "prsr",
    "one",
    "Plan PARSER",
    "\"read  ls\"",
    "\"plan the\" parser",
    "\"plan the",
    "re:long|cut",
    "re:^(one|plan)",
    "re:(",
    "re:",
    "2026",
    "3seed",
    "home/dev proj",
    "実装",
    "title-from",
    "  ",
    "zzzz",
    "usrpl",
    "lngt",
    "rdls",
    "oe n",
    "gnrt seed",
    "pln prs",
];
const SEARCHES: [&str; 6] = ["user", "a1", "read ls", "branch", "title", "custom x"];

#[test]
fn fixtures_read_as_in_pi() {
    let folder = fixtures();
    let Some(mut pi) = Comparison::start(folder.path()) else { return };
    for set in SETS {
        for file in session_files(&folder.path().join(set)) {
            // pi writes a fresh header into an empty file.
            if fs::metadata(folder.path().join(set).join(&file)).expect("a file").len() > 0 {
                pi.compare_file(&format!("{set}/{file}"));
            }
        }
        pi.compare_list(set, &QUERIES);
    }
    pi.report();
}

/// Of every file that is a session to pi: what `stats` adds up for it, copies in forks included, is what `/session` shows.
#[test]
fn sessions_cost_what_they_cost_in_pi() {
    let folder = fixtures();
    let Some(mut pi) = Comparison::start(folder.path()) else { return };
    let mut compared = 0;
    for set in SETS {
        for file in session_files(&folder.path().join(set)) {
            let path = folder.path().join(set).join(&file);
            let answer = pi.oracle.ask(&["dump".to_owned(), format!("{set}/{file}")]);
            let totals = &answer["totals"];
            let totals = if totals["error"].is_null() { totals } else { &totals["lenient"] };
            let (false, Ok(session)) = (totals.is_null(), Session::open(&path)) else { continue };
            let spent = Spending::of(&session, &TimeZone::UTC).total();
            let row = summarize(&path, &Environment::new("/home/dev", folder.path()), FirstMessage::Start);
            let ways = [Some(spent), row.ok().map(|row| row.spending.total())];
            for ours in ways.into_iter().flatten() {
                for (name, ours, theirs) in [
                    ("input", ours.input, &totals["tokens"]["input"]),
                    ("output", ours.output, &totals["tokens"]["output"]),
                    ("cacheRead", ours.cache_read, &totals["tokens"]["cacheRead"]),
                    ("cacheWrite", ours.cache_write, &totals["tokens"]["cacheWrite"]),
                    ("total", ours.tokens(), &totals["tokens"]["total"]),
                    ("cost", ours.cost, &totals["cost"]),
                ] {
                    // A number that pi lacks makes its sum none at all.
                    let Some(theirs) = theirs.as_f64() else { continue };
                    // The same numbers, added up in another order.
                    let is_same = (ours - theirs).abs() <= 1e-9 * theirs.abs();
                    assert!(is_same, "{set}/{file}: {name}: pi {theirs} ours {ours}");
                }
                compared += 1;
            }
        }
    }
    println!("compared with pi: what {compared} sessions cost, each read in two ways");
    assert!(compared > 150, "{compared}");
}

/// Byte for byte, but for the time at which it was written, and the ids that a version 1 file is given by chance.
#[test]
fn branches_are_exported_as_by_pi() {
    let folder = fixtures();
    let Some(mut pi) = Comparison::start(folder.path()) else { return };
    let (mut compared, mut differing) = (0, Vec::new());
    for set in SETS {
        for file in session_files(&folder.path().join(set)) {
            let file = format!("{set}/{file}");
            // pi writes a fresh header into an empty file.
            if fs::metadata(folder.path().join(&file)).expect("a file").len() == 0 {
                continue;
            }
            let about = pi.oracle.ask(&["dump".to_owned(), file.clone()]);
            // pi cannot walk up a circle of parents.
            if failed(&about) || about["cyclic"] == true {
                continue;
            }
            for leaf in leaves(&about).into_iter().map(Some).chain([None]) {
                let question =
                    [vec!["export".to_owned(), file.clone()], leaf.iter().cloned().collect()].concat();
                let mut answer = pi.oracle.ask(&question);
                leave_out(&file, &mut answer);
                let Some(theirs) = answer["text"].as_str() else { continue };
                let path = folder.path().join(&file);
                let mut args = vec!["export", path.to_str().expect("UTF-8"), "--format", "jsonl"];
                args.extend(leaf.iter().flat_map(|leaf| ["--leaf", leaf]));
                let ours = pi::ask::text_of(folder.path(), &args).expect("an export");
                compared += 1;
                if without_chance(theirs) != without_chance(&ours) {
                    differing.push(format!("{file} {leaf:?}\n  pi   {theirs}\n  ours {ours}"));
                }
            }
        }
    }
    println!("compared with pi: {compared} exports");
    assert!(
        differing.is_empty(),
        "{} differ:\n{}",
        differing.len(),
        differing[..differing.len().min(3)].join("\n")
    );
    assert!(compared > 200, "{compared}");
}

/// An export without the time of its header, its entries called by their places where chance has named them.
fn without_chance(text: &str) -> String {
    let mut lines = text.lines();
    let header = lines.next().unwrap_or_default();
    let (before, after) = header.split_once("\"timestamp\":\"").expect("a time");
    let after = after.split_once('"').expect("a time").1;
    let mut text = format!("{before}{after}\n{}", lines.collect::<Vec<_>>().join("\n"));
    let ids: Vec<String> = text
        .lines()
        .skip(1)
        .filter_map(|line| serde_json::from_str::<Value>(line).ok()?["id"].as_str().map(str::to_owned))
        .filter(|id| id.len() == 8 && id.bytes().all(|byte| byte.is_ascii_hexdigit()))
        .collect();
    for (at, id) in ids.iter().enumerate() {
        text = text.replace(&format!("\"{id}\""), &format!("\"#{at}\""));
    }
    text
}

#[test]
fn generated_sessions_read_as_in_pi() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(mut pi) = Comparison::start(folder.path()) else { return };
    let number = |name: &str, default: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let first = number("COMPARE_SEED", 1);
    let root = folder.path().join("generated");
    fs::create_dir(&root).expect("a folder");
    for seed in first..first + number("COMPARE_FILES", 300) {
        let name = format!("seed-{seed}.jsonl");
        fs::write(root.join(&name), live::session(seed)).expect("a file");
        pi.compare_file(&format!("generated/{name}"));
    }
    pi.compare_list("generated", &QUERIES);
    pi.report();
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

#[test]
fn fuzzy_matches_rank_as_in_pi() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(mut pi) = Comparison::start(folder.path()) else { return };
    let root = folder.path().join("ranked");
    fs::create_dir(&root).expect("a folder");
    let mut dice = live::Dice::new(7);
    let mut word =
        |letters: &[char], length: usize| -> String { (0..length).map(|_| *dice.pick(letters)).collect() };
    for at in 0..60 {
        let name = word(&['a', 'b', 'c', 'd', 'e', ' ', '-', '5'], 6 + at % 20);
        let text = format!(
            "{{\"type\":\"session\",\"version\":3,\"id\":\"{at}\",\"cwd\":\"/p\"}}\n\
             {{\"type\":\"session_info\",\"id\":\"n\",\"parentId\":null,\"name\":\"x{name}\"}}\n"
        );
        fs::write(root.join(format!("{at}.jsonl")), text).expect("a file");
    }
    let queries: Vec<String> = (0..40).map(|at| word(&['a', 'b', 'c', 'd', 'e', '5'], 2 + at % 3)).collect();
    let queries: Vec<&str> = queries.iter().map(String::as_str).collect();
    pi.compare_list("ranked", &queries);
    pi.report();
}

#[test]
fn sessions_that_pi_wrote_read_as_in_pi() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(mut pi) = Comparison::start(folder.path()) else { return };
    let made = folder.path().join("made");
    fs::create_dir(&made).expect("a folder");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/make.mjs");
    let variable = |name| std::env::var_os(name).expect("set, as there is a pi");
    let status = Command::new(variable("PI_NODE"))
        .arg(script)
        .arg(variable("PI_PACKAGE_DIR"))
        .args([made.as_os_str(), "1".as_ref(), "80".as_ref()])
        .status()
        .expect("node starts");
    assert!(status.success());
    let files = session_files(&made);
    assert!(files.len() >= 80, "{} files", files.len());
    for file in files {
        pi.compare_file(&format!("made/{file}"));
    }
    pi.compare_list("made", &QUERIES);
    pi.report();
}

/// A pi to ask, and what came of it.
struct Comparison<'f> {
    folder: &'f Path,
    oracle: Oracle,
    files: usize,
    leaves: usize,
    rows: usize,
    messages: usize,
    /// Questions on which pi failed and we did not.
    failed_by_pi: usize,
    failures: Vec<String>,
    /// Failures in the present file, of which the first few are enough.
    in_file: usize,
}

impl<'f> Comparison<'f> {
    /// A comparison over the files below `folder`; nothing, and a line that says so, where there is no pi.
    fn start(folder: &'f Path) -> Option<Self> {
        let Some(oracle) = Oracle::start(folder) else {
            println!("not compared: PI_PACKAGE_DIR and PI_NODE are not set");
            return None;
        };
        Some(Self {
            folder,
            oracle,
            files: 0,
            leaves: 0,
            rows: 0,
            messages: 0,
            failed_by_pi: 0,
            failures: Vec::new(),
            in_file: 0,
        })
    }

    fn compare_file(&mut self, file: &str) {
        self.files += 1;
        self.in_file = 0;
        let first = self.compare(&["dump", file, "--content"]);
        if failed(&first) || first["cyclic"] == true {
            for filter in FILTERS {
                self.compare(&["tree", file, "--filter", filter]);
            }
            return;
        }
        let leaves = leaves(&first);
        for leaf in ["null", "", "deadbee0"].into_iter().chain(leaves.iter().map(String::as_str)) {
            self.leaves += 1;
            self.compare(&["dump", file, leaf, "--content"]);
        }
        for filter in FILTERS {
            self.compare(&["tree", file, "--filter", filter]);
            for leaf in std::iter::once("null").chain(leaves.iter().map(String::as_str).take(4)) {
                self.compare(&["tree", file, leaf, "--filter", filter]);
            }
        }
        for find in SEARCHES {
            self.compare(&["tree", file, "--filter", "all", "--find", find]);
        }
        for width in ["20", "40", "80"] {
            self.compare(&["tree", file, "--filter", "all", "--width", width]);
        }
    }

    /// The list of a flat folder, threaded and not, and what searches find in it.
    fn compare_list(&mut self, root: &str, queries: &[&str]) {
        self.in_file = 0;
        self.compare(&["list", root, "--flat"]);
        for query in queries {
            for sort in ["relevance", "recent"] {
                self.compare(&["search", root, query, sort, "--flat"]);
            }
        }
    }

    fn compare(&mut self, question: &[&str]) -> Value {
        let question: Vec<String> = question.iter().map(|&argument| argument.to_owned()).collect();
        let answer = self.oracle.ask(&question);
        let asked = Question::of(&question);
        let ours = asked.answer(self.folder);
        let mut theirs = comparable(&asked, answer.clone());
        self.rows += theirs["rows"].as_array().map_or(0, Vec::len);
        self.messages += theirs["context"]["messages"].as_array().map_or(0, Vec::len);
        let found = match ours {
            Err(_) if failed(&theirs) => Vec::new(),
            Ok(_) if failed(&theirs) => {
                self.failed_by_pi += 1;
                Vec::new()
            }
            Err(error) => vec![error],
            Ok(mut ours) => {
                leave_out(&question[1], &mut theirs);
                if asked.option("--width").is_some() {
                    forgive_half_surrogates(&mut theirs, &ours);
                }
                if matches!(asked.mode.as_str(), "list" | "search") {
                    for part in ["rows", "threaded", "hits"] {
                        leave_out_rows_lost_by_pi(&theirs[part], &mut ours[part]);
                    }
                }
                differences(&theirs, &ours)
            }
        };
        if !found.is_empty() && self.in_file < 3 {
            self.in_file += 1;
            let found: Vec<&str> = found.iter().take(4).map(String::as_str).collect();
            self.failures.push(format!("{question:?}\n    {}", found.join("\n    ")));
        }
        answer
    }

    fn report(&self) {
        println!(
            "compared with pi: {} files, {} leaves, {} tree rows, {} messages; pi failed on {} questions",
            self.files, self.leaves, self.rows, self.messages, self.failed_by_pi
        );
        let shown: Vec<&str> = self.failures.iter().take(60).map(String::as_str).collect();
        assert!(shown.is_empty(), "{} differences:\n{}", self.failures.len(), shown.join("\n"));
    }
}

/// The names of the session files in a folder.
fn session_files(folder: &Path) -> BTreeSet<String> {
    let files = fs::read_dir(folder).expect("a folder").flatten();
    files.map(|file| file.file_name().to_string_lossy().into_owned()).collect()
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
