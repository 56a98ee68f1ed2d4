//! The tree of the session at the side of the document.

use std::collections::HashSet;
use std::io;

use super::Html;
use super::entry::anchor;
use crate::export::{Document, Redactor};
use crate::present::outline::{OutlineLine, OutlineOptions};
use crate::present::{Row, Tone};
use crate::session::{EntryIx, Outline};

/// Columns of a row that are written; what is too wide for the side is cut by the browser.
const COLUMNS: usize = 110;
/// Where text begins further right than this, guides are left out.
const DEEPEST: usize = 45;

/// Writes the rows of the session's tree. Those that the document tells lead to it, the others are dim.
pub(super) fn tree(
    html: &mut Html<'_>,
    of: &Document<'_>,
    outline: &Outline,
    told: &HashSet<EntryIx>,
) -> io::Result<()> {
    // The tree repeats what the document says: what is masked in it is not counted again.
    let uncounted = Redactor::default();
    let of = &Document { redact: of.redact.map(|_| &uncounted), ..*of };
    let options = OutlineOptions { label_times: None, home: None, is_selected: false };
    html.markup("<ol>\n")?;
    for row in &outline.rows {
        let line = OutlineLine::new(of.session, outline, row, &options);
        let pan = line.anchor().saturating_sub(DEEPEST);
        let is_told = told.contains(&row.entry);
        if is_told {
            html.element("<li><a href=\"#", &anchor(row.entry), "\">")?;
        } else {
            html.markup("<li class=\"off\"><span>")?;
        }
        html.row(&masked(of, line.draw(pan, COLUMNS)))?;
        html.markup(if is_told { "</a></li>\n" } else { "</span></li>\n" })?;
    }
    html.markup("</ol>\n")
}

/// A row without secrets. A text that was cut may end in a part of one, so its last word goes.
fn masked(of: &Document<'_>, mut row: Row) -> Row {
    if of.redact.is_none() {
        return row;
    }
    let cuts = ["…", "...", "...]"];
    for span in row.spans.iter_mut().filter(|span| span.tone != Tone::Rule) {
        if cuts.iter().any(|cut| span.text.ends_with(cut)) {
            let end = span.text.trim_end().rfind(' ').map_or(0, |at| at + 1);
            span.text.truncate(end);
            span.text.push('…');
        }
        span.text = of.line(&span.text).into_owned();
    }
    row
}
