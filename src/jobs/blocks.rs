use std::ops::Range;
use std::sync::Arc;

use crate::app::{BlockKey, BlockStyle, Item, answered_calls, call_of, is_tool_result, tool_run};
use crate::cancel::Cancel;
use crate::error::Error;
use crate::format::json::{Document, Value};
use crate::format::{Block as Part, Blocks, Kind, Role};
use crate::present::transcript::{
    Block, BlockOptions, Fold, Sent, Subject, block, context_end, left_out, sent_block, tool_run_line,
};
use crate::present::{CodeTones, Needle};
use crate::session::{ContextItem, EntryIx, LeafArg, Part as ContextPart, Session};

/// Blocks that are reported together: few enough for the first to be on the screen soon.
const BATCH: usize = 8;

/// Renders blocks in the order given, and hands them on in batches.
pub(super) fn render(
    session: &Session,
    items: &[Item],
    wanted: &[(usize, BlockKey)],
    style: &BlockStyle,
    cancel: &Cancel,
    report: &mut dyn FnMut(Vec<(BlockKey, Arc<Block>)>),
) {
    for batch in wanted.chunks(BATCH) {
        if cancel.is_cancelled() {
            return;
        }
        report(batch.iter().map(|&(at, key)| (key, Arc::new(one(session, items, at, key, style)))).collect());
    }
}

/// Finds the rows in which something occurs, with every block unfolded, in the items `within` a range.
pub(super) fn find(
    session: &Session,
    items: &[Item],
    within: Range<usize>,
    width: u16,
    needle: &Needle,
    style: &BlockStyle,
    cancel: &Cancel,
) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (at, &item) in items.iter().enumerate().take(within.end).skip(within.start) {
        if cancel.is_cancelled() {
            break;
        }
        let key = BlockKey { item, width, fold: Fold::Open, code: CodeTones::Plain };
        let block = one(session, items, at, key, style);
        let rows = block.rows.iter().enumerate();
        found.extend(rows.filter(|(_, row)| !needle.find(&row.plain()).is_empty()).map(|(row, _)| (at, row)));
    }
    found
}

/// One block; why it cannot be shown, where it cannot.
fn one(session: &Session, items: &[Item], at: usize, key: BlockKey, style: &BlockStyle) -> Block {
    let options = BlockOptions {
        columns: usize::from(key.width),
        fold: key.fold,
        code: key.code,
        now: style.now,
        zone: &style.zone,
        home: style.home.as_deref(),
    };
    let block = match key.item {
        Item::Stored(entry) => stored(session, items, at, entry, &options),
        Item::Sent(item) => sent(session, items, at, &item, &options),
        Item::Omitted(entry, omission) => {
            let words =
                session.entry_text(entry, call_of(session, items, at), options.home).in_words().joined();
            let row = left_out(&words, omission.short(), options.columns);
            Ok(Block::line(row))
        }
        Item::End(leaf) => end(session, leaf, style.window, options.columns),
    };
    block.unwrap_or_else(|error| Block::notice(&error.to_string(), options.columns))
}

fn stored(
    session: &Session,
    items: &[Item],
    at: usize,
    entry: EntryIx,
    options: &BlockOptions<'_>,
) -> Result<Block, Error> {
    if options.fold == Fold::Hidden
        && let Some(block) = run_of_tools(session, items, at, options.columns)
    {
        return Ok(block);
    }
    let body = session.body(entry)?;
    let call = Call::of(session, items, at)?;
    let answered = answered_calls(session, items, at);
    Ok(block(
        &Subject {
            head: session.entry(entry),
            above: at.checked_sub(1).map(|above| session.entry(items[above].entry())),
            replaced: replaced(session, items, at),
            body: body.root(),
            call: call.as_ref().and_then(Call::value),
            has_result: &|id| answered.contains(id),
            thinking_level: thinking_level(session, &items[..at]),
            model_above: model_above(session, &items[..at]),
            label: session.label_of(entry).map(|label| &*label.text),
        },
        options,
    ))
}

/// For a tool result among others: the line of their run, at the first; nothing at the others.
fn run_of_tools(session: &Session, items: &[Item], at: usize, columns: usize) -> Option<Block> {
    if !is_tool_result(session, items[at].entry()) {
        return None;
    }
    let run = tool_run(session, items, at);
    if items[run.start..at].iter().any(|item| is_tool_result(session, item.entry())) {
        return Some(Block::default());
    }
    let calls: Vec<(&str, bool)> = items[run]
        .iter()
        .filter_map(|item| match session.entry(item.entry()).kind.role() {
            Some(Role::ToolResult { tool_name, is_error, .. }) => Some((&**tool_name, *is_error)),
            _ => None,
        })
        .collect();
    (calls.len() > 1).then(|| tool_run_line(&calls, columns))
}

fn sent(
    session: &Session,
    items: &[Item],
    at: usize,
    item: &ContextItem,
    options: &BlockOptions<'_>,
) -> Result<Block, Error> {
    let Some(message) = session.sent(item)? else { return Ok(Block::default()) };
    let Some(content) = message.document() else {
        return Ok(Block::line(left_out("", "not sent", options.columns)));
    };
    let body = session.body(item.source)?;
    let call = Call::of(session, items, at)?;
    let answered = answered_calls(session, items, at);
    let root = body.root();
    let stored = match item.part {
        ContextPart::Message => root.get("message"),
        ContextPart::Checkpoint => root.get("systemMessage"),
        ContextPart::CompactionSummary | ContextPart::BranchSummary | ContextPart::Custom => Some(root),
    };
    let replaced = items
        .iter()
        .filter(|item| matches!(item, Item::Omitted(_, crate::session::Omission::Summarised(_))))
        .count();
    let note = match item.part {
        ContextPart::CompactionSummary => format!("instead of {replaced} entries"),
        _ => String::new(),
    };
    Ok(sent_block(
        &Sent {
            from: &message.from,
            content: content.root(),
            stored,
            call: call.as_ref().and_then(Call::value),
            has_result: &|id| answered.contains(id),
            tokens: message.tokens,
            is_edited: message.edit.is_some(),
            note: &note,
        },
        options,
    ))
}

fn end(session: &Session, leaf: EntryIx, window: Option<f64>, columns: usize) -> Result<Block, Error> {
    let context = session.context(&LeafArg::Id(session.entry_id(leaf).as_str().to_owned()));
    let in_use = session.context_tokens(&context)?;
    let tokens = match in_use.known() {
        Some(tokens) => tokens,
        None => session.estimated_tokens(&context)?,
    };
    let model = context.model.as_ref().and_then(|model| model.model.as_deref()).unwrap_or_default();
    let share = window.map(|window| in_use.share(window));
    let row = context_end(model, &context.thinking_level, tokens, share, columns);
    Ok(Block::line(row))
}

/// The call that a tool result answers: the line it stands in, and its place there.
struct Call {
    line: Document,
    place: usize,
}

impl Call {
    fn of(session: &Session, items: &[Item], at: usize) -> Result<Option<Self>, Error> {
        let Some((entry, place)) = call_of(session, items, at) else { return Ok(None) };
        Ok(Some(Self { line: session.body(entry)?, place }))
    }

    fn value(&self) -> Option<Value<'_>> {
        let content = self.line.root().get("message").and_then(|message| message.get("content"));
        let calls = Blocks::of(content).filter_map(|part| match part {
            Part::ToolCall(call) => Some(call),
            _ => None,
        });
        calls.into_iter().nth(self.place)
    }
}

/// How many entries the summary of a compaction stands for: those from the one before it on that it did not keep.
fn replaced(session: &Session, items: &[Item], at: usize) -> Option<usize> {
    let Kind::Compaction { first_kept, .. } = &session.entry(items[at].entry()).kind else { return None };
    let is_compaction = |item: &Item| matches!(session.entry(item.entry()).kind, Kind::Compaction { .. });
    let begins = items[..at].iter().rposition(is_compaction).map_or(0, |before| before + 1);
    let kept =
        items[begins..at].iter().position(|item| Some(session.entry_id(item.entry())) == first_kept.as_ref());
    Some(kept.unwrap_or(at - begins))
}

fn thinking_level<'s>(session: &'s Session, above: &[Item]) -> Option<&'s str> {
    above.iter().rev().find_map(|item| match &session.entry(item.entry()).kind {
        Kind::ThinkingLevelChange { level } => Some(&**level),
        _ => None,
    })
}

fn model_above<'s>(session: &'s Session, above: &[Item]) -> Option<&'s str> {
    above.iter().rev().find_map(|item| match session.entry(item.entry()).kind.role() {
        Some(Role::Assistant(answer)) => answer.model.as_deref(),
        _ => None,
    })
}
