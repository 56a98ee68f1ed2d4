//! `piscope tree`: the rows of the tree, as pi's `/tree` lists them.

use std::borrow::Cow;

use serde::Serialize;

use super::forks::{Fork, forks_of};
use super::json::Json;
use super::target::Target;
use super::{Failure, Output, Site};
use crate::error::Error;
use crate::present::pi_tree::{Drawing, PiRow, draw};
use crate::present::sanitize;
use crate::session::{Connector, EntryIx, Filter, Outline, OutlineRow, OutlineView, Session};

/// The width at which pi's lines are drawn for programs, in columns.
const COLUMNS: u16 = 300;

/// The arguments of `piscope tree`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    target: Target,

    /// Which entries to show.
    #[arg(long, value_name = "FILTER", value_parser = filter, default_value = "default", help = FILTER_HELP)]
    filter: Filter,

    /// Only entries in which all these words occur, as pi's tree searches them.
    #[arg(long, value_name = "TEXT", default_value = "", allow_hyphen_values = true)]
    find: String,

    /// The columns at which a line is cut. Text is cut only when asked.
    #[arg(long, value_name = "COLUMNS")]
    width: Option<u16>,

    /// Also show which sessions of the store were split off, and where.
    #[arg(long)]
    forks: bool,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

const FILTER_HELP: &str = "Which entries to show: default, no-tools, user-only, labeled-only or all";

fn filter(word: &str) -> Result<Filter, String> {
    Filter::parse(word).ok_or_else(|| {
        let words: Vec<&str> = Filter::ALL.into_iter().map(Filter::word).collect();
        format!("it is none of {}", words.join(", "))
    })
}

pub(super) fn run(args: &Args, site: &Site<'_>, output: &mut Output<'_>) -> Result<(), Failure> {
    let session = args.target.open(site)?;
    let leaf = session.leaf(&args.target.leaf()).entry;
    let (outline, selected) = searched(&session, leaf, args)?;
    let home = site.environment.home().to_str().filter(|home| !home.is_empty());
    let columns = args.width.or(args.json.then_some(COLUMNS)).map_or(usize::MAX / 2, usize::from);
    let rows = draw(&session, &outline, Drawing { columns, selected, home, in_words: !args.json })?;
    let forks = if args.forks { Some(forks_of(&session, site)?) } else { None };
    if args.json {
        output.json(&Document::of(&session, &outline, selected, rows, forks.as_deref()))?;
    } else {
        args.target.tell_unknown_leaf(&session, output)?;
        write_text(&session, &outline, &rows, forks.as_deref().unwrap_or_default(), output)?;
    }
    if outline.rows.is_empty() {
        return Err(Failure::NothingFound(format!("no entry to show in {}", session.path().display())));
    }
    Ok(())
}

/// The lines of the tree; forks stand below the row of the last entry they share, or of the nearest one above it that
/// is shown.
fn write_text(
    session: &Session,
    outline: &Outline,
    rows: &[PiRow],
    forks: &[Fork],
    output: &mut Output<'_>,
) -> Result<(), Failure> {
    for (at, (drawn, row)) in rows.iter().zip(&outline.rows).enumerate() {
        output.line(sanitize::line(&drawn.line).trim_end())?;
        let here = |fork: &&Fork| fork.at.is_some() && outline.visible_row(session, fork.at) == Some(at);
        for fork in forks.iter().filter(here) {
            let indent = " ".repeat(2 + 3 * outline.depth(row) as usize);
            let title = sanitize::line(fork.summary.title()).into_owned();
            let path = fork.summary.path.to_string_lossy();
            output.line(&format!("{indent}↳ {title}  {}", sanitize::line(&path)))?;
        }
    }
    for fork in forks.iter().filter(|fork| fork.at.is_none()) {
        let path = fork.summary.path.to_string_lossy();
        output.line(&format!("  ↳ {}  {}", sanitize::line(fork.summary.title()), sanitize::line(&path)))?;
    }
    Ok(())
}

/// The rows and the one with the cursor, as if the search had been typed: with every letter the cursor stays on its
/// entry or goes to the nearest one above that is still shown.
fn searched(
    session: &Session,
    leaf: Option<EntryIx>,
    args: &Args,
) -> Result<(Outline, Option<usize>), Error> {
    let mut cursor = leaf;
    let ends = args.find.char_indices().map(|(at, _)| at).chain([args.find.len()]);
    let mut last = None;
    for end in ends {
        let search = args.find[..end].to_owned();
        let view = OutlineView { leaf, filter: args.filter, search, ..OutlineView::default() };
        let outline = Outline::build(session, view)?;
        let selected = outline.nearest_row(session, cursor);
        cursor = selected.map(|at| outline.rows[at].entry).or(cursor);
        last = Some((outline, selected));
    }
    Ok(last.unwrap_or_default())
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'o> {
    leaf_id: Option<Json>,
    filter: &'static str,
    search: &'o str,
    selected: Option<Json>,
    rows: Vec<JsonRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    forks: Option<Vec<JsonFork<'o>>>,
}

/// A session that was split off, and the last entry it shares.
#[derive(Serialize)]
struct JsonFork<'o> {
    path: Cow<'o, str>,
    id: Option<Json>,
    name: Option<&'o str>,
    at: Option<Json>,
}

#[derive(Serialize)]
struct JsonRow {
    id: Json,
    indent: u32,
    connector: Option<&'static str>,
    gutters: Vec<String>,
    active: bool,
    label: Option<String>,
    text: String,
    line: String,
}

impl<'o> Document<'o> {
    fn of(
        session: &Session,
        outline: &'o Outline,
        selected: Option<usize>,
        drawn: Vec<PiRow>,
        forks: Option<&'o [Fork]>,
    ) -> Self {
        let id = |row: &OutlineRow| Json::id(session.entry_id(row.entry));
        Self {
            leaf_id: outline.view.leaf.map(|leaf| Json::id(session.entry_id(leaf))),
            filter: outline.view.filter.word(),
            search: &outline.view.search,
            selected: selected.and_then(|at| outline.rows.get(at)).map(id),
            rows: outline
                .rows
                .iter()
                .zip(drawn)
                .map(|(row, drawn)| JsonRow {
                    id: id(row),
                    indent: row.indent,
                    connector: connector(row.connector),
                    gutters: gutters(outline, row),
                    active: row.is_active,
                    label: drawn.label,
                    text: drawn.text,
                    line: drawn.line,
                })
                .collect(),
            forks: forks.map(|forks| forks.iter().map(|fork| JsonFork::of(session, fork)).collect()),
        }
    }
}

impl<'o> JsonFork<'o> {
    fn of(session: &Session, fork: &'o Fork) -> Self {
        Self {
            path: fork.summary.path.to_string_lossy(),
            id: fork.summary.id.as_ref().map(Json::id),
            name: fork.summary.name.as_deref(),
            at: fork.at.map(|at| Json::id(session.entry_id(at))),
        }
    }
}

fn connector(connector: Connector) -> Option<&'static str> {
    match connector {
        Connector::None => None,
        Connector::Mid => Some("mid"),
        Connector::Last => Some("last"),
    }
}

/// From left to right, the level and whether a bar is drawn there.
fn gutters(outline: &Outline, row: &OutlineRow) -> Vec<String> {
    let mut gutters: Vec<String> = outline
        .gutters(row)
        .map(|gutter| format!("{}{}", gutter.level, if gutter.is_drawn { '|' } else { ' ' }))
        .collect();
    gutters.reverse();
    gutters
}
