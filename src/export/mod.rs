//! A branch, or what the model is sent at its end, as a document that needs neither pi nor this program.
//!
//! Documents are written piece by piece: bodies are read one by one, so that memory does not follow the size of the
//! file. What comes from the file is hostile: every text goes through [`Document::text`], which makes it harmless and
//! masks secrets where that is wanted.

mod document;
mod html;
mod markdown;
mod redact;

pub use document::{Document, DocumentKind, Passage, Tally};
pub use html::html;
pub use markdown::{command_of, fenced, markdown};
pub use redact::{Redactor, Secret};
