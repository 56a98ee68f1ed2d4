//! Entries that keep books, as quiet lines, and summaries, as cards.

use std::io;

use super::content::Setting;
use super::entry::{Entries, anchor, spent};
use crate::format::Usage;
use crate::format::json::{Document as Json, Value};
use crate::present::age;
use crate::session::message::Content;
use crate::session::{Compaction, EntryBody, EntryIx};

/// More files are not named.
const MOST_FILES: usize = 200;

/// A summary that stands for other entries.
pub(super) struct Card {
    element: &'static str,
    words: Vec<String>,
    /// The files that were read and changed.
    files: Vec<(&'static str, Vec<String>)>,
}

impl Card {
    pub(super) fn compaction(tokens: Option<f64>, is_by_extension: bool, details: Option<&str>) -> Self {
        let mut words = vec!["compaction".to_owned()];
        words.extend(tokens.map(|tokens| format!("{} tokens", age::tokens(tokens))));
        Self { element: "<article class=\"card compaction\"", words, files: files(details) }
            .made(is_by_extension)
    }

    pub(super) fn branch(is_by_extension: bool, details: Option<&str>) -> Self {
        let words = vec!["summary of another branch".to_owned()];
        Self { element: "<article class=\"card branch\"", words, files: files(details) }.made(is_by_extension)
    }

    fn made(mut self, is_by_extension: bool) -> Self {
        self.words.extend(is_by_extension.then(|| "by an extension".to_owned()));
        self
    }
}

/// The files that the details of a summary name.
fn files(details: Option<&str>) -> Vec<(&'static str, Vec<String>)> {
    let details = details.and_then(|details| Json::parse(details.to_owned()).ok());
    let names = |key: &str| {
        let list = details.as_ref().and_then(|details| details.root().get(key));
        let names = list.into_iter().flat_map(Value::items).filter_map(Value::as_str);
        names.take(MOST_FILES).map(std::borrow::Cow::into_owned).collect::<Vec<_>>()
    };
    let mut lists = vec![("read", names("readFiles")), ("changed", names("modifiedFiles"))];
    lists.retain(|(_, names)| !names.is_empty());
    lists
}

impl Entries<'_, '_> {
    pub(super) fn compaction(
        &mut self,
        entry: EntryIx,
        compaction: &Compaction,
        usage: Option<&Usage>,
    ) -> io::Result<()> {
        let details = compaction.details.as_deref();
        let card = Card::compaction(compaction.tokens_before, compaction.from_hook == Some(true), details);
        self.card(entry, &card, compaction.summary.as_deref().unwrap_or_default(), usage)
    }

    /// Writes a summary that stands for other entries, folded.
    pub(super) fn card(
        &mut self,
        entry: EntryIx,
        card: &Card,
        summary: &str,
        usage: Option<&Usage>,
    ) -> io::Result<()> {
        self.open(card.element, entry)?;
        self.html.element("<details><summary><b>", &card.words.join(" · "), "</b>")?;
        self.facts(entry, &spent(usage))?;
        self.html.markup("</summary>\n")?;
        if summary.trim().is_empty() {
            self.html.markup("<p class=\"remark\">(no summary)</p>\n")?;
        } else {
            self.prose(summary)?;
        }
        for (word, names) in &card.files {
            self.html.element("<p class=\"remark\">", word, " ")?;
            for name in names {
                self.html.element("<code>", &self.of.line(name), "</code> ")?;
            }
            self.html.markup("</p>\n")?;
        }
        self.html.markup("</details></article>\n")
    }

    /// Writes an entry that keeps books.
    pub(super) fn note(&mut self, entry: EntryIx, body: &EntryBody, usage: Option<&Usage>) -> io::Result<()> {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        match body {
            EntryBody::ThinkingLevelChange { thinking_level } => {
                self.level.clone_from(thinking_level);
                self.note_line(entry, "thinking", &text(thinking_level), None)
            }
            EntryBody::ModelChange { provider, model_id } => {
                self.note_line(entry, "model", &format!("{}/{}", text(provider), text(model_id)), None)
            }
            EntryBody::SessionInfo { name } => {
                match name.as_deref().map(str::trim).filter(|name| !name.is_empty()) {
                    Some(name) => self.note_line(entry, "name", name, None),
                    None => self.note_line(entry, "name", "cleared", None),
                }
            }
            EntryBody::Label { target_id, label } => {
                let target = target_id.as_deref();
                match label.as_deref().filter(|label| !label.is_empty()) {
                    Some(label) => self.note_line(entry, "label", &format!("◆ {label} on"), target),
                    None => self.note_line(entry, "label", "cleared on", target),
                }
            }
            EntryBody::Usage { kind, provider, model, note, .. } => {
                let [tokens, cost] = spent(usage);
                let model = format!("{}/{}", text(provider), text(model));
                let words = [model, text(kind), text(note), tokens, cost];
                let words: Vec<_> =
                    words.into_iter().filter(|word| !word.is_empty() && word != "/").collect();
                self.note_line(entry, "usage", &words.join(" · "), None)
            }
            EntryBody::ContextEdit { target_id, replacement } => {
                let replacement = replacement.as_deref().filter(|json| *json != "null");
                self.edit(entry, target_id.as_deref(), replacement)
            }
            EntryBody::Custom { custom_type, data } => {
                self.folded(entry, "custom", &text(custom_type), data.as_deref())
            }
            EntryBody::Unknown(word) => self.note_line(entry, "entry", word, None),
            _ => self.note_line(entry, "", "(empty message)", None),
        }
    }

    /// Writes an entry of a type that is not known, as it is stored.
    pub(super) fn unknown(&mut self, entry: EntryIx, word: &str, line: &str) -> io::Result<()> {
        self.folded(entry, "entry", word, Some(line))
    }

    fn edit(&mut self, entry: EntryIx, target: Option<&str>, replacement: Option<&str>) -> io::Result<()> {
        let Some(replacement) = replacement else {
            return self.note_line(entry, "context", "leaves out", target);
        };
        self.note_start(entry, "<details class=\"note\"", "<summary>", "context", "replaces the content of")?;
        self.target(target)?;
        self.html.markup("</summary>\n")?;
        let parsed = Json::parse(replacement.to_owned()).ok();
        match parsed.as_ref().and_then(|parsed| parsed.root().get_some("content")) {
            Some(content) => self.content(Some(&Content::of(content)), Setting::Prose)?,
            None => self.value(replacement)?,
        }
        self.html.markup("</details>\n")
    }

    /// Writes a line that unfolds into a value.
    fn folded(&mut self, entry: EntryIx, word: &str, text: &str, json: Option<&str>) -> io::Result<()> {
        let Some(json) = json else { return self.note_line(entry, word, text, None) };
        self.note_start(entry, "<details class=\"note\"", "<summary>", word, text)?;
        self.html.markup("</summary>\n")?;
        self.value(json)?;
        self.html.markup("</details>\n")
    }

    fn note_line(&mut self, entry: EntryIx, word: &str, text: &str, target: Option<&str>) -> io::Result<()> {
        self.note_start(entry, "<p class=\"note\"", "", word, text)?;
        self.target(target)?;
        self.html.markup("</p>\n")
    }

    fn note_start(
        &mut self,
        entry: EntryIx,
        element: &'static str,
        within: &'static str,
        word: &str,
        text: &str,
    ) -> io::Result<()> {
        self.open(element, entry)?;
        self.html.markup(within)?;
        self.html.element("<span class=\"word\">", &self.of.line(word), "</span> ")?;
        self.html.element("", &self.of.line(text), "")
    }

    /// Writes the id of an entry, which leads to it where it is in the document.
    fn target(&mut self, id: Option<&str>) -> io::Result<()> {
        let Some(id) = id else { return Ok(()) };
        let found = self.of.session.find_text(id).filter(|entry| self.told.contains(entry));
        match found {
            Some(entry) => {
                self.html.element(" <a href=\"#", &anchor(entry), "\">")?;
                self.html.element("", &self.of.line(id), "</a>")
            }
            None => self.html.element(" <span class=\"t-faint\">", &self.of.line(id), "</span>"),
        }
    }
}
