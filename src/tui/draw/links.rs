use ratatui::layout::{Position, Rect};

use crate::app::{App, Pane};
use crate::present::Link;

/// A piece of a row of the screen that leads somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkArea {
    /// Where it is.
    pub area: Rect,
    /// Where it leads.
    pub link: Link,
}

/// The links in the messages in view. Under something that lies above the panes there are none.
pub fn links(app: &App) -> Vec<LinkArea> {
    let area = app.regions().rows(Pane::Messages);
    let pane = &app.messages;
    let mut found = Vec::new();
    if app.overlay.is_some() {
        return found;
    }
    let mut y = area.y;
    for visible in pane.window(area.width, usize::from(area.height)) {
        let block = pane.block(pane.items()[visible.item], area.width);
        for at in visible.rows {
            let mut x = area.x;
            for span in block.and_then(|block| block.rows.get(at)).map_or(&[][..], |row| &row.spans) {
                let width = span.width() as u16;
                let piece = Rect { x, y, width, height: 1 };
                if let Some(link) = span.link.clone().filter(|_| area.contains(Position { x, y })) {
                    found.push(LinkArea { area: piece.intersection(area), link });
                }
                x = x.saturating_add(width);
            }
            y += 1;
        }
    }
    found
}
