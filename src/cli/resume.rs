//! `piscope resume`: goes on in pi.

use std::path::PathBuf;

use serde::Serialize;

use super::writing::{self, Subject, Writing};
use super::{Failure, Output, Site};
use crate::error::{Cause, Error};
use crate::present::sanitize;
use crate::resume::{Folder, Launch, Plan, Program, Start, ToolPreset, quote};
use crate::session::Session;

/// The arguments of `piscope resume`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    subject: Subject,

    /// Go on from this entry, in a new session that is written as pi's /fork writes it.
    ///
    /// Above a prompt, whose text is printed unless it is sent again; behind any other entry.
    #[arg(long, value_name = "ENTRY")]
    at: Option<String>,

    /// Send the text of the prompt at which the session is forked again.
    #[arg(long, requires = "at", conflicts_with = "prompt")]
    resend: bool,

    /// Send TEXT as the first prompt.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    prompt: Option<String>,

    /// The tools: default, read-only, full or chat.
    ///
    /// Without it, those that the session records, if it does.
    #[arg(long, value_name = "PRESET", value_parser = tools)]
    tools: Option<ToolPreset>,

    /// Start pi in DIR instead of the folder of the session.
    #[arg(long = "in", value_name = "DIR")]
    folder: Option<PathBuf>,

    /// Have pi copy the session into the folder it is started in, and go on with the copy.
    #[arg(long, conflicts_with = "at")]
    fork: bool,

    /// Do not start pi and write nothing; print the command that would.
    #[arg(long)]
    print: bool,

    #[command(flatten)]
    writing: Writing,
}

fn tools(word: &str) -> Result<ToolPreset, String> {
    ToolPreset::parse(word).ok_or_else(|| {
        let words: Vec<&str> = ToolPreset::USUAL.iter().map(ToolPreset::word).collect();
        format!("it is none of {}", words.join(", "))
    })
}

#[derive(Serialize)]
struct Document {
    cwd: String,
    argv: Vec<String>,
    env: std::collections::BTreeMap<&'static str, String>,
    prompt: Option<String>,
}

pub(super) fn run(args: &Args, site: &Site<'_>, output: &mut Output<'_>) -> Result<(), Failure> {
    let session = args.subject.open(site)?;
    let mut launch = Launch::of_session(&session, site.environment);
    launch.tools = match &args.tools {
        Some(tools) => tools.clone(),
        None => ToolPreset::recorded(&session)?.unwrap_or_default(),
    };
    if let Some(folder) = &args.folder {
        launch.folder = site.environment.absolute(folder);
    }
    if args.fork {
        launch.start = Start::ForkHere;
    }
    let only_says = args.print || args.writing.dry_run || args.writing.json;
    if !only_says {
        refuse_missing_folder(&session, &launch)?;
    }
    let entry = args.at.as_deref().map(|at| writing::entry(&session, at)).transpose()?;
    let mut left_over = entry.map(|entry| session.prompt_text(entry)).transpose()?.flatten();
    launch.prompt = if args.resend { left_over.take() } else { args.prompt.clone() };
    let plan_of = |launch: &Launch| Plan::of(launch, &site.store(), site.environment);
    let mut plan = plan_of(&launch);
    if let Some(unsent) = &plan.unsent {
        return Err(Failure::Usage(format!("the prompt cannot be handed over: {}", unsent.reason)));
    }
    if args.print && !args.writing.json && entry.is_some() {
        // The session that pi is to open is written by this command only.
        return output.line(&sanitize::line(&args.shell_line(&session)));
    }
    let program = if only_says { None } else { Some(find(&plan, site)?) };
    if let Some(entry) = entry {
        // Nothing is written before it is certain that pi can be started.
        let editor = args.writing.editor(site);
        let editor = if args.print { editor.rehearsing() } else { editor };
        launch.session = editor.fork(&session, entry)?.path;
        plan = plan_of(&launch);
    }
    if args.writing.json {
        return output.json(&Document::of(&plan, left_over));
    }
    let Some(program) = program else { return output.line(&sanitize::line(&plan.shell_line())) };
    if let Some(prompt) = left_over {
        output.text(&prompt)?;
    }
    output.flush()?;
    let error = plan.exec(&program);
    Err(Error::new("cannot start", program.path(), error).into())
}

impl Args {
    /// This command again, to be run and not only printed.
    fn shell_line(&self, session: &Session) -> String {
        let mut words = vec!["piscope".to_owned(), "resume".to_owned(), quote(session.path().as_os_str())];
        let mut option = |name: &str, value: Option<&std::ffi::OsStr>| {
            words.push(name.to_owned());
            words.extend(value.map(quote));
        };
        if let Some(at) = &self.at {
            option("--at", Some(at.as_ref()));
        }
        if self.resend {
            option("--resend", None);
        }
        if let Some(prompt) = &self.prompt {
            option("--prompt", Some(prompt.as_ref()));
        }
        if let Some(tools) = &self.tools {
            option("--tools", Some(tools.word().as_ref()));
        }
        if let Some(folder) = &self.folder {
            option("--in", Some(folder.as_os_str()));
        }
        words.join(" ")
    }
}

/// pi asks about a folder that is gone only where it can; what it is to do is better said beforehand.
fn refuse_missing_folder(session: &Session, launch: &Launch) -> Result<(), Failure> {
    if launch.folder.is_dir() {
        return Ok(());
    }
    let proposal = match Folder::of(session.header().cwd.as_deref(), []) {
        Folder::Gone { proposal: Some(folder), .. } => format!("; it seems to be {} now", folder.display()),
        _ => String::new(),
    };
    let words = format!("it is gone{proposal}; choose another with --in DIR, with or without --fork");
    Err(Error::new("cannot start pi in", &launch.folder, Cause::Other(words)).into())
}

fn find(plan: &Plan, site: &Site<'_>) -> Result<Program, Failure> {
    Program::find(plan.program(), site.environment).map_err(|missing| {
        Failure::NothingFound(format!(
            "{missing}; the command would be: {}",
            sanitize::line(&plan.shell_line())
        ))
    })
}

impl Document {
    fn of(plan: &Plan, prompt: Option<String>) -> Self {
        let text = |word: &std::ffi::OsString| word.to_string_lossy().into_owned();
        Self {
            cwd: writing::text(&plan.cwd),
            argv: plan.argv.iter().map(text).collect(),
            env: plan.env.iter().map(|(name, value)| (*name, text(value))).collect(),
            prompt,
        }
    }
}
