//! A document as one HTML file that needs nothing else: no script, nothing from elsewhere.
//!
//! Markup comes from literals of this program only ([`Html::markup`] takes nothing else); what a file says is escaped
//! wherever it stands. Addresses are links where a browser or a mailer opens them, pictures are shown where they are
//! what they say they are, and a policy in the head forbids everything else.

mod call;
mod code;
mod content;
mod entry;
mod markdown;
mod markup;
mod message;
mod note;
mod page;
mod picture;
mod tree;

pub use page::html;

use markup::Html;

use super::{Document, Redactor};

/// A text on one line that repeats what the document tells elsewhere, and that may be cut. What is masked in it is not
/// counted again; where it is cut its last word goes, which may be a part of a secret that is not known as one.
fn gist(of: &Document<'_>, text: &str) -> String {
    if of.redact.is_none() {
        return of.line(text).into_owned();
    }
    let uncounted = Redactor::default();
    let of = Document { redact: Some(&uncounted), ..*of };
    let is_cut = ["…", "...", "...]"].iter().any(|cut| text.ends_with(cut));
    let whole = text.rfind(' ').filter(|_| is_cut).map_or(text, |blank| &text[..blank]);
    let cut = if is_cut { " …" } else { "" };
    format!("{}{cut}", of.line(whole))
}
