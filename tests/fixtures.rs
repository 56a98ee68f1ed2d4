//! The fixtures are what they claim to be: their bytes, pi's answers about all of them, and what the format reads.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its fixtures has failed")]

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use piscope::format::json::{Document, Shape, Value};
use piscope::format::{Header, LineReader, is_falsy_line};

const SETS: [&str; 3] = ["samples", "cases", "corpus"];
const FILTERS: [&str; 5] = ["default", "no-tools", "user-only", "labeled-only", "all"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// The session files of a set, as questions name them.
fn sessions(set: &str) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder().join(set))
        .unwrap()
        .map(|item| item.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .map(|path| format!("{set}/{}", path.file_name().unwrap().to_string_lossy()))
        .collect();
    names.sort();
    names
}

/// A golden line: the question's words, and of pi's answer what went wrong and which entries it counted.
struct Golden {
    question: Vec<String>,
    error: Option<String>,
    entry_types: Option<BTreeMap<String, u64>>,
}

fn golden(name: &str) -> Vec<Golden> {
    let text = fs::read_to_string(folder().join("golden").join(name)).unwrap();
    text.lines().map(golden_line).collect()
}

/// Some answers nest deeper than serde reads, so the project's own reader takes them.
fn golden_line(line: &str) -> Golden {
    let document = Document::parse(line.to_owned()).unwrap();
    let question = document.root().get("question").unwrap();
    let answer = document.root().get("answer").unwrap();
    let counts = |types: Value<'_>| {
        types
            .members()
            .into_iter()
            .map(|(word, count)| (word.into_owned(), count.as_f64().unwrap() as u64))
            .collect()
    };
    Golden {
        question: question.items().map(|word| word.as_str().unwrap().into_owned()).collect(),
        error: answer.get_str("error").map(Cow::into_owned),
        entry_types: answer.get_some("entryTypes").map(counts),
    }
}

#[test]
fn the_bytes_that_make_a_fixture_are_still_there() {
    let bytes = |name: &str| fs::read(folder().join(name)).unwrap();
    let has = |name: &str, part: &[u8]| bytes(name).windows(part.len()).any(|window| window == part);
    assert!(has("samples/crlf.jsonl", b"}\r\n"));
    assert!(bytes("samples/bom.jsonl").starts_with(b"\xef\xbb\xbf"));
    assert!(has("samples/lone-surrogate.jsonl", br"\ud83d here"));
    assert!(has("cases/008-crlf-line-endings.jsonl", b"}\r\n"));
    assert!(
        has("cases/019-invalid-utf8-bytes.jsonl", b"caf\xe9")
            || String::from_utf8(bytes("cases/019-invalid-utf8-bytes.jsonl")).is_err()
    );
    assert!(bytes("cases/014-empty-file.jsonl").is_empty());
    for unterminated in ["samples/no-final-newline.jsonl", "cases/001-torn-tail-valid-no-newline.jsonl"] {
        assert!(!bytes(unterminated).ends_with(b"\n"), "{unterminated}");
    }
}

#[test]
fn pi_was_asked_about_every_file() {
    for set in SETS {
        let asked: BTreeSet<Vec<String>> =
            [golden(&format!("{set}-dump.jsonl")), golden(&format!("{set}-tree.jsonl"))]
                .into_iter()
                .flatten()
                .map(|golden| golden.question)
                .collect();
        for file in sessions(set) {
            // pi writes a fresh header into an empty file, so it has no lasting answer.
            if fs::metadata(folder().join(&file)).unwrap().len() == 0 {
                continue;
            }
            let question = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
            assert!(asked.contains(&question(&["dump", &file, "--content"])), "{file}");
            for filter in FILTERS {
                assert!(asked.contains(&question(&["tree", &file, "--filter", filter])), "{file} {filter}");
            }
        }
        let answered = |question: &[String]| folder().join(&question[1]).exists();
        assert!(
            asked.iter().all(|question| answered(question)),
            "a golden line is about a file that is gone"
        );
    }
}

#[test]
fn every_question_got_an_answer() {
    let sets = SETS.iter().flat_map(|set| [format!("{set}-dump.jsonl"), format!("{set}-tree.jsonl")]);
    for golden in sets.chain(["lists.jsonl".to_owned()]).flat_map(|name| golden(&name)) {
        assert_ne!(golden.error.as_deref(), Some("no answer"), "{:?}", golden.question);
    }
}

#[test]
fn every_foreign_file_has_a_source_and_a_licence() {
    let sources = fs::read_to_string(folder().join("corpus/SOURCES.tsv")).unwrap();
    let rows: Vec<Vec<&str>> = sources.lines().skip(1).map(|row| row.split('\t').collect()).collect();
    let named: Vec<String> = rows.iter().map(|row| format!("corpus/{}", row[0])).collect();
    assert_eq!(named, sessions("corpus"));
    for row in rows {
        let [file, source, licence, size] = row[..] else { panic!("{row:?}") };
        assert!(!source.is_empty() && !licence.is_empty(), "{file}");
        assert_eq!(
            fs::metadata(folder().join("corpus").join(file)).unwrap().len().to_string(),
            size,
            "{file}"
        );
    }
}

/// What pi keeps of a file's lines: everything that is JSON and means something, headers left out.
fn kept_lines(file: &Path) -> BTreeMap<String, u64> {
    let mut lines = LineReader::new(fs::File::open(file).unwrap());
    let mut kept = BTreeMap::new();
    while let Some(line) = lines.next_line().unwrap() {
        let Ok(document) = Document::parse_lossy(line.bytes.to_vec()) else { continue };
        let value = document.root();
        let is_header = Header::of(value, line.number, line.offset, line.bytes.len() as u32).is_some();
        if is_falsy_line(value) || is_header {
            continue;
        }
        let of_shape = match value.shape() {
            Shape::Number => "number",
            Shape::String => "string",
            Shape::Bool => "boolean",
            _ => "object",
        };
        let word = value.get_str("type").map_or(of_shape.to_owned(), Cow::into_owned);
        *kept.entry(word).or_insert(0) += 1;
    }
    kept
}

#[test]
fn the_format_keeps_the_lines_that_pi_keeps() {
    let mut compared = 0;
    for set in SETS {
        for Golden { question, entry_types, .. } in golden(&format!("{set}-dump.jsonl")) {
            let Some(theirs) = entry_types.filter(|_| question.len() == 3) else { continue };
            assert_eq!(kept_lines(&folder().join(&question[1])), theirs, "{question:?}");
            compared += 1;
        }
    }
    assert!(compared > 90, "only {compared} files were compared");
}
