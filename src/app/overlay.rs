use super::Step;
use super::scroll::Ends;

/// What lies above the panes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlay {
    /// All keys.
    Help {
        /// The first row in view.
        top: usize,
    },
    /// What is wrong with the session.
    Damage {
        /// The first row in view.
        top: usize,
    },
}

impl Overlay {
    /// The first row in view.
    pub fn top(self) -> usize {
        match self {
            Self::Help { top } | Self::Damage { top } => top,
        }
    }

    /// Scrolls in `rows` rows through a window of `height` rows.
    pub(crate) fn step(&mut self, step: Step, rows: usize, height: usize) {
        let (Self::Help { top } | Self::Damage { top }) = self;
        let tops = rows.saturating_sub(height) + 1;
        *top = step.from((*top).min(tops - 1), tops, height, Ends::Stop);
    }
}
