use crate::format::json::{Shape, Value};
use crate::format::{Block, Blocks, Diagnostic, Problem};

/// What is to be said of an entry with which pi cannot cope, whatever else the file holds: a field of a type at which
/// its list, its tree or its context fails. Here the entry is shown with what it has.
pub(crate) fn finding(entry: Value<'_>, line: u32) -> Option<Diagnostic> {
    let kind = entry.get_str("type")?;
    let what = match &*kind {
        "message" => in_message(entry.get("message").filter(|message| message.is_object())),
        "custom_message" => (!is_content(entry.get("content")))
            .then_some("has a content that is neither text nor blocks; pi's tree fails on it"),
        "session_info" => entry
            .get_some("name")
            .is_some_and(|name| name.shape() != Shape::String)
            .then_some("has a name that is no text; pi drops the session from its lists"),
        "context_edit" => {
            entry.get("replacement").is_none().then_some("says neither omit nor replace; pi fails on it")
        }
        _ => None,
    }?;
    Some(Diagnostic::new(line, Problem::OddField, format!("{kind} {what}")))
}

fn in_message(message: Option<Value<'_>>) -> Option<&'static str> {
    let Some(message) = message else { return Some("has no message; pi cannot build a context from it") };
    let content = message.get("content");
    let is_said = matches!(message.get_str("role").as_deref(), Some("user" | "assistant"));
    if is_said
        && content.is_some_and(|content| !is_content(Some(content)) || content.items().any(Value::is_null))
    {
        return Some("has a content that is neither text nor blocks; pi drops the session from its lists");
    }
    let lacks_arguments =
        |call: Value<'_>| call.get_some("arguments").or_else(|| call.get_some("input")).is_none();
    Blocks::of(content)
        .any(|block| matches!(block, Block::ToolCall(call) if lacks_arguments(call)))
        .then_some("calls a tool without arguments; pi's tree fails on it")
}

fn is_content(content: Option<Value<'_>>) -> bool {
    content.is_some_and(|content| matches!(content.shape(), Shape::String | Shape::Array))
}
