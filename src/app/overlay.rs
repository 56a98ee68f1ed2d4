use super::scroll::Ends;
use super::{App, HelpRow, Step, help_rows};
use crate::format::Diagnostic;
use crate::present::{Row, Tone, sanitize, wrap};

/// Columns of the keys on the help page.
const KEY_COLUMNS: usize = 24;

/// What lies above the panes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
}

impl Overlay {
    /// What it is about.
    pub fn title(self) -> &'static str {
        match self {
            Self::Help { .. } => "Keys",
            Self::Damage { .. } => "What is wrong with this session",
        }
    }

    /// The first row in view of `rows` in a window of `height` rows.
    pub fn top(self, rows: usize, height: usize) -> usize {
        let (Self::Help { top } | Self::Damage { top }) = self;
        top.min(rows.saturating_sub(height))
    }

    /// Scrolls in `rows` rows through a window of `height` rows.
    pub(crate) fn step(&mut self, step: Step, rows: usize, height: usize) {
        let from = self.top(rows, height);
        let tops = rows.saturating_sub(height) + 1;
        let (Self::Help { top } | Self::Damage { top }) = self;
        *top = step.from(from, tops, height, Ends::Stop);
    }
}

impl App {
    /// The rows of what lies above the panes.
    pub fn overlay_rows(&self, overlay: Overlay, columns: usize) -> Vec<Row> {
        match overlay {
            Overlay::Help { .. } => help_rows().into_iter().map(help_row).collect(),
            Overlay::Damage { .. } => self.damage_rows(columns),
        }
    }

    fn damage_rows(&self, columns: usize) -> Vec<Row> {
        let Some(session) = self.tree.session() else {
            return vec![Row::new().text("no session is shown", Tone::Dim)];
        };
        if session.diagnostics().is_empty() {
            return vec![Row::new().text("nothing: every line was understood", Tone::Good)];
        }
        session.diagnostics().iter().flat_map(|diagnostic| damage_row(diagnostic, columns)).collect()
    }
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
