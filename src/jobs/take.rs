use std::path::{Path, PathBuf};

use crate::app::{Clip, Listing, Take, TakeFrom};
use crate::cancel::Cancel;
use crate::error::Error;
use crate::export::{Document, DocumentKind, command_of, markdown};
use crate::format::{Block, Blocks, EntryId, Role, joined_text};
use crate::resume::{Launch, Plan};
use crate::session::{EntryIx, Session};
use crate::store::{Environment, Store};

/// Reads what is to be copied of a session's entries; `None` where there is nothing of the kind.
pub(super) fn of_entries(
    take: Take,
    from: &TakeFrom,
    environment: &Environment,
) -> Result<Option<Clip>, Error> {
    let session = &*from.session;
    let branch = || session.path_to(from.leaf);
    let each = |read: fn(&TakeFrom, EntryIx) -> Result<Vec<String>, Error>, between: &str| {
        let mut texts = Vec::new();
        for &entry in &from.entries {
            texts.extend(read(from, entry)?);
        }
        texts.retain(|text| !text.trim().is_empty());
        Ok(Some((texts.len(), texts.join(between))))
    };
    let found = match take {
        Take::Text => each(|from, entry| Ok(from.session.copy_text(entry)?.into_iter().collect()), "\n\n")?,
        Take::Code => each(code, "\n")?,
        Take::Command => each(commands, "\n")?,
        Take::Output => each(|from, entry| Ok(output(&from.session, entry)?.into_iter().collect()), "\n")?,
        Take::Prompt => each(prompt, "\n\n")?,
        Take::Prompts => {
            let mut prompts = Vec::new();
            for entry in branch().into_iter().filter(|&entry| session.is_prompt(entry)) {
                prompts.extend(session.copy_text(entry)?);
            }
            Some((prompts.len(), prompts.join("\n\n---\n\n")))
        }
        Take::Branch => {
            let branch = branch();
            Some((branch.len(), document(session, &branch, environment)?))
        }
        Take::Context => Some(context(from)?),
        Take::EntryId => {
            let ids: Vec<&str> = from.entries.iter().map(|&entry| session.entry_id(entry).as_str()).collect();
            Some((ids.len(), ids.join("\n")))
        }
        Take::SessionId | Take::Path | Take::Cwd | Take::ResumeCommand => None,
    };
    Ok(found.filter(|(count, _)| *count > 0).map(|(count, text)| Clip::of(take, count, text)))
}

/// The whole text of an entry of a file: that of its message, or what its row in the tree says.
pub(super) fn of_found(
    path: &Path,
    entry: &EntryId,
    environment: &Environment,
) -> Result<Option<Clip>, Error> {
    let session = Session::open(path)?;
    let Some(entry) = session.find(entry) else { return Ok(None) };
    let text = match session.copy_text(entry)? {
        Some(text) => text,
        None => session.entry_text(entry, None, environment.home().to_str()).in_words().joined(),
    };
    Ok(Some(Clip::of(Take::Text, 1, text)))
}

/// What is to be copied of sessions, one a line.
pub(super) fn of_sessions(
    take: Take,
    paths: &[PathBuf],
    store: &Store,
    environment: &Environment,
) -> Result<Option<Clip>, Error> {
    let mut lines = Vec::new();
    for path in paths {
        lines.push(match take {
            Take::Path => path.to_string_lossy().into_owned(),
            Take::SessionId => Session::open(path)?.id().to_owned(),
            Take::Cwd => Session::open(path)?.header().cwd.as_deref().unwrap_or_default().to_owned(),
            _ => Plan::of(&Launch::of_session(&Session::open(path)?, environment), store, environment)
                .shell_line(),
        });
    }
    lines.retain(|line| !line.is_empty());
    Ok((!lines.is_empty()).then(|| Clip::of(take, lines.len(), lines.join("\n"))))
}

/// The code block of a message that the reader is at: of several, the one of which most is in view. Where the rows in
/// view are not known, the first.
fn code(from: &TakeFrom, entry: EntryIx) -> Result<Vec<String>, Error> {
    let text = from.session.copy_text(entry)?.unwrap_or_default();
    let blocks = code_blocks(&text);
    let in_view = |block: &String| {
        let lines = block.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.filter(|line| from.in_view.iter().any(|row| row == line)).count()
    };
    let most = blocks.iter().map(in_view).max().unwrap_or(0);
    let found = match (blocks.len(), most) {
        (2.., 0) if !from.in_view.is_empty() => None,
        _ => blocks.iter().find(|block| in_view(block) == most),
    };
    Ok(found.cloned().into_iter().collect())
}

/// The contents of the fenced code blocks of a Markdown text. One that is never closed ends with the text.
fn code_blocks(text: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let inside = line.trim_start();
        let indent = line.len() - inside.len();
        let Some(mark) = inside.chars().next().filter(|mark| matches!(mark, '`' | '~')) else { continue };
        let length = inside.chars().take_while(|&c| c == mark).count();
        if length < 3 || (mark == '`' && inside[length..].contains('`')) {
            continue;
        }
        let is_end = |line: &&str| {
            let line = line.trim();
            line.len() >= length && line.chars().all(|c| c == mark)
        };
        let mut block = String::new();
        for line in lines.by_ref().take_while(|line| !is_end(line)) {
            let blank = line.len() - line.trim_start().len();
            block.push_str(&line[blank.min(indent)..]);
            block.push('\n');
        }
        blocks.push(block);
    }
    blocks
}

/// The commands of an answer's tool calls, the one a result answers, or the one the person ran.
fn commands(from: &TakeFrom, entry: EntryIx) -> Result<Vec<String>, Error> {
    let session = &*from.session;
    match session.entry(entry).kind.role() {
        Some(Role::Assistant(_)) => calls(session, entry),
        Some(Role::ToolResult { .. }) => {
            let above = Listing::of_branch(&session.path_to(Some(entry)));
            let Some((answer, place)) = above.surroundings(session).call(above.items().len() - 1) else {
                return Ok(Vec::new());
            };
            Ok(calls(session, answer)?.into_iter().nth(place).into_iter().collect())
        }
        Some(Role::BashExecution { .. }) => Ok(session.copy_text(entry)?.into_iter().collect()),
        _ => Ok(Vec::new()),
    }
}

fn calls(session: &Session, answer: EntryIx) -> Result<Vec<String>, Error> {
    let body = session.body(answer)?;
    let content = body.root().get("message").and_then(|message| message.get("content"));
    let call = |block: Block<'_>| match block {
        Block::ToolCall(call) => Some(command_of(call)),
        _ => None,
    };
    Ok(Blocks::of(content).filter_map(call).collect())
}

/// What a tool or a command of the person put out.
fn output(session: &Session, entry: EntryIx) -> Result<Option<String>, Error> {
    let body = session.body(entry)?;
    let message = body.root().get("message");
    Ok(match session.entry(entry).kind.role() {
        Some(Role::ToolResult { .. }) => {
            Some(joined_text(message.and_then(|message| message.get("content")), "\n"))
        }
        Some(Role::BashExecution { .. }) => {
            message.and_then(|message| message.get_str("output")).map(std::borrow::Cow::into_owned)
        }
        _ => None,
    })
}

/// The prompt itself, or the nearest one above.
fn prompt(from: &TakeFrom, entry: EntryIx) -> Result<Vec<String>, Error> {
    let path = from.session.path_to(Some(entry));
    let found = path.into_iter().rev().find(|&entry| from.session.is_prompt(entry));
    Ok(found.map(|entry| from.session.copy_text(entry)).transpose()?.flatten().into_iter().collect())
}

/// A branch as Markdown.
fn document(session: &Session, branch: &[EntryIx], environment: &Environment) -> Result<String, Error> {
    let of = Document {
        session,
        entries: branch,
        kind: DocumentKind::Branch,
        redact: None,
        zone: environment.zone(),
        cancel: &Cancel::new(),
        progress: &|_| {},
    };
    let mut out = Vec::new();
    markdown(&of, &mut out)?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// The messages of the context as they are sent, as a JSON array.
fn context(from: &TakeFrom) -> Result<(usize, String), Error> {
    let session = &*from.session;
    let context = session.context_at(from.context);
    let mut messages = Vec::new();
    for item in &context.items {
        let Some(message) = session.sent(item)? else { continue };
        let Some(role) = message.role else { continue };
        messages.push(format!("  {{\"role\":\"{role}\",\"content\":{}}}", message.content));
    }
    Ok((messages.len(), format!("[\n{}\n]\n", messages.join(",\n"))))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    const ANSWER: &str = "First:\n\n```sh\nls -l\n```\n\nthen\n\n  ~~~~\n  a\n    b\n  ~~~\n  ~~~~\nno `code` here\n````\nnever closed";

    #[test]
    fn fences_are_those_of_markdown() {
        assert_eq!(code_blocks(ANSWER), ["ls -l\n", "a\n  b\n~~~\n", "never closed\n"]);
        for text in ["", "plain", "``two``", "``` not `a` fence"] {
            assert!(code_blocks(text).is_empty(), "{text}");
        }
        assert_eq!(code_blocks("```\n```"), [""]);
    }

    fn from(entries: &[&str], in_view: &[&str]) -> TakeFrom {
        let line = |id: &str, parent: &str, message: serde_json::Value| {
            let parent = if parent.is_empty() { serde_json::Value::Null } else { parent.into() };
            serde_json::json!({"type": "message", "id": id, "parentId": parent, "message": message})
                .to_string()
        };
        let calls = serde_json::json!({"role": "assistant", "content": [
            {"type": "text", "text": ANSWER},
            {"type": "toolCall", "id": "1", "name": "bash", "arguments": {"command": "make"}},
            {"type": "toolCall", "id": "2", "name": "read", "arguments": {"path": "a"}},
        ]});
        let result = serde_json::json!({"role": "toolResult", "toolCallId": "2", "toolName": "read",
            "content": [{"type": "text", "text": "out"}]});
        let lines = [
            r#"{"type":"session","version":3,"id":"s","cwd":"/w"}"#.to_owned(),
            line("a", "", serde_json::json!({"role": "user", "content": "one"})),
            line("b", "a", calls),
            line("c", "b", result),
            line("d", "c", serde_json::json!({"role": "user", "content": "two"})),
        ];
        let session = Arc::new(Session::from_bytes("/s.jsonl", lines.join("\n").into_bytes()).unwrap());
        TakeFrom {
            entries: entries.iter().map(|id| session.find_text(id).unwrap()).collect(),
            leaf: session.current_leaf(),
            context: session.current_leaf(),
            in_view: in_view.iter().map(|&row| row.to_owned()).collect(),
            session,
        }
    }

    #[test]
    fn each_thing_is_taken_from_where_it_is() {
        let environment = Environment::new("/home/dev", "/w");
        for (take, entries, in_view, wanted) in [
            (Take::Text, &["a", "d"][..], &[][..], Some("one\n\ntwo")),
            (Take::Code, &["b"], &[], Some("ls -l\n")),
            (Take::Code, &["b"], &["a", "b"], Some("a\n  b\n~~~\n")),
            (Take::Code, &["b"], &["First:"], None),
            (Take::Code, &["a"], &[], None),
            (Take::Command, &["b"], &[], Some("make\n{\"path\":\"a\"}")),
            (Take::Command, &["c"], &[], Some("{\"path\":\"a\"}")),
            (Take::Command, &["a"], &[], None),
            (Take::Output, &["c"], &[], Some("out")),
            (Take::Output, &["b"], &[], None),
            (Take::Prompt, &["c"], &[], Some("one")),
            (Take::Prompts, &["c"], &[], Some("one\n\n---\n\ntwo")),
            (Take::EntryId, &["a", "c"], &[], Some("a\nc")),
        ] {
            let clip = of_entries(take, &from(entries, in_view), &environment).unwrap();
            assert_eq!(clip.as_ref().map(|clip| &*clip.text), wanted, "{take:?} of {entries:?}");
        }
        let context = of_entries(Take::Context, &from(&["a"], &[]), &environment).unwrap().unwrap();
        let messages: serde_json::Value = serde_json::from_str(&context.text).unwrap();
        assert_eq!(messages.as_array().unwrap().len(), 4);
        assert_eq!(messages[0]["role"], "user");
    }
}
