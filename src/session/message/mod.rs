//! Messages with all their fields, typed as pi types them.
//!
//! Files are written by many versions of pi and by other programs, so every field may be missing. One that is not known,
//! or that is of another type than pi gives it, is kept as JSON in `other`: nothing of a message is lost.

mod assistant;
mod content;
mod fields;
mod usage;
mod write;

pub use assistant::{AssistantMessage, DeferredHandle, StopReason};
pub use content::{Content, ContentBlock, ToolCall};
pub(crate) use fields::Fields;
pub use fields::RawField;
pub use usage::{Cost, UsageReport};

use crate::format::json::{Shape, Value};

/// A message by its role.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// `user`: what the person wrote.
    User(UserMessage),
    /// `assistant`: what the model answered.
    Assistant(Box<AssistantMessage>),
    /// `toolResult`: what a tool answered.
    ToolResult(Box<ToolResultMessage>),
    /// `bashExecution`: a command the person ran.
    BashExecution(BashExecutionMessage),
    /// `system`: instructions and tools.
    System(SystemMessage),
    /// `custom`: an extension's message.
    Custom(CustomMessage),
    /// `compactionSummary`: what stands for the entries that a compaction replaced.
    CompactionSummary {
        /// The summary.
        summary: String,
        /// Tokens in the context before it.
        tokens_before: Option<f64>,
        /// Milliseconds since 1970.
        timestamp: Option<f64>,
        /// All other fields.
        other: Vec<RawField>,
    },
    /// `branchSummary`: what stands for a branch that was left.
    BranchSummary {
        /// The summary.
        summary: String,
        /// The end of the branch that was left.
        from_id: Option<String>,
        /// Milliseconds since 1970.
        timestamp: Option<f64>,
        /// All other fields.
        other: Vec<RawField>,
    },
    /// Any other role, or none.
    Other {
        /// The role; empty where there is none.
        role: String,
        /// All fields.
        other: Vec<RawField>,
    },
}

/// What the person wrote.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UserMessage {
    /// The prompt.
    pub content: Option<Content>,
    /// Milliseconds since 1970.
    pub timestamp: Option<f64>,
    /// All other fields.
    pub other: Vec<RawField>,
}

/// What a tool answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolResultMessage {
    /// The call it answers.
    pub tool_call_id: Option<String>,
    /// The tool.
    pub tool_name: Option<String>,
    /// What the model is told.
    pub content: Option<Content>,
    /// What only people are shown, as JSON.
    pub details: Option<String>,
    /// Tokens and cost of the tool itself.
    pub usage: Option<UsageReport>,
    /// The calls that the tool itself made.
    pub nested_calls: Option<NestedCalls>,
    /// Tools that may be called from here on.
    pub added_tool_names: Vec<String>,
    /// Whether the tool failed.
    pub is_error: Option<bool>,
    /// Milliseconds since 1970.
    pub timestamp: Option<f64>,
    /// How long it took, in milliseconds.
    pub duration_ms: Option<f64>,
    /// All other fields.
    pub other: Vec<RawField>,
}

/// The calls that a tool made to other tools.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NestedCalls {
    /// The calls, each as JSON.
    pub calls: Vec<String>,
    /// Whether all of them are there, with their arguments, and ended.
    pub complete: Option<bool>,
    /// All other fields.
    pub other: Vec<RawField>,
}

/// A command the person ran.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BashExecutionMessage {
    /// The command.
    pub command: Option<String>,
    /// What it printed.
    pub output: Option<String>,
    /// Its exit status.
    pub exit_code: Option<f64>,
    /// Whether the person stopped it.
    pub cancelled: Option<bool>,
    /// Whether the output was cut.
    pub truncated: Option<bool>,
    /// Where the whole output is.
    pub full_output_path: Option<String>,
    /// Whether the model is not told (`!!`).
    pub exclude_from_context: Option<bool>,
    /// Milliseconds since 1970.
    pub timestamp: Option<f64>,
    /// All other fields.
    pub other: Vec<RawField>,
}

/// Instructions to the model, and tools that come and go.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SystemMessage {
    /// The instructions.
    pub content: Option<Content>,
    /// Named parts of the prompt in order; `None` takes one away.
    pub sections: Vec<(String, Option<String>)>,
    /// Declarations of tools that come, as JSON.
    pub tools_added: Vec<String>,
    /// Tools that go, as JSON.
    pub tools_removed: Vec<String>,
    /// Milliseconds since 1970.
    pub timestamp: Option<f64>,
    /// All other fields.
    pub other: Vec<RawField>,
}

/// An extension's message.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CustomMessage {
    /// The extension's name for it.
    pub custom_type: Option<String>,
    /// What the model is told.
    pub content: Option<Content>,
    /// Whether pi shows it.
    pub display: Option<bool>,
    /// What the model is not told, as JSON.
    pub details: Option<String>,
    /// Milliseconds since 1970.
    pub timestamp: Option<f64>,
    /// All other fields.
    pub other: Vec<RawField>,
}

impl Message {
    /// Reads a message as it is stored.
    pub fn of(value: Value<'_>) -> Self {
        let mut fields = Fields::of(value);
        let role = fields.text("role").unwrap_or_default();
        Self::of_role(&role, fields)
    }

    /// Reads the fields of a message in a role that is known otherwise.
    pub(super) fn of_role(role: &str, mut fields: Fields<'_>) -> Self {
        match role {
            "user" => Self::User(UserMessage {
                content: fields.take("content", some_content),
                timestamp: fields.number("timestamp"),
                other: fields.rest(),
            }),
            "assistant" => Self::Assistant(Box::new(AssistantMessage::of(fields))),
            "toolResult" => Self::ToolResult(Box::new(ToolResultMessage {
                tool_call_id: fields.text("toolCallId"),
                tool_name: fields.text("toolName"),
                content: fields.take("content", some_content),
                details: fields.json("details"),
                usage: fields.take("usage", UsageReport::of),
                nested_calls: fields.take("nestedCalls", NestedCalls::of),
                added_tool_names: fields
                    .list("addedToolNames", |name| name.as_str().map(std::borrow::Cow::into_owned)),
                is_error: fields.flag("isError"),
                timestamp: fields.number("timestamp"),
                duration_ms: fields.number("durationMs"),
                other: fields.rest(),
            })),
            "bashExecution" => Self::BashExecution(BashExecutionMessage {
                command: fields.text("command"),
                output: fields.text("output"),
                exit_code: fields.number("exitCode"),
                cancelled: fields.flag("cancelled"),
                truncated: fields.flag("truncated"),
                full_output_path: fields.text("fullOutputPath"),
                exclude_from_context: fields.flag("excludeFromContext"),
                timestamp: fields.number("timestamp"),
                other: fields.rest(),
            }),
            "system" => Self::System(SystemMessage {
                content: fields.take("content", some_content),
                sections: fields.take("sections", sections).unwrap_or_default(),
                tools_added: fields.list("toolsAdded", |tool| Some(tool.to_json())),
                tools_removed: fields.list("toolsRemoved", |tool| Some(tool.to_json())),
                timestamp: fields.number("timestamp"),
                other: fields.rest(),
            }),
            "custom" => {
                let timestamp = fields.number("timestamp");
                Self::Custom(CustomMessage { timestamp, ..CustomMessage::of(fields) })
            }
            "compactionSummary" => Self::CompactionSummary {
                summary: fields.text("summary").unwrap_or_default(),
                tokens_before: fields.number("tokensBefore"),
                timestamp: fields.number("timestamp"),
                other: fields.rest(),
            },
            "branchSummary" => Self::BranchSummary {
                summary: fields.text("summary").unwrap_or_default(),
                from_id: fields.text("fromId"),
                timestamp: fields.number("timestamp"),
                other: fields.rest(),
            },
            role => Self::Other { role: role.to_owned(), other: fields.rest() },
        }
    }

    /// pi's word for the role; empty where there is none.
    pub fn role(&self) -> &str {
        match self {
            Self::User(_) => "user",
            Self::Assistant(_) => "assistant",
            Self::ToolResult(_) => "toolResult",
            Self::BashExecution(_) => "bashExecution",
            Self::System(_) => "system",
            Self::Custom(_) => "custom",
            Self::CompactionSummary { .. } => "compactionSummary",
            Self::BranchSummary { .. } => "branchSummary",
            Self::Other { role, .. } => role,
        }
    }

    /// What it says, where it has a content.
    pub fn content(&self) -> Option<&Content> {
        match self {
            Self::User(message) => message.content.as_ref(),
            Self::Assistant(message) => message.content.as_ref(),
            Self::ToolResult(message) => message.content.as_ref(),
            Self::System(message) => message.content.as_ref(),
            Self::Custom(message) => message.content.as_ref(),
            _ => None,
        }
    }

    /// Where its content stands, for the roles that have one.
    pub(super) fn content_mut(&mut self) -> Option<&mut Option<Content>> {
        match self {
            Self::User(message) => Some(&mut message.content),
            Self::Assistant(message) => Some(&mut message.content),
            Self::ToolResult(message) => Some(&mut message.content),
            Self::System(message) => Some(&mut message.content),
            Self::Custom(message) => Some(&mut message.content),
            _ => None,
        }
    }
}

impl CustomMessage {
    /// Reads all fields but the time, which a message and an entry have in different forms.
    pub(super) fn of(mut fields: Fields<'_>) -> Self {
        Self {
            custom_type: fields.text("customType"),
            content: fields.take("content", some_content),
            display: fields.flag("display"),
            details: fields.json("details"),
            timestamp: None,
            other: fields.rest(),
        }
    }
}

impl NestedCalls {
    fn of(value: Value<'_>) -> Option<Self> {
        if !value.is_object() {
            return None;
        }
        let mut fields = Fields::of(value);
        Some(Self {
            calls: fields.list("calls", |call| Some(call.to_json())),
            complete: fields.flag("complete"),
            other: fields.rest(),
        })
    }
}

/// A content; none where it is null.
pub(super) fn some_content(value: Value<'_>) -> Option<Content> {
    (!value.is_null()).then(|| Content::of(value))
}

fn sections(value: Value<'_>) -> Option<Vec<(String, Option<String>)>> {
    let text = |value: Value<'_>| match value.shape() {
        Shape::Null => Some(None),
        Shape::String => value.as_str().map(|text| Some(text.into_owned())),
        _ => None,
    };
    if !value.is_object() {
        return None;
    }
    value.members().into_iter().map(|(name, value)| Some((name.into_owned(), text(value)?))).collect()
}

#[cfg(test)]
mod tests;
