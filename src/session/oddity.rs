use crate::format::json::{Shape, Value};
use crate::format::{Block, Blocks, Kind, Role};

/// What pi cannot cope with in an entry, if anything.
pub(super) fn oddity(value: Value<'_>, kind: &Kind) -> Option<&'static str> {
    match kind {
        Kind::Message(message) => {
            if matches!(message.role, Role::Missing) {
                return Some("has no message; pi cannot build a context from it");
            }
            let content = value.get("message").and_then(|message| message.get("content"));
            let hides_session = match (&message.role, content) {
                (Role::User | Role::Assistant(_), Some(content)) => match content.shape() {
                    Shape::String => false,
                    Shape::Array => content.items().any(Value::is_null),
                    _ => true,
                },
                _ => false,
            };
            if hides_session {
                return Some(
                    "has a content that is neither text nor blocks; pi drops the session from its lists",
                );
            }
            let bad_call = Blocks::of(content).any(|block| match block {
                Block::ToolCall(call) => {
                    call.get_some("arguments").or_else(|| call.get_some("input")).is_none()
                }
                _ => false,
            });
            bad_call.then_some("calls a tool without arguments; pi's tree fails on it")
        }
        Kind::CustomMessage { .. } => value
            .get("content")
            .is_none_or(|content| !matches!(content.shape(), Shape::String | Shape::Array))
            .then_some("has a content that is neither text nor blocks; pi's tree fails on it"),
        Kind::SessionInfo { name: None } => value
            .get_some("name")
            .is_some()
            .then_some("has a name that is no text; pi drops the session from its lists"),
        Kind::ContextEdit { .. } => {
            value.get("replacement").is_none().then_some("says neither omit nor replace; pi fails on it")
        }
        _ => None,
    }
}
