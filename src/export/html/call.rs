//! Tool calls, each with its result as one block.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;

use super::content::{Setting, preview};
use super::entry::{Entries, spent};
use super::gist;
use crate::export::json::masked;
use crate::export::{Document, DocumentKind, Redactor};
use crate::format::json::{Document as Json, Value};
use crate::format::{Role, Usage, js};
use crate::present::diff::Diff;
use crate::present::transcript::{Call, edit_of};
use crate::present::{age, language_of, listing};
use crate::session::EntryIx;
use crate::session::message::{Content, ContentBlock, ToolCall, ToolResultMessage};

/// Changes of more lines are folded.
const MOST_OPEN: usize = 60;

/// The calls that were made and wait for their results.
pub(super) struct Calls {
    /// How many results are to come for each id.
    awaited: HashMap<Box<str>, usize>,
    open: HashMap<Box<str>, ToolCall>,
}

impl Calls {
    /// Counts the results of a document.
    pub(super) fn of(document: &Document<'_>) -> Self {
        let mut awaited: HashMap<Box<str>, usize> = HashMap::new();
        let mut count = |entry: EntryIx| {
            if let Some(Role::ToolResult { call_id, .. }) = document.session.entry(entry).kind.role() {
                *awaited.entry(call_id.clone()).or_default() += 1;
            }
        };
        match document.kind {
            DocumentKind::Branch => document.entries.iter().for_each(|&entry| count(entry)),
            DocumentKind::Context(context) => context.items.iter().for_each(|item| count(item.source)),
        }
        Self { awaited, open: HashMap::new() }
    }

    /// Whether a result for a call is still to come, which then shows the call.
    pub(super) fn awaits(&self, call: &ToolCall) -> bool {
        !call.id.is_empty() && self.awaited.contains_key(&*call.id)
    }

    /// Keeps a call for its result.
    pub(super) fn keep(&mut self, call: &ToolCall) {
        self.open.insert(call.id.as_str().into(), call.clone());
    }

    /// The call that a result answers.
    fn take(&mut self, id: &str) -> Option<ToolCall> {
        if let Some(count) = self.awaited.get_mut(id) {
            *count -= 1;
            if *count == 0 {
                self.awaited.remove(id);
            }
        }
        self.open.remove(id)
    }
}

/// A call as its line and its block show it. All texts are clean and masked.
struct Shown<'v> {
    call: Call<'v>,
    name: String,
    /// What it does, on one line.
    gist: String,
    /// The command of a shell.
    command: Option<String>,
}

impl Entries<'_, '_> {
    /// Writes a call that has no result, and why.
    pub(super) fn open_call(&mut self, call: &ToolCall, why: &str) -> io::Result<()> {
        let arguments = Json::parse(call.arguments.clone()).ok();
        let shown = self.shown(&call.name, arguments.as_ref().map(Json::root));
        self.html.markup("<details class=\"tool unanswered\">")?;
        self.line(&shown, None, &[why.to_owned()])?;
        self.call(&shown, &edit_of(&shown.call, None))?;
        self.html.markup("</div></details>\n")
    }

    /// Writes a tool's result together with its call.
    pub(super) fn result(
        &mut self,
        entry: EntryIx,
        message: &ToolResultMessage,
        usage: Option<&Usage>,
    ) -> io::Result<()> {
        let call = message.tool_call_id.as_deref().and_then(|id| self.calls.take(id));
        let arguments = call.as_ref().and_then(|call| Json::parse(call.arguments.clone()).ok());
        let details = message.details.as_ref().and_then(|details| Json::parse(details.clone()).ok());
        let details = details.as_ref().map(Json::root);
        let name = call.as_ref().map(|call| call.name.as_str()).filter(|name| !name.is_empty());
        let name = name.or(message.tool_name.as_deref()).unwrap_or("tool");
        let shown = self.shown(name, arguments.as_ref().map(Json::root));
        let diff = edit_of(&shown.call, details);
        let has_failed = message.is_error == Some(true);

        self.open("<article class=\"result\"", entry)?;
        self.html.markup(match has_failed {
            true => "<details class=\"tool failed\" open>",
            false if (1..=MOST_OPEN).contains(&diff.lines().len()) => "<details class=\"tool\" open>",
            false => "<details class=\"tool\">",
        })?;
        let [_, cost] = spent(usage);
        let millis = message.duration_ms.or_else(|| details?.get_f64("durationMs"));
        let took = millis.map(age::duration).unwrap_or_default();
        let label = self.of.session.label_of(entry).map(|label| format!("◆ {}", label.text));
        let changed = Some(diff.counts()).filter(|&counts| !has_failed && counts != (0, 0));
        let written = shown.call.argument("content").filter(|_| name == "write");
        let figure = if changed.is_some() { String::new() } else { figure(message, has_failed, written) };
        self.line(&shown, changed, &[label.unwrap_or_default(), figure, took, cost])?;
        self.call(&shown, &diff)?;
        let is_shown_by_call = matches!(name, "edit" | "write") && shown.call.arguments.is_some();
        if has_failed || !is_shown_by_call {
            self.outcome(&shown, message.content.as_ref(), has_failed)?;
        }
        if let Some(details) = message.details.as_ref().filter(|_| !is_built_in(name)) {
            self.html.markup("<p class=\"remark\">details</p>\n")?;
            self.value(details)?;
        }
        self.html.markup("</div></details></article>\n")
    }

    fn shown<'v>(&self, name: &str, arguments: Option<Value<'v>>) -> Shown<'v> {
        let call = Call { name: Cow::Owned(name.to_owned()), arguments };
        let command = call.argument("command").filter(|_| name == "bash").and_then(Value::as_str);
        let command = command.map(|command| self.of.text(command.trim()).into_owned());
        let gist = match &command {
            Some(command) => preview(command).into_owned(),
            None if is_built_in(name) => self.of.line(&call.summary(None).plain()).into_owned(),
            None => self.members(&call),
        };
        Shown { name: self.of.line(name).into_owned(), gist, command, call }
    }

    /// The arguments of a call on one line. Its block repeats them, so nothing in them is counted.
    fn members(&self, call: &Call<'_>) -> String {
        let Some(arguments) = call.arguments.filter(|_| self.of.redact.is_some()) else {
            return gist(self.of, &call.summary(None).plain());
        };
        let masked = Json::parse(masked(arguments, Some(&Redactor::default()))).ok();
        let call = Call { name: call.name.clone(), arguments: masked.as_ref().map(Json::root) };
        gist(self.of, &call.summary(None).plain())
    }

    /// Writes the line of a call, with the lines that it added and removed, and opens what unfolds below it.
    fn line(
        &mut self,
        shown: &Shown<'_>,
        changed: Option<(usize, usize)>,
        figures: &[String],
    ) -> io::Result<()> {
        self.html.element("<summary><b>", &shown.name, "</b> ")?;
        self.html.element("<code class=\"gist\">", &shown.gist, "</code><span class=\"figure\">")?;
        if let Some((added, removed)) = changed {
            self.html.element("<span><span class=\"t-good\">+", &added.to_string(), "</span> ")?;
            self.html.element("<span class=\"t-bad\">−", &removed.to_string(), "</span></span>")?;
        }
        for figure in figures.iter().filter(|figure| !figure.is_empty()) {
            self.html.element("<span>", &self.of.line(figure), "</span>")?;
        }
        self.html.markup("</span></summary>\n<div class=\"body\">\n")
    }

    /// Writes what is unfolded of the call itself, where its line does not say all.
    fn call(&mut self, shown: &Shown<'_>, diff: &Diff) -> io::Result<()> {
        match &*shown.call.name {
            "edit" if !diff.is_empty() => self.diff(diff),
            "write" => match shown.call.argument("content").and_then(Value::as_str) {
                Some(content) => {
                    let content = self.of.text(&content);
                    self.html.code(content.trim_end_matches('\n'), &path_language(&shown.call))
                }
                None => Ok(()),
            },
            "read" | "grep" | "find" | "ls" => Ok(()),
            _ => match (&shown.command, shown.call.arguments) {
                (Some(command), _) if *command == shown.gist => Ok(()),
                (Some(command), _) => self.html.code(command, "sh"),
                (None, Some(arguments)) if !arguments.is_falsy() && !arguments.members().is_empty() => {
                    self.value(arguments.source())
                }
                _ => Ok(()),
            },
        }
    }

    /// Writes a change; where there is a secret in it, it loses its marks.
    fn diff(&mut self, diff: &Diff) -> io::Result<()> {
        if self.of.redact.is_some() {
            let lines = diff.lines().iter();
            let line =
                |pieces: &[(bool, String)]| pieces.iter().map(|(_, text)| text.as_str()).collect::<String>();
            let plain = lines.map(|one| line(&one.pieces)).collect::<Vec<_>>().join("\n");
            let masked = self.of.text(&plain);
            if masked != plain {
                return self.html.code(&masked, "");
            }
        }
        self.html.diff(diff)
    }

    /// Writes what came back: a file with the numbers of its lines, matches and paths as lists, anything else as it
    /// stands.
    fn outcome(&mut self, shown: &Shown<'_>, content: Option<&Content>, has_failed: bool) -> io::Result<()> {
        let is_list = !has_failed && matches!(&*shown.call.name, "read" | "grep" | "find" | "ls");
        let blocks = match content {
            Some(Content::Blocks(blocks)) if is_list && !blocks.is_empty() => blocks,
            content => return self.content(content, Setting::Output),
        };
        for block in blocks {
            match block {
                ContentBlock::Text { text, .. } => {
                    let text = self.of.text(text);
                    self.list(shown, text.trim_end_matches('\n'))?;
                }
                block => drop(self.block(block, Setting::Output)?),
            }
        }
        Ok(())
    }

    fn list(&mut self, shown: &Shown<'_>, text: &str) -> io::Result<()> {
        if &*shown.call.name == "read" {
            // What pi's tool adds in brackets is no line of the file.
            let notice = text
                .rsplit_once("\n\n")
                .filter(|(_, last)| last.starts_with('[') && last.ends_with(']') && !last.contains('\n'));
            let (code, notice) = notice.unwrap_or((text, ""));
            let first = shown.call.argument("offset").and_then(Value::as_f64).unwrap_or(1.0);
            self.html.numbered_code(code, &path_language(&shown.call), first.clamp(0.0, 1e9) as usize)?;
            return match notice {
                "" => Ok(()),
                notice => self.html.element("<p class=\"remark\">", notice, "</p>\n"),
            };
        }
        let wanted = shown.call.argument("pattern").and_then(Value::as_str).unwrap_or_default();
        self.html.markup("<pre class=\"output\">")?;
        self.html.rows(&match &*shown.call.name {
            "grep" => listing::matches(text, &wanted),
            _ => listing::paths(text),
        })?;
        self.html.markup("</pre>\n")
    }
}

/// The tools whose calls and results are known.
fn is_built_in(name: &str) -> bool {
    matches!(name, "read" | "write" | "edit" | "bash" | "grep" | "find" | "ls")
}

/// The language of the file that a call is about.
fn path_language(call: &Call<'_>) -> String {
    let path = call.argument("path").or_else(|| call.argument("file_path")).and_then(Value::as_str);
    path.map(|path| language_of(&path).to_owned()).unwrap_or_default()
}

/// What a call yielded, in a few words: how it failed, or so many lines.
fn figure(message: &ToolResultMessage, has_failed: bool, written: Option<Value<'_>>) -> String {
    let text = message.content.as_ref().map(|content| content.text("\n")).unwrap_or_default();
    if has_failed {
        let last = text.trim_end().lines().next_back().unwrap_or_default();
        return match last.strip_prefix("Command exited with code ") {
            Some(code) => format!("✗ exit {code}"),
            None => "✗ failed".to_owned(),
        };
    }
    let written = written.and_then(Value::as_str);
    let text = written.as_deref().unwrap_or(&text).trim_end_matches('\n');
    if js::is_blank(text) { String::new() } else { age::counted(text.lines().count(), "line") }
}
