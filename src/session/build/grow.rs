use std::fs::{self, File};
use std::io;

use super::{Builder, Trust, kept_head};
use crate::cancel::Cancel;
use crate::error::{Cause, Error};
use crate::format::json::Document;
use crate::format::{Header, Kind, LineReader};
use crate::session::Session;
use crate::session::source::{Identity, Source};

impl Session {
    /// The session as its file is by now, where that is another than what was read: extended from its old end where
    /// the file has grown, read whole where it became shorter, was rewritten or is another one.
    ///
    /// # Errors
    /// As [`Session::open_with`].
    pub fn read_again(&self, cancel: &Cancel) -> Result<Option<Self>, Error> {
        let extended = match self.grown_file() {
            Some((_, length)) if length == self.length => return Ok(None),
            Some((file, _)) => self.extended(Source::File(file), cancel)?,
            None => None,
        };
        match extended {
            Some(session) => Ok(Some(session)),
            None => Self::open_with(&self.path, cancel).map(Some),
        }
    }

    /// The same session with a line behind its end, for one that is held in memory.
    ///
    /// # Errors
    /// When it is not.
    pub(crate) fn with_line(&self, line: &str) -> Result<Self, Error> {
        let Source::Memory(bytes) = &self.source else {
            return Err(Error::new("cannot add to", &self.path, Cause::Other("it is a file".into())));
        };
        let mut bytes = bytes.clone();
        if !bytes.ends_with(b"\n") {
            bytes.push(b'\n');
        }
        bytes.extend_from_slice(line.as_bytes());
        bytes.push(b'\n');
        match self.extended(Source::Memory(bytes), &Cancel::new())? {
            Some(session) => Ok(session),
            None => Err(Error::new("cannot add to", &self.path, Cause::Other("it is of version 1".into()))),
        }
    }

    /// The file and its present length, if it is still the one that was read and all of that still stands in it.
    fn grown_file(&self) -> Option<(File, u64)> {
        let file = self.file()?;
        let (now, known) = (fs::metadata(&self.path).ok()?, file.metadata().ok()?);
        let is_same = Identity::of(&now) == Identity::of(&known) && now.len() >= self.length;
        let stands = is_same && self.still_stands(|at, length| self.source.read_at(at, length)).ok()?;
        Some((file.try_clone().ok()?, now.len())).filter(|_| stands)
    }

    /// Whether the header and the last entry still stand where they were read. `read` gives the bytes of a place.
    ///
    /// # Errors
    /// What `read` reports, unless the file just ends before.
    pub(crate) fn still_stands(&self, read: impl Fn(u64, u32) -> io::Result<Vec<u8>>) -> io::Result<bool> {
        let at = |offset, length| match read(offset, length) {
            Ok(bytes) => Ok(Document::parse_lossy(bytes).ok()),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(error),
        };
        let header = &self.header;
        let is_header = at(header.offset, header.length)?.is_some_and(|document| {
            Header::of(document.root(), header.line, header.offset, header.length).as_ref() == Some(header)
        });
        let Some(known) = self.entries.last().filter(|_| is_header) else { return Ok(is_header) };
        Ok(at(known.offset, known.length)?.is_some_and(|document| {
            let found = kept_head(document.root(), known.line, known.offset, known.length);
            // Version 1 names a kept entry by its number, which is looked up once, when all is read.
            (found.id, found.parent, found.time, found.kind.word(), found.gist)
                == (known.id.clone(), known.parent.clone(), known.time, known.kind.word(), known.gist.clone())
        }))
    }

    /// This session with what `source` holds behind its end. `None` where it has to be read whole.
    fn extended(&self, source: Source, cancel: &Cancel) -> Result<Option<Self>, Error> {
        let Some((mut builder, start)) = Builder::before_last_line(self) else { return Ok(None) };
        let mut lines = LineReader::at(source.stream_at(start), start, builder.lines);
        let length = builder.read_rest(&mut lines, cancel).map_err(|refusal| refusal.of(&self.path))?;
        builder.finish(self.path.clone(), source, length).map(Some)
    }
}

impl Builder {
    /// What a session's lines amount to, and where they end. A last line without a line end does not count: it may
    /// have been half a line. `None` where that cannot be told any more.
    fn before_last_line(session: &Session) -> Option<(Self, u64)> {
        // Version 1 counts values, of which nothing is kept.
        if session.header.version.is_v1() || session.unfinished == Some(session.header.offset) {
            return None;
        }
        let mut builder = Self {
            header: Some(session.header.clone()),
            entries: session.entries.clone(),
            label_times: session.label_times.clone(),
            tool_selection: session.tool_selection.clone(),
            lines: session.lines,
            unproved: session.unproved().to_vec(),
            ..Self::behind_header(Trust::Nothing)
        };
        let findings = session.diagnostics.iter();
        builder.diagnostics.extend(findings.filter(|it| !it.problem.is_of_structure()).cloned());
        let Some(start) = session.unfinished else { return Some((builder, session.length)) };
        builder.lines -= 1;
        builder.diagnostics.retain(|it| it.line < session.lines);
        if let Some(last) = builder.entries.last().filter(|last| last.offset == start) {
            builder.entries.pop();
            builder.unproved.pop_if(|at| at.index() == builder.entries.len());
            match last.kind {
                // The choice before it is not known any more.
                Kind::Custom { .. } if builder.tool_selection.is_some() => return None,
                Kind::Label { .. } => _ = builder.label_times.pop(),
                _ => {}
            }
        }
        Some((builder, start))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use proptest::prelude::*;

    use super::*;

    const HEADER: &str = r#"{"type":"session","version":3,"id":"s"}"#;

    fn line() -> impl Strategy<Value = String> {
        let id = "[a-e]";
        prop_oneof![
            (id, id).prop_map(|(id, parent)| format!(
                r#"{{"type":"message","id":"{id}","parentId":"{parent}","message":{{"role":"user","content":"é{id}"}}}}"#
            )),
            (id, "[x-z]?").prop_map(|(target, label)| format!(
                r#"{{"type":"label","targetId":"{target}","label":"{label}","timestamp":"2026-01-0{}T"}}"#,
                label.len() + 1
            )),
            id.prop_map(|kept| format!(r#"{{"type":"compaction","id":"k","firstKeptEntryId":"{kept}","summary":"s"}}"#)),
            "[x-z ]?".prop_map(|name| format!(r#"{{"type":"session_info","id":"n","name":"{name}"}}"#)),
            id.prop_map(|tool| format!(
                r#"{{"type":"custom","customType":"pi-web:tool-selection","data":{{"version":1,"tools":["{tool}"]}}}}"#
            )),
            prop::sample::select(vec![HEADER, "", "  ", "7", "{}", "{\"id\":\"v1#2\"}", "{\"half", "{}{}", "\r", "\u{feff}"])
                .prop_map(str::to_owned),
        ]
    }

    fn read(bytes: &[u8]) -> Option<Session> {
        Session::from_bytes("x", bytes.to_vec()).ok()
    }

    /// Everything that is known of two sessions, and whether it is the same.
    fn assert_same(grown: &Session, whole: &Session) {
        assert_eq!(grown.entries, whole.entries);
        assert_eq!(grown.distinct_ids(), whole.distinct_ids());
        assert_eq!(grown.links, whole.links);
        assert_eq!(grown.diagnostics, whole.diagnostics);
        assert!(grown.labels.iter().eq(whole.labels.iter()));
        assert_eq!(grown.label_times, whole.label_times);
        assert_eq!(grown.header, whole.header);
        assert_eq!((grown.name(), grown.tool_selection()), (whole.name(), whole.tool_selection()));
        assert_eq!(
            (grown.length, grown.lines, grown.unfinished),
            (whole.length, whole.lines, whole.unfinished)
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// However a file was cut when it was first read: what it grows to is what reading all of it gives.
        #[test]
        fn a_session_extended_is_the_session_read_whole(
            lines in prop::collection::vec(line(), 1..9),
            version in prop::sample::select(vec![HEADER, r#"{"type":"session","version":"0.1.0","id":"s"}"#, r#"{"type":"session","version":4,"id":"s"}"#]),
            ends in any::<bool>(),
        ) {
            let mut bytes = format!("{version}\n{}", lines.join("\n")).into_bytes();
            if ends { bytes.push(b'\n'); }
            let whole = read(&bytes).unwrap();
            let mut extended = 0;
            for cut in 0..=bytes.len() {
                let Some(before) = read(&bytes[..cut]) else { continue };
                let grown = before.extended(Source::Memory(bytes.clone()), &Cancel::new()).unwrap();
                if let Some(grown) = grown {
                    extended += 1;
                    assert_same(&grown, &whole);
                }
            }
            prop_assert!(extended > 0);
        }
    }

    #[test]
    fn version_1_is_read_whole() {
        let session = read(b"{\"type\":\"session\",\"id\":\"s\"}\n{\"type\":\"message\"}\n").unwrap();
        let more = Source::Memory(b"whatever".to_vec());
        assert!(session.extended(more, &Cancel::new()).unwrap().is_none());
    }

    /// What is done to a file, whether what was read of it can go on, and whether it is another now.
    #[test]
    fn only_a_file_that_grew_is_extended() {
        let entry = |id: &str| format!("{{\"type\":\"message\",\"id\":\"{id}\",\"message\":{{}}}}\n");
        let text = format!("{HEADER}\n{}{}", entry("a"), entry("b"));
        let changed = |change: &dyn Fn(&std::path::Path)| {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("s.jsonl");
            fs::write(&path, &text).unwrap();
            let before = Session::open(&path).unwrap();
            change(&path);
            let can_go_on = before.grown_file().is_some();
            let after = before.read_again(&Cancel::new()).unwrap();
            let is_other = after.is_some();
            assert_same(&after.unwrap_or(before), &Session::open(&path).unwrap());
            (can_go_on, is_other)
        };
        let append = |path: &std::path::Path, text: &str| {
            File::options().append(true).open(path).unwrap().write_all(text.as_bytes()).unwrap();
        };
        assert_eq!(changed(&|_| ()), (true, false));
        assert_eq!(changed(&|path| append(path, &entry("c"))), (true, true));
        assert_eq!(changed(&|path| fs::write(path, &text[..text.len() - 9]).unwrap()), (false, true));
        assert_eq!(changed(&|path| fs::write(path, text.replace("\"b\"", "\"c\"")).unwrap()), (false, true));
        assert_eq!(
            changed(&|path| fs::write(path, text.replace("\"s\"", "\"t\"") + &entry("c")).unwrap()),
            (false, true)
        );
        assert_eq!(
            changed(&|path| {
                fs::write(path.with_extension("new"), &text).unwrap();
                fs::rename(path.with_extension("new"), path).unwrap();
            }),
            (false, true)
        );
    }
}
