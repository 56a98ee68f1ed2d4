use std::fs::File;
use std::path::{Path, PathBuf};

use super::message::{is_readable, text_of};
use super::parallel::in_parallel;
use super::query::{Query, Token};
use super::search::Needle;
use super::summarize::pieces;
use super::text_scan::{TextHits, TextScan};
use crate::cancel::Cancel;
use crate::format::json::{Tape, Value};
use crate::format::{LineReader, decode};

/// Looks for the words of a query in the text of sessions that are already listed, in parallel and in the order given:
/// reports what each file, by its position in `files`, holds. Files that cannot be read hold nothing.
pub fn rescan_text(
    files: &[PathBuf],
    query: &Query,
    cancel: &Cancel,
    report: &mut dyn FnMut(Vec<(usize, TextHits)>),
) {
    let positions: Vec<usize> = (0..files.len()).collect();
    let worker = || TextReader::new(query);
    let read = |reader: &mut TextReader<'_>, &at: &usize| {
        reader.read(&files[at], cancel);
        (at, reader.texts.finish())
    };
    in_parallel(&positions, cancel, worker, read, report);
}

/// Reads the texts of one session after the other, in buffers that are kept.
struct TextReader<'q> {
    texts: TextScan<'q>,
    /// The words, where nothing but words is looked for.
    words: Option<Vec<Needle>>,
    lines: Option<LineReader<File>>,
    tape: Tape,
    buffer: String,
}

impl<'q> TextReader<'q> {
    fn new(query: &'q Query) -> Self {
        let words = match query {
            Query::Pattern(_) => None,
            Query::Tokens(tokens) => tokens
                .iter()
                .map(|token| match token {
                    Token::Word(word) => Needle::word(word).ok(),
                    Token::Phrase(_) => None,
                })
                .collect(),
        };
        Self { texts: query.text_scan(), words, lines: None, tape: Tape::default(), buffer: String::new() }
    }

    /// Hands the texts of a session on until everything is found. What cannot be read has none.
    fn read(&mut self, path: &Path, cancel: &Cancel) {
        let Ok(source) = File::open(path) else { return };
        let lines = match &mut self.lines {
            Some(lines) => {
                lines.restart_at(source, 0, 0);
                lines
            }
            none => none.insert(LineReader::new(source)),
        };
        while let Ok(Some(line)) = lines.next_line() {
            if cancel.is_cancelled() || self.texts.is_settled() {
                return;
            }
            if self.words.as_ref().is_some_and(|words| !may_hold_one(line.bytes, words)) {
                continue;
            }
            for bytes in pieces(line.bytes) {
                if let Ok(entry) = self.tape.parse(&decode(bytes))
                    && let Some(content) = content(entry)
                    && is_readable(content)
                {
                    let text = text_of(content, &mut self.buffer);
                    if !text.is_empty() {
                        self.texts.feed(&text);
                    }
                }
            }
        }
    }
}

/// Whether one of the words may stand in a line, judged by its bytes.
fn may_hold_one(line: &[u8], words: &[Needle]) -> bool {
    // The one letter that has two in small letters.
    let has_dotted_capital = || memchr::memmem::find(line, "\u{130}".as_bytes()).is_some();
    words.iter().any(|word| word.may_be_in(line)) || has_dotted_capital()
}

/// The content of a message of the person or the model.
fn content(entry: Value<'_>) -> Option<Value<'_>> {
    if entry.get_str("type")? != "message" {
        return None;
    }
    let message = entry.get("message")?;
    matches!(&*message.get_str("role")?, "user" | "assistant").then(|| message.get("content"))?
}
