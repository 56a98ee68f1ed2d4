use std::borrow::Cow;

use crate::format::json::{Shape, Value};
use crate::format::{Block, Blocks};

/// The texts of an entry that a person could look for: what was said and thought, what tools were called with and
/// answered, summaries, labels and names. Ids, signatures and the data of pictures are none.
pub(super) fn pieces(entry: Value<'_>) -> Vec<Cow<'_, str>> {
    let mut pieces = Vec::new();
    match entry.get_str("type").as_deref() {
        Some("message") => {
            let Some(message) = entry.get("message") else { return pieces };
            for key in ["command", "output", "summary", "errorMessage"] {
                pieces.extend(message.get_str(key));
            }
            add_content(message, &mut pieces);
        }
        Some("custom_message") => add_content(entry, &mut pieces),
        Some("compaction" | "branch_summary") => pieces.extend(entry.get_str("summary")),
        Some("label") => pieces.extend(entry.get_str("label")),
        Some("session_info") => pieces.extend(entry.get_str("name")),
        _ => {}
    }
    pieces
}

fn add_content<'t>(message: Value<'t>, pieces: &mut Vec<Cow<'t, str>>) {
    for block in Blocks::of(message.get("content")) {
        match block {
            Block::Text(text) => pieces.extend(text.and_then(Value::as_str)),
            Block::Thinking(block) => pieces.extend(block.get_str("thinking")),
            Block::ToolCall(call) => {
                pieces.extend(call.get_str("name"));
                add_strings(call.get("arguments").or_else(|| call.get("input")), pieces);
            }
            Block::Image(_) | Block::Other(_) => {}
        }
    }
}

/// All strings inside a value, in file order.
fn add_strings<'t>(value: Option<Value<'t>>, pieces: &mut Vec<Cow<'t, str>>) {
    let mut open: Vec<Value<'_>> = value.into_iter().collect();
    while let Some(value) = open.pop() {
        let before = open.len();
        match value.shape() {
            Shape::String => pieces.extend(value.as_str()),
            Shape::Array => open.extend(value.items()),
            Shape::Object => open.extend(value.members().into_iter().map(|(_, value)| value)),
            Shape::Null | Shape::Bool | Shape::Number => {}
        }
        open[before..].reverse();
    }
}
