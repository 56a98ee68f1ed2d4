//! `piscope export`: a branch, or what the model is sent at its end, as a document.

use std::cell::RefCell;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jiff::Timestamp;

use super::progress::Progress;
use super::target::Target;
use super::{Failure, Output, Site};
use crate::cancel::Cancel;
use crate::edit::as_version_3;
use crate::error::{Cause, Error};
use crate::export::{Document, DocumentKind, Existing, Format, Redactor, Stamp, write_file};
use crate::present::{age, sanitize};

/// How long nothing is said about how far it is.
const PATIENCE: Duration = Duration::from_millis(700);
/// How often it is said after that.
const INTERVAL: Duration = Duration::from_millis(100);

/// The arguments of `piscope export`.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct Args {
    #[command(flatten)]
    target: Target,

    /// What the model is sent at the leaf, instead of what was said on the branch.
    #[arg(long)]
    context: bool,

    /// The form; without it, what OUT ends in.
    #[arg(long, value_enum)]
    format: Option<Form>,

    /// Mask secrets: tokens of well-known services, private keys, values of names such as password and `api_key`.
    ///
    /// What was masked is counted on standard error. A secret that looks like nothing in particular stays.
    #[arg(long)]
    redact: bool,

    /// The file to write; standard output without it.
    #[arg(short, value_name = "OUT")]
    out: Option<PathBuf>,

    /// Write over a file that is there already, without asking.
    #[arg(long)]
    force: bool,

    /// Say what would be done, and do nothing.
    #[arg(long, requires = "out")]
    dry_run: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Form {
    /// Markdown.
    Md,
    /// One HTML file that needs nothing else.
    Html,
    /// A session file as pi's /export writes it; of a context, one message a line.
    Jsonl,
    /// One JSON document.
    Json,
    /// Plain text.
    Text,
}

impl From<Form> for Format {
    fn from(form: Form) -> Self {
        match form {
            Form::Md => Self::Markdown,
            Form::Html => Self::Html,
            Form::Jsonl => Self::Jsonl,
            Form::Json => Self::Json,
            Form::Text => Self::Text,
        }
    }
}

pub(super) fn run(args: &Args, site: &Site<'_>, output: &mut Output<'_>) -> Result<(), Failure> {
    let format = format(args)?;
    let out = args.out.as_ref().map(|out| site.environment.absolute(out));
    let session = args.target.open(site)?;
    let leaf = session.leaf(&args.target.leaf());
    if !leaf.is_known {
        let taken = leaf.entry.map_or("nothing", |entry| session.entry_id(entry).as_str());
        tell(&format!("no entry of that id in the file; as in pi, the last one is taken: {taken}"));
    }
    let migrated = match (format, args.context) {
        (Format::Jsonl, false) => {
            as_version_3(&session).map_err(|cause| Error::new("cannot migrate", session.path(), cause))?
        }
        _ => None,
    };
    let context = args.context.then(|| session.context_at(leaf.entry));
    let entries = match &context {
        Some(context) => context.entries.clone(),
        None => session.path_to(leaf.entry),
    };
    let existing = match &out {
        Some(out) if !args.dry_run => existing(out, args.force)?,
        _ => Existing::Kept,
    };
    let redactor = args.redact.then(Redactor::default);
    let pace = Pace::new(out.is_some() || !io::stdout().is_terminal(), entries.len());
    let document = Document {
        session: migrated.as_ref().unwrap_or(&session),
        entries: &entries,
        kind: context.as_ref().map_or(DocumentKind::Branch, DocumentKind::Context),
        redact: redactor.as_ref(),
        zone: site.environment.zone(),
        cancel: &Cancel::new(),
        progress: &|done| pace.tell(done),
    };
    let stamp = Stamp::new(&session, site.environment, Timestamp::now().as_millisecond());
    let words = format!("{} of {}", format.words(), age::counted_as(entries.len(), "entry", "entries"));
    match &out {
        None => format.write(&document, &stamp, output.writer()).map_err(of_output)?,
        Some(out) if args.dry_run => {
            output.line(&sanitize::line(&format!("would write {words} to {}", out.display())))?;
        }
        Some(out) => {
            let bytes = write_file(out, &session, existing, |to| format.write(&document, &stamp, to))?;
            output.line(&sanitize::line(&format!("{}: {words}, {}", out.display(), age::bytes(bytes))))?;
        }
    }
    drop(pace);
    if let Some(redactor) = redactor.filter(|_| !args.dry_run) {
        tell(&format!("redacted: {}", redactor.words().unwrap_or_else(|| "nothing found".into())));
    }
    Ok(())
}

fn format(args: &Args) -> Result<Format, Failure> {
    let guessed = || args.out.as_deref().and_then(Format::of_path);
    args.format.map(Format::from).or_else(guessed).ok_or_else(|| {
        let words: Vec<&str> = Format::ALL.iter().map(|format| format.word()).collect();
        Failure::Usage(format!("say in which --format: {}", words.join(", ")))
    })
}

/// What becomes of a file that is there: asked on a terminal, where there is one.
fn existing(out: &Path, force: bool) -> Result<Existing, Failure> {
    let is_file = out.metadata().is_ok_and(|metadata| metadata.is_file());
    if force {
        return Ok(Existing::Replaced);
    }
    if !is_file || !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Ok(Existing::Kept);
    }
    let no_answer = |error| Failure::Act(Error::new("cannot ask on", Path::new("the terminal"), error));
    let mut stderr = io::stderr().lock();
    let question = sanitize::line(&format!("{} is there already.", out.display())).into_owned();
    write!(stderr, "{question} Replace it? [y/N] ").and_then(|()| stderr.flush()).map_err(no_answer)?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer).map_err(no_answer)?;
    Ok(if matches!(answer.trim(), "y" | "Y" | "yes") { Existing::Replaced } else { Existing::Kept })
}

/// A failure while standard output is written, which somebody may have closed.
fn of_output(error: Error) -> Failure {
    match error.cause {
        Cause::Io(error) if error.kind() == io::ErrorKind::BrokenPipe => Failure::OutputClosed,
        _ => Failure::Act(error),
    }
}

/// Says something on standard error; where that is closed, nobody is left to tell.
fn tell(words: &str) {
    _ = writeln!(io::stderr(), "piscope: {}", sanitize::line(words));
}

/// Tells how far it is once it takes long.
struct Pace {
    all: usize,
    shown: Option<RefCell<(Progress, Instant)>>,
}

impl Pace {
    fn new(is_wanted: bool, all: usize) -> Self {
        let shown = is_wanted.then(|| RefCell::new((Progress::new(), Instant::now() + PATIENCE)));
        Self { all, shown }
    }

    fn tell(&self, done: usize) {
        let Some(shown) = &self.shown else { return };
        let (progress, next) = &mut *shown.borrow_mut();
        let now = Instant::now();
        if now >= *next {
            let all = age::counted_as(self.all, "entry", "entries");
            progress.tell(&format!("exported {} of {all}", age::count(done)));
            *next = now + INTERVAL;
        }
    }
}
