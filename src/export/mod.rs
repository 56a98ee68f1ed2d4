//! A branch as a document that needs neither pi nor this program.

mod markdown;

pub use markdown::{command_of, fenced, markdown};
