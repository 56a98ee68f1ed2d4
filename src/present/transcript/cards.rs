use super::content::content;
use super::heading::{Heading, kinds_of_tokens};
use super::message::margin;
use super::page::{Page, Setting};
use super::{BlockOptions, Fold, Subject, figure, fold_mark};
use crate::format::json::Value;
use crate::format::{Kind, Usage, account_in_words};
use crate::present::row::{Row, Tone};
use crate::present::{age, sanitize};

/// Rows of a summary or an unknown entry while it is folded.
const FOLDED_ROWS: usize = 3;
/// More files are not named.
const MOST_FILES: usize = 200;
/// Columns before the words of a rule.
const RULE_LEAD: usize = 4;

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
    card(page, subject.body, kind, subject, options)
}

/// Writes a rule with the facts, then the summary: its first rows and how many files it names, or all of both.
pub(super) fn card(
    page: &mut Page,
    body: Value<'_>,
    card: Card,
    subject: &Subject<'_>,
    options: &BlockOptions<'_>,
) -> bool {
    page.set_left(margin(None));
    let mut words = vec![card.word().to_owned()];
    words.extend(body.get_f64("tokensBefore").map(|tokens| format!("{} tokens", age::tokens(tokens))));
    words.extend(subject.replaced.map(entries));
    words.extend(subject.head.usage.as_deref().map(spent).filter(|spent| !spent.is_empty()));
    if body.get("fromHook").is_some_and(|flag| !flag.is_falsy()) {
        words.push("by an extension".into());
    }
    let label = subject.label.map(|label| format!("◆ {}", sanitize::line(label))).unwrap_or_default();
    let right = figure::dotted([Row::new().text(label, Tone::Label), time(subject, options)].into_iter());
    rule(page, Row::new().text(words.join(" · "), card.tone()), right, card.tone());
    page.set_left(margin(Some(card.tone())));
    let is_open = matches!(options.fold, Fold::Open | Fold::Raw(_));
    match body.get_some("summary").filter(|summary| !summary.is_falsy()) {
        None => page.remark("(no summary)"),
        Some(text) if is_open => page.value(text, Setting::Prose),
        Some(text) => page.limited(FOLDED_ROWS, |page| page.value(text, Setting::Prose)),
    }
    files(page, body, is_open);
    true
}

fn entries(count: usize) -> String {
    format!("{} {}", age::count(count), if count == 1 { "entry" } else { "entries" })
}

fn time(subject: &Subject<'_>, options: &BlockOptions<'_>) -> Row {
    Row::new().text(options.moment_of(subject), Tone::Faint)
}

/// Writes which files were read and changed, or how many.
fn files(page: &mut Page, body: Value<'_>, is_open: bool) {
    let details = body.get("details");
    let names = |key: &str| -> Vec<String> {
        let files = details.and_then(|details| details.get(key)).into_iter().flat_map(Value::items);
        files
            .take(MOST_FILES)
            .filter_map(Value::as_str)
            .map(|name| sanitize::line(&name).into_owned())
            .collect()
    };
    let lists = [("read", names("readFiles")), ("changed", names("modifiedFiles"))];
    if is_open {
        for (word, names) in lists.iter().filter(|(_, names)| !names.is_empty()) {
            page.wrapped(
                &Row::new().text(format!("{word} "), Tone::Faint).text(names.join("  "), Tone::Dim),
                2,
            );
        }
    } else {
        let counts = lists.iter().filter(|(_, names)| !names.is_empty());
        let words: Vec<String> =
            counts.map(|(word, names)| format!("{word} {}", age::counted(names.len(), "file"))).collect();
        if !words.is_empty() {
            page.remark(&words.join(", "));
        }
    }
}

/// Writes a line across the page with words near its left end and others at its right one.
pub(super) fn rule(page: &mut Page, words: Row, right: Row, tone: Tone) {
    let dash = if tone == Tone::Rule { "─" } else { "╌" };
    let gap = usize::from(!right.is_empty());
    let words = words.fit(page.width().saturating_sub(right.width() + gap + RULE_LEAD + 1));
    let left = Row::new().text(dash.repeat(RULE_LEAD - 1), tone).text(" ", Tone::Text).then(words);
    let rest = page.width().saturating_sub(left.width() + right.width() + 1 + gap);
    let rule = left.text(" ", Tone::Text).text(dash.repeat(rest), tone);
    page.edges(rule, right);
}

/// Writes an entry of a type that is not known, as its JSON.
pub(super) fn unknown(page: &mut Page, subject: &Subject<'_>, options: &BlockOptions<'_>) -> bool {
    page.set_left(margin(Some(Tone::Rule)));
    let word = subject.head.kind.word();
    Heading::new(if word.is_empty() { "no type" } else { word }, Tone::Dim)
        .label(subject.label)
        .time(subject, options)
        .write(page);
    folded_json(page, subject.body, options);
    true
}

/// Writes an entry as it is stored.
pub(super) fn raw(page: &mut Page, subject: &Subject<'_>, options: &BlockOptions<'_>) {
    page.set_left(margin(Some(Tone::Accent)));
    let id = subject.body.get_str("id").unwrap_or_default();
    let place = format!("line {} · {}", subject.head.line, age::bytes(subject.head.length.into()));
    Heading::new("stored as", Tone::Accent)
        .note(&id, Tone::Text)
        .note(&place, Tone::Dim)
        .time(subject, options)
        .write(page);
    page.json(subject.body);
}

/// Writes a value as JSON, of a folded one the first rows.
pub(super) fn folded_json(page: &mut Page, value: Value<'_>, options: &BlockOptions<'_>) {
    match options.fold {
        Fold::Open | Fold::Raw(_) => page.json(value),
        Fold::Closed | Fold::Hidden => page.limited(FOLDED_ROWS, |page| page.json(value)),
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
    let mark = if carried.is_some() { fold_mark(options.fold) } else { "" };
    let words = Row::new()
        .text(mark, Tone::Faint)
        .text(word, Tone::Dim)
        .text(" ", Tone::Text)
        .text(sanitize::line(&text), tone);
    let spent = Row::new().text(subject.head.usage.as_deref().map(spent).unwrap_or_default(), Tone::Dim);
    rule(page, words, figure::dotted([spent, time(subject, options)].into_iter()), Tone::Rule);
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
    let cost = if usage.cost > 0.0 { age::cost(usage.cost) } else { String::new() };
    let words = [kinds_of_tokens(usage), cost];
    words.into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join(" · ")
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
        Kind::Custom { .. } => {
            ("custom", body.get_str("customType").unwrap_or_default().into_owned(), Tone::Custom)
        }
        Kind::ContextEdit { target, omits: true } => ("context", format!("omits {target}"), Tone::Warn),
        Kind::ContextEdit { target, .. } => {
            ("context", format!("replaces the content of {target}"), Tone::Warn)
        }
        Kind::Usage { model } => {
            let text = |key: &str| body.get_str(key).map(|text| format!("  {text}")).unwrap_or_default();
            ("usage", format!("{}{}{}", account_in_words(model), text("kind"), text("note")), Tone::Text)
        }
        _ => ("", kind.word().to_owned(), Tone::Text),
    }
}
