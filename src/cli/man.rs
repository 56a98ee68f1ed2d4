//! `piscope man`: the manual, in the language that `man` reads.

use clap::CommandFactory;
use clap_mangen::Man;

use super::{Failure, Output};
use crate::error::{Cause, Error};

/// The arguments of `piscope man`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The command whose page is printed; the page of the program without one.
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Result<(), Failure> {
    let mut program = super::Args::command().disable_help_subcommand(true);
    program.build();
    let command = match &args.command {
        None => program,
        Some(name) => match program.find_subcommand(name) {
            Some(command) => command.clone(),
            None => return Err(Failure::NothingFound(format!("there is no command {name}"))),
        },
    };
    let mut page = Vec::new();
    // Pages of commands are called as `man piscope-list` finds them.
    Man::new(command)
        .render(&mut page)
        .map_err(|error| Error::new("cannot write", "the manual", Cause::from(error)))?;
    output.bytes(&page)
}
