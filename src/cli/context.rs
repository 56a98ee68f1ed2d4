//! `piscope context`: what the model is sent.

use std::num::NonZeroU32;

use serde::Serialize;

use super::json::Json;
use super::target::Target;
use super::{Failure, Output, Site};
use crate::config::context_window;
use crate::error::Error;
use crate::format::json::Document as JsonText;
use crate::format::{EntryId, js};
use crate::present::details::{prompt_words, tool_words};
use crate::present::{age, sanitize};
use crate::session::{Context, EntryIx, LeafArg, SentMessage, Session, SystemState};

/// The arguments of `piscope context`.
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
    if args.json {
        output.json(&Document::of(&session, &args.target.leaf(), &context, window)?)
    } else {
        args.target.tell_unknown_leaf(&session, output)?;
        write_text(&session, &context, window, output)
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document {
    leaf: Option<Json>,
    leaf_known: bool,
    entries: Vec<Json>,
    /// Null where no message of the context tells, as in older sessions.
    system: Option<JsonSystem>,
    messages: Vec<JsonMessage>,
    omitted: Vec<JsonOmission>,
    model: Option<JsonModel>,
    thinking_level: Box<str>,
    tokens: JsonTokens,
}

#[derive(Serialize)]
struct JsonMessage {
    src: Json,
    from: String,
    role: Option<&'static str>,
    content: Option<Json>,
    /// pi's estimate for this message alone.
    tokens: u64,
    /// The edit that replaced its content.
    edit: Option<Json>,
}

/// The instructions and tools in force.
#[derive(Serialize)]
struct JsonSystem {
    /// The whole prompt: the base, then the sections.
    prompt: String,
    base: String,
    sections: Vec<JsonSection>,
    tools: Vec<JsonTool>,
}

#[derive(Serialize)]
struct JsonSection {
    name: String,
    text: String,
    src: Json,
}

#[derive(Serialize)]
struct JsonTool {
    name: String,
    description: String,
    declaration: Json,
    src: Json,
}

#[derive(Serialize)]
struct JsonOmission {
    id: Json,
    reason: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonModel {
    #[serde(skip_serializing_if = "Option::is_none")]
    provider: Option<Box<str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model_id: Option<Box<str>>,
}

/// The estimate of all messages, and what pi's footer would say: tokens in use, and how many percent of the window that
/// is; null where that is unknown.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonTokens {
    estimate: Json,
    used: Option<Json>,
    percent: Option<Json>,
    context_window: Option<Json>,
}

impl JsonSystem {
    fn of(session: &Session, state: SystemState) -> Self {
        let src = |ix: EntryIx| Json::id(session.entry_id(ix));
        Self {
            prompt: state.prompt(),
            base: state.base,
            sections: state
                .sections
                .into_iter()
                .map(|section| JsonSection {
                    name: section.name,
                    text: section.text,
                    src: src(section.source),
                })
                .collect(),
            tools: state
                .tools
                .into_iter()
                .map(|tool| JsonTool {
                    name: tool.name,
                    description: tool.description,
                    declaration: Json::printed(&tool.declaration),
                    src: src(tool.source),
                })
                .collect(),
        }
    }
}

impl Document {
    fn of(session: &Session, leaf: &LeafArg, context: &Context, window: Option<f64>) -> Result<Self, Error> {
        let in_use = session.context_tokens(context)?;
        let id = |ix: EntryIx| Json::id(session.entry_id(ix));
        Ok(Self {
            leaf: match leaf {
                LeafArg::Id(asked) if !context.is_leaf_known => {
                    Some(Json::id(&EntryId::from(asked.as_str())))
                }
                _ => context.leaf.map(id),
            },
            leaf_known: context.is_leaf_known,
            entries: context.entries.iter().map(|&ix| id(ix)).collect(),
            system: session.system_state(context)?.map(|state| JsonSystem::of(session, state)),
            messages: sent(session, context)?
                .into_iter()
                .map(|message| JsonMessage {
                    src: id(message.source),
                    from: message.from,
                    role: message.role,
                    content: message.role.map(|_| Json::raw(message.content)),
                    tokens: message.tokens,
                    edit: message.edit.map(id),
                })
                .collect(),
            omitted: context
                .omitted
                .iter()
                .map(|&(ix, omission)| JsonOmission { id: id(ix), reason: omission.words(session) })
                .collect(),
            model: context
                .model
                .clone()
                .map(|in_force| JsonModel { provider: in_force.provider, model_id: in_force.model }),
            thinking_level: context.thinking_level.clone(),
            tokens: JsonTokens {
                estimate: Json::number(session.estimated_tokens(context)?),
                used: in_use.known().map(Json::number),
                percent: window.and_then(|window| in_use.percent(window)).map(Json::number),
                context_window: window.map(Json::number),
            },
        })
    }
}

fn sent(session: &Session, context: &Context) -> Result<Vec<SentMessage>, Error> {
    let mut messages = Vec::with_capacity(context.items.len());
    for item in &context.items {
        messages.extend(session.sent(item)?);
    }
    Ok(messages)
}

/// One message after the other, each below a line that names role and source.
fn write_text(
    session: &Session,
    context: &Context,
    window: Option<f64>,
    output: &mut Output<'_>,
) -> Result<(), Failure> {
    let mut count = 0;
    for item in &context.items {
        let Some(message) = session.sent(item)? else { continue };
        let Some(role) = message.role else { continue };
        count += 1;
        let source = session.entry_id(message.source).as_str();
        let origin = if message.from == role { String::new() } else { format!(" from {}", message.from) };
        output.line(&sanitize::line(&format!("--- {role}{origin} {source}")))?;
        output.text(&plain(&message))?;
        output.line("")?;
    }
    let estimate = session.estimated_tokens(context)?;
    let share = match window {
        Some(window) => format!(", {} in use", age::share(session.context_tokens(context)?.share(window))),
        None => String::new(),
    };
    output.line(&format!(
        "--- {}, about {} tokens{share}",
        age::counted(count, "message"),
        age::tokens(estimate)
    ))?;
    let system = session.system_state(context)?;
    output.line(&sanitize::line(&format!("    prompt in force: {}", prompt_words(system.as_ref()))))?;
    output.line(&sanitize::line(&format!("    tools in force: {}", tool_words(system.as_ref()))))?;
    for &(ix, omission) in &context.omitted {
        let line = format!(
            "    not sent: {} {}, {}",
            session.entry(ix).kind.word(),
            session.entry_id(ix),
            omission.words(session)
        );
        output.line(&sanitize::line(&line))?;
    }
    Ok(())
}

/// The content as text; what is no text block stands in brackets.
fn plain(message: &SentMessage) -> String {
    match JsonText::parse(message.content.clone()) {
        Ok(content) => super::show::content_text(Some(content.root())),
        Err(_) => js::trim(&message.content).to_owned(),
    }
}
