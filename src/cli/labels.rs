//! `piscope labels`: the bookmarks of all sessions.

use std::path::PathBuf;

use serde::Serialize;

use super::json::Json;
use super::sweep::{Swept, sweep};
use super::{Failure, Output, Site};
use crate::error::Error;
use crate::present::sanitize;
use crate::session::Session;

/// The arguments of `piscope labels`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only sessions of this working directory.
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    labels: Vec<Bookmark>,
}

#[derive(Serialize)]
struct Bookmark {
    path: String,
    session: String,
    entry: Json,
    label: Box<str>,
    timestamp: Option<Json>,
    /// Null where the label is on nothing that is in the file.
    text: Option<String>,
    #[serde(skip)]
    time: Option<i64>,
}

impl Swept for Bookmark {
    fn time(&self) -> Option<i64> {
        self.time
    }
}

pub(super) fn run(args: &Args, site: &Site<'_>, output: &mut Output<'_>) -> Result<(), Failure> {
    let labels = sweep(site, args.cwd.as_deref(), of_session);
    if args.json {
        return output.json(&Document { labels });
    }
    if labels.is_empty() {
        return Err(Failure::NothingFound("there are no labels".into()));
    }
    for label in &labels {
        let text = label.text.as_deref().unwrap_or("(not in the file)");
        let line = format!("[{}]  {}  {}  {text}", label.label, label.session, label.entry.plain());
        output.line(&sanitize::line(&line))?;
    }
    Ok(())
}

fn of_session(session: &Session) -> Result<Vec<Bookmark>, Error> {
    let mut labels = Vec::new();
    for label in session.labels().iter() {
        let text = match session.find(&label.target) {
            None => None,
            Some(ix) => Some(match session.copy_text(ix)? {
                Some(text) => text,
                None => session.entry_text(ix, None, None).in_words().joined(),
            }),
        };
        labels.push(Bookmark {
            path: session.path().to_string_lossy().into_owned(),
            session: session.id().to_owned(),
            entry: Json::id(&label.target),
            label: label.text.clone(),
            timestamp: label.timestamp.as_deref().map(|json| Json::raw(json.to_owned())),
            text,
            time: label.time,
        });
    }
    Ok(labels)
}
