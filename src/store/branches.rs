use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::format::json::Value;
use crate::format::{Diagnostic, EntryId, ParentRef};
use crate::session::{dead_branch_finding, is_left_behind};

/// How long the branches of a file are, as far as it was read: enough to say whether its last line left a long one
/// behind, and to go on when the file has grown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Branches {
    /// Whether every entry hangs below the one before, as in version 1.
    is_chain: bool,
    entries: usize,
    last: Option<Tip>,
    longest: Option<Tip>,
    /// Whether ids or parents are not as pi writes them, so that only opening the file tells what tree they make.
    is_tangled: bool,
}

/// The end of a branch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Tip {
    id: EntryId,
    /// Whether the id stands in the file.
    is_named: bool,
    /// Entries from the root down to it, both counted.
    depth: u32,
    line: u32,
}

/// The depths of the entries of the one file that is being read.
pub(super) type Depths = HashMap<EntryId, u32>;

/// An entry hangs below one that was read at another time: only the whole file tells how deep.
#[derive(Debug)]
pub(super) struct Unknown;

impl Branches {
    /// What the header says of the entries.
    pub(super) fn of_version_1(is_chain: bool) -> Self {
        Self { is_chain, ..Self::default() }
    }

    /// Adds an entry. A parent that is not above it in the file counts as none; `is_all` tells that everything above
    /// it is in `depths`.
    pub(super) fn add(
        &mut self,
        entry: Value<'_>,
        line: u32,
        depths: &mut Depths,
        is_all: bool,
    ) -> Result<(), Unknown> {
        let own = entry.get_some("id").map(EntryId::of);
        let below_last = self.last.as_ref().map_or(1, |last| last.depth + 1);
        let continues =
            self.is_chain || own.is_none() || self.last.as_ref().is_some_and(|last| !last.is_named);
        let parent = ParentRef::of(entry.get("parentId"));
        let depth = match parent {
            ParentRef::Missing if continues => below_last,
            ParentRef::Missing | ParentRef::None => 1,
            ParentRef::Id(parent) if self.last.as_ref().is_some_and(|last| last.id == parent) => below_last,
            ParentRef::Id(parent) => match depths.get(&parent) {
                Some(depth) => depth + 1,
                None if is_all => {
                    self.is_tangled = true;
                    1
                }
                None => return Err(Unknown),
            },
        };
        let is_named = own.is_some();
        self.is_tangled |= self.is_chain && is_named;
        let id = own.unwrap_or_else(|| EntryId::numbered(self.entries));
        self.entries += 1;
        self.is_tangled |= depths.insert(id.clone(), depth).is_some();
        let tip = Tip { id, is_named, depth, line };
        if self.longest.as_ref().is_none_or(|longest| depth >= longest.depth) {
            self.longest = Some(tip.clone());
        }
        self.last = Some(tip);
        Ok(())
    }

    /// Whether an id occurs twice, a parent does not stand above its child (as in all orphans and circles), or entries
    /// of version 1 have ids.
    pub(super) fn is_tangled(&self) -> bool {
        self.is_tangled
    }

    /// What is to be said where the last line left a long branch behind.
    pub(super) fn finding(&self) -> Option<Diagnostic> {
        let (last, longest) = self.last.as_ref().zip(self.longest.as_ref())?;
        is_left_behind(last.depth, longest.depth)
            .then(|| dead_branch_finding(last.line, (&last.id, last.depth), (&longest.id, longest.depth)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::json::Document;
    use crate::session::Session;

    fn chain(from: usize, to: usize) -> Vec<String> {
        (from..to)
            .map(|at| match at {
                0 => r#"{"type":"x","id":"e0","parentId":null}"#.to_owned(),
                at => format!(r#"{{"type":"x","id":"e{at}","parentId":"e{}"}}"#, at - 1),
            })
            .collect()
    }

    fn add(branches: &mut Branches, lines: &[String], from: usize, is_all: bool) -> Result<(), Unknown> {
        let mut depths = Depths::new();
        lines.iter().enumerate().try_for_each(|(at, line)| {
            let document = Document::parse(line.clone()).unwrap();
            branches.add(document.root(), (from + at + 2) as u32, &mut depths, is_all)
        })
    }

    #[test]
    fn what_is_said_is_what_the_opened_session_says() {
        let below = |parent: &str| vec![format!(r#"{{"type":"x","id":"z","parentId":{parent}}}"#)];
        let numbered = || (0..30).map(|_| r#"{"type":"x"}"#.to_owned()).collect::<Vec<_>>();
        for (lines, is_dead) in [
            (chain(0, 30), false),
            ([chain(0, 30), below("\"e3\"")].concat(), true),
            ([chain(0, 30), below("null")].concat(), true),
            ([chain(0, 30), below("\"gone\"")].concat(), true),
            ([chain(0, 30), below("\"e20\"")].concat(), false),
            ([chain(0, 19), below("\"e0\"")].concat(), false),
            ([chain(0, 20), below("\"e0\"")].concat(), true),
            (numbered(), false),
        ] {
            let mut branches = Branches::default();
            add(&mut branches, &lines, 0, true).unwrap();
            let text = format!("{{\"type\":\"session\",\"version\":3,\"id\":\"s\"}}\n{}\n", lines.join("\n"));
            let session = Session::from_bytes("s.jsonl", text.into_bytes()).unwrap();
            let told = session
                .diagnostics()
                .iter()
                .find(|found| found.problem == crate::format::Problem::DeadBranch);
            assert_eq!(branches.finding().as_ref(), told);
            assert_eq!(told.is_some(), is_dead, "{lines:?}");
        }
    }

    #[test]
    fn what_was_kept_is_gone_on_from_or_known_to_be_too_little() {
        let mut whole = Branches::default();
        add(&mut whole, &chain(0, 30), 0, true).unwrap();
        let mut kept = Branches::default();
        add(&mut kept, &chain(0, 20), 0, true).unwrap();
        let written = serde_json::to_string(&kept).unwrap();
        let mut grown: Branches = serde_json::from_str(&written).unwrap();
        add(&mut grown, &chain(20, 30), 20, false).unwrap();
        assert_eq!(grown, whole);
        assert!(add(&mut grown, &[r#"{"type":"x","id":"z","parentId":"e3"}"#.into()], 30, false).is_err());
    }
}
