use super::BlockOptions;
use super::page::Page;
use crate::format::Usage;
use crate::present::row::{Row, Span, Tone};
use crate::present::{age, sanitize};

/// The mark at the left of a block, in the tone of its role.
pub(super) const BAR: &str = "▎";

/// The first row of a block: who speaks, and the facts at the right.
pub(super) struct Heading {
    tone: Tone,
    word: String,
    note: Row,
    facts: Vec<Row>,
}

impl Heading {
    pub(super) fn new(word: &str, tone: Tone) -> Self {
        Self { tone, word: sanitize::line(word).into_owned(), note: Row::new(), facts: Vec::new() }
    }

    /// Adds words behind the role.
    pub(super) fn note(mut self, words: &str, tone: Tone) -> Self {
        if !words.is_empty() {
            self.note.push(Span::new("  ", Tone::Text));
            self.note.push(Span::new(sanitize::line(words), tone));
        }
        self
    }

    /// Adds a fact; the earlier it is added, the longer it stays when the row gets narrow.
    pub(super) fn fact(mut self, words: &str, tone: Tone) -> Self {
        if !words.is_empty() {
            self.facts.push(Row::new().text(sanitize::line(words), tone));
        }
        self
    }

    pub(super) fn label(self, label: Option<&str>) -> Self {
        match label {
            Some(label) => self.fact(&format!("◆ {label}"), Tone::Label),
            None => self,
        }
    }

    pub(super) fn time(self, time: Option<i64>, options: &BlockOptions<'_>) -> Self {
        let moment = time.and_then(|time| age::moment(options.now, time, options.zone));
        self.fact(&moment.unwrap_or_default(), Tone::Dim)
    }

    pub(super) fn usage(self, usage: Option<&Usage>) -> Self {
        let Some(usage) = usage.filter(|usage| usage.tokens() > 0.0 || usage.cost > 0.0) else { return self };
        let cost = if usage.cost > 0.0 { age::cost(usage.cost) } else { String::new() };
        self.fact(&format!("{} tok", age::tokens(usage.tokens())), Tone::Dim).fact(&cost, Tone::Dim)
    }

    /// Writes the row with a bar of the role's tone. Facts go before the word is cut.
    pub(super) fn write(mut self, page: &mut Page) {
        let left = Row::new().bold(self.word, self.tone);
        let needed = left.width() + 1;
        let mut right = joined(&self.facts);
        while !self.facts.is_empty() && needed + right.width() > page.width() {
            self.facts.pop();
            right = joined(&self.facts);
        }
        page.edges(left.then(self.note), right);
    }
}

fn joined(facts: &[Row]) -> Row {
    let mut row = Row::new();
    for fact in facts {
        if !row.is_empty() {
            row.push(Span::new(" · ", Tone::Faint));
        }
        row = row.then(fact.clone());
    }
    row
}
