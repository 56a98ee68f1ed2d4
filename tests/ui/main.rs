//! The screen, through the real update, jobs and drawing: stories, every size, and what the README shows.
#![cfg(feature = "tui")]
#![expect(clippy::unwrap_used, unreachable_pub, reason = "a harness and stories, which fail by panicking")]

mod edits;
mod exports;
mod harness;
mod live;
mod messages;
mod messages_moving;
mod places;
mod readme;
mod remembering;
mod screen;
mod search;
mod settings;
mod stories;
mod svg;
mod terminals;
mod understand;
