//! Markdown as rows: headings, emphasis, lists, quotes, tables, rules, links and code.
//!
//! Blank rows stand where the source has blank lines, and a line break of the source stays one. Nesting takes at most
//! half of the columns, however deep it is.

mod table;

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::code::{CodeSetter, wrap_line};
use super::link::{Link, link_addresses};
use super::row::{Emphasis, Row, Span, Tone};
use super::sanitize;
use super::wrap::wrap;
use table::Table;

/// Columns of code before its text.
const CODE_INDENT: usize = 2;

/// Renders sanitised text into at most `room` rows of `columns` cells, and returns with them the number of
/// source lines that found no room. `usual` is the tone of what has no other.
pub(crate) fn markdown(
    text: &str,
    usual: Tone,
    columns: usize,
    room: usize,
    code: &mut CodeSetter,
) -> (Vec<Row>, usize) {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut writer = Writer { usual, ..Writer::new(text, columns, room, code) };
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        if writer.rows.len() > room {
            break;
        }
        writer.event(event, range);
    }
    writer.finish()
}

/// Something that stands around blocks and takes columns at their left.
enum Container {
    Quote,
    Item {
        marker: Row,
        /// The marker stands before the first row only.
        is_written: bool,
    },
}

/// What an inline text is inside of.
#[derive(Clone, Copy)]
enum Inline {
    Emphasis(Emphasis),
    /// A link or a picture, which begins at this byte of the line's text.
    Link {
        begins: usize,
    },
}

struct Fence {
    language: String,
    code: String,
    /// Where the code begins in the source.
    start: usize,
}

struct Writer<'t, 'c> {
    text: &'t str,
    usual: Tone,
    columns: usize,
    room: usize,
    code: &'c mut CodeSetter,
    rows: Vec<Row>,
    /// Bytes of the source whose rows are all written.
    done: usize,
    containers: Vec<Container>,
    /// The number of the next item of every list that is open; none where items have no number.
    lists: Vec<Option<u64>>,
    line: Row,
    inlines: Vec<Inline>,
    /// Where the links lead that are open: as a text, and as an address.
    targets: Vec<(String, Option<Link>)>,
    heading: Option<HeadingLevel>,
    /// The code block that is open.
    fence: Option<Fence>,
    table: Option<Table>,
}

impl<'t, 'c> Writer<'t, 'c> {
    fn new(text: &'t str, columns: usize, room: usize, code: &'c mut CodeSetter) -> Self {
        Self {
            text,
            usual: Tone::Text,
            columns,
            room,
            code,
            rows: Vec::new(),
            done: 0,
            containers: Vec::new(),
            lists: Vec::new(),
            line: Row::new(),
            inlines: Vec::new(),
            targets: Vec::new(),
            heading: None,
            fence: None,
            table: None,
        }
    }

    fn finish(mut self) -> (Vec<Row>, usize) {
        self.flush();
        let rest = self.text.get(self.done..).unwrap_or_default();
        let unread = if rest.trim().is_empty() { 0 } else { rest.trim().lines().count() };
        let is_cut = self.rows.len() > self.room;
        self.rows.truncate(self.room);
        (self.rows, if is_cut { unread.max(1) } else { 0 })
    }

    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, &range),
            Event::End(tag) => {
                self.end(tag);
                self.pass(range.end);
            }
            Event::Text(text) => match &mut self.fence {
                Some(fence) => {
                    if fence.code.is_empty() {
                        fence.start = range.start;
                    }
                    fence.code.push_str(&text);
                }
                None => self.put(&text, None),
            },
            Event::Code(code) => self.put(&code, Some(Tone::Code)),
            Event::SoftBreak | Event::HardBreak => {
                if self.table.is_some() {
                    self.put(" ", None);
                }
                self.flush();
                self.pass(range.end);
            }
            Event::Rule => {
                self.gap(range.start);
                let prefix = self.prefix();
                let rest = self.columns.saturating_sub(prefix.width());
                self.rows.push(prefix.text("─".repeat(rest), Tone::Rule));
            }
            Event::Html(html) | Event::InlineHtml(html) => {
                let mut lines = html.split('\n').peekable();
                while let Some(line) = lines.next() {
                    self.put(line, Some(Tone::Dim));
                    if lines.peek().is_some() && self.table.is_none() {
                        self.flush();
                    }
                }
            }
            Event::TaskListMarker(is_done) => self.put_marker(is_done),
            Event::FootnoteReference(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.put(&text, None);
            }
        }
    }

    /// Notes that the source up to `end` is written, if all of it found room.
    fn pass(&mut self, end: usize) {
        if self.rows.len() <= self.room {
            self.done = self.done.max(end);
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: &Range<usize>) {
        match tag {
            Tag::Paragraph | Tag::HtmlBlock => {
                self.flush();
                self.gap(range.start);
            }
            Tag::Heading { level, .. } => {
                self.flush();
                self.gap(range.start);
                self.heading = Some(level);
            }
            Tag::BlockQuote(_) => {
                self.flush();
                self.gap(range.start);
                self.containers.push(Container::Quote);
            }
            Tag::CodeBlock(kind) => {
                self.flush();
                self.gap(range.start);
                let language = match &kind {
                    CodeBlockKind::Fenced(info) => info.split([' ', ',', '{']).next().unwrap_or_default(),
                    CodeBlockKind::Indented => "",
                };
                let language = sanitize::line(language).into_owned();
                self.fence = Some(Fence { language, code: String::new(), start: range.start });
            }
            Tag::List(first) => {
                self.flush();
                self.gap(range.start);
                self.lists.push(first);
            }
            Tag::Item => {
                self.flush();
                self.gap(range.start);
                let marker = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        let marker = format!("{number}. ");
                        *number = number.saturating_add(1);
                        marker
                    }
                    _ => "• ".to_owned(),
                };
                let marker = Row::new().text(marker, Tone::Dim);
                self.containers.push(Container::Item { marker, is_written: false });
            }
            Tag::Table(alignments) => {
                self.flush();
                self.gap(range.start);
                self.table = Some(Table::new(alignments));
            }
            Tag::Emphasis => self.inlines.push(Inline::Emphasis(Emphasis::ITALIC)),
            Tag::Strong => self.inlines.push(Inline::Emphasis(Emphasis::BOLD)),
            Tag::Strikethrough => self.inlines.push(Inline::Emphasis(Emphasis::STRIKE)),
            Tag::Link { dest_url, .. } => self.open_link(&dest_url),
            Tag::Image { dest_url, .. } => {
                self.put("▣ ", Some(Tone::Faint));
                self.open_link(&dest_url);
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.flush(),
            TagEnd::Heading(_) => {
                self.flush();
                self.heading = None;
            }
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.containers.pop();
            }
            TagEnd::CodeBlock => self.end_code(),
            TagEnd::List(_) => {
                self.flush();
                self.lists.pop();
            }
            TagEnd::Item => {
                self.flush();
                if let Some(Container::Item { is_written: false, .. }) = self.containers.last() {
                    let prefix = self.prefix();
                    self.rows.push(prefix);
                }
                self.containers.pop();
            }
            TagEnd::TableCell => {
                let cell = link_addresses(std::mem::take(&mut self.line));
                if let Some(table) = &mut self.table {
                    table.push(cell);
                }
            }
            TagEnd::TableHead | TagEnd::TableRow => {
                if let Some(table) = &mut self.table {
                    table.end_row();
                }
            }
            TagEnd::Table => {
                if let Some(table) = self.table.take() {
                    let width = self.inner_width();
                    self.push_rows(table.rows(width, self.room.saturating_sub(self.rows.len()) + 1));
                }
            }
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => {
                self.inlines.pop();
            }
            TagEnd::Link | TagEnd::Image => self.close_link(),
            _ => {}
        }
    }

    fn open_link(&mut self, target: &str) {
        let begins = self.line.plain().len();
        self.inlines.push(Inline::Link { begins });
        self.targets.push((sanitize::line(target).into_owned(), Link::new(target)));
    }

    /// Says where a link leads, unless its text does.
    fn close_link(&mut self) {
        let Some(Inline::Link { begins }) = self.inlines.pop() else { return };
        let (target, link) = self.targets.pop().unwrap_or_default();
        let written = self.line.plain();
        let text = written.get(begins..).unwrap_or_default();
        let is_told =
            text.trim_end_matches('/') == target.trim_start_matches("mailto:").trim_end_matches('/');
        if !is_told && !target.is_empty() && !target.starts_with('#') {
            self.line.push(Span::new(" (", Tone::Faint));
            self.line.push(Span { link, ..Span::new(target, Tone::Faint) });
            self.line.push(Span::new(")", Tone::Faint));
        }
    }

    /// Adds text to the line, set as what it is inside of says.
    fn put(&mut self, text: &str, tone: Option<Tone>) {
        let mut emphasis = match self.heading {
            Some(HeadingLevel::H1) => Emphasis::BOLD | Emphasis::UNDERLINE,
            Some(_) => Emphasis::BOLD,
            None => Emphasis::NONE,
        };
        let is_quoted = self.containers.iter().any(|container| matches!(container, Container::Quote));
        let mut usual = match (self.heading, is_quoted) {
            (Some(_), _) if self.usual == Tone::Text => Tone::Strong,
            (None, true) => Tone::Dim,
            _ => self.usual,
        };
        for inline in &self.inlines {
            match inline {
                Inline::Emphasis(one) => emphasis = emphasis | *one,
                Inline::Link { .. } => {
                    usual = Tone::Accent;
                    emphasis = emphasis | Emphasis::UNDERLINE;
                }
            }
        }
        // An entity such as `&#27;` becomes a character only now.
        let span = Span::new(sanitize::line(text), tone.unwrap_or(usual)).with(emphasis);
        let link = self.targets.last().and_then(|(_, link)| link.clone());
        self.line.push(Span { link, ..span });
    }

    /// Puts the box of a task in the place of the item's mark.
    fn put_marker(&mut self, is_done: bool) {
        let (text, tone) = if is_done { ("[x] ", Tone::Good) } else { ("[ ] ", Tone::Dim) };
        match self.containers.last_mut() {
            Some(Container::Item { marker, is_written: false }) => *marker = Row::new().text(text, tone),
            _ => self.put(text, Some(tone)),
        }
    }

    /// A blank row where a blank line stands before a block.
    fn gap(&mut self, start: usize) {
        let before = self.text.get(..start).unwrap_or_default();
        let mut lines = before.rsplit('\n');
        lines.next();
        let is_blank = lines.next().is_some_and(|line| line.trim_matches([' ', '>']).is_empty());
        if !is_blank || self.rows.is_empty() {
            return;
        }
        let mut row = Row::new();
        for container in &self.containers {
            let text = match container {
                Container::Quote => "│ ".to_owned(),
                Container::Item { marker, .. } => " ".repeat(marker.width()),
            };
            if row.width() + text.len() > self.columns / 2 {
                break;
            }
            row.push(Span::new(text, Tone::Faint));
        }
        let is_gap = |row: &Row| row.plain().trim_matches([' ', '│']).is_empty();
        if !self.rows.last().is_some_and(is_gap) {
            self.rows.push(if row.plain().trim().is_empty() { Row::new() } else { row });
        }
    }

    /// What stands at the left of the next row.
    fn prefix(&mut self) -> Row {
        let mut row = Row::new();
        for container in &mut self.containers {
            let piece = match container {
                Container::Quote => Row::new().text("│ ", Tone::Rule),
                Container::Item { marker, is_written: false } => marker.clone(),
                Container::Item { marker, .. } => Row::new().text(" ".repeat(marker.width()), Tone::Text),
            };
            if row.width() + piece.width() > self.columns / 2 {
                break;
            }
            if let Container::Item { is_written, .. } = container {
                *is_written = true;
            }
            row = row.then(piece);
        }
        row
    }

    /// Columns for text between what stands at its left and the right edge.
    fn inner_width(&self) -> usize {
        let mut width = 0;
        for container in &self.containers {
            let piece = match container {
                Container::Quote => 2,
                Container::Item { marker, .. } => marker.width(),
            };
            if width + piece > self.columns / 2 {
                break;
            }
            width += piece;
        }
        self.columns - width
    }

    /// Ends the line.
    fn flush(&mut self) {
        if !self.line.is_empty() && self.table.is_none() {
            let line = link_addresses(std::mem::take(&mut self.line));
            let rows = wrap(&line, self.inner_width(), 0);
            self.push_rows(rows);
        }
    }

    fn push_rows(&mut self, rows: Vec<Row>) {
        for row in rows {
            if self.rows.len() > self.room {
                return;
            }
            let prefix = self.prefix();
            self.rows.push(prefix.then(row).fit(self.columns));
        }
    }

    fn end_code(&mut self) {
        let Some(Fence { language, code, start }) = self.fence.take() else { return };
        let width = self.inner_width();
        let indent = if width > 4 * CODE_INDENT { CODE_INDENT } else { 0 };
        let shift = |row: Row| Row::new().text(" ".repeat(indent), Tone::Text).then(row);
        if !language.is_empty() {
            self.push_rows(vec![shift(Row::new().text(language.as_str(), Tone::Faint))]);
        }
        let room = self.room.saturating_sub(self.rows.len()) + 1;
        let code = code.strip_suffix('\n').unwrap_or(&code);
        let source = self.text.get(start..).unwrap_or_default();
        let mut line_ends = source.match_indices('\n').map(|(at, _)| start + at + 1);
        for line in self.code.lines(code, &language, room) {
            self.push_rows(wrap_line(&line, width - indent).into_iter().map(shift).collect());
            if let Some(end) = line_ends.next() {
                self.pass(end);
            }
        }
    }
}

#[cfg(test)]
mod tests;
