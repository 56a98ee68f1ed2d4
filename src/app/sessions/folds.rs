use super::{SessionKey, SessionRow, SessionsPane};

impl SessionsPane {
    /// The working directories of the projects that are folded.
    pub(crate) fn closed_projects(&self) -> impl Iterator<Item = &str> {
        self.closed.iter().filter_map(|key| match key {
            SessionKey::Project(cwd) => Some(&**cwd),
            _ => None,
        })
    }

    /// Folds a project, there already or not.
    pub(crate) fn close_project(&mut self, project: SessionKey) {
        self.closed.insert(project);
    }

    /// Folds the project under the cursor, or goes to the session's parent or its project.
    pub(crate) fn fold(&mut self, height: usize) {
        let Some(row) = self.selected() else { return };
        match &self.rows[row] {
            SessionRow::Project { .. } | SessionRow::Unlisted { .. } => {
                if let Some(key) = self.key(&self.rows[row]) {
                    self.closed.insert(key);
                    self.rebuild();
                }
            }
            SessionRow::Session { prefix, .. } => {
                let depth = prefix.chars().count();
                let is_above = |row: &SessionRow| match row {
                    SessionRow::Session { prefix, .. } => prefix.chars().count() < depth,
                    SessionRow::Gap => false,
                    _ => true,
                };
                if let Some(above) = self.rows[..row].iter().rposition(is_above) {
                    self.select_row(above, height);
                }
            }
            _ => {
                if let Some(above) =
                    self.rows.iter().position(|row| matches!(row, SessionRow::Unlisted { .. }))
                {
                    self.select_row(above, height);
                }
            }
        }
        self.see_cursor();
        self.top = self.top(height);
    }

    /// Unfolds what is under the cursor; says whether there was something to unfold.
    pub(crate) fn unfold(&mut self) -> bool {
        let was_closed = self.cursor.as_ref().is_some_and(|key| self.closed.remove(key));
        if was_closed {
            self.rebuild();
        }
        was_closed
    }

    /// Folds or unfolds the heading under the cursor; says whether there is one.
    pub(crate) fn toggle_heading(&mut self, height: usize) -> bool {
        let is_heading = self.selected().is_some_and(|row| {
            matches!(self.rows[row], SessionRow::Project { .. } | SessionRow::Unlisted { .. })
        });
        if is_heading && !self.unfold() {
            self.fold(height);
        }
        is_heading
    }
}
