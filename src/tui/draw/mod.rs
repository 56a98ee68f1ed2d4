//! The picture: what the app holds, drawn. Nothing here changes anything but the frame.

mod chrome;
mod empty;
mod links;
mod messages;
mod overlay;
mod paint;
#[cfg(feature = "images")]
mod pictures;
mod sessions;
mod tree;

use ratatui::Frame;

use super::Theme;
use crate::app::{App, Pane, Scope};
pub(super) use chrome::{focused, found};
pub use links::{LinkArea, links};
use paint::Painter;
#[cfg(feature = "images")]
pub(super) use pictures::{PictureInView, pictures};

/// Draws the whole screen.
pub fn draw(frame: &mut Frame<'_>, app: &App, theme: &Theme) {
    let mut painter = Painter { frame, theme };
    let regions = app.regions();
    chrome::header(&mut painter, app, &regions);
    if app.overlay.is_none() && app.scope() == Scope::Empty {
        empty::draw(&mut painter, app, &regions);
    } else {
        for region in &regions.panes {
            chrome::title(&mut painter, app, region);
            match region.pane {
                Pane::Sessions => sessions::draw(&mut painter, app, regions.rows(region.pane)),
                Pane::Tree => tree::draw(&mut painter, app, regions.rows(region.pane)),
                Pane::Messages => messages::draw(&mut painter, app, regions.rows(region.pane)),
            }
        }
    }
    chrome::footer(&mut painter, app, &regions);
    if let Some(picture) = app.overlay_picture() {
        overlay::draw(&mut painter, picture);
    }
}
