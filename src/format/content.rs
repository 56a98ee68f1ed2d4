use std::borrow::Cow;

use super::json::{Shape, Value};

/// One block of a message's content.
#[derive(Clone, Copy, Debug)]
pub enum Block<'t> {
    /// Text; a block without text counts as empty.
    Text(Option<Value<'t>>),
    /// What the model thought.
    Thinking(Value<'t>),
    /// A call of a tool, in either of the two shapes that exist.
    ToolCall(Value<'t>),
    /// A picture.
    Image(Value<'t>),
    /// Anything else.
    Other(Value<'t>),
}

/// The blocks of a `content` value. A plain string is one text block; what is neither string nor array has none.
#[derive(Clone)]
pub enum Blocks<'t> {
    /// A plain string, not yet handed out.
    One(Value<'t>),
    /// An array.
    Many(super::json::Items<'t>),
    /// Nothing left.
    None,
}

impl<'t> Blocks<'t> {
    /// The blocks of a content value that may be absent.
    pub fn of(content: Option<Value<'t>>) -> Self {
        match content {
            Some(value) if value.shape() == Shape::String => Self::One(value),
            Some(value) if value.shape() == Shape::Array => Self::Many(value.items()),
            _ => Self::None,
        }
    }
}

impl<'t> Iterator for Blocks<'t> {
    type Item = Block<'t>;

    fn next(&mut self) -> Option<Block<'t>> {
        match self {
            Self::None => None,
            Self::One(value) => {
                let value = *value;
                *self = Self::None;
                Some(Block::Text(Some(value)))
            }
            Self::Many(items) => {
                let item = items.next()?;
                Some(match item.get_str("type").as_deref() {
                    Some("text") => {
                        Block::Text(item.get("text").filter(|text| text.shape() == Shape::String))
                    }
                    Some("thinking") => Block::Thinking(item),
                    Some("toolCall") => Block::ToolCall(item),
                    Some("image") => Block::Image(item),
                    _ => Block::Other(item),
                })
            }
        }
    }
}

/// The text blocks of a content value, in order.
pub fn text_blocks(content: Option<Value<'_>>) -> impl Iterator<Item = Cow<'_, str>> {
    Blocks::of(content).filter_map(|block| match block {
        Block::Text(text) => Some(text.and_then(Value::as_str).unwrap_or_default()),
        _ => None,
    })
}

/// The text blocks of a content value joined by `separator`.
pub fn joined_text(content: Option<Value<'_>>, separator: &str) -> String {
    let mut out = String::new();
    for (at, text) in text_blocks(content).enumerate() {
        if at > 0 {
            out.push_str(separator);
        }
        out.push_str(&text);
    }
    out
}
