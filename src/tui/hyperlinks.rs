//! Links that a terminal opens when they are clicked: OSC 8.
//!
//! The cells of a frame know no links, so the ones of a link are written once more, between the sequences that begin and end
//! it.

use std::collections::hash_map::DefaultHasher;
use std::env;
use std::hash::{Hash, Hasher};
use std::io::{self, Write};

use ratatui::backend::Backend;
use ratatui::buffer::{Buffer, Cell};

use super::LinkArea;
use crate::present::{Link, width};

/// Cursor and colours as they were; writing links must not change them.
const SAVE: &[u8] = b"\x1b7";
const RESTORE: &[u8] = b"\x1b8";
const END: &[u8] = b"\x1b]8;;\x1b\\";

/// The links that the terminal shows.
#[derive(Debug, Default)]
pub(super) struct Hyperlinks {
    /// Whether the terminal would take the sequences for text.
    is_off: bool,
    shown: Vec<Shown>,
}

#[derive(Debug, PartialEq)]
struct Shown {
    link: Link,
    cells: Vec<Place>,
}

/// A cell and where it is.
type Place = (u16, u16, Cell);

/// What a frame changes in the links.
pub(super) struct Update {
    /// What is a link no more.
    texts: Vec<Place>,
    links: Vec<Shown>,
}

impl Hyperlinks {
    /// For the terminal at hand. Others than these ignore what they do not know.
    pub(super) fn detect() -> Self {
        let term = env::var("TERM").unwrap_or_default();
        let is_off = matches!(&*term, "" | "dumb" | "linux") || term.starts_with("vt");
        Self { is_off, shown: Vec::new() }
    }

    /// What is to be written so that those areas of a frame become links, and what is no link any more text again.
    pub(super) fn update(&self, frame: &Buffer, links: &[LinkArea]) -> Option<Update> {
        let shown = |one: &LinkArea| Shown { link: one.link.clone(), cells: cells(frame, one) };
        let links: Vec<Shown> = links.iter().map(shown).collect();
        if self.is_off || links == self.shown {
            return None;
        }
        let old = self.shown.iter().flat_map(|gone| &gone.cells);
        let texts = old.filter_map(|&(x, y, _)| Some((x, y, frame.cell((x, y))?.clone()))).collect();
        Some(Update { texts, links })
    }

    /// Writes an update behind the frame it was made for.
    pub(super) fn write<B>(&mut self, update: Update, backend: &mut B) -> io::Result<()>
    where
        B: Backend<Error = io::Error> + Write,
    {
        fn each(cells: &[Place]) -> impl Iterator<Item = (u16, u16, &Cell)> {
            cells.iter().map(|(x, y, cell)| (*x, *y, cell))
        }
        backend.write_all(SAVE)?;
        backend.draw(each(&update.texts))?;
        for Shown { link, cells } in &update.links {
            write!(backend, "\x1b]8;id={:x};{}\x1b\\", id(link), link.as_str())?;
            backend.draw(each(cells))?;
            backend.write_all(END)?;
        }
        backend.write_all(RESTORE)?;
        self.shown = update.links;
        Ok(())
    }

    /// Forgets what the terminal shows: it was wiped.
    pub(super) fn forget(&mut self) {
        self.shown.clear();
    }
}

/// The cells of an area, without those that wide characters reach into.
fn cells(frame: &Buffer, one: &LinkArea) -> Vec<Place> {
    let area = one.area.intersection(frame.area);
    let mut cells = Vec::new();
    let mut x = area.x;
    while x < area.right() {
        let cell = frame[(x, area.y)].clone();
        let width = width::of(cell.symbol()).max(1) as u16;
        cells.push((x, area.y, cell));
        x = x.saturating_add(width);
    }
    cells
}

/// Tells a terminal which pieces belong to one link.
fn id(link: &Link) -> u64 {
    let mut hasher = DefaultHasher::new();
    link.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use ratatui::backend::CrosstermBackend;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;

    fn written(links: &mut Hyperlinks, frame: &Buffer, areas: &[LinkArea]) -> String {
        let mut bytes = Vec::new();
        if let Some(update) = links.update(frame, areas) {
            links.write(update, &mut CrosstermBackend::new(&mut bytes)).unwrap();
        }
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn cells_of_a_link_are_written_between_its_sequences() {
        let mut frame = Buffer::empty(Rect::new(0, 0, 20, 2));
        frame.set_string(2, 1, "a設b", Style::new());
        let link = Link::new("https://a.b").unwrap();
        let area = LinkArea { area: Rect::new(2, 1, 4, 1), link };
        let mut links = Hyperlinks::default();
        let first = written(&mut links, &frame, std::slice::from_ref(&area));
        let (_, behind) = first.split_once(";https://a.b\x1b\\").unwrap();
        let (inside, _) = behind.split_once("\x1b]8;;\x1b\\").unwrap();
        assert!(inside.contains('a') && inside.contains('設') && inside.contains('b'), "{first:?}");
        assert!(first.starts_with("\x1b7") && first.ends_with("\x1b8"), "{first:?}");

        assert_eq!(written(&mut links, &frame, std::slice::from_ref(&area)), "", "it is there already");
        let gone = written(&mut links, &frame, &[]);
        assert!(gone.contains('設') && !gone.contains("]8;"), "{gone:?}");
        written(&mut links, &frame, std::slice::from_ref(&area));
        links.forget();
        assert!(written(&mut links, &frame, std::slice::from_ref(&area)).contains("https://a.b"));
    }

    #[test]
    fn what_is_out_of_the_frame_is_left_out() {
        let frame = Buffer::empty(Rect::new(0, 0, 5, 1));
        let link = Link::new("https://a.b").unwrap();
        let area = LinkArea { area: Rect::new(3, 0, 9, 1), link };
        written(&mut Hyperlinks::default(), &frame, &[area]);
    }
}
