//! `piscope prompts`: what people asked.

use std::path::PathBuf;

use jiff::tz::TimeZone;
use serde::Serialize;

use super::json::Json;
use super::sweep::{Swept, sweep};
use super::target::session_file;
use super::{Failure, Output, Site};
use crate::error::Error;
use crate::format::json::Value;
use crate::present::{age, sanitize};
use crate::session::{EntryIx, LeafArg, Session};

/// The arguments of `piscope prompts`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A session file, or the id of a session in the store, or the start of one; all sessions without it.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// The leaf at which the branch ends: an entry's id, or null for before everything.
    #[arg(long, value_name = "ID|null", requires = "file", conflicts_with = "all")]
    leaf: Option<String>,

    /// The prompts of all branches, in the order of the file.
    #[arg(long, requires = "file")]
    all: bool,

    /// Only sessions of this working directory.
    #[arg(long, value_name = "DIR", conflicts_with = "file")]
    cwd: Option<PathBuf>,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    prompts: Vec<Prompt>,
}

#[derive(Serialize)]
struct Prompt {
    path: String,
    session: String,
    id: Json,
    timestamp: Option<Json>,
    text: String,
    #[serde(skip)]
    time: Option<i64>,
}

impl Swept for Prompt {
    fn time(&self) -> Option<i64> {
        self.time
    }
}

pub(super) fn run(args: &Args, site: &Site<'_>, output: &mut Output<'_>) -> Result<(), Failure> {
    let prompts = match &args.file {
        Some(file) => {
            let session = Session::open(session_file(file, site)?)?;
            let entries = if args.all {
                session.indexes().collect()
            } else {
                let leaf = args.leaf.as_deref().map_or(LeafArg::Current, LeafArg::parse);
                session.path_to(session.leaf(&leaf).entry)
            };
            of_entries(&session, entries)?
        }
        None => sweep(site, args.cwd.as_deref(), |session| of_entries(session, session.indexes())),
    };
    if prompts.is_empty() && !args.json {
        return Err(Failure::NothingFound("there are no prompts".into()));
    }
    if args.json {
        return output.json(&Document { prompts });
    }
    let zone = TimeZone::system();
    for prompt in &prompts {
        let time = prompt.time.and_then(|at| Some((age::date(at, &zone)?, age::clock(at, &zone)?)));
        let (date, clock) = time.unwrap_or_default();
        output.line(&sanitize::line(&format!(
            "--- {}  {}  {date} {clock}",
            prompt.id.plain(),
            prompt.session
        )))?;
        output.text(&prompt.text)?;
        output.line("")?;
    }
    Ok(())
}

/// The prompts among entries, in the order given.
fn of_entries(session: &Session, entries: impl IntoIterator<Item = EntryIx>) -> Result<Vec<Prompt>, Error> {
    let mut prompts = Vec::new();
    for ix in entries.into_iter().filter(|&ix| session.is_prompt(ix)) {
        let Some(text) = session.copy_text(ix)? else { continue };
        prompts.push(Prompt {
            path: session.path().to_string_lossy().into_owned(),
            session: session.id().to_owned(),
            id: Json::id(session.entry_id(ix)),
            timestamp: session.body(ix)?.root().get("timestamp").map(Value::to_json).map(Json::raw),
            text,
            time: session.entry(ix).time,
        });
    }
    Ok(prompts)
}
