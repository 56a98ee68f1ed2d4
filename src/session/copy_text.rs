use super::attempt::is_prompt;
use super::{EntryIx, Session};
use crate::error::Error;
use crate::format::{Kind, Role, joined_text};

impl Session {
    /// What pi's tree copies of an entry: its text, an answer's error message, a command, a summary. `None` where
    /// that is blank.
    ///
    /// # Errors
    /// When the file can no longer be read.
    pub fn copy_text(&self, ix: EntryIx) -> Result<Option<String>, Error> {
        let body = self.body(ix)?;
        let root = body.root();
        let message = root.get("message");
        let field =
            |key: &str| message.and_then(|message| message.get_str(key)).unwrap_or_default().into_owned();
        let content = || joined_text(message.and_then(|message| message.get("content")), "");
        let text = match &self.entry(ix).kind {
            Kind::Message(head) => match &head.role {
                Role::BashExecution { .. } => field("command"),
                Role::Assistant(_) => Some(content())
                    .filter(|text| !text.trim().is_empty())
                    .unwrap_or_else(|| field("errorMessage")),
                _ => content(),
            },
            Kind::CustomMessage { .. } => joined_text(root.get("content"), ""),
            Kind::Compaction { .. } | Kind::BranchSummary => {
                root.get_str("summary").unwrap_or_default().into_owned()
            }
            _ => String::new(),
        };
        Ok((!text.trim().is_empty()).then_some(text))
    }

    /// Whether an entry is a prompt of the person.
    pub fn is_prompt(&self, ix: EntryIx) -> bool {
        is_prompt(&self.entry(ix))
    }

    /// The text of a prompt, above which a conversation is taken up again: of a user's message, or of a custom one.
    /// `None` for any other entry.
    ///
    /// # Errors
    /// When the file can no longer be read.
    pub fn prompt_text(&self, ix: EntryIx) -> Result<Option<String>, Error> {
        if self.is_prompt(ix) || matches!(self.entry(ix).kind, Kind::CustomMessage { .. }) {
            return Ok(Some(self.copy_text(ix)?.unwrap_or_default()));
        }
        Ok(None)
    }
}
