use ratatui::layout::Rect;

use super::paint::Painter;
use crate::app::{App, Regions};
use crate::present::{Row, Tone, sanitize, wrap};
use crate::store::Origin;

/// Says where sessions were looked for in vain, and offers the demo.
pub(super) fn draw(painter: &mut Painter<'_, '_>, app: &App, regions: &Regions) {
    let store = &app.setup.store;
    let root = store.root.to_string_lossy();
    let place = app.shorten(&root);
    let why = match store.origin {
        Origin::Flag => "the folder you named",
        Origin::Environment => "from PI_CODING_AGENT_SESSION_DIR",
        Origin::Settings => "from sessionDir in pi's settings",
        Origin::Default => "where pi keeps its sessions",
    };
    let columns = usize::from(painter.frame.area().width).saturating_sub(4);
    let mut rows = vec![Row::new().bold("No sessions here yet", Tone::Strong), Row::new()];
    let looked = Row::new()
        .text("Looked in ", Tone::Dim)
        .text(sanitize::line(&place), Tone::Text)
        .text(format!(", {why}."), Tone::Dim);
    rows.extend(wrap(&looked, columns, 0));
    rows.push(Row::new());
    rows.extend(wrap(
        &Row::new()
            .text("Press ", Tone::Dim)
            .bold("d", Tone::Accent)
            .text(" to look around in demo sessions.", Tone::Dim),
        columns,
        0,
    ));
    let top = regions.header.map_or(0, |header| header.bottom() + 1);
    let screen = painter.frame.area();
    let area = Rect { x: 2, y: top, width: columns as u16, height: screen.height.saturating_sub(top + 1) };
    painter.rows(&rows, area.intersection(screen));
}
