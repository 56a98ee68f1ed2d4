use std::io;

use super::Document;
use super::section::{Part, each_section};
use crate::error::Error;

/// Writes a document as plain text: a line for everyone who speaks, what they say as it was written, outputs indented.
///
/// # Errors
/// When the file can no longer be read, nobody takes the document, or somebody asks to stop.
pub fn text(of: &Document<'_>, out: &mut dyn io::Write) -> Result<(), Error> {
    let mut say = |words: &str| writeln!(out, "{words}").map_err(|error| of.unwritten(error));
    say(&of.line(&of.title()))?;
    for words in of.about() {
        say(&of.line(&words))?;
    }
    let end = each_section(of, "redacted", |section| {
        if let Some(speaker) = &section.speaker {
            let words: Vec<_> = std::iter::once(speaker).chain(&section.remarks).collect();
            let words: Vec<_> = words.into_iter().map(|words| of.line(words)).collect();
            say(&format!("\n=== {}", words.join(", ")))?;
        }
        section.parts.iter().try_for_each(|part| {
            say("")?;
            say(&written(part, of))
        })
    })?;
    if !end.is_empty() {
        say("\n===")?;
    }
    end.iter().try_for_each(|words| say(words))
}

fn written(part: &Part, of: &Document<'_>) -> String {
    match part {
        Part::Prose(text) => {
            // No line of it looks like one of the document.
            let text = of.text(text).trim().replace("\n===", "\n ===");
            if text.starts_with("===") { format!(" {text}") } else { text }
        }
        Part::Thought(text) => format!("(thought)\n{}", indented(of.text(text).trim())),
        Part::Call(name, about) => format!("[{}] {}", of.line(name), of.line(about)).trim_end().to_owned(),
        Part::Code(code) => {
            let text = indented(of.text(&code.text).trim_end());
            if code.caption.is_empty() { text } else { format!("{}:\n{text}", of.line(&code.caption)) }
        }
        Part::Note(words) => format!("({})", of.line(words).trim()),
    }
}

/// Every line a little further in, so that none of it looks like a line of the document.
fn indented(text: &str) -> String {
    let lines = text.split('\n');
    let lines: Vec<String> =
        lines.map(|line| if line.is_empty() { String::new() } else { format!("    {line}") }).collect();
    lines.join("\n")
}
