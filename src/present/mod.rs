//! Values made into rows: text with tones, wrapped and sanitised, without a terminal.
//!
//! A [`Row`] is one line of the screen: spans of text, each with a [`Tone`] that the theme turns into a
//! colour. Everything here is a function of its arguments. Text from files passes [`sanitize`] exactly once,
//! on its way into a row, and is measured by [`width`] as the terminal library measures it.

pub mod age;
mod ansi;
mod code;
pub mod costs;
pub mod details;
pub mod diff;
mod highlight;
mod highlight_code;
mod hits;
mod image;
mod json;
mod link;
pub(crate) mod listing;
mod markdown;
mod needle;
pub mod outline;
pub mod pi_tree;
mod row;
pub mod sanitize;
pub mod transcript;
mod walk;
pub mod width;
mod wrap;

mod yaml;

pub use age::Times;
pub(crate) use ansi::{has_controls, output_lines};
pub use code::CodeTones;
pub(crate) use code::{CodeSetter, language_of};
pub use hits::{Hit, hits, hits_within};
#[cfg(feature = "images")]
pub(crate) use image::image_bytes;
pub use image::{CellSize, ImageFacts};
pub use json::{JsonRows, json};
pub use link::Link;
pub(crate) use link::link_addresses;
pub use needle::Needle;
pub use row::{Emphasis, Joint, Row, Span, Tone};
pub use wrap::wrap;
pub(crate) use yaml::yaml;
