use std::path::{Path, PathBuf};

use super::target::session_file;
use super::{Failure, Site};
use crate::edit::Editor;
use crate::session::{EntryIx, Session};

/// What all commands that write have in common.
#[derive(Debug, clap::Args)]
pub(super) struct Writing {
    /// Say what would be done, and do nothing.
    #[arg(long)]
    pub(super) dry_run: bool,

    /// Print one JSON document.
    #[arg(long)]
    pub(super) json: bool,
}

impl Writing {
    pub(super) fn editor(&self, site: &Site<'_>) -> Editor {
        let editor = Editor::new(site.environment);
        if self.dry_run { editor.rehearsing() } else { editor }
    }

    /// What was done in words: `done` or, of a rehearsal, `would`.
    pub(super) fn words<'w>(&self, done: &'w str, would: &'w str) -> &'w str {
        if self.dry_run { would } else { done }
    }
}

/// The session file that is written to, or that is written from.
#[derive(Debug, clap::Args)]
pub(super) struct Subject {
    /// A session file, or the id of a session in the store, or the start of one.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl Subject {
    pub(super) fn open(&self, site: &Site<'_>) -> Result<Session, Failure> {
        Ok(Session::open(session_file(&self.file, site)?)?)
    }
}

/// The entry that somebody names by its id.
pub(super) fn entry(session: &Session, id: &str) -> Result<EntryIx, Failure> {
    session.find_text(id).ok_or_else(|| {
        Failure::NothingFound(format!("no entry of {} has the id {id}", session.path().display()))
    })
}

/// A path as it stands in JSON.
pub(super) fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
