//! The file format and nothing else: bytes in, entry heads, bodies and diagnostics out.
//!
//! A session file is a list of lines, each holding one JSON object. Reading never fails on content: what
//! cannot be understood costs that line and leaves a [`Diagnostic`] with its number. Nothing here touches
//! the file system or a clock.

pub mod coerce;
mod content;
mod date;
mod diagnostic;
mod head;
mod header;
mod id;
pub mod js;
pub mod json;
mod lines;

pub use content::{Block, Blocks, joined_text, text_blocks};
pub use diagnostic::{Diagnostic, Problem};
pub use head::{
    AssistantHead, CallHead, EntryHead, Kind, MessageHead, Role, ToolPath, Usage, entry_head, is_falsy_line,
    one_line,
};
pub use header::{Header, Version};
pub use id::{EntryId, ParentRef};
pub use lines::{LineReader, RawLine, decode};
