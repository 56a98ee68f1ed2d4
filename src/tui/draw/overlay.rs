use super::paint::Painter;
use crate::app::{App, Overlay, Regions};
use crate::present::{Row, Tone};

/// Draws what lies above the panes, over all of them.
pub(super) fn draw(painter: &mut Painter<'_, '_>, app: &App, overlay: Overlay) {
    let region = Regions::overlay(app.size);
    painter.clear(region.area);
    if let Some(title) = region.title {
        painter.row(&Row::new().bold(overlay.title(), Tone::Accent), title);
    }
    let rows = app.overlay_rows(overlay, usize::from(region.body.width));
    let top = overlay.top(rows.len(), usize::from(region.body.height));
    painter.rows(&rows[top..], region.body);
}
