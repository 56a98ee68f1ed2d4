use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{App, Effect, Job, Notice, SessionKey};
use crate::edit::{Branched, Deletion};
use crate::error::Error;
use crate::present::age;
use crate::session::{EntryIx, Session};
use crate::store::Store;

/// A change on the disk that the person asked for.
#[derive(Clone, Debug)]
pub enum Edit {
    /// Sets or clears the label of an entry.
    Label {
        /// The session.
        session: Arc<Session>,
        /// The entry.
        entry: EntryIx,
        /// The label; a blank one clears.
        text: String,
        /// Whether a version 1 file may be migrated first.
        migration: Migration,
    },
    /// Sets or clears the name of a session.
    Rename {
        /// Its file.
        path: PathBuf,
        /// The name; a blank one clears.
        name: String,
    },
    /// Splits a session off at an entry.
    Fork {
        /// The session.
        session: Arc<Session>,
        /// The entry.
        entry: EntryIx,
    },
    /// Writes a branch as a session of its own.
    Clone {
        /// The session.
        session: Arc<Session>,
        /// The end of the branch.
        leaf: EntryIx,
    },
    /// Moves sessions to the trash.
    Delete {
        /// Where their forks are.
        store: Store,
        /// Their files.
        paths: Vec<PathBuf>,
    },
    /// Brings back what was deleted last.
    Undelete(Arc<Deletion>),
}

/// Whether a file may be rewritten as version 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Migration {
    /// The person has said so.
    Allowed,
    /// Nobody has asked yet.
    Forbidden,
}

/// What an edit came to.
#[derive(Debug)]
pub enum Edited {
    /// A file changed.
    Changed {
        /// The file.
        path: PathBuf,
        /// What to tell.
        words: String,
    },
    /// A new session was made.
    Branched {
        /// The session.
        made: Branched,
        /// What to tell.
        words: String,
    },
    /// Sessions were deleted, or some of them.
    Deleted(Arc<Deletion>),
    /// They are back.
    Undeleted(Arc<Deletion>),
    /// Nothing was done, or not all.
    Failed(Error),
}

/// What edits leave behind for later.
#[derive(Debug, Default)]
pub(super) struct Edits {
    /// What was deleted last.
    deletion: Option<Arc<Deletion>>,
    /// A new session on which the cursor of the list is put once it is listed.
    lands_in_list: Option<PathBuf>,
}

impl Edits {
    /// Whether there is something to bring back.
    pub(super) fn can_undelete(&self) -> bool {
        self.deletion.is_some()
    }
}

impl App {
    pub(super) fn edit(&mut self, edit: Edit, effects: &mut Vec<Effect>) {
        self.run(Job::Edit(Box::new(edit)), effects);
    }

    pub(super) fn edited(&mut self, edited: Edited, effects: &mut Vec<Effect>) {
        match edited {
            Edited::Changed { path, words } => {
                self.notice = Some(Notice::done(words));
                // Without waiting for the list, which may still be scanned.
                if self.tree.path() == Some(&path) {
                    self.live.changes_itself();
                    self.read_again(&path, effects);
                }
                self.changed_here(vec![path], effects);
            }
            Edited::Branched { made, words } => {
                self.notice = Some(Notice::done(words));
                if let Some(prompt) = made.prompt {
                    self.offer_prompt(prompt);
                }
                self.edits.lands_in_list = Some(made.path.clone());
                self.changed_here(vec![made.path], effects);
            }
            Edited::Deleted(deletion) => {
                self.notice = Some(told(&deletion));
                let gone = deletion.deleted.iter().map(|deleted| deleted.path.clone());
                let forks = deletion.reparented.iter().map(|fork| fork.path.clone());
                let changed = gone.chain(forks).collect();
                if !deletion.deleted.is_empty() {
                    self.edits.deletion = Some(deletion);
                }
                self.changed_here(changed, effects);
            }
            Edited::Undeleted(deletion) => {
                self.edits.deletion = None;
                self.notice = Some(Notice::done(format!("brought back {}", sessions(&deletion))));
                let back = deletion.deleted.iter().map(|deleted| deleted.path.clone());
                let forks = deletion.reparented.iter().map(|fork| fork.path.clone());
                let changed = back.chain(forks).collect();
                self.changed_here(changed, effects);
            }
            Edited::Failed(error) => {
                self.notice = Some(Notice::failed(error.to_string()));
                // What stands in the way may be that the file is another one by now.
                self.changed(vec![error.path], effects);
            }
        }
    }

    /// Whether a file was deleted from here.
    pub(super) fn has_deleted(&self, path: &Path) -> bool {
        let deletion = self.edits.deletion.as_deref();
        deletion.is_some_and(|deletion| deletion.deleted.iter().any(|deleted| deleted.path == path))
    }

    /// Brings back what was deleted last.
    pub(super) fn undelete(&mut self, effects: &mut Vec<Effect>) {
        match self.edits.deletion.clone() {
            Some(deletion) => self.edit(Edit::Undelete(deletion), effects),
            None => self.notice = Some(Notice::failed("nothing was deleted since the program was started")),
        }
    }

    /// Puts the cursor of the list on a new session. The tree keeps showing the session it left.
    pub(super) fn land_in_list(&mut self, effects: &mut Vec<Effect>) {
        let Some(path) = self.edits.lands_in_list.clone() else { return };
        if self.sessions.summary(&path).is_none() {
            return;
        }
        self.edits.lands_in_list = None;
        self.sessions.select_session(&path);
        if let Some(session) = self.tree.session().cloned() {
            self.previewed = Some(SessionKey::Session(path.clone()));
            self.lands_on_fork = Some(path);
            self.want_forks(&session, effects);
        }
    }

    /// Puts the cursor of the tree on the row of the fork it is to land on, below the entry that one left.
    pub(super) fn land_in_tree(&mut self, effects: &mut Vec<Effect>) {
        let Some(path) = &self.lands_on_fork else { return };
        if self.tree.select_fork(path) {
            self.lands_on_fork = None;
            self.follow_tree(effects);
        }
    }
}

/// What came of a deletion in one sentence.
fn told(deletion: &Deletion) -> Notice {
    let mut words = match deletion.deleted.len() {
        0 => String::new(),
        _ => format!("moved {} to the trash, u brings back", sessions(deletion)),
    };
    let problems: Vec<String> =
        deletion.failed.iter().chain(&deletion.skipped).map(ToString::to_string).collect();
    if problems.is_empty() {
        return Notice::done(words);
    }
    if !words.is_empty() {
        words.push_str("; ");
    }
    Notice::failed(words + &problems.join("; "))
}

fn sessions(deletion: &Deletion) -> String {
    age::counted(deletion.deleted.len(), "session")
}
