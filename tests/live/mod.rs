//! The real pi at the other end of a pipe, and random session files to ask it about.

mod dates;
mod dice;
mod generate;
mod messages;
mod oracle;

pub(crate) use dates::date_text;
pub(crate) use dice::Dice;
pub(crate) use generate::session;
pub(crate) use oracle::Oracle;
