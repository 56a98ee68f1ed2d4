use std::borrow::Cow;

use super::coerce;
use crate::format::json::{Shape, Value};

/// Whether pi's list copes with the content of a user or assistant message.
pub(super) fn is_readable(content: Value<'_>) -> bool {
    match content.shape() {
        Shape::Array => !content.items().any(Value::is_null),
        shape => shape == Shape::String,
    }
}

/// The text of such a content as pi's list reads it: a string itself, or the text blocks joined by one blank. May be
/// empty. Joined texts are put together in `buffer`, which is there to be reused.
pub(super) fn text_of<'t>(content: Value<'t>, buffer: &'t mut String) -> Cow<'t, str> {
    if let Some(text) = content.as_str() {
        return text;
    }
    buffer.clear();
    let blocks = content.items().filter(|block| block.get_str("type").as_deref() == Some("text"));
    for (at, block) in blocks.enumerate() {
        if at > 0 {
            buffer.push(' ');
        }
        buffer.push_str(&coerce::text(block.get("text")));
    }
    Cow::Borrowed(buffer)
}
