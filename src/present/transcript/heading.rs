use super::page::Page;
use super::{BlockOptions, Subject};
use crate::format::Usage;
use crate::present::row::{Row, Span, Tone};
use crate::present::{age, sanitize};

/// The mark at the left of a block, in the tone of its role.
pub(super) const BAR: &str = "▎";

/// The first row of a block: who speaks, and the facts at the right.
///
/// A fact is shown whole or not at all. Where room is short the facts that matter least go first, the words behind the
/// role before all others.
pub(super) struct Heading {
    tone: Tone,
    word: String,
    note: Row,
    facts: Vec<Fact>,
}

struct Fact {
    rank: Rank,
    row: Row,
    /// The same in fewer words, if that can be.
    short: Option<Row>,
}

/// How much a fact matters; the higher, the longer it stays when the row gets narrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    Cost,
    Tokens,
    Level,
    Time,
    Label,
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

    /// Adds a fact behind those that are there.
    pub(super) fn fact(mut self, rank: Rank, words: &str, tone: Tone) -> Self {
        if !words.is_empty() {
            self.facts.push(Fact { rank, row: Row::new().text(sanitize::line(words), tone), short: None });
        }
        self
    }

    pub(super) fn label(self, label: Option<&str>) -> Self {
        match label {
            Some(label) => self.fact(Rank::Label, &format!("◆ {label}"), Tone::Label),
            None => self,
        }
    }

    pub(super) fn time(self, subject: &Subject<'_>, options: &BlockOptions<'_>) -> Self {
        self.fact(Rank::Time, &options.moment_of(subject), Tone::Dim)
    }

    /// Adds tokens and cost: the tokens of each kind where there is room, else their sum.
    pub(super) fn usage(mut self, usage: Option<&Usage>) -> Self {
        let Some(usage) = usage.filter(|usage| usage.tokens() > 0.0 || usage.cost > 0.0) else { return self };
        let cost = if usage.cost > 0.0 { age::cost(usage.cost) } else { String::new() };
        if usage.tokens() > 0.0 {
            let sum = format!("{} tok", age::tokens(usage.tokens()));
            self.facts.push(Fact {
                rank: Rank::Tokens,
                row: Row::new().text(kinds_of_tokens(usage), Tone::Dim),
                short: Some(Row::new().text(sum, Tone::Dim)),
            });
        }
        self.fact(Rank::Cost, &cost, Tone::Dim)
    }

    /// Tells every fact in fewer words where it can be.
    fn shorten(&mut self) {
        for fact in &mut self.facts {
            if let Some(short) = fact.short.take() {
                fact.row = short;
            }
        }
    }

    /// Writes the row with a bar of the role's tone.
    pub(super) fn write(mut self, page: &mut Page) {
        let word = Row::new().bold(self.word.as_str(), self.tone);
        let room = page.width().saturating_sub(word.width() + 1);
        let mut right = joined(&self.facts);
        if self.note.width() + right.width() > room {
            self.shorten();
            right = joined(&self.facts);
        }
        if self.note.width() + right.width() > room {
            self.note = Row::new();
        }
        while right.width() > room
            && let Some(least) = self.facts.iter().map(|fact| fact.rank).min()
            && self.facts.len() > 1
        {
            self.facts.retain(|fact| fact.rank != least);
            right = joined(&self.facts);
        }
        right = if room < LEAST_LABEL && right.width() > room { Row::new() } else { right.fit(room) };
        page.edges(word.then(self.note), right);
    }
}

/// Cells below which not even the start of a label is worth showing.
const LEAST_LABEL: usize = 8;

fn joined(facts: &[Fact]) -> Row {
    let mut row = Row::new();
    for fact in facts {
        if !row.is_empty() {
            row.push(Span::new(" · ", Tone::Faint));
        }
        row = row.then(fact.row.clone());
    }
    row
}

/// What was read, written, and taken from and put into the cache, with the signs of pi's footer.
pub(crate) fn kinds_of_tokens(usage: &Usage) -> String {
    let kinds = [("↑", usage.input), ("↓", usage.output), ("R", usage.cache_read), ("W", usage.cache_write)];
    let told = kinds.into_iter().filter(|&(_, tokens)| tokens > 0.0);
    told.map(|(sign, tokens)| format!("{sign}{}", age::tokens(tokens))).collect::<Vec<_>>().join(" ")
}
