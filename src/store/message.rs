use std::borrow::Cow;

use super::coerce;
use crate::format::json::{Shape, Value};

/// The content of a user or assistant message as the list of sessions reads it.
pub(super) enum Content<'t> {
    /// Its text: a string itself, or the text blocks joined by one blank. May be empty.
    Text(Cow<'t, str>),
    /// A shape at which pi's list fails, in words.
    Odd(&'static str),
}

impl Content<'_> {
    /// Looks at the shape alone, for messages whose text nobody wants.
    pub(super) fn without_text(content: Value<'_>) -> Self {
        odd_shape(content).map_or(Self::Text(Cow::Borrowed("")), Self::Odd)
    }
}

/// Reads a content. Joined texts are put together in `buffer`, which is there to be reused.
pub(super) fn content_of<'t>(content: Value<'t>, buffer: &'t mut String) -> Content<'t> {
    if let Some(odd) = odd_shape(content) {
        return Content::Odd(odd);
    }
    if let Some(text) = content.as_str() {
        return Content::Text(text);
    }
    buffer.clear();
    let blocks = content.items().filter(|block| block.get_str("type").as_deref() == Some("text"));
    for (at, block) in blocks.enumerate() {
        if at > 0 {
            buffer.push(' ');
        }
        buffer.push_str(&coerce::text(block.get("text")));
    }
    Content::Text(Cow::Borrowed(buffer))
}

fn odd_shape(content: Value<'_>) -> Option<&'static str> {
    match content.shape() {
        Shape::Array if content.items().any(Value::is_null) => Some("a null among the blocks of a message"),
        Shape::Array | Shape::String => None,
        Shape::Null => Some("the content of a message is null"),
        Shape::Object => Some("the content of a message is an object"),
        Shape::Bool | Shape::Number => Some("the content of a message is neither text nor blocks"),
    }
}
