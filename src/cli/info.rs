//! `piscope info`: everything about one file.

mod document;

use std::borrow::Cow;
use std::num::NonZeroU32;

use jiff::Timestamp;

use super::list::TITLE_COLUMNS;
use super::target::Target;
use super::{Failure, Output, Site};
use crate::config::context_window;
use crate::present::details::{Detail, DetailsOf, Surroundings, details};
use crate::present::{Row, Tone, sanitize};
use crate::store::{FirstMessage, SessionSummary, summarize};
use document::Document;

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
        output.line(&Row::new().text(sanitize::line(title), Tone::Text).fit(TITLE_COLUMNS).plain())?;
        output.line("")?;
        let surroundings = Surroundings {
            modified: row.as_ref().and_then(|row| row.modified),
            is_cwd_gone: row.as_ref().and_then(|row| row.cwd_gone) == Some(true),
            ..Surroundings::default()
        };
        let list = details(&DetailsOf {
            session: &session,
            context: &context,
            window,
            surroundings: &surroundings,
            now: Timestamp::now().as_millisecond(),
            zone: site.environment.zone(),
        })?;
        write_text(&list, output)
    }
}

/// Names and values, those below one heading aligned.
fn write_text(list: &[Detail], output: &mut Output<'_>) -> Result<(), Failure> {
    let is_heading = |detail: &&Detail| matches!(detail, Detail::Heading(_));
    let mut rest = list;
    while !rest.is_empty() {
        let fields: Vec<(&str, Cow<'_, str>)> = rest
            .iter()
            .map_while(|detail| match detail {
                Detail::Field { name, value, .. } => Some((&**name, value.into())),
                Detail::Heading(_) => None,
            })
            .collect();
        output.fields(&fields)?;
        rest = &rest[fields.len()..];
        if let Some(Detail::Heading(words)) = rest.first().filter(is_heading) {
            output.line(&format!("\n{words}"))?;
            rest = &rest[1..];
        }
    }
    Ok(())
}
