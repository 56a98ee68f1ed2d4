use super::heading::Heading;
use super::message::margin;
use super::page::{Page, Setting};
use super::{BlockOptions, Fold, Subject, fold_mark};
use crate::format::Blocks;
use crate::format::json::{Shape, Value};
use crate::present::row::{Row, Span, Tone};
use crate::present::{age, sanitize};

/// Writes instructions to the model: the text, named sections, tools that came and went.
pub(super) fn message(page: &mut Page, subject: &Subject<'_>, options: &BlockOptions<'_>) -> bool {
    let message = subject.body.get("message").unwrap_or(subject.body);
    page.set_left(margin(Some(Tone::Summary)));
    Heading::new("system", Tone::Summary)
        .note(&inventory(message), Tone::Dim)
        .label(subject.label)
        .time(subject, options)
        .write(page);
    instructions(page, message, options);
    true
}

/// What a system message holds, in a few words.
pub(super) fn inventory(message: Value<'_>) -> String {
    let count = |key: &str| message.get(key).map_or(0, |list| list.items().count());
    let sections = message.get("sections").map_or(0, |sections| sections.members().len());
    let mut words = Vec::new();
    if sections > 0 {
        words.push(age::counted(sections, "section"));
    }
    if count("toolsAdded") > 0 {
        words.push(age::counted(count("toolsAdded"), "tool"));
    }
    if count("toolsRemoved") > 0 {
        words.push(format!("{} removed", age::counted(count("toolsRemoved"), "tool")));
    }
    words.join(", ")
}

/// Writes the parts of a system message: their names on one line, or all of them.
pub(super) fn instructions(page: &mut Page, message: Value<'_>, options: &BlockOptions<'_>) {
    match options.fold {
        Fold::Closed | Fold::Hidden => folded(page, message),
        Fold::Open | Fold::Raw(_) => unfolded(page, message),
    }
}

fn folded(page: &mut Page, message: Value<'_>) {
    let mut row = Row::new();
    let mut part = |name: &str| {
        row.push(Span::new(if row.is_empty() { "" } else { "  " }, Tone::Text));
        row.push(Span::new(fold_mark(Fold::Closed), Tone::Faint));
        row.push(Span::new(sanitize::line(name), Tone::Dim));
    };
    if has_text(message.get("content")) {
        part("text");
    }
    for (name, _) in message.get("sections").map(Value::members).unwrap_or_default().iter().take(50) {
        part(name);
    }
    if message.get("toolsAdded").is_some_and(|tools| tools.items().next().is_some()) {
        part("tools");
    }
    if message.get("toolsRemoved").is_some_and(|tools| tools.items().next().is_some()) {
        part("removed tools");
    }
    if row.is_empty() {
        page.remark("(empty)");
    } else {
        page.row(row);
    }
}

fn unfolded(page: &mut Page, message: Value<'_>) {
    let title = |page: &mut Page, name: &str| {
        page.row(
            Row::new().text(fold_mark(Fold::Open), Tone::Faint).text(sanitize::line(name), Tone::Strong),
        );
    };
    if has_text(message.get("content")) {
        super::content::content(page, message.get("content"), Setting::Plain(Tone::Text));
    }
    for (name, text) in message.get("sections").map(Value::members).unwrap_or_default() {
        title(page, &name);
        page.indented(2, |page| match text.shape() {
            Shape::Null => page.remark("(removed)"),
            _ => page.value(text, Setting::Plain(Tone::Text)),
        });
    }
    let list = |page: &mut Page, key: &str, name: &str| {
        let Some(tools) = message.get(key).filter(|tools| tools.items().next().is_some()) else { return };
        title(page, name);
        page.indented(2, |page| tools.items().for_each(|tool| declaration(page, tool)));
    };
    list(page, "toolsAdded", "tools");
    list(page, "toolsRemoved", "removed tools");
}

/// A tool as the model is told of it: name and the first line of its description.
fn declaration(page: &mut Page, tool: Value<'_>) {
    let text = |value: Option<Value<'_>>| {
        let (text, _) = value.and_then(|value| value.str_prefix(300)).unwrap_or_default();
        sanitize::line(text.lines().next().unwrap_or_default()).into_owned()
    };
    let name = if tool.is_object() { text(tool.get("name")) } else { text(Some(tool)) };
    let name = if name.is_empty() { "?".to_owned() } else { name };
    page.row(
        Row::new()
            .text(name, Tone::Name)
            .text("  ", Tone::Text)
            .text(text(tool.get("description")), Tone::Dim),
    );
}

fn has_text(content: Option<Value<'_>>) -> bool {
    match content {
        Some(value) if value.shape() == Shape::String => value.str_bytes() > 0,
        Some(value) if value.shape() == Shape::Array => Blocks::of(Some(value)).next().is_some(),
        Some(value) => !value.is_null(),
        None => false,
    }
}
