//! What a picture is, told from the first bytes of its base64 text.

use std::fmt;

use super::age;
use super::sanitize;
use crate::format::json::Value;

/// A JPEG's size may stand behind its thumbnail and colour profile; further than this it is not looked for.
const LONGEST_LOOK: usize = 256 * 1024;

/// A picture is at most so many rows high.
const MOST_ROWS: u32 = 18;

/// The size of a cell of the terminal in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellSize {
    /// Its width.
    pub width: u16,
    /// Its height.
    pub height: u16,
}

impl CellSize {
    /// Columns and rows of a picture: as large as it is, or smaller where it would be wider than `columns` or too high.
    pub(crate) fn fit(self, (width, height): (u32, u32), columns: usize) -> Option<(u16, u16)> {
        let (width, height) = (u64::from(width), u64::from(height));
        let cell = (u64::from(self.width), u64::from(self.height));
        let room = (columns as u64 * cell.0, u64::from(MOST_ROWS) * cell.1);
        if [width, height, room.0, room.1].contains(&0) {
            return None;
        }
        // Of both ways to shrink it the one that shrinks more.
        let (width, height) = if width * room.1 > height * room.0 {
            (width.min(room.0), (height * width.min(room.0)).div_ceil(width))
        } else {
            ((width * height.min(room.1)).div_ceil(height), height.min(room.1))
        };
        let cells = |pixels: u64, cell: u64| u16::try_from(pixels.div_ceil(cell).max(1)).ok();
        Some((cells(width, cell.0)?.min(u16::try_from(columns).ok()?), cells(height, cell.1)?))
    }
}

/// The bytes of an image block of at most `most` bytes; nothing for a larger one.
#[cfg(feature = "images")]
pub(crate) fn image_bytes(block: Value<'_>, most: u64) -> Option<Vec<u8>> {
    let facts = ImageFacts::of(block);
    let holder = block.get("source").filter(|source| source.is_object()).unwrap_or(block);
    let base64 = holder.get("data").and_then(Value::raw_str)?;
    (facts.bytes <= most).then(|| decode(base64, facts.bytes as usize))
}

/// What is shown of a picture: type, size and dimensions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageFacts {
    /// The type as the file says, `image` where it says none.
    pub media_type: String,
    /// Bytes of the decoded picture.
    pub bytes: u64,
    /// Width and height in pixels, where the format is known.
    pub pixels: Option<(u32, u32)>,
}

impl ImageFacts {
    /// Reads an image block, in either of the two shapes that exist: data and type directly in it, or below
    /// `source`.
    pub fn of(block: Value<'_>) -> Self {
        let holder = block.get("source").filter(|source| source.is_object()).unwrap_or(block);
        let base64 = holder.get("data").and_then(Value::raw_str).unwrap_or_default();
        let media_type = ["mimeType", "media_type"].into_iter().find_map(|key| holder.get_str(key));
        Self::new(&media_type.unwrap_or("image".into()), base64)
    }

    /// Reads a picture in base64, whose media type is said to be that.
    pub fn new(media_type: &str, base64: &str) -> Self {
        let padding = base64.bytes().rev().take(2).filter(|&byte| byte == b'=').count();
        Self {
            media_type: sanitize::line(media_type).into_owned(),
            bytes: (base64.len() as u64 * 3 / 4).saturating_sub(padding as u64),
            pixels: dimensions(&decode(base64, 64)).or_else(|| dimensions(&decode(base64, LONGEST_LOOK))),
        }
    }
}

impl fmt::Display for ImageFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.media_type, age::bytes(self.bytes))?;
        match self.pixels {
            Some((width, height)) => write!(f, " {width}×{height}"),
            None => Ok(()),
        }
    }
}

/// Decodes at most `limit` bytes; characters outside the alphabet (a JSON backslash, a line end) are skipped.
fn decode(base64: &str, limit: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(limit.min(base64.len()));
    let mut bits = 0u32;
    let mut count = 0;
    for byte in base64.bytes() {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => break,
            _ => continue,
        };
        bits = bits << 6 | u32::from(six);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
            if out.len() == limit {
                break;
            }
        }
    }
    out
}

/// Width and height of a PNG, GIF, WebP or JPEG, from its first bytes.
fn dimensions(bytes: &[u8]) -> Option<(u32, u32)> {
    let big = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let little = |at: usize| Some(u32::from(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?)));
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        Some((big(16)?, big(20)?))
    } else if bytes.starts_with(b"GIF8") {
        Some((little(6)?, little(8)?))
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12)? == b"WEBP" {
        webp(bytes)
    } else if bytes.starts_with(&[0xff, 0xd8]) {
        jpeg(bytes)
    } else {
        None
    }
}

fn webp(bytes: &[u8]) -> Option<(u32, u32)> {
    let byte = |at: usize| bytes.get(at).map(|&byte| u32::from(byte));
    let fourteen = |at: usize| Some((byte(at)? | byte(at + 1)? << 8) & 0x3fff);
    let twenty_four = |at: usize| Some(byte(at)? | byte(at + 1)? << 8 | byte(at + 2)? << 16);
    match bytes.get(12..16)? {
        b"VP8 " => Some((fourteen(26)?, fourteen(28)?)),
        b"VP8L" => {
            let packed = twenty_four(21)? | byte(24)? << 24;
            Some(((packed & 0x3fff) + 1, (packed >> 14 & 0x3fff) + 1))
        }
        b"VP8X" => Some((twenty_four(24)? + 1, twenty_four(27)? + 1)),
        _ => None,
    }
}

/// Walks the segments up to the start of a frame.
fn jpeg(bytes: &[u8]) -> Option<(u32, u32)> {
    let word = |at: usize| Some(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?));
    let mut at = 2;
    loop {
        if *bytes.get(at)? != 0xff {
            return None;
        }
        match *bytes.get(at + 1)? {
            0xff => at += 1,
            0x01 | 0xd0..=0xd8 => at += 2,
            0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf => {
                return Some((u32::from(word(at + 7)?), u32::from(word(at + 5)?)));
            }
            _ => at += 2 + usize::from(word(at + 2)?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::json::Document;
    use proptest::prelude::*;

    fn facts(json: &str) -> String {
        ImageFacts::of(Document::parse(json.into()).unwrap().root()).to_string()
    }

    #[test]
    fn both_shapes_are_read() {
        let png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
        assert_eq!(facts(&format!(r#"{{"data":"{png}","mimeType":"image/png"}}"#)), "image/png 70 B 1×1");
        assert_eq!(
            facts(&format!(r#"{{"source":{{"type":"base64","data":"{png}","media_type":"image/png"}}}}"#)),
            "image/png 70 B 1×1"
        );
        assert_eq!(facts(r#"{"data":"AAAA","mimeType":"image/\u001b[31mpng"}"#), "image/png 3 B");
        assert_eq!(facts(r#"{"data":7}"#), "image 0 B");
    }

    #[test]
    fn pictures_fit_the_page_and_keep_their_shape() {
        let cell = CellSize { width: 10, height: 20 };
        for (pixels, columns, size) in [
            ((100, 100), 60, Some((10, 5))),
            ((1, 1), 60, Some((1, 1))),
            ((1280, 720), 64, Some((64, 18))),
            ((1280, 720), 32, Some((32, 9))),
            ((100, 10_000), 60, Some((1, 18))),
            ((10_000, 10), 60, Some((60, 1))),
            ((u32::MAX, u32::MAX), 60, Some((36, 18))),
            ((0, 10), 60, None),
            ((10, 10), 0, None),
        ] {
            assert_eq!(cell.fit(pixels, columns), size, "{pixels:?} in {columns}");
        }
    }

    #[test]
    fn every_format_tells_its_size() {
        let gif = b"GIF89a\x40\x01\xf0\x00rest";
        let lossy = [b"RIFF\0\0\0\0WEBPVP8 ".as_slice(), &[0; 10], &[0x20, 0x43, 0xf0, 0x80]].concat();
        let lossless = [b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f".as_slice(), &[0x3f, 0xc1, 0x3b, 0]].concat();
        let extended = [b"RIFF\0\0\0\0WEBPVP8X".as_slice(), &[0; 8], &[0x3f, 1, 0, 0xef, 0, 0]].concat();
        let jpeg = [&[0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0][..], &[0xff, 0xff, 0xc2, 0, 17, 8, 0, 240, 1, 64]]
            .concat();
        for (name, bytes, size) in [
            ("gif", &gif[..], (320, 240)),
            ("webp lossy", &lossy, (800, 240)),
            ("webp lossless", &lossless, (320, 240)),
            ("webp extended", &extended, (320, 240)),
            ("jpeg", &jpeg, (320, 240)),
        ] {
            assert_eq!(dimensions(bytes), Some(size), "{name}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_survived(mut bytes in prop::collection::vec(any::<u8>(), 0..200), kind in 0usize..5) {
            let start: &[u8] = [b"".as_slice(), b"\x89PNG\r\n\x1a\n", b"GIF89a", b"RIFF0000WEBPVP8X", b"\xff\xd8\xff"][kind];
            bytes.splice(0..0, start.iter().copied());
            dimensions(&bytes);
        }
    }
}
