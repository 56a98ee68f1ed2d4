//! JSON as pi accepts it, read into a flat tape.
//!
//! pi reads with JavaScript's `JSON.parse`. A strict Rust reader differs from it in four ways that occur in
//! real session files, so this reader follows JavaScript: escapes of lone surrogates, numbers beyond `f64`,
//! nesting of any depth and repeated keys (the last one wins) are all accepted. A lone surrogate becomes
//! U+FFFD, which keeps lengths in UTF-16 units as they were.
//!
//! A [`Tape`] is a vector of nodes over the text it was read from. It holds no strings and no boxes, so its
//! size follows the number of values, parsing and dropping never recurse, and a 50 MB string costs 16 bytes.

mod escape;
mod flaw;
mod print;
mod reader;
mod scan;
mod tape;
#[cfg(test)]
mod tests;
mod value;

pub use flaw::{Flaw, Invalid};
pub use tape::{Document, Tape};
pub use value::{Items, Shape, Value};
