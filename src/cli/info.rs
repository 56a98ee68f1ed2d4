//! `piscope info`: everything about one file.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use jiff::tz::TimeZone;
use serde::Serialize;

use super::json::{Json, JsonDiagnostic};
use super::target::Target;
use super::{Failure, Output, Site};
use crate::error::Error;
use crate::format::{EntryId, Header, Usage, js};
use crate::present::{age, sanitize};
use crate::session::{Context, ContextTokens, EntryIx, Session, SystemState, Totals};
use crate::store::is_windows_path;

/// The arguments of `piscope info`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    target: Target,

    /// The model's context window in tokens, for the percentage in use.
    #[arg(long, value_name = "TOKENS")]
    context_window: Option<u32>,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, site: &Site<'_>, output: &mut Output<'_>) -> Result<(), Failure> {
    let session = args.target.open(site)?;
    let context = session.context(&args.target.leaf());
    let window = args.context_window.map(f64::from);
    if args.json {
        output.json(&Document::of(&session, &context, window, site)?)
    } else {
        Text { session: &session, context: &context, window }.write(output)
    }
}

/// The newest version of the file format.
const CURRENT_VERSION: f64 = 3.0;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'s> {
    path: Cow<'s, str>,
    stored_version: Json,
    header: Json,
    cwd: Cow<'s, str>,
    entry_count: usize,
    entry_lines: usize,
    entry_types: BTreeMap<&'s str, usize>,
    leaf_id: Option<Json>,
    name: Option<&'s str>,
    labels: Vec<JsonLabel<'s>>,
    tree: Json,
    branches: Vec<JsonBranch>,
    totals: JsonTotals,
    diagnostics: Vec<JsonDiagnostic>,
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
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonTokens {
    input: Json,
    output: Json,
    cache_read: Json,
    cache_write: Json,
    total: Json,
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
    fn of(
        session: &'s Session,
        context: &Context,
        window: Option<f64>,
        site: &Site<'_>,
    ) -> Result<Self, Error> {
        let header = session.header();
        Ok(Self {
            path: session.path().to_string_lossy(),
            stored_version: Json::raw(header.version.stored.to_string()),
            header: Json::raw(current_header(session)?),
            cwd: working_directory(header, site),
            entry_count: session.distinct_ids(),
            entry_lines: session.len(),
            entry_types: session.entry_types(),
            leaf_id: session.current_leaf().map(|leaf| Json::id(session.entry_id(leaf))),
            name: session.name(),
            labels: labels(session),
            tree: Json::raw(tree_chains(session)),
            branches: branches(session),
            totals: JsonTotals::of(&session.totals(), session.context_tokens(context)?, window),
            diagnostics: session.diagnostics().iter().map(JsonDiagnostic::from).collect(),
        })
    }
}

impl JsonTotals {
    fn of(totals: &Totals, context: ContextTokens, window: Option<f64>) -> Self {
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
        }
    }
}

impl JsonTokens {
    fn of(usage: &Usage) -> Self {
        Self {
            input: Json::number(usage.input),
            output: Json::number(usage.output),
            cache_read: Json::number(usage.cache_read),
            cache_write: Json::number(usage.cache_write),
            total: Json::number(usage.tokens()),
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

/// The directory in which pi would run the session: the header's, else that of this process. A Windows path is
/// left as it is written.
fn working_directory<'s>(header: &'s Header, site: &Site<'_>) -> Cow<'s, str> {
    match header.cwd.as_deref() {
        Some(cwd) if is_windows_path(cwd) => cwd.into(),
        Some(cwd) => site.environment.absolute(cwd).to_string_lossy().into_owned().into(),
        None => site.environment.cwd().to_string_lossy().into_owned().into(),
    }
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

/// The same for people.
struct Text<'s> {
    session: &'s Session,
    context: &'s Context,
    window: Option<f64>,
}

impl Text<'_> {
    fn write(&self, output: &mut Output<'_>) -> Result<(), Failure> {
        let session = self.session;
        let totals = session.totals();
        let tokens = session.context_tokens(self.context)?;
        let system = session.system_state(self.context)?;
        output.line(&sanitize::line(session.name().unwrap_or("(no name)")))?;
        output.line("")?;
        let id = |ix: Option<EntryIx>| ix.map_or("", |ix| session.entry_id(ix).as_str());
        let header = session.header();
        output.fields(&[
            ("file", session.path().to_string_lossy()),
            ("id", session.id().into()),
            ("cwd", header.cwd.as_deref().unwrap_or("unknown").into()),
            ("version", header.version.stored.as_ref().into()),
            ("created", created(header).into()),
            ("parent", header.parent_session.as_deref().unwrap_or_default().into()),
            ("size", age::bytes(session.length()).into()),
            ("entries", entries(session, &totals).into()),
            ("branches", age::count(branches(session).len()).into()),
            ("leaf", id(session.current_leaf()).into()),
            ("tokens", spent(&totals.usage).into()),
            ("cost", age::cost(totals.usage.cost).into()),
            ("context", self.in_use(tokens).into()),
            ("model", self.model().into()),
            ("thinking", self.context.thinking_level.as_ref().into()),
            ("prompt", prompt(system.as_ref()).into()),
            ("tools", tools(system.as_ref()).into()),
        ])?;
        write_models(&totals, output)?;
        self.write_labels(output)?;
        self.write_diagnostics(output)
    }

    fn in_use(&self, tokens: ContextTokens) -> String {
        let Some(count) = tokens.known() else { return "unknown until the next answer".into() };
        match self.window.and_then(|window| tokens.percent(window).zip(Some(window))) {
            Some((percent, window)) => {
                format!("{} tokens, {percent:.1} % of {}", age::tokens(count), age::tokens(window))
            }
            None => format!("{} tokens", age::tokens(count)),
        }
    }

    fn model(&self) -> String {
        let Some(model) = &self.context.model else { return String::new() };
        let part = |part: &Option<Box<str>>| part.as_deref().unwrap_or("unknown").to_owned();
        format!("{}/{}", part(&model.provider), part(&model.model))
    }

    fn write_labels(&self, output: &mut Output<'_>) -> Result<(), Failure> {
        if self.session.labels().is_empty() {
            return Ok(());
        }
        output.line("\nlabels")?;
        let rows: Vec<(&str, Cow<'_, str>)> =
            self.session.labels().iter().map(|label| (label.target.as_str(), (*label.text).into())).collect();
        output.fields(&rows)
    }

    fn write_diagnostics(&self, output: &mut Output<'_>) -> Result<(), Failure> {
        if self.session.diagnostics().is_empty() {
            return Ok(());
        }
        output.line("\ndamage")?;
        for diagnostic in self.session.diagnostics() {
            output.line(&format!("  {}", sanitize::line(&diagnostic.to_string())))?;
        }
        Ok(())
    }
}

fn write_models(totals: &Totals, output: &mut Output<'_>) -> Result<(), Failure> {
    if totals.by_model.is_empty() {
        return Ok(());
    }
    output.line("\nspent on")?;
    let rows: Vec<(&str, Cow<'_, str>)> = totals
        .by_model
        .iter()
        .map(|model| {
            (
                model.key.as_str(),
                format!("{:>6}  {}", age::tokens(model.tokens), age::cost(model.cost)).into(),
            )
        })
        .collect();
    output.fields(&rows)
}

fn created(header: &Header) -> String {
    let zone = TimeZone::system();
    header
        .created()
        .and_then(|at| Some(format!("{} {}", age::date(at, &zone)?, age::clock(at, &zone)?)))
        .unwrap_or_default()
}

fn entries(session: &Session, totals: &Totals) -> String {
    format!(
        "{}: {}, {}, {}",
        age::count(session.len()),
        age::counted(totals.user_messages as usize, "prompt"),
        age::counted(totals.assistant_messages as usize, "answer"),
        age::counted(totals.tool_results as usize, "tool result"),
    )
}

/// Input is everything read, as in pi's `/session`; where a cache was used, its share stands behind it.
fn spent(usage: &Usage) -> String {
    let read = usage.input + usage.cache_read + usage.cache_write;
    let cached = if usage.cache_read > 0.0 && read > 0.0 {
        format!(" ({:.0} % cached)", usage.cache_read / read * 100.0)
    } else {
        String::new()
    };
    format!("{} in{cached}, {} out", age::tokens(read), age::tokens(usage.output))
}

fn prompt(system: Option<&SystemState>) -> String {
    let Some(system) = system else { return "unknown".into() };
    let names: Vec<&str> = system.sections.iter().map(|section| section.name.as_str()).collect();
    let size = age::counted(js::units(&system.prompt()), "character");
    if names.is_empty() { size } else { format!("{size}, with {}", names.join(", ")) }
}

fn tools(system: Option<&SystemState>) -> String {
    let names: Vec<&str> =
        system.map(|system| system.tools.iter().map(|tool| tool.name.as_str()).collect()).unwrap_or_default();
    match (system, names.is_empty()) {
        (None, _) => String::new(),
        (Some(_), true) => "none".into(),
        (Some(_), false) => names.join(", "),
    }
}
