use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::scroll::{Ends, keep_in_view};
use super::{App, Clip, Effect, Job, Notice, Overlay, Pane, Regions, Step};
use crate::error::Error;
use crate::present::details::Detail;
use crate::present::{Row, Tone, sanitize, width, wrap};
use crate::session::EntryIx;
use crate::store::SessionSummary;

/// Columns of the longest name beside which values begin in one column.
const NAME_COLUMNS: usize = 28;

/// Everything there is to say of a session.
#[derive(Clone, Debug)]
pub struct DetailsView {
    path: PathBuf,
    title: String,
    /// None until they are there.
    list: Option<Vec<Detail>>,
    /// The line under the cursor.
    at: usize,
    top: usize,
}

/// The session whose details are told, and what the list knows of it.
#[derive(Clone, Debug)]
pub struct Detailed {
    /// Its file.
    pub path: PathBuf,
    /// The entry at which its context ends, where that is not its own end.
    pub leaf: Option<EntryIx>,
    /// Its row.
    pub summary: Option<Arc<SessionSummary>>,
    /// The row of the session it was split off.
    pub parent: Option<Arc<SessionSummary>>,
    /// The rows of what was split off it.
    pub forks: Vec<Arc<SessionSummary>>,
    /// The model's window, where it is known.
    pub window: Option<f64>,
}

impl DetailsView {
    /// What it is about.
    pub(super) fn title(&self) -> String {
        let end = if self.list.is_none() { " · reading…" } else { "" };
        format!("Details · {}{end}", self.title)
    }

    fn lines(&self) -> &[Detail] {
        self.list.as_deref().unwrap_or_default()
    }

    /// The place of the cursor among the lines that have a value.
    fn field(&self) -> usize {
        self.lines().iter().take(self.at).filter(|line| is_field(line)).count()
    }

    pub(super) fn step(&mut self, step: Step, columns: usize, height: usize) {
        let fields = self.lines().iter().filter(|line| is_field(line)).count();
        self.select_field(step.from(self.field(), fields, height, Ends::Stop));
        self.top = self.place(columns, height).1;
    }

    fn select_field(&mut self, field: usize) {
        let mut fields = self.lines().iter().enumerate().filter(|(_, line)| is_field(line));
        if let Some((at, _)) = fields.nth(field) {
            self.at = at;
        }
    }

    /// Puts the cursor on the line that a row belongs to.
    pub(super) fn select(&mut self, row: usize, columns: usize) {
        if let Some((Some(at), _)) = self.rows(columns).into_iter().nth(row) {
            self.at = at;
        }
    }

    /// The row under the cursor, and the first one in view.
    pub(super) fn place(&self, columns: usize, height: usize) -> (usize, usize) {
        let rows = self.rows(columns);
        let selected = rows.iter().position(|(line, _)| *line == Some(self.at)).unwrap_or(0);
        // What stands above the first line is in view with it.
        let selected_for_view = if self.field() == 0 { 0 } else { selected };
        (selected, keep_in_view(self.top, selected_for_view, rows.len(), height))
    }

    /// All rows, each with the line it belongs to where that has a value.
    pub(super) fn rows(&self, columns: usize) -> Vec<(Option<usize>, Row)> {
        let names = self.lines().iter().filter_map(|line| match line {
            Detail::Field { name, .. } => Some(width::of(&sanitize::line(name)) + 2),
            Detail::Heading(_) => None,
        });
        let indent = 1 + names.max().unwrap_or(0).min(NAME_COLUMNS).min(columns / 3);
        let mut rows = Vec::new();
        for (at, line) in self.lines().iter().enumerate() {
            match line {
                Detail::Heading(words) => {
                    rows.push((None, Row::new()));
                    let heading = Row::new().text(" ", Tone::Text).bold(*words, Tone::Strong);
                    rows.push((None, heading.fit(columns)));
                }
                Detail::Field { name, value, tone } => {
                    let is_selected = at == self.at;
                    let name = sanitize::line(name);
                    let mark = if is_selected { "▌" } else { " " };
                    let room = indent.saturating_sub(2);
                    let name = Row::new().text(name, Tone::Dim).fit(room).pad(indent - 1, Tone::Text);
                    let mut before = Row::new().text(mark, Tone::Accent).then(name);
                    let value = sanitize::line(value);
                    let value = if is_selected {
                        Row::new().bold(value, *tone)
                    } else {
                        Row::new().text(value, *tone)
                    };
                    for value in wrap(&value, columns.saturating_sub(indent).max(1), 0) {
                        let blank = Row::new().text(" ".repeat(indent), Tone::Text);
                        let row = std::mem::replace(&mut before, blank).then(value);
                        rows.push((Some(at), row.fit(columns).pad(columns, Tone::Text)));
                    }
                }
            }
        }
        rows
    }
}

fn is_field(line: &Detail) -> bool {
    matches!(line, Detail::Field { .. })
}

impl App {
    /// Shows everything there is to say of the session under the cursor.
    pub(super) fn open_details(&mut self, effects: &mut Vec<Effect>) {
        let path = match self.focus {
            Pane::Sessions => self.sessions.selected_session().map(|summary| summary.path.clone()),
            _ => self.cursor_entry().map(|(session, _)| session.path().to_owned()),
        };
        let Some(path) = path else {
            self.notice = Some(Notice::failed("no session here"));
            return;
        };
        let title = match self.sessions.summary(&path) {
            Some(summary) => summary.title().to_owned(),
            None => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        };
        let view =
            DetailsView { path, title: sanitize::line(&title).into_owned(), list: None, at: 0, top: 0 };
        self.overlay = Some(Overlay::Details(Box::new(view)));
        self.want_details(effects);
    }

    /// Asks for the details that are to be shown.
    pub(super) fn want_details(&mut self, effects: &mut Vec<Effect>) {
        let Some(Overlay::Details(view)) = &self.overlay else { return };
        let path = view.path.clone();
        let summary = self.sessions.summary(&path).cloned();
        let parent =
            summary.as_ref().and_then(|summary| self.sessions.summary(summary.fork_parent()?)).cloned();
        let canonical = summary.as_ref().map_or(&path, |summary| &summary.canonical);
        let forks = self.sessions.forks_of(canonical);
        let known = self.tree.known(&path);
        let is_shown = self.messages.session().is_some_and(|session| session.path() == path);
        let detailed = Detailed {
            leaf: self.messages.leaf().filter(|_| is_shown),
            summary,
            parent,
            forks,
            window: self.setup.context_window,
            path,
        };
        let job = Job::Details { of: Box::new(detailed), known };
        self.tickets.details = self.run(job, effects);
    }

    /// Takes the details of a session, or why there are none.
    pub(super) fn take_details(&mut self, list: Result<Vec<Detail>, Error>) {
        let Some(Overlay::Details(view)) = &mut self.overlay else { return };
        match list {
            Ok(list) => {
                view.list = Some(list);
                view.at = view.at.min(view.lines().len().saturating_sub(1));
                if !view.lines().get(view.at).is_some_and(is_field) {
                    view.select_field(0);
                }
            }
            Err(error) => {
                self.overlay = None;
                self.notice = Some(Notice::failed(error.to_string()));
            }
        }
    }

    /// The session that is shown has come to more.
    pub(super) fn details_are_old(&mut self, path: &Path, effects: &mut Vec<Effect>) {
        if matches!(&self.overlay, Some(Overlay::Details(view)) if view.path == path) {
            self.want_details(effects);
        }
    }

    /// Copies what there is to say on the line under the cursor.
    pub(super) fn copy_detail(&mut self, effects: &mut Vec<Effect>) {
        let Some(Overlay::Details(view)) = &self.overlay else { return };
        let Some(Detail::Field { value, .. }) = view.lines().get(view.at) else { return };
        effects.push(Effect::Copy(Clip { text: value.trim().to_owned(), what: "1 line".into() }));
    }

    /// The cells for the rows of the details, and how many of them are in view.
    pub(super) fn details_room(&self) -> (usize, usize) {
        let body = Regions::overlay(self.size).body;
        (usize::from(body.width), usize::from(body.height))
    }
}
