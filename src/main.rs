//! The program: reads its arguments and hands over to a command or the screen.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::Parser;
#[cfg(feature = "tui")]
use piscope::app;
use piscope::cli::{self, Args, Failure};
#[cfg(feature = "tui")]
use piscope::cli::{Picked, PickedKind};
use piscope::config::Config;
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
                for line in failure.to_string().lines() {
                    let _ = writeln!(io::stderr(), "piscope: {line}");
                }
            }
            ExitCode::from(failure.exit_status())
        }
    }
}

fn run(args: &Args) -> Result<(), Failure> {
    match &args.command {
        Some(command) => {
            let config = Config::read(Environment::of_process());
            for finding in &config.findings {
                // As above.
                let _ = writeln!(io::stderr(), "piscope: {finding}");
            }
            let mut out = BufWriter::new(io::stdout().lock());
            cli::run(args, command, &config.environment, &mut out)
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
    if args.screen.serve_clipboard {
        return tui::serve_clipboard()
            .map_err(|error| Error::new("cannot use", "the clipboard", error).into());
    }
    let start = tui::Start::new(args, tui::now())?;
    let left = tui::run(start).map_err(|error| Error::new("cannot use", "the terminal", error))?;
    match (left, args.screen.pick) {
        (tui::Left::ForPi(plan, program), _) => {
            let error = plan.exec(&program);
            Err(Error::new("cannot start", program.path(), error).into())
        }
        (tui::Left::Picked(picked), Some(pick)) => {
            let app::Picked { path, id, entry, pane } = picked;
            let kind = if pane == app::Pane::Sessions { PickedKind::Session } else { PickedKind::Entry };
            print(&Picked { path, id, entry, kind }.print(pick)?)
        }
        (tui::Left::Quit, Some(_)) => Err(Failure::NothingPicked),
        (tui::Left::Quit | tui::Left::Picked(_), _) => Ok(()),
    }
}

#[cfg(feature = "tui")]
fn print(line: &str) -> Result<(), Failure> {
    writeln!(io::stdout(), "{line}")
        .map_err(|error| Error::new("cannot write to", "standard output", error).into())
}
