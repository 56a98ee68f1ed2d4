//! Documents for programs: one JSON text, or JSON lines.

mod lines;
mod masked;

use std::io;

use super::{Document, DocumentKind, Tally};
use crate::error::Error;
use crate::format::json::Document as JsonText;
use crate::format::{JsObject, charge, js};
use crate::session::{ContextItem, SentMessage};
pub use lines::{Stamp, jsonl};
pub(super) use masked::masked;

/// Writes a document as one JSON text. Values are those of the file; what no text may hold is escaped.
///
/// # Errors
/// When the file can no longer be read, nobody takes the document, or somebody asks to stop.
pub fn json(of: &Document<'_>, out: &mut dyn io::Write) -> Result<(), Error> {
    let mut say = |text: &str| out.write_all(clean(text).as_bytes()).map_err(|error| of.unwritten(error));
    let (kind, list) = match of.kind {
        DocumentKind::Branch => ("branch", "entries"),
        DocumentKind::Context(_) => ("context", "messages"),
    };
    let leaf = of.entries.last().map_or("null".to_owned(), |&leaf| of.session.entry_id(leaf).to_json());
    let leaf = match of.kind {
        DocumentKind::Branch => leaf,
        DocumentKind::Context(context) => {
            context.leaf.map_or("null".to_owned(), |leaf| of.session.entry_id(leaf).to_json())
        }
    };
    let session = JsObject::default()
        .with_text("id", of.session.id())
        .with_text("path", &of.session.path().to_string_lossy())
        .with_some_text("name", of.session.name().map(|name| mask(of, name)).as_deref())
        .with_some_text("cwd", of.session.header().cwd.as_deref());
    say(&format!("{{\"session\":{},\"kind\":\"{kind}\",\"leaf\":{leaf},\"{list}\":[", session.print()))?;
    let mut tally = Tally::default();
    let mut between = "\n";
    let mut each = |item: String| {
        say(&format!("{between}{item}"))?;
        between = ",\n";
        Ok(())
    };
    match of.kind {
        DocumentKind::Branch => {
            for (at, &entry) in of.entries.iter().enumerate() {
                of.check()?;
                let body = of.session.body(entry)?;
                tally.add_some(charge(body.root()).map(|charge| charge.usage).as_ref());
                each(masked(body.root(), of.redact))?;
                (of.progress)(at + 1);
            }
        }
        DocumentKind::Context(context) => {
            for (at, item) in context.items.iter().enumerate() {
                of.check()?;
                if let Some(message) = sent(of, item)? {
                    each(message)?;
                }
                (of.progress)(at + 1);
            }
        }
    }
    let mut end = String::from("\n]");
    if matches!(of.kind, DocumentKind::Branch) {
        end.push_str(&format!(",\"totals\":{}", totals(&tally)));
    }
    if let Some(redactor) = of.redact {
        let each = |(kind, count): (&str, usize)| format!("{{\"kind\":\"{kind}\",\"count\":{count}}}");
        let counts: Vec<String> = redactor.counts().into_iter().map(each).collect();
        end.push_str(&format!(",\"redacted\":[{}]", counts.join(",")));
    }
    say(&format!("{end}}}\n"))
}

/// A message as it is sent: where it comes from, its role before and after, its content.
fn sent(of: &Document<'_>, item: &ContextItem) -> Result<Option<String>, Error> {
    let Some(message) = of.session.sent(item)? else { return Ok(None) };
    let SentMessage { source, from, role, content, .. } = message;
    let content = match JsonText::parse(content) {
        Ok(content) => masked(content.root(), of.redact),
        Err(_) => "null".into(),
    };
    let object = JsObject::default()
        .with("src", of.session.entry_id(source).to_json())
        .with_text("from", &from)
        .with("role", role.map_or("null".to_owned(), |role| format!("\"{role}\"")));
    Ok(Some(object.with("content", content).print()))
}

fn mask(of: &Document<'_>, text: &str) -> String {
    of.redact.map_or_else(|| text.to_owned(), |redactor| redactor.mask(text).into_owned())
}

fn totals(tally: &Tally) -> String {
    let usage = &tally.usage;
    let tokens = JsObject::default()
        .with("input", js::number(usage.input))
        .with("output", js::number(usage.output))
        .with("cacheRead", js::number(usage.cache_read))
        .with("cacheWrite", js::number(usage.cache_write))
        .with("total", js::number(usage.tokens()));
    JsObject::default()
        .with("tokens", tokens.print())
        .with("cost", js::number(usage.cost))
        .with("doubtful", tally.doubtful.to_string())
        .print()
}

/// JSON in which what is no clean text is escaped. Outside of strings there is none of it.
fn clean(json: &str) -> std::borrow::Cow<'_, str> {
    let is_dirty = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    if !json.contains(is_dirty) {
        return json.into();
    }
    let mut out = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if is_dirty(c) {
            out.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    out.into()
}
