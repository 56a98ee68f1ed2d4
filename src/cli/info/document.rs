use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use super::super::Site;
use super::super::json::{Json, JsonDiagnostic, JsonTokens, JsonUsage};
use super::super::list::JsonSession;
use crate::error::Error;
use crate::format::{EntryId, js};
use crate::session::{Context, ContextTokens, EntryIx, Session};
use crate::store::{SessionSummary, Writers};

/// The newest version of the file format.
const CURRENT_VERSION: f64 = 3.0;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document<'s> {
    path: Cow<'s, str>,
    stored_version: Json,
    header: Json,
    cwd: Cow<'s, str>,
    entry_count: usize,
    entry_lines: usize,
    entry_types: BTreeMap<Box<str>, usize>,
    leaf_id: Option<Json>,
    name: Option<&'s str>,
    labels: Vec<JsonLabel<'s>>,
    tree: Json,
    branches: Vec<JsonBranch>,
    totals: JsonTotals,
    /// The choice noted by pi-web; null where there is none.
    tool_selection: Option<JsonToolSelection<'s>>,
    /// Null unless pi would reopen a branch far shorter than the longest one.
    dead_branch: Option<JsonDeadBranch>,
    /// Null where pi's list does not hold the file.
    row: Option<JsonSession<'s>>,
    /// Whether the session has to be taken as being written.
    live: bool,
    diagnostics: Vec<JsonDiagnostic>,
}

#[derive(Serialize)]
struct JsonToolSelection<'s> {
    tools: &'s [String],
    preset: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonDeadBranch {
    leaf: Json,
    entries: u32,
    longest_leaf: Json,
    longest_entries: u32,
}

#[derive(Serialize)]
struct JsonLabel<'s> {
    target: Json,
    label: &'s str,
    timestamp: Option<Json>,
}

#[derive(Serialize)]
struct JsonBranch {
    leaf: Json,
    path: Vec<Json>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonTotals {
    user_messages: u64,
    assistant_messages: u64,
    tool_calls: u64,
    tool_results: u64,
    total_messages: u64,
    tokens: JsonTokens,
    cost: Json,
    context_usage: JsonContextUsage,
    by_model: Vec<JsonModel>,
    /// What is not on the path to the current leaf; part of the sums.
    abandoned: JsonUsage,
    /// Entries whose numbers are missing or absurd, and count as zero.
    doubtful: u64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonContextUsage {
    tokens: Option<Json>,
    context_window: Option<Json>,
    percent: Option<Json>,
}

#[derive(Serialize)]
struct JsonModel {
    key: String,
    cost: Json,
    tokens: Json,
}

impl<'s> Document<'s> {
    pub(super) fn of(
        session: &'s Session,
        context: &Context,
        row: Option<&'s SessionSummary>,
        window: Option<f64>,
        site: &Site<'_>,
    ) -> Result<Self, Error> {
        let header = session.header();
        Ok(Self {
            path: session.path().to_string_lossy(),
            stored_version: Json::raw(header.version.stored.to_string()),
            header: Json::raw(current_header(session)?),
            cwd: site.environment.working_directory(header),
            entry_count: session.distinct_ids(),
            entry_lines: session.len(),
            entry_types: session.entry_types(),
            leaf_id: session.current_leaf().map(|leaf| Json::id(session.entry_id(leaf))),
            name: session.name(),
            labels: labels(session),
            tree: Json::raw(tree_chains(session)),
            branches: branches(session),
            totals: JsonTotals::of(session, session.context_tokens(context)?, window),
            tool_selection: session
                .tool_selection()
                .map(|selection| JsonToolSelection { tools: &selection.tools, preset: selection.preset() }),
            dead_branch: session.dead_branch().map(|dead| JsonDeadBranch {
                leaf: Json::id(session.entry_id(dead.leaf)),
                entries: dead.current,
                longest_leaf: Json::id(session.entry_id(dead.longest)),
                longest_entries: dead.length,
            }),
            row: row.map(|row| JsonSession::of(row, site)),
            live: row.is_some_and(|row| Writers::look().liveness_now(row).is_live()),
            diagnostics: session.diagnostics().iter().map(JsonDiagnostic::from).collect(),
        })
    }
}

impl JsonTotals {
    fn of(session: &Session, context: ContextTokens, window: Option<f64>) -> Self {
        let totals = session.totals();
        Self {
            user_messages: totals.user_messages,
            assistant_messages: totals.assistant_messages,
            tool_calls: totals.tool_calls,
            tool_results: totals.tool_results,
            total_messages: totals.total_messages,
            tokens: JsonTokens::of(&totals.usage),
            cost: Json::number(totals.usage.cost),
            context_usage: JsonContextUsage {
                tokens: context.known().map(Json::number),
                context_window: window.map(Json::number),
                percent: window.and_then(|window| context.percent(window)).map(Json::number),
            },
            by_model: totals
                .by_model
                .iter()
                .map(|model| JsonModel {
                    key: model.key.clone(),
                    cost: Json::number(model.cost),
                    tokens: Json::number(model.tokens),
                })
                .collect(),
            abandoned: JsonUsage::of(&session.abandoned_usage()),
            doubtful: totals.doubtful,
        }
    }
}

fn labels(session: &Session) -> Vec<JsonLabel<'_>> {
    session
        .labels()
        .iter()
        .map(|label| JsonLabel {
            target: Json::id(&label.target),
            label: &label.text,
            timestamp: label.timestamp.as_deref().map(|timestamp| Json::raw(timestamp.to_owned())),
        })
        .collect()
}

/// The header as pi holds it once the file is open: with the newest version where it was an older one.
fn current_header(session: &Session) -> Result<String, Error> {
    let body = session.header_body()?;
    let is_old = session.header().version.number < CURRENT_VERSION;
    if !is_old {
        return Ok(body.root().to_json());
    }
    let mut members: Vec<String> = Vec::new();
    let mut has_version = false;
    for (key, value) in body.root().members() {
        has_version |= key == "version";
        let value = if key == "version" { js::number(CURRENT_VERSION) } else { value.to_json() };
        members.push(format!("{}:{value}", EntryId::from(&*key).to_json()));
    }
    if !has_version {
        members.push(format!("\"version\":{}", js::number(CURRENT_VERSION)));
    }
    Ok(format!("{{{}}}", members.join(",")))
}

/// The path of every entry that has no child, in the order in which their ids first occur.
fn branches(session: &Session) -> Vec<JsonBranch> {
    let mut seen = HashSet::new();
    session
        .entries()
        .filter_map(|(ix, _)| session.find(session.entry_id(ix)))
        .filter(|&ix| session.links().children(ix).is_empty() && seen.insert(ix))
        .map(|leaf| JsonBranch {
            leaf: Json::id(session.entry_id(leaf)),
            path: session.path_to(Some(leaf)).into_iter().map(|ix| Json::id(session.entry_id(ix))).collect(),
        })
        .collect()
}

/// The tree as chains: a chain is a list of ids from top to bottom; where an entry has several children, the
/// chain ends with one list that holds the children's chains. Written without recursion, since forks can nest
/// as deep as a file is long.
fn tree_chains(session: &Session) -> String {
    enum Step {
        Chain(EntryIx),
        Text(&'static str),
    }
    fn push_chains(chains: &[EntryIx], steps: &mut Vec<Step>) {
        steps.push(Step::Text("]"));
        for (at, &ix) in chains.iter().enumerate().rev() {
            steps.push(Step::Chain(ix));
            if at > 0 {
                steps.push(Step::Text(","));
            }
        }
        steps.push(Step::Text("["));
    }
    let links = session.links();
    let mut out = String::new();
    let mut steps = Vec::new();
    push_chains(links.roots(), &mut steps);
    while let Some(step) = steps.pop() {
        let mut at = match step {
            Step::Text(text) => {
                out.push_str(text);
                continue;
            }
            Step::Chain(ix) => ix,
        };
        out.push('[');
        out.push_str(&session.entry_id(at).to_json());
        while let [child] = links.children(at) {
            at = *child;
            out.push(',');
            out.push_str(&session.entry_id(at).to_json());
        }
        steps.push(Step::Text("]"));
        if !links.children(at).is_empty() {
            push_chains(links.children(at), &mut steps);
            steps.push(Step::Text(","));
        }
    }
    out
}
