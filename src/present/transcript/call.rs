use std::borrow::Cow;

use crate::format::js;
use crate::format::json::Value;
use crate::present::row::{Row, Span, Tone};
use crate::present::sanitize;

/// As much of an argument as a line can show, in UTF-16 units.
const LINE_UNITS: usize = 400;

/// A tool call in either of its two shapes (`id`, `name`, `arguments`; `toolCallId`, `toolName`, `input`).
#[derive(Clone)]
pub(crate) struct Call<'v> {
    /// The tool.
    pub(crate) name: Cow<'v, str>,
    /// What it is called with.
    pub(crate) arguments: Option<Value<'v>>,
}

impl<'v> Call<'v> {
    pub(super) fn of(call: Value<'v>) -> Self {
        let either = |new: &str, old: &str| call.get_some(new).or_else(|| call.get_some(old));
        Self {
            name: either("toolName", "name").and_then(Value::as_str).unwrap_or("tool".into()),
            arguments: either("input", "arguments"),
        }
    }

    /// The id that a result refers to.
    pub(super) fn id(call: Value<'v>) -> Cow<'v, str> {
        let id = call.get_some("toolCallId").or_else(|| call.get_some("id"));
        id.and_then(Value::as_str).unwrap_or_default()
    }

    /// An argument that is there and not null.
    pub(crate) fn argument(&self, key: &str) -> Option<Value<'v>> {
        self.arguments.and_then(|arguments| arguments.get_some(key))
    }

    /// The path it works on, with the home directory shortened.
    fn path(&self, home: Option<&str>) -> String {
        let path = self.argument("path").or_else(|| self.argument("file_path"));
        shortened(&path.map(start_of).unwrap_or_default(), home)
    }

    /// Whether its summary is a path.
    pub(super) fn is_about_a_path(&self) -> bool {
        matches!(&*self.name, "read" | "write" | "edit" | "ls")
    }

    /// What it does, on one line.
    pub(crate) fn summary(&self, home: Option<&str>) -> Row {
        // Of a result without a call only the name is known.
        if self.arguments.is_none() {
            return Row::new();
        }
        let text = |key: &str| self.argument(key).map(start_of).unwrap_or_default();
        let place = || {
            let path = self.path(home);
            if path.is_empty() { ".".into() } else { path }
        };
        let words = match &*self.name {
            "read" => format!("{}{}", self.path(home), self.line_range()),
            "write" | "edit" => self.path(home),
            "bash" => text("command"),
            "grep" => format!("/{}/ in {}", text("pattern"), place()),
            "find" => format!("{} in {}", text("pattern"), place()),
            "ls" => place(),
            _ => return self.members(),
        };
        Row::new().text(words, Tone::Tool)
    }

    /// The lines a read asks for, as `:5-14`.
    fn line_range(&self) -> String {
        let number = |key: &str| self.argument(key).and_then(Value::as_f64);
        match (number("offset"), number("limit")) {
            (None, None) => String::new(),
            (offset, None) => format!(":{}", js::number(offset.unwrap_or(1.0))),
            (offset, Some(limit)) => {
                let start = offset.unwrap_or(1.0);
                format!(":{}-{}", js::number(start), js::number(start + limit - 1.0))
            }
        }
    }

    /// Arguments of a tool that is not known, as `key value`.
    fn members(&self) -> Row {
        let mut row = Row::new();
        let Some(arguments) = self.arguments else { return row };
        if !arguments.is_object() {
            return row.text(start_of(arguments), Tone::Tool);
        }
        for (key, value) in arguments.members().into_iter().take(8) {
            row.push(Span::new(if row.is_empty() { "" } else { "  " }, Tone::Text));
            row.push(Span::new(format!("{} ", sanitize::line(&key)), Tone::Faint));
            row.push(Span::new(start_of(value), Tone::Tool));
        }
        row
    }
}

/// The start of a value on one line: a string as it is, anything else as JSON.
fn start_of(value: Value<'_>) -> String {
    let text = match value.str_prefix(LINE_UNITS) {
        Some((text, true)) => text,
        Some((text, false)) => format!("{text}…"),
        None => {
            let json = value.stringify_prefix(LINE_UNITS);
            match js::cut(&json, LINE_UNITS) {
                (head, false) => format!("{head}…"),
                (_, true) => json,
            }
        }
    };
    sanitize::line(text.trim()).into_owned()
}

fn shortened(path: &str, home: Option<&str>) -> String {
    match home.and_then(|home| path.strip_prefix(home)) {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("~{rest}"),
        _ => path.to_owned(),
    }
}
