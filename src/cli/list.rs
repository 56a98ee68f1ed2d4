//! `piscope list`: the sessions of the store, as pi's picker lists them.

use std::path::PathBuf;

use serde::Serialize;

use super::json::{Json, JsonDiagnostic};
use super::{Failure, Output, Site};
use crate::cancel::Cancel;
use crate::error::{Cause, Error};
use crate::format::{Problem, js};
use crate::present::{Row, Tone, age, sanitize, width};
use crate::store::{
    Family, Finding, FirstMessage, Kept, Query, ScanEvent, ScanOptions, ScannedRow, Scope, SessionSummary,
    Sort, Writers, is_session_name, keep_distinct_files, scan, shorten_home, sort_recent,
};

/// Columns of a title for people.
pub(super) const TITLE_COLUMNS: usize = 72;

/// The arguments of `piscope list`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only sessions of this working directory.
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,

    /// The order of the list.
    #[arg(long, value_enum, default_value_t = Order::Recent)]
    sort: Order,

    /// Only sessions with a name.
    #[arg(long)]
    named: bool,

    /// Only sessions that match: words, "phrases", or re: and a regular expression.
    #[arg(long, value_name = "QUERY", default_value = "", allow_hyphen_values = true)]
    query: String,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Order {
    /// Forks below the session they left, the family with the newest activity first.
    Threaded,
    /// The newest activity first.
    Recent,
    /// The best match of the query first.
    Relevance,
}

pub(super) fn run(args: &Args, site: &Site<'_>, output: &mut Output<'_>) -> Result<(), Failure> {
    let query = Query::parse(&args.query)
        .map_err(|error| Failure::Usage(format!("cannot read the query {:?}: {error}", args.query)))?;
    let (mut sessions, unreadable) = scanned(args, site, &query);
    if !args.json {
        keep_distinct_files(&mut sessions, |row| &row.summary);
    }
    let listed = listed(args, &query, &sessions);
    if args.json {
        let writers = Writers::look();
        output
            .json(&Document { rows: listed.iter().map(|row| JsonRow::of(row, &writers, site)).collect() })?;
    } else {
        write_text(&listed, site, output)?;
    }
    output.flush()?;
    if !unreadable.is_empty() {
        return Err(Failure::Incomplete(unreadable));
    }
    if listed.is_empty() {
        let root = site.store().root;
        let why = if root.exists() { "" } else { ", which does not exist" };
        return Err(Failure::NothingFound(format!("no session to list in {}{why}", root.display())));
    }
    Ok(())
}

/// Why a file or folder could not be read; none where it merely is not what its name says.
pub(super) fn unreadable(finding: &Finding) -> Option<Error> {
    let is_readable = finding.path.is_dir() && is_session_name(finding.path.as_os_str());
    let is_error = finding.diagnostic.problem == Problem::Unreadable && finding.path.exists();
    (is_error && !is_readable)
        .then(|| Error::new("cannot list", &finding.path, Cause::Other(finding.diagnostic.message.clone())))
}

/// The sessions that are asked for, in pi's order, with what their texts hold of the query; and what could not be read.
fn scanned(args: &Args, site: &Site<'_>, query: &Query) -> (Vec<ScannedRow>, Vec<Error>) {
    let store = site.store();
    let scope = match &args.cwd {
        Some(cwd) => Scope::Folder(site.environment.absolute(cwd)),
        None => Scope::All,
    };
    // People see the start of a prompt, which is kept from scan to scan; programs get all of it.
    let (first_message, kept) =
        if args.json { (FirstMessage::Whole, Kept::Unused) } else { (FirstMessage::Start, Kept::Trusted) };
    let query = (!query.is_empty()).then_some(query);
    let options = ScanOptions { scope: scope.clone(), first_message, query, kept, glimpses: false };
    let (mut sessions, mut errors) = (Vec::new(), Vec::new());
    scan(&store, site.environment, &options, &Cancel::new(), &mut |event| {
        if let ScanEvent::Batch { rows, findings, .. } = event {
            sessions.extend(rows);
            errors.extend(findings.iter().filter_map(unreadable));
        }
    });
    sessions.retain(|row| scope.admits(&store, site.environment, &row.summary));
    sessions.retain(|row| !args.named || row.summary.name.is_some());
    sessions.sort_by_key(|row| row.order);
    sort_recent(&mut sessions, |row| &row.summary);
    (sessions, errors)
}

/// A row of the list and, in the threaded order, its place in its family.
struct Listed<'s> {
    summary: &'s SessionSummary,
    depth: Option<usize>,
    prefix: String,
}

fn listed<'s>(args: &Args, query: &Query, sessions: &'s [ScannedRow]) -> Vec<Listed<'s>> {
    let flat = |at: usize| Listed { summary: &sessions[at].summary, depth: None, prefix: String::new() };
    if args.sort == Order::Threaded && query.is_empty() {
        let family = Family::of(sessions.iter().map(|row| &row.summary));
        let rows = family.rows.iter().enumerate();
        return rows
            .map(|(at, row)| Listed {
                depth: Some(row.depth),
                prefix: family.prefix(at),
                ..flat(row.session)
            })
            .collect();
    }
    let rows: Vec<_> = sessions.iter().map(|row| (&row.summary, &row.hits)).collect();
    let sort = if args.sort == Order::Recent { Sort::Recent } else { Sort::Relevance };
    query.select(&rows, sort).into_iter().map(flat).collect()
}

#[derive(Serialize)]
struct Document<'s> {
    rows: Vec<JsonRow<'s>>,
}

/// A row with pi's values, and what else is known of the file.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonRow<'s> {
    #[serde(flatten)]
    session: JsonSession<'s>,
    size: u64,
    live: bool,
    diagnostics: Vec<JsonDiagnostic>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<usize>,
}

impl<'s> JsonRow<'s> {
    fn of(listed: &Listed<'s>, writers: &Writers, site: &Site<'_>) -> Self {
        let summary = listed.summary;
        Self {
            session: JsonSession::of(summary, site),
            size: summary.size,
            live: writers.liveness_now(summary).is_live(),
            diagnostics: summary.diagnostics.iter().map(JsonDiagnostic::from).collect(),
            depth: listed.depth,
        }
    }
}

/// What pi's own list says of a session.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct JsonSession<'s> {
    path: String,
    id: Option<Json>,
    cwd: &'s str,
    name: Option<&'s str>,
    parent_session: Option<&'s str>,
    created: Option<String>,
    modified: Option<String>,
    message_count: u32,
    first_message: &'s str,
}

impl<'s> JsonSession<'s> {
    pub(super) fn of(summary: &'s SessionSummary, site: &Site<'_>) -> Self {
        Self {
            path: site.environment.absolute(&summary.path).to_string_lossy().into_owned(),
            id: summary.id.as_ref().map(Json::id),
            cwd: &summary.cwd,
            name: summary.name.as_deref(),
            parent_session: summary.parent_session.as_deref(),
            created: summary.created.map(js::iso),
            modified: summary.modified.map(js::iso),
            message_count: summary.message_count,
            first_message: summary.first_message(),
        }
    }
}

fn now() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}

/// One line a session: age, messages, project, title.
fn write_text(listed: &[Listed<'_>], site: &Site<'_>, output: &mut Output<'_>) -> Result<(), Failure> {
    let now = now();
    let lines: Vec<[String; 4]> = listed
        .iter()
        .map(|row| {
            let summary = row.summary;
            let title = format!("{}{}", row.prefix, sanitize::line(summary.title()).trim());
            [
                summary.modified.map_or("?".into(), |modified| age::age(now, modified)),
                age::count(summary.message_count as usize),
                sanitize::line(&shorten_home(&summary.cwd, site.environment.home())).into_owned(),
                Row::new().text(title, Tone::Text).fit(TITLE_COLUMNS).plain(),
            ]
        })
        .collect();
    let widest = |at: usize| lines.iter().map(|line| width::of(&line[at])).max().unwrap_or(0);
    let (ages, counts, projects) = (widest(0), widest(1), widest(2));
    for [age, count, project, title] in &lines {
        let gap = " ".repeat(projects - width::of(project));
        output.line(format!("{age:>ages$}  {count:>counts$}  {project}{gap}  {title}").trim_end())?;
    }
    Ok(())
}
