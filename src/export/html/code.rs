//! Text that keeps its lines: code in the tones of its syntax, rows with tones, changes line by line.

use std::io;

use super::Html;
use crate::present::diff::{Diff, Fate, Line};
use crate::present::{CodeSetter, CodeTones, Emphasis, Link, Row, Span, Tone, link_addresses};

/// The markup around a piece of text, for every emphasis that it can have.
const EMPHASES: [(Emphasis, &str, &str); 4] = [
    (Emphasis::BOLD, "<b>", "</b>"),
    (Emphasis::ITALIC, "<i>", "</i>"),
    (Emphasis::UNDERLINE, "<u>", "</u>"),
    (Emphasis::STRIKE, "<s>", "</s>"),
];

impl Html<'_> {
    /// Writes a block of clean code in a language, a file extension or a file name.
    pub(super) fn code(&mut self, code: &str, language: &str) -> io::Result<()> {
        self.markup("<pre class=\"code\"><code>")?;
        self.lines(code, language)?;
        self.markup("</code></pre>\n")
    }

    /// Writes a block of clean code with the numbers of its lines, which are no part of what is copied.
    pub(super) fn numbered_code(&mut self, code: &str, language: &str, first: usize) -> io::Result<()> {
        let rows = self.set(code, language);
        let digits = (first + rows.len()).to_string().len();
        self.markup("<pre class=\"code numbered\"><code>")?;
        for (row, number) in rows.iter().zip(first..) {
            self.element(
                "<span class=\"line\"><span class=\"n\">",
                &format!("{number:>digits$}"),
                "</span><span>",
            )?;
            self.row(row)?;
            self.markup("\n</span></span>")?;
        }
        self.markup("</code></pre>\n")
    }

    fn lines(&mut self, code: &str, language: &str) -> io::Result<()> {
        if language.is_empty() {
            return self.text(code);
        }
        let rows = self.set(code, language);
        self.rows(&rows)
    }

    /// The lines of clean code in the tones of its syntax.
    fn set(&mut self, code: &str, language: &str) -> Vec<Row> {
        let (left, tones) = match self.colours.checked_sub(code.len()) {
            Some(left) => (left, CodeTones::Highlighted),
            None => (0, CodeTones::Plain),
        };
        self.colours = left;
        CodeSetter::new(tones).lines(code, language, usize::MAX)
    }

    /// Writes clean text as it stands, with the addresses in it leading there.
    pub(super) fn linked(&mut self, text: &str) -> io::Result<()> {
        for (at, line) in text.split('\n').enumerate() {
            self.markup(if at > 0 { "\n" } else { "" })?;
            if line.contains("://") {
                self.row(&link_addresses(Row::new().text(line, Tone::Text)))?;
            } else {
                self.text(line)?;
            }
        }
        Ok(())
    }

    /// Writes rows with their tones, each on a line of its own.
    pub(super) fn rows(&mut self, rows: &[Row]) -> io::Result<()> {
        for (at, row) in rows.iter().enumerate() {
            self.markup(if at > 0 { "\n" } else { "" })?;
            self.row(row)?;
        }
        Ok(())
    }

    /// Writes the pieces of a row with their tones.
    pub(super) fn row(&mut self, row: &Row) -> io::Result<()> {
        row.spans.iter().try_for_each(|span| self.span(span))
    }

    fn span(&mut self, span: &Span) -> io::Result<()> {
        let address = span.link.as_ref().and_then(web_address);
        if let Some(address) = address {
            self.link(address)?;
        }
        let tone = tone(span.tone);
        self.markup(tone)?;
        for (emphasis, open, _) in EMPHASES {
            self.markup(if span.emphasis.contains(emphasis) { open } else { "" })?;
        }
        self.text(&span.text)?;
        for (emphasis, _, close) in EMPHASES.into_iter().rev() {
            self.markup(if span.emphasis.contains(emphasis) { close } else { "" })?;
        }
        self.markup(if tone.is_empty() { "" } else { "</span>" })?;
        self.markup(if address.is_some() { "</a>" } else { "" })
    }

    /// Opens a link to another place.
    pub(super) fn link(&mut self, address: &str) -> io::Result<()> {
        self.element("<a href=\"", address, "\" rel=\"noreferrer\">")
    }

    /// Writes a change, each line with its number and sign, which are no part of what is copied.
    pub(super) fn diff(&mut self, diff: &Diff) -> io::Result<()> {
        let highest = diff.lines().iter().filter_map(|line| line.number).max();
        let digits = highest.map_or(0, |number| number.to_string().len());
        self.markup("<pre class=\"code diff\"><code>")?;
        for line in diff.lines() {
            self.diff_line(line, digits)?;
        }
        self.markup("</code></pre>\n")
    }

    fn diff_line(&mut self, line: &Line, digits: usize) -> io::Result<()> {
        let (open, sign, word) = match line.fate {
            Fate::Kept => ("<span class=\"line\">", ' ', ("", "")),
            Fate::Added => ("<span class=\"line added\">", '+', ("<ins>", "</ins>")),
            Fate::Removed => ("<span class=\"line removed\">", '-', ("<del>", "</del>")),
            Fate::Skipped => return self.markup("<span class=\"line skipped\">⋯\n</span>"),
        };
        self.markup(open)?;
        let number = line.number.map(|number| number.to_string()).unwrap_or_default();
        self.element("<span class=\"n\">", &format!("{number:>digits$} {sign}"), "</span><span>")?;
        for (differs, text) in &line.pieces {
            let (open, close) = if *differs { word } else { ("", "") };
            self.element(open, text, close)?;
        }
        self.markup("\n</span></span>")
    }
}

/// The address of a link that a browser or a mailer opens.
pub(super) fn web_address(link: &Link) -> Option<&str> {
    let address = link.as_str();
    let is_of =
        |scheme: &&str| address.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    ["https://", "http://", "mailto:"].iter().any(is_of).then_some(address)
}

/// The markup that begins a piece of text in a tone; none where it looks like the text around it.
fn tone(tone: Tone) -> &'static str {
    match tone {
        Tone::Text | Tone::Code => "",
        Tone::Strong => "<span class=\"t-strong\">",
        Tone::Dim | Tone::Tool => "<span class=\"t-dim\">",
        Tone::Faint => "<span class=\"t-faint\">",
        Tone::Rule => "<span class=\"t-rule\">",
        Tone::Accent => "<span class=\"t-accent\">",
        Tone::User => "<span class=\"t-user\">",
        Tone::Assistant => "<span class=\"t-assistant\">",
        Tone::Summary => "<span class=\"t-summary\">",
        Tone::Custom => "<span class=\"t-custom\">",
        Tone::Label => "<span class=\"t-label\">",
        Tone::Good => "<span class=\"t-good\">",
        Tone::Warn => "<span class=\"t-warn\">",
        Tone::Bad => "<span class=\"t-bad\">",
        Tone::Added | Tone::AddedWord => "<span class=\"t-added\">",
        Tone::Removed | Tone::RemovedWord => "<span class=\"t-removed\">",
        Tone::Match | Tone::MatchHere => "<span class=\"t-match\">",
        Tone::Keyword => "<span class=\"t-keyword\">",
        Tone::Literal => "<span class=\"t-literal\">",
        Tone::Comment => "<span class=\"t-comment\">",
        Tone::Name => "<span class=\"t-name\">",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut Html<'_>) -> io::Result<()>) -> String {
        let mut out = Vec::new();
        write(&mut Html::new(&mut out)).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn code_is_coloured_and_escaped() {
        assert_eq!(
            written(|html| html.code("let a = \"<b>\";", "rust")),
            "<pre class=\"code\"><code><span class=\"t-keyword\">let</span> a = \
             <span class=\"t-literal\">&quot;&lt;b&gt;&quot;</span>;</code></pre>\n"
        );
        assert_eq!(
            written(|html| html.code("<i>", "")),
            "<pre class=\"code\"><code>&lt;i&gt;</code></pre>\n"
        );
    }

    #[test]
    fn more_code_than_anybody_reads_is_plain() {
        let html = written(|html| {
            html.colours = 5;
            html.code("let a", "rust")?;
            html.code("let b", "rust")
        });
        assert_eq!(html.matches("t-keyword").count(), 1, "{html}");
    }

    #[test]
    fn changed_words_are_marked() {
        let html =
            written(|html| html.diff(&Diff::parse(" 8 fn a() {\n-9   let x = 1;\n+9   let y = 1;\n ...")));
        assert!(html.contains("<span class=\"n\">8  </span><span>fn a() {"), "{html}");
        assert!(html.contains("<span class=\"n\">9 -</span><span>  let <del>x</del> = 1;"), "{html}");
        assert!(html.contains("<span class=\"n\">9 +</span><span>  let <ins>y</ins> = 1;"), "{html}");
    }

    #[test]
    fn addresses_lead_to_pages_and_letters_only() {
        for (address, is_link) in
            [("https://a.b", true), ("HTTP://a.b", true), ("mailto:a@b.c", true), ("ftp://a.b", false)]
        {
            assert_eq!(Link::new(address).as_ref().and_then(web_address).is_some(), is_link, "{address}");
        }
        assert_eq!(
            written(|html| html.linked("a\nsee https://a.b/?x=\u{26}y.")),
            "a\nsee <a href=\"https://a.b/?x=&amp;y\" rel=\"noreferrer\">https://a.b/?x=&amp;y</a>."
        );
    }
}
