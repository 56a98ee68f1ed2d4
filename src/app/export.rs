use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::find::Find;
use super::overlay::choice;
use super::{App, Effect, Job, Notice, Overlay};
use crate::error::Error;
use crate::export::{Existing, Format, Redactor, Secret, file_name};
use crate::present::{Row, Tone, age, sanitize, wrap};
use crate::session::{EntryIx, Session};

/// Columns of the names of what is said about an export.
const NAME_COLUMNS: usize = 10;

/// What of a session is exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportPart {
    /// What was said on the branch.
    Branch,
    /// What the model is sent at its end.
    Context,
}

/// What becomes of secrets in an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Secrets {
    /// They stay.
    Shown,
    /// They are masked, and counted.
    Masked,
}

/// An export that was asked for.
#[derive(Clone, Debug)]
pub struct WantedExport {
    /// The session.
    pub session: Arc<Session>,
    /// The end of the branch.
    pub leaf: EntryIx,
    /// The form of the document.
    pub format: Format,
    /// What of the session.
    pub part: ExportPart,
    /// What becomes of secrets.
    pub secrets: Secrets,
    /// Where to, as it was typed: below the folder in which the program was started, or absolute.
    pub path: String,
    /// What becomes of a file that is there.
    pub existing: Existing,
}

/// What an export came to.
#[derive(Debug)]
pub enum Exported {
    /// The document is written.
    Done {
        /// Where.
        path: PathBuf,
        /// Its size in bytes.
        size: u64,
        /// What was masked, by kind; `None` where nothing was to be.
        masked: Option<Vec<(Secret, usize)>>,
    },
    /// A file is there already, and stays unless the person says otherwise.
    Occupied(Box<WantedExport>),
    /// Nothing was written.
    Failed(Error),
}

/// The question before an export.
#[derive(Clone, Debug)]
pub struct ExportDialog {
    /// What is done if nothing else is chosen.
    pub wanted: WantedExport,
    /// Another path while it is typed.
    pub typing: Option<Find>,
    /// Whether the path is the one that was proposed.
    is_proposed: bool,
}

impl ExportDialog {
    fn new(session: Arc<Session>, leaf: EntryIx) -> Self {
        let format = Format::Markdown;
        let path = proposal(&session, format, Secrets::Shown);
        let wanted = WantedExport {
            session,
            leaf,
            format,
            part: ExportPart::Branch,
            secrets: Secrets::Shown,
            path,
            existing: Existing::Kept,
        };
        Self { wanted, typing: None, is_proposed: true }
    }

    /// Another form, and the name of the file with it.
    fn turn_format(&mut self) {
        let at = Format::ALL.iter().position(|&format| format == self.wanted.format).unwrap_or(0);
        let format = Format::ALL[(at + 1) % Format::ALL.len()];
        let path = Path::new(&self.wanted.path);
        if self.is_proposed {
            self.go_to(proposal(&self.wanted.session, format, self.wanted.secrets));
        } else if Format::of_path(path) == Some(self.wanted.format) {
            self.go_to(path.with_extension(format.extension()).to_string_lossy().into_owned());
        }
        self.wanted.format = format;
    }

    /// Masks secrets or shows them, also in the name of the file.
    fn turn_secrets(&mut self) {
        self.wanted.secrets = match self.wanted.secrets {
            Secrets::Shown => Secrets::Masked,
            Secrets::Masked => Secrets::Shown,
        };
        if self.is_proposed {
            self.go_to(proposal(&self.wanted.session, self.wanted.format, self.wanted.secrets));
        }
    }

    /// The path that was typed, and the form that its end names.
    fn take_path(&mut self) {
        let Some(typed) = self.typing.take() else { return };
        let path = typed.text().trim().to_owned();
        if path.is_empty() || path == self.wanted.path {
            return;
        }
        self.is_proposed = false;
        self.wanted.format = Format::of_path(Path::new(&path)).unwrap_or(self.wanted.format);
        self.go_to(path);
    }

    /// Goes somewhere else, where nothing is known to stand.
    fn go_to(&mut self, path: String) {
        self.wanted.path = path;
        self.wanted.existing = Existing::Kept;
    }
}

/// A name for the file. Where secrets are masked it holds none either.
fn proposal(session: &Session, format: Format, secrets: Secrets) -> String {
    let prompt = || session.indexes().find(|&entry| session.is_prompt(entry));
    let gist = || prompt().map(|entry| session.entry(entry).gist.to_string());
    let title = session.name().map(str::to_owned).or_else(gist).unwrap_or_default();
    match secrets {
        Secrets::Shown => file_name(&title, session.id(), format),
        Secrets::Masked => file_name(&Redactor::default().mask(&title), session.id(), format),
    }
}

impl App {
    /// Asks how to export the branch through the cursor.
    pub(super) fn offer_export(&mut self) {
        let Some((session, entry)) = self.edited_entry() else {
            self.notice = Some(Notice::failed("no session is shown"));
            return;
        };
        let leaf = session.leaf_through(entry);
        self.overlay = Some(Overlay::Export(Box::new(ExportDialog::new(session, leaf))));
    }

    fn export_dialog(&mut self) -> Option<&mut ExportDialog> {
        match &mut self.overlay {
            Some(Overlay::Export(dialog)) => Some(dialog),
            _ => None,
        }
    }

    pub(super) fn turn_export_format(&mut self) {
        if let Some(dialog) = self.export_dialog() {
            dialog.turn_format();
        }
    }

    pub(super) fn turn_export_part(&mut self) {
        if let Some(dialog) = self.export_dialog() {
            dialog.wanted.part = match dialog.wanted.part {
                ExportPart::Branch => ExportPart::Context,
                ExportPart::Context => ExportPart::Branch,
            };
        }
    }

    pub(super) fn turn_secrets(&mut self) {
        if let Some(dialog) = self.export_dialog() {
            dialog.turn_secrets();
        }
    }

    /// Begins to type another path.
    pub(super) fn type_export_path(&mut self) {
        if let Some(dialog) = self.export_dialog() {
            dialog.typing = Some(Find::prefilled(&dialog.wanted.path));
        }
    }

    /// Takes the path that was typed, or goes back to the one before.
    pub(super) fn take_export_path(&mut self) {
        if let Some(dialog) = self.export_dialog() {
            dialog.take_path();
        }
    }

    /// Writes the document.
    pub(super) fn export(&mut self, effects: &mut Vec<Effect>) {
        if let Some(Overlay::Export(dialog)) = self.overlay.take() {
            self.notice = Some(Notice::done(format!("exporting to {}", dialog.wanted.path)));
            self.run(Job::Export(Box::new(dialog.wanted)), effects);
        }
    }

    /// Tells what an export came to, or asks again where a file is in the way.
    pub(super) fn exported(&mut self, exported: Exported) {
        match exported {
            Exported::Done { path, size, masked } => {
                let path = path.to_string_lossy();
                let mut words = format!("exported to {}, {}", self.shorten(&path), age::bytes(size));
                if let Some(masked) = masked {
                    let each = masked.iter().map(|(kind, count)| age::counted(*count, kind));
                    let list = each.collect::<Vec<_>>().join(", ");
                    let list = if list.is_empty() { "nothing that looks like a secret" } else { &list };
                    words.push_str(&format!("; masked: {list}"));
                }
                self.notice = Some(Notice::done(words));
            }
            Exported::Occupied(wanted) => {
                let words = format!("{} is there already", wanted.path);
                self.notice = Some(Notice::failed(words));
                // Somebody who does something else by now is not asked.
                if self.overlay.is_none() {
                    let wanted = WantedExport { existing: Existing::Replaced, ..*wanted };
                    let dialog = ExportDialog { wanted, typing: None, is_proposed: false };
                    self.overlay = Some(Overlay::Export(Box::new(dialog)));
                }
            }
            Exported::Failed(error) => self.notice = Some(Notice::failed(error.to_string())),
        }
    }

    /// The rows of the question.
    pub(super) fn export_rows(&self, dialog: &ExportDialog, columns: usize) -> Vec<Row> {
        let wanted = &dialog.wanted;
        let mut rows = Vec::new();
        let mut say = |name: &str, row: Row| {
            let named = Row::new().text(format!(" {name:<NAME_COLUMNS$}"), Tone::Dim).then(row);
            rows.extend(wrap(&named, columns, NAME_COLUMNS + 1));
        };
        let formats = Format::ALL.map(|format| (format.words(), format == wanted.format));
        say("format", choice(formats));
        let is_branch = wanted.part == ExportPart::Branch;
        let entries = wanted.session.path_to(Some(wanted.leaf)).len();
        let part = choice([("the branch", is_branch), ("what the model is sent at its end", !is_branch)]);
        say("of", part.text(format!("  {}", age::counted_as(entries, "entry", "entries")), Tone::Faint));
        let is_shown = wanted.secrets == Secrets::Shown;
        say("secrets", choice([("as they are", is_shown), ("masked", !is_shown)]));
        say("file", Row::new().bold(sanitize::line(&self.shorten(&wanted.path)), Tone::Text));
        if wanted.existing == Existing::Replaced {
            say("", Row::new().text("⚠ it is there already: enter writes over it", Tone::Warn));
        }
        rows
    }
}
