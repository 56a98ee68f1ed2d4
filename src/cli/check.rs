//! `piscope check`: a report of damage.

use std::path::PathBuf;

use serde::Serialize;

use super::json::JsonDiagnostic;
use super::{Failure, Output, Site};
use crate::format::{Diagnostic, Problem};
use crate::present::{age, sanitize};
use crate::session::Session;

/// The arguments of `piscope check`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Session files, and folders of them.
    #[arg(value_name = "FILE or DIR")]
    targets: Vec<PathBuf>,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, site: &Site<'_>, output: &mut Output<'_>) -> Result<(), Failure> {
    let mut files = Vec::new();
    for path in &args.targets {
        let diagnostics = match Session::open(path) {
            Ok(session) => session.diagnostics().to_vec(),
            Err(error) if error.is_not_a_session() => {
                vec![Diagnostic::new(0, Problem::NoHeader, error.cause.to_string())]
            }
            Err(error) => return Err(error.into()),
        };
        files.push((path.clone(), diagnostics));
    }
    let damaged = files.iter().filter(|(_, diagnostics)| !diagnostics.is_empty()).count();
    if args.json {
        output.json(&Document::of(&files))?;
    } else {
        for (path, diagnostics) in &files {
            for diagnostic in diagnostics {
                let line = format!("{}: {diagnostic}", path.display());
                output.line(&sanitize::line(&line))?;
            }
        }
        let checked = age::counted(files.len(), "file");
        output.line(&format!("{checked} checked, {} with findings", age::count(damaged)))?;
    }
    output.flush()?;
    if damaged > 0 { Err(Failure::DamageFound) } else { Ok(()) }
}

#[derive(Serialize)]
struct Document {
    files: Vec<JsonFile>,
}

#[derive(Serialize)]
struct JsonFile {
    path: String,
    diagnostics: Vec<JsonDiagnostic>,
}

impl Document {
    fn of(files: &[(PathBuf, Vec<Diagnostic>)]) -> Self {
        let files = files
            .iter()
            .map(|(path, diagnostics)| JsonFile {
                path: path.to_string_lossy().into_owned(),
                diagnostics: diagnostics.iter().map(JsonDiagnostic::from).collect(),
            })
            .collect();
        Self { files }
    }
}
