//! A build without pictures: they stay lines that say what they are.

use ratatui::Frame;

use super::theme::Colours;
use crate::app::App;
use crate::present::CellSize;

/// No pictures.
pub(super) struct Pictures;

/// There is none.
pub(super) struct PictureJob;

/// There is none.
#[derive(Debug)]
pub(super) struct MadePicture;

#[expect(clippy::unused_self, reason = "the other build has something to ask")]
impl Pictures {
    /// For any terminal.
    pub(super) fn detect(_: Colours) -> Self {
        Self
    }

    /// No picture is shown.
    pub(super) fn cell(&self) -> Option<CellSize> {
        None
    }

    /// There is nothing to forget.
    pub(super) fn forget(&mut self) {}

    /// There is nothing to be made ready.
    pub(super) fn take_wanted(&mut self, _: &App) -> Vec<PictureJob> {
        Vec::new()
    }

    /// There is nothing to take.
    pub(super) fn take(&mut self, _: MadePicture) {}

    /// There is nothing to draw.
    pub(super) fn draw(&self, _: &mut Frame<'_>, _: &App) {}
}

#[expect(clippy::unused_self, reason = "the other build has something to do")]
impl PictureJob {
    /// There is nothing to do.
    pub(super) fn run(self) -> MadePicture {
        MadePicture
    }
}
