use super::{ContextItem, EntryIx, Part, Session};
use crate::error::Error;
use crate::format::json::{Document, Shape, Value};
use crate::format::{Block, Blocks, js};

const COMPACTION_INTRODUCTION: &str =
    "The conversation history before this point was compacted into the following summary:\n\n<summary>\n";
const COMPACTION_END: &str = "\n</summary>";
const BRANCH_INTRODUCTION: &str =
    "The following is a summary of a branch that this conversation came back from:\n\n<summary>\n";
const BRANCH_END: &str = "</summary>";

/// What pi counts for a picture, in UTF-16 units.
const IMAGE_UNITS: usize = 4800;

/// One message of a context as the model is sent it.
#[derive(Clone, Debug, PartialEq)]
pub struct SentMessage {
    /// The entry it comes from.
    pub source: EntryIx,
    /// The role before conversion.
    pub from: String,
    /// The role as sent; `None` when it is dropped.
    pub role: Option<&'static str>,
    /// The content as sent, as JSON: a string or an array of blocks. Empty when it is dropped.
    pub content: String,
    /// pi's estimate of its tokens: a quarter of its UTF-16 units, rounded up.
    pub tokens: u64,
    /// The edit that replaced its content.
    pub edit: Option<EntryIx>,
}

impl Session {
    /// Reads the message of one item of a context and converts it as pi does before sending. A compaction
    /// without instructions of its own yields nothing for that part.
    ///
    /// # Errors
    /// When the file can no longer be read.
    pub fn sent(&self, item: &ContextItem) -> Result<Option<SentMessage>, Error> {
        let body = self.body(item.source)?;
        let edit = item.edit.map(|edit| self.body(edit)).transpose()?;
        let replacement = edit.as_ref().and_then(|edit| edit.root().get("replacement"));
        let root = body.root();
        let message = |message: Option<Value<'_>>, role: &str| {
            message.filter(|message| message.is_object()).map(|message| stored(message, role, replacement))
        };
        let converted = match item.part {
            Part::Message => message(root.get("message"), &self.role_word(item.source)),
            Part::Checkpoint => {
                let checkpoint = root.get("systemMessage");
                let role = checkpoint.and_then(|checkpoint| checkpoint.get_str("role")).unwrap_or_default();
                message(checkpoint, &role).map(|checkpoint_message| {
                    match checkpoint.and_then(|it| it.get_some("content")) {
                        // Only stored messages get an empty content in place of none.
                        None => Converted { content: "null".into(), ..checkpoint_message },
                        Some(_) => checkpoint_message,
                    }
                })
            }
            Part::CompactionSummary => Some(summary(
                "compactionSummary",
                root.get("summary"),
                COMPACTION_INTRODUCTION,
                COMPACTION_END,
            )),
            Part::BranchSummary => {
                Some(summary("branchSummary", root.get("summary"), BRANCH_INTRODUCTION, BRANCH_END))
            }
            Part::Custom => Some(custom(replaced(root, replacement), "[]")),
        };
        Ok(converted.map(|converted| SentMessage {
            source: item.source,
            from: converted.from,
            role: converted.role,
            content: converted.content,
            tokens: converted.units.div_ceil(4) as u64,
            edit: item.edit,
        }))
    }
}

struct Converted {
    from: String,
    role: Option<&'static str>,
    content: String,
    units: usize,
}

fn stored(message: Value<'_>, role: &str, replacement: Option<Value<'_>>) -> Converted {
    let content = replaced(message, replacement);
    let plain = |sent: &'static str, empty: &str| Converted {
        from: sent.to_owned(),
        role: Some(sent),
        content: content.map_or_else(|| empty.to_owned(), Value::to_json),
        units: units_of(content),
    };
    match role {
        "user" => plain("user", "[]"),
        "assistant" | "toolResult" => {
            let sent = if role == "assistant" { "assistant" } else { "toolResult" };
            let is_edited_text =
                replacement.is_some() && content.is_some_and(|content| content.shape() == Shape::String);
            let mut whole = plain(sent, "[]");
            if role == "assistant" {
                whole.units = answer_units(content);
            }
            if is_edited_text {
                Converted { content: text_block(content), units: units_of(content), ..whole }
            } else {
                whole
            }
        }
        "system" => {
            let sections = message.get("sections").map(Value::members).unwrap_or_default();
            let sections: usize =
                sections.iter().map(|(_, text)| text.as_str().map_or(0, |text| js::units(&text))).sum();
            let tools = message.get("toolsAdded").map_or(0, |tools| js::units(&tools.stringify()));
            let whole = plain("system", "\"\"");
            Converted { units: whole.units + sections + tools, ..whole }
        }
        "custom" => custom(content, "null"),
        "bashExecution" => bash(message),
        "branchSummary" => summary(role, message.get("summary"), BRANCH_INTRODUCTION, BRANCH_END),
        "compactionSummary" => summary(role, message.get("summary"), COMPACTION_INTRODUCTION, COMPACTION_END),
        other => Converted { from: other.to_owned(), role: None, content: String::new(), units: 0 },
    }
}

/// The content of a message, or what an edit puts in its place; `None` for null or absent.
fn replaced<'v>(message: Value<'v>, replacement: Option<Value<'v>>) -> Option<Value<'v>> {
    replacement.unwrap_or(message).get_some("content")
}

fn custom(content: Option<Value<'_>>, empty: &str) -> Converted {
    let is_text = content.is_some_and(|content| content.shape() == Shape::String);
    Converted {
        from: "custom".into(),
        role: Some("user"),
        content: if is_text {
            text_block(content)
        } else {
            content.map_or_else(|| empty.to_owned(), Value::to_json)
        },
        units: units_of(content),
    }
}

fn summary(from: &str, text: Option<Value<'_>>, introduction: &str, end: &str) -> Converted {
    let text = text.and_then(Value::as_str).unwrap_or_default();
    Converted {
        from: from.to_owned(),
        role: Some("user"),
        content: block_of(&format!("{introduction}{text}{end}")),
        units: js::units(&text),
    }
}

fn bash(message: Value<'_>) -> Converted {
    let command = message.get_str("command").unwrap_or_default();
    let output = message.get_str("output").unwrap_or_default();
    let is_set = |key: &str| message.get(key).is_some_and(|flag| !flag.is_falsy());
    let units = js::units(&command) + js::units(&output);
    let from = "bashExecution".to_owned();
    if is_set("excludeFromContext") {
        return Converted { from, role: None, content: String::new(), units };
    }
    let mut text = format!("Ran `{command}`\n");
    if output.is_empty() {
        text.push_str("(no output)");
    } else {
        text.push_str(&format!("```\n{output}\n```"));
    }
    if is_set("cancelled") {
        text.push_str("\n\n(command cancelled)");
    } else if let Some(code) = message.get_f64("exitCode").filter(|&code| code != 0.0) {
        text.push_str(&format!("\n\nCommand exited with code {}", js::number(code)));
    }
    if let Some(path) =
        message.get_str("fullOutputPath").filter(|path| is_set("truncated") && !path.is_empty())
    {
        text.push_str(&format!("\n\n[Output truncated. Full output: {path}]"));
    }
    Converted { from, role: Some("user"), content: block_of(&text), units }
}

fn text_block(content: Option<Value<'_>>) -> String {
    block_of(&content.and_then(Value::as_str).unwrap_or_default())
}

fn block_of(text: &str) -> String {
    let mut json = String::from("[{\"type\":\"text\",\"text\":");
    js::quote(text, &mut json);
    json.push_str("}]");
    json
}

/// As [`units_of`] for answers, of which pi measures only blocks, and no pictures.
fn answer_units(content: Option<Value<'_>>) -> usize {
    let is_text = content.is_some_and(|content| content.shape() == Shape::String);
    let images = Blocks::of(content).filter(|block| matches!(block, Block::Image(_))).count();
    if is_text { 0 } else { units_of(content) - images * IMAGE_UNITS }
}

/// Length of a content in pi's measure for estimates.
fn units_of(content: Option<Value<'_>>) -> usize {
    Blocks::of(content)
        .map(|block| match block {
            Block::Text(text) => text.and_then(Value::as_str).map_or(0, |text| js::units(&text)),
            Block::Thinking(block) => block.get_str("thinking").map_or(0, |text| js::units(&text)),
            Block::ToolCall(call) => {
                let name = call.get_str("name").map_or(0, |name| js::units(&name));
                name + call.get("arguments").map_or(0, |arguments| js::units(&arguments.stringify()))
            }
            Block::Image(_) => IMAGE_UNITS,
            Block::Other(_) => 0,
        })
        .sum()
}

/// A content kept as a document of its own, for views that show what was sent.
impl SentMessage {
    /// The content as a parsed value.
    pub fn document(&self) -> Option<Document> {
        Document::parse(self.content.clone()).ok()
    }
}
