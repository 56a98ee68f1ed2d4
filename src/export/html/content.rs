//! Texts and contents, in the ways in which messages show them. Each is made clean and masked on its way.

use std::borrow::Cow;
use std::io;

use super::entry::Entries;
use crate::export::json::masked;
use crate::format::js;
use crate::format::json::{Document as Json, Invalid};
use crate::present::{ImageFacts, Row, Tone, age, has_controls, output_lines, yaml};
use crate::session::message::{Content, ContentBlock};

/// Of so many bytes the start is shown where there is one line for a text.
const PREVIEW: usize = 200;
/// Wider than anything is laid out: lines are wrapped by the browser.
const NO_COLUMNS: usize = 1_000_000;

/// How the texts of a content are set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Setting {
    /// As Markdown.
    Prose,
    /// As they were written.
    Plain,
    /// As what a program printed.
    Output,
}

impl Entries<'_, '_> {
    /// Writes a content: texts, pictures, and whatever else is in it.
    pub(super) fn content(&mut self, content: Option<&Content>, setting: Setting) -> io::Result<()> {
        let is_empty = match content {
            None => true,
            Some(Content::Text(text)) => !self.set(text, setting)?,
            Some(Content::Blocks(blocks)) => {
                let mut is_empty = true;
                for block in blocks {
                    is_empty &= !self.block(block, setting)?;
                }
                is_empty
            }
            Some(Content::Odd(json)) => {
                self.value(json)?;
                false
            }
        };
        match (is_empty, setting) {
            (false, _) => Ok(()),
            (true, Setting::Output) => self.html.markup("<p class=\"remark\">(no output)</p>\n"),
            (true, _) => self.html.markup("<p class=\"remark\">(empty)</p>\n"),
        }
    }

    /// Writes a block that is no call; returns whether there was anything to write.
    pub(super) fn block(&mut self, block: &ContentBlock, setting: Setting) -> io::Result<bool> {
        match block {
            ContentBlock::Text { text, .. } => return self.set(text, setting),
            ContentBlock::Thinking { thinking, redacted, .. } => {
                self.thinking(thinking, *redacted == Some(true))?;
            }
            ContentBlock::Image { data, mime_type, .. } => {
                self.html.picture(&self.image(mime_type, data), data)?;
            }
            ContentBlock::ToolCall(call) => self.value(&call.arguments)?,
            ContentBlock::Odd(json) => self.odd(json)?,
        }
        Ok(true)
    }

    /// Writes a text, unless it is blank; returns whether it was written.
    fn set(&mut self, text: &str, setting: Setting) -> io::Result<bool> {
        if js::is_blank(text) {
            return Ok(false);
        }
        match setting {
            Setting::Prose => self.prose(text)?,
            Setting::Plain => self.plain(text)?,
            Setting::Output => self.output(text)?,
        }
        Ok(true)
    }

    /// Writes Markdown.
    pub(super) fn prose(&mut self, text: &str) -> io::Result<()> {
        let text = self.of.text(text);
        self.html.markup("<div class=\"prose\">\n")?;
        self.html.markdown(&text)?;
        self.html.markup("</div>\n")
    }

    /// Writes a text as it was written.
    pub(super) fn plain(&mut self, text: &str) -> io::Result<()> {
        let text = self.of.text(text);
        self.html.markup("<div class=\"plain\">")?;
        self.html.linked(text.trim_matches('\n').trim_end())?;
        self.html.markup("</div>\n")
    }

    /// Writes what a program printed, in its colours.
    pub(super) fn output(&mut self, text: &str) -> io::Result<()> {
        let text = text.trim_end_matches(['\n', '\r', ' ']);
        self.html.markup("<pre class=\"output\">")?;
        if has_controls(text) {
            self.toned(&output_lines(text, Tone::Text))?;
        } else {
            self.html.linked(&self.of.text(text))?;
        }
        self.html.markup("</pre>\n")
    }

    /// Writes rows in their tones. A secret may reach over several pieces, so the text is masked as a whole; where there
    /// is one the tones are lost.
    pub(super) fn toned(&mut self, rows: &[Row]) -> io::Result<()> {
        if self.of.redact.is_some() {
            let plain = rows.iter().map(Row::plain).collect::<Vec<_>>().join("\n");
            let masked = self.of.text(&plain);
            if masked != plain {
                return self.html.text(&masked);
            }
        }
        self.html.rows(rows)
    }

    /// Writes a value as tidy lines.
    pub(super) fn value(&mut self, json: &str) -> io::Result<()> {
        self.html.markup("<pre class=\"code\">")?;
        match self.masked(json) {
            Ok(json) => self.html.rows(&yaml(json.root(), NO_COLUMNS, usize::MAX).0)?,
            Err(_) => self.html.text(&self.of.text(json))?,
        }
        self.html.markup("</pre>\n")
    }

    /// A value without secrets.
    fn masked(&self, json: &str) -> Result<Json, Invalid> {
        let parsed = Json::parse(json.to_owned())?;
        if self.of.redact.is_none() {
            return Ok(parsed);
        }
        Json::parse(masked(parsed.root(), self.of.redact))
    }

    /// Writes a block of a shape that is not pi's; a picture may be among them.
    fn odd(&mut self, json: &str) -> io::Result<()> {
        let Ok(block) = Json::parse(json.to_owned()) else { return self.value(json) };
        let source =
            block.root().get("source").filter(|_| block.root().get_str("type").as_deref() == Some("image"));
        let source = source.and_then(|source| Some((source.get_str("media_type")?, source.get_str("data")?)));
        match source {
            Some((media_type, data)) => self.html.picture(&self.image(&media_type, &data), &data),
            None => self.value(json),
        }
    }

    fn image(&self, media_type: &str, data: &str) -> ImageFacts {
        ImageFacts::new(&self.of.line(media_type), data)
    }

    /// Writes a thought, folded.
    pub(super) fn thinking(&mut self, text: &str, is_redacted: bool) -> io::Result<()> {
        if is_redacted || text.trim().is_empty() {
            return self.html.markup("<p class=\"remark thought\">thinking, hidden by the provider</p>\n");
        }
        let text = self.of.text(text.trim());
        let lines = age::counted(text.lines().count(), "line");
        self.html.markup("<details class=\"thinking\"><summary><span class=\"word\">thinking</span> ")?;
        self.html.element("<span class=\"gist\">", &preview(&text.replace("**", "")), "</span>")?;
        self.html.element("<span class=\"figure\">", &lines, "</span></summary>\n<div class=\"prose\">\n")?;
        self.html.markdown(&text)?;
        self.html.markup("</div></details>\n")
    }
}

/// The start of a clean text on one line.
pub(super) fn preview(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    let end = js::floor_boundary(text, PREVIEW);
    let head = &text[..end];
    if !head.contains('\n') && end == text.len() {
        return Cow::Borrowed(head);
    }
    let words = head.split_whitespace().collect::<Vec<_>>().join(" ");
    Cow::Owned(if end < text.len() { format!("{words}…") } else { words })
}
