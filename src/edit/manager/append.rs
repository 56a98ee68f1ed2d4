use super::{Home, SessionManager};
use crate::cancel::Cancel;
use crate::edit::append::{Below, id_of};
use crate::edit::create::create;
use crate::edit::disk::RealDisk;
use crate::edit::entries::{Parent, Place};
use crate::edit::{Editor, Refusal, fold_name, id, system_clock};
use crate::error::{Cause, Error};
use crate::format::json::Document;
use crate::format::{EntryId, JsObject, Kind, Role, js};
use crate::session::message::{Content, ContentBlock, Message, SystemMessage, UsageReport};
use crate::session::{Entry, EntryIx, Session};

/// Every method appends one entry below the leaf, makes it the leaf and returns its id. When it fails, nothing has
/// changed, unless the error says that the line was written. Arguments that are JSON may hold any value; what is none is
/// refused.
impl SessionManager {
    /// Appends a message.
    ///
    /// # Errors
    /// Any [`Refusal`] and what the disk reports, as with every method that appends. Summaries are no messages of
    /// their own: see [`SessionManager::append_compaction`] and [`SessionManager::branch_with_summary`].
    pub fn append_message(&mut self, message: &Message) -> Result<EntryId, Error> {
        if matches!(message, Message::CompactionSummary { .. } | Message::BranchSummary { .. }) {
            return Err(self.failed(Cause::Other("a summary is no message but an entry of its own".into())));
        }
        let message = self.compact(&message.to_json())?;
        self.append(&|place| place.entry("message").with("message", message.as_str()))
    }

    /// Appends another thinking level.
    ///
    /// # Errors
    /// As [`SessionManager::append_message`].
    pub fn append_thinking_level_change(&mut self, thinking_level: &str) -> Result<EntryId, Error> {
        self.append(&|place| place.entry("thinking_level_change").with_text("thinkingLevel", thinking_level))
    }

    /// Appends another model.
    ///
    /// # Errors
    /// As [`SessionManager::append_message`].
    pub fn append_model_change(&mut self, provider: &str, model_id: &str) -> Result<EntryId, Error> {
        self.append(&|place| {
            place.entry("model_change").with_text("provider", provider).with_text("modelId", model_id)
        })
    }

    /// Appends tokens that were spent outside a message, and returns the whole entry.
    ///
    /// # Errors
    /// As [`SessionManager::append_message`].
    pub fn append_usage(
        &mut self,
        kind: &str,
        provider: &str,
        model: &str,
        usage: &UsageReport,
        note: Option<&str>,
    ) -> Result<Entry, Error> {
        let usage = self.compact(&usage.to_json())?;
        self.append(&|place| {
            place
                .entry("usage")
                .with_text("kind", kind)
                .with_text("provider", provider)
                .with_text("model", model)
                .with("usage", usage.as_str())
                .with_some_text("note", note.filter(|note| !note.is_empty()))
        })?;
        let appended = self.get_leaf_entry()?;
        appended.ok_or_else(|| self.failed(Cause::Other("the entry is not there".into())))
    }

    /// Appends a compaction that keeps the entries from `first_kept_entry_id` on, or nothing, together with the
    /// instructions and tools in force. `details` is JSON.
    ///
    /// # Errors
    /// As [`SessionManager::append_message`]; and when the entry to be kept is not in the session, where pi would keep
    /// nothing.
    pub fn append_compaction(
        &mut self,
        summary: &str,
        first_kept_entry_id: Option<&str>,
        tokens_before: f64,
        details: Option<&str>,
        from_hook: Option<bool>,
        usage: Option<&UsageReport>,
    ) -> Result<EntryId, Error> {
        let first_kept = first_kept_entry_id.map(|id| self.json_id(id)).transpose()?;
        let system = self.current_system_message()?;
        let usage = usage.map(|usage| self.compact(&usage.to_json())).transpose()?;
        let details = details.map(|details| self.compact(details)).transpose()?;
        let now = system_clock();
        let system = system.map(|message| SystemMessage { timestamp: Some(now as f64), ..message });
        let system = system.map(|message| Message::System(message).to_json());
        self.append_at(now, &|place| {
            let entry = place.entry("compaction").with_text("summary", summary);
            let entry = match &first_kept {
                Some(id) => entry.with("firstKeptEntryId", id.as_str()),
                None => entry.with_text("firstKeptEntryId", place.id),
            };
            entry
                .with("tokensBefore", js::number(tokens_before))
                .with_some("details", details.as_deref())
                .with_some("usage", usage.as_deref())
                .with_some_flag("fromHook", from_hook)
                .with_some("systemMessage", system.as_deref())
        })
    }

    /// Appends data of an extension, which is never sent. `data` is JSON.
    ///
    /// # Errors
    /// As [`SessionManager::append_message`].
    pub fn append_custom_entry(&mut self, custom_type: &str, data: Option<&str>) -> Result<EntryId, Error> {
        let data = data.map(|data| self.compact(data)).transpose()?;
        self.append(&|place| {
            place.entry_of("custom", |entry| {
                entry.with_text("customType", custom_type).with_some("data", data.as_deref())
            })
        })
    }

    /// Appends a name for the session, as [`fold_name`] folds it; an empty one clears.
    ///
    /// # Errors
    /// As [`SessionManager::append_message`]; and before the first entry of a session that has some: with the name as
    /// its last line and as a root, pi would come back to an empty conversation.
    pub fn append_session_info(&mut self, name: &str) -> Result<EntryId, Error> {
        self.stands_on_a_branch()?;
        let name = fold_name(name);
        self.append(&|place| place.entry("session_info").with_text("name", &name))
    }

    /// Appends a message of an extension, which is sent to the model and shown where `display` says so. `details` is
    /// JSON and not sent.
    ///
    /// # Errors
    /// As [`SessionManager::append_message`].
    pub fn append_custom_message_entry(
        &mut self,
        custom_type: &str,
        content: &Content,
        display: bool,
        details: Option<&str>,
    ) -> Result<EntryId, Error> {
        let content = self.compact(&content.to_json())?;
        let details = details.map(|details| self.compact(details)).transpose()?;
        self.append(&|place| {
            place.entry_of("custom_message", |entry| {
                entry
                    .with_text("customType", custom_type)
                    .with("content", content.as_str())
                    .with_some_flag("display", Some(display))
                    .with_some("details", details.as_deref())
            })
        })
    }

    /// Sets the label of an entry, or clears it without a text or with an empty one.
    ///
    /// # Errors
    /// As [`SessionManager::append_message`]; when the entry is not in the session; and before the first entry, where
    /// the label would be a root of its own and pi would come back to an empty conversation.
    pub fn append_label_change(&mut self, target_id: &str, label: Option<&str>) -> Result<EntryId, Error> {
        let target = self.json_id(target_id)?;
        self.stands_on_a_branch()?;
        self.append(&|place| {
            place.entry("label").with("targetId", target.as_str()).with_some_text("label", label)
        })
    }

    /// Appends an edit that leaves an entry of the branch out of what the model is sent, or puts another content in
    /// its place. A text in place of an answer or a result becomes a block.
    ///
    /// # Errors
    /// As [`SessionManager::append_message`]; when the entry is not on the branch of the leaf; and when it is neither a
    /// message of the person, the model or a tool, nor one of an extension.
    pub fn append_context_edit(
        &mut self,
        target_id: &str,
        replacement: Option<&Content>,
    ) -> Result<EntryId, Error> {
        let target = self.json_id(target_id)?;
        let refused = |words: &str| Err(self.failed(Cause::Other(format!("entry {target_id} {words}"))));
        let ix = self.session.find_text(target_id);
        let Some(ix) = ix.filter(|ix| self.session.path_to(self.leaf).contains(ix)) else {
            return refused("is not on the active branch");
        };
        let is_answer = match &self.session.entry(ix).kind {
            Kind::CustomMessage { .. } => false,
            kind => match kind.role() {
                Some(Role::User) => false,
                Some(Role::Assistant(_) | Role::ToolResult { .. }) => true,
                _ => return refused("says nothing to the model that could be edited"),
            },
        };
        let content = match replacement {
            Some(Content::Odd(_)) => return refused("cannot be replaced by what is neither text nor blocks"),
            Some(Content::Text(text)) if is_answer => {
                let block = ContentBlock::Text { text: text.clone(), signature: None, other: Vec::new() };
                Some(Content::Blocks(vec![block]).to_json())
            }
            other => other.map(Content::to_json),
        };
        let replacement = match content {
            Some(content) => JsObject::default().with("content", self.compact(&content)?).print(),
            None => "null".into(),
        };
        self.append(&|place| {
            place
                .entry("context_edit")
                .with("targetId", target.as_str())
                .with("replacement", replacement.as_str())
        })
    }

    /// Writes a session that is not on the disk yet, whatever it holds: pi waits for the first message of the person or
    /// the model, so that a session of nothing but commands is never written. Nothing is done where there is nothing
    /// to do.
    ///
    /// # Errors
    /// What the disk reports, and when another file stands there by now.
    pub fn persist(&mut self) -> Result<(), Error> {
        if self.home == Home::Later {
            self.write_all()?;
        }
        Ok(())
    }

    /// Appends an entry below the leaf. Whatever JSON is in it must be such, on one line.
    pub(super) fn append(&mut self, make: &dyn Fn(&Place<'_>) -> JsObject) -> Result<EntryId, Error> {
        self.append_at(system_clock(), make)
    }

    /// The same at a time in milliseconds since 1970.
    fn append_at(&mut self, now: i64, make: &dyn Fn(&Place<'_>) -> JsObject) -> Result<EntryId, Error> {
        if self.session.header().version.is_v1() {
            return Err(self.failed(Refusal::NeedsMigration.into()));
        }
        let parent = self.parent().map_err(|cause| self.failed(cause))?;
        let id = match self.home {
            Home::File => self.append_to_file(now, parent, make)?,
            Home::Memory | Home::Later => self.append_to_memory(now, &parent, make)?,
        };
        self.leaf = self.session.find_text(&id);
        Ok(EntryId::text(&id))
    }

    fn append_to_file(
        &mut self,
        now: i64,
        parent: Parent,
        make: &dyn Fn(&Place<'_>) -> JsObject,
    ) -> Result<String, Error> {
        let editor = Editor::new(&self.environment).at(now);
        let line = |place: &Place<'_>| make(place).print();
        let appended = editor.append(&RealDisk, &self.session, &Below::Entry(parent), &line);
        let appended = appended.map_err(|cause| self.failed(cause))?;
        let grown = self.session.read_again(&Cancel::new()).map_err(|error| {
            self.failed(Cause::Other(format!(
                "the line was written, but cannot be read back: {}",
                error.cause
            )))
        })?;
        if let Some(grown) = grown {
            self.session = grown;
        }
        Ok(appended.id)
    }

    fn append_to_memory(
        &mut self,
        now: i64,
        parent: &Parent,
        make: &dyn Fn(&Place<'_>) -> JsObject,
    ) -> Result<String, Error> {
        let id = id::entry_id(|id| self.session.find_text(id).is_some());
        let id = id.map_err(|error| self.failed(error.into()))?;
        let timestamp = format!("\"{}\"", js::iso(now));
        let place = Place { id: &id, parent, timestamp: Some(&timestamp) };
        let grown = self.session.with_line(&make(&place).print())?;
        let before = std::mem::replace(&mut self.session, grown);
        if self.home == Home::Later
            && has_conversation(&self.session)
            && let Err(error) = self.write_all()
        {
            self.session = before;
            return Err(error);
        }
        Ok(id)
    }

    /// Some JSON as JavaScript prints it, on one line.
    pub(super) fn compact(&self, json: &str) -> Result<String, Error> {
        let document = Document::parse(json.to_owned());
        let document = document
            .map_err(|invalid| self.failed(Cause::Other(format!("{json:?} is no JSON: {invalid}"))))?;
        Ok(document.root().stringify())
    }

    /// Writes a session that is held in memory as its file.
    pub(super) fn write_all(&mut self) -> Result<(), Error> {
        let path = self.session.path();
        create(path, self.session.memory()).map_err(|cause| Error::new("cannot write", path, cause))?;
        let leaf = self.leaf;
        self.session = Session::open(path)?;
        self.home = Home::File;
        self.leaf = leaf;
        Ok(())
    }

    /// The leaf as the parent of what comes next.
    fn parent(&self) -> Result<Parent, Cause> {
        let Some(leaf) = self.leaf else { return Ok(Parent::None) };
        if self.session.entry(leaf).id.is_none() {
            return Ok(Parent::Unnamed);
        }
        id_of(&self.session, leaf).map(Parent::Id)
    }

    /// The id of an entry as JSON, as it stands in the file.
    pub(super) fn json_id(&self, id: &str) -> Result<String, Error> {
        let found = self.session.find_text(id);
        let found = found.ok_or_else(|| self.failed(Cause::Other(format!("there is no entry {id}"))))?;
        id_of(&self.session, found).map_err(|cause| self.failed(cause))
    }

    /// Refuses what would otherwise become the last line of a session and a root of its own.
    fn stands_on_a_branch(&self) -> Result<(), Error> {
        if self.leaf.is_none() && !self.session.is_empty() {
            let words =
                "it would be a root of its own, and the conversation an empty one; branch to an entry first";
            return Err(self.failed(Cause::Other(words.into())));
        }
        Ok(())
    }

    /// One system message that says all that those of the context say.
    fn current_system_message(&self) -> Result<Option<SystemMessage>, Error> {
        let state = self.session.system_state(&self.context())?;
        Ok(state.map(|state| SystemMessage {
            content: Some(Content::Text(state.base)),
            sections: state.sections.into_iter().map(|section| (section.name, Some(section.text))).collect(),
            tools_added: state.tools.into_iter().map(|tool| tool.declaration).collect(),
            ..SystemMessage::default()
        }))
    }

    pub(super) fn failed(&self, cause: Cause) -> Error {
        Error::new("cannot append to", self.session.path(), cause)
    }
}

/// Whether somebody has said something, which is when pi writes a session.
pub(super) fn has_conversation(session: &Session) -> bool {
    let is_said =
        |ix: EntryIx| matches!(session.entry(ix).kind.role(), Some(Role::User | Role::Assistant(_)));
    session.entries().any(|(ix, _)| is_said(ix))
}
