use std::sync::Arc;

use ratatui::layout::Rect;

use crate::app::{App, Item, Pane};
use crate::present::transcript::PictureRoom;
use crate::session::{EntryIx, Session};

/// A picture of which some is in view.
#[derive(Clone, Debug)]
pub(crate) struct PictureInView {
    pub(crate) session: Arc<Session>,
    /// The entry that holds it.
    pub(crate) entry: EntryIx,
    /// The room it has among the rows of its block.
    pub(crate) room: PictureRoom,
    /// The part of the screen where it is in view.
    pub(crate) area: Rect,
    /// Rows of it above that area.
    pub(crate) hidden: u16,
}

/// The pictures in the messages in view, from top to bottom. Under something that lies above the panes there are none.
pub(crate) fn pictures(app: &App) -> Vec<PictureInView> {
    let area = app.regions().rows(Pane::Messages);
    let pane = &app.messages;
    let Some(session) = pane.session().filter(|_| app.overlay.is_none()) else { return Vec::new() };
    let mut found = Vec::new();
    let mut y = area.y;
    for visible in pane.window(area.width, usize::from(area.height)) {
        let item = pane.items()[visible.item];
        let block = pane.block(item, area.width).filter(|_| matches!(item, Item::Stored(_)));
        for room in block.map_or(&[][..], |block| &block.pictures) {
            let first = room.row.max(visible.rows.start);
            let last = (room.row + usize::from(room.rows)).min(visible.rows.end);
            if first < last {
                let top = y + (first - visible.rows.start) as u16;
                let (width, height) = (room.columns, (last - first) as u16);
                found.push(PictureInView {
                    session: Arc::clone(session),
                    entry: item.entry(),
                    room: *room,
                    area: Rect { x: area.x + room.column, y: top, width, height }.intersection(area),
                    hidden: (first - room.row) as u16,
                });
            }
        }
        y += visible.rows.len() as u16;
    }
    found
}
