//! Random sequences of operations on pi's `SessionManager` and on ours: after every one of them the files are equal but
//! for ids and times, and so are the answers of every getter.

mod operations;
mod ours;
mod plain;

use std::fs;
use std::path::{Path, PathBuf};

use piscope::edit::SessionManager;
use piscope::format::json::Document;
use piscope::store::Environment;
use serde_json::{Value, json};

use self::operations::Writer;
use self::plain::Plain;
use crate::pi::Pi;

/// Operations in one sequence.
const OPERATIONS: usize = 24;

/// One of the two programs: where its sessions are, and how its answers are made comparable.
struct Side {
    dir: PathBuf,
    plain: Plain,
}

impl Side {
    fn new(folder: &Path, name: &str) -> Self {
        let dir = folder.join(name);
        fs::create_dir(&dir).unwrap();
        Self { plain: Plain::new(&dir), dir }
    }

    /// The answers of all getters and the text of the file, with ids and times made equal.
    fn state(&mut self, answers: &Value) -> String {
        self.plain.learn(answers);
        let file = answers["sessionFile"].as_str().and_then(|path| fs::read_to_string(path).ok());
        let file = file.map_or_else(|| "no file".to_owned(), |text| text.lines().map(line).collect());
        let answers = serde_json::to_string_pretty(answers).unwrap();
        self.plain.text(&format!("{answers}\n{file}"))
    }
}

/// A line of a file: the keys of its entry in order, and what it holds.
fn line(text: &str) -> String {
    let document = Document::parse(text.to_owned()).unwrap();
    let keys: Vec<String> = document.root().members().into_iter().map(|(key, _)| key.into_owned()).collect();
    let value: Value = serde_json::from_str(text).unwrap();
    format!("{} {value}\n", keys.join(" "))
}

/// Applies the sequence of a seed to both; says where they differ.
fn differ(pi: &mut Pi, folder: &Path, seed: u64) -> Result<usize, String> {
    let mut writer = Writer::new(seed);
    let (mut theirs, mut mine) =
        (Side::new(folder, &format!("theirs-{seed}")), Side::new(folder, &format!("ours-{seed}")));
    let environment = Environment::new(folder, folder).with("XDG_CACHE_HOME", folder.join("cache"));
    let is_persisted = !seed.is_multiple_of(4);
    let how = if is_persisted { "create" } else { "inMemory" };
    let at = |side: &Side| json!({ "how": how, "dir": side.dir, "cwd": "/home/dev/p" });
    pi.act("make", &theirs.dir.clone(), at(&theirs));
    let mut manager = ours::make(&environment, is_persisted, &mine.dir).unwrap();
    let mut trail = String::new();
    let mut failed = 0;
    for step in 0..OPERATIONS {
        let operation = writer.operation(&manager);
        trail.push_str(&format!("{operation}\n"));
        let their_outcome =
            pi.act("call", &theirs.dir.clone(), json!({ "operation": operation, "dir": theirs.dir }));
        let my_outcome = ours::call(&environment, &mut manager, &operation, &mine.dir);
        let what = || format!("seed {seed}, step {step}, after\n{trail}");
        match (&their_outcome["error"], &my_outcome) {
            (Value::Null, Err(error)) => return Err(format!("{}only ours fails: {error}", what())),
            (error, Ok(())) if !error.is_null() => return Err(format!("{}only pi fails: {error}", what())),
            _ => failed += usize::from(my_outcome.is_err()),
        }
        let probe = writer.probe(&manager);
        let answers = pi.act("answers", &theirs.dir.clone(), json!({ "probe": probe }));
        let (pi_says, we_say) = (theirs.state(&answers), mine.state(&ours::answers(&manager, &probe)));
        if pi_says != we_say {
            let differing = pi_says.lines().zip(we_say.lines()).enumerate().find(|(_, (a, b))| a != b);
            return Err(format!("{}{differing:#?}\npi:\n{pi_says}\nours:\n{we_say}", what()));
        }
    }
    for dir in [theirs.dir, mine.dir] {
        for file in fs::read_dir(&dir).unwrap() {
            round_trip(pi, &environment, &dir, &file.unwrap().path())?;
        }
    }
    Ok(failed)
}

/// Both read a file alike, after each of them has appended to it, too.
fn round_trip(pi: &mut Pi, environment: &Environment, dir: &Path, file: &Path) -> Result<(), String> {
    let open = || SessionManager::open(environment, file, None, None).unwrap();
    let read = |pi: &mut Pi| {
        pi.act("make", dir, json!({ "how": "open", "dir": file }));
        let answers = pi.act("answers", dir, json!({ "probe": null }));
        let says = |answers| Side { dir: dir.to_owned(), plain: Plain::new(dir) }.state(answers);
        let (pi_says, we_say) = (says(&answers), says(&ours::answers(&open(), &Value::Null)));
        if pi_says == we_say { Ok(()) } else { Err(format!("read anew\npi:\n{pi_says}\nours:\n{we_say}")) }
    };
    read(pi)?;
    let operation = json!({ "method": "appendModelChange", "arguments": ["lab", "tiny-1"] });
    pi.act("call", dir, json!({ "operation": operation, "dir": dir }));
    read(pi)?;
    ours::call(environment, &mut open(), &operation, dir).unwrap();
    read(pi)
}

#[test]
fn any_sequence_of_operations_comes_to_the_same() {
    let Some(mut pi) = Pi::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let number = |name: &str, default: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let first = number("COMPARE_SEED", 1);
    let count = number("COMPARE_SEQUENCES", 200);
    let mut failed = 0;
    for seed in first..first + count {
        match differ(&mut pi, folder.path(), seed) {
            Ok(refused) => failed += refused,
            Err(difference) => panic!("{difference}"),
        }
    }
    println!("compared with pi: {count} sequences of {OPERATIONS} operations, {failed} refused by both");
}
