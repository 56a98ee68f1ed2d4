use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Clear;
use tui_tree_widget::{Tree, TreeItem, TreeState};

use crate::present::Row;
use crate::tui::{Band, Theme};

/// What stands at the left of a row that is marked.
pub(super) const MARKED: &str = "✓";

/// A frame and the colours it is drawn in.
pub(super) struct Painter<'p, 'f> {
    pub(super) frame: &'p mut Frame<'f>,
    pub(super) theme: &'p Theme,
}

/// The rows of a list that are in view, and which of them is selected.
pub(super) struct Window {
    /// The rows from the first one in view on.
    pub(super) rows: Vec<Row>,
    /// The selected one among them.
    pub(super) selected: Option<usize>,
}

impl Painter<'_, '_> {
    /// Draws one row at the top of an area.
    pub(super) fn row(&mut self, row: &Row, area: Rect) {
        if area.height > 0 {
            self.frame.render_widget(self.line(row), Rect { height: 1, ..area });
        }
    }

    /// Draws rows from the top of an area on.
    pub(super) fn rows(&mut self, rows: &[Row], area: Rect) {
        for (row, y) in rows.iter().zip(area.y..area.bottom()) {
            self.row(row, Rect { y, ..area });
        }
    }

    /// Draws the visible rows of a tree. The widget is given no more than these and knows no nesting: a window
    /// cannot carry it, since the ancestors are outside, so indentation is part of the rows.
    pub(super) fn tree(&mut self, window: &Window, area: Rect, band: Band) {
        let items: Vec<TreeItem<'_, usize>> =
            window.rows.iter().enumerate().map(|(at, row)| TreeItem::new_leaf(at, self.line(row))).collect();
        let Ok(tree) = Tree::new(&items) else { return };
        let tree = tree
            .node_closed_symbol("")
            .node_open_symbol("")
            .node_no_children_symbol("")
            .highlight_symbol("")
            .highlight_style(self.theme.band(band));
        let mut state = TreeState::default();
        if let Some(selected) = window.selected {
            state.select(vec![selected]);
        }
        self.frame.render_stateful_widget(tree, area, &mut state);
    }

    /// Wipes an area.
    pub(super) fn clear(&mut self, area: Rect) {
        self.frame.render_widget(Clear, area);
    }

    fn line(&self, row: &Row) -> Line<'static> {
        row.spans
            .iter()
            .map(|span| Span::styled(span.text.clone(), self.theme.style(span.tone, span.emphasis)))
            .collect()
    }
}
