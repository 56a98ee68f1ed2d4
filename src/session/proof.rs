use std::io;
use std::sync::atomic::Ordering;

use rayon::prelude::*;

use super::build::kept_head;
use super::{EntryIx, Session, oddity};
use crate::cancel::Cancel;
use crate::format::json::Tape;

/// Lines that one thread looks at before it asks for more.
const LINES: usize = 64;
/// The largest buffer that is kept for the next lines.
const KEPT: usize = 1 << 20;

impl Session {
    /// Entries of which only the start and the end of the line were read so far.
    pub(super) fn unproved(&self) -> &[EntryIx] {
        if self.is_proved.load(Ordering::Acquire) { &[] } else { &self.unproved }
    }

    /// Looks at what [`Session::open_quickly`] took on trust, on all of rayon's threads. False where a line is not what it
    /// was taken for, so that the file has to be read with [`Session::open_with`], and where `cancel` was set.
    pub fn prove(&self, cancel: &Cancel) -> bool {
        let is_proved = self.unproved().par_chunks(LINES).all(|entries| {
            let (mut tape, mut bytes) = (Tape::default(), Vec::new());
            !cancel.is_cancelled()
                && entries.iter().all(|&ix| matches!(self.is_entry(ix, &mut tape, &mut bytes), Ok(true)))
        });
        if is_proved {
            self.is_proved.store(true, Ordering::Release);
        }
        is_proved
    }

    /// Whether the whole line of an entry is what its start and its end made of it, and nothing is to be said of it.
    fn is_entry(&self, ix: EntryIx, tape: &mut Tape, bytes: &mut Vec<u8>) -> io::Result<bool> {
        let known = self.entry(ix);
        let length = known.length as usize;
        if bytes.len() < length || bytes.len() > KEPT {
            *bytes = vec![0; length.next_power_of_two()];
        }
        self.source.fill_from(known.offset, &mut bytes[..length])?;
        let Ok(text) = simdutf8::basic::from_utf8(&bytes[..length]) else { return Ok(false) };
        let Ok(value) = tape.parse(text) else { return Ok(false) };
        Ok(value.is_object()
            && oddity::finding(value, known.line).is_none()
            && kept_head(value, known.line, known.offset, known.length) == known)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::cancel::Cancel;
    use crate::session::build::{self, Trust};
    use crate::session::parts::Size;
    use crate::session::{Session, Source};

    const HEADER: &str = r#"{"type":"session","version":3,"id":"s"}"#;

    fn result(id: usize, text: &str) -> String {
        let parent = id.checked_sub(1).map_or("null".to_owned(), |parent| format!("\"e{parent}\""));
        format!(
            r#"{{"type":"message","id":"e{id}","parentId":{parent},"timestamp":"2026-01-05T08:00:00.000Z","message":{{"role":"toolResult","toolCallId":"c{id}","toolName":"read","content":[{{"type":"text","text":"{text}"}}],"isError":false,"timestamp":17}}}}"#
        )
    }

    fn read(bytes: &[u8], trust: Trust) -> Session {
        let size = Size { large: 0, part: 7_000 };
        build::read_with("x".into(), Source::Memory(bytes.to_vec()), trust, size, &Cancel::new()).unwrap()
    }

    /// What is done to a byte or between two of them.
    fn mutate(bytes: &mut Vec<u8>, at: usize, how: usize) {
        const USAGE: &[u8] = br#"","usage":{"input":1},"x":""#;
        const AGAIN: &[u8] = br#""}],"toolName":"other","content":[{"type":"text","text":""#;
        match how {
            0 => bytes[at] = b'"',
            1 => bytes[at] = b'\\',
            2 => bytes[at] = b'\n',
            3 => bytes[at] = 0xff,
            4 => bytes[at] = b'\r',
            5 => bytes.truncate(at),
            6 => _ = bytes.remove(at),
            7 => drop(bytes.splice(at..at, USAGE.iter().copied())),
            8 => drop(bytes.splice(at..at, AGAIN.iter().copied())),
            _ => {}
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        /// Whatever happened to a file: what is proved is what reading every byte gives.
        #[test]
        fn what_is_proved_is_true(
            lengths in prop::collection::vec(prop::sample::select(vec![3_usize, 1_500, 4_000, 9_000]), 1..5),
            text in prop::sample::select(vec!["x", "a\\n", "é", "\\u00e9", "\\\""]),
            fused in any::<bool>(),
            at in any::<prop::sample::Index>(),
            how in 0_usize..12,
        ) {
            let lines = lengths.iter().enumerate().map(|(id, length)| result(id, &text.repeat(*length)));
            let lines: Vec<String> = lines.collect();
            let mut bytes = format!("{HEADER}\n{}\n", lines.join(if fused { "" } else { "\n" })).into_bytes();
            let at = HEADER.len() + 1 + at.index(bytes.len() - HEADER.len() - 1);
            mutate(&mut bytes, at, how);
            let (quick, whole) = (read(&bytes, Trust::LongResults), read(&bytes, Trust::Nothing));
            if how > 8 && !fused {
                let long = lines.iter().filter(|line| line.len() > 4_000).count();
                prop_assert!(quick.unproved().len() >= long);
                prop_assert!(quick.prove(&Cancel::new()));
                prop_assert!(quick.unproved().is_empty());
            }
            if quick.prove(&Cancel::new()) {
                prop_assert_eq!(&quick.entries, &whole.entries);
                prop_assert_eq!(&quick.diagnostics, &whole.diagnostics);
                prop_assert_eq!(&quick.links, &whole.links);
            }
        }
    }

    #[test]
    fn all_files_are_proved_or_found_out() {
        let fixtures = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
        let mut trusted = 0;
        for folder in ["cases", "corpus", "samples"] {
            for file in std::fs::read_dir(fixtures.join(folder)).unwrap() {
                let path = file.unwrap().path();
                let Ok(whole) = Session::open(&path) else { continue };
                let quick = read(&std::fs::read(&path).unwrap(), Trust::LongResults);
                trusted += quick.unproved().len();
                if quick.prove(&Cancel::new()) {
                    assert_eq!(quick.entries, whole.entries, "{}", path.display());
                    assert_eq!(quick.diagnostics, whole.diagnostics, "{}", path.display());
                }
            }
        }
        assert!(trusted > 0);
    }

    #[test]
    fn results_far_down_keep_no_text_and_are_found_by_it_all_the_same() {
        let far = format!("{HEADER}\n{}\n", " ".repeat(65 << 20));
        let text = format!("{far}{}\n{}\n", result(0, "needle here"), result(1, &"hay ".repeat(1000)));
        let session = read(text.as_bytes(), Trust::LongResults);
        assert!(session.entries().all(|(_, head)| head.gist.is_empty() && head.gist_is_cut));
        let found = |word: &str| {
            session
                .indexes()
                .map(|ix| session.matches_search(ix, &[word.to_owned()]).unwrap())
                .collect::<Vec<_>>()
        };
        assert_eq!((found("needle"), found("hay")), (vec![true, false], vec![false, true]));
        assert!(session.prove(&Cancel::new()));
    }
}
