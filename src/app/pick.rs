use std::path::PathBuf;

use super::{App, Effect, Notice, Pane};

/// What was picked for the program that asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picked {
    /// The session's file.
    pub path: PathBuf,
    /// The session's id, as far as it is text.
    pub id: String,
    /// The entry under the cursor; where the cursor was on a session, the end of its shown branch.
    pub entry: Option<String>,
    /// The pane it was picked in.
    pub pane: Pane,
}

impl App {
    /// Picks what is under the cursor and ends, in a program started for that.
    pub(super) fn pick(&mut self, effects: &mut Vec<Effect>) {
        let at_cursor = self.cursor_entry();
        let summary = self.sessions.selected_session().filter(|_| self.focus == Pane::Sessions);
        let entry = at_cursor.as_ref().map(|(session, entry)| session.entry_id(*entry).as_str().to_owned());
        let picked = match (summary, &at_cursor) {
            (Some(summary), _) => Some(Picked {
                path: summary.path.clone(),
                id: summary.id.as_ref().map(|id| id.as_str().to_owned()).unwrap_or_default(),
                entry,
                pane: self.focus,
            }),
            (None, Some((session, _))) => Some(Picked {
                path: session.path().to_owned(),
                id: session.id().to_owned(),
                entry,
                pane: self.focus,
            }),
            (None, None) => None,
        };
        match picked {
            Some(picked) => effects.push(Effect::Pick(picked)),
            None => self.notice = Some(Notice::failed("there is no session here to pick")),
        }
    }
}
