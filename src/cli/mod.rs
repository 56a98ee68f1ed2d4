//! The program without a screen: one subcommand a file, each with text for people and `--json` for programs.
//!
//! Commands write to whatever they are given and return a [`Failure`] that knows its exit status, so that they
//! can be run and tested inside a process. Fields of `--json` hold pi's values as they are; text for people is
//! sanitised.

mod cache;
mod check;
mod compare;
mod completions;
mod config;
mod context;
mod delete;
mod export;
mod failure;
mod fork;
mod forks;
mod info;
mod json;
mod label;
mod labels;
mod list;
mod man;
mod output;
mod picked;
mod progress;
mod prompts;
mod rename;
mod resume;
mod search;
mod show;
mod stats;
mod sweep;
mod target;
mod tree;
mod writing;

use std::io::Write;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use clap::{Parser, Subcommand};

pub use failure::Failure;
use output::Output;
pub use picked::{Pick, Picked, PickedKind};

use crate::store::{Environment, Store};

/// The version, and of a release the commit.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), env!("PISCOPE_COMMIT"));

/// What the manual says besides.
const AFTER_HELP: &str = "\
Exit status:
  0  it was done
  1  something could not be done: standard error says what
  2  wrong usage
  3  nothing was found, or nothing picked
  4  check found damage

Files:
  ~/.pi/agent                    where pi keeps its sessions
  ~/.config/piscope/config.toml  the settings: piscope config --print
  ~/.cache/piscope               what the list shows; harmless to delete

Environment:
  PI_CODING_AGENT_DIR, PI_CODING_AGENT_SESSION_DIR  as in pi
  VISUAL, EDITOR, PAGER  where a message is read or edited
  NO_COLOR               no colours";

/// A terminal browser for the sessions of the pi coding agent.
///
/// Without a command it opens the screen. Session files change only by the commands that say so.
#[derive(Debug, Parser)]
#[command(name = "piscope", version = VERSION, max_term_width = 100, after_long_help = AFTER_HELP)]
pub struct Args {
    /// What to open the screen with.
    #[command(flatten)]
    pub screen: ScreenArgs,

    /// Look for sessions in DIR, pi's folder of sessions by default.
    ///
    /// DIR is taken as a folder of project folders if any of these holds a session file, else as one that holds
    /// the session files itself.
    #[arg(long, global = true, value_name = "DIR")]
    pub store: Option<PathBuf>,

    /// The command; the screen without one.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// The arguments of the screen.
#[derive(Debug, Default, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct ScreenArgs {
    /// A session file to open, or a folder of them to browse.
    #[arg(value_name = "FILE or DIR")]
    pub target: Option<PathBuf>,

    /// Browse sessions that come with the program.
    #[arg(long)]
    pub demo: bool,

    /// Print what is picked instead of going on with it: its path, or something else about it.
    ///
    /// The screen is then drawn on standard error. Where nothing is picked, the exit status is 3.
    #[arg(long, value_name = "WHAT", num_args = 0..=1, require_equals = true, default_missing_value = "path")]
    pub pick: Option<Pick>,

    /// Come back after a resume, once pi has ended.
    #[arg(long)]
    pub stay: bool,

    /// Say what changes in lines, for a screen reader: one column, nothing drawn, the same keys.
    #[arg(long)]
    pub linear: bool,

    /// The model's context window in tokens, to tell how full it is.
    #[arg(long, value_name = "TOKENS")]
    pub context_window: Option<NonZeroU32>,

    /// Offer standard input to the desktop's clipboard until another text is copied; for our own use.
    #[arg(long, hide = true)]
    pub serve_clipboard: bool,
}

impl ScreenArgs {
    fn is_given(&self) -> bool {
        self.target.is_some()
            || self.demo
            || self.pick.is_some()
            || self.stay
            || self.linear
            || self.context_window.is_some()
    }
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the sessions of the store.
    List(list::Args),
    /// Say everything about one session file.
    Info(info::Args),
    /// Draw the tree of a session, as pi's /tree does.
    Tree(tree::Args),
    /// Print what the model is sent.
    Context(context::Args),
    /// Print the transcript of a branch, or one entry.
    Show(show::Args),
    /// Print what people asked, in a branch, a session or all of them.
    Prompts(prompts::Args),
    /// List the labels of all sessions.
    Labels(labels::Args),
    /// Go on in pi, in the folder of the session.
    Resume(resume::Args),
    /// Search the text of every entry of every session.
    Search(search::Args),
    /// Say what came of the branches that part at an entry.
    Compare(compare::Args),
    /// Add up what the sessions of the store have cost.
    Stats(stats::Args),
    /// Write a branch, or what the model is sent, as a document.
    Export(export::Args),
    /// Report damage in session files.
    Check(check::Args),
    /// Set or clear the label of an entry.
    Label(label::Args),
    /// Set or clear the name of a session.
    Rename(rename::Args),
    /// Split a new session off at an entry, as pi's /fork does.
    Fork(fork::ForkArgs),
    /// Write a branch as a session of its own, as pi's /clone does.
    Clone(fork::CloneArgs),
    /// Delete sessions, to the trash unless told otherwise.
    Delete(delete::Args),
    /// Forget the kept summaries of sessions.
    Cache(cache::Args),
    /// Print the file of settings with its defaults.
    Config(config::Args),
    /// Print what a shell needs to complete the command line.
    Completions(completions::Args),
    /// Print the manual, for man to read.
    Man(man::Args),
}

/// Runs a command and writes what it has to say to `out`.
///
/// # Errors
/// A [`Failure`] with the exit status and the line for standard error.
pub fn run(
    args: &Args,
    command: &Command,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if args.screen.is_given() {
        return Err(Failure::Usage("a command takes its file behind its name".into()));
    }
    let site = &Site { environment, flag: args.store.as_deref() };
    let output = &mut Output::new(out);
    match command {
        Command::List(args) => list::run(args, site, output),
        Command::Info(args) => info::run(args, site, output),
        Command::Tree(args) => tree::run(args, site, output),
        Command::Context(args) => context::run(args, site, output),
        Command::Show(args) => show::run(args, site, output),
        Command::Prompts(args) => prompts::run(args, site, output),
        Command::Labels(args) => labels::run(args, site, output),
        Command::Resume(args) => resume::run(args, site, output),
        Command::Search(args) => search::run(args, site, output),
        Command::Compare(args) => compare::run(args, site, output),
        Command::Stats(args) => stats::run(args, site, output),
        Command::Export(args) => export::run(args, site, output),
        Command::Check(args) => check::run(args, site, output),
        Command::Label(args) => label::run(args, site, output),
        Command::Rename(args) => rename::run(args, site, output),
        Command::Fork(args) => fork::run_fork(args, site, output),
        Command::Clone(args) => fork::run_clone(args, site, output),
        Command::Delete(args) => delete::run(args, site, output),
        Command::Cache(args) => cache::run(args, site, output),
        Command::Config(args) => config::run(args, output),
        Command::Completions(args) => completions::run(args, output),
        Command::Man(args) => man::run(args, output),
    }?;
    output.flush()
}

/// Where a command runs.
struct Site<'a> {
    environment: &'a Environment,
    flag: Option<&'a Path>,
}

impl Site<'_> {
    fn store(&self) -> Store {
        Store::locate(self.environment, self.flag)
    }
}
