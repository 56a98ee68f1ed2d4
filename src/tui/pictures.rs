//! Pictures on terminals that can show them: read, decoded and made ready on a worker when they come into view, and only a
//! few of them kept.

use std::collections::VecDeque;
use std::env;
use std::fmt;
use std::io::Cursor;
use std::sync::{Arc, Weak};

use crossterm::terminal::window_size;
use image::{DynamicImage, ImageReader, Limits};
use ratatui::Frame;
use ratatui::layout::Size;
use ratatui_image::picker::{Picker, ProtocolType};
use ratatui_image::protocol::halfblocks::Halfblocks;
use ratatui_image::sliced::{SignedPosition, SlicedImage, SlicedProtocol};

use super::draw::{PictureInView, pictures};
use super::theme::Colours;
use crate::app::App;
use crate::error::Error;
use crate::format::{Block, Blocks};
use crate::present::{CellSize, image_bytes};
use crate::session::{EntryIx, Session};

/// Pictures that are kept ready.
const MOST_PICTURES: usize = 4;
/// Files of more bytes are not decoded.
const MOST_BYTES: u64 = 32 * 1024 * 1024;
/// Nor are pictures that are wider or higher.
const MOST_PIXELS: u32 = 16_384;
/// Bytes that decoding may take.
const MOST_MEMORY: u64 = 256 * 1024 * 1024;
/// A cell in pixels, where the terminal does not tell.
const USUAL_CELL: CellSize = CellSize { width: 10, height: 20 };

/// The pictures that were in view last.
pub(super) struct Pictures {
    /// How the terminal shows pictures; none where it shows none.
    way: Option<ProtocolType>,
    kept: VecDeque<(PictureKey, Picture)>,
}

/// A picture in a size.
#[derive(Clone, Debug)]
struct PictureKey {
    session: Weak<Session>,
    entry: EntryIx,
    picture: usize,
    size: Size,
}

enum Picture {
    Asked,
    Ready(Box<SlicedProtocol>),
    /// It is damaged, or too large.
    Failed,
}

/// A picture to be made ready.
pub(super) struct PictureJob {
    key: PictureKey,
    way: ProtocolType,
}

/// A picture that was made ready, or could not be.
pub(super) struct MadePicture {
    key: PictureKey,
    picture: Option<Box<SlicedProtocol>>,
}

impl fmt::Debug for MadePicture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MadePicture").field("key", &self.key).finish_non_exhaustive()
    }
}

impl Pictures {
    /// For the terminal at hand, as far as the environment tells: `PISCOPE_PICTURES` (`kitty`, `iterm2`, `sixel`,
    /// `halfblocks`, `none`), else what is known of the terminal. In a multiplexer pictures are made of half blocks.
    pub(super) fn detect(colours: Colours) -> Self {
        let variable = |name: &str| env::var(name).unwrap_or_default();
        Self { way: way(&variable, colours), kept: VecDeque::new() }
    }

    /// The size of a cell where pictures are shown.
    pub(super) fn cell(&self) -> Option<CellSize> {
        self.way.map(|_| cell_size())
    }

    /// Forgets all pictures: the terminal was wiped, or its cells have another size.
    pub(super) fn forget(&mut self) {
        self.kept.clear();
    }

    /// The pictures in view that are to be made ready; they count as asked for.
    pub(super) fn take_wanted(&mut self, app: &App) -> Vec<PictureJob> {
        let Some(way) = self.way else { return Vec::new() };
        let in_view = pictures(app);
        let mut wanted = Vec::new();
        for key in in_view.iter().take(MOST_PICTURES).map(PictureKey::of) {
            if self.get(&key).is_none() {
                self.kept.push_front((key.clone(), Picture::Asked));
                wanted.push(PictureJob { key, way });
            }
        }
        self.kept.truncate(2 * MOST_PICTURES);
        wanted
    }

    /// Takes a picture that was made ready.
    pub(super) fn take(&mut self, made: MadePicture) {
        if let Some((_, picture)) = self.kept.iter_mut().find(|(kept, _)| *kept == made.key) {
            *picture = made.picture.map_or(Picture::Failed, Picture::Ready);
        }
        let is_ready = |(_, picture): &&(PictureKey, Picture)| matches!(picture, Picture::Ready(_));
        while self.kept.iter().filter(is_ready).count() > MOST_PICTURES {
            self.kept.pop_back();
        }
    }

    /// Draws the pictures in view that are ready.
    pub(super) fn draw(&self, frame: &mut Frame<'_>, app: &App) {
        for one in pictures(app) {
            match self.get(&PictureKey::of(&one)) {
                Some(Picture::Ready(picture)) => {
                    let position = SignedPosition { x: 0, y: -(one.hidden as i16) };
                    frame.render_widget(SlicedImage::new(picture, position), one.area);
                }
                Some(Picture::Failed) if one.hidden == 0 => {
                    frame.render_widget("(cannot be shown)", one.area);
                }
                _ => {}
            }
        }
    }

    fn get(&self, key: &PictureKey) -> Option<&Picture> {
        self.kept.iter().find(|(kept, _)| kept == key).map(|(_, picture)| picture)
    }
}

impl PictureKey {
    fn of(one: &PictureInView) -> Self {
        Self {
            session: Arc::downgrade(&one.session),
            entry: one.entry,
            picture: one.room.picture,
            size: Size { width: one.room.columns, height: one.room.rows },
        }
    }
}

impl PartialEq for PictureKey {
    fn eq(&self, other: &Self) -> bool {
        self.session.ptr_eq(&other.session)
            && (self.entry, self.picture, self.size) == (other.entry, other.picture, other.size)
    }
}

impl PictureJob {
    /// Makes the picture ready.
    pub(super) fn run(self) -> MadePicture {
        MadePicture { picture: self.make(), key: self.key }
    }

    /// Reads, decodes and encodes the picture; nothing where that cannot be.
    fn make(&self) -> Option<Box<SlicedProtocol>> {
        let session = self.key.session.upgrade()?;
        let bytes = read(&session, self.key.entry, self.key.picture).ok()??;
        let image = decode(bytes)?;
        let size = self.key.size;
        let made = match self.way {
            // Without asking anything of anybody, a multiplexer least of all.
            ProtocolType::Halfblocks => Halfblocks::new(image, size).map(SlicedProtocol::Halfblocks),
            way => SlicedProtocol::new(&picker(way), image, Some(size)),
        };
        made.ok().map(Box::new)
    }
}

fn read(session: &Session, entry: EntryIx, picture: usize) -> Result<Option<Vec<u8>>, Error> {
    let body = session.body(entry)?;
    let holder = body.root().get("message").unwrap_or(body.root());
    let images = Blocks::of(holder.get("content")).filter_map(|block| match block {
        Block::Image(image) => Some(image),
        _ => None,
    });
    let image = images.into_iter().nth(picture);
    Ok(image.and_then(|image| image_bytes(image, MOST_BYTES)))
}

fn decode(bytes: Vec<u8>) -> Option<DynamicImage> {
    let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().ok()?;
    let mut limits = Limits::default();
    limits.max_image_width = Some(MOST_PIXELS);
    limits.max_image_height = Some(MOST_PIXELS);
    limits.max_alloc = Some(MOST_MEMORY);
    reader.limits(limits);
    reader.decode().ok()
}

/// What makes pictures for a terminal.
#[expect(deprecated, reason = "the other way asks the terminal, whose answer belongs to our own reader")]
fn picker(way: ProtocolType) -> Picker {
    let cell = cell_size();
    let mut picker = Picker::from_fontsize((cell.width, cell.height).into());
    picker.set_protocol_type(way);
    picker
}

/// How pictures are shown.
fn way(variable: &impl Fn(&str) -> String, colours: Colours) -> Option<ProtocolType> {
    let term = variable("TERM");
    let program = variable("TERM_PROGRAM");
    let has_colours = matches!(colours, Colours::Palette | Colours::True);
    match variable("PISCOPE_PICTURES").as_str() {
        "kitty" => return Some(ProtocolType::Kitty),
        "iterm2" => return Some(ProtocolType::Iterm2),
        "sixel" => return Some(ProtocolType::Sixel),
        "halfblocks" => return Some(ProtocolType::Halfblocks),
        "none" => return None,
        _ => {}
    }
    let is_multiplexed =
        !variable("TMUX").is_empty() || term.starts_with("screen") || term.starts_with("tmux");
    match &*program {
        _ if !has_colours => None,
        _ if is_multiplexed => Some(ProtocolType::Halfblocks),
        "iTerm.app" | "WezTerm" => Some(ProtocolType::Iterm2),
        "ghostty" => Some(ProtocolType::Kitty),
        _ if !variable("KITTY_WINDOW_ID").is_empty() => Some(ProtocolType::Kitty),
        _ if term.contains("kitty") || term.contains("ghostty") => Some(ProtocolType::Kitty),
        _ if ["foot", "mlterm", "contour", "yaft"].iter().any(|known| term.starts_with(known)) => {
            Some(ProtocolType::Sixel)
        }
        _ => Some(ProtocolType::Halfblocks),
    }
}

/// The size of a cell of the terminal.
fn cell_size() -> CellSize {
    let Ok(window) = window_size() else { return USUAL_CELL };
    let cell = CellSize {
        width: window.width.checked_div(window.columns).unwrap_or(0),
        height: window.height.checked_div(window.rows).unwrap_or(0),
    };
    if cell.width == 0 || cell.height == 0 { USUAL_CELL } else { cell }
}

#[cfg(test)]
mod tests {
    use image::{ImageFormat, Rgb, RgbImage};
    use ratatui::buffer::Buffer;
    use ratatui::layout::Rect;
    use ratatui::widgets::Widget;

    use super::*;

    /// A session whose only entry is a prompt with a picture of this many pixels, red above and blue below.
    fn session(width: u32, height: u32) -> Arc<Session> {
        let colour = |_, y| if y < height / 2 { Rgb([255, 0, 0]) } else { Rgb([0, 0, 255]) };
        let mut png = Cursor::new(Vec::new());
        RgbImage::from_fn(width, height, colour).write_to(&mut png, ImageFormat::Png).unwrap();
        let lines = format!(
            "{{\"type\":\"session\",\"version\":3,\"id\":\"s\"}}\n{{\"type\":\"message\",\"id\":\"a\",\"message\":\
             {{\"role\":\"user\",\"content\":[{{\"type\":\"image\",\"mimeType\":\"image/png\",\"data\":\"{}\"}}]}}}}\n",
            base64(&png.into_inner())
        );
        Arc::new(Session::from_bytes("s.jsonl", lines.into_bytes()).unwrap())
    }

    fn base64(bytes: &[u8]) -> String {
        const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let digit = |chunk: &[u8], at: usize| {
            let bits =
                chunk.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
            char::from(ALPHABET[(bits >> (18 - 6 * at) & 63) as usize])
        };
        bytes
            .chunks(3)
            .flat_map(|chunk| (0..4).map(move |at| if at > chunk.len() { '=' } else { digit(chunk, at) }))
            .collect()
    }

    fn job(session: &Arc<Session>, picture: usize, way: ProtocolType) -> PictureJob {
        let key = PictureKey {
            session: Arc::downgrade(session),
            entry: EntryIx::new(0),
            picture,
            size: Size { width: 4, height: 2 },
        };
        PictureJob { key, way }
    }

    #[test]
    fn a_picture_is_read_and_made_of_half_blocks() {
        let session = session(40, 40);
        let made = job(&session, 0, ProtocolType::Halfblocks).run();
        let picture = made.picture.unwrap();
        let mut buffer = Buffer::empty(Rect::new(0, 0, 4, 1));
        // With its first row out of view only the blue one is left.
        SlicedImage::new(&picture, SignedPosition { x: 0, y: -1 }).render(buffer.area, &mut buffer);
        assert_eq!(buffer[(0, 0)].bg, ratatui::style::Color::Rgb(0, 0, 255));
    }

    #[test]
    fn every_way_to_show_pictures_can_be_had() {
        let session = session(40, 40);
        for way in [ProtocolType::Kitty, ProtocolType::Iterm2, ProtocolType::Sixel] {
            let picture = job(&session, 0, way).run().picture.unwrap();
            let mut buffer = Buffer::empty(Rect::new(0, 0, 4, 2));
            SlicedImage::new(&picture, SignedPosition { x: 0, y: 0 }).render(buffer.area, &mut buffer);
            assert!(buffer[(0, 0)].symbol().starts_with('\u{1b}'), "{way:?}");
        }
    }

    #[test]
    fn what_is_no_picture_is_refused() {
        let there = session(4, 4);
        assert!(job(&there, 1, ProtocolType::Halfblocks).run().picture.is_none());
        assert!(decode(b"no picture".to_vec()).is_none());
        let gone = job(&session(4, 4), 0, ProtocolType::Halfblocks);
        assert!(gone.run().picture.is_none());
    }

    #[test]
    fn few_pictures_are_kept() {
        let session = session(4, 4);
        let mut pictures = Pictures { way: Some(ProtocolType::Halfblocks), kept: VecDeque::new() };
        for height in 1..20 {
            let mut one = job(&session, 0, ProtocolType::Halfblocks);
            one.key.size.height = height;
            pictures.kept.push_front((one.key.clone(), Picture::Asked));
            pictures.take(one.run());
        }
        assert_eq!(pictures.kept.len(), MOST_PICTURES);
        assert_eq!(pictures.kept[0].0.size.height, 19);
    }

    #[test]
    fn the_environment_tells_how_pictures_are_shown() {
        for (variables, colours, wanted) in [
            (&[("TERM", "xterm-kitty")][..], Colours::True, Some(ProtocolType::Kitty)),
            (&[("TERM", "foot")], Colours::True, Some(ProtocolType::Sixel)),
            (&[("TERM_PROGRAM", "iTerm.app")], Colours::True, Some(ProtocolType::Iterm2)),
            (&[("TERM", "xterm-256color")], Colours::Palette, Some(ProtocolType::Halfblocks)),
            (
                &[("TERM", "tmux-256color"), ("TMUX", "x"), ("KITTY_WINDOW_ID", "1")],
                Colours::True,
                Some(ProtocolType::Halfblocks),
            ),
            (&[("TERM", "xterm-kitty")], Colours::None, None),
            (&[("TERM", "linux")], Colours::Sixteen, None),
            (&[("TERM", "xterm-kitty"), ("PISCOPE_PICTURES", "none")], Colours::True, None),
            (&[("PISCOPE_PICTURES", "sixel")], Colours::None, Some(ProtocolType::Sixel)),
        ] {
            let variable = |name: &str| {
                variables
                    .iter()
                    .find(|(known, _)| *known == name)
                    .map(|(_, value)| (*value).to_owned())
                    .unwrap_or_default()
            };
            assert_eq!(way(&variable, colours), wanted, "{variables:?}");
        }
    }
}
