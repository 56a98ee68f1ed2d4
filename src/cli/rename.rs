//! `piscope rename`: the name of a session.

use serde::Serialize;

use super::json::Json;
use super::writing::{Subject, Writing};
use super::{Failure, Output, Site};
use crate::present::sanitize;

/// The arguments of `piscope rename`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    subject: Subject,

    /// The name; an empty one clears.
    #[arg(value_name = "NAME", required_unless_present = "clear", conflicts_with = "clear")]
    name: Option<String>,

    /// Clear the name.
    #[arg(long)]
    clear: bool,

    #[command(flatten)]
    writing: Writing,
}

#[derive(Serialize)]
struct Document {
    appended: Json,
}

pub(super) fn run(args: &Args, site: &Site<'_>, output: &mut Output<'_>) -> Result<(), Failure> {
    let session = args.subject.open(site)?;
    let editor = args.writing.editor(site);
    let appended = editor.rename(&session, args.name.as_deref().unwrap_or_default())?;
    if args.writing.json {
        return output.json(&Document { appended: Json::raw(appended.line) });
    }
    let words = args.writing.words("appended", "would append");
    output.line(&sanitize::line(&format!("{words} {}", appended.line)))
}
