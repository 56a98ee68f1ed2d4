use std::fmt;
use std::ops::BitOr;

use super::link::Link;
use super::width;

/// What stands where text was cut off.
const CUT: &str = "…";

/// What a piece of text means. A theme gives every tone its colour; no meaning rests on colour alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tone {
    /// Ordinary text.
    #[default]
    Text,
    /// Text that stands out.
    Strong,
    /// What is secondary.
    Dim,
    /// What matters least: counts, punctuation, dead branches.
    Faint,
    /// Lines and gutters: structure without words.
    Rule,
    /// The one accent: focus, keys, the active path.
    Accent,
    /// What the person said.
    User,
    /// What the model said.
    Assistant,
    /// Tools and their output.
    Tool,
    /// System prompts, compactions and forks.
    Summary,
    /// Messages of extensions.
    Custom,
    /// Labels, names and edits.
    Label,
    /// Success.
    Good,
    /// A warning.
    Warn,
    /// A failure.
    Bad,
    /// Code and literal text.
    Code,
    /// A line that was added.
    Added,
    /// A line that was removed.
    Removed,
    /// The words that were added within a line.
    AddedWord,
    /// The words that were removed within a line.
    RemovedWord,
    /// A search hit.
    Match,
    /// The search hit at the cursor.
    MatchHere,
    /// Code: a keyword.
    Keyword,
    /// Code: a string, a number or another literal.
    Literal,
    /// Code: a comment.
    Comment,
    /// Code: the name of a function or type.
    Name,
}

/// How a piece of text is set: a set of bold, italic, underline and strike.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Emphasis(u8);

impl Emphasis {
    /// Upright, regular, without lines.
    pub const NONE: Self = Self(0);
    /// Bold.
    pub const BOLD: Self = Self(1);
    /// Italic.
    pub const ITALIC: Self = Self(2);
    /// Underlined.
    pub const UNDERLINE: Self = Self(4);
    /// Struck through.
    pub const STRIKE: Self = Self(8);
    /// Text and ground exchanged.
    pub const REVERSE: Self = Self(16);

    /// True when everything in `other` is in this set.
    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// This set without what is in `other`.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl BitOr for Emphasis {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl fmt::Debug for Emphasis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [
            (Self::BOLD, "bold"),
            (Self::ITALIC, "italic"),
            (Self::UNDERLINE, "underline"),
            (Self::STRIKE, "strike"),
            (Self::REVERSE, "reverse"),
        ];
        f.debug_set()
            .entries(names.iter().filter(|(one, _)| self.contains(*one)).map(|(_, name)| name))
            .finish()
    }
}

/// A piece of a row in one tone. Its text is sanitised and holds no line break.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The text.
    pub text: String,
    /// What it means.
    pub tone: Tone,
    /// How it is set.
    pub emphasis: Emphasis,
    /// Where it leads.
    pub link: Option<Link>,
}

impl Span {
    /// A piece of text in a tone.
    pub fn new(text: impl Into<String>, tone: Tone) -> Self {
        Self { text: text.into(), tone, emphasis: Emphasis::NONE, link: None }
    }

    /// The same piece, set otherwise.
    #[must_use]
    pub fn with(mut self, emphasis: Emphasis) -> Self {
        self.emphasis = emphasis;
        self
    }

    /// Cells it takes.
    pub fn width(&self) -> usize {
        width::of(&self.text)
    }

    /// A piece of text in the same look.
    pub(super) fn like(&self, text: impl Into<String>) -> Self {
        Self { text: text.into(), tone: self.tone, emphasis: self.emphasis, link: self.link.clone() }
    }
}

/// One line of the screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Its pieces from left to right.
    pub spans: Vec<Span>,
    /// For a row that is no line of its own: how it goes on with the one above, which had no room for all of a line.
    pub joint: Option<Joint>,
}

/// How a row goes on with the text of the one above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Joint {
    /// Bytes before the text: the bar of a block, a gutter, indentation.
    pub lead: usize,
    /// Blanks that were dropped where the line was broken.
    pub blanks: usize,
}

impl Row {
    /// An empty row.
    pub fn new() -> Self {
        Self::default()
    }

    /// This row with a piece of text behind it.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>, tone: Tone) -> Self {
        self.push(Span::new(text, tone));
        self
    }

    /// This row with a piece of bold text behind it.
    #[must_use]
    pub fn bold(mut self, text: impl Into<String>, tone: Tone) -> Self {
        self.push(Span::new(text, tone).with(Emphasis::BOLD));
        self
    }

    /// This row with another one behind it. Before a row that goes on with the one above, this one is a part of what
    /// stands before its text.
    #[must_use]
    pub fn then(mut self, other: Self) -> Self {
        if let Some(joint) = other.joint {
            let before: usize = self.spans.iter().map(|span| span.text.len()).sum();
            self.joint = Some(Joint { lead: before + joint.lead, ..joint });
        }
        self.spans.extend(other.spans);
        self
    }

    /// Adds a piece; an empty one is left out.
    pub fn push(&mut self, span: Span) {
        if !span.text.is_empty() {
            self.spans.push(span);
        }
    }

    /// True when there is no text at all.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Cells the row takes.
    pub fn width(&self) -> usize {
        self.spans.iter().map(Span::width).sum()
    }

    /// The text without its tones.
    pub fn plain(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }

    /// The row cut to `columns` cells, with `…` in the last one when something was cut. A wide character that
    /// fits by half leaves a blank.
    #[must_use]
    pub fn fit(mut self, columns: usize) -> Self {
        let Some(room) = columns.checked_sub(1) else {
            return Self::new();
        };
        let mut used = 0;
        for at in 0..self.spans.len() {
            let span = &self.spans[at];
            let width = span.width();
            let follows = self.spans[at + 1..].iter().any(|span| span.width() > 0);
            if used + width < columns || (used + width == columns && !follows) {
                used += width;
                continue;
            }
            let (head, cells) = head(&span.text, room - used);
            let mut last = span.like(head);
            last.text.extend(std::iter::repeat_n(' ', room - used - cells));
            last.text.push_str(CUT);
            self.spans.truncate(at);
            self.spans.push(last);
            break;
        }
        self
    }

    /// The end of the row in at most `columns` cells: of what does not fit the beginning is cut, and an ellipsis says
    /// so. For paths, which differ at their ends.
    #[must_use]
    pub fn fit_end(self, columns: usize) -> Self {
        let width = self.width();
        if width <= columns {
            return self;
        }
        let Some(cut) = self.spans.first().map(|span| span.like(CUT)).filter(|_| columns > 0) else {
            return Self::new();
        };
        let mut row = Self::new();
        row.push(cut);
        row.then(self.pan(width - columns + 1))
    }

    /// The row without its first `columns` cells. A wide character of which a part is left becomes blanks.
    #[must_use]
    pub fn pan(self, columns: usize) -> Self {
        let mut skip = columns;
        let mut row = Self::new();
        for span in self.spans {
            if skip == 0 {
                row.push(span);
                continue;
            }
            let width = span.width();
            if width <= skip {
                skip -= width;
                continue;
            }
            let (head, cells) = head(&span.text, skip);
            let mut tail = &span.text[head.len()..];
            let mut blanks = 0;
            if cells < skip
                && let Some((cluster, wide)) = width::clusters(tail).next()
            {
                tail = &tail[cluster.len()..];
                blanks = wide - (skip - cells);
            }
            row.push(span.like(format!("{:blanks$}{tail}", "")));
            skip = 0;
        }
        row
    }

    /// A row of exactly `columns` cells with `left` at its left and `right` at its right edge. Where both do
    /// not fit with a blank between them, `left` is cut first.
    pub fn between(left: Self, right: Self, columns: usize) -> Self {
        let right = right.fit(columns);
        let free = columns - right.width();
        let gap = usize::from(!right.is_empty() && free > 0);
        let left = left.fit(free - gap);
        let padding = free - left.width();
        left.text(" ".repeat(padding), Tone::Text).then(right)
    }

    /// The row filled up with blanks in `tone` to `columns` cells, for tones that have a background.
    #[must_use]
    pub fn pad(self, columns: usize, tone: Tone) -> Self {
        let missing = columns.saturating_sub(self.width());
        self.text(" ".repeat(missing), tone)
    }
}

impl From<Span> for Row {
    fn from(span: Span) -> Self {
        let mut row = Self::new();
        row.push(span);
        row
    }
}

/// The longest start of `text` that takes no more than `room` cells, in whole clusters, and its cells.
fn head(text: &str, room: usize) -> (&str, usize) {
    let mut used = 0;
    let mut bytes = 0;
    for (cluster, width) in width::clusters(text) {
        if used + width > room {
            break;
        }
        used += width;
        bytes += cluster.len();
    }
    (&text[..bytes], used)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_path_keeps_its_end() {
        for (columns, shown) in
            [(9, "~/設計/a"), (8, "~/設計/a"), (7, "…設計/a"), (6, "… 計/a"), (1, "…"), (0, "")]
        {
            assert_eq!(row("~/設計/a").fit_end(columns).plain(), shown, "{columns}");
        }
    }

    fn row(text: &str) -> Row {
        Row::new().text(text, Tone::Text)
    }

    #[test]
    fn fitting_cuts_at_a_cell() {
        for (text, columns, fitted) in [
            ("plain", 9, "plain"),
            ("plain", 5, "plain"),
            ("plain", 4, "pla…"),
            ("plain", 1, "…"),
            ("plain", 0, ""),
            ("ab設計", 6, "ab設計"),
            ("ab設計", 5, "ab設…"),
            ("ab設計", 4, "ab …"),
            ("設", 1, "…"),
            ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
        ] {
            let cut = row(text).fit(columns);
            assert_eq!(cut.plain(), fitted, "{text} in {columns}");
        }
    }

    #[test]
    fn fitting_keeps_tones() {
        let cut = Row::new().text("ab", Tone::Good).text("cdef", Tone::Bad).text("g", Tone::Dim).fit(5);
        assert_eq!(cut, Row::new().text("ab", Tone::Good).text("cd…", Tone::Bad));
        let whole = Row::new().text("ab", Tone::Good).text("cd", Tone::Bad);
        assert_eq!(whole.clone().fit(4), whole);
        assert_eq!(whole.fit(2).plain(), "a…");
    }

    #[test]
    fn panning_leaves_blanks_for_halves() {
        for (text, columns, panned) in [
            ("plain", 0, "plain"),
            ("plain", 2, "ain"),
            ("plain", 5, ""),
            ("設計", 1, " 計"),
            ("設計", 2, "計"),
            ("設計", 3, " "),
            ("設計", 9, ""),
        ] {
            assert_eq!(row(text).pan(columns).plain(), panned, "{text} by {columns}");
        }
    }

    #[test]
    fn two_edges_share_a_row() {
        for (left, right, columns, joined) in [
            ("you", "14:02", 12, "you    14:02"),
            ("assistant", "14:02", 12, "assis… 14:02"),
            ("you", "14:02", 6, " 14:02"),
            ("you", "14:02", 5, "14:02"),
            ("you", "14:02", 3, "14…"),
            ("you", "", 5, "you  "),
            ("you", "", 3, "you"),
            ("you", "14:02", 0, ""),
        ] {
            assert_eq!(Row::between(row(left), row(right), columns).plain(), joined);
        }
    }

    proptest! {
        #[test]
        fn no_row_is_wider_than_asked(left in "\\PC{0,20}", right in "\\PC{0,9}", columns in 0usize..40) {
            let both = row(&left).text(right.clone(), Tone::Dim);
            let width = both.width();
            prop_assert_eq!(both.clone().fit(columns).width(), width.min(columns));
            prop_assert_eq!(both.pan(columns).width(), width.saturating_sub(columns));
            prop_assert_eq!(Row::between(row(&left), row(&right), columns).width(), columns);
        }
    }
}
