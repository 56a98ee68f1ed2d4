//! A branch, or what the model is sent at its end, as a document that needs neither pi nor this program.
//!
//! Documents are written piece by piece: bodies are read one by one, so that memory does not follow the size of the
//! file. What comes from the file is hostile: every text goes through [`Document::text`], which makes it harmless and
//! masks secrets where that is wanted.

mod document;
mod file;
mod format;
mod html;
mod json;
mod markdown;
mod name;
mod redact;
mod section;
mod text;

pub use document::{Document, DocumentKind, Passage, Tally};
pub use file::{Existing, write_file};
pub use format::Format;
pub use html::html;
pub use json::{Stamp, json, jsonl};
pub use markdown::{command_of, fenced, markdown};
pub use name::file_name;
pub use redact::{Redactor, Secret};
pub use text::text;
