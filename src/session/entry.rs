//! Entries with all their fields, typed as pi types them.

use super::message::{CustomMessage, Fields, Message, RawField, SystemMessage, UsageReport};
use super::{EntryIx, Session};
use crate::error::Error;
use crate::format::json::Value;
use crate::format::{EntryId, Kind, ParentRef};

/// An entry of a session.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its id; one it was given (`v1#n`) where it has none.
    pub id: EntryId,
    /// The entry it hangs below, whether or not that is in the file.
    pub parent_id: Option<EntryId>,
    /// Its time as written.
    pub timestamp: Option<String>,
    /// What it is.
    pub body: EntryBody,
    /// All fields that are not known, or not of the type that pi gives them.
    pub other: Vec<RawField>,
}

/// What an entry is, with the fields of that type. The names are pi's.
#[derive(Clone, Debug, PartialEq)]
pub enum EntryBody {
    /// `message`; none where the entry lacks its message.
    Message(Option<Message>),
    /// `thinking_level_change`
    ThinkingLevelChange {
        /// The level from here on.
        thinking_level: Option<String>,
    },
    /// `model_change`
    ModelChange {
        /// The provider.
        provider: Option<String>,
        /// The model.
        model_id: Option<String>,
    },
    /// `usage`: tokens spent outside a message.
    Usage {
        /// What for.
        kind: Option<String>,
        /// The provider.
        provider: Option<String>,
        /// The model.
        model: Option<String>,
        /// Tokens and cost.
        usage: Option<UsageReport>,
        /// More about it, for people.
        note: Option<String>,
    },
    /// `compaction`
    Compaction(Box<Compaction>),
    /// `branch_summary`
    BranchSummary {
        /// The end of the branch that was left.
        from_id: Option<String>,
        /// The summary.
        summary: Option<String>,
        /// An extension's own data, as JSON.
        details: Option<String>,
        /// What the summary cost.
        usage: Option<UsageReport>,
        /// Whether an extension made it.
        from_hook: Option<bool>,
    },
    /// `custom`: an extension's own data, never sent.
    Custom {
        /// The extension's name for it.
        custom_type: Option<String>,
        /// The data, as JSON.
        data: Option<String>,
    },
    /// `custom_message`: an extension's message, sent to the model. Its time is that of the entry.
    CustomMessage(CustomMessage),
    /// `context_edit`
    ContextEdit {
        /// The entry it acts on.
        target_id: Option<String>,
        /// What stands instead, as JSON; `null` where the entry is left out.
        replacement: Option<String>,
    },
    /// `label`
    Label {
        /// The entry that is labelled.
        target_id: Option<String>,
        /// The text; none clears.
        label: Option<String>,
    },
    /// `session_info`
    SessionInfo {
        /// The session's name.
        name: Option<String>,
    },
    /// Any other type, by its name.
    Unknown(String),
}

/// A compaction: its summary stands for the entries above the first one it keeps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compaction {
    /// The summary.
    pub summary: Option<String>,
    /// The entry from which the old messages are kept.
    pub first_kept_entry_id: Option<EntryId>,
    /// Tokens in the context before it.
    pub tokens_before: Option<f64>,
    /// An extension's own data, as JSON.
    pub details: Option<String>,
    /// What the summary cost.
    pub usage: Option<UsageReport>,
    /// Whether an extension made it.
    pub from_hook: Option<bool>,
    /// Prompt and tools in force from here on.
    pub system_message: Option<SystemMessage>,
}

impl Session {
    /// Reads an entry with all its fields. In a file of an older version it is as pi migrates it: with an id and a
    /// parent, the role `hookMessage` as `custom`, and a compaction that names what it keeps by id.
    ///
    /// # Errors
    /// When the file can no longer be read.
    pub fn read_entry(&self, ix: EntryIx) -> Result<Entry, Error> {
        Ok(self.typed(ix, self.body(ix)?.root()))
    }

    /// As [`Session::read_entry`], of an entry whose line is at hand.
    pub(crate) fn typed(&self, ix: EntryIx, line: Value<'_>) -> Entry {
        let head = self.entry(ix);
        let mut fields = Fields::of(line);
        for known in ["type", "id", "parentId"] {
            fields.take(known, Some);
        }
        let timestamp = fields.text("timestamp");
        let body = match &head.kind {
            Kind::Message(_) => EntryBody::Message(fields.take("message", |message| {
                let is_message = message.is_object();
                is_message.then(|| {
                    let mut fields = Fields::of(message);
                    fields.text("role");
                    Message::of_role(
                        if message.get_str("role").is_some() { self.word_of_role(&head.kind) } else { "" },
                        fields,
                    )
                })
            })),
            Kind::Compaction { first_kept, .. } => {
                for known in ["firstKeptEntryId", "firstKeptEntryIndex"] {
                    fields.take(known, Some);
                }
                EntryBody::Compaction(Box::new(Compaction {
                    first_kept_entry_id: first_kept.clone(),
                    ..Compaction::of(&mut fields)
                }))
            }
            Kind::CustomMessage { .. } => {
                let mut custom = CustomMessage::of(fields);
                let other = std::mem::take(&mut custom.other);
                return self.entry_of(ix, timestamp, EntryBody::CustomMessage(custom), other);
            }
            kind => body_of(kind, &mut fields),
        };
        self.entry_of(ix, timestamp, body, fields.rest())
    }

    fn entry_of(
        &self,
        ix: EntryIx,
        timestamp: Option<String>,
        body: EntryBody,
        other: Vec<RawField>,
    ) -> Entry {
        let parent = self.links().named_parent(ix).map(|parent| self.entry_id(parent));
        let parent_id = match &self.entry(ix).parent {
            ParentRef::Id(id) => Some(id.clone()),
            ParentRef::Missing | ParentRef::None => parent.cloned(),
        };
        Entry { id: self.entry_id(ix).clone(), parent_id, timestamp, body, other }
    }
}

impl Entry {
    /// pi's word for the type.
    pub fn kind(&self) -> &str {
        match &self.body {
            EntryBody::Message(_) => "message",
            EntryBody::ThinkingLevelChange { .. } => "thinking_level_change",
            EntryBody::ModelChange { .. } => "model_change",
            EntryBody::Usage { .. } => "usage",
            EntryBody::Compaction(_) => "compaction",
            EntryBody::BranchSummary { .. } => "branch_summary",
            EntryBody::Custom { .. } => "custom",
            EntryBody::CustomMessage(_) => "custom_message",
            EntryBody::ContextEdit { .. } => "context_edit",
            EntryBody::Label { .. } => "label",
            EntryBody::SessionInfo { .. } => "session_info",
            EntryBody::Unknown(word) => word,
        }
    }
}

impl Compaction {
    /// All but what it keeps.
    fn of(fields: &mut Fields<'_>) -> Self {
        Self {
            summary: fields.text("summary"),
            first_kept_entry_id: None,
            tokens_before: fields.number("tokensBefore"),
            details: fields.json("details"),
            usage: fields.take("usage", UsageReport::of),
            from_hook: fields.flag("fromHook"),
            system_message: fields.take("systemMessage", |message| match Message::of(message) {
                Message::System(message) => Some(message),
                _ => None,
            }),
        }
    }
}

/// The types whose fields are read one by one.
fn body_of(kind: &Kind, fields: &mut Fields<'_>) -> EntryBody {
    match kind {
        Kind::ThinkingLevelChange { .. } => {
            EntryBody::ThinkingLevelChange { thinking_level: fields.text("thinkingLevel") }
        }
        Kind::ModelChange { .. } => {
            EntryBody::ModelChange { provider: fields.text("provider"), model_id: fields.text("modelId") }
        }
        Kind::Usage { .. } => EntryBody::Usage {
            kind: fields.text("kind"),
            provider: fields.text("provider"),
            model: fields.text("model"),
            usage: fields.take("usage", UsageReport::of),
            note: fields.text("note"),
        },
        Kind::BranchSummary => EntryBody::BranchSummary {
            from_id: fields.text("fromId"),
            summary: fields.text("summary"),
            details: fields.json("details"),
            usage: fields.take("usage", UsageReport::of),
            from_hook: fields.flag("fromHook"),
        },
        Kind::Custom { .. } => {
            EntryBody::Custom { custom_type: fields.text("customType"), data: fields.json("data") }
        }
        Kind::ContextEdit { .. } => EntryBody::ContextEdit {
            target_id: fields.text("targetId"),
            replacement: fields.json("replacement"),
        },
        Kind::Label { .. } => {
            EntryBody::Label { target_id: fields.text("targetId"), label: fields.text("label") }
        }
        Kind::SessionInfo { .. } => EntryBody::SessionInfo { name: fields.text("name") },
        kind => EntryBody::Unknown(kind.word().to_owned()),
    }
}
