use std::ops::Range;

use rayon::prelude::*;

use super::build::{Builder, Refusal, Trust};
use super::source::Source;
use crate::cancel::Cancel;
use crate::format::LineReader;

/// Which files are read in parts, and how large a part is, in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    /// A file with no more behind its header than this is read in one go.
    pub(super) large: u64,
    /// What one thread reads at a time.
    pub(super) part: u64,
}

impl Default for Size {
    fn default() -> Self {
        Self { large: 8 << 20, part: 4 << 20 }
    }
}

/// Reads the lines in a range of the source, which begins with a line, on all of rayon's threads. `builder` has read
/// the lines before. Returns the end of the last line.
///
/// A line belongs to the part in which it begins, so a long one is read once and by one thread. Parts come to an end a
/// few at a time and are put together in file order: the heads of a large file are never in memory twice.
pub(super) fn read(
    builder: &mut Builder,
    source: &Source,
    range: Range<u64>,
    trust: Trust,
    part: u64,
    cancel: &Cancel,
) -> Result<u64, Refusal> {
    let starts: Vec<u64> = (range.start..range.end).step_by(part.max(1) as usize).collect();
    let mut length = range.start;
    for starts in starts.chunks(4 * rayon::current_num_threads()) {
        let parts: Vec<Part> = starts
            .par_iter()
            .map(|&start| read_part(source, start..range.end.min(start + part), trust, cancel))
            .collect::<Result<_, _>>()?;
        for part in parts {
            builder.append(part.builder);
            length = length.max(part.end);
        }
    }
    Ok(length)
}

/// What the lines that begin in one part amount to.
struct Part {
    builder: Builder,
    /// Where the last of them ends.
    end: u64,
}

fn read_part(source: &Source, range: Range<u64>, trust: Trust, cancel: &Cancel) -> Result<Part, Refusal> {
    let mut builder = Builder::behind_header(trust);
    let Some(start) = source.line_start(range.clone()).map_err(Refusal::Unreadable)? else {
        return Ok(Part { builder, end: 0 });
    };
    let mut lines = LineReader::at(source.stream_at(start), start, 0);
    while lines.offset() < range.end && builder.next_line(&mut lines, cancel)? {}
    Ok(Part { builder, end: lines.offset() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Session, build};
    use proptest::prelude::*;

    fn read(bytes: &[u8], size: Size) -> Result<Session, String> {
        build::read_with("x".into(), Source::Memory(bytes.to_vec()), Trust::Nothing, size, &Cancel::new())
            .map_err(|error| error.to_string())
    }

    fn line() -> impl Strategy<Value = String> {
        let entry = |fields: &str| {
            format!(r#"{{"type":"message","id":"a","parentId":null,{fields}"message":{{"role":"user"}}}}"#)
        };
        prop_oneof![
            Just(entry("")),
            (0..20_u32).prop_map(|id| format!(
                r#"{{"type":"message","id":"{id}","parentId":"{}","message":{{"role":"user","content":"{id}"}}}}"#,
                id / 2
            )),
            Just(r#"{"type":"label","targetId":"a","label":"x","timestamp":"2026-01-01T00:00:00Z"}"#.to_owned()),
            Just(r#"{"type":"session_info","name":"n"}"#.to_owned()),
            "[a-c]".prop_map(|tool| format!(
                r#"{{"type":"custom","customType":"pi-web:tool-selection","data":{{"version":1,"tools":["{tool}"]}}}}"#
            )),
            Just(r#"{"type":"session","id":"again"}"#.to_owned()),
            Just(entry("") + &entry("")),
            Just(entry("")[..30].to_owned()),
            Just("\u{feff}{}".to_owned()),
            "[ \r7\"{]{0,9}",
        ]
    }

    proptest! {
        #[test]
        fn parts_are_read_as_the_whole(
            lines in prop::collection::vec(line(), 0..30),
            version in prop::sample::select(vec!["", r#""version":3,"#]),
            part in 1_u64..200,
            ends in any::<bool>(),
            invalid in any::<Option<prop::sample::Index>>(),
        ) {
            let mut text = format!("{{\"type\":\"session\",{version}\"id\":\"s\"}}\n{}", lines.join("\n"));
            if ends { text.push('\n'); }
            let mut bytes = text.into_bytes();
            if let Some(at) = invalid {
                let at = at.index(bytes.len());
                if bytes[at] != b'\n' { bytes[at] = 0xff; }
            }
            let whole = read(&bytes, Size { large: u64::MAX, part });
            let parts = read(&bytes, Size { large: 0, part });
            match (whole, parts) {
                (Ok(whole), Ok(parts)) => {
                    prop_assert_eq!(whole.entries, parts.entries);
                    prop_assert_eq!(whole.diagnostics, parts.diagnostics);
                    prop_assert_eq!(whole.length, parts.length);
                    prop_assert_eq!(whole.name, parts.name);
                    prop_assert_eq!(whole.tool_selection, parts.tool_selection);
                    prop_assert!(whole.labels.iter().eq(parts.labels.iter()));
                }
                (whole, parts) => prop_assert_eq!(whole.err(), parts.err()),
            }
        }
    }
}
