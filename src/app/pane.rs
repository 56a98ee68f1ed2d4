use serde::{Deserialize, Serialize};

/// One of the three panes, from left to right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pane {
    /// Sessions by project and fork family.
    #[default]
    Sessions,
    /// The tree of the selected session.
    Tree,
    /// The messages of a branch.
    Messages,
}

impl Pane {
    /// All panes from left to right.
    pub const ALL: [Self; 3] = [Self::Sessions, Self::Tree, Self::Messages];

    /// Its name as the title says it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Sessions => "Sessions",
            Self::Tree => "Tree",
            Self::Messages => "Messages",
        }
    }

    /// Its place from the left.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The pane to the right, round to the first.
    #[must_use]
    pub fn next(self) -> Self {
        Self::ALL[(self.index() + 1) % 3]
    }

    /// The pane to the left, round to the last.
    #[must_use]
    pub fn previous(self) -> Self {
        Self::ALL[(self.index() + 2) % 3]
    }
}
