use super::{Block, BlockOptions, PictureRoom};
use crate::format::json::Value;
use crate::present::age;
use crate::present::ansi::{has_controls, output_lines};
use crate::present::code::{CodeSetter, fill, language_of, plain, wrap_line};
use crate::present::link::link_addresses;
use crate::present::markdown::markdown;
use crate::present::row::{Row, Span, Tone};
use crate::present::walk::Members;
use crate::present::wrap::wrap;
use crate::present::yaml::{yaml, yaml_members};
use crate::present::{CellSize, CodeTones, json, sanitize};

/// More rows than this has no block before more is asked for.
const MOST_ROWS: usize = 2_000;
/// More of one string is not looked at, in UTF-16 units: enough to fill all rows.
const MOST_UNITS: usize = 256 * 1024;
/// How much more there is of both each time it is asked for.
const GROWTH: usize = 4;
/// Of a long output the end matters as much as the start.
const OUTPUT_HEAD: usize = 600;
const OUTPUT_TAIL: usize = 400;

/// How a text is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    /// As Markdown.
    Prose,
    /// As Markdown, dim.
    Thought,
    /// As it stands.
    Plain(Tone),
    /// As a program printed it; of a long text the first and the last lines.
    Output(Tone),
}

/// The rows of one block while they are being written: at most so many, none wider than the page.
pub(super) struct Page {
    columns: usize,
    /// What stands left of every row.
    left: Row,
    rows: Vec<Row>,
    /// No row is added once there are so many.
    cap: usize,
    /// Lines that found no room below the cap.
    lost: usize,
    /// How often more was asked for.
    pages: u8,
    /// Levels of JSON that are open.
    levels: usize,
    has_folded_json: bool,
    /// The row that says what is missing and may be asked for.
    more: Option<usize>,
    cell: Option<CellSize>,
    /// Pictures so far.
    picture: usize,
    pictures: Vec<PictureRoom>,
    code: CodeSetter,
}

impl Page {
    pub(super) fn new(options: &BlockOptions<'_>) -> Self {
        Self {
            cap: grown(MOST_ROWS, options.pages),
            pages: options.pages,
            levels: options.fold.levels(),
            cell: options.cell,
            code: CodeSetter::new(options.code),
            ..Self::plain(options.columns)
        }
    }

    /// A page without code.
    pub(super) fn plain(columns: usize) -> Self {
        Self {
            columns,
            left: Row::new(),
            rows: Vec::new(),
            cap: MOST_ROWS,
            lost: 0,
            pages: 0,
            levels: usize::MAX,
            has_folded_json: false,
            more: None,
            cell: None,
            picture: 0,
            pictures: Vec::new(),
            code: CodeSetter::new(CodeTones::Plain),
        }
    }

    /// The rows, with a last one that says how many lines are missing.
    pub(super) fn finish(mut self, is_foldable: bool) -> Block {
        self.offer_what_is_lost();
        Block {
            rows: self.rows,
            is_foldable,
            has_folded_json: self.has_folded_json,
            more: self.more,
            pictures: self.pictures,
            could_be_highlighted: self.code.could_be_highlighted,
        }
    }

    /// More of one string is not looked at.
    fn most_units(&self) -> usize {
        grown(MOST_UNITS, self.pages)
    }

    /// Puts `left` before every row from here on. On a page too narrow for it and text there is none.
    pub(super) fn set_left(&mut self, left: Row) {
        self.left = if left.width() * 3 > self.columns { Row::new() } else { left };
    }

    /// Runs `write` with `columns` more blanks at the left.
    pub(super) fn indented(&mut self, columns: usize, write: impl FnOnce(&mut Self)) {
        let outer = self.left.clone();
        self.set_left(outer.clone().text(" ".repeat(columns), Tone::Text));
        write(self);
        self.left = outer;
    }

    /// Runs `write` with room for at most `rows` rows, and says how many lines did not fit.
    pub(super) fn limited<T>(&mut self, rows: usize, write: impl FnOnce(&mut Self) -> T) -> T {
        let cap = self.cap;
        self.cap = cap.min(self.rows.len().saturating_add(rows));
        let written = write(self);
        self.cap = cap;
        self.say_what_is_lost();
        written
    }

    fn say_what_is_lost(&mut self) {
        let lost = std::mem::take(&mut self.lost);
        if lost > 0 {
            let words = format!("… {} more line{}", age::count(lost), if lost == 1 { "" } else { "s" });
            self.rows.push(self.left.clone().text(words, Tone::Faint).fit(self.columns));
        }
    }

    /// Says what is missing, and that it may be asked for.
    fn offer_what_is_lost(&mut self) {
        if self.lost > 0 {
            self.more = Some(self.rows.len());
            self.say_what_is_lost();
        }
    }

    /// Cells for text.
    pub(super) fn width(&self) -> usize {
        self.columns - self.left.width()
    }

    /// Rows written so far.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    fn room(&self) -> usize {
        self.cap.saturating_sub(self.rows.len())
    }

    /// Writes one row, cut to the page.
    pub(super) fn row(&mut self, row: Row) {
        if self.room() == 0 {
            self.lost += 1;
        } else {
            self.rows.push(self.left.clone().then(row).fit(self.columns));
        }
    }

    fn rows(&mut self, (rows, lost): (Vec<Row>, usize)) {
        for row in rows {
            self.row(row);
        }
        self.lost += lost;
    }

    /// Writes an empty row, unless the page is at its start.
    pub(super) fn gap(&mut self) {
        if !self.rows.is_empty() && self.room() > 0 {
            self.row(Row::new());
        }
    }

    /// Leaves room for a picture of so many pixels, where pictures are shown and there is enough of it.
    pub(super) fn room_for_picture(&mut self, pixels: Option<(u32, u32)>) {
        let picture = self.picture;
        self.picture += 1;
        let size = pixels.and_then(|pixels| self.cell?.fit(pixels, self.width()));
        let Some((columns, rows)) = size.filter(|(_, rows)| usize::from(*rows) < self.room()) else { return };
        let (row, column) = (self.rows.len(), self.left.width() as u16);
        self.pictures.push(PictureRoom { picture, row, column, rows, columns });
        for _ in 0..rows {
            self.row(Row::new());
        }
    }

    /// Writes a row with two edges.
    pub(super) fn edges(&mut self, left: Row, right: Row) {
        let width = self.width();
        self.row(Row::between(left, right, width));
    }

    /// Writes a row wrapped to the page.
    pub(super) fn wrapped(&mut self, row: &Row, hang: usize) {
        let rows = wrap(row, self.width(), hang);
        self.rows((rows, 0));
    }

    /// Writes a dim remark.
    pub(super) fn remark(&mut self, words: &str) {
        self.wrapped(&Row::from(Span::new(sanitize::line(words), Tone::Dim)), 2);
    }

    /// Writes sanitised text.
    pub(super) fn text(&mut self, text: &str, setting: Setting) {
        let text = text.trim_end_matches(['\n', ' ']);
        let (width, room) = (self.width(), self.room());
        let rows = match setting {
            Setting::Prose => markdown(text, Tone::Text, width, room, &mut self.code),
            Setting::Thought => markdown(text, Tone::Dim, width, room, &mut self.code),
            Setting::Plain(tone) | Setting::Output(tone) => plain(text, tone, width, room),
        };
        self.rows(rows);
    }

    /// Writes a string value as code in the language of a file, with line numbers from `first` on; of a huge one the
    /// start. A notice in brackets at the end, as pi's tools leave it, has no number.
    pub(super) fn code(&mut self, value: Value<'_>, path: &str, first: Option<usize>) {
        let Some((text, is_whole)) = value.str_prefix(self.most_units()) else { return self.json(value) };
        let clean = sanitize::text(&text);
        let code = clean.trim_end_matches('\n');
        let notice = code.rsplit_once("\n\n").filter(|(_, last)| {
            first.is_some() && last.starts_with('[') && last.ends_with(']') && !last.contains('\n')
        });
        let (code, notice) = notice.map_or((code, ""), |(code, notice)| (code, notice));
        let count = code.split('\n').count();
        let digits = first.map_or(0, |first| (first + count - 1).to_string().len());
        let gutter = if digits > 0 && self.width() > 3 * (digits + 2) { digits + 2 } else { 0 };
        let (width, room) = (self.width() - gutter, self.room());
        let lines = self.code.lines(code, language_of(path), room + 1);
        let unread = count - lines.len();
        let numbered = lines.iter().zip(first.unwrap_or(0)..).map(|(line, number)| {
            let rows = wrap_line(line, width).into_iter().enumerate();
            rows.map(|(at, row)| match (gutter, at) {
                (0, _) => row,
                (_, 0) => Row::new().text(format!("{number:>digits$}  "), Tone::Faint).then(row),
                _ => Row::new().text(" ".repeat(gutter), Tone::Text).then(row),
            })
            .collect()
        });
        let (rows, lost) = fill(numbered, room);
        self.rows((rows, lost + unread));
        if !notice.is_empty() {
            self.remark(notice);
        }
        if !is_whole {
            self.rest_of(value, &text);
        }
    }

    /// Writes a string value as `list` lays out its lines; of a huge one the start.
    pub(super) fn list(&mut self, value: Value<'_>, list: impl FnOnce(&str) -> Vec<Row>) {
        let Some((text, is_whole)) = value.str_prefix(self.most_units()) else { return };
        self.lines(&list(sanitize::text(&text).trim_end_matches('\n')));
        if !is_whole {
            self.rest_of(value, &text);
        }
    }

    /// Writes a value as tidy lines.
    pub(super) fn yaml(&mut self, value: Value<'_>) {
        let laid_out = yaml(value, self.width(), self.room());
        self.laid_out(laid_out);
    }

    /// Writes members as tidy lines.
    pub(super) fn yaml_members(&mut self, members: Members<'_>) {
        let laid_out = yaml_members(members, self.width(), self.room());
        self.laid_out(laid_out);
    }

    fn laid_out(&mut self, (rows, is_whole): (Vec<Row>, bool)) {
        self.rows((rows, 0));
        if !is_whole {
            self.more = Some(self.rows.len());
            self.rows.push(self.left.clone().text("…", Tone::Faint).fit(self.columns));
        }
    }

    /// Writes a string value; of a huge one the start.
    pub(super) fn string(&mut self, value: Value<'_>, setting: Setting) {
        let Some((text, is_whole)) = value.str_prefix(self.most_units()) else { return };
        match setting {
            Setting::Output(tone) => self.output(&text, tone, is_whole),
            _ => self.text(&sanitize::text(&text), setting),
        }
        if !is_whole {
            self.rest_of(value, &text);
        }
    }

    /// Writes what a program printed, in its colours; where it ends with `text`, the first and the last lines.
    fn output(&mut self, text: &str, tone: Tone, is_whole: bool) {
        let text = text.trim_end_matches(['\n', '\r', ' ']);
        let lines = if has_controls(text) {
            output_lines(text, tone)
        } else {
            sanitize::text(text).split('\n').map(|line| Row::new().text(line, tone)).collect()
        };
        // Who asked for more reads on from the start.
        let skipped = match self.pages {
            0 if is_whole => lines.len().saturating_sub(OUTPUT_HEAD + OUTPUT_TAIL),
            _ => 0,
        };
        let (head, tail) = lines.split_at(if skipped > 0 { OUTPUT_HEAD } else { lines.len() });
        self.lines(head);
        if let Some(tail) = tail.get(skipped..).filter(|tail| !tail.is_empty()) {
            self.lost += skipped;
            self.offer_what_is_lost();
            self.lines(tail);
        }
    }

    /// Writes lines, each wrapped to the page.
    fn lines(&mut self, lines: &[Row]) {
        let (width, room) = (self.width(), self.room());
        let rows = fill(lines.iter().map(|line| wrap_line(&link_addresses(line.clone()), width)), room);
        self.rows(rows);
    }

    /// Accounts for what lies behind the part of a string that was looked at.
    fn rest_of(&mut self, value: Value<'_>, shown: &str) {
        match line_count(value).saturating_sub(shown.split('\n').count()) {
            0 => {
                let rest = value.str_bytes().saturating_sub(shown.len()) as u64;
                self.row(Row::new().text(format!("… {} more", age::bytes(rest)), Tone::Faint));
            }
            lines => self.lost += lines,
        }
    }

    /// Writes a value as JSON.
    pub(super) fn json(&mut self, value: Value<'_>) {
        let json = json(value, self.width(), self.room(), self.levels);
        self.has_folded_json |= json.is_folded;
        self.laid_out((json.rows, json.is_whole));
    }

    /// Writes a value whatever it is: a string as text, anything else as JSON.
    pub(super) fn value(&mut self, value: Value<'_>, setting: Setting) {
        if value.raw_str().is_some() {
            self.string(value, setting);
        } else {
            self.json(value);
        }
    }

    /// Writes the rows of a diff.
    pub(super) fn diff(&mut self, diff: &crate::present::diff::Diff) {
        let rows = diff.rows(self.width(), self.room());
        self.rows(rows);
    }
}

fn grown(first: usize, pages: u8) -> usize {
    first.saturating_mul(GROWTH.saturating_pow(pages.into()))
}

/// Lines of a string value, counted without resolving its escapes; a line end at its end starts no line.
pub(super) fn line_count(value: Value<'_>) -> usize {
    let raw = value.raw_str().unwrap_or_default().as_bytes();
    let mut breaks = 0;
    let mut from = 0;
    let mut last_break = 0;
    while let Some(at) = raw.get(from..).and_then(|rest| memchr::memchr(b'\\', rest)) {
        from += at + 2;
        if raw.get(from - 1) == Some(&b'n') {
            breaks += 1;
            last_break = from;
        }
    }
    breaks + usize::from(last_break < raw.len())
}
