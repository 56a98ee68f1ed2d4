//! `piscope show`: the transcript of a branch, or one entry.

use jiff::tz::TimeZone;
use serde::Serialize;

use super::json::Json;
use super::target::Target;
use super::{Failure, Output, Site};
use crate::format::json::Value;
use crate::format::{Block, Blocks, EntryHead, Kind, Role, account_in_words, js};
use crate::present::{age, sanitize};
use crate::session::{EntryIx, Session};

/// The arguments of `piscope show`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    target: Target,

    /// Only this entry.
    #[arg(value_name = "ENTRY")]
    entry: Option<String>,

    /// Print the lines of the file byte for byte.
    #[arg(long, conflicts_with = "json")]
    raw: bool,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, site: &Site<'_>, output: &mut Output<'_>) -> Result<(), Failure> {
    let session = args.target.open(site)?;
    let entries = match &args.entry {
        None => session.path_to(session.leaf(&args.target.leaf()).entry),
        Some(id) => vec![session.find_text(id).ok_or_else(|| {
            Failure::NothingFound(format!("cannot find entry {id} in {}", session.path().display()))
        })?],
    };
    if args.raw {
        for ix in entries {
            output.bytes(&session.line(ix)?)?;
            output.bytes(b"\n")?;
        }
        return Ok(());
    }
    if args.json {
        let entries: Result<_, _> =
            entries.into_iter().map(|ix| Ok(Json::value(session.body(ix)?.root()))).collect();
        return output.json(&Document { entries: entries.map_err(Failure::Act)? });
    }
    args.target.tell_unknown_leaf(&session, output)?;
    let zone = TimeZone::system();
    for ix in entries {
        write_entry(&session, ix, &zone, output)?;
    }
    Ok(())
}

#[derive(Serialize)]
struct Document {
    entries: Vec<Json>,
}

/// A line that says who and when, the text below it, a blank line.
fn write_entry(
    session: &Session,
    ix: EntryIx,
    zone: &TimeZone,
    output: &mut Output<'_>,
) -> Result<(), Failure> {
    let head = session.entry(ix);
    let time = head
        .time
        .and_then(|at| Some(format!("  {} {}", age::date(at, zone)?, age::clock(at, zone)?)))
        .unwrap_or_default();
    let label = session.label_of(ix).map(|label| format!("  [{}]", label.text)).unwrap_or_default();
    let title = format!("--- {}  {}{time}{label}", speaker(session, ix), session.entry_id(ix));
    output.line(&sanitize::line(&title))?;
    let body = session.body(ix)?;
    let text = entry_text(&head, body.root());
    if !text.is_empty() {
        output.text(&text)?;
    }
    output.line("")
}

fn speaker(session: &Session, ix: EntryIx) -> String {
    let head = session.entry(ix);
    match &head.kind {
        Kind::Message(message) => match &message.role {
            Role::Missing => "message without a role".into(),
            Role::Other(word) if &**word == "undefined" => "message without a role".into(),
            Role::ToolResult { tool_name, is_error, .. } => {
                format!("toolResult {tool_name}{}", if *is_error { " failed" } else { "" })
            }
            _ => session.role_word(ix),
        },
        Kind::CustomMessage { custom_type, .. } | Kind::Custom { custom_type } => {
            let word = if &**custom_type == "undefined" { "" } else { custom_type };
            format!("{} {word}", head.kind.word()).trim_end().to_owned()
        }
        kind => kind.word().to_owned(),
    }
}

fn entry_text(head: &EntryHead, entry: Value<'_>) -> String {
    let text = |key: &str| entry.get_str(key).unwrap_or_default().into_owned();
    match &head.kind {
        Kind::Message(message) => message_text(&message.role, entry.get("message")),
        Kind::CustomMessage { .. } => content_text(entry.get("content")),
        Kind::Compaction { .. } | Kind::BranchSummary => text("summary"),
        Kind::ModelChange { provider, model } => format!("{provider}/{model}"),
        Kind::ThinkingLevelChange { level } => level.to_string(),
        Kind::ContextEdit { target, omits: true } => format!("omits {target}"),
        Kind::ContextEdit { target, .. } => {
            let replacement = entry.get("replacement").and_then(|replacement| replacement.get("content"));
            format!("replaces {target}\n{}", content_text(replacement))
        }
        Kind::Label { target, label: Some(label) } => format!("{target}: {label}"),
        Kind::Label { target, label: None } => format!("{target}: cleared"),
        Kind::SessionInfo { name } => name.as_deref().unwrap_or_default().to_owned(),
        Kind::Usage { model } => account_in_words(model),
        Kind::Custom { .. } => entry.get("data").map(Value::to_json).unwrap_or_default(),
        Kind::Unknown(_) => entry.to_json(),
    }
}

fn message_text(role: &Role, message: Option<Value<'_>>) -> String {
    let Some(message) = message else { return String::new() };
    let text = |key: &str| message.get_str(key).unwrap_or_default();
    match role {
        Role::BashExecution { .. } => format!("$ {}\n{}", text("command"), text("output")),
        Role::Assistant(_) => {
            let content = content_text(message.get("content"));
            let error = text("errorMessage");
            match (content.is_empty(), error.is_empty()) {
                (_, true) => content,
                (true, false) => error.into_owned(),
                (false, false) => format!("{content}\n{error}"),
            }
        }
        Role::System => system_text(message),
        _ => content_text(message.get("content")),
    }
}

/// Instructions: the text, then what each section is set to, then the tools that come and go.
fn system_text(message: Value<'_>) -> String {
    let mut parts = vec![content_text(message.get("content"))];
    for (name, text) in message.get("sections").map(Value::members).unwrap_or_default() {
        let text = text.as_str().unwrap_or_else(|| "(removed)".into());
        parts.push(format!("[section {name}] {text}"));
    }
    for (words, key) in [("tools added", "toolsAdded"), ("tools removed", "toolsRemoved")] {
        let tools = message.get(key).into_iter().flat_map(Value::items);
        let names: Vec<_> = tools.filter_map(|tool| tool.get_str("name")).collect();
        if !names.is_empty() {
            parts.push(format!("[{words}] {}", names.join(", ")));
        }
    }
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

/// The blocks of a content below each other: texts as they are, everything else as a line in brackets.
pub(super) fn content_text(content: Option<Value<'_>>) -> String {
    let blocks: Vec<String> = Blocks::of(content).map(block_text).filter(|text| !text.is_empty()).collect();
    blocks.join("\n")
}

fn block_text(block: Block<'_>) -> String {
    match block {
        Block::Text(text) => text.and_then(Value::as_str).unwrap_or_default().into_owned(),
        Block::Thinking(block) => {
            format!("[thinking] {}", js::trim(&block.get_str("thinking").unwrap_or_default()))
        }
        Block::ToolCall(call) => {
            let name = call.get("name").or_else(|| call.get("toolName")).and_then(Value::as_str);
            let arguments = call.get("arguments").or_else(|| call.get("input"));
            let arguments = arguments.map(Value::to_json).unwrap_or_default();
            format!("[{}] {arguments}", name.unwrap_or_default())
        }
        Block::Image(image) => format!("[image {}]", image.get_str("mimeType").unwrap_or_default()),
        Block::Other(block) => format!("[block] {}", block.to_json()),
    }
}
