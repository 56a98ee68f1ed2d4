use super::entry::EntryBody;
use super::message::{Content, ContentBlock, CustomMessage, Message};
use super::{ContextItem, Part, Session};
use crate::error::Error;

impl Session {
    /// The message of one item of a context before it is converted for sending: typed, with its edit applied. A
    /// compaction without instructions of its own yields nothing for that part.
    ///
    /// # Errors
    /// When the file can no longer be read.
    pub fn context_message(&self, item: &ContextItem) -> Result<Option<Message>, Error> {
        let timestamp = || self.entry(item.source).time.map(|time| time as f64);
        let message = match (item.part, self.read_entry(item.source)?.body) {
            (Part::Message, EntryBody::Message(message)) => message.map(with_content),
            (Part::Checkpoint, EntryBody::Compaction(compaction)) => {
                compaction.system_message.map(Message::System)
            }
            (Part::CompactionSummary, EntryBody::Compaction(compaction)) => {
                Some(Message::CompactionSummary {
                    summary: compaction.summary.unwrap_or_default(),
                    tokens_before: compaction.tokens_before,
                    timestamp: timestamp(),
                    other: Vec::new(),
                })
            }
            (Part::BranchSummary, EntryBody::BranchSummary { summary, from_id, .. }) => {
                let summary = summary.unwrap_or_default();
                Some(Message::BranchSummary { summary, from_id, timestamp: timestamp(), other: Vec::new() })
            }
            (Part::Custom, EntryBody::CustomMessage(custom)) => {
                let content = custom.content.or_else(|| Some(Content::Blocks(Vec::new())));
                Some(Message::Custom(CustomMessage { content, timestamp: timestamp(), ..custom }))
            }
            _ => None,
        };
        let Some(edit) = item.edit else { return Ok(message) };
        let edit = self.body(edit)?;
        let replacement = edit.root().get("replacement").and_then(|replacement| replacement.get("content"));
        Ok(message.map(|mut message| {
            let is_blocks_only = matches!(message, Message::Assistant(_) | Message::ToolResult(_));
            if let Some(content) = message.content_mut() {
                *content = replacement.map(|value| match Content::of(value) {
                    Content::Text(text) if is_blocks_only => {
                        Content::Blocks(vec![ContentBlock::Text { text, signature: None, other: Vec::new() }])
                    }
                    content => content,
                });
            }
            message
        }))
    }
}

/// A message whose content is missing gets an empty one, as in pi.
fn with_content(mut message: Message) -> Message {
    let empty = match message {
        Message::System(_) => Content::Text(String::new()),
        Message::User(_) | Message::Assistant(_) | Message::ToolResult(_) => Content::Blocks(Vec::new()),
        _ => return message,
    };
    if let Some(content) = message.content_mut() {
        content.get_or_insert(empty);
    }
    message
}
