use std::collections::HashSet;
use std::io;

use super::Html;
use super::call::Calls;
use crate::export::{Document, DocumentKind, Passage};
use crate::format::Usage;
use crate::present::{age, transcript};
use crate::session::{EntryBody, EntryIx};

/// Writes the entries of a document, one after the other.
pub(super) struct Entries<'d, 'o> {
    pub(super) of: &'d Document<'d>,
    pub(super) html: Html<'o>,
    /// The entries that are in the document.
    pub(super) told: HashSet<EntryIx>,
    /// The calls that wait for their results.
    pub(super) calls: Calls,
    /// The thinking level in force.
    pub(super) level: Option<String>,
    /// The day that was told last.
    day: Option<String>,
    /// The entry that was written last. A compaction can make two messages of a context.
    last: Option<EntryIx>,
}

impl<'d, 'o> Entries<'d, 'o> {
    pub(super) fn new(of: &'d Document<'d>, html: Html<'o>) -> Self {
        let told = match of.kind {
            DocumentKind::Branch => of.entries.iter().copied().collect(),
            DocumentKind::Context(context) => context.items.iter().map(|item| item.source).collect(),
        };
        Self { of, html, told, calls: Calls::of(of), level: None, day: None, last: None }
    }

    /// Writes one thing that the document tells.
    pub(super) fn passage(&mut self, passage: &Passage) -> io::Result<()> {
        let (entry, usage) = (passage.entry, passage.usage.as_ref());
        self.begin_day(entry)?;
        match &passage.body {
            EntryBody::Message(Some(message)) => self.message(entry, message, usage),
            EntryBody::CustomMessage(message) => self.custom(entry, message),
            EntryBody::Compaction(compaction) => self.compaction(entry, compaction, usage),
            EntryBody::BranchSummary { summary, details, from_hook, .. } => {
                let card = super::note::Card::branch(*from_hook == Some(true), details.as_deref());
                self.card(entry, &card, summary.as_deref().unwrap_or_default(), usage)
            }
            body => self.note(entry, body, usage),
        }
    }

    /// Tells the day where another one begins.
    fn begin_day(&mut self, entry: EntryIx) -> io::Result<()> {
        let time = self.of.session.entry(entry).time;
        let day = time.and_then(|time| age::day(time, self.of.zone));
        if let Some(day) = day.filter(|day| self.day.as_ref() != Some(day)) {
            self.html.element("<p class=\"day\">", &day, "</p>\n")?;
            self.day = Some(day);
        }
        Ok(())
    }

    /// Opens the element of an entry, from `<` to before its closing `>`, and gives it the name that links lead to.
    pub(super) fn open(&mut self, element: &'static str, entry: EntryIx) -> io::Result<()> {
        self.html.markup(element)?;
        if self.last != Some(entry) {
            self.last = Some(entry);
            self.html.element(" id=\"", &anchor(entry), "\"")?;
        }
        self.html.markup(">")
    }

    /// Writes who speaks, and what there is to know about it, on one line.
    pub(super) fn heading(
        &mut self,
        entry: EntryIx,
        word: &str,
        note: &str,
        facts: &[String],
    ) -> io::Result<()> {
        let word = self.of.line(word);
        self.html.element("<header><h2>", &word, "</h2>")?;
        if !note.is_empty() {
            self.html.element(" <span class=\"aside\">", &self.of.line(note), "</span>")?;
        }
        self.facts(entry, facts)?;
        self.html.markup("</header>\n")
    }

    /// Writes the label of an entry, facts about it, and when it was written.
    pub(super) fn facts(&mut self, entry: EntryIx, facts: &[String]) -> io::Result<()> {
        self.html.markup("<span class=\"facts\">")?;
        if let Some(label) = self.of.session.label_of(entry) {
            self.html.element("<span class=\"t-label\">◆ ", &self.of.line(&label.text), "</span>")?;
        }
        for fact in facts.iter().filter(|fact| !fact.is_empty()) {
            self.html.element("<span>", &self.of.line(fact), "</span>")?;
        }
        self.time(entry)?;
        self.html.markup("</span>")
    }

    fn time(&mut self, entry: EntryIx) -> io::Result<()> {
        let Some(time) = self.of.session.entry(entry).time else { return Ok(()) };
        let (day, clock) = (age::day(time, self.of.zone), age::clock(time, self.of.zone));
        let Some((day, clock)) = day.zip(clock) else { return Ok(()) };
        self.html.element("<a href=\"#", &anchor(entry), "\" title=\"")?;
        self.html.element("", &format!("{day} {clock}"), "\">")?;
        self.html.element("", &clock, "</a>")
    }
}

/// The name of an entry's element. It is made of its place: ids come from the file.
pub(super) fn anchor(entry: EntryIx) -> String {
    format!("e{}", entry.index())
}

/// Tokens and cost in a few words each.
pub(super) fn spent(usage: Option<&Usage>) -> [String; 2] {
    let Some(usage) = usage else { return Default::default() };
    let cost = if usage.cost > 0.0 { age::cost(usage.cost) } else { String::new() };
    [transcript::kinds_of_tokens(usage), cost]
}
