//! What stands at the right of a tool's line: how the call went, in a few words.

use super::call::Call;
use super::page::line_count;
use crate::format::json::Value;
use crate::format::{Block, Blocks, js};
use crate::present::diff::Diff;
use crate::present::image::ImageFacts;
use crate::present::row::{Row, Tone};
use crate::present::{age, sanitize};

/// As much of an error as is looked at for a line, in UTF-16 units.
const LOOK_UNITS: usize = 64 * 1024;

/// What a successful call yielded: the lines an edit changed, the exit code of a command, a picture, or so many lines.
pub(super) fn success(
    call: &Call<'_>,
    diff: &Diff,
    content: Option<Value<'_>>,
    details: Option<Value<'_>>,
) -> Row {
    let (added, removed) = diff.counts();
    if added + removed > 0 {
        return Row::new()
            .text(format!("+{added}"), Tone::Good)
            .text(" ", Tone::Text)
            .text(format!("−{removed}"), Tone::Bad);
    }
    if let Some(code) = exit_code(details) {
        let tone = if code == 0.0 { Tone::Dim } else { Tone::Warn };
        return Row::new().text(format!("exit {}", js::number(code)), tone);
    }
    let written = if &*call.name == "write" { call.argument("content") } else { None };
    let mut lines = written.map_or(0, line_count);
    for block in Blocks::of(content) {
        match block {
            Block::Image(image) => {
                return Row::new().text(ImageFacts::of(image).to_string(), Tone::Dim);
            }
            Block::Text(Some(text)) if written.is_none() => lines += line_count(text),
            _ => {}
        }
    }
    let words = if lines == 0 { "no output".into() } else { age::counted(lines, "line") };
    Row::new().text(words, Tone::Dim)
}

/// Why a call failed: the exit code, what bash says at the end, or the first line of the message.
pub(super) fn failure(content: Option<Value<'_>>, details: Option<Value<'_>>) -> Row {
    let text = Blocks::of(content)
        .find_map(|block| match block {
            Block::Text(Some(text)) => text.str_prefix(LOOK_UNITS).map(|(text, _)| text),
            _ => None,
        })
        .unwrap_or_default();
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let last = lines().next_back().unwrap_or_default();
    let words = if let Some(code) = last.strip_prefix("Command exited with code ") {
        format!("exit {code}")
    } else if last.starts_with("Command timed out") || last.starts_with("Command aborted") {
        last.to_owned()
    } else if let Some(code) = exit_code(details) {
        format!("exit {}", js::number(code))
    } else {
        lines().next().unwrap_or("error").to_owned()
    };
    Row::new().text(sanitize::line(&words), Tone::Bad)
}

fn exit_code(details: Option<Value<'_>>) -> Option<f64> {
    details?.get_f64("exitCode")
}

/// How long a call took, where its result says so.
pub(super) fn duration(details: Option<Value<'_>>) -> Row {
    let millis = ["durationMs", "duration"].into_iter().find_map(|key| details?.get_f64(key));
    Row::new().text(millis.map(age::duration).unwrap_or_default(), Tone::Dim)
}

/// Figures behind each other; empty ones are left out.
pub(super) fn dotted(figures: impl Iterator<Item = Row>) -> Row {
    figures.filter(|figure| !figure.is_empty()).fold(Row::new(), |row, figure| {
        let dot = if row.is_empty() { "" } else { " · " };
        row.text(dot, Tone::Faint).then(figure)
    })
}
