use ratatui::layout::Position;

use super::scroll::{Ends, keep_in_view};
use super::{
    App, CompareView, CopyMenu, DetailsView, EditDialog, ExportDialog, Finder, HelpRow, OverlayRegion, Pane,
    Regions, ResumeDialog, SearchView, StatsView, Step, TreeContent, help_rows,
};
use crate::format::Diagnostic;
use crate::present::{Row, Tone, sanitize, wrap};

/// Columns of the keys on the help page.
const KEY_COLUMNS: usize = 24;

/// What lies above the panes.
#[derive(Clone, Debug)]
pub enum Overlay {
    /// All keys.
    Help {
        /// The first row in view.
        top: usize,
    },
    /// What is wrong with the session.
    Damage {
        /// The first row in view.
        top: usize,
    },
    /// What can be copied.
    Copy(CopyMenu),
    /// The question before a resume.
    Resume(Box<ResumeDialog>),
    /// Prompts or labels of many sessions.
    Finder(Box<Finder>),
    /// The search through all sessions.
    Search(Box<SearchView>),
    /// What sessions have cost.
    Stats(Box<StatsView>),
    /// Branches beside each other.
    Compare(Box<CompareView>),
    /// Everything there is to say of a session.
    Details(Box<DetailsView>),
    /// The question before an export.
    Export(Box<ExportDialog>),
    /// The question before something is changed on the disk.
    Edit(Box<EditDialog>),
}

/// What lies above the panes as it is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverlayPicture {
    /// Where.
    pub region: OverlayRegion,
    /// What it is about.
    pub title: String,
    /// The rows in view.
    pub rows: Vec<Row>,
    /// The one under the cursor among them.
    pub selected: Option<usize>,
}

/// What there is to choose from; brackets tell what is chosen, also where there are no colours.
pub(super) fn choice<'w>(words: impl IntoIterator<Item = (impl AsRef<str> + 'w, bool)>) -> Row {
    words.into_iter().fold(Row::new(), |row, (words, is_chosen)| {
        let words = sanitize::line(words.as_ref());
        if is_chosen {
            row.bold(format!("[{words}]"), Tone::Accent)
        } else {
            row.text(format!(" {words} "), Tone::Faint)
        }
    })
}

impl App {
    /// What lies above the panes, if something does.
    pub fn overlay_picture(&self) -> Option<OverlayPicture> {
        let page = Regions::overlay(self.size);
        let columns = usize::from(page.body.width);
        let height = usize::from(page.body.height);
        let scrolled = |title: &str, top: usize, rows: Vec<Row>| OverlayPicture {
            region: page,
            title: title.into(),
            rows: rows.into_iter().skip(top).take(height).collect(),
            selected: None,
        };
        Some(match self.overlay.as_ref()? {
            Overlay::Help { top } => {
                let rows = self.page_rows(columns);
                scrolled("Keys", last_top(*top, rows.len(), height), rows)
            }
            Overlay::Damage { top } => {
                let rows = self.page_rows(columns);
                scrolled("What is wrong with this session", last_top(*top, rows.len(), height), rows)
            }
            Overlay::Copy(menu) => self.panel(self.copy_title(), self.copy_menu_rows(columns), Some(menu.at)),
            Overlay::Resume(dialog) => {
                self.panel("Resume in pi".into(), self.resume_rows(dialog, columns), None)
            }
            Overlay::Export(dialog) => self.panel("Export".into(), self.export_rows(dialog, columns), None),
            Overlay::Edit(dialog) => self.panel(dialog.title().into(), self.edit_rows(dialog, columns), None),
            Overlay::Search(view) => self.search_picture(view),
            Overlay::Stats(view) => {
                let (rows, selected) = self.stats_rows(view, page.body.as_size());
                OverlayPicture { region: page, title: view.title(self), rows, selected }
            }
            Overlay::Compare(view) => OverlayPicture {
                region: page,
                title: view.title(),
                rows: self.compare_rows(view, page.body.width, page.body.height),
                selected: None,
            },
            Overlay::Details(view) => {
                let (at, top) = view.place(columns, height);
                let rows =
                    view.rows(columns).into_iter().skip(top).take(height).map(|(_, row)| row).collect();
                OverlayPicture { region: page, title: view.title(), rows, selected: at.checked_sub(top) }
            }
            Overlay::Finder(finder) => {
                let (at, top) = finder.place(height);
                OverlayPicture {
                    region: page,
                    title: finder.title(),
                    rows: self.finder_rows(finder, columns, top, height),
                    selected: at.checked_sub(top),
                }
            }
        })
    }

    /// Rows at the foot of the screen, the panes above them still in view.
    fn panel(&self, title: String, rows: Vec<Row>, selected: Option<usize>) -> OverlayPicture {
        let region = Regions::panel(self.size, rows.len());
        let height = usize::from(region.body.height);
        let top = keep_in_view(0, selected.unwrap_or(0), rows.len(), height);
        let rows = rows.into_iter().skip(top).take(height).collect();
        OverlayPicture { region, title, rows, selected: selected.and_then(|at| at.checked_sub(top)) }
    }

    /// Moves in what lies above the panes.
    pub(super) fn step_overlay(&mut self, step: Step) {
        match self.overlay {
            Some(Overlay::Compare(_)) => return self.step_compare(step),
            Some(Overlay::Stats(_)) => return self.step_stats(step),
            _ => {}
        }
        let page = Regions::overlay(self.size).body;
        let height = usize::from(page.height);
        let rows = self.page_rows(usize::from(page.width)).len();
        let (columns, _) = self.details_room();
        match &mut self.overlay {
            Some(Overlay::Help { top } | Overlay::Damage { top }) => {
                let from = last_top(*top, rows, height);
                *top = step.from(from, rows.saturating_sub(height) + 1, height, Ends::Stop);
            }
            Some(Overlay::Copy(menu)) => {
                menu.at = step.from(menu.at, CopyMenu::choices().count(), height, Ends::Wrap);
            }
            Some(Overlay::Finder(finder)) => finder.step(step, height),
            Some(Overlay::Details(view)) => view.step(step, columns, height),
            Some(Overlay::Search(view)) => {
                view.step(step, usize::from(Regions::searching(self.size).body(Pane::Sessions).height));
            }
            Some(
                Overlay::Resume(_)
                | Overlay::Export(_)
                | Overlay::Edit(_)
                | Overlay::Compare(_)
                | Overlay::Stats(_),
            )
            | None => {}
        }
    }

    /// Puts the cursor of what lies above the panes on a row.
    pub(super) fn click_overlay(&mut self, position: Position) {
        let Some(picture) = self.overlay_picture() else { return };
        let body = picture.region.body;
        if !body.contains(position) || picture.selected.is_none() {
            return;
        }
        let row = usize::from(position.y - body.y);
        if matches!(self.overlay, Some(Overlay::Stats(_))) {
            return self.click_stats(row);
        }
        match &mut self.overlay {
            Some(Overlay::Copy(menu)) if row < CopyMenu::choices().count() => menu.at = row,
            Some(Overlay::Finder(finder)) => {
                let top = finder.place(usize::from(body.height)).1;
                finder.select(top + row);
            }
            Some(Overlay::Details(view)) => {
                let (columns, height) = (usize::from(body.width), usize::from(body.height));
                let top = view.place(columns, height).1;
                view.select(top + row, columns);
            }
            Some(Overlay::Search(view)) => {
                let top = view.place(usize::from(body.height)).1;
                view.select(top + row);
            }
            _ => {}
        }
    }

    /// All rows of a page that is scrolled as a whole.
    fn page_rows(&self, columns: usize) -> Vec<Row> {
        match &self.overlay {
            Some(Overlay::Help { .. }) => {
                help_rows(&self.setup.keymap).into_iter().map(|row| help_row(row).fit(columns)).collect()
            }
            Some(Overlay::Damage { .. }) => self.damage_rows(columns),
            _ => Vec::new(),
        }
    }

    fn damage_rows(&self, columns: usize) -> Vec<Row> {
        let Some(session) = self.tree.session() else {
            let TreeContent::Failed(_, error) = &self.tree.content else {
                return vec![Row::new().text("no session is shown", Tone::Dim)];
            };
            let words = Row::new().text(sanitize::line(&error.to_string()), Tone::Warn);
            return wrap(&words, columns, 2);
        };
        if session.diagnostics().is_empty() {
            return vec![Row::new().text("nothing: every line was understood", Tone::Good)];
        }
        session.diagnostics().iter().flat_map(|diagnostic| damage_row(diagnostic, columns)).collect()
    }
}

/// The first row in view where the end of `rows` rows is not to leave a window of `height` rows half empty.
fn last_top(top: usize, rows: usize, height: usize) -> usize {
    top.min(rows.saturating_sub(height))
}

fn help_row(row: HelpRow) -> Row {
    match row {
        HelpRow::Blank => Row::new(),
        HelpRow::Heading(words) => Row::new().bold(words, Tone::Strong),
        HelpRow::Keys { keys, words } => {
            Row::new().text(format!("{keys:<KEY_COLUMNS$}"), Tone::Accent).text(words, Tone::Text)
        }
    }
}

fn damage_row(diagnostic: &Diagnostic, columns: usize) -> Vec<Row> {
    let line = if diagnostic.line == 0 { "file".to_owned() } else { format!("line {}", diagnostic.line) };
    let row = Row::new()
        .text(format!("{line:<12}"), Tone::Dim)
        .text(format!("{:<18}", diagnostic.problem.word()), Tone::Warn)
        .text(sanitize::line(&diagnostic.message), Tone::Text);
    wrap(&row, columns, 30.min(columns / 2))
}
