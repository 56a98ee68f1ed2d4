use super::fields::{Fields, RawField};
use crate::format::json::{Shape, Value};

/// What a message says.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// A text.
    Text(String),
    /// Blocks, in order.
    Blocks(Vec<ContentBlock>),
    /// Neither, as JSON.
    Odd(String),
}

/// A block of a content.
#[derive(Clone, Debug, PartialEq)]
pub enum ContentBlock {
    /// Text.
    Text {
        /// The text.
        text: String,
        /// The provider's mark on it.
        signature: Option<String>,
        /// All other fields.
        other: Vec<RawField>,
    },
    /// A thought of the model.
    Thinking {
        /// Its text.
        thinking: String,
        /// The provider's mark on it; of a redacted thought, what was encrypted.
        signature: Option<String>,
        /// Whether the provider hid it.
        redacted: Option<bool>,
        /// All other fields.
        other: Vec<RawField>,
    },
    /// A picture.
    Image {
        /// Its bytes in base64.
        data: String,
        /// Its media type.
        mime_type: String,
        /// All other fields.
        other: Vec<RawField>,
    },
    /// A call of a tool.
    ToolCall(ToolCall),
    /// Anything else, as JSON.
    Odd(String),
}

/// A call of a tool, in either of the two shapes that exist: with `id`, `name` and `arguments`, or with `toolCallId`,
/// `toolName` and `input`.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// The id by which the result names it; empty where it has none.
    pub id: String,
    /// The tool; empty where it is not named.
    pub name: String,
    /// What the tool is called with, as JSON; `{}` where there is nothing.
    pub arguments: String,
    /// The provider's mark on it.
    pub thought_signature: Option<String>,
    /// The namespace of a tool that was loaded while running.
    pub namespace: Option<String>,
    /// What was wrong with the arguments that the model sent.
    pub arguments_error: Option<String>,
    /// All other fields.
    pub other: Vec<RawField>,
}

impl Content {
    /// Reads a content.
    pub fn of(value: Value<'_>) -> Self {
        match value.shape() {
            Shape::String => Self::Text(value.as_str().unwrap_or_default().into_owned()),
            Shape::Array => Self::Blocks(value.items().map(ContentBlock::of).collect()),
            _ => Self::Odd(value.to_json()),
        }
    }

    /// The text of all text blocks with `separator` between them.
    pub fn text(&self, separator: &str) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Blocks(blocks) => {
                let texts = blocks.iter().filter_map(|block| match block {
                    ContentBlock::Text { text, .. } => Some(text.as_str()),
                    _ => None,
                });
                texts.collect::<Vec<_>>().join(separator)
            }
            Self::Odd(_) => String::new(),
        }
    }
}

impl ContentBlock {
    fn of(value: Value<'_>) -> Self {
        Self::known(value).unwrap_or_else(|| Self::Odd(value.to_json()))
    }

    fn known(value: Value<'_>) -> Option<Self> {
        let mut fields = Fields::of(value);
        let kind = fields.text("type")?;
        Some(match kind.as_str() {
            "text" => Self::Text {
                text: fields.text("text")?,
                signature: fields.text("textSignature"),
                other: fields.rest(),
            },
            "thinking" => Self::Thinking {
                thinking: fields.text("thinking")?,
                signature: fields.text("thinkingSignature"),
                redacted: fields.flag("redacted"),
                other: fields.rest(),
            },
            "image" => Self::Image {
                data: fields.text("data")?,
                mime_type: fields.text("mimeType")?,
                other: fields.rest(),
            },
            "toolCall" => Self::ToolCall(ToolCall::of(fields)),
            _ => return None,
        })
    }
}

impl ToolCall {
    fn of(mut fields: Fields<'_>) -> Self {
        let mut either =
            |new: &str, old: &str| fields.text(new).or_else(|| fields.text(old)).unwrap_or_default();
        let (id, name) = (either("toolCallId", "id"), either("toolName", "name"));
        let arguments = fields.json("input").or_else(|| fields.json("arguments"));
        Self {
            id,
            name,
            arguments: arguments.unwrap_or_else(|| "{}".into()),
            thought_signature: fields.text("thoughtSignature"),
            namespace: fields.text("namespace"),
            arguments_error: fields.text("argumentsError"),
            other: fields.rest(),
        }
    }
}
