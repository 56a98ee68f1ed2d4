use super::content::Content;
use super::fields::{Fields, RawField};
use super::usage::UsageReport;
use crate::format::json::Value;

/// An answer of the model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AssistantMessage {
    /// What it says, thinks and calls.
    pub content: Option<Content>,
    /// The interface by which the model was asked.
    pub api: Option<String>,
    /// The provider.
    pub provider: Option<String>,
    /// The model that was asked.
    pub model: Option<String>,
    /// The model that answered, where it is another.
    pub response_model: Option<String>,
    /// The provider's id of the response.
    pub response_id: Option<String>,
    /// The thinking level that was asked for.
    pub thinking_level: Option<String>,
    /// The provider's own word for it.
    pub provider_thinking_level: Option<String>,
    /// What went on behind the scenes, each note as JSON.
    pub diagnostics: Vec<String>,
    /// Tokens and cost.
    pub usage: Option<UsageReport>,
    /// Why it ended.
    pub stop_reason: Option<StopReason>,
    /// The provider's own word for that.
    pub raw_stop_reason: Option<String>,
    /// Where to fetch an answer that is deferred.
    pub deferred: Option<DeferredHandle>,
    /// What went wrong.
    pub error_message: Option<String>,
    /// Whether the model said that its turn is over.
    pub end_turn: Option<bool>,
    /// When the request started, in milliseconds since 1970.
    pub timestamp: Option<f64>,
    /// Milliseconds from then until the answer ended.
    pub duration_ms: Option<f64>,
    /// All other fields.
    pub other: Vec<RawField>,
}

/// Why an answer ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// `pending`: it has not.
    Pending,
    /// `stop`: everything was said.
    Stop,
    /// `length`: there was no room for more.
    Length,
    /// `toolUse`: tools are to be run.
    ToolUse,
    /// `error`: something went wrong.
    Error,
    /// `aborted`: the person stopped it.
    Aborted,
    /// `deferred`: it is to be fetched later.
    Deferred,
    /// Another word.
    Other(String),
}

/// By what a deferred answer is fetched.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeferredHandle {
    /// The provider.
    pub provider: Option<String>,
    /// The model.
    pub model_id: Option<String>,
    /// The interface.
    pub api: Option<String>,
    /// The provider's token.
    pub id: Option<String>,
    /// Until when it can be fetched, in milliseconds since 1970.
    pub expires_at: Option<f64>,
    /// How long to wait between two questions, in milliseconds.
    pub poll_after_ms: Option<f64>,
    /// What it takes to make a message of it, as JSON.
    pub data: Option<String>,
    /// All other fields.
    pub other: Vec<RawField>,
}

impl AssistantMessage {
    pub(super) fn of(mut fields: Fields<'_>) -> Self {
        Self {
            content: fields.take("content", super::some_content),
            api: fields.text("api"),
            provider: fields.text("provider"),
            model: fields.text("model"),
            response_model: fields.text("responseModel"),
            response_id: fields.text("responseId"),
            thinking_level: fields.text("thinkingLevel"),
            provider_thinking_level: fields.text("providerThinkingLevel"),
            diagnostics: fields.list("diagnostics", |note| Some(note.to_json())),
            usage: fields.take("usage", UsageReport::of),
            stop_reason: fields.text("stopReason").map(StopReason::of),
            raw_stop_reason: fields.text("rawStopReason"),
            deferred: fields.take("deferred", DeferredHandle::of),
            error_message: fields.text("errorMessage"),
            end_turn: fields.flag("endTurn"),
            timestamp: fields.number("timestamp"),
            duration_ms: fields.number("durationMs"),
            other: fields.rest(),
        }
    }
}

impl StopReason {
    fn of(word: String) -> Self {
        match word.as_str() {
            "pending" => Self::Pending,
            "stop" => Self::Stop,
            "length" => Self::Length,
            "toolUse" => Self::ToolUse,
            "error" => Self::Error,
            "aborted" => Self::Aborted,
            "deferred" => Self::Deferred,
            _ => Self::Other(word),
        }
    }
}

impl DeferredHandle {
    fn of(value: Value<'_>) -> Option<Self> {
        if !value.is_object() {
            return None;
        }
        let mut fields = Fields::of(value);
        Some(Self {
            provider: fields.text("provider"),
            model_id: fields.text("modelId"),
            api: fields.text("api"),
            id: fields.text("id"),
            expires_at: fields.number("expiresAt"),
            poll_after_ms: fields.number("pollAfterMs"),
            data: fields.json("data"),
            other: fields.rest(),
        })
    }
}
