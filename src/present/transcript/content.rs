use super::page::{Page, Setting};
use crate::format::json::{Shape, Value};
use crate::format::{Block, Blocks, js};
use crate::present::image::ImageFacts;
use crate::present::row::{Row, Tone};

/// Rows that a block of an unknown kind gets inside a message.
const UNKNOWN_ROWS: usize = 12;

/// Writes the content of a message that is no answer: texts, pictures, and whatever else is in it.
pub(super) fn content(page: &mut Page, content: Option<Value<'_>>, setting: Setting) {
    let before = page.len();
    match content {
        Some(value) if !matches!(value.shape(), Shape::String | Shape::Array | Shape::Null) => {
            page.json(value);
        }
        content => {
            for block in Blocks::of(content) {
                match block {
                    Block::Text(Some(text)) if !is_blank(text) => page.string(text, setting),
                    Block::Text(_) => {}
                    Block::Image(image) => picture(page, image),
                    Block::Thinking(value) | Block::ToolCall(value) | Block::Other(value) => {
                        unknown(page, value);
                    }
                }
            }
        }
    }
    if page.len() == before {
        page.remark(if matches!(setting, Setting::Output(_)) { "(no output)" } else { "(empty)" });
    }
}

/// Whether a text shows nothing.
pub(super) fn is_blank(text: Value<'_>) -> bool {
    const LOOKED_AT: usize = 200;
    text.str_prefix(LOOKED_AT).is_some_and(|(start, is_whole)| is_whole && js::is_blank(&start))
}

/// Writes the line of a picture: type, size and dimensions. Below it there is room for the picture.
pub(super) fn picture(page: &mut Page, image: Value<'_>) {
    let facts = ImageFacts::of(image);
    page.row(Row::new().text("▣ ", Tone::Faint).text(facts.to_string(), Tone::Dim));
    page.room_for_picture(facts.pixels);
}

/// Writes a block of a kind that is not known.
pub(super) fn unknown(page: &mut Page, value: Value<'_>) {
    page.limited(UNKNOWN_ROWS, |page| page.json(value));
}
