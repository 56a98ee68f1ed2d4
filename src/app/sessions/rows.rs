use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

use super::{ScopeChoice, SessionKey, SessionsPane};
use crate::present::age;
use crate::store::{Family, SessionSummary, Sort, sort_recent};

/// One row of the sessions pane.
#[derive(Clone, Debug, PartialEq)]
pub enum SessionRow {
    /// A blank row between projects.
    Gap,
    /// A working directory.
    Project {
        /// The directory as the sessions' headers give it; empty where they give none.
        cwd: Box<str>,
        /// Its sessions.
        count: usize,
        /// Whether the directory is gone.
        is_gone: bool,
        /// Whether its sessions are hidden.
        is_closed: bool,
    },
    /// A stretch of time in which the sessions below it were active last.
    Period(String),
    /// A session.
    Session {
        /// Its row in the store.
        summary: Arc<SessionSummary>,
        /// What stands in front of a fork's title.
        prefix: String,
        /// Whether the project stands in the row for want of a heading.
        shows_project: bool,
    },
    /// The heading of the files that give no row.
    Unlisted {
        /// How many there are.
        count: usize,
        /// Whether they are hidden.
        is_closed: bool,
    },
    /// A file or folder that gives no row, by its place among the findings.
    Finding(usize),
}

impl SessionRow {
    /// A session that stands below no project.
    fn alone(summary: Arc<SessionSummary>) -> Self {
        Self::Session { summary, prefix: String::new(), shows_project: true }
    }

    /// Whether the cursor goes past it.
    pub(super) fn is_passed(&self) -> bool {
        matches!(self, Self::Gap | Self::Period(_))
    }
}

impl SessionsPane {
    /// Lists the rows anew after something changed.
    pub(crate) fn rebuild(&mut self) {
        let before = self.selected();
        let shown = self.shown();
        self.rows = match (&self.selected, self.order) {
            (None, Sort::Threaded) => self.by_project(&shown),
            (_, Sort::Recent) if self.by_date => self.by_date(shown),
            _ => shown.into_iter().map(SessionRow::alone).collect(),
        };
        self.append_findings();
        self.settle_cursor();
        // The row under the cursor stays where it is on the screen while rows come in above it.
        if let (Some(before), Some(now)) = (before, self.selected()) {
            self.top = (self.top + now).saturating_sub(before);
        }
        self.see_cursor();
    }

    /// The sessions that are shown, the best match or the most recent first.
    fn shown(&self) -> Vec<Arc<SessionSummary>> {
        let admits = |summary: &SessionSummary| {
            (self.scope == ScopeChoice::All || summary.cwd == self.cwd)
                && (!self.named_only || summary.name.is_some())
        };
        let mut found: Vec<&(usize, Arc<SessionSummary>)> =
            self.found.iter().filter(|(_, summary)| admits(summary)).collect();
        found.sort_by_key(|(order, _)| *order);
        sort_recent(&mut found, |(_, summary)| summary);
        let mut shown: Vec<Arc<SessionSummary>> =
            found.into_iter().map(|(_, summary)| Arc::clone(summary)).collect();
        if let Some(selected) = &self.selected {
            let rank: HashMap<&Path, usize> =
                selected.iter().enumerate().map(|(at, path)| (path.as_path(), at)).collect();
            shown.retain(|summary| rank.contains_key(summary.path.as_path()));
            if self.order != Sort::Recent {
                shown.sort_by_key(|summary| rank.get(summary.path.as_path()).copied());
            }
        }
        shown
    }

    /// Projects by newest activity, and below each its fork families.
    fn by_project(&self, shown: &[Arc<SessionSummary>]) -> Vec<SessionRow> {
        let mut order: Vec<&str> = Vec::new();
        let mut projects: BTreeMap<&str, Vec<&Arc<SessionSummary>>> = BTreeMap::new();
        for summary in shown {
            let project = projects.entry(&summary.cwd).or_default();
            if project.is_empty() {
                order.push(&summary.cwd);
            }
            project.push(summary);
        }
        let mut rows = Vec::new();
        for cwd in order {
            let sessions = &projects[cwd];
            if !rows.is_empty() {
                rows.push(SessionRow::Gap);
            }
            let is_closed = self.closed.contains(&SessionKey::Project(cwd.into()));
            rows.push(SessionRow::Project {
                cwd: cwd.into(),
                count: sessions.len(),
                is_gone: sessions.iter().any(|summary| summary.cwd_gone == Some(true)),
                is_closed,
            });
            if !is_closed {
                let family = Family::of(sessions.iter().map(|summary| &***summary));
                rows.extend(family.rows.iter().enumerate().map(|(at, row)| SessionRow::Session {
                    summary: Arc::clone(sessions[row.session]),
                    prefix: family.prefix(at).chars().skip(3).collect(),
                    shows_project: false,
                }));
            }
        }
        rows
    }

    /// Sessions by the time of their last activity.
    fn by_date(&self, shown: Vec<Arc<SessionSummary>>) -> Vec<SessionRow> {
        let mut rows = Vec::with_capacity(shown.len());
        let mut last = None;
        for summary in shown {
            let period = summary.modified.and_then(|then| age::period(self.now, then, &self.zone));
            let period = period.unwrap_or_else(|| "at no known time".into());
            if last.as_ref() != Some(&period) {
                if last.is_some() {
                    rows.push(SessionRow::Gap);
                }
                rows.push(SessionRow::Period(period.clone()));
                last = Some(period);
            }
            rows.push(SessionRow::alone(summary));
        }
        rows
    }

    fn append_findings(&mut self) {
        if self.findings.is_empty() || self.selected.is_some() || self.scope != ScopeChoice::All {
            return;
        }
        if !self.rows.is_empty() {
            self.rows.push(SessionRow::Gap);
        }
        let is_closed = self.closed.contains(&SessionKey::Unlisted);
        self.rows.push(SessionRow::Unlisted { count: self.findings.len(), is_closed });
        if !is_closed {
            self.rows.extend((0..self.findings.len()).map(SessionRow::Finding));
        }
    }
}
