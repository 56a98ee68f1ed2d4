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
