//! `piscope search`: the text of every entry of every session.

use std::path::PathBuf;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::json::Json;
use super::{Failure, Output, Site};
use crate::cancel::Cancel;
use crate::format::js;
use crate::present::sanitize;
use crate::store::{Scope, SearchEvent, SearchHit, SearchOptions, SearchQuery, moment, search};

/// The arguments of `piscope search`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Words and "phrases" that an entry has to hold, or re: and a regular expression; role:, in: and since: narrow it.
    #[arg(value_name = "QUERY", allow_hyphen_values = true)]
    query: String,

    /// Only sessions of this working directory.
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,

    /// Only entries of this role: user, assistant, toolResult and so on.
    #[arg(long, value_name = "ROLE")]
    role: Option<String>,

    /// Only entries since then: a day such as 2026-11-30, a time, or how long ago, such as 12h, 7d, 3w.
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,

    /// Stop after so many.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, site: &Site<'_>, output: &mut Output<'_>) -> Result<(), Failure> {
    let now = Timestamp::now().as_millisecond();
    let zone = TimeZone::system();
    let moment = |text: &str| moment(text, now, &zone);
    let mut query = SearchQuery::parse(&args.query, &moment)
        .map_err(|error| Failure::Usage(format!("cannot read the query {:?}: {error}", args.query)))?;
    if let Some(role) = &args.role {
        query.role = Some(role.as_str().into());
    }
    if let Some(since) = &args.since {
        let time = moment(since);
        query.since =
            Some(time.ok_or_else(|| Failure::Usage(format!("{since:?} is no time to search from")))?);
    }
    let scope = args.cwd.as_ref().map_or(Scope::All, |cwd| Scope::Folder(site.environment.absolute(cwd)));
    let cancel = Cancel::new();
    let limit = args.limit.unwrap_or(usize::MAX);
    let mut count = 0;
    let mut outcome = Ok(());
    let options = SearchOptions { scope, query: &query, limit };
    search(&site.store(), site.environment, &options, &cancel, &mut |event| {
        let SearchEvent::Hits { hits, .. } = event else { return };
        let hits = &hits[..hits.len().min(limit - count)];
        count += hits.len();
        if outcome.is_ok() {
            outcome =
                hits.iter().try_for_each(|hit| write(hit, args.json, output)).and_then(|()| output.flush());
        }
        if outcome.is_err() || count == limit {
            cancel.cancel();
        }
    });
    outcome?;
    if count == 0 {
        Err(Failure::NothingFound(format!("nothing found for {:?}", args.query)))
    } else {
        Ok(())
    }
}

fn write(hit: &SearchHit, json: bool, output: &mut Output<'_>) -> Result<(), Failure> {
    if json {
        return output.json(&JsonHit::of(hit));
    }
    let word = if hit.role.is_empty() { &hit.kind } else { &hit.role };
    let branch = if hit.is_current { "" } else { " (abandoned)" };
    let line = format!("{}:{}: {word}{branch}: {}", hit.path.display(), hit.line, hit.excerpt);
    output.line(&sanitize::line(&line))
}

#[derive(Serialize)]
struct JsonHit<'h> {
    path: String,
    session: &'h str,
    entry: Json,
    #[serde(rename = "type")]
    kind: &'h str,
    role: Option<&'h str>,
    time: Option<String>,
    branch: &'static str,
    line: u32,
    column: usize,
    excerpt: &'h str,
}

impl<'h> JsonHit<'h> {
    fn of(hit: &'h SearchHit) -> Self {
        Self {
            path: hit.path.to_string_lossy().into_owned(),
            session: &hit.session,
            entry: Json::id(&hit.entry),
            kind: &hit.kind,
            role: Some(&*hit.role).filter(|role| !role.is_empty()),
            time: hit.time.map(js::iso),
            branch: if hit.is_current { "current" } else { "abandoned" },
            line: hit.line,
            column: hit.column,
            excerpt: &hit.excerpt,
        }
    }
}
