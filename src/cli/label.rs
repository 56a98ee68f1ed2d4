//! `piscope label`: a mark on an entry.

use serde::Serialize;

use super::json::Json;
use super::writing::{self, Subject, Writing};
use super::{Failure, Output, Site};
use crate::error::{Cause, Error};
use crate::present::sanitize;
use crate::session::Session;

/// The arguments of `piscope label`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    subject: Subject,

    /// The id of the entry.
    #[arg(value_name = "ENTRY")]
    entry: String,

    /// The label; an empty one clears.
    #[arg(value_name = "TEXT", required_unless_present = "clear", conflicts_with = "clear")]
    text: Option<String>,

    /// Clear the label.
    #[arg(long)]
    clear: bool,

    /// Allow the rewrite as version 3 that a version 1 file needs first; the original is kept beside it.
    #[arg(long)]
    migrate: bool,

    #[command(flatten)]
    writing: Writing,
}

/// What stands in the way of a label in a version 1 file.
const NEEDS_MIGRATION: &str = "a version 1 file has no ids that stay; with --migrate it is rewritten as version 3 first, the original kept beside it";

#[derive(Serialize)]
struct Document {
    /// The line; none for the rehearsal of a migration, before which there are no ids.
    appended: Option<Json>,
    /// Where the original of a migrated file is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    backup: Option<String>,
}

pub(super) fn run(args: &Args, site: &Site<'_>, output: &mut Output<'_>) -> Result<(), Failure> {
    let mut session = args.subject.open(site)?;
    let target = writing::entry(&session, &args.entry)?;
    if session.header().version.is_v1() && !args.migrate {
        return Err(Error::new(
            "cannot label an entry of",
            session.path(),
            Cause::Other(NEEDS_MIGRATION.into()),
        )
        .into());
    }
    let editor = args.writing.editor(site);
    let mut backup = None;
    if args.migrate && session.header().version.is_v1() {
        backup = Some(editor.migrate(&session)?);
        session = Session::open(session.path())?;
    }
    let is_rehearsed_migration = backup.is_some() && session.header().version.is_v1();
    let text = args.text.as_deref().unwrap_or_default();
    let appended = (!is_rehearsed_migration).then(|| editor.label(&session, target, text)).transpose()?;
    if args.writing.json {
        return output.json(&Document {
            appended: appended.map(|appended| Json::raw(appended.line)),
            backup: backup.as_deref().map(writing::text),
        });
    }
    if let Some(backup) = backup {
        let words = args.writing.words("migrated; the original is", "would migrate and keep the original as");
        output.line(&sanitize::line(&format!("{words} {}", backup.display())))?;
    }
    match appended {
        Some(appended) => {
            let words = args.writing.words("appended", "would append");
            output.line(&sanitize::line(&format!("{words} {}", appended.line)))
        }
        None => output.line("would append the label behind it"),
    }
}
