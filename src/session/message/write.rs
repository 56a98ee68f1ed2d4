use super::{
    AssistantMessage, BashExecutionMessage, Content, ContentBlock, Cost, CustomMessage, DeferredHandle,
    Message, NestedCalls, RawField, StopReason, SystemMessage, ToolCall, ToolResultMessage, UsageReport,
};
use crate::format::JsObject;

impl Message {
    /// The message as JSON, its keys in pi's order and what is not known behind them. What a field holds as JSON is
    /// put in as it is.
    pub fn to_json(&self) -> String {
        let message = JsObject::default();
        let message = match self {
            Self::Other { role, .. } if role.is_empty() => message,
            _ => message.with_text("role", self.role()),
        };
        match self {
            Self::User(user) => message
                .with_some("content", user.content.as_ref().map(Content::to_json))
                .with_some_number("timestamp", user.timestamp)
                .with_other(&user.other),
            Self::Assistant(answer) => answer.write(message),
            Self::ToolResult(result) => result.write(message),
            Self::BashExecution(bash) => bash.write(message),
            Self::System(system) => system.write(message),
            Self::Custom(custom) => custom
                .write(message)
                .with_some_number("timestamp", custom.timestamp)
                .with_other(&custom.other),
            Self::CompactionSummary { summary, tokens_before, timestamp, other } => message
                .with_text("summary", summary)
                .with_some_number("tokensBefore", *tokens_before)
                .with_some_number("timestamp", *timestamp)
                .with_other(other),
            Self::BranchSummary { summary, from_id, timestamp, other } => message
                .with_text("summary", summary)
                .with_some_text("fromId", from_id.as_deref())
                .with_some_number("timestamp", *timestamp)
                .with_other(other),
            Self::Other { other, .. } => message.with_other(other),
        }
        .print()
    }
}

impl Content {
    /// The content as JSON.
    pub fn to_json(&self) -> String {
        match self {
            Self::Text(text) => text_json(text),
            Self::Blocks(blocks) => list(blocks.iter().map(ContentBlock::to_json)),
            Self::Odd(json) => json.clone(),
        }
    }
}

impl ContentBlock {
    /// The block as JSON.
    pub fn to_json(&self) -> String {
        let block = |kind| JsObject::default().with_text("type", kind);
        match self {
            Self::Text { text, signature, other } => block("text")
                .with_text("text", text)
                .with_some_text("textSignature", signature.as_deref())
                .with_other(other),
            Self::Thinking { thinking, signature, redacted, other } => block("thinking")
                .with_text("thinking", thinking)
                .with_some_text("thinkingSignature", signature.as_deref())
                .with_some_flag("redacted", *redacted)
                .with_other(other),
            Self::Image { data, mime_type, other } => {
                block("image").with_text("data", data).with_text("mimeType", mime_type).with_other(other)
            }
            Self::ToolCall(call) => call.write(block("toolCall")),
            Self::Odd(json) => return json.clone(),
        }
        .print()
    }
}

impl UsageReport {
    /// The report as JSON.
    pub fn to_json(&self) -> String {
        JsObject::default()
            .with_some_number("input", self.input)
            .with_some_number("output", self.output)
            .with_some_number("cacheRead", self.cache_read)
            .with_some_number("cacheWrite", self.cache_write)
            .with_some_number("cacheWrite1h", self.cache_write_1h)
            .with_some_number("reasoning", self.reasoning)
            .with_some_number("totalTokens", self.total_tokens)
            .with_some("cost", self.cost.as_ref().map(Cost::to_json))
            .with_other(&self.other)
            .print()
    }
}

impl Cost {
    fn to_json(&self) -> String {
        JsObject::default()
            .with_some_number("input", self.input)
            .with_some_number("output", self.output)
            .with_some_number("cacheRead", self.cache_read)
            .with_some_number("cacheWrite", self.cache_write)
            .with_some_number("total", self.total)
            .with_some_flag("totalFromProvider", self.total_from_provider)
            .with_other(&self.other)
            .print()
    }
}

impl StopReason {
    /// pi's word for it.
    pub fn word(&self) -> &str {
        match self {
            Self::Pending => "pending",
            Self::Stop => "stop",
            Self::Length => "length",
            Self::ToolUse => "toolUse",
            Self::Error => "error",
            Self::Aborted => "aborted",
            Self::Deferred => "deferred",
            Self::Other(word) => word,
        }
    }
}

impl AssistantMessage {
    fn write(&self, message: JsObject) -> JsObject {
        message
            .with_some("content", self.content.as_ref().map(Content::to_json))
            .with_some_text("api", self.api.as_deref())
            .with_some_text("provider", self.provider.as_deref())
            .with_some_text("model", self.model.as_deref())
            .with_some_text("responseModel", self.response_model.as_deref())
            .with_some_text("responseId", self.response_id.as_deref())
            .with_some_text("thinkingLevel", self.thinking_level.as_deref())
            .with_some_text("providerThinkingLevel", self.provider_thinking_level.as_deref())
            .with_some("diagnostics", some_list(&self.diagnostics))
            .with_some("usage", self.usage.as_ref().map(UsageReport::to_json))
            .with_some_text("stopReason", self.stop_reason.as_ref().map(StopReason::word))
            .with_some_text("rawStopReason", self.raw_stop_reason.as_deref())
            .with_some("deferred", self.deferred.as_ref().map(DeferredHandle::to_json))
            .with_some_text("errorMessage", self.error_message.as_deref())
            .with_some_flag("endTurn", self.end_turn)
            .with_some_number("timestamp", self.timestamp)
            .with_some_number("durationMs", self.duration_ms)
            .with_other(&self.other)
    }
}

impl DeferredHandle {
    fn to_json(&self) -> String {
        JsObject::default()
            .with_some_text("provider", self.provider.as_deref())
            .with_some_text("modelId", self.model_id.as_deref())
            .with_some_text("api", self.api.as_deref())
            .with_some_text("id", self.id.as_deref())
            .with_some_number("expiresAt", self.expires_at)
            .with_some_number("pollAfterMs", self.poll_after_ms)
            .with_some("data", self.data.as_deref())
            .with_other(&self.other)
            .print()
    }
}

impl ToolCall {
    fn write(&self, block: JsObject) -> JsObject {
        block
            .with_text("id", &self.id)
            .with_text("name", &self.name)
            .with("arguments", self.arguments.as_str())
            .with_some_text("thoughtSignature", self.thought_signature.as_deref())
            .with_some_text("namespace", self.namespace.as_deref())
            .with_some_text("argumentsError", self.arguments_error.as_deref())
            .with_other(&self.other)
    }
}

impl ToolResultMessage {
    fn write(&self, message: JsObject) -> JsObject {
        let names = self.added_tool_names.iter().map(|name| text_json(name));
        message
            .with_some_text("toolCallId", self.tool_call_id.as_deref())
            .with_some_text("toolName", self.tool_name.as_deref())
            .with_some("content", self.content.as_ref().map(Content::to_json))
            .with_some("details", self.details.as_deref())
            .with_some("usage", self.usage.as_ref().map(UsageReport::to_json))
            .with_some("nestedCalls", self.nested_calls.as_ref().map(NestedCalls::to_json))
            .with_some("addedToolNames", (!self.added_tool_names.is_empty()).then(|| list(names)))
            .with_some_flag("isError", self.is_error)
            .with_some_number("timestamp", self.timestamp)
            .with_some_number("durationMs", self.duration_ms)
            .with_other(&self.other)
    }
}

impl NestedCalls {
    fn to_json(&self) -> String {
        JsObject::default()
            .with("calls", list(self.calls.iter().cloned()))
            .with_some_flag("complete", self.complete)
            .with_other(&self.other)
            .print()
    }
}

impl BashExecutionMessage {
    fn write(&self, message: JsObject) -> JsObject {
        message
            .with_some_text("command", self.command.as_deref())
            .with_some_text("output", self.output.as_deref())
            .with_some_number("exitCode", self.exit_code)
            .with_some_flag("cancelled", self.cancelled)
            .with_some_flag("truncated", self.truncated)
            .with_some_text("fullOutputPath", self.full_output_path.as_deref())
            .with_some_number("timestamp", self.timestamp)
            .with_some_flag("excludeFromContext", self.exclude_from_context)
            .with_other(&self.other)
    }
}

impl SystemMessage {
    /// The message as JSON, also where it stands in a compaction.
    pub(crate) fn write(&self, message: JsObject) -> JsObject {
        let mut sections = JsObject::default();
        for (name, text) in &self.sections {
            sections.set(name, text.as_ref().map_or_else(|| "null".into(), |text| text_json(text)));
        }
        message
            .with_some("content", self.content.as_ref().map(Content::to_json))
            .with_some("sections", (!self.sections.is_empty()).then(|| sections.print()))
            .with_some("toolsAdded", some_list(&self.tools_added))
            .with_some("toolsRemoved", some_list(&self.tools_removed))
            .with_some_number("timestamp", self.timestamp)
            .with_other(&self.other)
    }
}

impl CustomMessage {
    /// All but the time, which a message and an entry have in different forms, and what is not known.
    fn write(&self, message: JsObject) -> JsObject {
        message
            .with_some_text("customType", self.custom_type.as_deref())
            .with_some("content", self.content.as_ref().map(Content::to_json))
            .with_some_flag("display", self.display)
            .with_some("details", self.details.as_deref())
    }
}

impl JsObject {
    fn with_other(self, other: &[RawField]) -> Self {
        other.iter().fold(self, |object, field| object.with(&field.name, field.json.as_str()))
    }
}

fn text_json(text: &str) -> String {
    let mut json = String::new();
    crate::format::js::quote(text, &mut json);
    json
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}

fn some_list(items: &[String]) -> Option<String> {
    (!items.is_empty()).then(|| list(items.iter().cloned()))
}
