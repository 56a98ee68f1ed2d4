use super::call::call_head;
use super::content::{Block, Blocks};
use super::gist::{Gist, one_line};
use super::head::{AssistantHead, EntryHead, Kind, MessageHead, Role};
use super::id::{EntryId, ParentRef};
use super::json::Value;
use super::usage::Usage;
use super::{coerce, js};

/// How much of a message's text pi's tree shows and searches, in UTF-16 units.
const TEXT_UNITS: usize = 200;
/// How much is kept of texts that pi does not cut: enough for a row of 300 columns.
const LONG_UNITS: usize = 300;
const ERROR_UNITS: usize = 80;

/// True for a line that pi drops without a word although it is JSON: `null`, `false`, `0`, `""`.
pub fn is_falsy_line(value: Value<'_>) -> bool {
    value.is_falsy()
}

/// Reads the head of an entry from its parsed line, which must be an object.
pub fn entry_head(value: Value<'_>, line: u32, offset: u64, length: u32) -> EntryHead {
    let word = value.get_some("type").map_or("object".into(), |word| coerce::text(Some(word)));
    let mut gist = Gist::default();
    let mut usage = value.get("usage").filter(|usage| usage.is_object());
    let kind = match &*word {
        "message" => {
            let message = value.get("message").filter(|message| message.is_object());
            usage = message.and_then(|message| message.get("usage")).filter(|usage| usage.is_object());
            Kind::Message(message_head(message, &mut gist))
        }
        "custom_message" => {
            let content = value.get("content");
            // pi cuts an array's text only in its search, a string's nowhere.
            gist = Gist::of_content(content, LONG_UNITS);
            Kind::CustomMessage {
                custom_type: coerce::inserted(value.get("customType")).into(),
                display: value.get("display").is_some_and(|display| !display.is_falsy()),
            }
        }
        "compaction" => {
            gist = Gist::of_text(value.get("summary"), LONG_UNITS);
            Kind::Compaction {
                tokens_before: value.get_f64("tokensBefore").unwrap_or(0.0),
                first_kept: value.get_some("firstKeptEntryId").map(EntryId::of),
                first_kept_index: value.get_f64("firstKeptEntryIndex"),
            }
        }
        "branch_summary" => {
            // pi sends a summary of mere white space, so its gist is not empty either.
            gist = Gist::of_text(value.get("summary"), LONG_UNITS)
                .blank_if(has_characters(value.get("summary")));
            Kind::BranchSummary
        }
        "model_change" => {
            gist = Gist::of_word(value.get("modelId"));
            Kind::ModelChange { provider: text(value.get("provider")), model: text(value.get("modelId")) }
        }
        "thinking_level_change" => {
            gist = Gist::of_word(value.get("thinkingLevel"));
            Kind::ThinkingLevelChange { level: text(value.get("thinkingLevel")) }
        }
        "custom" => Kind::Custom { custom_type: coerce::inserted(value.get("customType")).into() },
        "context_edit" => Kind::ContextEdit {
            target: target(value),
            omits: value.get("replacement").is_some_and(Value::is_null),
        },
        "label" => {
            let label = value.get_some("label");
            gist = label.map_or_else(|| Gist::whole("(cleared)"), |label| Gist::of_word(Some(label)));
            Kind::Label {
                target: target(value),
                label: label.filter(|label| !label.is_falsy()).map(|label| coerce::text(Some(label)).into()),
            }
        }
        "session_info" => {
            let name = value.get("name").filter(|name| !name.is_falsy());
            gist = name.map_or_else(|| Gist::whole("empty"), |name| Gist::of_word(Some(name)));
            Kind::SessionInfo { name: value.get_str("name").map(|name| Box::from(&*name)) }
        }
        "usage" => Kind::Usage { model: model_name(value.get("provider"), value.get("model")) },
        other => {
            usage = None;
            Kind::Unknown(other.into())
        }
    };
    EntryHead {
        offset,
        length,
        line,
        id: value.get("id").map(EntryId::of),
        parent: ParentRef::of(value.get("parentId")),
        time: coerce::date(value.get("timestamp")),
        kind,
        gist: gist.text.into(),
        gist_is_cut: gist.is_cut,
        usage: usage.map(|usage| Box::new(Usage::of(usage))),
    }
}

fn message_head(message: Option<Value<'_>>, gist: &mut Gist) -> MessageHead {
    let Some(message) = message else { return MessageHead { role: Role::Missing, time: None } };
    let content = message.get("content");
    let time = message.get_f64("timestamp").and_then(js::date_from_number);
    let role = match &*coerce::inserted(message.get("role")) {
        "user" => Role::User,
        "assistant" => Role::Assistant(Box::new(assistant_head(message, content))),
        "toolResult" => Role::ToolResult {
            call_id: text(message.get("toolCallId")),
            tool_name: message.get_some("toolName").map_or("tool".into(), |name| text(Some(name))),
            is_error: message.get("isError").and_then(Value::as_bool) == Some(true),
        },
        "bashExecution" => {
            *gist = Gist::of_text(message.get("command"), LONG_UNITS);
            return MessageHead {
                role: Role::BashExecution {
                    excluded: message.get("excludeFromContext").is_some_and(|flag| !flag.is_falsy()),
                },
                time,
            };
        }
        "system" => Role::System,
        other => Role::Other(other.into()),
    };
    *gist = Gist { is_cut: false, ..Gist::of_content(content, TEXT_UNITS) };
    MessageHead { role, time }
}

fn assistant_head(message: Value<'_>, content: Option<Value<'_>>) -> AssistantHead {
    let mut has_text = false;
    let mut calls = Vec::new();
    for block in Blocks::of(content) {
        match block {
            Block::Text(Some(value)) if !has_text => has_text = !is_blank(value),
            Block::ToolCall(call) => calls.push(call_head(call)),
            _ => {}
        }
    }
    let optional = |key: &str| message.get_str(key).map(|value| Box::from(&*value));
    AssistantHead {
        provider: optional("provider"),
        model: optional("model"),
        response_model: optional("responseModel"),
        stop_reason: optional("stopReason"),
        error: message
            .get("errorMessage")
            .and_then(|error| error.str_prefix(ERROR_UNITS))
            .map(|(error, _)| Gist::whole(&one_line(&error)).blank_if(!error.is_empty()).text.into())
            .unwrap_or_default(),
        has_text,
        calls: calls.into(),
    }
}

/// Reads a string no further than its first character that is not white space.
fn is_blank(value: Value<'_>) -> bool {
    let mut units = 64;
    while let Some((head, whole)) = value.str_prefix(units) {
        if whole || !js::is_blank(&head) {
            return js::is_blank(&head);
        }
        units *= 8;
    }
    true
}

/// A tool call in the words of its result's row: the rules of pi's tree, tool by tool.
fn has_characters(text: Option<Value<'_>>) -> bool {
    text.is_some_and(|text| text.str_bytes() > 0)
}

fn target(value: Value<'_>) -> EntryId {
    value.get("targetId").map_or_else(|| EntryId::from(""), EntryId::of)
}

fn text(value: Option<Value<'_>>) -> Box<str> {
    coerce::text(value).into()
}

fn model_name(provider: Option<Value<'_>>, model: Option<Value<'_>>) -> Box<str> {
    format!("{}/{}", coerce::inserted(provider), coerce::inserted(model)).into()
}
