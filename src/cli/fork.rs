//! `piscope fork` and `piscope clone`: new sessions from old ones.

use serde::Serialize;

use super::target::Target;
use super::writing::{self, Subject, Writing};
use super::{Failure, Output, Site};
use crate::edit::Branched;
use crate::present::sanitize;

/// The arguments of `piscope fork`.
#[derive(Debug, clap::Args)]
pub struct ForkArgs {
    #[command(flatten)]
    subject: Subject,

    /// The entry at which to fork. Before a prompt, whose text is printed; behind any other entry.
    #[arg(long, value_name = "ENTRY")]
    at: String,

    #[command(flatten)]
    writing: Writing,
}

/// The arguments of `piscope clone`.
#[derive(Debug, clap::Args)]
pub struct CloneArgs {
    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    writing: Writing,
}

#[derive(Serialize)]
struct Document {
    path: String,
    id: String,
    prompt: Option<String>,
}

pub(super) fn run_fork(args: &ForkArgs, site: &Site<'_>, output: &mut Output<'_>) -> Result<(), Failure> {
    let session = args.subject.open(site)?;
    let at = writing::entry(&session, &args.at)?;
    let made = args.writing.editor(site).fork(&session, at)?;
    report(made, &args.writing, output)
}

pub(super) fn run_clone(args: &CloneArgs, site: &Site<'_>, output: &mut Output<'_>) -> Result<(), Failure> {
    let session = args.target.open(site)?;
    let leaf = session.leaf(&args.target.leaf());
    if !leaf.is_known {
        let path = session.path().display();
        return Err(Failure::NothingFound(format!("{path} has no entry at which that branch could end")));
    }
    let made = args.writing.editor(site).clone_branch(&session, leaf.entry)?;
    report(made, &args.writing, output)
}

fn report(made: Branched, writing: &Writing, output: &mut Output<'_>) -> Result<(), Failure> {
    if writing.json {
        return output.json(&Document { path: writing::text(&made.path), id: made.id, prompt: made.prompt });
    }
    let words = writing.words("wrote", "would write");
    output.line(&sanitize::line(&format!("{words} {}", made.path.display())))?;
    match made.prompt {
        Some(prompt) => output.text(&prompt),
        None => Ok(()),
    }
}
