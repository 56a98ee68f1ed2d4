use std::path::PathBuf;

use super::append::has_conversation;
use super::create::new_header;
use super::{Home, IN_MEMORY, NewSession, SessionManager};
use crate::edit::branch::branch_lines;
use crate::edit::create::lines;
use crate::edit::{Editor, migrate};
use crate::error::{Cause, Error};
use crate::format::EntryId;
use crate::session::Session;
use crate::session::message::UsageReport;

impl SessionManager {
    /// Moves the leaf to an entry. That is not written, and forgotten with this value.
    ///
    /// # Errors
    /// When no entry has that id.
    pub fn branch(&mut self, from: &str) -> Result<(), Error> {
        let found = self.session.find_text(from);
        let missing = || Cause::Other(format!("there is no entry {from}"));
        self.leaf = Some(found.ok_or_else(|| Error::new("cannot branch", self.session.path(), missing()))?);
        Ok(())
    }

    /// Moves the leaf before everything. That is not written, and forgotten with this value.
    pub fn reset_leaf(&mut self) {
        self.leaf = None;
    }

    /// Moves the leaf to an entry, or before everything, and appends there what a branch that is left amounts to.
    /// `details` is JSON.
    ///
    /// # Errors
    /// As [`SessionManager::append_message`], and when no entry has that id. Then the leaf stays where it was.
    pub fn branch_with_summary(
        &mut self,
        from: Option<&str>,
        summary: &str,
        details: Option<&str>,
        from_hook: Option<bool>,
        usage: Option<&UsageReport>,
    ) -> Result<EntryId, Error> {
        let left = self.leaf;
        let from_id = match left {
            Some(leaf) => self.session.entry_id(leaf).to_json(),
            None => "\"root\"".into(),
        };
        let usage = usage.map(|usage| self.compact(&usage.to_json())).transpose()?;
        let details = details.map(|details| self.compact(details)).transpose()?;
        match from {
            Some(from) => self.branch(from)?,
            None => self.reset_leaf(),
        }
        let appended = self.append(&|place| {
            place
                .entry("branch_summary")
                .with("fromId", from_id.as_str())
                .with_text("summary", summary)
                .with_some("details", details.as_deref())
                .with_some("usage", usage.as_deref())
                .with_some_flag("fromHook", from_hook)
        });
        if appended.is_err() {
            self.leaf = left;
        }
        appended
    }

    /// Goes on with a new session that holds the branch down to an entry, its labels behind it, and returns its file;
    /// none for a session in memory. It is written at once where somebody has said something on the branch.
    ///
    /// # Errors
    /// When no entry has that id, and what the disk reports. Then everything stays as it was.
    pub fn create_branched_session(&mut self, leaf_id: &str) -> Result<Option<PathBuf>, Error> {
        let failed = |cause| Error::new("cannot extract a branch of", self.session.path(), cause);
        let found = self.session.find_text(leaf_id);
        let leaf = found.ok_or_else(|| failed(Cause::Other(format!("there is no entry {leaf_id}"))))?;
        let migrated = migrate::as_version_3(&self.session).map_err(failed)?;
        let source = migrated.as_ref().unwrap_or(&self.session);
        let parent_session = self.get_session_file().map(|path| path.to_string_lossy().into_owned());
        let (name, mut text) = new_header(&self.cwd, &NewSession { id: None, parent_session })?;
        text.extend(lines(branch_lines(source, Some(leaf))?));
        if self.home == Home::Memory {
            self.show(Session::from_bytes(IN_MEMORY, text)?, Home::Memory);
            return Ok(None);
        }
        let path = self.session_dir.join(name);
        let mut made = self.like(Session::from_bytes(path.clone(), text)?, Home::Later);
        if has_conversation(&made.session) {
            made.write_all()?;
        }
        *self = made;
        Ok(Some(path))
    }

    /// Rewrites a file of version 1 or 2 as version 3, as pi does at every opening, and returns where the original is
    /// kept. The leaf stays on its entry.
    ///
    /// # Errors
    /// As [`Editor::migrate`].
    pub fn migrate(&mut self) -> Result<PathBuf, Error> {
        let backup = Editor::new(&self.environment).migrate(&self.session)?;
        // Entries keep their places.
        self.session = Session::open(self.session.path())?;
        Ok(backup)
    }
}
