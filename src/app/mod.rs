//! State and decisions, without a terminal.

mod input;
mod key;

pub use input::{Button, Input, Mouse, MouseKind};
pub use key::{Key, KeyName, Modifiers, UnknownKey};
