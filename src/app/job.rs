use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use jiff::tz::TimeZone;

use super::edits::{Edit, Edited};
use super::live::{Look, Stamp};
use super::{
    BlockKey, Clip, Counted, Detailed, Exported, Finds, Found, Listing, Match, Notice, Offer, SearchProgress,
    Take, TakeFrom, TurnRows, WantedExport, WantedStats, WantedTurns,
};
use crate::error::Error;
use crate::format::EntryId;
use crate::present::Times;
use crate::present::details::Detail;
use crate::present::transcript::Block;
use crate::present::{CellSize, Needle};
use crate::session::{Attempts, Context, EntryIx, Outline, OutlineView, Session, Totals, WindowShare};
use crate::store::{
    Kept, Query, ScanEvent, SearchEvent, SearchQuery, SessionSummary, Store, TextHits, Writers,
};

/// Tells the answer to one request from the answers to older ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ticket(u64);

impl Ticket {
    /// The ticket after this one.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// Work that waits for the disk or takes long, as data. `jobs::run` does it.
#[derive(Clone, Debug)]
pub enum Job {
    /// Finds the sessions of a store.
    Scan {
        /// Where.
        store: Store,
        /// What becomes of what earlier scans kept.
        kept: Kept,
    },
    /// Finds the sessions that match a query.
    Select {
        /// All sessions.
        rows: Vec<Arc<SessionSummary>>,
        /// What is searched.
        query: Query,
        /// What is known of the texts of their messages.
        known: Arc<KnownTexts>,
    },
    /// Reads a session and the rows of its tree.
    Open {
        /// The file.
        path: PathBuf,
        /// How its tree is shown; the leaf is the file's own.
        view: OutlineView,
        /// What was read of it before, which is extended where the file has only grown.
        known: Option<Arc<Session>>,
    },
    /// Builds the rows of a tree anew.
    Outline {
        /// The session.
        session: Arc<Session>,
        /// How its tree is shown.
        view: OutlineView,
    },
    /// Finds where forks left a session, and reads them.
    Forks {
        /// The session they left.
        parent: Arc<Session>,
        /// Their rows, and what was read of them before.
        forks: Vec<(Arc<SessionSummary>, Option<Arc<Session>>)>,
    },
    /// Builds the context at a leaf.
    Context {
        /// The session.
        session: Arc<Session>,
        /// The entry at which it ends.
        leaf: Option<EntryIx>,
        /// The model's window, where it is known: then what is in use is counted.
        window: Option<f64>,
    },
    /// Makes blocks of messages into rows.
    Blocks {
        /// The session.
        session: Arc<Session>,
        /// All that the pane lists.
        listing: Arc<Listing>,
        /// Which of it, nearest to the reader first, and how.
        wanted: Vec<(usize, BlockKey)>,
        /// What their rows depend on besides.
        style: BlockStyle,
    },
    /// Searches the text of all sessions.
    Search {
        /// Where they are.
        store: Store,
        /// What is looked for.
        query: Box<SearchQuery>,
    },
    /// Finds something in the messages of a branch.
    FindText {
        /// The session.
        session: Arc<Session>,
        /// All that the pane lists.
        listing: Arc<Listing>,
        /// The item at which to begin; what is above it comes last.
        from: usize,
        /// The width at which the rows are counted.
        width: u16,
        /// The entries that are shown as they are stored, and how many levels of their JSON are open.
        raw: HashMap<EntryIx, u8>,
        /// What is looked for.
        needle: Needle,
        /// What the rows depend on besides.
        style: BlockStyle,
    },
    /// Reads something about entries, to be copied.
    TakeEntries {
        /// What.
        take: Take,
        /// Where.
        from: Box<TakeFrom>,
    },
    /// Reads the whole text of an entry that a finder shows the start of, to be copied.
    TakeFound {
        /// The session's file.
        path: PathBuf,
        /// The entry.
        entry: EntryId,
    },
    /// Reads something about sessions, to be copied.
    TakeSessions {
        /// What.
        take: Take,
        /// Their files.
        paths: Vec<PathBuf>,
        /// Where the sessions are.
        store: Store,
    },
    /// Finds out what resuming a session comes to.
    Offer {
        /// Its file.
        path: PathBuf,
        /// The entry from which to go on, where that is not its end.
        at: Option<(Arc<Session>, EntryIx)>,
        /// The working directories of all sessions.
        known: Vec<Box<str>>,
        /// Where the sessions are.
        store: Store,
    },
    /// Writes what makes pi go on from an entry; above it, where it is a prompt.
    Split {
        /// The session.
        session: Arc<Session>,
        /// The entry.
        entry: EntryIx,
        /// What is written.
        how: Split,
    },
    /// Collects the prompts or the labels of sessions.
    Collect {
        /// Which of the two.
        what: Finds,
        /// The sessions, the most recent first.
        sessions: Vec<Arc<SessionSummary>>,
    },
    /// Adds up what sessions have cost.
    Stats(Box<WantedStats>),
    /// Makes the turns of branches into rows.
    Turns {
        /// The session.
        session: Arc<Session>,
        /// The branches.
        wanted: WantedTurns,
        /// The width of the rows in cells.
        columns: u16,
        /// What the rows depend on besides.
        style: BlockStyle,
    },
    /// Finds out everything there is to say of a session.
    Details {
        /// Which, and what the list knows of it.
        of: Box<Detailed>,
        /// What was read of it before.
        known: Option<Arc<Session>>,
    },
    /// Finds the rows that match a text.
    Narrow {
        /// The rows.
        rows: Arc<Vec<Found>>,
        /// The words of the text occur fuzzily.
        text: String,
    },
    /// Reads an entry, to be opened in another program.
    ReadText {
        /// The session.
        session: Arc<Session>,
        /// The entry.
        entry: EntryIx,
    },
    /// Looks at files that may have changed.
    Look {
        /// The files, and folders that came or went, with size and time of the last write where they were read.
        places: Vec<(PathBuf, Option<Stamp>)>,
    },
    /// Looks for programs that may be writing to sessions.
    LookForWriters,
    /// Writes a document.
    Export(Box<WantedExport>),
    /// Changes a session file, or makes or deletes some.
    Edit(Box<Edit>),
    /// Writes the demo sessions and says where.
    Demo,
}

/// What the texts of sessions hold of a query, by their files as they were when they were read.
pub type KnownTexts = HashMap<PathBuf, (Stamp, TextHits)>;

/// What was read of them just now.
pub type TextsRead = Vec<(PathBuf, (Stamp, TextHits))>;

/// What is written to make pi go on from an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// A new session, as pi's /fork writes it.
    NewSession,
    /// A branch point in the same session.
    SameFile,
}

/// What a job has to say.
#[derive(Debug)]
pub enum Report {
    /// News of a scan.
    Scan(ScanEvent),
    /// The scan is over.
    ScanEnded,
    /// The job failed for a mistake of ours, told in words; there will be no other report of it.
    Crashed(String),
    /// News of a search.
    Search(SearchEvent),
    /// The search is over.
    SearchEnded,
    /// The sessions that match.
    Selected {
        /// Their files, the best match first.
        paths: Vec<PathBuf>,
        /// What was read for that since the last report.
        read: TextsRead,
        /// Whether that is all, so that nothing else matches.
        is_all: bool,
    },
    /// What files have come to. Those that are as they were are left out.
    Looked(Vec<Look>),
    /// The programs that may be writing to sessions.
    Writers(Writers),
    /// What an edit came to.
    Edited(Edited),
    /// What an export came to.
    Exported(Exported),
    /// A session was read.
    Opened(Box<Opened>),
    /// A session could not be read.
    NotOpened {
        /// The file.
        path: PathBuf,
        /// Why.
        error: Error,
    },
    /// The rows of a tree.
    Outlined {
        /// The session.
        session: Arc<Session>,
        /// Its rows.
        outline: Box<Outline>,
    },
    /// Forks that were read. Those that could not be are told as problems.
    Forks {
        /// The session they left.
        parent: Arc<Session>,
        /// The forks.
        forks: Vec<ForkFound>,
    },
    /// A context was built.
    Context {
        /// The session.
        session: Arc<Session>,
        /// The context.
        context: Box<Context>,
        /// How full it is, where the window is known.
        share: Option<WindowShare>,
    },
    /// Blocks that were made into rows.
    Blocks {
        /// The session.
        session: Arc<Session>,
        /// The blocks.
        blocks: Vec<(BlockKey, Arc<Block>)>,
    },
    /// Where it was found besides what was told before.
    Found {
        /// The places, from top to bottom.
        matches: Vec<Match>,
        /// Whether there is more to come.
        progress: SearchProgress,
    },
    /// A text to be copied, ready for the clipboard.
    Taken(Clip),
    /// What resuming a session comes to.
    Offered(Box<Offer>),
    /// What makes pi go on from an entry is written; this is the session's file.
    Split(PathBuf),
    /// What was collected so far, the newest first.
    Collected {
        /// The rows.
        rows: Arc<Vec<Found>>,
        /// Whether that is all.
        is_all: bool,
    },
    /// What sessions have cost.
    Stats(Box<Counted>),
    /// The next turns of a branch.
    Turns {
        /// The branch, by its place in the view.
        attempt: usize,
        /// The width of the rows.
        columns: u16,
        /// The turns.
        turns: Vec<TurnRows>,
        /// Whether these are the last ones.
        is_all: bool,
    },
    /// Everything there is to say of a session, or why that cannot be told.
    Details(Result<Vec<Detail>, Error>),
    /// The rows that match, best first.
    Narrowed(Vec<usize>),
    /// A text to be opened in another program.
    ReadText(OutsideText),
    /// The demo sessions stand ready.
    Demo {
        /// Their store.
        store: Store,
        /// The folder to be shown as `~`.
        home: String,
    },
    /// Something to tell the person.
    Notice(Notice),
    /// A job gave way to newer ones and will not be run.
    Dropped(Box<Job>),
}

/// What the rows of messages depend on besides the messages.
#[derive(Clone, Debug)]
pub struct BlockStyle {
    /// The folder shown as `~`.
    pub home: Option<Arc<str>>,
    /// Where local time is told.
    pub zone: TimeZone,
    /// How times are told.
    pub times: Times,
    /// The size of a cell where pictures are shown.
    pub cell: Option<CellSize>,
    /// Milliseconds since 1970; decides how much of a date is shown.
    pub now: i64,
    /// The model's context window in tokens, where it is known.
    pub window: Option<f64>,
}

/// A text for another program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutsideText {
    /// The text.
    pub text: String,
    /// What the name of its file ends in.
    pub extension: &'static str,
}

/// A session as it comes from the disk, with what is derived from all of it.
#[derive(Debug)]
pub struct Opened {
    /// The session.
    pub session: Arc<Session>,
    /// The rows of its tree.
    pub outline: Outline,
    /// Its sums.
    pub totals: Totals,
    /// The ends of its branches in file order.
    pub leaves: Vec<EntryIx>,
    /// What came of every branch from where it left another.
    pub attempts: Attempts,
}

/// A fork and where it left its parent.
#[derive(Debug)]
pub struct ForkFound {
    /// The fork's row.
    pub summary: Arc<SessionSummary>,
    /// The fork itself.
    pub session: Arc<Session>,
    /// The last entry both share by id, as the parent knows it; `None` when they share none.
    pub point: Option<EntryIx>,
    /// The entries it shares with its parent, in its own counting.
    pub shared: HashSet<EntryIx>,
    /// What came of its branches.
    pub attempts: Attempts,
}
