//! `piscope stats`: what the sessions of the store have cost.

use std::path::PathBuf;

use jiff::Timestamp;
use serde::Serialize;

use super::json::{Json, JsonTokens, JsonUsage};
use super::list::{TITLE_COLUMNS, unreadable};
use super::progress::Progress;
use super::{Failure, Output, Site};
use crate::cancel::Cancel;
use crate::error::Error;
use crate::format::account_in_words;
use crate::present::costs::stats_remarks;
use crate::present::{Row, Tone, age, sanitize, width};
use crate::store::{
    Day, Kept, Period, ScanEvent, ScanOptions, Scope, SessionSummary, Spent, Stats, StatsBy, StatsFilter,
    StatsKey, StatsRow, StatsSort, keep_distinct_files, moment, scan, shorten_home,
};

/// The arguments of `piscope stats`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What is added up to a row.
    #[arg(long, value_enum, default_value_t = By::Session)]
    by: By,

    /// The order of the rows: cost, except for days, of which the last comes first.
    #[arg(long, value_enum)]
    sort: Option<Sort>,

    /// Only what was used on that day or later: a day such as 2026-11-30, or how long ago, such as 7d, 3w.
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,

    /// Only what was used on that day or before.
    #[arg(long, value_name = "WHEN")]
    until: Option<String>,

    /// Only sessions of this working directory.
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum By {
    /// A session.
    Session,
    /// A working directory.
    Project,
    /// A model.
    Model,
    /// A day, by the clock of this machine.
    Day,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Sort {
    /// The dearest first.
    Cost,
    /// The most tokens first.
    Tokens,
    /// By name.
    Name,
    /// The one last used first.
    Recent,
}

pub(super) fn run(args: &Args, site: &Site<'_>, output: &mut Output<'_>) -> Result<(), Failure> {
    let by = match args.by {
        By::Session => StatsBy::Session,
        By::Project => StatsBy::Project,
        By::Model => StatsBy::Model,
        By::Day => StatsBy::Day,
    };
    let sort = match args.sort {
        Some(Sort::Tokens) => StatsSort::Tokens,
        Some(Sort::Name) => StatsSort::Name,
        Some(Sort::Recent) => StatsSort::Recent,
        None if by == StatsBy::Day => StatsSort::Recent,
        Some(Sort::Cost) | None => StatsSort::Cost,
    };
    let period =
        Period { since: day(args.since.as_deref(), site)?, until: day(args.until.as_deref(), site)? };
    let (sessions, unreadable) = sessions(site);
    let sessions: Vec<&SessionSummary> = sessions.iter().collect();
    let (store, folder) = (site.store(), args.cwd.as_ref().map(|cwd| site.environment.absolute(cwd)));
    let scope = folder.map_or(Scope::All, Scope::Folder);
    let wanted = |session: &SessionSummary| scope.admits(&store, site.environment, session);
    let filter = StatsFilter { period, ..StatsFilter::default() };
    let stats = Stats::of(&sessions, &wanted, by, &filter, sort);
    if args.json {
        let rows = stats.rows.iter().map(|row| JsonRow::of(row, &sessions, site)).collect();
        output.json(&Document { rows, total: JsonTotal::of(&stats) })?;
    } else if !stats.rows.is_empty() {
        write_text(&stats, by, &sessions, site, output)?;
    }
    output.flush()?;
    if !unreadable.is_empty() {
        return Err(Failure::Incomplete(unreadable));
    }
    if stats.rows.is_empty() {
        let root = site.store().root;
        return Err(Failure::NothingFound(format!(
            "no session in {} has used anything then",
            root.display()
        )));
    }
    Ok(())
}

/// The day of a moment somebody typed.
fn day(text: Option<&str>, site: &Site<'_>) -> Result<Option<Day>, Failure> {
    let Some(text) = text else { return Ok(None) };
    let (now, zone) = (Timestamp::now().as_millisecond(), site.environment.zone());
    let day = moment(text, now, zone).and_then(|time| Day::of(time, zone));
    day.map(Some).ok_or_else(|| Failure::Usage(format!("{text:?} is no day")))
}

/// All sessions of the store, each file once, and what could not be read.
fn sessions(site: &Site<'_>) -> (Vec<SessionSummary>, Vec<Error>) {
    let store = site.store();
    let mut progress = Progress::new();
    let (mut all, mut sessions, mut errors) = (0, Vec::new(), Vec::new());
    let options = ScanOptions { kept: Kept::Trusted, ..ScanOptions::default() };
    scan(&store, site.environment, &options, &Cancel::new(), &mut |event| match event {
        ScanEvent::Found { files, .. } => all = files,
        ScanEvent::Batch { rows, findings, files, .. } => {
            progress.tell(&format!("read {} of {}", age::count(files), age::counted(all, "session")));
            sessions.extend(rows);
            errors.extend(findings.iter().filter_map(unreadable));
        }
    });
    sessions.sort_by_key(|row| row.order);
    let mut sessions: Vec<SessionSummary> = sessions.into_iter().map(|row| row.summary).collect();
    keep_distinct_files(&mut sessions, |row| row);
    (sessions, errors)
}

/// What a row is of, in words.
fn name(key: &StatsKey, sessions: &[&SessionSummary], site: &Site<'_>) -> String {
    let shorten = |cwd: &str| match cwd {
        "" => "no folder".to_owned(),
        cwd => shorten_home(cwd, site.environment.home()).into_owned(),
    };
    match key {
        StatsKey::Session(at) => {
            let summary = sessions[*at];
            format!("{}  {}", shorten(&summary.cwd), sanitize::line(summary.title()).trim())
        }
        StatsKey::Project(cwd) => shorten(cwd),
        StatsKey::Model(model) => account_in_words(model),
        StatsKey::Day(Some(day)) => day.to_string(),
        StatsKey::Day(None) => "no date".into(),
    }
}

/// One line a row, and one for all of them.
fn write_text(
    stats: &Stats,
    by: StatsBy,
    sessions: &[&SessionSummary],
    site: &Site<'_>,
    output: &mut Output<'_>,
) -> Result<(), Failure> {
    let line = |name: &str, spent: &Spent| {
        let (total, abandoned) = (spent.total(), spent.abandoned.cost);
        [
            Row::new().text(sanitize::line(name), Tone::Text).fit(TITLE_COLUMNS).plain(),
            age::tokens(total.read()),
            age::tokens(total.output),
            age::cost(total.cost),
            if spent.abandoned.is_zero() { String::new() } else { age::cost(abandoned) },
        ]
    };
    let heading = match by {
        StatsBy::Session => "session",
        StatsBy::Project => "project",
        StatsBy::Model => "model",
        StatsBy::Day => "day",
    };
    let mut lines = vec![[heading, "in", "out", "cost", "abandoned"].map(str::to_owned)];
    lines.extend(stats.rows.iter().map(|row| line(&name(&row.key, sessions, site), &row.spent)));
    lines.push(line(&format!("all of {}", age::counted(stats.sessions, "session")), &stats.total));
    let widths: [usize; 5] =
        std::array::from_fn(|at| lines.iter().map(|line| width::of(&line[at])).max().unwrap_or(0));
    let last = lines.len() - 1;
    for (at, [name, figures @ ..]) in lines.iter().enumerate() {
        let mut text = format!("{name}{}", " ".repeat(widths[0] - width::of(name)));
        for (figure, columns) in figures.iter().zip(&widths[1..]) {
            text.push_str(&format!("  {figure:>columns$}"));
        }
        if at == last {
            output.line("")?;
        }
        output.line(text.trim_end())?;
    }
    for words in stats_remarks(&stats.copied, (stats.doubtful, stats.doubtful_sessions)) {
        output.line(&words)?;
    }
    Ok(())
}

#[derive(Serialize)]
struct Document<'s> {
    rows: Vec<JsonRow<'s>>,
    total: JsonTotal,
}

/// A row: what it is of, and the figures.
#[derive(Serialize)]
struct JsonRow<'s> {
    /// The path, the working directory, the model or the day; null for entries without a time.
    key: Option<String>,
    #[serde(flatten)]
    session: Option<JsonSession<'s>>,
    sessions: usize,
    latest: Option<String>,
    #[serde(flatten)]
    spent: JsonSpent,
}

#[derive(Serialize)]
struct JsonSession<'s> {
    path: String,
    id: Option<Json>,
    name: Option<&'s str>,
    cwd: &'s str,
}

/// Everything, and of that what lies on the paths to the current leaves and what beside them.
#[derive(Serialize)]
struct JsonSpent {
    tokens: JsonTokens,
    cost: Json,
    current: JsonUsage,
    abandoned: JsonUsage,
}

#[derive(Serialize)]
struct JsonTotal {
    sessions: usize,
    #[serde(flatten)]
    spent: JsonSpent,
    /// What forks hold of other sessions, which is in no sum.
    copied: JsonUsage,
    /// Where numbers are missing or absurd, and count as zero.
    doubtful: JsonDoubtful,
}

#[derive(Serialize)]
struct JsonDoubtful {
    entries: usize,
    sessions: usize,
}

impl<'s> JsonRow<'s> {
    fn of(row: &StatsRow, sessions: &[&'s SessionSummary], site: &Site<'_>) -> Self {
        let path = |session: &SessionSummary| {
            site.environment.absolute(&session.path).to_string_lossy().into_owned()
        };
        let session = match row.key {
            StatsKey::Session(at) => Some(sessions[at]),
            _ => None,
        };
        Self {
            key: match &row.key {
                StatsKey::Session(at) => Some(path(sessions[*at])),
                StatsKey::Project(name) | StatsKey::Model(name) => Some(name.to_string()),
                StatsKey::Day(day) => day.map(|day| day.to_string()),
            },
            session: session.map(|session| JsonSession {
                path: path(session),
                id: session.id.as_ref().map(Json::id),
                name: session.name.as_deref(),
                cwd: &session.cwd,
            }),
            sessions: row.sessions,
            latest: row.latest.map(|day| day.to_string()),
            spent: JsonSpent::of(&row.spent),
        }
    }
}

impl JsonTotal {
    fn of(stats: &Stats) -> Self {
        Self {
            sessions: stats.sessions,
            spent: JsonSpent::of(&stats.total),
            copied: JsonUsage::of(&stats.copied),
            doubtful: JsonDoubtful { entries: stats.doubtful, sessions: stats.doubtful_sessions },
        }
    }
}

impl JsonSpent {
    fn of(spent: &Spent) -> Self {
        let JsonUsage { tokens, cost } = JsonUsage::of(&spent.total());
        Self {
            tokens,
            cost,
            current: JsonUsage::of(&spent.current),
            abandoned: JsonUsage::of(&spent.abandoned),
        }
    }
}
