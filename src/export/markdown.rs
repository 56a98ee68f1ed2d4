use std::io;

use super::Document;
use crate::error::Error;
use crate::format::json::Value;
use crate::format::{Block, Blocks, Kind, Role, joined_text, js};
use crate::session::{EntryIx, Session};

/// Writes a branch as one Markdown document: a heading for everyone who speaks, texts as they were written, commands
/// and outputs in fences. Bookkeeping is left out.
///
/// # Errors
/// When the file can no longer be read, nobody takes the document, or somebody asks to stop.
pub fn markdown(of: &Document<'_>, out: &mut dyn io::Write) -> Result<(), Error> {
    if let Some(name) = of.session.name() {
        write!(out, "# {}\n\n", js::trim(name)).map_err(|error| of.unwritten(error))?;
    }
    let mut between = "";
    for (at, &entry) in of.entries.iter().enumerate() {
        of.check()?;
        let text = entry_markdown(of.session, entry)?;
        let text = of.text(text.trim());
        if !text.is_empty() {
            writeln!(out, "{between}{text}").map_err(|error| of.unwritten(error))?;
            between = "\n";
        }
        (of.progress)(at + 1);
    }
    Ok(())
}

fn entry_markdown(session: &Session, entry: EntryIx) -> Result<String, Error> {
    let body = session.body(entry)?;
    let root = body.root();
    let summary = || root.get_str("summary").unwrap_or_default();
    Ok(match &session.entry(entry).kind {
        Kind::Message(head) => match root.get("message") {
            Some(message) => message_markdown(&head.role, &session.role_word(entry), message),
            None => String::new(),
        },
        Kind::CustomMessage { custom_type, .. } => {
            let word = if &**custom_type == "undefined" { "extension" } else { custom_type };
            under(word, &joined_text(root.get("content"), "\n\n"))
        }
        Kind::Compaction { .. } => under("Compaction", &summary()),
        Kind::BranchSummary => under("Summary of another branch", &summary()),
        _ => String::new(),
    })
}

fn message_markdown(role: &Role, word: &str, message: Value<'_>) -> String {
    let text = |key: &str| message.get_str(key).unwrap_or_default();
    let content = message.get("content");
    match role {
        Role::User => under("User", &joined_text(content, "\n\n")),
        Role::System => under("System", &joined_text(content, "\n\n")),
        Role::Assistant(_) => {
            let mut parts: Vec<String> = Blocks::of(content).filter_map(block_markdown).collect();
            parts.push(text("errorMessage").into_owned());
            parts.retain(|part| !part.trim().is_empty());
            under("Assistant", &parts.join("\n\n"))
        }
        Role::ToolResult { tool_name, is_error, .. } => {
            let output = joined_text(content, "\n");
            let failed = if *is_error { ", failed" } else { "" };
            format!("Output of {tool_name}{failed}:\n\n{}", fenced(&output, ""))
        }
        Role::BashExecution { .. } => {
            let run = fenced(&text("command"), "sh");
            under("Shell", &format!("{run}\n\n{}", fenced(&text("output"), "")))
        }
        Role::Other(_) | Role::Missing => under(word, &joined_text(content, "\n\n")),
    }
}

fn under(heading: &str, text: &str) -> String {
    if text.trim().is_empty() { String::new() } else { format!("## {heading}\n\n{}", text.trim()) }
}

fn block_markdown(block: Block<'_>) -> Option<String> {
    match block {
        Block::Text(text) => Some(text.and_then(Value::as_str)?.into_owned()),
        Block::ToolCall(call) => {
            let name = call.get("name").or_else(|| call.get("toolName")).and_then(Value::as_str)?;
            let language = if name == "bash" { "sh" } else { "json" };
            Some(format!("{name}:\n\n{}", fenced(&command_of(call), language)))
        }
        _ => None,
    }
}

/// What a tool call runs: the command of a shell, the arguments of any other tool as JSON.
pub fn command_of(call: Value<'_>) -> String {
    let arguments = call.get("arguments").or_else(|| call.get("input"));
    let command = arguments.and_then(|arguments| arguments.get_str("command"));
    command.map_or_else(|| arguments.map(Value::to_json).unwrap_or_default(), std::borrow::Cow::into_owned)
}

/// A text in a code fence longer than any run of backticks inside.
pub fn fenced(text: &str, language: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat((longest + 1).max(3));
    format!("{fence}{language}\n{}\n{fence}", text.trim_end_matches('\n'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cancel::Cancel;
    use crate::export::DocumentKind;
    use jiff::tz::TimeZone;

    fn written(session: &Session, entries: &[EntryIx]) -> String {
        let mut out = Vec::new();
        let of = Document {
            session,
            entries,
            kind: DocumentKind::Branch,
            redact: None,
            zone: &TimeZone::UTC,
            cancel: &Cancel::new(),
            progress: &|_| {},
        };
        markdown(&of, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_branch_reads_as_a_document() {
        let lines = r#"{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w"}
{"type":"session_info","id":"n","parentId":null,"timestamp":"","name":"Parser"}
{"type":"message","id":"a","parentId":"n","timestamp":"","message":{"role":"user","content":"Fix **it**"}}
{"type":"message","id":"b","parentId":"a","timestamp":"","message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Looking."},{"type":"toolCall","id":"1","name":"bash","arguments":{"command":"ls"}}]}}
{"type":"message","id":"c","parentId":"b","timestamp":"","message":{"role":"toolResult","toolCallId":"1","toolName":"bash","isError":true,"content":[{"type":"text","text":"a```b\n"}]}}
{"type":"model_change","id":"d","parentId":"c","timestamp":"","provider":"p","modelId":"m"}
"#;
        let session = Session::from_bytes("/s.jsonl", lines.as_bytes().to_vec()).unwrap();
        let entries = session.path_to(session.current_leaf());
        assert_eq!(
            written(&session, &entries),
            "# Parser\n\n## User\n\nFix **it**\n\n## Assistant\n\nLooking.\n\nbash:\n\n```sh\nls\n```\n\n\
             Output of bash, failed:\n\n````\na```b\n````\n"
        );
    }
}
