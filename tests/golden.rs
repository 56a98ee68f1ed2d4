//! Every question of `tests/fixtures/golden` answered again and compared with what the real pi said.

mod pi;

use std::fs;
use std::path::Path;

use pi::ask::{Question, comparable, failed};
use pi::diff::differences;
use serde_json::Value;

#[test]
fn scratch() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    std::env::set_current_dir(&fixtures).unwrap();
    let mut n = 0;
    let mut bad = 0;
    for set in ["samples", "cases", "corpus"] {
        for kind in ["dump", "tree"] {
            for line in
                fs::read_to_string(fixtures.join(format!("golden/{set}-{kind}.jsonl"))).unwrap().lines()
            {
                let value = pi::parse(line);
                let question: Vec<String> = value["question"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|v| v.as_str().unwrap().to_owned())
                    .collect();
                let asked = Question::of(&question);
                if asked.options.contains_key("--keys") {
                    continue;
                }
                n += 1;
                let theirs = comparable(&asked, value["answer"].clone());
                let ours = asked.answer();
                if failed(&theirs) {
                    println!(
                        "{question:?} pi: {} ours: {}",
                        theirs["error"],
                        ours.map_or_else(|e| e, |_| "fine".into())
                    );
                    continue;
                }
                let d = match ours {
                    Ok(ours) => differences(&theirs, &ours),
                    Err(e) => vec![e],
                };
                if !d.is_empty() {
                    bad += 1;
                    println!("{question:?}");
                    for d in d.iter().take(4) {
                        println!("    {d}");
                    }
                }
            }
        }
    }
    println!("{n} questions, {bad} bad");
    let _ = Value::Null;
}
