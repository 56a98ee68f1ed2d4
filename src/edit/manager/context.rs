use super::SessionManager;
use crate::error::Error;
use crate::session::{Context, Entry, LeafArg, Message, ModelInForce};

/// What the model is sent, message by message, before it is converted for a provider.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionContext {
    /// The messages.
    pub messages: Vec<Message>,
    /// The thinking level in force; `off` where the branch names none.
    pub thinking_level: String,
    /// The model in force, where the branch names one.
    pub model: Option<ModelInForce>,
}

/// The same with every message at the entry it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionProjection {
    /// The entries in the order of the context.
    pub entries: Vec<ProjectedEntry>,
    /// The thinking level in force; `off` where the branch names none.
    pub thinking_level: String,
    /// The model in force, where the branch names one.
    pub model: Option<ModelInForce>,
}

/// An entry of the context and what the model gets of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ProjectedEntry {
    /// The entry as it is stored.
    pub source_entry: Entry,
    /// Its messages, edits applied; none for bookkeeping and for what an edit leaves out.
    pub messages: Vec<Message>,
}

impl SessionProjection {
    /// All messages in order.
    pub fn messages(&self) -> impl Iterator<Item = &Message> {
        self.entries.iter().flat_map(|entry| &entry.messages)
    }
}

impl SessionManager {
    /// The entries that make up the context at the leaf, in its order: after a compaction that entry, what it kept,
    /// and what follows it.
    ///
    /// # Errors
    /// When the file can no longer be read.
    pub fn build_context_entries(&self) -> Result<Vec<Entry>, Error> {
        self.read(self.context().entries.into_iter())
    }

    /// The context at the leaf, every message at its source. Of several compactions on the branch only the last one
    /// yields messages.
    ///
    /// # Errors
    /// When the file can no longer be read.
    pub fn build_session_projection(&self) -> Result<SessionProjection, Error> {
        let context = self.context();
        let mut items = context.items.iter().peekable();
        let mut entries = Vec::with_capacity(context.entries.len());
        for &entry in &context.entries {
            let mut messages = Vec::new();
            while let Some(item) = items.next_if(|item| item.source == entry) {
                messages.extend(self.session.context_message(item)?);
            }
            entries.push(ProjectedEntry { source_entry: self.session.read_entry(entry)?, messages });
        }
        let Context { thinking_level, model, .. } = context;
        Ok(SessionProjection { entries, thinking_level: thinking_level.into(), model })
    }

    /// The context at the leaf.
    ///
    /// # Errors
    /// When the file can no longer be read.
    pub fn build_session_context(&self) -> Result<SessionContext, Error> {
        let context = self.context();
        let mut messages = Vec::with_capacity(context.items.len());
        for item in &context.items {
            messages.extend(self.session.context_message(item)?);
        }
        let Context { thinking_level, model, .. } = context;
        Ok(SessionContext { messages, thinking_level: thinking_level.into(), model })
    }

    pub(super) fn context(&self) -> Context {
        self.session.context(&match self.get_leaf_id() {
            Some(id) => LeafArg::Id(id.as_str().to_owned()),
            None => LeafArg::Null,
        })
    }
}
