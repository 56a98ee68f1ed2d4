use std::io;
use std::path::Path;

use super::{Document, Stamp, html, json, jsonl, markdown, text};
use crate::error::Error;

/// The form of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Markdown, for people.
    Markdown,
    /// One HTML file that needs nothing else, for people.
    Html,
    /// JSON lines: a session that pi opens, or the messages of a context.
    Jsonl,
    /// One JSON text, for programs.
    Json,
    /// Plain text.
    Text,
}

impl Format {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 5] = [Self::Markdown, Self::Html, Self::Jsonl, Self::Json, Self::Text];

    /// Its word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Markdown => "md",
            Self::Html => "html",
            Self::Jsonl => "jsonl",
            Self::Json => "json",
            Self::Text => "text",
        }
    }

    /// What it is for, in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Markdown => "Markdown",
            Self::Html => "HTML",
            Self::Jsonl => "JSON lines",
            Self::Json => "JSON",
            Self::Text => "text",
        }
    }

    /// How files of it end.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Text => "txt",
            format => format.word(),
        }
    }

    /// The format of a file, by how its name ends.
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "markdown" => Some(Self::Markdown),
            "htm" => Some(Self::Html),
            "text" => Some(Self::Text),
            extension => Self::ALL.into_iter().find(|format| format.extension() == extension),
        }
    }

    /// Writes a document in this form.
    ///
    /// # Errors
    /// When the file can no longer be read, nobody takes the document, or somebody asks to stop.
    pub fn write(self, of: &Document<'_>, stamp: &Stamp, out: &mut dyn io::Write) -> Result<(), Error> {
        match self {
            Self::Markdown => markdown(of, out),
            Self::Html => html(of, out),
            Self::Jsonl => jsonl(of, stamp, out),
            Self::Json => json(of, out),
            Self::Text => text(of, out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_known_by_the_end_of_a_name() {
        for (path, format) in [
            ("a.md", Some(Format::Markdown)),
            ("a.b/A.MarkDown", Some(Format::Markdown)),
            ("a.html", Some(Format::Html)),
            ("a.HTM", Some(Format::Html)),
            ("a.jsonl", Some(Format::Jsonl)),
            ("a.json", Some(Format::Json)),
            ("a.txt", Some(Format::Text)),
            ("a.pdf", None),
            ("md", None),
        ] {
            assert_eq!(Format::of_path(Path::new(path)), format, "{path}");
        }
    }
}
