use crate::format::{AssistantHead, EntryHead, Kind, Role};

/// How a branch ended, by its last entry that is not bookkeeping.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// Nothing was said.
    #[default]
    Silent,
    /// With an answer.
    Answered,
    /// With a prompt or an extension's message that nobody answered.
    Unanswered,
    /// While tools were at work.
    InTools,
    /// With a command the person ran.
    InCommand,
    /// With an answer that failed.
    Failed,
    /// With an answer that the person stopped.
    Aborted,
    /// With an answer that ran out of tokens.
    CutShort,
    /// With a summary.
    Summary,
}

impl Ending {
    /// It in words, as they stand in a list of facts.
    pub fn words(self) -> &'static str {
        match self {
            Self::Silent => "nothing said",
            Self::Answered => "answered",
            Self::Unanswered => "not answered",
            Self::InTools => "ended amid tools",
            Self::InCommand => "ended in a command",
            Self::Failed => "ended in error",
            Self::Aborted => "aborted",
            Self::CutShort => "cut short",
            Self::Summary => "ended in a summary",
        }
    }

    /// Whether something went wrong.
    pub fn is_bad(self) -> bool {
        matches!(self, Self::Failed | Self::Aborted | Self::CutShort)
    }

    /// What an entry says of how the branch ends that it is the last of; nothing, where it is bookkeeping.
    pub(super) fn of(head: &EntryHead) -> Option<Self> {
        let of_answer = |answer: &AssistantHead| match answer.stop_reason.as_deref() {
            Some("error") => Self::Failed,
            Some("aborted") => Self::Aborted,
            Some("length") => Self::CutShort,
            _ if answer.calls.is_empty() => Self::Answered,
            _ => Self::InTools,
        };
        Some(match &head.kind {
            Kind::Message(message) => match &message.role {
                Role::User | Role::Other(_) => Self::Unanswered,
                Role::Assistant(answer) => of_answer(answer),
                Role::ToolResult { .. } => Self::InTools,
                Role::BashExecution { .. } => Self::InCommand,
                Role::System | Role::Missing => return None,
            },
            Kind::CustomMessage { .. } => Self::Unanswered,
            Kind::Compaction { .. } | Kind::BranchSummary => Self::Summary,
            _ => return None,
        })
    }
}
