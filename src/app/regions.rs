use ratatui::layout::{Position, Rect, Size};

use super::Pane;

const WIDE: u16 = 120;
const MEDIUM: u16 = 80;
/// From this height on there is room for blank rows above and below the titles.
const ROOMY: u16 = 16;
/// Columns between two panes.
const GAP: u16 = 1;

/// The column at which the names of the panes begin in the header of a narrow screen.
const NAMES_FROM: usize = 1;
/// What stands between the names of the panes in the header of a narrow screen.
pub(crate) const NAMES_GAP: &str = " › ";
/// What stands at the end of the footer where the sessions are not shown.
pub(crate) const SESSIONS_HINT: &str = "‹ Sessions";

/// Whether one pane has the whole screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Zoom {
    /// As many panes as fit.
    #[default]
    Off,
    /// Only the pane with the focus.
    On,
}

/// Where a pane is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaneRegion {
    /// Which pane.
    pub pane: Pane,
    /// Its title, one row high; none where the panes are named in the header.
    pub title: Option<Rect>,
    /// Its rows.
    pub body: Rect,
}

/// Where something that lies above the panes is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverlayRegion {
    /// All of it.
    pub area: Rect,
    /// Its title, where there is room for one.
    pub title: Option<Rect>,
    /// Its rows.
    pub body: Rect,
}

/// Where everything is: a function of the size, the focus and the zoom, computed anew whenever it is needed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Regions {
    /// Where one is; names the panes when only one is shown.
    pub header: Option<Rect>,
    /// The panes that are shown, from left to right.
    pub panes: Vec<PaneRegion>,
    /// What one can do; also the line in which one types.
    pub footer: Option<Rect>,
    /// Whether only one pane is shown for want of room.
    pub is_narrow: bool,
}

impl Regions {
    /// Lays out a screen, whose width Sessions, Tree and Messages share as `widths` tells.
    pub fn of(size: Size, focus: Pane, zoom: Zoom, widths: [u16; 3]) -> Self {
        let share = |pane: &Pane| u32::from(widths[*pane as usize]);
        Self::lay_out(size, &shown(size.width, focus, zoom), share)
    }

    /// Lays out a screen on which a search has the place of the sessions: with more room for excerpts, and beside it
    /// the messages first.
    pub fn searching(size: Size) -> Self {
        let shown: &[Pane] = match size.width {
            WIDE.. => &Pane::ALL,
            MEDIUM.. => &[Pane::Sessions, Pane::Messages],
            _ => &[Pane::Sessions],
        };
        let share = |pane: &Pane| match pane {
            Pane::Sessions => 42,
            Pane::Tree => 22,
            Pane::Messages => 36,
        };
        Self::lay_out(size, shown, share)
    }

    /// The pane whose name stands at a position outside the panes: in the header of a narrow screen, or at the end of
    /// the footer where the sessions are the one that is not shown.
    pub fn named_at(&self, position: Position) -> Option<Pane> {
        let column = usize::from(position.x);
        if self.is_narrow && self.header.is_some_and(|header| header.contains(position)) {
            let mut start = NAMES_FROM;
            return Pane::ALL.into_iter().find(|pane| {
                let end = start + pane.title().len();
                let is_it = (start..end).contains(&column);
                start = end + NAMES_GAP.chars().count();
                is_it
            });
        }
        let footer = self.footer.filter(|footer| footer.contains(position) && self.hides_sessions())?;
        let name = SESSIONS_HINT.chars().count() + NAMES_FROM;
        (column + name >= usize::from(footer.width)).then_some(Pane::Sessions)
    }

    /// Whether two panes are shown and the sessions are the third.
    pub fn hides_sessions(&self) -> bool {
        self.panes.len() == 2 && self.panes.first().is_some_and(|first| first.pane == Pane::Tree)
    }

    fn lay_out(size: Size, shown: &[Pane], share: impl Fn(&Pane) -> u32) -> Self {
        let Size { width, height } = size;
        if width == 0 || height == 0 {
            return Self::default();
        }
        let is_narrow = width < MEDIUM;
        let has_header = height >= 4;
        let has_footer = height >= 3;
        let blank = u16::from(height >= ROOMY);
        let header = has_header.then(|| Rect::new(0, 0, width, 1));
        let footer = has_footer.then(|| Rect::new(0, height - 1, width, 1));
        let top = u16::from(has_header) + if has_header { blank } else { 0 };
        let bottom = height - u16::from(has_footer) - if has_footer { blank } else { 0 };
        let area = Rect::new(0, top, width, bottom.saturating_sub(top));
        let has_titles = !is_narrow && area.height >= 3;
        let panes = columns(width, shown, share)
            .into_iter()
            .map(|(pane, x, width)| {
                let title = has_titles.then(|| Rect::new(x, area.y, width, 1));
                let skip = if has_titles { 1 + blank } else { 0 };
                let body = Rect::new(x, area.y + skip, width, area.height.saturating_sub(skip));
                PaneRegion { pane, title, body }
            })
            .collect();
        Self { header, panes, footer, is_narrow }
    }

    /// Where something that lies above the panes is: between header and footer, or all of a small screen.
    pub fn overlay(size: Size) -> OverlayRegion {
        let Size { width, height } = size;
        if width < 20 || height < 10 {
            let area = Rect::new(0, 0, width, height);
            return OverlayRegion { area, title: None, body: area };
        }
        OverlayRegion {
            area: Rect::new(0, 1, width, height - 2),
            title: Some(Rect::new(2, 2, width - 4, 1)),
            body: Rect::new(2, 4, width - 4, height - 6),
        }
    }

    /// Where a few rows lie above the panes: at the foot of the screen, with the panes in view above them, or as
    /// [`Regions::overlay`] where that would leave none of them.
    pub fn panel(size: Size, rows: usize) -> OverlayRegion {
        let page = Self::overlay(size);
        let height = rows + 3;
        if page.title.is_none() || height + 6 > usize::from(size.height) {
            return page;
        }
        let y = size.height - 1 - height as u16;
        let width = page.body.width;
        OverlayRegion {
            area: Rect::new(0, y, size.width, height as u16),
            title: Some(Rect::new(2, y, width, 1)),
            body: Rect::new(2, y + 2, width, rows as u16),
        }
    }

    /// Where the rows of a pane are drawn: its body without the column that keeps it apart from the next one.
    pub fn rows(&self, pane: Pane) -> Rect {
        let body = self.body(pane);
        Rect { width: if body.width > 8 { body.width - 1 } else { body.width }, ..body }
    }

    /// The region of a pane, if it is shown.
    pub fn pane(&self, pane: Pane) -> Option<&PaneRegion> {
        self.panes.iter().find(|region| region.pane == pane)
    }

    /// The body of a pane; of no size when it is not shown.
    pub fn body(&self, pane: Pane) -> Rect {
        self.pane(pane).map_or(Rect::ZERO, |region| region.body)
    }

    /// The pane at a place of the screen, titles included.
    pub fn at(&self, position: Position) -> Option<&PaneRegion> {
        self.panes.iter().find(|region| {
            region.body.contains(position) || region.title.is_some_and(|title| title.contains(position))
        })
    }
}

/// Three panes when wide, the focused one and its neighbour when medium, one when narrow.
fn shown(width: u16, focus: Pane, zoom: Zoom) -> Vec<Pane> {
    if zoom == Zoom::On || width < MEDIUM {
        vec![focus]
    } else if width >= WIDE {
        Pane::ALL.to_vec()
    } else if focus == Pane::Sessions {
        vec![Pane::Sessions, Pane::Tree]
    } else {
        vec![Pane::Tree, Pane::Messages]
    }
}

/// The columns of the panes.
fn columns(width: u16, shown: &[Pane], share: impl Fn(&Pane) -> u32) -> Vec<(Pane, u16, u16)> {
    let gaps = GAP * (shown.len() as u16).saturating_sub(1);
    let room = u32::from(width.saturating_sub(gaps));
    let total: u32 = shown.iter().map(&share).sum();
    let mut x = 0;
    let mut placed = Vec::with_capacity(shown.len());
    for (at, pane) in shown.iter().enumerate() {
        let is_last = at + 1 == shown.len();
        let columns = if is_last { width - x } else { (room * share(pane) / total) as u16 };
        placed.push((*pane, x, columns));
        x += columns + GAP;
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTHS: [u16; 3] = [28, 34, 38];

    fn panes(width: u16, height: u16, focus: Pane, zoom: Zoom) -> Vec<(Pane, u16, u16)> {
        let regions = Regions::of(Size { width, height }, focus, zoom, WIDTHS);
        regions.panes.iter().map(|region| (region.pane, region.body.x, region.body.width)).collect()
    }

    #[test]
    fn as_many_panes_as_fit() {
        use Pane::{Messages, Sessions, Tree};
        assert_eq!(panes(160, 45, Tree, Zoom::Off), [(Sessions, 0, 44), (Tree, 45, 53), (Messages, 99, 61)]);
        assert_eq!(panes(100, 30, Sessions, Zoom::Off), [(Sessions, 0, 44), (Tree, 45, 55)]);
        assert_eq!(panes(100, 30, Messages, Zoom::Off), [(Tree, 0, 46), (Messages, 47, 53)]);
        assert_eq!(panes(50, 16, Messages, Zoom::Off), [(Messages, 0, 50)]);
        assert_eq!(panes(160, 45, Tree, Zoom::On), [(Tree, 0, 160)]);
    }

    #[test]
    fn every_size_stays_inside_the_screen_and_nothing_overlaps() {
        for width in 0..=300 {
            for height in (0..=30).chain([100]) {
                let size = Size { width, height };
                let browsing = Pane::ALL.map(|focus| (focus, Regions::of(size, focus, Zoom::Off, WIDTHS)));
                let searching = [(Pane::Sessions, Regions::searching(size))];
                for (focus, regions) in browsing.into_iter().chain(searching) {
                    let screen = Rect::new(0, 0, width, height);
                    let mut all: Vec<Rect> = regions.header.into_iter().chain(regions.footer).collect();
                    for region in &regions.panes {
                        all.extend(region.title);
                        all.push(region.body);
                    }
                    for (at, one) in all.iter().enumerate() {
                        assert_eq!(one.intersection(screen), *one, "{width}x{height} {regions:?}");
                        assert!(all[at + 1..].iter().all(|other| one.intersection(*other).is_empty()));
                    }
                    assert!(width == 0 || height == 0 || regions.body(focus).height > 0, "{width}x{height}");
                }
            }
        }
    }
}
