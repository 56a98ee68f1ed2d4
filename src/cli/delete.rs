//! `piscope delete`: sessions to the trash.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::target::session_file;
use super::writing::{self, Writing};
use super::{Failure, Output, Site};
use crate::edit::{Deletion, Removal};
use crate::error::Error;
use crate::present::{age, sanitize};

/// The arguments of `piscope delete`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Session files, or ids of sessions in the store, or the starts of such.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Delete for good instead of moving to the trash.
    #[arg(long)]
    permanent: bool,

    /// Do not ask.
    #[arg(long)]
    yes: bool,

    #[command(flatten)]
    writing: Writing,
}

pub(super) fn run(args: &Args, site: &Site<'_>, output: &mut Output<'_>) -> Result<(), Failure> {
    let paths: Vec<PathBuf> =
        args.files.iter().map(|file| session_file(file, site)).collect::<Result<_, _>>()?;
    let removal = if args.permanent { Removal::Permanent } else { Removal::Trash };
    let editor = args.writing.editor(site);
    let plan = editor.clone().rehearsing().delete(&site.store(), &paths, removal);
    if !args.writing.dry_run && !args.yes && !plan.deleted.is_empty() && !confirmed(&plan, removal)? {
        return Ok(());
    }
    let mut deletion =
        if args.writing.dry_run { plan } else { editor.delete(&site.store(), &paths, removal) };
    if args.writing.json {
        output.json(&Document::of(&deletion))?;
    } else {
        report(&deletion, removal, &args.writing, output)?;
    }
    if deletion.failed.is_empty() { Ok(()) } else { Err(deletion.failed.swap_remove(0).into()) }
}

/// Asks on the terminal. Without one there is nobody to ask.
fn confirmed(plan: &Deletion, removal: Removal) -> Result<bool, Failure> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Err(Failure::Usage("nobody is here to confirm the deletion; add --yes".into()));
    }
    let mut question = String::new();
    for deleted in &plan.deleted {
        let size = deleted.path.metadata().map_or(0, |metadata| metadata.len());
        question.push_str(&sanitize::line(&format!("{} ({size} bytes)", deleted.path.display())));
        question.push('\n');
    }
    if !plan.reparented.is_empty() {
        let forks = age::counted(plan.reparented.len(), "fork");
        question.push_str(&format!("{forks} will name the session before as the one they left\n"));
    }
    let way = match removal {
        Removal::Trash => "Move to the trash?",
        Removal::Permanent => "Delete for good?",
    };
    let mut stderr = io::stderr().lock();
    write!(stderr, "{question}{way} [y/N] ").and_then(|()| stderr.flush()).map_err(no_answer)?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer).map_err(no_answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

fn no_answer(error: io::Error) -> Failure {
    Failure::Act(Error::new("cannot ask on", Path::new("the terminal"), error))
}

fn report(
    deletion: &Deletion,
    removal: Removal,
    writing: &Writing,
    output: &mut Output<'_>,
) -> Result<(), Failure> {
    let words = match removal {
        Removal::Trash => writing.words("moved to the trash:", "would move to the trash:"),
        Removal::Permanent => writing.words("deleted:", "would delete:"),
    };
    for deleted in &deletion.deleted {
        output.line(&sanitize::line(&format!("{words} {}", deleted.path.display())))?;
    }
    for fork in &deletion.reparented {
        let words = writing.words("has a new parent:", "would get a new parent:");
        let parent = fork.to.as_deref().unwrap_or("none");
        output.line(&sanitize::line(&format!("{words} {}: {parent}", fork.path.display())))?;
    }
    // The first failure goes to standard error.
    for error in deletion.skipped.iter().chain(deletion.failed.iter().skip(1)) {
        output.line(&sanitize::line(&error.to_string()))?;
    }
    Ok(())
}

#[derive(Serialize)]
struct Document {
    deleted: Vec<JsonDeleted>,
    reparented: Vec<JsonReparented>,
    skipped: Vec<JsonError>,
    failed: Vec<JsonError>,
}

#[derive(Serialize)]
struct JsonDeleted {
    path: String,
    to: Option<String>,
}

#[derive(Serialize)]
struct JsonReparented {
    path: String,
    from: String,
    to: Option<String>,
}

#[derive(Serialize)]
struct JsonError {
    path: String,
    message: String,
}

impl Document {
    fn of(deletion: &Deletion) -> Self {
        let error =
            |error: &Error| JsonError { path: writing::text(&error.path), message: error.cause.to_string() };
        Self {
            deleted: deletion
                .deleted
                .iter()
                .map(|it| JsonDeleted {
                    path: writing::text(&it.path),
                    to: it.to.as_deref().map(writing::text),
                })
                .collect(),
            reparented: deletion
                .reparented
                .iter()
                .map(|it| JsonReparented {
                    path: writing::text(&it.path),
                    from: it.from.clone(),
                    to: it.to.clone(),
                })
                .collect(),
            skipped: deletion.skipped.iter().map(error).collect(),
            failed: deletion.failed.iter().map(error).collect(),
        }
    }
}
