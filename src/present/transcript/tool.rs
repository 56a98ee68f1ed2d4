use super::body;
use super::call::Call;
use super::content::content as write_content;
use super::figure;
use super::heading::{BAR, Heading};
use super::page::{Page, Setting, line_count};
use super::{Block, BlockOptions, Fold, Subject, begin_day, fold_mark};
use crate::format::json::Value;
use crate::format::{EntryHead, Role, js};
use crate::present::row::{Row, Tone};
use crate::present::{age, sanitize};

/// Columns of a tool's line before its text, and of what unfolds below it.
const LINE_INDENT: usize = 2;
const BODY_INDENT: usize = 2;

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Done,
    Failed,
    /// The answer that made the call was aborted or failed before the tool ran.
    Aborted,
    /// The branch holds no result.
    Open,
}

impl Outcome {
    /// How the calls of an answer ended that have no result.
    pub(super) fn without_result(stop_reason: Option<&str>) -> Self {
        if matches!(stop_reason, Some("aborted" | "error")) { Self::Aborted } else { Self::Open }
    }

    fn tone(self) -> Tone {
        match self {
            Self::Done => Tone::Good,
            Self::Failed => Tone::Bad,
            Self::Aborted | Self::Open => Tone::Warn,
        }
    }

    fn mark(self) -> &'static str {
        match self {
            Self::Done => "",
            Self::Failed | Self::Aborted => "✗ ",
            Self::Open => "? ",
        }
    }
}

/// Writes the one line of a call: fold mark, outcome, tool, what it did, and a figure at the right.
pub(super) fn line(
    page: &mut Page,
    call: &Call<'_>,
    outcome: Outcome,
    figure: Row,
    options: &BlockOptions<'_>,
) {
    let lead = Row::new()
        .text(fold_mark(options.fold), outcome.tone())
        .text(outcome.mark(), outcome.tone())
        .bold(sanitize::line(&call.name), Tone::Tool)
        .text(" ", Tone::Text);
    let figure = figure.fit(page.width() / 2);
    let room = page.width().saturating_sub(lead.width() + figure.width() + 1);
    let summary = call.summary(options.home);
    let hidden = (summary.width() + 1).saturating_sub(room);
    let summary = if hidden > 1 && room > 1 && call.is_about_a_path() {
        // The end of a path tells more than its start.
        Row::new().text("…", Tone::Tool).then(summary.pan(hidden))
    } else {
        summary
    };
    page.edges(lead.then(summary), figure);
}

/// Tool calls that follow each other.
#[derive(Clone, Copy)]
pub struct Run<'r> {
    /// Each by its tool and whether it failed.
    pub calls: &'r [(&'r str, bool)],
    /// The first result.
    pub head: &'r EntryHead,
    /// The entry above it on the branch, if it is told.
    pub above: Option<&'r EntryHead>,
}

/// The one row of a run of tools: how many calls, of which tools, and how many of them failed.
pub fn tool_run_line(run: &Run<'_>, options: &BlockOptions<'_>) -> Block {
    let mut tools: Vec<(&str, usize)> = Vec::new();
    let failed = run.calls.iter().filter(|(_, has_failed)| *has_failed).count();
    for &(name, _) in run.calls {
        match tools.iter_mut().find(|(known, _)| *known == name) {
            Some((_, calls)) => *calls += 1,
            None => tools.push((name, 1)),
        }
    }
    tools.sort_by_key(|&(_, calls)| std::cmp::Reverse(calls));
    let names: Vec<String> =
        tools.iter().map(|(name, calls)| format!("{calls} {}", sanitize::line(name))).collect();
    let tone = if failed > 0 { Tone::Bad } else { Tone::Good };
    let left = Row::new()
        .text(" ".repeat(LINE_INDENT), Tone::Text)
        .text(fold_mark(Fold::Hidden), tone)
        .text(format!("{}: ", age::counted(run.calls.len(), "tool call")), Tone::Dim)
        .text(names.join(", "), Tone::Tool);
    let right = if failed > 0 { format!("{failed} failed") } else { String::new() };
    let row = Row::between(left, Row::new().text(right, Tone::Bad), options.columns);
    let mut block = Block { is_foldable: true, ..Block::line(row) };
    begin_day(&mut block, run.head, run.above, options);
    block
}

/// Writes a call that has no result on the branch.
pub(super) fn open_call(page: &mut Page, call: Value<'_>, outcome: Outcome, options: &BlockOptions<'_>) {
    let call = Call::of(call);
    let words = if outcome == Outcome::Aborted { "aborted" } else { "no result" };
    line(page, &call, outcome, Row::new().text(words, Tone::Warn), options);
    if options.fold == Fold::Open {
        page.indented(BODY_INDENT, |page| body::of_call(page, &call, &body::edit_of(&call, None)));
    }
}

/// Writes a tool result joined with its call.
pub(super) fn result(page: &mut Page, subject: &Subject<'_>, options: &BlockOptions<'_>) -> bool {
    let message = subject.body.get("message").unwrap_or(subject.body);
    page.set_left(Row::new().text(" ".repeat(LINE_INDENT), Tone::Text));
    joined(page, message, subject.call, message.get("content"), &[], options)
}

/// Writes a call and the content of its result; `facts` stand behind the figure of its line.
pub(super) fn joined(
    page: &mut Page,
    message: Value<'_>,
    call: Option<Value<'_>>,
    content: Option<Value<'_>>,
    facts: &[Row],
    options: &BlockOptions<'_>,
) -> bool {
    let mut call = call.map_or(Call { name: "".into(), arguments: None }, Call::of);
    if call.name.is_empty() {
        call.name = message.get_str("toolName").filter(|name| !name.is_empty()).unwrap_or("tool".into());
    }
    let has_failed = message.get("isError").and_then(Value::as_bool) == Some(true);
    let details = message.get("details");
    let diff = body::edit_of(&call, details);
    let outcome = if has_failed { Outcome::Failed } else { Outcome::Done };
    let yielded = match outcome {
        Outcome::Failed => figure::failure(content, details),
        _ => figure::success(&call, &diff, content, details),
    };
    let figures = [yielded, figure::duration(details)].into_iter().chain(facts.iter().cloned());
    line(page, &call, outcome, figure::dotted(figures), options);
    if options.fold == Fold::Open {
        page.indented(BODY_INDENT, |page| {
            let before = page.len();
            body::of_call(page, &call, &diff);
            let is_shown_by_call = matches!(&*call.name, "edit" | "write") && call.arguments.is_some();
            if has_failed || !is_shown_by_call {
                if page.len() > before {
                    page.gap();
                }
                body::of_result(page, &call, content, outcome);
            }
            body::of_details(page, &call, details, options);
        });
    }
    true
}

/// Writes a command the person ran, with its output.
pub(super) fn bash_execution(page: &mut Page, subject: &Subject<'_>, options: &BlockOptions<'_>) -> bool {
    let message = subject.body.get("message").unwrap_or(subject.body);
    let is_set = |key: &str| message.get(key).is_some_and(|flag| !flag.is_falsy());
    let excluded = matches!(subject.head.kind.role(), Some(Role::BashExecution { excluded: true }));
    page.set_left(Row::new().text(BAR, Tone::User).text(" ", Tone::Text));
    Heading::new("you ran", Tone::User)
        .note(if excluded { "not sent (!!)" } else { "" }, Tone::Dim)
        .label(subject.label)
        .time(subject, options)
        .write(page);
    let code = message.get_f64("exitCode");
    let lines = message.get("output").map_or(0, line_count);
    let (words, tone) = match code {
        _ if is_set("cancelled") => ("cancelled".into(), Tone::Warn),
        Some(0.0) => ("exit 0".into(), Tone::Good),
        Some(code) => (format!("✗ exit {}", js::number(code)), Tone::Bad),
        None => (String::new(), Tone::Dim),
    };
    let dot = if words.is_empty() { "" } else { " · " };
    let figure =
        Row::new().text(words, tone).text(dot, Tone::Faint).text(age::counted(lines, "line"), Tone::Dim);
    let command = message.get_str("command").unwrap_or_default();
    let (first, _) = js::cut(command.trim(), 400);
    let left = Row::new()
        .text(fold_mark(options.fold), Tone::Faint)
        .text("$ ", Tone::Faint)
        .text(sanitize::line(&first), Tone::Text);
    page.edges(left, figure);
    if options.fold == Fold::Open {
        page.indented(BODY_INDENT, |page| {
            if let Some(command) = message.get("command").filter(|&command| {
                line_count(command) > 1
                    || command.str_bytes() > page.width() / 2
                    || command.raw_str().is_none()
            }) {
                page.value(command, Setting::Plain(Tone::Code));
                page.gap();
            }
            let output = message.get("output").filter(|output| !output.is_falsy());
            write_content(page, output, Setting::Output(Tone::Tool));
            if is_set("truncated") {
                body::truncation(page, message);
            }
        });
    }
    true
}
