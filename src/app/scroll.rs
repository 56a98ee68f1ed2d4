/// Returns the first visible row that keeps row `selected` in view: as near to `top` as possible, never
/// leaving room at the end that rows could fill.
pub(crate) fn keep_in_view(top: usize, selected: usize, rows: usize, height: usize) -> usize {
    if height == 0 || rows == 0 {
        return 0;
    }
    let selected = selected.min(rows - 1);
    // A row of context above and below, where the pane is high enough for it.
    let margin = usize::from(height > 4);
    let lowest = (selected + 1 + margin).min(rows).saturating_sub(height);
    let highest = selected.saturating_sub(margin);
    top.clamp(lowest, highest.max(lowest)).min(rows.saturating_sub(height))
}

/// What to do at the ends of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ends {
    /// Stay there.
    Stop,
    /// Go round.
    Wrap,
}

/// A step in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// One row up.
    Up,
    /// One row down.
    Down,
    /// One window up.
    PageUp,
    /// One window down.
    PageDown,
    /// Half a window up.
    HalfUp,
    /// Half a window down.
    HalfDown,
    /// The first row.
    First,
    /// The last row.
    Last,
}

impl Step {
    /// The row reached from row `from` of `rows`, in a window of `height` rows.
    pub(crate) fn from(self, from: usize, rows: usize, height: usize, ends: Ends) -> usize {
        let last = rows.saturating_sub(1);
        match self {
            Self::Up if from == 0 && ends == Ends::Wrap => last,
            Self::Down if from >= last && ends == Ends::Wrap => 0,
            _ if self.is_upward() => from.saturating_sub(self.distance(height)),
            _ => from.saturating_add(self.distance(height)).min(last),
        }
    }

    /// Rows it goes in a window of `height` rows; a page leaves one row of the old window in view.
    pub(crate) fn distance(self, height: usize) -> usize {
        match self {
            Self::Up | Self::Down => 1,
            Self::PageUp | Self::PageDown => height.saturating_sub(1).max(1),
            Self::HalfUp | Self::HalfDown => (height / 2).max(1),
            Self::First | Self::Last => usize::MAX,
        }
    }

    /// Whether it goes towards the start.
    pub(crate) fn is_upward(self) -> bool {
        matches!(self, Self::Up | Self::PageUp | Self::HalfUp | Self::First)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_follows_the_selection() {
        // (top, selected, rows, height) -> top
        for (given, wanted) in [
            ((0, 0, 100, 10), 0),
            ((0, 8, 100, 10), 0),
            ((0, 9, 100, 10), 1),
            ((50, 99, 100, 10), 90),
            ((50, 50, 100, 10), 49),
            ((95, 99, 100, 10), 90),
            ((5, 3, 4, 10), 0),
            ((7, 50, 100, 1), 50),
            ((7, 50, 100, 0), 0),
            ((7, 0, 0, 10), 0),
        ] {
            let (top, selected, rows, height) = given;
            assert_eq!(keep_in_view(top, selected, rows, height), wanted, "{given:?}");
        }
    }

    #[test]
    fn steps_stop_or_go_round() {
        use Ends::{Stop, Wrap};
        for ((step, from, ends), wanted) in [
            ((Step::Up, 0, Stop), 0),
            ((Step::Up, 0, Wrap), 19),
            ((Step::Down, 19, Stop), 19),
            ((Step::Down, 19, Wrap), 0),
            ((Step::PageDown, 3, Stop), 12),
            ((Step::PageDown, 15, Wrap), 19),
            ((Step::PageUp, 3, Wrap), 0),
            ((Step::HalfDown, 3, Stop), 8),
            ((Step::HalfUp, 8, Stop), 3),
            ((Step::First, 8, Stop), 0),
            ((Step::Last, 8, Stop), 19),
        ] {
            assert_eq!(step.from(from, 20, 10, ends), wanted, "{step:?} from {from}");
        }
        assert_eq!(Step::Down.from(0, 0, 10, Wrap), 0);
    }
}
