use std::borrow::Cow;

use super::call::Call;
use super::content::{content, is_blank, picture, unknown};
use super::heading::{BAR, Heading, Rank};
use super::page::{Page, Setting, line_count};
use super::tool::{Outcome, open_call};
use super::{BlockOptions, Fold, Subject, cards, fold_mark};
use crate::format::json::{Document, Shape, Value};
use crate::format::{AssistantHead, Block, Blocks};
use crate::present::row::{Row, Tone};
use crate::present::{age, sanitize};

const ERROR_UNITS: usize = 4_000;
const PREVIEW_UNITS: usize = 300;
/// Rows of an extension's message that pi does not show, while it is folded.
const HIDDEN_ROWS: usize = 1;
/// On a page as wide as this every answer names its model.
const AMPLE_COLUMNS: usize = 90;

/// Where the text of a block stands, with or without the bar of its role.
pub(super) fn margin(bar: Option<Tone>) -> Row {
    match bar {
        Some(tone) => Row::new().text(BAR, tone).text(" ", Tone::Text),
        None => Row::new().text("  ", Tone::Text),
    }
}

/// Writes what the person said.
pub(super) fn user(page: &mut Page, subject: &Subject<'_>, options: &BlockOptions<'_>) -> bool {
    page.set_left(margin(Some(Tone::User)));
    Heading::new("you", Tone::User).label(subject.label).time(subject, options).write(page);
    let message = subject.body.get("message").unwrap_or(subject.body);
    content(page, message.get("content"), Setting::Plain(Tone::Text));
    false
}

/// True for an answer that only called tools: its block is one line.
pub fn is_mere_tool_use(answer: &AssistantHead) -> bool {
    !answer.has_text
        && !answer.calls.is_empty()
        && matches!(answer.stop_reason.as_deref(), None | Some("" | "stop" | "toolUse"))
}

/// Writes an answer: its thinking, its text, the calls nobody answered, and how it ended. An answer that says nothing
/// and whose calls are all answered is left to their results; at most its thoughts take a line.
pub(super) fn assistant(
    page: &mut Page,
    subject: &Subject<'_>,
    answer: &AssistantHead,
    options: &BlockOptions<'_>,
) -> bool {
    let message = subject.body.get("message").unwrap_or(subject.body);
    page.set_left(margin(None));
    let is_left_to_results = subject.label.is_none()
        && is_mere_tool_use(answer)
        && ["errorMessage", "deferred", "pending", "diagnostics"]
            .into_iter()
            .all(|key| message.get(key).is_none_or(Value::is_falsy))
        && message.get("content").is_some_and(|content| says_nothing(content, subject.has_result));
    if is_left_to_results {
        return Blocks::of(message.get("content")).fold(false, |folds, block| match block {
            Block::Thinking(thought) => thinking(page, thought, options) || folds,
            _ => folds,
        });
    }
    page.set_left(margin(Some(Tone::Assistant)));
    heading(subject, answer, page.width(), options).write(page);
    page.set_left(margin(None));
    let outcome = Outcome::without_result(answer.stop_reason.as_deref());
    let is_foldable = answer_content(page, message.get("content"), outcome, subject.has_result, options);
    ending(page, message, options);
    is_foldable || message.get("diagnostics").is_some()
}

/// True when a content holds only thoughts and calls that have results.
pub(super) fn says_nothing(content: Value<'_>, has_result: &dyn Fn(&str) -> bool) -> bool {
    let is_blank = |text: Value<'_>| {
        text.str_prefix(PREVIEW_UNITS).is_some_and(|(text, is_whole)| is_whole && text.trim().is_empty())
    };
    Blocks::of(Some(content)).all(|block| match block {
        Block::Text(text) => text.is_none_or(is_blank),
        Block::Thinking(_) => true,
        Block::ToolCall(call) => has_result(&Call::id(call)),
        Block::Image(_) | Block::Other(_) => false,
    })
}

/// The model is named where it is another than before, and where there is room to spare.
fn heading(
    subject: &Subject<'_>,
    answer: &AssistantHead,
    columns: usize,
    options: &BlockOptions<'_>,
) -> Heading {
    let asked = answer.model.as_deref().unwrap_or_default();
    let model = match answer.response_model.as_deref() {
        Some(other) if other != asked && !asked.is_empty() => format!("{asked} → {other}"),
        Some(other) => other.to_owned(),
        None => asked.to_owned(),
    };
    let is_news = subject.model_above != answer.model.as_deref() || model != asked;
    // Answers of older versions name the level themselves.
    let message = subject.body.get("message").unwrap_or(subject.body);
    let own = || message.get_str("providerThinkingLevel").or_else(|| message.get_str("thinkingLevel"));
    let level = subject.thinking_level.map(Cow::Borrowed).or_else(own).filter(|level| level != "off");
    Heading::new("assistant", Tone::Assistant)
        .note(if is_news || columns >= AMPLE_COLUMNS { &model } else { "" }, Tone::Dim)
        .label(subject.label)
        .fact(Rank::Level, &level.unwrap_or_default(), Tone::Dim)
        .time(subject, options)
        .usage(subject.head.usage.as_deref())
}

/// Writes the blocks of an answer; calls with a result are left to it, the others end in `outcome`. Returns
/// whether anything folds.
pub(super) fn answer_content(
    page: &mut Page,
    content: Option<Value<'_>>,
    outcome: Outcome,
    has_result: &dyn Fn(&str) -> bool,
    options: &BlockOptions<'_>,
) -> bool {
    let mut is_foldable = false;
    let mut is_empty = true;
    let mut is_below_call = false;
    if let Some(value) =
        content.filter(|value| !matches!(value.shape(), Shape::String | Shape::Array | Shape::Null))
    {
        page.json(value);
        return false;
    }
    for block in Blocks::of(content) {
        match block {
            Block::Text(Some(text)) if !is_blank(text) => page.string(text, Setting::Prose),
            Block::Text(_) => continue,
            Block::Thinking(thought) => is_foldable |= thinking(page, thought, options),
            Block::ToolCall(call) if has_result(&Call::id(call)) => {}
            Block::ToolCall(call) => {
                if !is_empty && !is_below_call {
                    page.gap();
                }
                open_call(page, call, outcome, options);
                is_below_call = true;
                is_foldable = true;
            }
            Block::Image(image) => picture(page, image),
            Block::Other(value) => unknown(page, value),
        }
        is_empty = false;
    }
    if is_empty && outcome != Outcome::Aborted {
        page.remark("(empty)");
    }
    is_foldable
}

/// Writes a thought: nothing, one line, or all of it. Returns whether it folds.
fn thinking(page: &mut Page, block: Value<'_>, options: &BlockOptions<'_>) -> bool {
    if options.fold == Fold::Hidden {
        return true;
    }
    let is_redacted = block.get("redacted").and_then(Value::as_bool) == Some(true);
    let text = block.get("thinking").filter(|text| text.str_bytes() > 0);
    let Some(text) = text.filter(|_| !is_redacted) else {
        page.row(Row::new().text("· thinking, hidden by the provider", Tone::Faint));
        return false;
    };
    let lines = Row::new().text(age::counted(line_count(text), "line"), Tone::Faint);
    let left = Row::new().text(fold_mark(options.fold), Tone::Faint).text("thinking", Tone::Dim);
    if options.fold == Fold::Closed {
        let (start, _) = text.str_prefix(PREVIEW_UNITS).unwrap_or_default();
        let start = start.trim().replace("**", "");
        let preview = Row::new().text("  ", Tone::Text).text(sanitize::line(&start), Tone::Faint);
        page.edges(left.then(preview), lines);
    } else {
        page.edges(left, lines);
        page.indented(2, |page| page.string(text, Setting::Thought));
        page.gap();
    }
    true
}

/// What a provider says went wrong: of a status with a JSON body, the status and the message in the body.
fn said(error: &str, is_whole: bool) -> String {
    let error = error.trim();
    let body = error.find('{').filter(|_| is_whole).and_then(|at| Some((at, error.get(at..)?)));
    let told = body.and_then(|(at, body)| {
        let document = Document::parse(body.to_owned()).ok()?;
        let root = document.root();
        let inner = root.get("error").filter(|inner| inner.is_object()).unwrap_or(root);
        let kind = inner.get_str("type").map(|kind| format!("{kind}: ")).unwrap_or_default();
        Some(format!("{}{kind}{}", &error[..at], inner.get_str("message")?))
    });
    sanitize::line(told.as_deref().unwrap_or(error)).into_owned()
}

/// Writes how an answer ended, unless it ended well: our word, the provider's, and its message.
fn ending(page: &mut Page, message: Value<'_>, options: &BlockOptions<'_>) {
    let is_set = |key: &str| message.get(key).is_some_and(|flag| !flag.is_falsy());
    let reason = message.get_str("stopReason").unwrap_or_default();
    let error = message.get("errorMessage").and_then(|error| error.str_prefix(ERROR_UNITS));
    let error = error.map(|(error, is_whole)| said(&error, is_whole)).unwrap_or_default();
    let is_fine = matches!(&*reason, "" | "stop" | "toolUse") && error.is_empty();
    let (words, tone) = match &*reason {
        _ if is_set("deferred") || &*reason == "deferred" => ("… deferred".to_owned(), Tone::Warn),
        _ if is_set("pending") || &*reason == "pending" => ("… pending".to_owned(), Tone::Warn),
        "aborted" => ("✗ aborted".to_owned(), Tone::Warn),
        "length" => ("✗ stopped at the length limit".to_owned(), Tone::Warn),
        "" | "stop" | "toolUse" if is_fine => (String::new(), Tone::Dim),
        "error" | "" | "stop" | "toolUse" => ("✗ error".to_owned(), Tone::Bad),
        other => (format!("stopped: {}", sanitize::line(other)), Tone::Dim),
    };
    if !words.is_empty() {
        let raw = message.get_str("rawStopReason").filter(|raw| !raw.is_empty() && *raw != reason);
        let raw = raw.map(|raw| format!(" ({})", sanitize::line(&raw))).unwrap_or_default();
        let behind = if error.is_empty() { String::new() } else { format!(": {error}") };
        page.wrapped(&Row::new().bold(words, tone).text(raw, Tone::Dim).text(behind, tone), 2);
    }
    if let Some(diagnostics) = message.get("diagnostics").filter(|list| list.items().next().is_some()) {
        page.row(
            Row::new()
                .text(fold_mark(options.fold), Tone::Faint)
                .text(age::counted(diagnostics.items().count(), "diagnostic"), Tone::Dim),
        );
        if options.fold == Fold::Open {
            page.indented(2, |page| page.yaml(diagnostics));
        }
    }
}

/// Writes a message of a role that is no speaker: an extension's, a summary, an unknown one.
pub(super) fn other(page: &mut Page, subject: &Subject<'_>, options: &BlockOptions<'_>) -> bool {
    let message = subject.body.get("message").unwrap_or(subject.body);
    let role = message.get_str("role").unwrap_or_default();
    match &*role {
        "custom" | "hookMessage" => {
            let is_shown = message.get("display").is_none_or(|display| !display.is_falsy());
            custom_content(page, message, is_shown, subject, options)
        }
        "compactionSummary" | "branchSummary" => {
            cards::card(page, message, cards::Card::of_role(&role), subject, options)
        }
        "" => missing(page, subject, options),
        _ => {
            page.set_left(margin(Some(Tone::Custom)));
            Heading::new(&role, Tone::Custom).label(subject.label).time(subject, options).write(page);
            match message.get_some("content") {
                Some(value) => content(page, Some(value), Setting::Prose),
                None => cards::folded_json(page, message, options),
            }
            true
        }
    }
}

/// Writes an entry that should hold a message and does not.
pub(super) fn missing(page: &mut Page, subject: &Subject<'_>, options: &BlockOptions<'_>) -> bool {
    page.set_left(margin(Some(Tone::Rule)));
    Heading::new("message", Tone::Dim).label(subject.label).time(subject, options).write(page);
    page.remark("(empty message)");
    match subject.body.get_some("message") {
        Some(message) => {
            cards::folded_json(page, message, options);
            true
        }
        None => false,
    }
}

/// Writes an extension's message.
pub(super) fn custom(
    page: &mut Page,
    subject: &Subject<'_>,
    is_shown: bool,
    options: &BlockOptions<'_>,
) -> bool {
    custom_content(page, subject.body, is_shown, subject, options)
}

fn custom_content(
    page: &mut Page,
    message: Value<'_>,
    is_shown: bool,
    subject: &Subject<'_>,
    options: &BlockOptions<'_>,
) -> bool {
    let word = message.get_str("customType").unwrap_or("extension".into());
    page.set_left(margin(Some(if is_shown { Tone::Custom } else { Tone::Rule })));
    Heading::new(&word, if is_shown { Tone::Custom } else { Tone::Dim })
        .note(if is_shown { "" } else { "not shown in pi" }, Tone::Faint)
        .label(subject.label)
        .time(subject, options)
        .write(page);
    if is_shown {
        content(page, message.get("content"), Setting::Prose);
        return false;
    }
    let rows = if options.fold == Fold::Open { usize::MAX } else { HIDDEN_ROWS };
    page.limited(rows, |page| content(page, message.get("content"), Setting::Thought));
    true
}
