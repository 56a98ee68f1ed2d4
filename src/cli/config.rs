//! `piscope config`: the file of settings, and what makes piscope a part of pi.

use super::{Failure, Output};
use crate::config::TEMPLATE;

/// The arguments of `piscope config`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Print the file with every setting, its default and what it is for.
    #[arg(long, required_unless_present = "pi_extension")]
    print: bool,

    /// Print an extension that adds /browse to pi, to be saved in pi's folder as extensions/piscope.ts.
    #[arg(long, conflicts_with = "print")]
    pi_extension: bool,
}

/// The extension of pi.
const PI_EXTENSION: &str = include_str!("../../assets/pi-extension/piscope.ts");

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Result<(), Failure> {
    output.bytes(if args.pi_extension { PI_EXTENSION } else { TEMPLATE }.as_bytes())
}
