use std::borrow::Cow;

use super::{EntryIx, Outline, OutlineRow, Session};
use crate::error::Error;
use crate::format::json::Shape;
use crate::format::{AssistantHead, EntryHead, Kind, MessageHead, Role, joined_text, js, one_line};

/// How much of the text of blocks pi's tree searches, in UTF-16 units.
const SEARCHED_UNITS: usize = 200;

/// What kind of row it is, for its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowClass {
    /// What the person wrote.
    User,
    /// What the model answered.
    Assistant,
    /// An answer that failed.
    Failed,
    /// A tool's result, in the words of its call.
    Tool,
    /// A command the person ran.
    Bash,
    /// An extension's message.
    Custom,
    /// A compaction.
    Compaction,
    /// The summary of a branch that was left.
    BranchSummary,
    /// Names, labels, model changes and the like.
    Bookkeeping,
    /// Instructions to the model, and messages of unknown roles.
    Other,
}

/// The text of a row in pi's tree: a word for who speaks, and what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowText {
    /// What kind of row it is.
    pub class: RowClass,
    /// `user: `, `assistant: ` or nothing.
    pub speaker: &'static str,
    /// The rest.
    pub text: String,
}

impl RowText {
    fn new(class: RowClass, text: impl Into<String>) -> Self {
        Self { class, speaker: "", text: text.into() }
    }

    /// The same for people: where an entry lacks the word that pi writes as `undefined`, words for that.
    #[must_use]
    pub fn in_words(self) -> Self {
        let text = match (self.class, self.text.as_str()) {
            (RowClass::Other, "[undefined]") => Some("(empty message)".to_owned()),
            (RowClass::Custom, text) => {
                text.strip_prefix("[undefined]:").map(|text| format!("[extension]:{text}"))
            }
            (RowClass::Bookkeeping, text) => text
                .strip_suffix(": undefined]")
                .filter(|word| word.starts_with('['))
                .map(|word| format!("{word}]")),
            _ => None,
        };
        match text {
            Some(text) => Self { text, ..self },
            None => self,
        }
    }

    /// The whole text as pi writes it.
    pub fn joined(&self) -> String {
        js::trim_end(&format!("{}{}", self.speaker, self.text)).to_owned()
    }
}

impl Session {
    /// The text of a row of `outline`, by the rules of pi's tree. `home` is shortened to `~` in paths.
    pub fn row_text(&self, outline: &Outline, row: &OutlineRow, home: Option<&str>) -> RowText {
        let call = match self.entry(row.entry).kind.role() {
            Some(Role::ToolResult { call_id, .. }) if !call_id.is_empty() => outline.call(self, call_id),
            _ => None,
        };
        self.entry_text(row.entry, call, home)
    }

    /// As [`Session::row_text`], for a place where the call that a tool result answers is known: the assistant
    /// message that made it, and its place among the calls there.
    pub fn entry_text(&self, ix: EntryIx, call: Option<(EntryIx, usize)>, home: Option<&str>) -> RowText {
        let head = self.entry(ix);
        match &head.kind {
            Kind::Message(message) => match &message.role {
                Role::User => {
                    RowText { class: RowClass::User, speaker: "user: ", text: head.gist.to_string() }
                }
                Role::Assistant(answer) => assistant_text(&head, answer),
                Role::ToolResult { tool_name, .. } => {
                    RowText::new(RowClass::Tool, self.tool_text(call, tool_name, home))
                }
                Role::BashExecution { .. } => RowText::new(RowClass::Bash, format!("[bash]: {}", head.gist)),
                Role::Missing => RowText::new(RowClass::Other, "(empty message)"),
                _ => RowText::new(RowClass::Other, format!("[{}]", self.role_word(ix))),
            },
            Kind::CustomMessage { custom_type, .. } => {
                RowText::new(RowClass::Custom, format!("[{custom_type}]: {}", head.gist))
            }
            Kind::Compaction { tokens_before, .. } => {
                let thousands = (tokens_before / 1000.0 + 0.5).floor();
                RowText::new(RowClass::Compaction, format!("[compaction: {}k tokens]", js::number(thousands)))
            }
            Kind::BranchSummary => {
                RowText::new(RowClass::BranchSummary, format!("[branch summary]: {}", head.gist))
            }
            kind => RowText::new(RowClass::Bookkeeping, bookkeeping_text(kind, &head.gist)),
        }
    }

    /// As [`Session::row_text`], with texts that pi does not cut read whole from the file.
    ///
    /// # Errors
    /// When the file has to be read and cannot be.
    pub fn whole_row_text(
        &self,
        outline: &Outline,
        row: &OutlineRow,
        home: Option<&str>,
    ) -> Result<RowText, Error> {
        let head = self.entry(row.entry);
        let mut text = self.row_text(outline, row, home);
        if head.gist_is_cut && text.class != RowClass::Tool && text.text.ends_with(&*head.gist) {
            text.text.truncate(text.text.len() - head.gist.len());
            text.text.push_str(&one_line(&self.whole_text(row.entry)?));
        }
        Ok(text)
    }

    fn tool_text(&self, call: Option<(EntryIx, usize)>, tool_name: &str, home: Option<&str>) -> String {
        let call = call.and_then(|(ix, at)| match self.entry(ix).kind.role() {
            Some(Role::Assistant(answer)) => answer.calls.get(at).cloned(),
            _ => None,
        });
        match call {
            Some(call) => {
                let path = call.path.as_deref().map(|path| shorten(path, home)).unwrap_or_default();
                format!("{}{path}{}", call.before, call.after)
            }
            None => format!("[{tool_name}]"),
        }
    }

    /// Whether every word of a search (lower case, without blanks) occurs in what pi's tree searches of an
    /// entry. Texts that pi does not cut are read from the file when the head holds only their start.
    ///
    /// # Errors
    /// When the file has to be read and cannot be.
    pub fn matches_search(&self, ix: EntryIx, words: &[String]) -> Result<bool, Error> {
        let head = self.entry(ix);
        let text = self.searched_text(ix, &head)?;
        let label = self.label_of(ix).map_or("", |label| &label.text);
        let searched =
            format!("{label} {}", search_text(self.word_of_role(&head.kind), &head, &text)).to_lowercase();
        Ok(words.iter().all(|word| searched.contains(word.as_str())))
    }

    /// Of an extension's message pi searches the start where the content is blocks, all of it where it is a text.
    fn searched_text<'h>(&self, ix: EntryIx, head: &'h EntryHead) -> Result<Cow<'h, str>, Error> {
        let is_custom = matches!(head.kind, Kind::CustomMessage { .. });
        if is_custom && js::units(&head.gist) > SEARCHED_UNITS {
            let body = self.body(ix)?;
            let content = body.root().get("content");
            let is_blocks = content.is_some_and(|content| content.shape() == Shape::Array);
            let text = joined_text(content, "");
            return Ok(Cow::Owned(if is_blocks {
                js::cut(&text, SEARCHED_UNITS).0.into_owned()
            } else {
                text
            }));
        }
        Ok(if head.gist_is_cut { Cow::Owned(self.whole_text(ix)?) } else { Cow::Borrowed(&*head.gist) })
    }

    fn whole_text(&self, ix: EntryIx) -> Result<String, Error> {
        let body = self.body(ix)?;
        let root = body.root();
        let text = match &self.entry(ix).kind {
            Kind::CustomMessage { .. } => joined_text(root.get("content"), ""),
            Kind::Message(MessageHead { role: Role::ToolResult { .. }, .. }) => {
                let text = joined_text(root.get("message").and_then(|message| message.get("content")), "");
                one_line(&js::cut(&text, SEARCHED_UNITS).0)
            }
            Kind::Message(_) => root
                .get("message")
                .and_then(|message| message.get_str("command"))
                .unwrap_or_default()
                .into_owned(),
            _ => root.get_str("summary").unwrap_or_default().into_owned(),
        };
        Ok(text)
    }
}

/// The words of a search as pi's tree takes them: lower case, cut at white space.
pub fn search_words(query: &str) -> Vec<String> {
    query.to_lowercase().split(js::is_space).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn search_text(role: &str, head: &EntryHead, text: &str) -> String {
    match &head.kind {
        Kind::Message(_) => format!("{role} {text}"),
        Kind::CustomMessage { custom_type, .. } => format!("{custom_type} {text}"),
        Kind::Compaction { .. } => "compaction".to_owned(),
        Kind::BranchSummary => format!("branch summary {text}"),
        Kind::SessionInfo { name } => format!("title {}", name.as_deref().unwrap_or_default()),
        Kind::ModelChange { model, .. } => format!("model {model}"),
        Kind::ThinkingLevelChange { level } => format!("thinking {level}"),
        Kind::Custom { custom_type } => format!("custom {custom_type}"),
        Kind::ContextEdit { target, omits } => {
            format!("context edit {} {target}", if *omits { "omit" } else { "replace" })
        }
        Kind::Label { label, .. } => format!("label {}", label.as_deref().unwrap_or_default()),
        Kind::Usage { .. } | Kind::Unknown(_) => String::new(),
    }
}

fn assistant_text(head: &EntryHead, answer: &AssistantHead) -> RowText {
    let (class, text) = if !head.gist.is_empty() {
        (RowClass::Assistant, head.gist.to_string())
    } else if answer.stop_reason.as_deref() == Some("aborted") {
        (RowClass::Bookkeeping, "(aborted)".to_owned())
    } else if answer.error.is_empty() {
        (RowClass::Bookkeeping, "(no content)".to_owned())
    } else {
        (RowClass::Failed, answer.error.to_string())
    };
    RowText { class, speaker: "assistant: ", text }
}

fn bookkeeping_text(kind: &Kind, gist: &str) -> String {
    match kind {
        Kind::ModelChange { .. } => format!("[model: {gist}]"),
        Kind::ThinkingLevelChange { .. } => format!("[thinking: {gist}]"),
        Kind::Custom { custom_type } => format!("[custom: {custom_type}]"),
        Kind::ContextEdit { target, omits } => {
            format!("[context {}: {target}]", if *omits { "omit" } else { "replace" })
        }
        Kind::Label { .. } => format!("[label: {gist}]"),
        Kind::SessionInfo { .. } => format!("[title: {gist}]"),
        _ => String::new(),
    }
}

/// Writes the home directory as `~`.
fn shorten(path: &str, home: Option<&str>) -> String {
    match home.and_then(|home| path.strip_prefix(home)) {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("~{rest}"),
        _ => path.to_owned(),
    }
}
