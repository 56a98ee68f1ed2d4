//! Reads, understands and shows the sessions of the pi coding agent.
//!
//! pi keeps every conversation as a file of JSON lines in which each line names its parent: a tree with
//! branches, labels and compactions. This crate reads such files as they are, damaged ones included; tells what
//! the tree looks like and what the model would be sent at any point of it; and shows all of that in a terminal.
//! Reading never changes a byte of them; what changes them goes through [`edit`]. The program `piscope` is a thin
//! wrapper around it.
//!
//! # Example
//!
//! Open a session, print its tree, build its context:
//!
//! ```
//! use piscope::session::{LeafArg, Outline, OutlineView, Session};
//!
//! # fn main() -> Result<(), piscope::error::Error> {
//! let session = Session::open("tests/fixtures/samples/v3-branches.jsonl")?;
//!
//! let view = OutlineView { leaf: session.current_leaf(), ..OutlineView::default() };
//! let outline = Outline::build(&session, view)?;
//! for row in &outline.rows {
//!     let indent = "   ".repeat(outline.depth(row) as usize);
//!     println!("{indent}{}", session.row_text(&outline, row, None).joined());
//! }
//!
//! let context = session.context(&LeafArg::Current);
//! for item in &context.items {
//!     if let Some(message) = session.sent(item)? {
//!         println!("{}: about {} tokens", message.from, message.tokens);
//!     }
//! }
//! assert_eq!(session.name(), Some("Branchy"));
//! # Ok(())
//! # }
//! ```
//!
//! # The screen, and where it comes from
//!
//! ```text
//! piscope  ~/work/api › Refactor auth module › branch 1 of 2       12.4k tok  $0.38   tui::draw::chrome
//!
//! ─ Sessions all · threaded ── 18 ─ ─ Tree default ─── 6/14 ─ ─ Messages stored ─ 34% ─
//!
//!  ~/work/api                  14     • user: add login …      ▎ you              14:02
//! ▌  Refactor auth module   62 2h     • assistant: I'll …      ▎ use cookies, keep it …
//!    ├─ try sessions        18 1h     ├⊟ • user: use co…
//!    └─ jwt variant     ⚠   31 1h     │     • [edit: src…      ▎ assistant  high · 14:02
//!                                     └↳ jwt variant  fork       ▸ read src/auth.rs
//!  app::sessions                      app::tree                 app::messages
//!  store::{scan, Family, Query}       session::Outline          session::Context
//!                                     present::outline          present::transcript
//!
//! enter read  tab pane  / find  ? help            5,000 sessions   app::keymap
//! ```
//!
//! # Map
//!
//! | module | holds | may use |
//! |---|---|---|
//! | [`error`], [`cancel`] | an act, a path and a cause; a flag that ends work early | nothing of ours |
//! | [`format`](mod@format) | lines, JSON as pi accepts it, entry heads, diagnostics | nothing of ours |
//! | [`session`] | one file: index, tree, outline, labels, context, totals | `format` |
//! | [`store`] | the folder: where it is, its rows, fork families, queries, costs | `session`, `format` |
//! | [`edit`] | every write: labels, names, forks, deletions, and [pi's `SessionManager`](edit::manager) | `store`, `session` |
//! | [`present`] | values as rows of text with tones, wrapped and sanitised | `session`, `format` |
//! | [`edit`] | all that changes session files: labels, names, forks, deletions | `store`, `session`, `format` |
//! | [`config`] | settings: ours, and pi's keys, settings and themes | `store`, `present` |
//! | [`resume`] | going on in pi: where, with which command | `store`, `session` |
//! | [`export`] | a branch or a context as a document | `edit`, `present`, `store`, `session` |
//! | [`cli`] | the commands | all above |
#![cfg_attr(feature = "tui", doc = "| [`app`] | state and decisions of the screen | all above but `cli` |")]
#![cfg_attr(
    feature = "tui",
    doc = "| [`jobs`] | the work that waits for the disk | `app` and what it uses |"
)]
#![cfg_attr(feature = "tui", doc = "| [`tui`] | the terminal: events, lanes, theme, drawing | everything |")]

#[cfg(feature = "tui")]
pub mod app;
pub mod cancel;
pub mod cli;
pub mod config;
pub mod edit;
pub mod error;
pub mod export;
pub mod format;
#[cfg(feature = "tui")]
pub mod jobs;
pub mod present;
pub mod resume;
pub mod session;
pub mod store;
#[cfg(feature = "tui")]
pub mod tui;
