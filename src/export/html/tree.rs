//! The tree of the session at the side of the document.

use std::collections::HashSet;
use std::io;

use super::entry::anchor;
use super::{Html, gist};
use crate::export::Document;
use crate::present::Tone;
use crate::present::outline::{OutlineLine, OutlineOptions};
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
        let mut row = line.draw(pan, COLUMNS);
        let words = row.spans.iter_mut().filter(|span| span.tone != Tone::Rule);
        words.for_each(|span| span.text = gist(of, &span.text));
        html.row(&row)?;
        html.markup(if is_told { "</a></li>\n" } else { "</span></li>\n" })?;
    }
    html.markup("</ol>\n")
}
