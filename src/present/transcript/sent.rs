use super::cards::Card;
use super::content::content;
use super::heading::Heading;
use super::message::{answer_content, margin};
use super::page::{Page, Setting};
use super::tool::Outcome;
use super::{Block, BlockOptions, Fold, system, tool};
use crate::format::json::Value;
use crate::present::row::{Row, Tone};
use crate::present::{age, sanitize};

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
    let mut page = Page::new(options.columns);
    let stored = sent.stored.unwrap_or(sent.content);
    let (word, tone) = match sent.from {
        "user" => ("you", Tone::User),
        "assistant" => ("assistant", Tone::Assistant),
        "toolResult" => ("tool result", Tone::Tool),
        "bashExecution" => ("you ran", Tone::User),
        "system" => ("system prompt", Tone::Summary),
        "compactionSummary" => ("compaction summary", Card::Compaction.tone()),
        "branchSummary" => ("branch summary", Card::Branch.tone()),
        "custom" => ("extension", Tone::Custom),
        other => (other, Tone::Custom),
    };
    let note = if sent.from == "system" { system::inventory(stored) } else { sent.note.to_owned() };
    page.set_left(margin(Some(tone)));
    Heading::new(word, tone)
        .note(if sent.is_edited { "edited" } else { "" }, Tone::Label)
        .note(&note, Tone::Dim)
        .fact(&format!("{} tok", age::count(usize::try_from(sent.tokens).unwrap_or(usize::MAX))), Tone::Dim)
        .write(&mut page);
    let is_foldable = match sent.from {
        "assistant" => {
            let outcome = Outcome::without_result(stored.get_str("stopReason").as_deref());
            answer_content(&mut page, Some(sent.content), outcome, sent.has_result, options)
        }
        "toolResult" => tool::joined(&mut page, stored, sent.call, Some(sent.content), options),
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
    Block { rows: page.finish(), is_foldable }
}

/// The one row of an entry that is not sent: what it is, and why at the right.
pub fn left_out(words: &str, reason: &str, columns: usize) -> Row {
    let left = Row::new().text("  · ", Tone::Faint).text(sanitize::line(words), Tone::Faint);
    Row::between(left, Row::new().text(sanitize::line(reason), Tone::Faint), columns)
}
