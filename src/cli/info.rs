//! `piscope info`: everything about one file.

mod document;

use std::borrow::Cow;
use std::num::NonZeroU32;

use jiff::tz::TimeZone;

use super::list::TITLE_COLUMNS;
use super::target::Target;
use super::{Failure, Output, Site};
use crate::config::context_window;
use crate::format::{Header, Usage, account_in_words, js};
use crate::present::{Row, Tone, age, sanitize};
use crate::session::{Context, ContextTokens, EntryIx, Session, SystemState, ToolSelection, Totals};
use crate::store::{FirstMessage, SessionSummary, summarize};
use document::{Document, branches};

/// The arguments of `piscope info`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    target: Target,

    /// The model's context window in tokens, for the percentage in use.
    #[arg(long, value_name = "TOKENS")]
    context_window: Option<NonZeroU32>,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, site: &Site<'_>, output: &mut Output<'_>) -> Result<(), Failure> {
    let session = args.target.open(site)?;
    let context = session.context(&args.target.leaf());
    let window = args.context_window.or_else(|| context_window(site.environment));
    let window = window.map(|tokens| f64::from(tokens.get()));
    let row = summarize(session.path(), site.environment, FirstMessage::Whole).ok();
    if args.json {
        output.json(&Document::of(&session, &context, row.as_ref(), window, site)?)
    } else {
        let title = row.as_ref().map_or(SessionSummary::NO_MESSAGES, SessionSummary::title);
        Text { session: &session, context: &context, title, window }.write(output)
    }
}

/// The same for people.
struct Text<'s> {
    session: &'s Session,
    context: &'s Context,
    title: &'s str,
    window: Option<f64>,
}

impl Text<'_> {
    fn write(&self, output: &mut Output<'_>) -> Result<(), Failure> {
        let session = self.session;
        let totals = session.totals();
        let tokens = session.context_tokens(self.context)?;
        let system = session.system_state(self.context)?;
        output.line(&Row::new().text(sanitize::line(self.title), Tone::Text).fit(TITLE_COLUMNS).plain())?;
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
            ("prompt", prompt_words(system.as_ref()).into()),
            ("tools", tool_words(system.as_ref()).into()),
            ("chosen", session.tool_selection().map(ToolSelection::words).unwrap_or_default().into()),
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
    let names: Vec<String> = totals.by_model.iter().map(|model| account_in_words(&model.key)).collect();
    let rows: Vec<(&str, Cow<'_, str>)> = names
        .iter()
        .zip(&totals.by_model)
        .map(|(name, model)| {
            let spent = format!("{:>6}  {}", age::tokens(model.tokens), age::cost(model.cost));
            (name.as_str(), spent.into())
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
    let read = usage.read();
    let cached = if usage.cache_read > 0.0 && read > 0.0 {
        format!(" ({:.0} % cached)", usage.cache_read / read * 100.0)
    } else {
        String::new()
    };
    format!("{} in{cached}, {} out", age::tokens(read), age::tokens(usage.output))
}

/// The prompt in force in a few words.
pub(super) fn prompt_words(system: Option<&SystemState>) -> String {
    let Some(system) = system else { return "unknown".into() };
    let names: Vec<&str> = system.sections.iter().map(|section| section.name.as_str()).collect();
    let size = age::counted(js::units(&system.prompt()), "character");
    if names.is_empty() { size } else { format!("{size}, with {}", names.join(", ")) }
}

/// The tools in force by name.
pub(super) fn tool_words(system: Option<&SystemState>) -> String {
    let names: Vec<&str> =
        system.map(|system| system.tools.iter().map(|tool| tool.name.as_str()).collect()).unwrap_or_default();
    match (system, names.is_empty()) {
        (None, _) => "unknown".into(),
        (Some(_), true) => "none".into(),
        (Some(_), false) => names.join(", "),
    }
}
