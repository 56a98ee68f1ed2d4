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

/// Where the entries stand of the one file that is being read, as far as they are read now.
#[derive(Debug, Default)]
pub(super) struct Places {
    by_id: HashMap<EntryId, Node>,
    entries: Vec<Place>,
}

/// An entry by its place among those that are read now.
pub(super) type Node = u32;

#[derive(Clone, Copy, Debug)]
struct Place {
    depth: u32,
    parent: Parent,
}

/// What an entry hangs below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parent {
    /// Nothing: it is a root.
    None,
    /// The last of the entries that were read at another time.
    Known,
    /// An entry that is read now.
    Node(Node),
}

/// The entries read now from the last one up.
pub(super) struct PathUp {
    is_on: Vec<bool>,
    /// What the uppermost of them hangs below.
    pub(super) end: Parent,
}

impl Places {
    /// The entry that was added last.
    pub(super) fn last(&self) -> Option<Node> {
        Some(self.entries.len().checked_sub(1)? as Node)
    }

    /// The path from the last entry up, as far as it was read now.
    pub(super) fn path_of_last(&self) -> PathUp {
        let mut path = PathUp {
            is_on: vec![false; self.entries.len()],
            end: self.last().map_or(Parent::Known, Parent::Node),
        };
        while let Parent::Node(node) = path.end {
            path.is_on[node as usize] = true;
            path.end = self.entries[node as usize].parent;
        }
        path
    }
}

impl PathUp {
    /// Whether an entry is on it.
    pub(super) fn holds(&self, node: Node) -> bool {
        self.is_on[node as usize]
    }
}

/// An entry hangs below one that was read at another time: only the whole file tells how deep.
#[derive(Debug)]
pub(super) struct Unknown;

impl Branches {
    /// What the header says of the entries.
    pub(super) fn of_version_1(is_chain: bool) -> Self {
        Self { is_chain, ..Self::default() }
    }

    /// Adds an entry. A parent that is not above it in the file counts as none; `is_all` tells that everything above
    /// it is in `places`.
    pub(super) fn add(
        &mut self,
        entry: Value<'_>,
        line: u32,
        places: &mut Places,
        is_all: bool,
    ) -> Result<(), Unknown> {
        let own = entry.get_some("id").map(EntryId::of);
        let below_last = match (&self.last, places.last()) {
            (None, _) => Parent::None,
            (Some(_), None) => Parent::Known,
            (Some(_), Some(node)) => Parent::Node(node),
        };
        let continues =
            self.is_chain || own.is_none() || self.last.as_ref().is_some_and(|last| !last.is_named);
        let parent = match ParentRef::of(entry.get("parentId")) {
            ParentRef::Missing if continues => below_last,
            ParentRef::Missing | ParentRef::None => Parent::None,
            ParentRef::Id(parent) if self.last.as_ref().is_some_and(|last| last.id == parent) => below_last,
            ParentRef::Id(parent) => match places.by_id.get(&parent) {
                Some(&node) => Parent::Node(node),
                None if is_all => {
                    self.is_tangled = true;
                    Parent::None
                }
                None => return Err(Unknown),
            },
        };
        let depth = 1 + match parent {
            Parent::None => 0,
            Parent::Known => self.last.as_ref().map_or(0, |last| last.depth),
            Parent::Node(node) => places.entries[node as usize].depth,
        };
        let is_named = own.is_some();
        self.is_tangled |= self.is_chain && is_named;
        let id = own.unwrap_or_else(|| EntryId::numbered(self.entries));
        self.entries += 1;
        let node = places.entries.len() as Node;
        places.entries.push(Place { depth, parent });
        self.is_tangled |= places.by_id.insert(id.clone(), node).is_some();
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
        let mut places = Places::default();
        lines.iter().enumerate().try_for_each(|(at, line)| {
            let document = Document::parse(line.clone()).unwrap();
            branches.add(document.root(), (from + at + 2) as u32, &mut places, is_all)
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
