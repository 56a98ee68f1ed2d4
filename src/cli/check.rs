//! `piscope check`: a report of damage.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::Serialize;

use super::json::JsonDiagnostic;
use super::{Failure, Output, Site};
use crate::cancel::Cancel;
use crate::error::Error;
use crate::format::{Diagnostic, Problem};
use crate::present::{age, sanitize};
use crate::session::Session;
use crate::store::{
    Discovery, Family, Finding, FirstMessage, ScanEvent, ScanOptions, Scope, Store, discover, scan, summarize,
};

/// The arguments of `piscope check`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Session files, and folders of them; the store without any.
    #[arg(value_name = "FILE or DIR")]
    targets: Vec<PathBuf>,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// What is wrong with each file, by path; nothing for a sound one.
type Report = BTreeMap<PathBuf, Vec<Diagnostic>>;

pub(super) fn run(args: &Args, site: &Site<'_>, output: &mut Output<'_>) -> Result<(), Failure> {
    let mut report = Report::new();
    if args.targets.is_empty() {
        check_store(&site.store(), site, &mut report);
    }
    for target in &args.targets {
        if target.is_dir() {
            check_store(&Store::at(site.environment.absolute(target)), site, &mut report);
        } else {
            report
                .insert(target.clone(), check_file(target, site).unwrap_or_else(|error| unreadable(&error)));
        }
    }
    let damaged = report.values().filter(|diagnostics| !diagnostics.is_empty()).count();
    if args.json {
        output.json(&Document::of(&report))?;
    } else {
        write_text(&report, damaged, output)?;
    }
    output.flush()?;
    if damaged > 0 { Err(Failure::DamageFound) } else { Ok(()) }
}

/// Checks every file that lies where sessions lie, also those that are not listed as such, and the fork families.
fn check_store(store: &Store, site: &Site<'_>, report: &mut Report) {
    let Discovery { files, findings } = discover(store, &Scope::All);
    let checked: Vec<_> = files
        .par_iter()
        .map(|file| {
            (file.path.clone(), check_file(&file.path, site).unwrap_or_else(|error| unreadable(&error)))
        })
        .collect();
    report.extend(checked);
    let families = family_findings(store, site);
    for finding in findings.into_iter().chain(families) {
        report.entry(finding.path).or_default().push(finding.diagnostic);
    }
}

fn unreadable(error: &Error) -> Vec<Diagnostic> {
    vec![Diagnostic::new(0, Problem::Unreadable, error.cause.to_string())]
}

fn family_findings(store: &Store, site: &Site<'_>) -> Vec<Finding> {
    let mut summaries = Vec::new();
    scan(store, site.environment, &ScanOptions::default(), &Cancel::new(), &mut |event| {
        if let ScanEvent::Batch { rows, .. } = event {
            summaries.extend(rows.into_iter().map(|row| row.summary));
        }
    });
    Family::of(&summaries).findings
}

/// What is wrong with one file. A file that is no session has that one finding, in the words of the list where it is
/// not listed either.
fn check_file(path: &Path, site: &Site<'_>) -> Result<Vec<Diagnostic>, Error> {
    match Session::open(path) {
        Ok(session) => Ok(session.diagnostics().to_vec()),
        Err(error) if error.is_not_a_session() => {
            let listed = summarize(path, site.environment, FirstMessage::Start);
            Ok(vec![match listed {
                Err(finding) => finding.diagnostic,
                Ok(_) => Diagnostic::new(0, Problem::NoHeader, error.cause.to_string()),
            }])
        }
        Err(error) => Err(error),
    }
}

fn write_text(report: &Report, damaged: usize, output: &mut Output<'_>) -> Result<(), Failure> {
    for (path, diagnostics) in report {
        for diagnostic in diagnostics {
            output.line(&sanitize::line(&format!("{}: {diagnostic}", path.display())))?;
        }
    }
    let checked = age::counted(report.len(), "file");
    output.line(&format!("{checked} checked, {} with findings", age::count(damaged)))
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
    fn of(report: &Report) -> Self {
        let files = report
            .iter()
            .map(|(path, diagnostics)| JsonFile {
                path: path.to_string_lossy().into_owned(),
                diagnostics: diagnostics.iter().map(JsonDiagnostic::from).collect(),
            })
            .collect();
        Self { files }
    }
}
