use std::collections::BTreeMap;
use std::io::{self, Write as _};

use super::Html;
use super::entry::Entries;
use super::tree::tree;
use crate::error::Error;
use crate::export::{Document, DocumentKind, Redactor, Tally};
use crate::format::js;
use crate::present::age;
use crate::session::{EntryBody, Filter, Outline, OutlineView};

/// What is in force before anything of a file is read: nothing may be loaded, run or sent.
const HEAD: &str = "<!DOCTYPE html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
img-src data:; base-uri 'none'; form-action 'none'\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<meta name=\"color-scheme\" content=\"light dark\">
<meta name=\"referrer\" content=\"no-referrer\">
<meta name=\"generator\" content=\"piscope\">
<title>";

/// How much is unfolded, as the style sheet looks at it.
const VIEWS: &str = "<fieldset class=\"views\"><legend>Show</legend>
<label><input type=\"radio\" name=\"view\" id=\"folded\" checked><span>folded</span></label>
<label><input type=\"radio\" name=\"view\" id=\"unfolded\"><span>everything</span></label>
<label><input type=\"radio\" name=\"view\" id=\"talk\"><span>conversation only</span></label>
</fieldset>
";

/// Writes a document as one HTML file that needs nothing else: light and dark, with the tree of the session at its side,
/// tools and thinking folded, without any script. Entry by entry, so that memory does not follow the size of the file.
///
/// # Errors
/// When the file can no longer be read, nobody takes the document, or somebody asks to stop.
pub fn html(of: &Document<'_>, out: &mut dyn io::Write) -> Result<(), Error> {
    let leaf = match of.kind {
        DocumentKind::Branch => of.entries.last().copied(),
        DocumentKind::Context(context) => context.leaf,
    };
    let view = OutlineView { leaf, filter: Filter::Default, ..OutlineView::default() };
    let outline = Outline::build(of.session, view)?;
    let mut out = io::BufWriter::new(out);
    let written = |result: io::Result<()>| result.map_err(|error| of.unwritten(error));

    let mut entries = Entries::new(of, Html::new(&mut out));
    written(start(&mut entries, &outline))?;
    drop(outline);
    for passage in of.passages() {
        let passage = passage?;
        if let EntryBody::Unknown(word) = &passage.body {
            let line = of.session.body(passage.entry)?;
            written(entries.unknown(passage.entry, word, line.root().source()))?;
        } else {
            written(entries.passage(&passage))?;
        }
    }
    written(end(&mut entries.html, of))?;
    written(out.flush())
}

/// Writes everything up to the first entry.
fn start(entries: &mut Entries<'_, '_>, outline: &Outline) -> io::Result<()> {
    let (of, html) = (entries.of, &mut entries.html);
    let title = of.title();
    let title = of.line(js::trim(&title));
    html.element(HEAD, &title, "</title>\n<style>\n")?;
    html.markup(include_str!("style.css"))?;
    html.markup("</style>\n</head>\n<body>\n<nav aria-label=\"Tree of the session\">\n")?;
    html.markup("<p class=\"brand\"><b>piscope</b> tree of the session</p>\n")?;
    tree(html, of, outline, &entries.told)?;
    html.markup("</nav>\n<main>\n<header class=\"top\">\n")?;
    html.element("<h1>", &title, "</h1>\n")?;
    summary(html, of)?;
    html.markup(VIEWS)?;
    html.markup("</header>\n")
}

/// Writes what there is to know about the whole: where and when, how much, and what it cost.
fn summary(html: &mut Html<'_>, of: &Document<'_>) -> io::Result<()> {
    let session = of.session;
    let mut facts = Vec::new();
    facts.extend(session.header().cwd.as_deref().map(str::to_owned));
    facts.extend(period(of));
    facts.push(age::counted_as(of.entries.len(), "entry", "entries"));
    if let DocumentKind::Branch = of.kind {
        let mut tally = Tally::default();
        of.entries.iter().for_each(|&entry| tally.add_some(session.entry(entry).usage.as_deref()));
        facts.extend(tally.words());
    }
    html.markup("<p class=\"about\">")?;
    for fact in facts.iter().filter(|fact| !fact.is_empty()) {
        html.element("<span>", &of.line(fact), "</span> ")?;
    }
    html.markup("</p>\n")?;
    if let DocumentKind::Context(context) = of.kind {
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, reason) in &context.omitted {
            *reasons.entry(reason.short()).or_default() += 1;
        }
        let reasons: Vec<String> =
            reasons.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
        let left_out =
            if reasons.is_empty() { String::new() } else { format!(" Left out: {}.", reasons.join(", ")) };
        html.element(
            "<p class=\"about\"><b>What the model is sent</b> at the end of this branch.",
            &left_out,
            "</p>\n",
        )?;
    }
    Ok(())
}

/// From when to when.
fn period(of: &Document<'_>) -> Option<String> {
    let times = || of.entries.iter().filter_map(|&entry| of.session.entry(entry).time);
    let (first, last) = (times().min()?, times().max()?);
    let day = |time| age::day(time, of.zone);
    let (from, to) = (day(first)?, day(last)?);
    let clock = |time| age::clock(time, of.zone).unwrap_or_default();
    Some(if from == to {
        format!("{from} {} – {}", clock(first), clock(last))
    } else {
        format!("{from} – {to}")
    })
}

/// Writes everything behind the last entry.
fn end(html: &mut Html<'_>, of: &Document<'_>) -> io::Result<()> {
    html.markup("<footer>")?;
    if let Some(masked) = of.redact.and_then(Redactor::words) {
        html.element("<p>Redacted: ", &masked, "</p>")?;
    }
    html.element(
        "<p>Session ",
        &of.line(of.session.id()),
        " of the pi coding agent, exported by piscope.</p>",
    )?;
    html.markup("</footer>\n</main>\n</body>\n</html>\n")
}
