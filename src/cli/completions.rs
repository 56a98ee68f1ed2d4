//! `piscope completions`: what a shell needs to complete the command line.

use clap::{CommandFactory, ValueEnum};
use clap_complete::Generator;
use clap_complete::shells::{Bash, Fish, PowerShell, Zsh};
use clap_complete_nushell::Nushell;

use super::{Failure, Output};

/// The arguments of `piscope completions`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The shell that reads them.
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
#[expect(clippy::enum_variant_names, reason = "PowerShell calls itself so")]
enum Shell {
    /// For ~/.local/share/bash-completion/completions/piscope.
    Bash,
    /// For a file named _piscope in a folder of $fpath.
    Zsh,
    /// For ~/.config/fish/completions/piscope.fish.
    Fish,
    /// For a file that config.nu uses.
    Nushell,
    /// For a file that $PROFILE runs.
    #[value(name = "powershell")]
    PowerShell,
}

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Result<(), Failure> {
    output.bytes(&match args.shell {
        Shell::Bash => script(Bash),
        Shell::Zsh => script(Zsh),
        Shell::Fish => script(Fish),
        Shell::Nushell => script(Nushell),
        Shell::PowerShell => script(PowerShell),
    })
}

fn script(shell: impl Generator) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut super::Args::command(), "piscope", &mut script);
    script
}
