use super::paint::{Painter, Window};
use crate::app::OverlayPicture;
use crate::present::{Row, Tone};
use crate::tui::Band;

/// Draws what lies above the panes, over all of them or at the foot of the screen.
pub(super) fn draw(painter: &mut Painter<'_, '_>, picture: OverlayPicture) {
    let OverlayPicture { region, title, rows, selected } = picture;
    painter.clear(region.area);
    if let Some(area) = region.title {
        let title = Row::new().text("─ ", Tone::Accent).bold(title, Tone::Accent).text(" ", Tone::Accent);
        let columns = usize::from(area.width);
        let line = "─".repeat(columns.saturating_sub(title.width()));
        painter.row(&title.text(line, Tone::Accent).fit(columns), area);
    }
    match selected {
        Some(_) => painter.tree(&Window { rows, selected }, region.body, Band::Focused),
        None => painter.rows(&rows, region.body),
    }
}
