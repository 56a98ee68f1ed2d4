//! A passage as what people read of it, whatever the format: who speaks, and what there is to show.

use super::{Document, DocumentKind, Passage, Tally};
use crate::error::Error;
use crate::format::json::{Document as JsonText, Value};
use crate::format::{account_in_words, js, model_account};
use crate::present::age;
use crate::session::message::{
    AssistantMessage, BashExecutionMessage, Content, ContentBlock, CustomMessage, Message, StopReason,
    SystemMessage, ToolCall, ToolResultMessage,
};
use crate::session::{Compaction, EntryBody};

/// A passage in parts. All texts stand as in the file: whoever shows them makes them harmless.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Section {
    /// Who speaks; nobody in bookkeeping, nor in what a tool answers to the one who spoke before.
    pub(super) speaker: Option<String>,
    /// What else a heading says: the model, the time, a label.
    pub(super) remarks: Vec<String>,
    /// What is said.
    pub(super) parts: Vec<Part>,
}

/// Hands on all that a document has to show, one section after the other, and returns what is to be said at its end:
/// what a branch has used, and behind the word `redacted` what was masked.
pub(super) fn each_section(
    of: &Document<'_>,
    redacted: &str,
    mut take: impl FnMut(&Section) -> Result<(), Error>,
) -> Result<Vec<String>, Error> {
    let mut tally = Tally::default();
    for passage in of.passages() {
        let passage = passage?;
        tally.add_some(passage.usage.as_ref());
        let section = Section::of(&passage, of);
        if !section.parts.is_empty() {
            take(&section)?;
        }
    }
    let mut end = Vec::new();
    if matches!(of.kind, DocumentKind::Branch) {
        end.extend(tally.words());
    }
    end.extend(of.redact.and_then(|redactor| Some(format!("{redacted}: {}", redactor.words()?))));
    Ok(end)
}

/// A part of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Markdown, as a person or a model wrote it.
    Prose(String),
    /// The same, that was thought and not said.
    Thought(String),
    /// A tool that is called, and what with in a few words.
    Call(String, String),
    /// Text to be shown letter by letter.
    Code(Code),
    /// What is to be known, on one line.
    Note(String),
}

/// Text to be shown letter by letter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Code {
    /// What it is, where that does not follow from what stands above.
    pub(super) caption: String,
    /// Its language; empty where it has none.
    pub(super) language: String,
    /// The text.
    pub(super) text: String,
}

impl Section {
    /// What people read of a passage.
    pub(super) fn of(passage: &Passage, document: &Document<'_>) -> Self {
        let mut section = Self::default();
        section.body(&passage.body);
        let parts = &mut section.parts;
        parts.retain(|part| !part.is_blank());
        if section.speaker.is_some() {
            let head = document.session.entry(passage.entry);
            section.remarks.retain(|remark| !remark.is_empty());
            section.remarks.extend(head.time.and_then(|time| {
                Some(format!("{} {}", age::date(time, document.zone)?, age::clock(time, document.zone)?))
            }));
            let label = document.session.label_of(passage.entry);
            section.remarks.extend(label.map(|label| format!("label: {}", label.text)));
        }
        section
    }

    fn body(&mut self, body: &EntryBody) {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        match body {
            EntryBody::Message(Some(message)) => self.message(message),
            EntryBody::Message(None) => self.note("a message entry without its message"),
            EntryBody::CustomMessage(message) => self.custom(message),
            EntryBody::Compaction(compaction) => self.compaction(compaction),
            EntryBody::BranchSummary { summary, .. } => self.branch_summary(summary.as_deref()),
            EntryBody::ThinkingLevelChange { thinking_level } => {
                self.note(format!("Thinking level: {}", text(thinking_level)));
            }
            EntryBody::ModelChange { provider, model_id } => {
                let account = model_account(provider.as_deref(), model_id.as_deref());
                self.note(format!("Model: {}", account_in_words(&account)));
            }
            EntryBody::Usage { kind, provider, model, note, .. } => {
                let account = account_in_words(&model_account(provider.as_deref(), model.as_deref()));
                let words = [text(kind), account, text(note)];
                let words: Vec<&str> = words.iter().map(String::as_str).filter(|it| !it.is_empty()).collect();
                self.note(format!("Used besides: {}", words.join(", ")));
            }
            EntryBody::Custom { custom_type, data } => {
                let name = custom_type.as_deref().unwrap_or("an extension");
                self.code(format!("Data of {name}"), "json", &text(data));
            }
            EntryBody::ContextEdit { target_id, replacement } => {
                self.context_edit(&text(target_id), replacement.as_deref());
            }
            EntryBody::Label { target_id, label } => self.note(match label.as_deref() {
                Some(label) if !label.is_empty() => format!("Label of {}: {label}", text(target_id)),
                _ => format!("Label of {} cleared", text(target_id)),
            }),
            EntryBody::SessionInfo { name } => self.note(format!("Name: {}", text(name))),
            EntryBody::Unknown(word) => self.note(format!("An entry of the unknown type {word}")),
        }
    }

    fn message(&mut self, message: &Message) {
        match message {
            Message::User(user) => {
                self.speaker = Some("User".into());
                self.content(user.content.as_ref());
            }
            Message::Assistant(answer) => self.answer(answer),
            Message::ToolResult(result) => self.tool_result(result),
            Message::BashExecution(bash) => self.bash(bash),
            Message::System(system) => self.system(system),
            Message::Custom(custom) => self.custom(custom),
            Message::CompactionSummary { summary, .. } => {
                self.compaction(&Compaction { summary: Some(summary.clone()), ..Compaction::default() });
            }
            Message::BranchSummary { summary, .. } => self.branch_summary(Some(summary)),
            Message::Other { role, other } => {
                let content = other.iter().find(|field| field.name == "content");
                let content = content.and_then(|field| JsonText::parse(field.json.clone()).ok());
                self.speaker = Some(if role.is_empty() { "No role".into() } else { role.clone() });
                self.content(content.as_ref().map(|content| Content::of(content.root())).as_ref());
            }
        }
    }

    fn answer(&mut self, answer: &AssistantMessage) {
        self.speaker = Some("Assistant".into());
        let model = answer.response_model.as_ref().or(answer.model.as_ref());
        self.remarks.push(model.cloned().unwrap_or_default());
        self.content(answer.content.as_ref());
        let reason = match &answer.stop_reason {
            Some(StopReason::Error) => "Failed",
            Some(StopReason::Aborted) => "Stopped by the user",
            Some(StopReason::Length) => "Cut off at the length limit",
            _ if answer.error_message.is_some() => "Failed",
            _ => return,
        };
        self.note(match answer.error_message.as_deref() {
            Some(error) if !error.trim().is_empty() => format!("{reason}: {error}"),
            _ => reason.to_owned(),
        });
    }

    fn tool_result(&mut self, result: &ToolResultMessage) {
        let name = result.tool_name.as_deref().unwrap_or("a tool");
        let failed = if result.is_error == Some(true) { ", failed" } else { "" };
        let before = self.parts.len();
        self.letters(&format!("Output of {name}{failed}"), result.content.as_ref());
        if self.parts[before..].iter().all(Part::is_blank) {
            self.note(format!("Output of {name}{failed}: nothing"));
        }
    }

    fn bash(&mut self, bash: &BashExecutionMessage) {
        self.speaker = Some("Shell".into());
        if bash.exclude_from_context == Some(true) {
            self.remarks.push("not sent to the model".into());
        }
        self.code("", "sh", bash.command.as_deref().unwrap_or_default());
        self.code("Output", "", bash.output.as_deref().unwrap_or_default());
        if bash.cancelled == Some(true) {
            self.note("Stopped by the user");
        } else if let Some(code) = bash.exit_code.filter(|&code| code != 0.0) {
            self.note(format!("Exit code {}", js::number(code)));
        }
        if bash.truncated == Some(true) {
            let place = bash.full_output_path.as_deref().unwrap_or("an unknown place");
            self.note(format!("The output was cut; all of it was in {place}"));
        }
    }

    fn system(&mut self, system: &SystemMessage) {
        self.speaker = Some("System".into());
        self.letters("Instructions", system.content.as_ref());
        for (name, text) in &system.sections {
            match text {
                Some(text) => self.code(format!("Section {name}"), "", text),
                None => self.note(format!("Section {name} removed")),
            }
        }
        for (words, tools) in [("added", &system.tools_added), ("removed", &system.tools_removed)] {
            let name = |tool: &String| {
                let tool = JsonText::parse(tool.clone()).ok()?;
                Some(tool.root().get_str("name")?.into_owned())
            };
            let names: Vec<String> = tools.iter().filter_map(name).collect();
            if !names.is_empty() {
                self.note(format!("Tools {words}: {}", names.join(", ")));
            }
        }
    }

    fn custom(&mut self, custom: &CustomMessage) {
        self.speaker = Some(custom.custom_type.clone().unwrap_or_else(|| "extension".into()));
        if custom.display == Some(false) {
            self.remarks.push("not shown in pi".into());
        }
        self.content(custom.content.as_ref());
    }

    fn compaction(&mut self, compaction: &Compaction) {
        self.speaker = Some("Compaction".into());
        if let Some(tokens) = compaction.tokens_before {
            self.remarks.push(format!("{} tokens before", age::tokens(tokens)));
        }
        self.parts.push(Part::Prose(compaction.summary.clone().unwrap_or_default()));
    }

    fn branch_summary(&mut self, summary: Option<&str>) {
        self.speaker = Some("Summary of another branch".into());
        self.parts.push(Part::Prose(summary.unwrap_or_default().to_owned()));
    }

    fn context_edit(&mut self, target: &str, replacement: Option<&str>) {
        let replacement = replacement.and_then(|json| JsonText::parse(json.to_owned()).ok());
        let content = replacement.as_ref().map(JsonText::root).filter(|root| root.is_object());
        match content {
            None => self.note(format!("{target} is left out of what the model is sent")),
            Some(content) => {
                let content = content.get("content").map(Content::of);
                self.letters(&format!("Sent in the place of {target}"), content.as_ref());
            }
        }
    }

    /// Texts that are Markdown, and everything else.
    fn content(&mut self, content: Option<&Content>) {
        match content {
            Some(Content::Text(text)) => self.parts.push(Part::Prose(text.clone())),
            Some(Content::Blocks(blocks)) => blocks.iter().for_each(|block| match block {
                ContentBlock::Text { text, .. } => self.parts.push(Part::Prose(text.clone())),
                block => self.block(block),
            }),
            Some(Content::Odd(json)) => self.code("Content", "json", json),
            None => {}
        }
    }

    /// Texts that are shown letter by letter, and everything else.
    fn letters(&mut self, caption: &str, content: Option<&Content>) {
        match content {
            Some(Content::Text(text)) => self.code(caption, "", text),
            Some(Content::Blocks(blocks)) => blocks.iter().for_each(|block| match block {
                ContentBlock::Text { text, .. } => self.code(caption, "", text),
                block => self.block(block),
            }),
            Some(Content::Odd(json)) => self.code(caption, "json", json),
            None => {}
        }
    }

    fn block(&mut self, block: &ContentBlock) {
        match block {
            ContentBlock::Text { text, .. } => self.parts.push(Part::Prose(text.clone())),
            ContentBlock::Thinking { redacted: Some(true), .. } => {
                self.note("A thought that the provider has hidden");
            }
            ContentBlock::Thinking { thinking, .. } => self.parts.push(Part::Thought(thinking.clone())),
            ContentBlock::Image { data, mime_type, .. } => {
                let size = age::bytes(data.len() as u64 / 4 * 3);
                self.note(format!("A picture, {mime_type}, {size}"));
            }
            ContentBlock::ToolCall(call) => self.call(call),
            ContentBlock::Odd(json) => self.code("A block of an unknown type", "json", json),
        }
    }

    /// A call: its tool and what it is about, then long arguments each by itself, and all others below each other.
    fn call(&mut self, call: &ToolCall) {
        let arguments = JsonText::parse(call.arguments.clone()).ok();
        let members = arguments.as_ref().map(|read| read.root().members()).unwrap_or_default();
        let is_path = |name: &str| matches!(name, "path" | "file_path");
        let path = members.iter().find(|(name, value)| is_path(name) && value.as_str().is_some());
        let path = path.and_then(|(_, path)| path.as_str()).unwrap_or_default();
        self.parts.push(Part::Call(call.name.clone(), path.clone().into_owned()));
        let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
        let mut others = String::new();
        for (name, value) in &members {
            match value.as_str() {
                Some(_) if is_path(name) => {}
                Some(text) if name == "command" => self.code("", "sh", &text),
                Some(text) if text.contains('\n') => self.code(&**name, extension, &text),
                None if name == "edits" => others.push_str(&self.edits(*value)),
                _ => others.push_str(&format!("{name}: {}\n", value.to_json())),
            }
        }
        if members.is_empty() && arguments.as_ref().is_some_and(|read| !read.root().is_object()) {
            others.clone_from(&call.arguments);
        }
        self.code("", "yaml", &others);
    }

    /// Replacements of texts as what goes and what comes; returns those that are none.
    fn edits(&mut self, edits: Value<'_>) -> String {
        let mut others = String::new();
        for edit in edits.items() {
            let (Some(old), Some(new)) = (edit.get_str("oldText"), edit.get_str("newText")) else {
                others.push_str(&format!("edits: {}\n", edit.to_json()));
                continue;
            };
            let signed = |sign: &str, text: &str| {
                let lines = text.trim_end_matches('\n').replace('\n', &format!("\n{sign}"));
                format!("{sign}{lines}\n")
            };
            self.code("", "diff", &(signed("-", &old) + &signed("+", &new)));
        }
        others
    }

    fn code(&mut self, caption: impl Into<String>, language: &str, text: &str) {
        let code = Code { caption: caption.into(), language: language.to_owned(), text: text.to_owned() };
        self.parts.push(Part::Code(code));
    }

    fn note(&mut self, words: impl Into<String>) {
        self.parts.push(Part::Note(words.into()));
    }
}

impl Part {
    fn is_blank(&self) -> bool {
        match self {
            Self::Prose(text) | Self::Thought(text) | Self::Note(text) => text.trim().is_empty(),
            Self::Code(code) => code.text.trim().is_empty(),
            Self::Call(..) => false,
        }
    }
}
