use super::call::Call;
use super::cards::Card;
use super::content::content;
use super::heading::{Heading, Rank};
use super::message::{answer_content, margin, says_nothing};
use super::page::{Page, Setting};
use super::tool::Outcome;
use super::{Block, BlockOptions, Fold, system, tool};
use crate::format::json::Value;
use crate::format::{Block as Part, Blocks};
use crate::present::row::{Row, Tone};
use crate::present::{age, sanitize};
use crate::session::WindowShare;

/// More calls of one answer are not named.
const NAMED_CALLS: usize = 12;
/// A folded summary shows so many rows.
const SUMMARY_ROWS: usize = 6;

/// One message of a context, as the model is sent it.
#[derive(Clone, Copy)]
pub struct Sent<'v> {
    /// The role before conversion: pi's word.
    pub from: &'v str,
    /// The content as sent: a string or an array of blocks.
    pub content: Value<'v>,
    /// The stored message (for a compaction its `systemMessage`, for a summary the entry itself), for what the
    /// content does not hold: sections and tools, the summary without its wrapping, a tool's name.
    pub stored: Option<Value<'v>>,
    /// For a tool result: the call it answers.
    pub call: Option<Value<'v>>,
    /// Whether the context holds a result for a call id.
    pub has_result: &'v dyn Fn(&str) -> bool,
    /// pi's estimate of its tokens.
    pub tokens: u64,
    /// Whether an edit replaced its content.
    pub is_edited: bool,
    /// Words behind the role, such as what a summary stands for; may be empty.
    pub note: &'v str,
}

/// Renders a message as it is sent.
pub fn sent_block(sent: &Sent<'_>, options: &BlockOptions<'_>) -> Block {
    let mut page = Page::new(options);
    if let Fold::Raw(_) = options.fold {
        page.set_left(margin(Some(Tone::Accent)));
        Heading::new("sent as", Tone::Accent).note(sent.from, Tone::Dim).write(&mut page);
        page.json(sent.content);
        return page.finish(true);
    }
    let stored = sent.stored.unwrap_or(sent.content);
    let (word, tone) = match sent.from {
        "user" => ("you", Tone::User),
        "assistant" => ("assistant", Tone::Assistant),
        "toolResult" => ("", Tone::Tool),
        "bashExecution" => ("you ran", Tone::User),
        "system" => ("system prompt", Tone::Summary),
        "compactionSummary" => ("compaction summary", Card::Compaction.tone()),
        "branchSummary" => ("branch summary", Card::Branch.tone()),
        "custom" => ("extension", Tone::Custom),
        other => (other, Tone::Custom),
    };
    let note = match sent.from {
        "system" => system::inventory(stored),
        "assistant" => calls(sent.content, sent.has_result),
        _ => sent.note.to_owned(),
    };
    let edited = if sent.is_edited { "edited" } else { "" };
    let tokens = format!("{} tok", age::count(usize::try_from(sent.tokens).unwrap_or(usize::MAX)));
    page.set_left(margin(Some(tone)));
    if sent.from == "toolResult" {
        let facts = [Row::new().text(edited, Tone::Label), Row::new().text(tokens, Tone::Dim)];
        let is_foldable = tool::joined(&mut page, stored, sent.call, Some(sent.content), &facts, options);
        return page.finish(is_foldable);
    }
    Heading::new(word, tone)
        .note(edited, Tone::Label)
        .note(&note, Tone::Dim)
        .fact(Rank::Tokens, &tokens, Tone::Dim)
        .write(&mut page);
    let is_mere_call = !note.is_empty() && says_nothing(sent.content, sent.has_result);
    let is_foldable = match sent.from {
        "assistant" if is_mere_call => false,
        "assistant" => {
            let outcome = Outcome::without_result(stored.get_str("stopReason").as_deref());
            answer_content(&mut page, Some(sent.content), outcome, sent.has_result, options)
        }
        "system" => {
            system::instructions(&mut page, stored, options);
            true
        }
        "compactionSummary" | "branchSummary" => {
            let summary = stored.get_some("summary").unwrap_or(sent.content);
            let rows = if options.fold == Fold::Open { usize::MAX } else { SUMMARY_ROWS };
            page.limited(rows, |page| content(page, Some(summary), Setting::Prose));
            true
        }
        "custom" => {
            content(&mut page, Some(sent.content), Setting::Prose);
            false
        }
        _ => {
            content(&mut page, Some(sent.content), Setting::Plain(Tone::Text));
            false
        }
    };
    page.finish(is_foldable)
}

/// The tools an answer called whose results are in the context: their lines follow.
fn calls(content: Value<'_>, has_result: &dyn Fn(&str) -> bool) -> String {
    let names: Vec<String> = Blocks::of(Some(content))
        .filter_map(|block| match block {
            Part::ToolCall(call) if has_result(&Call::id(call)) => Some(Call::of(call).name.into_owned()),
            _ => None,
        })
        .take(NAMED_CALLS)
        .collect();
    if names.is_empty() { String::new() } else { format!("calls {}", names.join(", ")) }
}

/// The last row of a context: the model and the thinking level in force; at the right how many tokens it has, and how full
/// that makes the model's window, where that is known.
pub fn context_end(
    model: &str,
    thinking_level: &str,
    tokens: f64,
    share: Option<WindowShare>,
    columns: usize,
) -> Row {
    let mut left = Row::new().text("  ", Tone::Text);
    for words in [sanitize::line(model), sanitize::line(&format!("thinking {thinking_level}"))] {
        let dot = if left.width() > 2 && !words.is_empty() { " · " } else { "" };
        left = left.text(dot, Tone::Faint).text(words, Tone::Dim);
    }
    let share = share.map(|share| format!(", {}", age::share(share))).unwrap_or_default();
    let right = Row::new().text(format!("≈ {} tokens{share}", age::tokens(tokens)), Tone::Dim);
    Row::between(left, right, columns)
}

/// The one row of an entry that is not sent: what it is, and why at the right.
pub fn left_out(words: &str, reason: &str, columns: usize) -> Row {
    let left = Row::new().text("  · ", Tone::Faint).text(sanitize::line(words), Tone::Faint);
    Row::between(left, Row::new().text(sanitize::line(reason), Tone::Faint), columns)
}
