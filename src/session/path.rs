use std::collections::HashSet;

use super::{EntryIx, Session};

/// Which leaf is meant, as the caller says it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum LeafArg {
    /// Where pi would continue.
    #[default]
    Current,
    /// Before everything.
    Null,
    /// The entry with this id; an unknown or empty one means the last entry, as in pi.
    Id(String),
}

impl LeafArg {
    /// Reads the argument of `--leaf`: an id, or the word `null`.
    pub fn parse(text: &str) -> Self {
        if text == "null" { Self::Null } else { Self::Id(text.to_owned()) }
    }
}

/// A leaf as found in a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// The entry at which the path ends; `None` before everything.
    pub entry: Option<EntryIx>,
    /// False when an id was asked for that is not in the file.
    pub is_known: bool,
}

impl Session {
    /// Finds the leaf that is meant.
    pub fn leaf(&self, arg: &LeafArg) -> Leaf {
        match arg {
            LeafArg::Null => Leaf { entry: None, is_known: true },
            LeafArg::Current => Leaf { entry: self.current_leaf(), is_known: true },
            LeafArg::Id(id) => match self.find_text(id) {
                Some(ix) => Leaf { entry: Some(ix), is_known: true },
                None => Leaf { entry: self.current_leaf(), is_known: false },
            },
        }
    }

    /// The path from a root down to `leaf`, both included. In a file whose parents go in a circle the walk up
    /// stops at the first entry it meets again.
    pub fn path_to(&self, leaf: Option<EntryIx>) -> Vec<EntryIx> {
        let links = self.links();
        let mut path = Vec::new();
        let mut seen = HashSet::new();
        let mut next = leaf;
        while let Some(ix) = next {
            if links.is_circular() && !seen.insert(ix) {
                break;
            }
            path.push(ix);
            next = links.named_parent(ix);
        }
        path.reverse();
        path
    }

    /// The end of the branch *through* an entry: the current leaf if it lies below, else the newest leaf below.
    /// Among children the one whose subtree holds the latest line of the file is followed.
    pub fn leaf_through(&self, ix: EntryIx) -> EntryIx {
        let links = self.links();
        if let Some(leaf) = self.current_leaf() {
            let mut up = Some(leaf);
            while let Some(at) = up {
                if at == ix {
                    return leaf;
                }
                up = links.parent(at);
            }
        }
        let mut newest = ix;
        let mut stack = vec![ix];
        while let Some(at) = stack.pop() {
            if links.children(at).is_empty() && (at > newest || !links.children(newest).is_empty()) {
                newest = at;
            }
            stack.extend_from_slice(links.children(at));
        }
        newest
    }
}
