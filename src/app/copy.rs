use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use super::{Action, App, BINDINGS, Binding, Effect, Item, Job, Notice, Overlay, Pane, Scope, Step, View};
use crate::format::{EntryHead, Role};
use crate::present::{Row, Tone, age, sanitize};
use crate::session::{EntryIx, Session};

/// What can be copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Take {
    /// The text of messages as it was written.
    Text,
    /// The code block the reader is at.
    Code,
    /// The command of a tool call.
    Command,
    /// What a tool answered.
    Output,
    /// The prompt that led here.
    Prompt,
    /// All prompts of the branch.
    Prompts,
    /// The whole branch as Markdown.
    Branch,
    /// The context as JSON: the messages as they are sent.
    Context,
    /// The ids of entries.
    EntryId,
    /// The ids of sessions.
    SessionId,
    /// The paths of session files.
    Path,
    /// The working directories of sessions.
    Cwd,
    /// The commands that resume sessions.
    ResumeCommand,
}

impl Take {
    /// Whether it is about sessions, so that several marked ones give several lines; everything else is about
    /// entries of one session.
    pub fn is_of_sessions(self) -> bool {
        matches!(self, Self::SessionId | Self::Path | Self::Cwd | Self::ResumeCommand)
    }

    /// Whether an entry of this kind may hold such a thing.
    fn may_be_in(self, head: &EntryHead) -> bool {
        let role = head.kind.role();
        match self {
            Self::Code => matches!(role, Some(Role::User | Role::Assistant(_))),
            Self::Command => match role {
                Some(Role::Assistant(answer)) => !answer.calls.is_empty(),
                role => matches!(role, Some(Role::ToolResult { .. } | Role::BashExecution { .. })),
            },
            Self::Output => matches!(role, Some(Role::ToolResult { .. } | Role::BashExecution { .. })),
            _ => true,
        }
    }

    /// One of what is taken, in words.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Text => "message",
            Self::Code => "code block",
            Self::Command => "command",
            Self::Output => "output",
            Self::Prompt | Self::Prompts => "prompt",
            Self::Branch => "entry",
            Self::Context => "sent message",
            Self::EntryId => "entry id",
            Self::SessionId => "session id",
            Self::Path => "path",
            Self::Cwd => "folder",
            Self::ResumeCommand => "resume command",
        }
    }
}

/// Where something is taken from.
#[derive(Clone, Debug)]
pub struct TakeFrom {
    /// The session.
    pub session: Arc<Session>,
    /// The entries, in the order of the file.
    pub entries: Vec<EntryIx>,
    /// The end of the branch they lie on.
    pub leaf: Option<EntryIx>,
    /// The leaf for which the context is built.
    pub context: Option<EntryIx>,
    /// What is in view from the reader on, row by row: it tells which of several code blocks is meant.
    pub in_view: Vec<String>,
}

/// A text that is ready for the clipboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clip {
    /// The text.
    pub text: String,
    /// What it is: `3 prompts`.
    pub what: String,
}

impl Clip {
    /// So many of what was taken, below each other.
    pub fn of(take: Take, count: usize, text: String) -> Self {
        let noun = take.noun();
        let what = match noun.strip_suffix('y') {
            Some(stem) if count != 1 => format!("{} {stem}ies", age::count(count)),
            _ => age::counted(count, noun),
        };
        Self { text, what }
    }
}

/// What was marked, to be taken together. Marks are of entries of one session, or of sessions.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    session: Option<Arc<Session>>,
    entries: BTreeSet<EntryIx>,
    sessions: BTreeSet<PathBuf>,
}

impl Marks {
    /// Whether an entry is marked.
    pub fn has_entry(&self, session: &Arc<Session>, entry: EntryIx) -> bool {
        self.is_of(session) && self.entries.contains(&entry)
    }

    /// Whether a session is marked.
    pub fn has_session(&self, path: &std::path::Path) -> bool {
        self.sessions.contains(path)
    }

    /// How many marks there are in a pane.
    pub fn count(&self, pane: Pane) -> usize {
        if pane == Pane::Sessions { self.sessions.len() } else { self.entries.len() }
    }

    fn is_of(&self, session: &Arc<Session>) -> bool {
        self.session.as_ref().is_some_and(|marked| Arc::ptr_eq(marked, session))
    }

    /// Marks an entry, or takes its mark away. A mark in another session is the first of new ones.
    fn toggle_entry(&mut self, session: &Arc<Session>, entry: EntryIx) {
        if !self.is_of(session) {
            self.session = Some(Arc::clone(session));
            self.entries.clear();
        }
        if !self.entries.remove(&entry) {
            self.entries.insert(entry);
        }
    }

    fn toggle_session(&mut self, path: PathBuf) {
        if !self.sessions.remove(&path) {
            self.sessions.insert(path);
        }
    }

    /// Takes all marks of a pane away; says whether there were any.
    pub(super) fn clear(&mut self, pane: Pane) -> bool {
        let had_marks = self.count(pane) > 0;
        if pane == Pane::Sessions {
            self.sessions.clear();
        } else {
            self.entries.clear();
        }
        had_marks
    }
}

/// The menu of what can be copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CopyMenu {
    /// The choice under the cursor.
    pub at: usize,
}

impl CopyMenu {
    /// The choices from top to bottom, each with its key: those of the table of keys.
    pub fn choices() -> impl Iterator<Item = (&'static Binding, Take)> {
        BINDINGS.iter().filter(|binding| binding.scope == Scope::CopyMenu).filter_map(|binding| match binding
            .action
        {
            Action::Take(take) => Some((binding, take)),
            _ => None,
        })
    }

    /// What is under the cursor.
    pub fn chosen(self) -> Option<Take> {
        Self::choices().nth(self.at).map(|(_, take)| take)
    }
}

impl App {
    /// The rows of the copy menu.
    pub(super) fn copy_menu_rows(&self, columns: usize) -> Vec<Row> {
        CopyMenu::choices()
            .map(|(binding, take)| {
                let key = self.setup.keymap.key(Scope::CopyMenu, binding.action);
                let key = key.map_or_else(String::new, |key| key.to_string());
                let row = Row::new()
                    .bold(format!(" {key:<4}"), Tone::Accent)
                    .text(binding.help, if self.can_take(take) { Tone::Text } else { Tone::Faint });
                let row = match self.marks_for(take) {
                    0 => row,
                    count => row.text(format!("  {} marked", age::count(count)), Tone::Label),
                };
                row.fit(columns).pad(columns, Tone::Text)
            })
            .collect()
    }

    /// What the menu is about: the entry or session under the cursor, in words.
    pub(super) fn copy_title(&self) -> String {
        let marked = self.marks.count(self.focus);
        if marked > 0 {
            return format!("Copy · {} marked", age::count(marked));
        }
        match (self.focus, self.cursor_entry()) {
            (Pane::Sessions, _) => match self.sessions.selected_session() {
                Some(summary) => format!("Copy · {}", sanitize::line(summary.title())),
                None => "Copy".into(),
            },
            (_, Some((session, entry))) => {
                let words = session.entry_text(entry, None, self.setup.home.as_deref()).in_words().joined();
                format!("Copy · {}", sanitize::line(&words))
            }
            (_, None) => "Copy".into(),
        }
    }

    fn can_take(&self, take: Take) -> bool {
        if take.is_of_sessions() {
            return !self.taken_sessions().is_empty();
        }
        let gives =
            |from: TakeFrom| from.entries.iter().any(|&entry| take.may_be_in(&from.session.entry(entry)));
        self.take_from().is_some_and(gives)
    }

    fn marks_for(&self, take: Take) -> usize {
        match (take, self.focus) {
            (Take::Prompts | Take::Branch | Take::Context, _) => 0,
            (_, Pane::Sessions) if take.is_of_sessions() => self.marks.count(Pane::Sessions),
            (_, Pane::Tree | Pane::Messages) if !take.is_of_sessions() => self.marks.count(self.focus),
            _ => 0,
        }
    }

    /// The entry under the cursor of the focused pane, with its session; in Sessions where the shown branch ends.
    pub(super) fn cursor_entry(&self) -> Option<(Arc<Session>, EntryIx)> {
        match self.focus {
            Pane::Messages => self.messages.session().cloned().zip(self.messages.current().map(Item::entry)),
            Pane::Tree => {
                let (doc, entry) = self.tree.cursor_entry()?;
                Some((Arc::clone(&self.tree.docs[doc].session), entry))
            }
            Pane::Sessions => {
                let summary = self.sessions.selected_session()?;
                let session = self.messages.session()?;
                (session.path() == summary.path).then_some(())?;
                Some((Arc::clone(session), self.messages.leaf()?))
            }
        }
    }

    /// Where something about entries is taken from: the marked ones, or the one under the cursor.
    pub(super) fn take_from(&self) -> Option<TakeFrom> {
        let (session, entry) = self.cursor_entry()?;
        let has_marks = self.focus != Pane::Sessions && self.marks.count(self.focus) > 0;
        let marked = self.marks.session.clone().filter(|_| has_marks);
        let (session, entries) = match marked {
            Some(marked) => (marked, self.marks.entries.iter().copied().collect()),
            None => (session, vec![entry]),
        };
        let is_shown = self.messages.session().is_some_and(|shown| Arc::ptr_eq(shown, &session));
        let leaf = match self.messages.leaf().filter(|_| is_shown) {
            Some(leaf) => leaf,
            None => session.leaf_through(entries.first().copied().unwrap_or(entry)),
        };
        let context = match self.messages.view {
            View::Sent if is_shown => self.messages.context_leaf(),
            _ => Some(leaf),
        };
        let in_view = if self.focus == Pane::Messages { self.rows_in_view() } else { Vec::new() };
        Some(TakeFrom { session, entries, leaf: Some(leaf), context, in_view })
    }

    /// The rows of the block the reader is at, from the reader on.
    fn rows_in_view(&self) -> Vec<String> {
        let width = self.regions().rows(Pane::Messages).width;
        let block = self.messages.current().and_then(|item| self.messages.block(item, width));
        let rows = block.map_or(&[][..], |block| &block.rows);
        rows.iter().skip(self.messages.anchor().row).map(|row| row.plain().trim().to_owned()).collect()
    }

    /// The files of the sessions that something is taken of: the marked ones, the one under the cursor, or the one
    /// that is shown.
    pub(super) fn taken_sessions(&self) -> Vec<PathBuf> {
        if self.focus == Pane::Sessions {
            if self.marks.count(Pane::Sessions) > 0 {
                return self.marks.sessions.iter().cloned().collect();
            }
            return self.sessions.selected_session().map(|row| row.path.clone()).into_iter().collect();
        }
        self.cursor_entry().map(|(session, _)| session.path().to_owned()).into_iter().collect()
    }

    /// Has something read that is to be copied, and closes the menu.
    pub(super) fn take(&mut self, take: Take, effects: &mut Vec<Effect>) {
        self.overlay = None;
        if take.is_of_sessions() {
            let paths = self.taken_sessions();
            if !paths.is_empty() {
                let store = self.setup.store.clone();
                self.run(Job::TakeSessions { take, paths, store }, effects);
                return;
            }
        } else if let Some(from) = self.take_from() {
            self.run(Job::TakeEntries { take, from: Box::new(from) }, effects);
            return;
        }
        self.notice = Some(Notice::failed(format!("no {} here", take.noun())));
    }

    /// Copies the text under the finder's cursor.
    pub(super) fn copy_found(&mut self, effects: &mut Vec<Effect>) {
        let Some(Overlay::Finder(finder)) = &self.overlay else { return };
        let Some(found) = finder.selected() else { return };
        let (path, entry) = (found.summary.path.clone(), found.entry.clone());
        self.run(Job::TakeFound { path, entry }, effects);
    }

    /// Marks what is under the cursor, or takes its mark away, and goes on to what can be marked next.
    pub(super) fn mark_and_go_on(&mut self, effects: &mut Vec<Effect>) {
        self.toggle_mark();
        if self.focus != Pane::Messages {
            self.step(Step::Down, effects);
        } else if self.messages.jump(true, |_, _| true) {
            self.follow_messages();
        }
    }

    fn toggle_mark(&mut self) {
        if self.focus == Pane::Sessions {
            if let Some(summary) = self.sessions.selected_session() {
                self.marks.toggle_session(summary.path.clone());
            }
        } else if let Some((session, entry)) = self.cursor_entry() {
            self.marks.toggle_entry(&session, entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_has_a_key_of_its_own() {
        let keys: BTreeSet<&str> =
            CopyMenu::choices().flat_map(|(binding, _)| binding.keys.iter().copied()).collect();
        assert_eq!(CopyMenu::choices().count(), 13);
        assert_eq!(keys.len(), CopyMenu::choices().flat_map(|(binding, _)| binding.keys).count());
    }

    #[test]
    fn a_clip_says_what_it_is() {
        let what = |take, count| Clip::of(take, count, String::new()).what;
        assert_eq!(what(Take::Prompts, 3), "3 prompts");
        assert_eq!(what(Take::Branch, 2140), "2,140 entries");
        assert_eq!(what(Take::Branch, 1), "1 entry");
    }
}
