//! The transcript: one block of rows for every entry of a branch.
//!
//! A block is a function of an entry's head and its parsed line, so blocks are made for the visible window and
//! may be forgotten and made again at any time. Its cost is bounded by the rows it yields, never by the size of
//! the entry.

mod body;
mod call;
mod cards;
mod content;
mod figure;
mod heading;
mod message;
mod page;
mod sent;
mod system;
mod tool;

use jiff::tz::TimeZone;

pub(crate) use body::edit_of;
pub(crate) use call::Call;
pub(crate) use heading::kinds_of_tokens;
pub use message::is_mere_tool_use;
pub use sent::{Sent, context_end, left_out, sent_block};
pub use tool::{Run, tool_run_line};

use super::row::{Row, Tone};
use super::{CellSize, CodeTones, age};
use crate::format::json::Value;
use crate::format::{EntryHead, Kind, Role};
use page::Page;

/// Longer lines hold more than anybody reads unasked.
const HUGE_BYTES: u32 = 512 * 1024;
/// Rows of a huge entry while it is folded.
const HUGE_ROWS: usize = 12;

/// How far a block is unfolded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fold {
    /// What only worked is hidden: thinking is, and of a run of tools its one line is [`tool_run_line`].
    Hidden,
    /// Tools and thinking take one line each, summaries a few.
    Closed,
    /// Everything is shown.
    Open,
    /// The entry as it is stored takes the place of what it says; so many levels of its JSON are open.
    Raw(u8),
}

impl Fold {
    /// Levels of JSON that are open at first: as far as the parts of a message.
    pub const RAW: Self = Self::Raw(4);
    /// All levels are open from here on.
    const DEEPEST: u8 = 12;

    /// How many levels of JSON are open.
    fn levels(self) -> usize {
        match self {
            Self::Raw(levels) if levels < Self::DEEPEST => levels.into(),
            _ => usize::MAX,
        }
    }
}

/// What every block depends on besides its entry.
#[derive(Clone, Copy, Debug)]
pub struct BlockOptions<'o> {
    /// Width of the rows in cells.
    pub columns: usize,
    /// Whether the foldable parts are folded.
    pub fold: Fold,
    /// How often more of a long entry was asked for; each time four times as much is shown.
    pub pages: u8,
    /// How code is shown.
    pub code: CodeTones,
    /// The present, in milliseconds since 1970; it decides how much of a date is shown.
    pub now: i64,
    /// Where local time is told.
    pub zone: &'o TimeZone,
    /// How times are told.
    pub times: age::Times,
    /// The home directory, shown as `~`.
    pub home: Option<&'o str>,
    /// The size of a cell where pictures are shown; else there is no room left for them.
    pub cell: Option<CellSize>,
}

impl BlockOptions<'_> {
    /// A time in a few words; nothing where it is not known.
    pub(crate) fn moment(&self, time: Option<i64>) -> String {
        time.map_or_else(String::new, |time| self.times.words(self.now, time, self.zone))
    }

    /// When an entry was written. Below another the clock will do: another day begins with a rule that names it.
    fn moment_of(&self, subject: &Subject<'_>) -> String {
        match (self.times, subject.above.and_then(|above| above.time), subject.head.time) {
            (age::Times::Clock, Some(_), Some(time)) => age::clock(time, self.zone).unwrap_or_default(),
            (_, _, time) => self.moment(time),
        }
    }
}

/// An entry of a branch, with what its block needs to know of its surroundings.
#[derive(Clone, Copy)]
pub struct Subject<'v> {
    /// The entry's head.
    pub head: &'v EntryHead,
    /// The entry above it on the branch, if it is told.
    pub above: Option<&'v EntryHead>,
    /// For a compaction: how many entries its summary stands for.
    pub replaced: Option<usize>,
    /// The entry's parsed line.
    pub body: Value<'v>,
    /// For a tool result: the call it answers, a block of an earlier answer.
    pub call: Option<Value<'v>>,
    /// Whether the branch holds a result for a call id. Such calls are shown by the result.
    pub has_result: &'v dyn Fn(&str) -> bool,
    /// The thinking level in force, where the branch names one.
    pub thinking_level: Option<&'v str>,
    /// The model of the answer before, where the branch has one.
    pub model_above: Option<&'v str>,
    /// The label on the entry.
    pub label: Option<&'v str>,
}

/// Room for a picture among the rows of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureRoom {
    /// Which of the entry's pictures, from 0.
    pub picture: usize,
    /// The first row.
    pub row: usize,
    /// The first column.
    pub column: u16,
    /// Its rows.
    pub rows: u16,
    /// Its columns.
    pub columns: u16,
}

/// The rows of one entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// The rows from top to bottom; none for an answer whose calls are shown by their results.
    pub rows: Vec<Row>,
    /// Whether folding changes anything.
    pub is_foldable: bool,
    /// Whether some of its JSON is folded.
    pub has_folded_json: bool,
    /// The row that says what found no room, where it may be asked for.
    pub more: Option<usize>,
    /// The room that is left for pictures, from top to bottom.
    pub pictures: Vec<PictureRoom>,
    /// Whether it holds code in one tone that could be highlighted, without changing any row but in its tones.
    pub could_be_highlighted: bool,
}

impl Block {
    /// A block of one row.
    pub fn line(row: Row) -> Self {
        Self { rows: vec![row], ..Self::default() }
    }

    /// A block that says why an entry cannot be shown.
    pub fn notice(words: &str, columns: usize) -> Self {
        let mut page = Page::plain(columns);
        page.set_left(Row::new().text(heading::BAR, Tone::Bad).text(" ", Tone::Text));
        page.remark(words);
        page.finish(false)
    }
}

/// Renders an entry as it is stored.
pub fn block(subject: &Subject<'_>, options: &BlockOptions<'_>) -> Block {
    let mut page = Page::new(options);
    if let Fold::Raw(_) = options.fold {
        cards::raw(&mut page, subject, options);
        return page.finish(true);
    }
    let is_huge = is_huge(subject.head);
    let is_foldable = if is_huge && matches!(options.fold, Fold::Closed | Fold::Hidden) {
        page.limited(HUGE_ROWS, |page| said(page, subject, options))
    } else {
        said(&mut page, subject, options)
    };
    let mut block = page.finish(is_foldable || is_huge);
    begin_day(&mut block, subject.head, subject.above, options);
    block
}

/// Writes what an entry says; returns whether anything folds.
fn said(page: &mut Page, subject: &Subject<'_>, options: &BlockOptions<'_>) -> bool {
    match &subject.head.kind {
        Kind::Message(message) => match &message.role {
            Role::User => message::user(page, subject, options),
            Role::Assistant(answer) => message::assistant(page, subject, answer, options),
            Role::ToolResult { .. } => tool::result(page, subject, options),
            Role::BashExecution { .. } => tool::bash_execution(page, subject, options),
            Role::System => system::message(page, subject, options),
            Role::Other(_) => message::other(page, subject, options),
            Role::Missing => message::missing(page, subject, options),
        },
        Kind::CustomMessage { display, .. } => message::custom(page, subject, *display, options),
        Kind::Compaction { .. } | Kind::BranchSummary => cards::summary(page, subject, options),
        Kind::Unknown(_) => cards::unknown(page, subject, options),
        _ => cards::bookkeeping(page, subject, options),
    }
}

/// Entries of so many bytes are folded to a few rows first, whatever they are.
fn is_huge(head: &EntryHead) -> bool {
    head.length > HUGE_BYTES
}

/// Puts a rule with the day before a block, where the entry above it was written on another one.
fn begin_day(block: &mut Block, head: &EntryHead, above: Option<&EntryHead>, options: &BlockOptions<'_>) {
    let Some(above) = above.filter(|above| starts_day(above, head, options)) else { return };
    let Some(day) = head.time.and_then(|time| age::day(time, options.zone)) else { return };
    let mut page = Page::plain(options.columns);
    page.set_left(message::margin(None));
    cards::rule(&mut page, Row::new().text(day, Tone::Dim), Row::new(), Tone::Rule);
    let blank = |count| std::iter::repeat_n(Row::new(), count);
    let mut rows: Vec<Row> = blank(1 - gap(above, head)).collect();
    rows.extend(page.finish(false).rows.into_iter().chain(blank(1)));
    let added = rows.len();
    block.more = block.more.map(|row| row + added);
    block.pictures.iter_mut().for_each(|room| room.row += added);
    block.rows.splice(0..0, rows);
}

/// Whether an entry was written on another day than the one above it, as far as both tell.
pub fn starts_day(above: &EntryHead, head: &EntryHead, options: &BlockOptions<'_>) -> bool {
    let day = |head: &EntryHead| age::date(head.time?, options.zone);
    day(above).zip(day(head)).is_some_and(|(above, here)| above != here)
}

/// How an entry is folded unless the reader said otherwise.
pub fn default_fold(head: &EntryHead) -> Fold {
    match &head.kind {
        Kind::Message(message) if message.role == Role::User && !is_huge(head) => Fold::Open,
        _ => Fold::Closed,
    }
}

/// Blank rows between two blocks that follow on each other: none between lines of tools and bookkeeping.
pub fn gap(above: &EntryHead, below: &EntryHead) -> usize {
    usize::from(!(is_line(above) && is_line(below)))
}

/// Entries that are one line when folded.
fn is_line(head: &EntryHead) -> bool {
    match &head.kind {
        Kind::Message(message) => match &message.role {
            Role::ToolResult { .. } => true,
            Role::Assistant(answer) => message::is_mere_tool_use(answer),
            _ => false,
        },
        Kind::CustomMessage { .. } | Kind::Compaction { .. } | Kind::BranchSummary | Kind::Unknown(_) => {
            false
        }
        _ => true,
    }
}

/// The mark of something that folds.
fn fold_mark(fold: Fold) -> &'static str {
    match fold {
        Fold::Open | Fold::Raw(_) => "▾ ",
        Fold::Closed | Fold::Hidden => "▸ ",
    }
}

#[cfg(test)]
mod hostile;
#[cfg(test)]
mod tests;
