use std::sync::Arc;

use crate::app::{BlockKey, BlockStyle, Item, Listing, is_tool_result};
use crate::cancel::Cancel;
use crate::error::Error;
use crate::format::json::{Document, Value};
use crate::format::{Block as Part, Blocks, EntryHead, Role};
use crate::present::transcript::{
    Block, BlockOptions, Fold, Run, Sent, Subject, block, context_end, left_out, sent_block, starts_day,
    tool_run_line,
};
use crate::session::{ContextItem, EntryIx, Omission, Part as ContextPart, Session};

/// Blocks that are reported together: few enough for the first to be on the screen soon.
const BATCH: usize = 8;

/// Renders blocks in the order given, and hands them on in batches.
pub(super) fn render(
    session: &Session,
    listing: &Listing,
    wanted: &[(usize, BlockKey)],
    style: &BlockStyle,
    cancel: &Cancel,
    report: &mut dyn FnMut(Vec<(BlockKey, Arc<Block>)>),
) {
    let maker = BlockMaker { session, listing, style };
    for batch in wanted.chunks(BATCH) {
        if cancel.is_cancelled() {
            return;
        }
        report(batch.iter().map(|&(at, key)| (key, Arc::new(maker.block(at, key)))).collect());
    }
}

/// Makes the blocks of a listing.
#[derive(Clone, Copy)]
pub(super) struct BlockMaker<'m> {
    pub(super) session: &'m Session,
    pub(super) listing: &'m Listing,
    pub(super) style: &'m BlockStyle,
}

impl BlockMaker<'_> {
    /// The block of the item at a place; why it cannot be shown, where it cannot.
    pub(super) fn block(&self, at: usize, key: BlockKey) -> Block {
        let options = BlockOptions {
            columns: usize::from(key.width),
            fold: key.fold,
            pages: key.pages,
            code: key.code,
            now: self.style.now,
            zone: &self.style.zone,
            times: self.style.times,
            cell: self.style.cell,
            home: self.style.home.as_deref(),
        };
        let block = match key.item {
            Item::Stored(entry) => self.stored(at, entry, &options),
            // The pictures of a message that was edited are not those of its entry.
            Item::Sent(item) => self.sent(at, &item, &BlockOptions { cell: None, ..options }),
            Item::Omitted(entry, omission) => Ok(self.omitted(at, entry, omission, &options)),
            Item::End(leaf) => self.end(leaf, options.columns),
        };
        block.unwrap_or_else(|error| Block::notice(&error.to_string(), options.columns))
    }

    fn stored(&self, at: usize, entry: EntryIx, options: &BlockOptions<'_>) -> Result<Block, Error> {
        if options.fold == Fold::Hidden
            && let Some(block) = self.run_of_tools(at, options)
        {
            return Ok(block);
        }
        let Self { session, listing, .. } = *self;
        let surroundings = listing.surroundings(session);
        let body = session.body(entry)?;
        let call = self.call(at)?;
        let above = at.checked_sub(1).map(|above| session.entry(listing.items()[above].entry()));
        let (thinking_level, model_above) =
            (surroundings.thinking_level(session, at), surroundings.model_above(session, at));
        Ok(block(
            &Subject {
                head: &session.entry(entry),
                above: above.as_ref(),
                replaced: surroundings.replaced(at),
                body: body.root(),
                call: call.as_ref().and_then(Call::value),
                has_result: &|id| surroundings.is_answered(session, listing.items(), at, id),
                thinking_level: thinking_level.as_deref(),
                model_above: model_above.as_deref(),
                label: session.label_of(entry).map(|label| &*label.text),
            },
            options,
        ))
    }

    /// For a tool result among others: the line of their run, at the first; nothing at the others. Where a new day begins
    /// among them, so does a run.
    fn run_of_tools(&self, at: usize, options: &BlockOptions<'_>) -> Option<Block> {
        let Self { session, listing, .. } = *self;
        let items = listing.items();
        let head = |at: usize| session.entry(items[at].entry());
        let is_result = |at: &usize| is_tool_result(session, items[*at].entry());
        let is_this_day = |&other: &usize| !starts_day(&head(other), &head(at), options);
        if !is_result(&at) {
            return None;
        }
        let run = listing.surroundings(session).tool_run(at);
        let first = (run.start..at).rev().take_while(is_this_day).last().unwrap_or(at);
        if (first..at).any(|at| is_result(&at)) {
            return Some(Block::default());
        }
        let heads: Vec<EntryHead> = (at..run.end).take_while(is_this_day).map(head).collect();
        let calls: Vec<(&str, bool)> = heads
            .iter()
            .filter_map(|head| match head.kind.role() {
                Some(Role::ToolResult { tool_name, is_error, .. }) => Some((&**tool_name, *is_error)),
                _ => None,
            })
            .collect();
        let above = at.checked_sub(1).map(head);
        let run = Run { calls: &calls, head: &head(at), above: above.as_ref() };
        (calls.len() > 1).then(|| tool_run_line(&run, options))
    }

    fn sent(&self, at: usize, item: &ContextItem, options: &BlockOptions<'_>) -> Result<Block, Error> {
        let Self { session, listing, .. } = *self;
        let Some(message) = session.sent(item)? else { return Ok(Block::default()) };
        let Some(content) = message.document() else {
            return Ok(Block::line(left_out("", "not sent", options.columns)));
        };
        let surroundings = listing.surroundings(session);
        let body = session.body(item.source)?;
        let call = self.call(at)?;
        let root = body.root();
        let stored = match item.part {
            ContextPart::Message => root.get("message"),
            ContextPart::Checkpoint => root.get("systemMessage"),
            ContextPart::CompactionSummary | ContextPart::BranchSummary | ContextPart::Custom => Some(root),
        };
        let note = match item.part {
            ContextPart::CompactionSummary => {
                let is_replaced = |item: &&Item| matches!(item, Item::Omitted(_, Omission::Summarised(_)));
                let count = listing.items().iter().filter(is_replaced).count();
                format!("{} · instead of {count} entries", self.name(item.source, options))
            }
            _ => String::new(),
        };
        Ok(sent_block(
            &Sent {
                from: &message.from,
                content: content.root(),
                stored,
                call: call.as_ref().and_then(Call::value),
                has_result: &|id| surroundings.is_answered(session, listing.items(), at, id),
                tokens: message.tokens,
                is_edited: message.edit.is_some(),
                note: &note,
            },
            options,
        ))
    }

    /// The line of an entry that is not sent: what it is, and why.
    fn omitted(&self, at: usize, entry: EntryIx, omission: Omission, options: &BlockOptions<'_>) -> Block {
        let surroundings = self.listing.surroundings(self.session);
        let text = self.session.entry_text(entry, surroundings.call(at), options.home);
        let by = match omission {
            Omission::Summarised(compaction) => {
                Some(surroundings.replaced_by(at).filter(|&by| by != entry).unwrap_or(compaction))
            }
            Omission::Superseded(by) | Omission::Edited(by) => Some(by),
            _ => None,
        };
        let reason = match by {
            Some(by) => format!("{} {}", omission.short(), self.name(by, options)),
            None => omission.short().to_owned(),
        };
        Block::line(left_out(&text.in_words().joined(), &reason, options.columns))
    }

    /// An entry as briefly as it can be told from others: its label, else its time, else its id.
    fn name(&self, entry: EntryIx, options: &BlockOptions<'_>) -> String {
        if let Some(label) = self.session.label_of(entry) {
            return format!("◆ {}", label.text);
        }
        let moment = options.moment(self.session.entry(entry).time);
        if moment.is_empty() { self.session.entry_id(entry).to_string() } else { moment }
    }

    fn end(&self, leaf: EntryIx, columns: usize) -> Result<Block, Error> {
        let context = self.session.context_at(Some(leaf));
        let in_use = self.session.context_tokens(&context)?;
        let tokens = match in_use.known() {
            Some(tokens) => tokens,
            None => self.session.estimated_tokens(&context)?,
        };
        let model = context.model.as_ref().and_then(|model| model.model.as_deref()).unwrap_or_default();
        let share = self.style.window.map(|window| in_use.share(window));
        Ok(Block::line(context_end(model, &context.thinking_level, tokens, share, columns)))
    }

    /// The call that the tool result at a place answers.
    fn call(&self, at: usize) -> Result<Option<Call>, Error> {
        let Some((answer, place)) = self.listing.surroundings(self.session).call(at) else { return Ok(None) };
        Ok(Some(Call { line: self.session.body(answer)?, place }))
    }
}

/// The call that a tool result answers: the line it stands in, and its place there.
struct Call {
    line: Document,
    place: usize,
}

impl Call {
    fn value(&self) -> Option<Value<'_>> {
        let content = self.line.root().get("message").and_then(|message| message.get("content"));
        let calls = Blocks::of(content).filter_map(|part| match part {
            Part::ToolCall(call) => Some(call),
            _ => None,
        });
        calls.into_iter().nth(self.place)
    }
}
