use super::{EntryIx, Session};
use crate::format::{Diagnostic, EntryId, Problem};

/// A branch this long is worth a warning when another one has taken its place.
const LONG: u32 = 20;

/// A file whose last line lies on a branch far shorter than its longest one: the sign of a line appended below an old
/// entry, which pi takes for the place to go on from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeadBranch {
    /// Where pi would continue.
    pub leaf: EntryIx,
    /// Entries from the root down to it.
    pub current: u32,
    /// Where the longest branch ends.
    pub longest: EntryIx,
    /// Entries on that one.
    pub length: u32,
}

impl Session {
    /// The branch pi would reopen and the longest one, where the first has fewer than half the entries of the
    /// second and that has at least 20.
    pub fn dead_branch(&self) -> Option<DeadBranch> {
        let leaf = self.current_leaf()?;
        let (longest, length) = self.links().deepest()?;
        let current = self.links().depth(leaf);
        is_left_behind(current, length).then_some(DeadBranch { leaf, current, longest, length })
    }
}

impl DeadBranch {
    pub(super) fn diagnostic(&self, session: &Session) -> Diagnostic {
        let id = |ix| session.entry_id(ix);
        let line = session.entry(self.leaf).line;
        finding(line, (id(self.leaf), self.current), (id(self.longest), self.length))
    }
}

/// Whether a branch of `length` entries is dead when pi would reopen one of `current` entries.
pub(crate) fn is_left_behind(current: u32, length: u32) -> bool {
    length >= LONG && current * 2 < length
}

/// What is said about it, at the line pi would go on from; both branches by their last entry and their length.
pub(crate) fn finding(line: u32, current: (&EntryId, u32), longest: (&EntryId, u32)) -> Diagnostic {
    let message = format!(
        "pi would reopen the branch of {} with {} entries; the longest branch has {} and ends at {}",
        current.0, current.1, longest.1, longest.0
    );
    Diagnostic::new(line, Problem::DeadBranch, message)
}
