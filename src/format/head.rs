use super::coerce;
use super::content::{Block, Blocks};
use super::id::{EntryId, ParentRef};
use super::js;
use super::json::Value;

/// How much of a message's text pi's tree shows and searches, in UTF-16 units.
const TEXT_UNITS: usize = 200;
/// How much is kept of texts that pi does not cut: enough for a row of 300 columns.
const LONG_UNITS: usize = 300;
const ERROR_UNITS: usize = 80;
const COMMAND_UNITS: usize = 50;
const ARGUMENT_UNITS: usize = 40;

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

/// A tool call as its result's row shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct CallHead {
    /// The id that the result refers to.
    pub id: Box<str>,
    /// The tool.
    pub name: Box<str>,
    /// What stands before the path, or all of it.
    pub before: Box<str>,
    /// A path, to be shown with the home directory shortened.
    pub path: ToolPath,
    /// What stands behind the path.
    pub after: Box<str>,
}

/// The path in a tool call's row.
pub type ToolPath = Option<Box<str>>;

/// Tokens and cost of one entry. What is missing or no number is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// Tokens read fresh.
    pub input: f64,
    /// Tokens written.
    pub output: f64,
    /// Tokens read from the cache.
    pub cache_read: f64,
    /// Tokens written to the cache.
    pub cache_write: f64,
    /// The provider's own total; not used for sums.
    pub total_tokens: f64,
    /// Cost in dollars.
    pub cost: f64,
}

impl Usage {
    /// Reads a usage object.
    pub fn of(value: Value<'_>) -> Self {
        let number = |key: &str| value.get_f64(key).filter(|number| number.is_finite()).unwrap_or(0.0);
        Self {
            input: number("input"),
            output: number("output"),
            cache_read: number("cacheRead"),
            cache_write: number("cacheWrite"),
            total_tokens: number("totalTokens"),
            cost: value
                .get("cost")
                .and_then(|cost| cost.get_f64("total"))
                .filter(|cost| cost.is_finite())
                .unwrap_or(0.0),
        }
    }

    /// The four kinds of tokens added up.
    pub fn tokens(&self) -> f64 {
        self.input + self.output + self.cache_read + self.cache_write
    }

    /// Adds another entry's tokens and cost.
    pub fn add(&mut self, other: &Self) {
        self.input += other.input;
        self.output += other.output;
        self.cache_read += other.cache_read;
        self.cache_write += other.cache_write;
        self.total_tokens += other.total_tokens;
        self.cost += other.cost;
    }
}

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
        gist_is_cut: gist.cut,
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
    *gist = Gist { cut: false, ..Gist::of_content(content, TEXT_UNITS) };
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
fn call_head(call: Value<'_>) -> CallHead {
    let name = text(call.get("name").or_else(|| call.get("toolName")));
    let arguments = call.get_some("arguments").or_else(|| call.get_some("input"));
    let argument = |key: &str| arguments.and_then(|arguments| arguments.get_some(key));
    let given = |key: &str| argument(key).filter(|value| !value.is_falsy());
    let word = |value: Option<Value<'_>>| -> Box<str> { coerce::text(value).into() };
    let path = || word(given("path").or_else(|| given("file_path")));
    let place = || given("path").map_or(".".into(), |path| word(Some(path)));
    let (before, path, after) = match &*name {
        "read" => (
            "[read: ".into(),
            Some(path()),
            format!("{}]", line_range(argument("offset"), argument("limit"))),
        ),
        "write" | "edit" => (format!("[{name}: "), Some(path()), "]".into()),
        "bash" => (format!("[bash: {}]", command_text(argument("command"))), None, String::new()),
        "grep" => (format!("[grep: /{}/ in ", word(given("pattern"))), Some(place()), "]".into()),
        "find" => (format!("[find: {} in ", word(given("pattern"))), Some(place()), "]".into()),
        "ls" => ("[ls: ".into(), Some(place()), "]".into()),
        _ => {
            let json =
                arguments.map(|arguments| arguments.stringify_prefix(ARGUMENT_UNITS * 4)).unwrap_or_default();
            let (head, whole) = js::cut(&json, ARGUMENT_UNITS);
            (format!("[{name}: {head}{}]", if whole { "" } else { "..." }), None, String::new())
        }
    };
    CallHead {
        id: text(call.get("id").or_else(|| call.get("toolCallId"))),
        name,
        before: before.into(),
        path,
        after: after.into(),
    }
}

fn command_text(command: Option<Value<'_>>) -> String {
    let Some(command) = command.filter(|command| !command.is_falsy()) else { return String::new() };
    let raw = match command.str_prefix(4 * COMMAND_UNITS) {
        Some((raw, _)) => raw,
        None => coerce::text(Some(command)).into_owned(),
    };
    let longer = js::units(&raw) > COMMAND_UNITS;
    let line = one_line(&raw);
    let (head, _) = js::cut(&line, COMMAND_UNITS);
    format!("{head}{}", if longer { "..." } else { "" })
}

/// The line range of a read: `:START`, `:START-END`, or nothing where it cannot be told.
fn line_range(offset: Option<Value<'_>>, limit: Option<Value<'_>>) -> String {
    let number = |value: Value<'_>| match value.as_str() {
        Some(text) => js::trim(&text).parse::<f64>().ok().filter(|number| number.is_finite()),
        None => value.as_f64(),
    };
    if offset.is_none() && limit.is_none() {
        return String::new();
    }
    let Some(start) = offset.map_or(Some(1.0), number) else { return String::new() };
    let Some(limit) = limit else { return format!(":{}", js::number(start)) };
    let Some(limit) = number(limit) else { return String::new() };
    let end = start + limit - 1.0;
    if end == 0.0 {
        format!(":{}", js::number(start))
    } else {
        format!(":{}-{}", js::number(start), js::number(end))
    }
}

fn has_characters(text: Option<Value<'_>>) -> bool {
    text.is_some_and(|text| text.str_bytes() > 0)
}

fn target(value: Value<'_>) -> EntryId {
    value.get("targetId").map_or_else(|| EntryId::from(""), EntryId::of)
}

/// A string as it is, nothing for what is absent or null, other values as JSON.
fn text(value: Option<Value<'_>>) -> Box<str> {
    match value {
        Some(value) if !value.is_null() => match value.as_str() {
            Some(text) => text.into(),
            None => value.to_json().into(),
        },
        _ => Box::default(),
    }
}

fn model_name(provider: Option<Value<'_>>, model: Option<Value<'_>>) -> Box<str> {
    format!("{}/{}", coerce::inserted(provider), coerce::inserted(model)).into()
}

/// A text as pi's tree puts it on one line: line breaks and tabs as blanks, trimmed.
pub fn one_line(text: &str) -> String {
    js::trim(&text.replace(['\n', '\t'], " ")).to_owned()
}

#[derive(Default)]
struct Gist {
    text: String,
    cut: bool,
}

impl Gist {
    fn whole(text: &str) -> Self {
        Self { text: text.to_owned(), cut: false }
    }

    /// One blank in place of nothing, where there was something.
    fn blank_if(mut self, has_characters: bool) -> Self {
        if has_characters && self.text.is_empty() {
            self.text.push(' ');
        }
        self
    }

    /// A value that pi inserts as it is.
    fn of_word(value: Option<Value<'_>>) -> Self {
        Self::whole(&coerce::inserted(value))
    }

    fn of_text(value: Option<Value<'_>>, units: usize) -> Self {
        let Some((text, whole)) = value.and_then(|value| value.str_prefix(units)) else {
            return Self::default();
        };
        Self { text: one_line(&text), cut: !whole }
    }

    fn of_content(content: Option<Value<'_>>, units: usize) -> Self {
        let mut text = String::new();
        let mut left = units;
        for block in Blocks::of(content) {
            let Block::Text(Some(value)) = block else { continue };
            let Some((head, whole)) = value.str_prefix(left) else { continue };
            left -= js::units(&head).min(left);
            text.push_str(&head);
            if !whole {
                return Self { text: one_line(&text), cut: true };
            }
        }
        Self { text: one_line(&text), cut: false }
    }
}
