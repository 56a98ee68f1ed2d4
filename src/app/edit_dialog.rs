use std::path::PathBuf;
use std::sync::Arc;

use super::find::Find;
use super::{Action, App, Clip, Edit, Effect, Item, Job, Migration, Notice, Overlay, Pane, Take};
use crate::edit::fold_name;
use crate::format::js;
use crate::present::{Row, Tone, age, sanitize, wrap};
use crate::session::{EntryIx, Session};
use crate::store::SessionSummary;

/// Sessions whose names a question lists.
const NAMED: usize = 8;

/// A question before something is changed on the disk, or after a fork.
#[derive(Clone, Debug)]
pub enum EditDialog {
    /// The label of an entry.
    Label {
        /// The session.
        session: Arc<Session>,
        /// The entry.
        entry: EntryIx,
        /// The label as it is being typed.
        line: Find,
    },
    /// Whether a version 1 file may be migrated for the sake of a label.
    Migrate {
        /// The session.
        session: Arc<Session>,
        /// The entry.
        entry: EntryIx,
        /// The label.
        text: String,
    },
    /// The name of a session.
    Rename {
        /// Its row.
        summary: Arc<SessionSummary>,
        /// The name as it is being typed.
        line: Find,
    },
    /// Whether sessions are deleted.
    Delete {
        /// Their rows.
        sessions: Vec<Arc<SessionSummary>>,
        /// Forks of theirs that stay.
        forks: usize,
    },
    /// What to do with the prompt before which a session was forked.
    Prompt {
        /// The text of the prompt.
        text: String,
    },
}

impl EditDialog {
    /// What is being typed, and what stands in front of it.
    pub fn typing(&self) -> Option<(&'static str, &Find)> {
        match self {
            Self::Label { line, .. } => Some(("label: ", line)),
            Self::Rename { line, .. } => Some(("name: ", line)),
            Self::Migrate { .. } | Self::Delete { .. } | Self::Prompt { .. } => None,
        }
    }

    pub(super) fn typing_mut(&mut self) -> Option<&mut Find> {
        match self {
            Self::Label { line, .. } | Self::Rename { line, .. } => Some(line),
            Self::Migrate { .. } | Self::Delete { .. } | Self::Prompt { .. } => None,
        }
    }

    /// What it is about.
    pub(super) fn title(&self) -> &'static str {
        match self {
            Self::Label { .. } => "Label",
            Self::Migrate { .. } => "Migrate and label",
            Self::Rename { .. } => "Rename",
            Self::Delete { .. } => "Move to the trash",
            Self::Prompt { .. } => "Forked before this prompt",
        }
    }
}

impl App {
    /// Begins what changes something on the disk: asks first, or does what needs no question.
    pub(super) fn begin_edit(&mut self, action: Action, effects: &mut Vec<Effect>) {
        self.run(Job::LookForWriters, effects);
        match action {
            Action::EditLabel => self.ask_label(),
            Action::Rename => self.ask_name(),
            Action::Fork => self.fork_here(effects),
            Action::Clone => self.clone_here(effects),
            Action::Delete => self.ask_delete(),
            Action::Undelete => self.undelete(effects),
            _ => {}
        }
    }

    /// Asks for the label of the entry under the cursor.
    fn ask_label(&mut self) {
        let Some((session, entry)) = self.edited_entry() else { return };
        let old = session.label_of(entry).map(|label| label.text.to_string()).unwrap_or_default();
        self.ask(EditDialog::Label { session, entry, line: Find::prefilled(&old) });
    }

    /// Asks for the name of the session under the cursor.
    fn ask_name(&mut self) {
        let Some(summary) = self.sessions.selected_session().cloned() else { return };
        let old = summary.name.as_deref().unwrap_or_default().to_owned();
        self.ask(EditDialog::Rename { summary, line: Find::prefilled(&old) });
    }

    /// Asks whether the marked sessions, or else the one under the cursor, are to be deleted.
    fn ask_delete(&mut self) {
        let mut marked: Vec<_> =
            self.sessions.found().filter(|row| self.marks.has_session(&row.path)).cloned().collect();
        // They were found in no particular order.
        marked.sort_by(|one, other| one.path.cmp(&other.path));
        let under_cursor = self.sessions.selected_session().cloned();
        let sessions = if marked.is_empty() { under_cursor.into_iter().collect() } else { marked };
        if sessions.is_empty() {
            return;
        }
        let goes = |row: &SessionSummary| sessions.iter().any(|session| session.canonical == row.canonical);
        let left_one = |row: &SessionSummary| {
            sessions.iter().any(|session| row.parent.as_ref() == Some(&session.canonical))
        };
        let forks = self.sessions.found().filter(|row| left_one(row) && !goes(row)).count();
        self.ask(EditDialog::Delete { sessions, forks });
    }

    /// Offers the prompt before which a session was forked.
    pub(super) fn offer_prompt(&mut self, text: String) {
        self.ask(EditDialog::Prompt { text });
    }

    fn ask(&mut self, dialog: EditDialog) {
        self.overlay = Some(Overlay::Edit(Box::new(dialog)));
    }

    /// Splits a session off at the entry under the cursor.
    fn fork_here(&mut self, effects: &mut Vec<Effect>) {
        if let Some((session, entry)) = self.edited_entry() {
            self.edit(Edit::Fork { session, entry }, effects);
        }
    }

    /// Writes the branch through the cursor as a session of its own.
    fn clone_here(&mut self, effects: &mut Vec<Effect>) {
        if let Some((session, entry)) = self.edited_entry() {
            let leaf = session.leaf_through(entry);
            self.edit(Edit::Clone { session, leaf }, effects);
        }
    }

    /// The entry under the cursor of the tree or the messages.
    pub(super) fn edited_entry(&self) -> Option<(Arc<Session>, EntryIx)> {
        match self.focus {
            Pane::Messages => self.messages.session().cloned().zip(self.messages.current().map(Item::entry)),
            Pane::Tree | Pane::Sessions => {
                let (doc, entry) = self.tree.cursor_entry()?;
                Some((Arc::clone(&self.tree.docs[doc].session), entry))
            }
        }
    }

    /// Does what the question is about.
    pub(super) fn accept_edit(&mut self, effects: &mut Vec<Effect>) {
        let Some(Overlay::Edit(dialog)) = self.overlay.take() else { return };
        match *dialog {
            EditDialog::Label { session, entry, line } => {
                let text = line.text().to_owned();
                let old = session.label_of(entry).map_or("", |label| &label.text);
                if js::trim(&text) == old {
                    return self.tell_nothing_changed();
                }
                if session.header().version.is_v1() {
                    return self.ask(EditDialog::Migrate { session, entry, text });
                }
                self.edit(Edit::Label { session, entry, text, migration: Migration::Forbidden }, effects);
            }
            EditDialog::Migrate { session, entry, text } => {
                self.edit(Edit::Label { session, entry, text, migration: Migration::Allowed }, effects);
            }
            EditDialog::Rename { summary, line } => {
                let (path, name) = (summary.path.clone(), line.text().to_owned());
                if fold_name(&name) == summary.name.as_deref().unwrap_or_default() {
                    return self.tell_nothing_changed();
                }
                self.edit(Edit::Rename { path, name }, effects);
            }
            EditDialog::Delete { sessions, .. } => {
                let paths: Vec<PathBuf> = sessions.iter().map(|row| row.path.clone()).collect();
                self.marks.clear(Pane::Sessions);
                self.edit(Edit::Delete { store: self.setup.store.clone(), paths }, effects);
            }
            EditDialog::Prompt { text } => {
                effects.push(Effect::Copy(Clip::of(Take::Prompt, 1, text)));
            }
        }
    }

    /// Leaves everything as it is.
    pub(super) fn cancel_edit(&mut self) {
        if let Some(Overlay::Edit(dialog)) = self.overlay.take()
            && !matches!(*dialog, EditDialog::Prompt { .. })
        {
            self.tell_nothing_changed();
        }
    }

    fn tell_nothing_changed(&mut self) {
        self.notice = Some(Notice::done("nothing was changed"));
    }

    /// What the question says.
    pub(super) fn edit_rows(&self, dialog: &EditDialog, columns: usize) -> Vec<Row> {
        let mut rows = Vec::new();
        let mut say = |row: Row| rows.extend(wrap(&row, columns, 0));
        let dim = |words: &str| Row::new().text(words, Tone::Dim);
        match dialog {
            EditDialog::Label { session, entry, .. } => {
                let head = session.entry(*entry);
                let words = if head.gist.is_empty() { head.kind.word() } else { &head.gist };
                say(Row::new().text(sanitize::line(words), Tone::Text).fit(columns));
                say(dim("an empty label clears; the current position of the session stays where it is"));
                let path = session.path();
                if let Some(words) = self.sessions.summary(path).and_then(|row| self.live_words(row)) {
                    say(Row::new().text(words, Tone::Warn));
                }
            }
            EditDialog::Migrate { session, .. } => {
                say(Row::new()
                    .text("A label needs ids that stay, and a file of version 1 has none.", Tone::Text));
                say(dim(
                    "The file is rewritten as pi rewrites it whenever it opens it. The original stays as",
                ));
                let backup = format!("{}.v1-backup", session.path().display());
                say(Row::new().text(sanitize::line(&self.shorten(&backup)), Tone::Text));
            }
            EditDialog::Rename { summary, .. } => {
                say(Row::new().text(sanitize::line(summary.title()), Tone::Text).fit(columns));
                say(dim("an empty name clears; then the first prompt stands in the list"));
                if let Some(words) = self.live_words(summary) {
                    say(Row::new().text(words, Tone::Warn));
                }
            }
            EditDialog::Delete { sessions, forks } => {
                for row in sessions.iter().take(NAMED) {
                    let size = Row::new().text(age::bytes(row.size), Tone::Dim);
                    let title = Row::new().text(sanitize::line(row.title()), Tone::Text);
                    say(Row::between(title, size, columns));
                }
                if sessions.len() > NAMED {
                    say(dim(&format!("and {} more", sessions.len() - NAMED)));
                }
                if let Some(words) = words_of_forks(*forks, sessions) {
                    say(dim(&words));
                }
                for row in sessions {
                    if let Some(words) = self.live_words_of_deletion(row) {
                        say(Row::new().text(words, Tone::Warn));
                    }
                }
            }
            EditDialog::Prompt { text } => {
                for line in sanitize::text(text).lines().take(6) {
                    say(Row::new().text(line, Tone::Text).fit(columns));
                }
                say(dim("enter copies it, to be edited and sent again"));
            }
        }
        rows
    }

    /// What to say before a change to a session that is being written.
    fn live_words(&self, summary: &SessionSummary) -> Option<String> {
        let words = self.liveness(summary).words()?;
        Some(format!("{words}: a running pi sees the change when it next opens the file"))
    }

    /// What to say before a session is deleted that is being written.
    fn live_words_of_deletion(&self, summary: &SessionSummary) -> Option<String> {
        let liveness = self.liveness(summary);
        let words = liveness.words()?;
        let outcome = if liveness.has_pi {
            "so it stays where it is"
        } else {
            "a pi that still has it would leave a broken file in its place"
        };
        Some(format!("{}: {words}, {outcome}", sanitize::line(summary.title())))
    }
}

/// What becomes of forks whose sessions are deleted.
fn words_of_forks(forks: usize, deleted: &[Arc<SessionSummary>]) -> Option<String> {
    let goes = |path: &PathBuf| deleted.iter().any(|row| row.canonical == *path);
    let has_parent = deleted.iter().any(|row| row.parent.as_ref().is_some_and(|parent| !goes(parent)));
    match (forks, has_parent) {
        (0, _) => None,
        (1, false) => Some("1 fork stays and becomes a session of its own".into()),
        (1, true) => Some("1 fork stays and becomes one of the session above".into()),
        (_, false) => Some(format!("{forks} forks stay and become sessions of their own")),
        (_, true) => Some(format!("{forks} forks stay and become those of the session above")),
    }
}
