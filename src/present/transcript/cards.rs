use super::content::content;
use super::heading::Heading;
use super::message::margin;
use super::page::{Page, Setting};
use super::{BlockOptions, Fold, Subject, fold_mark};
use crate::format::json::Value;
use crate::format::{Kind, Usage};
use crate::present::row::{Row, Tone};
use crate::present::{age, sanitize};

/// Rows of a summary or an unknown entry while it is folded.
const FOLDED_ROWS: usize = 3;

/// A summary that stands for other entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Card {
    Compaction,
    Branch,
}

impl Card {
    pub(super) fn of_role(role: &str) -> Self {
        if role == "compactionSummary" { Self::Compaction } else { Self::Branch }
    }

    pub(super) fn tone(self) -> Tone {
        match self {
            Self::Compaction => Tone::Summary,
            Self::Branch => Tone::Warn,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Compaction => "compaction",
            Self::Branch => "branch summary",
        }
    }
}

/// Writes a compaction or the summary of a branch that was left.
pub(super) fn summary(page: &mut Page, subject: &Subject<'_>, options: &BlockOptions<'_>) -> bool {
    let kind = match subject.head.kind {
        Kind::Compaction { .. } => Card::Compaction,
        _ => Card::Branch,
    };
    card(page, subject.body, kind, subject.head.time, options)
}

/// Writes a rule with the facts, then the summary: its first rows, or all of it with the files it names.
pub(super) fn card(
    page: &mut Page,
    body: Value<'_>,
    card: Card,
    time: Option<i64>,
    options: &BlockOptions<'_>,
) -> bool {
    page.set_left(margin(None));
    let mut words = vec![card.word().to_owned()];
    if let Some(tokens) = body.get_f64("tokensBefore") {
        words.push(format!("{} tokens", age::tokens(tokens)));
    }
    words.extend(time.and_then(|time| age::moment(options.now, time, options.zone)));
    rule(page, &words.join(" · "), card.tone());
    page.set_left(margin(Some(card.tone())));
    match (body.get_some("summary").filter(|summary| !summary.is_falsy()), options.fold) {
        (None, _) => page.remark("(no summary)"),
        (Some(text), Fold::Closed) => page.limited(FOLDED_ROWS, |page| page.value(text, Setting::Prose)),
        (Some(text), Fold::Open) => {
            page.value(text, Setting::Prose);
            files(page, body, "readFiles", "read");
            files(page, body, "modifiedFiles", "changed");
        }
    }
    true
}

fn files(page: &mut Page, body: Value<'_>, key: &str, word: &str) {
    let names: Vec<String> = body
        .get("details")
        .and_then(|details| details.get(key))
        .map(|files| {
            files
                .items()
                .take(200)
                .filter_map(Value::as_str)
                .map(|name| sanitize::line(&name).into_owned())
                .collect()
        })
        .unwrap_or_default();
    if !names.is_empty() {
        page.wrapped(&Row::new().text(format!("{word} "), Tone::Faint).text(names.join("  "), Tone::Dim), 2);
    }
}

/// Writes a line across the page with words near its left end.
pub(super) fn rule(page: &mut Page, words: &str, tone: Tone) {
    let left = Row::new().text("─── ", Tone::Faint).text(sanitize::line(words), tone).text(" ", Tone::Text);
    let rest = page.width().saturating_sub(left.width());
    page.row(left.text("─".repeat(rest), Tone::Faint));
}

/// Writes an entry of a type that is not known, as its JSON.
pub(super) fn unknown(page: &mut Page, subject: &Subject<'_>, options: &BlockOptions<'_>) -> bool {
    page.set_left(margin(Some(Tone::Faint)));
    let word = subject.head.kind.word();
    Heading::new(if word.is_empty() { "no type" } else { word }, Tone::Dim)
        .label(subject.label)
        .time(subject.head.time, options)
        .write(page);
    folded_json(page, subject.body, options);
    true
}

/// Writes a value as JSON, of a folded one the first rows.
pub(super) fn folded_json(page: &mut Page, value: Value<'_>, options: &BlockOptions<'_>) {
    match options.fold {
        Fold::Open => page.json(value),
        Fold::Closed => page.limited(FOLDED_ROWS, |page| page.json(value)),
    }
}

/// Writes an entry that only keeps books: one line, and what it carries when it is unfolded.
pub(super) fn bookkeeping(page: &mut Page, subject: &Subject<'_>, options: &BlockOptions<'_>) -> bool {
    let body = subject.body;
    let (word, text, tone) = line_of(&subject.head.kind, body);
    let carried = match subject.head.kind {
        Kind::Custom { .. } => body.get_some("data"),
        Kind::ContextEdit { omits: false, .. } => body.get_some("replacement"),
        _ => None,
    };
    page.set_left(margin(None));
    let mark = if carried.is_some() { fold_mark(options.fold) } else { "· " };
    let left = Row::new()
        .text(mark, Tone::Faint)
        .text(word, Tone::Dim)
        .text(" ", Tone::Text)
        .text(sanitize::line(&text), tone);
    let usage = subject.head.usage.as_deref();
    let spent = usage.map(spent).unwrap_or_default();
    let time = subject.head.time.and_then(|time| age::moment(options.now, time, options.zone));
    page.edges(left, Row::new().text(spent, Tone::Dim).text(time.unwrap_or_default(), Tone::Faint));
    if let Some(carried) = carried.filter(|_| options.fold == Fold::Open) {
        page.indented(2, |page| match carried.get_some("content") {
            Some(replacement) if matches!(subject.head.kind, Kind::ContextEdit { .. }) => {
                content(page, Some(replacement), Setting::Prose);
            }
            _ => page.value(carried, Setting::Plain(Tone::Text)),
        });
    }
    carried.is_some()
}

fn spent(usage: &Usage) -> String {
    format!("{} tok · {} · ", age::tokens(usage.tokens()), age::cost(usage.cost))
}

/// The word, the text and its tone for an entry that keeps books.
fn line_of(kind: &Kind, body: Value<'_>) -> (&'static str, String, Tone) {
    match kind {
        Kind::ModelChange { provider, model } => ("model", format!("{provider}/{model}"), Tone::Text),
        Kind::ThinkingLevelChange { level } => ("thinking", level.to_string(), Tone::Text),
        Kind::Label { target, label: Some(label) } if !label.is_empty() => {
            ("label", format!("◆ {label}  on {target}"), Tone::Label)
        }
        Kind::Label { target, .. } => ("label", format!("cleared on {target}"), Tone::Dim),
        Kind::SessionInfo { name } => match name.as_deref().map(str::trim).filter(|name| !name.is_empty()) {
            Some(name) => ("name", name.to_owned(), Tone::Label),
            None => ("name", "cleared".into(), Tone::Dim),
        },
        Kind::Custom { custom_type } => ("custom", custom_type.to_string(), Tone::Custom),
        Kind::ContextEdit { target, omits: true } => {
            ("context", format!("{target} is no longer sent"), Tone::Warn)
        }
        Kind::ContextEdit { target, .. } => {
            ("context", format!("{target} is sent with other content"), Tone::Warn)
        }
        Kind::Usage { model } => {
            let text = |key: &str| body.get_str(key).map(|text| format!("  {text}")).unwrap_or_default();
            ("usage", format!("{model}{}{}", text("kind"), text("note")), Tone::Text)
        }
        _ => ("", kind.word().to_owned(), Tone::Text),
    }
}
