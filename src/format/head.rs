use super::call::CallHead;
use super::id::{EntryId, ParentRef};
use super::usage::Usage;

/// What is known of an entry without reading its line again: where it stands, what it hangs below, and
/// enough text for its row in the tree. Its size does not depend on the size of the line.
#[derive(Clone, Debug, PartialEq)]
pub struct EntryHead {
    /// Byte offset of the line.
    pub offset: u64,
    /// Length of the line in bytes, line end excluded.
    pub length: u32,
    /// Line number from 1.
    pub line: u32,
    /// The entry's own id, if it has one.
    pub id: Option<EntryId>,
    /// What it says about its parent.
    pub parent: ParentRef,
    /// Its time in milliseconds since 1970, where that can be read.
    pub time: Option<i64>,
    /// What it is.
    pub kind: Kind,
    /// The text pi's tree shows for it: cut as pi cuts, line breaks and tabs as blanks, trimmed.
    pub gist: Box<str>,
    /// Whether the line holds more text than the gist although pi shows and searches all of it.
    pub gist_is_cut: bool,
    /// Tokens and cost that count towards the totals.
    pub usage: Option<Box<Usage>>,
}

/// What an entry is. The names are pi's.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `message`
    Message(MessageHead),
    /// `custom_message`: an extension's message, sent to the model.
    CustomMessage {
        /// The extension's name for it.
        custom_type: Box<str>,
        /// Whether pi shows it in the transcript.
        display: bool,
    },
    /// `compaction`
    Compaction {
        /// Tokens in the context before it.
        tokens_before: f64,
        /// The entry from which the old messages are kept.
        first_kept: Option<EntryId>,
        /// Version 1: the number of that entry among all parsed lines, the header being 0.
        first_kept_index: Option<f64>,
    },
    /// `branch_summary`
    BranchSummary,
    /// `model_change`
    ModelChange {
        /// The provider.
        provider: Box<str>,
        /// The model.
        model: Box<str>,
    },
    /// `thinking_level_change`
    ThinkingLevelChange {
        /// The level from here on.
        level: Box<str>,
    },
    /// `custom`: an extension's own data, never sent.
    Custom {
        /// The extension's name for it.
        custom_type: Box<str>,
    },
    /// `context_edit`: omits or replaces an earlier entry in the context.
    ContextEdit {
        /// The entry it acts on.
        target: EntryId,
        /// True when it omits, false when it replaces.
        omits: bool,
    },
    /// `label`
    Label {
        /// The entry that is labelled.
        target: EntryId,
        /// The text; `None` where it clears: the key is absent, or holds nothing.
        label: Option<Box<str>>,
    },
    /// `session_info`
    SessionInfo {
        /// The name as written, if it is a string.
        name: Option<Box<str>>,
    },
    /// `usage`: tokens spent outside a message.
    Usage {
        /// `provider/model`.
        model: Box<str>,
    },
    /// Any other type, by its name; `object` where there is none.
    Unknown(Box<str>),
}

impl Kind {
    /// pi's word for the type.
    pub fn word(&self) -> &str {
        match self {
            Self::Message(_) => "message",
            Self::CustomMessage { .. } => "custom_message",
            Self::Compaction { .. } => "compaction",
            Self::BranchSummary => "branch_summary",
            Self::ModelChange { .. } => "model_change",
            Self::ThinkingLevelChange { .. } => "thinking_level_change",
            Self::Custom { .. } => "custom",
            Self::ContextEdit { .. } => "context_edit",
            Self::Label { .. } => "label",
            Self::SessionInfo { .. } => "session_info",
            Self::Usage { .. } => "usage",
            Self::Unknown(word) => word,
        }
    }

    /// The role, for messages.
    pub fn role(&self) -> Option<&Role> {
        match self {
            Self::Message(message) => Some(&message.role),
            _ => None,
        }
    }
}

/// What is kept of a message.
#[derive(Clone, Debug, PartialEq)]
pub struct MessageHead {
    /// Who speaks.
    pub role: Role,
    /// The message's own time, where it is a number.
    pub time: Option<i64>,
}

/// The role of a message, with what its row needs.
#[derive(Clone, Debug, PartialEq)]
pub enum Role {
    /// The person.
    User,
    /// The model.
    Assistant(Box<AssistantHead>),
    /// What a tool answered.
    ToolResult {
        /// The call it answers.
        call_id: Box<str>,
        /// The tool; `tool` where the message does not say.
        tool_name: Box<str>,
        /// Whether the tool failed.
        is_error: bool,
    },
    /// A command the person ran.
    BashExecution {
        /// Whether it is kept out of the context (`!!`).
        excluded: bool,
    },
    /// Instructions to the model.
    System,
    /// Any other role, by its name: `custom`, `hookMessage` and unknown ones; `undefined` where there is none.
    Other(Box<str>),
    /// The entry has no message object.
    Missing,
}

impl Role {
    /// pi's word for the role.
    pub fn word(&self) -> &str {
        match self {
            Self::User => "user",
            Self::Assistant(_) => "assistant",
            Self::ToolResult { .. } => "toolResult",
            Self::BashExecution { .. } => "bashExecution",
            Self::System => "system",
            Self::Other(word) => word,
            Self::Missing => "",
        }
    }
}

/// What is kept of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct AssistantHead {
    /// The provider.
    pub provider: Option<Box<str>>,
    /// The model that was asked.
    pub model: Option<Box<str>>,
    /// The model that answered, where it is another.
    pub response_model: Option<Box<str>>,
    /// Why it stopped.
    pub stop_reason: Option<Box<str>>,
    /// The first 80 units of the error message, on one line; one blank where it is all white space.
    pub error: Box<str>,
    /// Whether it has a text that is not blank.
    pub has_text: bool,
    /// The tools it called.
    pub calls: Box<[CallHead]>,
}

impl AssistantHead {
    /// Whether it has nothing to say besides the tools it calls, so that pi's tree leaves it out.
    pub fn is_mere_tool_use(&self) -> bool {
        !self.has_text && matches!(self.stop_reason.as_deref(), None | Some("" | "stop" | "toolUse"))
    }
}
