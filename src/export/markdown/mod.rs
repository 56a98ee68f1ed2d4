//! Documents as Markdown, to be read as it is or on a page that shows Markdown.

mod foreign;
mod inline;

use std::io;

use super::Document;
use super::section::{Code, Part, each_section};
use crate::error::Error;
use crate::format::json::Value;
use foreign::harmless;
use inline::{escaped, escaped_html};

/// Outputs of more lines or bytes are folded.
const OPEN_LINES: usize = 20;
const OPEN_BYTES: usize = 4_000;

/// Writes a document as Markdown: a heading for everyone who speaks, texts as they were written, commands and outputs
/// in fences, what is long or was only thought folded.
///
/// # Errors
/// When the file can no longer be read, nobody takes the document, or somebody asks to stop.
pub fn markdown(of: &Document<'_>, out: &mut dyn io::Write) -> Result<(), Error> {
    let mut say = |block: &str| write!(out, "{block}\n\n").map_err(|error| of.unwritten(error));
    say(&format!("# {}", escaped(&of.line(&of.title()))))?;
    say(&of.about().iter().map(|words| escaped(&of.line(words))).collect::<Vec<_>>().join(" · "))?;
    let end = each_section(of, "Redacted", |section| {
        if let Some(speaker) = &section.speaker {
            let words = std::iter::once(speaker).chain(&section.remarks);
            let words: Vec<String> = words.map(|words| escaped(&of.line(words))).collect();
            say(&format!("## {}", words.join(" · ")))?;
        }
        section.parts.iter().try_for_each(|part| say(&written(part, of)))
    })?;
    if end.is_empty() {
        return Ok(());
    }
    write!(out, "---\n\n{}\n", end.join("  \n")).map_err(|error| of.unwritten(error))
}

fn written(part: &Part, of: &Document<'_>) -> String {
    match part {
        Part::Prose(text) => harmless(of.text(text).trim()).into_owned(),
        Part::Thought(text) => folded("Thought", &harmless(of.text(text).trim())),
        Part::Call(name, about) => {
            let about =
                if about.is_empty() { String::new() } else { format!(" {}", escaped(&of.line(about))) };
            format!("**{}**{about}", escaped(&of.line(if name.trim().is_empty() { "a tool" } else { name })))
        }
        Part::Code(code) => shown(code, of),
        Part::Note(words) => format!("*{}*", escaped(of.line(words).trim())),
    }
}

/// Code under its caption; folded where it is long.
fn shown(code: &Code, of: &Document<'_>) -> String {
    let text = of.text(&code.text);
    let fence = fenced(&text, &code.language);
    let lines = text.trim_end().lines().count();
    let caption = of.line(&code.caption);
    match &*caption {
        "" => fence,
        caption if lines > OPEN_LINES || text.len() > OPEN_BYTES => {
            folded(&format!("{caption}, {}", crate::present::age::counted(lines, "line")), &fence)
        }
        caption => format!("{}:\n\n{fence}", escaped(caption)),
    }
}

/// A block that opens on a click. The blank lines part HTML from Markdown.
fn folded(summary: &str, content: &str) -> String {
    format!("<details>\n<summary>{}</summary>\n\n{content}\n\n</details>", escaped_html(summary))
}

/// What a tool call runs: the command of a shell, the arguments of any other tool as JSON.
pub fn command_of(call: Value<'_>) -> String {
    let arguments = call.get("arguments").or_else(|| call.get("input"));
    let command = arguments.and_then(|arguments| arguments.get_str("command"));
    command.map_or_else(|| arguments.map(Value::to_json).unwrap_or_default(), std::borrow::Cow::into_owned)
}

/// A text in a code fence longer than any run of backticks inside. A language that is no word is left out.
pub fn fenced(text: &str, language: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat((longest + 1).max(3));
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '_' | '#');
    let language = if language.len() <= 20 && language.chars().all(is_word) { language } else { "" };
    format!("{fence}{language}\n{}\n{fence}", text.trim_end_matches('\n'))
}

#[cfg(test)]
mod tests;
