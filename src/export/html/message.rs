//! Messages by who speaks.

use std::io;

use super::content::Setting;
use super::entry::{Entries, spent};
use super::note::Card;
use crate::format::json::Document as Json;
use crate::format::{Usage, js};
use crate::present::age;
use crate::session::EntryIx;
use crate::session::message::{
    AssistantMessage, BashExecutionMessage, Content, ContentBlock, CustomMessage, Message, StopReason,
    SystemMessage,
};

impl Entries<'_, '_> {
    /// Writes a message.
    pub(super) fn message(
        &mut self,
        entry: EntryIx,
        message: &Message,
        usage: Option<&Usage>,
    ) -> io::Result<()> {
        match message {
            Message::User(message) => {
                self.open("<article class=\"user\"", entry)?;
                self.heading(entry, "you", "", &[])?;
                self.content(message.content.as_ref(), Setting::Plain)?;
                self.html.markup("</article>\n")
            }
            Message::Assistant(message) => self.assistant(entry, message, usage),
            Message::ToolResult(message) => self.result(entry, message, usage),
            Message::BashExecution(message) => self.bash_execution(entry, message),
            Message::System(message) => self.system(entry, message),
            Message::Custom(message) => self.custom(entry, message),
            Message::CompactionSummary { summary, tokens_before, .. } => {
                self.card(entry, &Card::compaction(*tokens_before, false, None), summary, usage)
            }
            Message::BranchSummary { summary, .. } => {
                self.card(entry, &Card::branch(false, None), summary, usage)
            }
            Message::Other { role, other } => {
                self.open("<article class=\"custom\"", entry)?;
                self.heading(entry, if role.is_empty() { "message" } else { role }, "", &[])?;
                let content = other.iter().find(|field| field.name == "content");
                let content = content.and_then(|field| Json::parse(field.json.clone()).ok());
                match content {
                    Some(content) => self.content(Some(&Content::of(content.root())), Setting::Prose)?,
                    None => {
                        for field in other {
                            self.html.element("<p class=\"remark\">", &self.of.line(&field.name), "</p>")?;
                            self.value(&field.json)?;
                        }
                    }
                }
                self.html.markup("</article>\n")
            }
        }
    }

    /// Writes an answer: its thinking, its text, the calls nobody answered, and how it ended. One that says nothing and
    /// whose calls are all answered is left to their results; at most its thoughts are told.
    fn assistant(
        &mut self,
        entry: EntryIx,
        message: &AssistantMessage,
        usage: Option<&Usage>,
    ) -> io::Result<()> {
        let is_left_to_results = self.is_left_to_results(message);
        self.open(
            if is_left_to_results { "<article class=\"bare\"" } else { "<article class=\"assistant\"" },
            entry,
        )?;
        if !is_left_to_results {
            let level = message.provider_thinking_level.as_ref().or(message.thinking_level.as_ref());
            let level = self.level.as_ref().or(level).filter(|level| *level != "off");
            let [tokens, cost] = spent(usage);
            let facts = [level.cloned().unwrap_or_default(), tokens, cost];
            self.heading(entry, "assistant", &model(message), &facts)?;
        }
        let blocks = match &message.content {
            Some(Content::Blocks(blocks)) => blocks.as_slice(),
            Some(content) => {
                self.content(Some(content), Setting::Prose)?;
                &[]
            }
            None => &[],
        };
        for block in blocks {
            match block {
                ContentBlock::ToolCall(call) if self.calls.awaits(call) => self.calls.keep(call),
                ContentBlock::ToolCall(call) => {
                    let is_cut = matches!(message.stop_reason, Some(StopReason::Aborted | StopReason::Error));
                    self.open_call(call, if is_cut { "aborted" } else { "no result" })?;
                }
                block => {
                    self.block(block, Setting::Prose)?;
                }
            }
        }
        self.ending(message)?;
        self.html.markup("</article>\n")
    }

    fn is_left_to_results(&self, message: &AssistantMessage) -> bool {
        let Some(Content::Blocks(blocks)) = &message.content else { return false };
        let is_fine = matches!(message.stop_reason, None | Some(StopReason::Stop | StopReason::ToolUse));
        is_fine
            && message.error_message.as_ref().is_none_or(String::is_empty)
            && blocks.iter().any(|block| matches!(block, ContentBlock::ToolCall(_)))
            && blocks.iter().all(|block| match block {
                ContentBlock::Text { text, .. } => js::is_blank(text),
                ContentBlock::Thinking { .. } => true,
                ContentBlock::ToolCall(call) => self.calls.awaits(call),
                ContentBlock::Image { .. } | ContentBlock::Odd(_) => false,
            })
    }

    /// Writes how an answer ended, unless it ended well.
    fn ending(&mut self, message: &AssistantMessage) -> io::Result<()> {
        let error = message.error_message.as_deref().unwrap_or_default().trim();
        let (open, word) = match &message.stop_reason {
            _ if message.deferred.is_some() => (WARNING, "deferred"),
            Some(StopReason::Pending) => (WARNING, "pending"),
            Some(StopReason::Deferred) => (WARNING, "deferred"),
            Some(StopReason::Aborted) => (WARNING, "aborted"),
            Some(StopReason::Length) => (WARNING, "stopped at the length limit"),
            Some(StopReason::Other(word)) => (WARNING, word.as_str()),
            None | Some(StopReason::Stop | StopReason::ToolUse) if error.is_empty() => return Ok(()),
            None | Some(StopReason::Stop | StopReason::ToolUse | StopReason::Error) => (FAILURE, "error"),
        };
        self.html.element(open, &self.of.line(word), "</b>")?;
        if !error.is_empty() {
            self.html.element(" <span class=\"plain\">", &self.of.text(error), "</span>")?;
        }
        self.html.markup("</p>\n")
    }

    fn bash_execution(&mut self, entry: EntryIx, message: &BashExecutionMessage) -> io::Result<()> {
        let is_excluded = message.exclude_from_context == Some(true);
        let ending = match message.exit_code {
            _ if message.cancelled == Some(true) => "cancelled".to_owned(),
            Some(code) => format!("exit {}", js::number(code)),
            None => String::new(),
        };
        self.open("<article class=\"user\"", entry)?;
        self.heading(entry, "you ran", if is_excluded { "not sent to the model" } else { "" }, &[ending])?;
        let command = self.of.text(message.command.as_deref().unwrap_or_default());
        self.html.code(command.trim_end(), "sh")?;
        let output = message.output.as_deref().filter(|output| !js::is_blank(output));
        match output {
            Some(output) => self.output(output)?,
            None => self.html.markup("<p class=\"remark\">(no output)</p>\n")?,
        }
        if message.truncated == Some(true) {
            let path = message.full_output_path.as_deref().unwrap_or_default();
            self.html.element("<p class=\"remark\">output truncated ", &self.of.line(path), "</p>\n")?;
        }
        self.html.markup("</article>\n")
    }

    /// Writes instructions: named sections and tools, each folded.
    fn system(&mut self, entry: EntryIx, message: &SystemMessage) -> io::Result<()> {
        self.open("<article class=\"system\"", entry)?;
        self.heading(entry, "system", "", &[])?;
        self.instructions(message)?;
        self.html.markup("</article>\n")
    }

    /// Writes the parts of a system message, each folded, below a line that names them all.
    fn instructions(&mut self, message: &SystemMessage) -> io::Result<()> {
        let prompt = message.content.as_ref().filter(|content| match content {
            Content::Text(text) => !js::is_blank(text),
            Content::Blocks(blocks) => !blocks.is_empty(),
            Content::Odd(_) => true,
        });
        let tools = [("tool", &message.tools_added), ("removed tool", &message.tools_removed)];
        let tools = tools.map(|(word, tools)| (age::counted(tools.len(), word), tools));
        let tools = tools.iter().filter(|(_, tools)| !tools.is_empty());
        let names =
            prompt.iter().map(|_| "prompt").chain(message.sections.iter().map(|(name, _)| name.as_str()));
        let names: Vec<&str> = names.chain(tools.clone().map(|(words, _)| words.as_str())).collect();

        self.part(&names.join(", "), |entries| {
            if let Some(content) = prompt {
                entries.part("prompt", |entries| entries.content(Some(content), Setting::Plain))?;
            }
            for (name, text) in &message.sections {
                entries.part(name, |entries| match text {
                    Some(text) => entries.plain(text),
                    None => entries.html.markup("<p class=\"remark\">(removed)</p>\n"),
                })?;
            }
            for (words, tools) in tools {
                entries.part(words, |entries| tools.iter().try_for_each(|tool| entries.value(tool)))?;
            }
            Ok(())
        })
    }

    /// Writes something folded below its name.
    fn part(&mut self, name: &str, write: impl FnOnce(&mut Self) -> io::Result<()>) -> io::Result<()> {
        let name = self.of.line(name);
        self.html.element("<details class=\"part\"><summary>", &name, "</summary>\n<div>\n")?;
        write(self)?;
        self.html.markup("</div></details>\n")
    }

    /// Writes an extension's message; folded where pi does not show it.
    pub(super) fn custom(&mut self, entry: EntryIx, message: &CustomMessage) -> io::Result<()> {
        let is_shown = message.display != Some(false);
        self.open("<article class=\"custom\"", entry)?;
        let word = message.custom_type.as_deref().unwrap_or("extension");
        self.heading(entry, word, if is_shown { "" } else { "not shown in pi" }, &[])?;
        let content = message.content.as_ref();
        if is_shown {
            self.content(content, Setting::Prose)?;
        } else {
            self.part("content", |entries| entries.content(content, Setting::Prose))?;
        }
        self.html.markup("</article>\n")
    }
}

const WARNING: &str = "<p class=\"ending warn\"><b>✗ ";
const FAILURE: &str = "<p class=\"ending bad\"><b>✗ ";

/// The model that was asked, and the one that answered where it is another.
fn model(message: &AssistantMessage) -> String {
    let asked = message.model.clone().unwrap_or_default();
    match message.response_model.as_ref() {
        Some(other) if *other != asked && !asked.is_empty() => format!("{asked} → {other}"),
        Some(other) => other.clone(),
        None => asked,
    }
}
