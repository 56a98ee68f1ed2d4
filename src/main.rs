//! The program: reads its arguments and hands over to a command or the screen.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::Parser;
use piscope::cli::{self, Args, Failure};
#[cfg(feature = "tui")]
use piscope::error::Error;
use piscope::store::Environment;
#[cfg(feature = "tui")]
use piscope::tui;

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if !failure.is_silent() {
                // Nobody is left to tell when standard error is closed too.
                let _ = writeln!(io::stderr(), "piscope: {failure}");
            }
            ExitCode::from(failure.exit_status())
        }
    }
}

fn run(args: &Args) -> Result<(), Failure> {
    match &args.command {
        Some(command) => {
            let mut out = BufWriter::new(io::stdout().lock());
            cli::run(args, command, &Environment::of_process(), &mut out)
        }
        None => screen(args),
    }
}

#[cfg(not(feature = "tui"))]
fn screen(_args: &Args) -> Result<(), Failure> {
    Err(Failure::Usage("this build has no screen; see `piscope --help` for the commands".into()))
}

#[cfg(feature = "tui")]
fn screen(args: &Args) -> Result<(), Failure> {
    let start = tui::Start::new(args, tui::now())?;
    tui::run(start).map_err(|error| Error::new("cannot use", "the terminal", error).into())
}
