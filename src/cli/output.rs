use std::borrow::Cow;
use std::io::Write;

use serde::Serialize;

use super::Failure;
use crate::present::{sanitize, width};

/// Where a command writes.
pub(super) struct Output<'a> {
    out: &'a mut dyn Write,
}

impl<'a> Output<'a> {
    /// Writes to `out`.
    pub(super) fn new(out: &'a mut dyn Write) -> Self {
        Self { out }
    }

    /// One JSON document with a line end behind it.
    pub(super) fn json(&mut self, document: &impl Serialize) -> Result<(), Failure> {
        serde_json::to_writer(&mut *self.out, document).map_err(|error| Failure::of_write(error.into()))?;
        self.line("")
    }

    /// A line that is already clean.
    pub(super) fn line(&mut self, text: &str) -> Result<(), Failure> {
        self.bytes(text.as_bytes())?;
        self.bytes(b"\n")
    }

    /// Bytes exactly as they are.
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.out.write_all(bytes).map_err(Failure::of_write)
    }

    /// Where documents go that are written piece by piece.
    pub(super) fn writer(&mut self) -> &mut dyn Write {
        self.out
    }

    /// Text of several lines from a file, sanitised.
    pub(super) fn text(&mut self, text: &str) -> Result<(), Failure> {
        self.line(sanitize::text(text).trim_end_matches('\n'))
    }

    /// Names and values below each other, the values aligned. Both are sanitised; an empty value is left out.
    pub(super) fn fields(&mut self, fields: &[(&str, Cow<'_, str>)]) -> Result<(), Failure> {
        let names: Vec<Cow<'_, str>> = fields.iter().map(|(name, _)| sanitize::line(name)).collect();
        let column = names.iter().map(|name| width::of(name)).max().unwrap_or(0) + 2;
        for (name, (_, value)) in names.iter().zip(fields).filter(|(_, (_, value))| !value.is_empty()) {
            let gap = " ".repeat(column - width::of(name));
            self.line(format!("  {name}{gap}{}", sanitize::line(value)).trim_end())?;
        }
        Ok(())
    }

    pub(super) fn flush(&mut self) -> Result<(), Failure> {
        self.out.flush().map_err(Failure::of_write)
    }
}
