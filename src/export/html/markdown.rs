//! Markdown as elements: what can be read, copied and found as what it is.

use std::io;

use pulldown_cmark::{Alignment, CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TextMergeStream};

use super::Html;
use super::code::web_address;
use crate::present::{Link, Row, Tone, link_addresses, sanitize};

/// Longer texts are shown as they are written: they are no prose.
const LONGEST: usize = 2 * 1024 * 1024;
/// Deeper nesting is not shown.
const DEEPEST: usize = 40;

impl Html<'_> {
    /// Writes clean Markdown. HTML in it is shown as the text that it is, a picture as a link to where it is, and a line
    /// break of the source stays one.
    pub(super) fn markdown(&mut self, text: &str) -> io::Result<()> {
        if text.len() > LONGEST {
            self.markup("<div class=\"plain\">")?;
            self.linked(text)?;
            return self.markup("</div>\n");
        }
        let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
        let mut writer = Writer { html: self, open: Vec::new(), links: 0, code: None, table: None };
        for event in TextMergeStream::new(Parser::new_ext(text, options)) {
            writer.event(event)?;
        }
        while let Some(end) = writer.open.pop() {
            writer.close(end)?;
        }
        Ok(())
    }
}

/// What is written where an element ends.
enum End {
    Markup(&'static str),
    /// The end of a link.
    Link,
    /// Where a link leads that is none here.
    Target(String),
    Code,
}

struct Code {
    language: String,
    code: String,
}

#[derive(Default)]
struct Table {
    alignments: Vec<Alignment>,
    column: usize,
    is_head: bool,
}

struct Writer<'h, 'o> {
    html: &'h mut Html<'o>,
    open: Vec<End>,
    /// Links that are open; one cannot stand in another.
    links: usize,
    /// The code block that is open.
    code: Option<Code>,
    table: Option<Table>,
}

impl Writer<'_, '_> {
    fn event(&mut self, event: Event<'_>) -> io::Result<()> {
        match event {
            Event::Start(tag) => {
                let end = self.start(tag)?;
                self.open.push(end);
                Ok(())
            }
            Event::End(_) => match self.open.pop() {
                Some(end) => self.close(end),
                None => Ok(()),
            },
            Event::Text(text) => self.text(&text),
            Event::Code(code) => self.html.element("<code>", &sanitize::line(&code), "</code>"),
            Event::SoftBreak | Event::HardBreak => self.html.markup("<br>\n"),
            Event::Rule => self.html.markup("<hr>\n"),
            Event::TaskListMarker(is_done) => self.html.markup(if is_done { "☑ " } else { "☐ " }),
            Event::Html(text)
            | Event::InlineHtml(text)
            | Event::FootnoteReference(text)
            | Event::InlineMath(text)
            | Event::DisplayMath(text) => self.html.text(&sanitize::document(&text)),
        }
    }

    /// Writes text; an entity such as `&#27;` becomes a character only now.
    fn text(&mut self, text: &str) -> io::Result<()> {
        let text = sanitize::document(text);
        if let Some(code) = &mut self.code {
            code.code.push_str(&text);
            Ok(())
        } else if self.links == 0 && text.contains("://") {
            self.html.row(&link_addresses(Row::new().text(text, Tone::Text)))
        } else {
            self.html.text(&text)
        }
    }

    /// Opens an element, and tells what ends it.
    fn start(&mut self, tag: Tag<'_>) -> io::Result<End> {
        let (open, end) = match tag {
            _ if self.open.len() >= DEEPEST && !matches!(tag, Tag::CodeBlock(_)) => ("", ""),
            Tag::Paragraph => ("<p>", "</p>\n"),
            Tag::HtmlBlock => ("<p class=\"raw\">", "</p>\n"),
            Tag::Heading { level: HeadingLevel::H1, .. } => ("<h3>", "</h3>\n"),
            Tag::Heading { level: HeadingLevel::H2, .. } => ("<h4>", "</h4>\n"),
            Tag::Heading { level: HeadingLevel::H3, .. } => ("<h5>", "</h5>\n"),
            Tag::Heading { .. } => ("<h6>", "</h6>\n"),
            Tag::BlockQuote(_) => ("<blockquote>\n", "</blockquote>\n"),
            Tag::List(None) => ("<ul>\n", "</ul>\n"),
            Tag::List(Some(first)) => {
                self.html.element("<ol start=\"", &first.to_string(), "\">\n")?;
                return Ok(End::Markup("</ol>\n"));
            }
            Tag::Item => ("<li>", "</li>\n"),
            Tag::Emphasis => ("<em>", "</em>"),
            Tag::Strong => ("<strong>", "</strong>"),
            Tag::Strikethrough => ("<s>", "</s>"),
            Tag::Link { dest_url, .. } => return self.link(&dest_url),
            Tag::Image { dest_url, .. } => {
                self.html.markup("<span class=\"t-faint\">▣ </span>")?;
                return self.link(&dest_url);
            }
            Tag::CodeBlock(kind) => {
                let language = match &kind {
                    CodeBlockKind::Fenced(info) => info.split([' ', ',', '{']).next().unwrap_or_default(),
                    CodeBlockKind::Indented => "",
                };
                self.code = Some(Code { language: language.to_owned(), code: String::new() });
                return Ok(End::Code);
            }
            Tag::Table(alignments) => {
                self.table = Some(Table { alignments, ..Table::default() });
                ("<div class=\"table\"><table>\n", "</tbody></table></div>\n")
            }
            Tag::TableHead | Tag::TableRow => {
                let is_head = matches!(tag, Tag::TableHead);
                if let Some(table) = &mut self.table {
                    (table.column, table.is_head) = (0, is_head);
                }
                if is_head { ("<thead><tr>", "</tr></thead>\n<tbody>\n") } else { ("<tr>", "</tr>\n") }
            }
            Tag::TableCell => self.table.as_mut().map_or(("", ""), Table::cell),
            _ => ("", ""),
        };
        self.html.markup(open)?;
        Ok(End::Markup(end))
    }

    fn link(&mut self, target: &str) -> io::Result<End> {
        let link = Link::new(target);
        match link.as_ref().and_then(web_address).filter(|_| self.links == 0) {
            Some(address) => {
                self.html.link(address)?;
                self.links += 1;
                Ok(End::Link)
            }
            None if target.is_empty() || target.starts_with('#') => Ok(End::Markup("")),
            None => Ok(End::Target(sanitize::line(target).into_owned())),
        }
    }

    fn close(&mut self, end: End) -> io::Result<()> {
        match end {
            End::Markup(markup) => self.html.markup(markup),
            End::Link => {
                self.links -= 1;
                self.html.markup("</a>")
            }
            End::Target(target) => self.html.element(" <span class=\"t-faint\">(", &target, ")</span>"),
            End::Code => match self.code.take() {
                Some(Code { language, code }) => self.html.code(code.trim_end_matches('\n'), &language),
                None => Ok(()),
            },
        }
    }
}

impl Table {
    /// The markup around the next cell of the row.
    fn cell(&mut self) -> (&'static str, &'static str) {
        let alignment = self.alignments.get(self.column);
        self.column += 1;
        match (self.is_head, alignment) {
            (true, Some(Alignment::Right)) => ("<th class=\"right\">", "</th>"),
            (true, Some(Alignment::Center)) => ("<th class=\"centre\">", "</th>"),
            (true, _) => ("<th>", "</th>"),
            (false, Some(Alignment::Right)) => ("<td class=\"right\">", "</td>"),
            (false, Some(Alignment::Center)) => ("<td class=\"centre\">", "</td>"),
            (false, _) => ("<td>", "</td>"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(markdown: &str) -> String {
        let mut out = Vec::new();
        Html::new(&mut out).markdown(markdown).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn blocks_and_inlines_become_elements() {
        for (markdown, html) in [
            ("# A *b*", "<h3>A <em>b</em></h3>\n"),
            ("a\nb", "<p>a<br>\nb</p>\n"),
            ("> q", "<blockquote>\n<p>q</p>\n</blockquote>\n"),
            ("3. a\n4. b", "<ol start=\"3\">\n<li>a</li>\n<li>b</li>\n</ol>\n"),
            ("- [x] a", "<ul>\n<li>☑ a</li>\n</ul>\n"),
            ("`a<b`", "<p><code>a&lt;b</code></p>\n"),
            ("```\na\n```", "<pre class=\"code\"><code>a</code></pre>\n"),
            (
                "|a|b|\n|-|-:|\n|1|2|",
                "<div class=\"table\"><table>\n<thead><tr><th>a</th><th class=\"right\">b</th></tr></thead>\n\
                 <tbody>\n<tr><td>1</td><td class=\"right\">2</td></tr>\n</tbody></table></div>\n",
            ),
        ] {
            assert_eq!(written(markdown), html, "{markdown}");
        }
    }

    #[test]
    fn only_honest_addresses_are_links() {
        for (markdown, html) in [
            ("[a](https://b.c/?d&e)", "<a href=\"https://b.c/?d&amp;e\" rel=\"noreferrer\">a</a>"),
            ("https://b.c.", "<a href=\"https://b.c\" rel=\"noreferrer\">https://b.c</a>."),
            ("[a](javascript:alert(1))", "a <span class=\"t-faint\">(javascript:alert(1))</span>"),
            (
                "<javascript:alert(1)>",
                "javascript:alert(1) <span class=\"t-faint\">(javascript:alert(1))</span>",
            ),
            ("[a](data:text/html,x)", "a <span class=\"t-faint\">(data:text/html,x)</span>"),
            ("[a](src/b.rs)", "a <span class=\"t-faint\">(src/b.rs)</span>"),
            (
                "![a](https://b.c/d.png)",
                "<span class=\"t-faint\">▣ </span><a href=\"https://b.c/d.png\" rel=\"noreferrer\">a</a>",
            ),
            (
                "[![a](https://b.c/d.png)](https://e.f)",
                "<a href=\"https://e.f\" rel=\"noreferrer\"><span class=\"t-faint\">▣ </span>\
                 a <span class=\"t-faint\">(https://b.c/d.png)</span></a>",
            ),
        ] {
            assert_eq!(written(markdown), format!("<p>{html}</p>\n"), "{markdown}");
        }
    }

    #[test]
    fn html_is_text() {
        assert_eq!(
            written("a <img src=x onerror=alert(1)> &lt;b&gt; &#27;[2J"),
            "<p>a &lt;img src=x onerror=alert(1)&gt; &lt;b&gt; </p>\n"
        );
        assert_eq!(
            written("<script>\nalert(1)\n</script>"),
            "<p class=\"raw\">&lt;script&gt;\nalert(1)\n&lt;/script&gt;</p>\n"
        );
    }

    #[test]
    fn nesting_is_bounded() {
        let html = written(&format!("{}a", ">".repeat(5_000)));
        assert_eq!(html.matches("<blockquote>").count(), html.matches("</blockquote>").count());
        assert!(html.matches("<blockquote>").count() <= DEEPEST);
    }
}
