//! The heads of all entries of a session, packed.
//!
//! A large session has a hundred thousand of them. As values they would be a dozen small allocations each; here a head
//! is a few dozen bytes and its text in one buffer, and becomes a value while somebody looks at it.

mod bytes;
mod ids;
mod pack;

use crate::format::{EntryHead, EntryId, ParentRef};

pub(super) use ids::IdTable;
pub(super) use pack::Class;

/// Heads in file order.
#[derive(Clone, Debug, Default)]
pub(super) struct Heads {
    places: Vec<Place>,
    /// The ids of all entries, also of those that have none of their own.
    ids: Vec<EntryId>,
    packed: Vec<u8>,
}

/// Where an entry stands.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Byte offset of the line.
    offset: u64,
    /// Where the rest of its head begins in the buffer.
    at: u64,
    length: u32,
    line: u32,
}

impl Heads {
    /// Adds the next head.
    pub(super) fn push(&mut self, head: &EntryHead) {
        let EntryHead { offset, length, line, .. } = *head;
        self.places.push(Place { offset, at: self.packed.len() as u64, length, line });
        pack::write(head, self.ids.last(), &mut self.packed);
        self.ids.push(head.id.clone().unwrap_or_else(|| EntryId::numbered(self.ids.len())));
    }

    /// Adds the heads of the lines behind these, which were counted from 1.
    pub(super) fn append(&mut self, next: Self, lines: u32) {
        let (entries, packed) = (self.len(), self.packed.len() as u64);
        self.packed.extend_from_slice(&next.packed);
        self.ids.extend(next.ids);
        self.places.extend(next.places.into_iter().map(|place| Place {
            at: place.at + packed,
            line: place.line + lines,
            ..place
        }));
        for at in entries..self.len() {
            if !self.has_own_id(at) {
                self.ids[at] = EntryId::numbered(at);
            }
        }
    }

    /// Removes the last head.
    pub(super) fn pop(&mut self) {
        if let Some(place) = self.places.pop() {
            self.packed.truncate(place.at as usize);
            self.ids.pop();
        }
    }

    /// Gives back what was set aside for more.
    pub(super) fn shrink(&mut self) {
        self.places.shrink_to_fit();
        self.ids.shrink_to_fit();
        self.packed.shrink_to_fit();
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    pub(super) fn get(&self, index: usize) -> EntryHead {
        let Place { offset, at, length, line } = self.places[index];
        let (own, before) = (&self.ids[index], index.checked_sub(1).map(|before| &self.ids[before]));
        EntryHead { offset, length, line, ..pack::read(&self.packed[at as usize..], own, before) }
    }

    pub(super) fn last(&self) -> Option<EntryHead> {
        self.len().checked_sub(1).map(|last| self.get(last))
    }

    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = EntryHead> + DoubleEndedIterator {
        (0..self.len()).map(|index| self.get(index))
    }

    /// The byte at which the line of an entry begins.
    pub(super) fn offset(&self, index: usize) -> u64 {
        self.places[index].offset
    }

    /// The line number of an entry.
    pub(super) fn line(&self, index: usize) -> u32 {
        self.places[index].line
    }

    pub(super) fn ids(&self) -> &[EntryId] {
        &self.ids
    }

    /// Whether the id of an entry stands in the file.
    pub(super) fn has_own_id(&self, index: usize) -> bool {
        pack::has_own_id(self.record(index))
    }

    /// What an entry says about its parent.
    pub(super) fn parent(&self, index: usize) -> ParentRef {
        pack::parent(self.record(index), index.checked_sub(1).map(|before| &self.ids[before]))
    }

    /// The time of an entry.
    pub(super) fn time(&self, index: usize) -> Option<i64> {
        pack::time(self.record(index))
    }

    /// What an entry is, as far as it takes to know whether a tree shows it.
    pub(super) fn class(&self, index: usize) -> Class {
        pack::class(self.record(index))
    }

    /// Whether it counts tokens.
    pub(super) fn has_usage(&self, index: usize) -> bool {
        pack::has_usage(self.record(index))
    }

    fn record(&self, index: usize) -> &[u8] {
        &self.packed[self.places[index].at as usize..]
    }
}

impl FromIterator<EntryHead> for Heads {
    fn from_iter<I: IntoIterator<Item = EntryHead>>(heads: I) -> Self {
        let mut packed = Self::default();
        for head in heads {
            packed.push(&head);
        }
        packed
    }
}

/// Equal heads may be packed in different ways: what stands at the start of a part does not know what is above.
impl PartialEq for Heads {
    fn eq(&self, other: &Self) -> bool {
        self.ids == other.ids && self.iter().eq(other.iter())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::*;
    use crate::format::json::Tape;
    use crate::format::{LineReader, decode, entry_head};

    /// The heads of all objects in a file.
    fn heads(bytes: &[u8]) -> Vec<EntryHead> {
        let (mut lines, mut tape, mut heads) = (LineReader::new(bytes), Tape::default(), Vec::new());
        while let Some(line) = lines.next_line().unwrap() {
            let text = decode(line.bytes);
            if let Ok(value) = tape.parse(&text)
                && value.is_object()
            {
                heads.push(entry_head(value, line.number, line.offset, line.bytes.len() as u32));
            }
        }
        heads
    }

    fn assert_unpacked(heads: &[EntryHead]) {
        let packed: Heads = heads.iter().cloned().collect();
        for (at, head) in heads.iter().enumerate() {
            assert_eq!(packed.get(at), *head);
            assert_eq!((packed.parent(at), packed.time(at)), (head.parent.clone(), head.time));
            assert_eq!(packed.has_own_id(at), head.id.is_some());
        }
        let (before, after) = heads.split_at(heads.len() / 2);
        let lines = before.last().map_or(0, |last| last.line);
        let behind = after.iter().map(|head| EntryHead { line: head.line - lines, ..head.clone() });
        let mut joined: Heads = before.iter().cloned().collect();
        joined.append(behind.collect(), lines);
        assert_eq!(joined, packed);
        if let Some(last) = heads.last() {
            joined.pop();
            joined.push(last);
            assert_eq!(joined, packed);
        }
    }

    #[test]
    fn heads_of_all_files_are_unpacked_as_they_were() {
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
        let mut count = 0;
        for folder in ["cases", "corpus", "samples"] {
            for file in std::fs::read_dir(fixtures.join(folder)).unwrap() {
                let path = file.unwrap().path();
                if path.extension().is_some_and(|end| end == "jsonl") {
                    let heads = heads(&std::fs::read(path).unwrap());
                    count += heads.len();
                    assert_unpacked(&heads);
                }
            }
        }
        assert!(count > 500, "{count}");
    }

    fn value() -> impl Strategy<Value = String> {
        prop_oneof![
            prop::sample::select(vec!["null", "true", "7", "-1.5", "1e300", "9007199254740993", "[]", "{}", "\"\"", "\"a\"", "\"é😀\""])
                .prop_map(str::to_owned),
            Just(r#"[{"type":"text","text":"t"},{"type":"toolCall","id":"c","name":"read","arguments":{"path":"p"}}]"#.to_owned()),
            Just(r#"{"input":3,"output":0.5,"cost":{"total":-2}}"#.to_owned()),
            Just(format!("\"{}\"", "long".repeat(100))),
        ]
    }

    fn object(
        keys: &'static [&'static str],
        kinds: (&'static str, &'static [&'static str]),
    ) -> impl Strategy<Value = String> {
        let fields = prop::collection::vec((prop::sample::select(keys), value()), 0..keys.len());
        (prop::sample::select(kinds.1), fields).prop_map(move |(kind, fields)| {
            let fields: Vec<String> =
                fields.iter().map(|(key, value)| format!(",\"{key}\":{value}")).collect();
            format!("{{\"{}\":\"{kind}\"{}", kinds.0, fields.concat())
        })
    }

    proptest! {
        #[test]
        fn heads_of_any_entries_are_unpacked_as_they_were(lines in prop::collection::vec((
            object(
                &["id", "parentId", "timestamp", "summary", "tokensBefore", "firstKeptEntryId", "firstKeptEntryIndex",
                    "customType", "display", "content", "provider", "model", "modelId", "thinkingLevel", "targetId",
                    "replacement", "label", "name", "usage"],
                ("type", &["message", "custom_message", "compaction", "branch_summary", "model_change",
                    "thinking_level_change", "custom", "context_edit", "label", "session_info", "usage", "other"]),
            ),
            object(
                &["content", "timestamp", "provider", "model", "responseModel", "stopReason", "errorMessage", "usage",
                    "toolCallId", "toolName", "isError", "command", "excludeFromContext"],
                ("role", &["user", "assistant", "toolResult", "bashExecution", "system", "custom", ""]),
            ),
        ), 0..6)) {
            let text: Vec<String> = lines.iter().map(|(entry, message)| format!("{entry},\"message\":{message}}}}}")).collect();
            assert_unpacked(&heads(text.join("\n").as_bytes()));
        }
    }
}
