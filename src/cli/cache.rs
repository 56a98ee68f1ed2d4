//! `piscope cache`: what scans keep to be faster the next time.

use super::{Failure, Output, Site};
use crate::store::clear_cache;

/// The arguments of `piscope cache`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Forget what earlier scans kept of the sessions they listed.
    #[arg(long, required = true)]
    clear: bool,
}

pub(super) fn run(_: &Args, site: &Site<'_>, output: &mut Output<'_>) -> Result<(), Failure> {
    clear_cache(site.environment)?;
    output.line("forgot the kept summaries")
}
