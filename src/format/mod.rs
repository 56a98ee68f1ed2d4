//! The file format and nothing else: bytes in, entry heads, bodies and diagnostics out.
//!
//! A session file is a list of lines, each holding one JSON object. Reading never fails on content: what
//! cannot be understood costs that line and leaves a [`Diagnostic`] with its number. Nothing here touches
//! the file system or a clock.

mod call;
pub mod coerce;
mod content;
mod date;
mod date_token;
mod diagnostic;
mod gist;
mod head;
mod header;
mod id;
pub mod js;
mod js_object;
pub mod json;
mod lines;
mod read;
mod shorten;
mod usage;

pub use call::{CallHead, ToolPath};
pub use content::{Block, Blocks, joined_text, text_blocks};
pub use diagnostic::{Diagnostic, Problem};
pub use gist::one_line;
pub use head::{AssistantHead, EntryHead, Kind, MessageHead, Role};
pub use header::{Header, Version};
pub use id::{EntryId, ParentRef};
pub(crate) use js_object::JsObject;
pub use lines::{LineReader, RawLine, decode};
pub use read::{entry_head, is_falsy_line};
pub(crate) use shorten::shorten_result;
pub use usage::{Charge, TOOLS_AND_SUMMARIES, Usage, charge};
pub(crate) use usage::{account_in_words, model_account};
