//! `piscope config`: the file of settings.

use super::{Failure, Output};
use crate::config::TEMPLATE;

/// The arguments of `piscope config`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Print the file with every setting, its default and what it is for.
    #[arg(long, required = true)]
    print: bool,
}

pub(super) fn run(_: &Args, output: &mut Output<'_>) -> Result<(), Failure> {
    output.bytes(TEMPLATE.as_bytes())
}
