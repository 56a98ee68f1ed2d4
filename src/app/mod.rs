//! State and decisions, without a terminal, a clock or a disk.
//!
//! [`App::update`] is the one door for change: a [`Msg`] goes in, [`Effect`]s come out. Drawing reads `&App`.

mod action;
mod action_name;
mod compare;
mod copy;
mod details;
mod edit_dialog;
mod edits;
mod export;
mod find;
mod finder;
mod follow;
mod help;
mod input;
mod job;
mod key;
mod keymap;
mod live;
mod messages;
mod mouse;
mod moves;
mod notice;
mod origin;
mod overlay;
mod pane;
mod pick;
mod regions;
mod remembered;
mod reports;
mod resume;
mod scroll;
mod search;
mod search_rows;
mod sessions;
mod stats;
mod tree;
mod update;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::Arc;

use jiff::tz::TimeZone;
use ratatui::layout::Size;

pub use action::Action;
pub use compare::{CompareView, TurnRows, WantedTurns};
pub use copy::{Clip, CopyMenu, Marks, Take, TakeFrom};
pub use details::{Detailed, DetailsView};
pub use edit_dialog::EditDialog;
pub use edits::{Edit, Edited, Migration};
pub use export::{ExportDialog, ExportPart, Exported, Secrets, WantedExport};
pub use find::Find;
pub use finder::{Finder, FinderScope, Finds, Found};
pub use help::{HelpRow, help_rows};
pub use input::{Button, Input, Mouse, MouseKind};
pub use job::{
    BlockStyle, ForkFound, Job, KnownTexts, Opened, OutsideText, Report, Split, TextsRead, Ticket,
};
pub use key::{Key, KeyName, Modifiers, UnknownKey};
pub use keymap::{BINDINGS, Binding, KeyRow, Keymap, PI_ACTIONS, PiAction, Scope};
pub(crate) use live::stamp;
pub use live::{Look, Stamp};
pub use messages::{
    Anchor, BlockKey, Item, Level, Listing, Match, MessagesPane, Progress as SearchProgress, Search, View,
    Visible,
};
pub(crate) use messages::{PAGES_LOOKED_THROUGH, is_tool_result};
pub use notice::{Notice, NoticeTone};
pub use origin::{At, Draft, Origin};
pub use overlay::{Overlay, OverlayPicture};
pub use pane::Pane;
pub use pick::Picked;
pub(crate) use regions::{NAMES_GAP, SESSIONS_HINT};
pub use regions::{OverlayRegion, PaneRegion, Regions, Zoom};
pub use remembered::Remembered;
pub use resume::{Offer, Place, ResumeDialog};
pub use scroll::Step;
pub(crate) use search::LISTED;
pub use search::{SearchRow, SearchView};
pub use sessions::{Progress, ScopeChoice, SessionKey, SessionRow, SessionsPane};
pub use stats::{Counted, StatsView, WantedStats};
pub use tree::{Doc, Fork, TreeContent, TreeKey, TreePane, TreeRow};

use crate::config::{FirstPane, View as ViewSettings};
use crate::resume::{Plan, Program};
use crate::session::{Attempt, Filter};
use crate::store::{SessionSummary, Store, shorten_home};

/// What the program was started with.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Where the sessions are.
    pub store: Store,
    /// The folder in which it was started.
    pub cwd: String,
    /// The folder shown as `~`.
    pub home: Option<Arc<str>>,
    /// The time zone in which times are shown.
    pub zone: TimeZone,
    /// A session to show first, whether or not it lies in the store.
    pub session: Option<PathBuf>,
    /// Whether a resume is confirmed first. Where there is something to doubt, it always is.
    pub asks_before_resume: bool,
    /// Whether it was started to pick a session or an entry for another program.
    pub picks: bool,
    /// The model's context window in tokens, where it is known.
    pub context_window: Option<f64>,
    /// Where somebody was who left, and how they had things.
    pub remembered: Remembered,
    /// The keys in force.
    pub keymap: Keymap,
    /// How the screen is set up.
    pub view: ViewSettings,
    /// The filter that the tree begins with.
    pub tree_filter: Filter,
}

/// Everything the screen shows.
#[derive(Debug)]
pub struct App {
    /// What the program was started with.
    pub setup: Setup,
    /// The size of the screen in cells.
    pub size: Size,
    /// Milliseconds since 1970, as of the last message.
    pub now: i64,
    /// The pane with the focus.
    pub focus: Pane,
    /// Whether it has the whole screen.
    pub zoom: Zoom,
    /// The sessions.
    pub sessions: SessionsPane,
    /// The tree of one of them.
    pub tree: TreePane,
    /// The messages of one branch of it.
    pub messages: MessagesPane,
    /// What lies above the panes.
    pub overlay: Option<Overlay>,
    /// What there is to tell.
    pub notice: Option<Notice>,
    /// What is marked, to be taken together.
    pub marks: Marks,
    tickets: Tickets,
    live: live::Live,
    edits: edits::Edits,
    /// The session that the cursor was on when the tree was last asked for.
    previewed: Option<SessionKey>,
    landing: Option<finder::Landing>,
    /// Where somebody was when they left, until that is in the list.
    goes_back_to: Option<remembered::Place>,
    /// The fork on whose row the tree's cursor is to be put as soon as it hangs in the tree.
    lands_on_fork: Option<PathBuf>,
}

/// The tickets of the requests whose answers are still wanted.
#[derive(Clone, Copy, Debug, Default)]
struct Tickets {
    last: Ticket,
    scan: Ticket,
    select: Ticket,
    open: Ticket,
    context: Ticket,
    find: Ticket,
    offer: Ticket,
    collect: Ticket,
    details: Ticket,
    turns: Ticket,
    stats: Ticket,
    narrow: Ticket,
    search: Ticket,
    look: Ticket,
}

/// Something that happened.
#[derive(Debug)]
pub enum Msg {
    /// The program begins.
    Start,
    /// The person did something.
    Input(Input),
    /// A job has something to say.
    Report(Ticket, Report),
    /// A text was edited, or could not be.
    Edited(Result<String, String>),
    /// pi has ended and the screen is ours again; or why pi could not be started.
    Back(Result<ExitStatus, String>),
    /// Files of the store changed, or folders came or went.
    Changed(Vec<PathBuf>),
    /// There is something to tell the person.
    Tell(Notice),
}

/// Something that is to be done outside the app.
#[derive(Debug)]
pub enum Effect {
    /// Run a job and hand its reports back with this ticket.
    Run(Ticket, Job),
    /// End the search that goes on.
    StopSearch,
    /// Read no more forks: another session is to be shown.
    StopForks,
    /// Put a text on the clipboard.
    Copy(Clip),
    /// Tell of changes of the store, and of a session that may lie elsewhere, from now on.
    Watch(Store, Option<PathBuf>),
    /// Have the person edit a text in the editor of their choice.
    Edit(String),
    /// Hand over to pi.
    Resume(Plan, Program),
    /// End the program and tell the one that asked what was picked.
    Pick(Picked),
    /// Open a text in the person's editor or pager.
    OpenOutside(OutsideText),
    /// End the program.
    Quit,
}

impl App {
    /// A screen that shows nothing yet.
    pub fn new(setup: Setup, size: Size, now: i64) -> Self {
        let focus = match setup.view.first_pane {
            FirstPane::Sessions => Pane::Sessions,
            FirstPane::Tree => Pane::Tree,
            FirstPane::Messages => Pane::Messages,
        };
        let mut app = Self {
            sessions: SessionsPane::new(&setup.cwd, &setup.zone),
            size,
            now,
            focus,
            zoom: if setup.view.zoom { Zoom::On } else { Zoom::Off },
            tree: TreePane::new(setup.tree_filter),
            messages: MessagesPane::new(setup.view.message_times),
            overlay: None,
            notice: None,
            marks: Marks::default(),
            tickets: Tickets::default(),
            live: live::Live::default(),
            edits: edits::Edits::default(),
            previewed: None,
            landing: None,
            goes_back_to: None,
            lands_on_fork: None,
            setup,
        };
        app.restore();
        app
    }

    /// When something was, as lists tell it.
    pub fn when(&self, then: i64) -> String {
        self.setup.view.list_times.short(self.now, then, &self.setup.zone)
    }

    /// Where everything is.
    pub fn regions(&self) -> Regions {
        match self.overlay {
            Some(Overlay::Search(_)) => Regions::searching(self.size),
            _ => Regions::of(self.size, self.focus, self.zoom, self.setup.view.widths),
        }
    }

    /// Where a key has its meaning now.
    pub fn scope(&self) -> Scope {
        match &self.overlay {
            Some(Overlay::Copy(_)) => Scope::CopyMenu,
            Some(Overlay::Resume(_)) => Scope::Resume,
            Some(Overlay::Export(_)) => Scope::Export,
            Some(Overlay::Finder(_)) => Scope::Finder,
            Some(Overlay::Search(_)) => Scope::Search,
            Some(Overlay::Edit(_)) => Scope::Question,
            Some(Overlay::Details(_)) => Scope::Details,
            Some(Overlay::Compare(_)) => Scope::Compare,
            Some(Overlay::Stats(_)) => Scope::Stats,
            Some(Overlay::Help { .. } | Overlay::Damage { .. }) => Scope::Overlay,
            None if self.has_nothing_to_browse() => Scope::Empty,
            None => Scope::In(self.focus),
        }
    }

    /// True when the store was read and there is no session in it, and none was asked for.
    pub fn has_nothing_to_browse(&self) -> bool {
        let is_store_empty = !self.sessions.progress.is_running && self.sessions.found().len() == 0;
        is_store_empty && self.setup.session.is_none()
    }

    /// Whether an action would do something with the session that is shown, and so belongs in the footer.
    pub fn offers(&self, action: Action) -> bool {
        let session = self.tree.session();
        match action {
            Action::GoToParentSession => {
                session.is_some_and(|session| session.header().parent_session.is_some())
            }
            Action::Pick => self.setup.picks,
            Action::NextOrigin | Action::NextPlace | Action::FollowInstead => match &self.overlay {
                Some(Overlay::Resume(dialog)) => dialog.offers(action),
                _ => true,
            },
            Action::Undelete => self.edits.can_undelete(),
            Action::OpenCompare => session.is_some_and(|session| session.links().has_forks()),
            // There is nothing to go into.
            Action::GoIn => self.focus != Pane::Messages || self.setup.picks,
            Action::ToggleDamage => {
                session.is_some_and(|session| !session.diagnostics().is_empty())
                    || matches!(self.tree.content, TreeContent::Failed(..))
            }
            _ => true,
        }
    }

    /// The session that the shown one was forked from, if it is in the store.
    pub fn parent_session(&self) -> Option<&Arc<SessionSummary>> {
        let summary = self.sessions.summary(self.tree.session()?.path())?;
        self.sessions.summary(summary.fork_parent()?)
    }

    /// What came of the branch that begins under the tree's cursor, while that has the focus.
    pub fn attempt_at_cursor(&self) -> Option<&Attempt> {
        let row = self.tree.selected().filter(|_| self.focus == Pane::Tree && self.overlay.is_none())?;
        self.tree.attempt(self.tree.rows[row])
    }

    /// A path with the home directory as `~`.
    pub fn shorten<'t>(&self, path: &'t str) -> Cow<'t, str> {
        match &self.setup.home {
            Some(home) => shorten_home(path, Path::new(&**home)),
            None => Cow::Borrowed(path),
        }
    }

    /// The search of the focused pane.
    pub fn find(&self) -> &Find {
        match self.focus {
            Pane::Sessions => &self.sessions.find,
            Pane::Tree => &self.tree.find,
            Pane::Messages => &self.messages.find,
        }
    }

    /// What is being typed, and what stands in front of it; none while keys are commands.
    pub fn typing(&self) -> Option<(&'static str, &Find)> {
        match &self.overlay {
            Some(Overlay::Finder(finder)) => Some(("› ", &finder.find)),
            Some(Overlay::Search(view)) => Some(("› ", &view.find)),
            Some(Overlay::Resume(dialog)) => Some(("folder: ", dialog.typing.as_ref()?)),
            Some(Overlay::Export(dialog)) => Some(("file: ", dialog.typing.as_ref()?)),
            Some(Overlay::Edit(dialog)) => dialog.typing(),
            Some(_) => None,
            None => Some(("/", self.find())).filter(|(_, find)| find.is_typing()),
        }
    }

    fn typing_mut(&mut self) -> Option<&mut Find> {
        if self.overlay.is_none() {
            return Some(self.find_mut()).filter(|find| find.is_typing());
        }
        match &mut self.overlay {
            Some(Overlay::Finder(finder)) => Some(&mut finder.find),
            Some(Overlay::Search(view)) => Some(&mut view.find),
            Some(Overlay::Resume(dialog)) => dialog.typing.as_mut(),
            Some(Overlay::Export(dialog)) => dialog.typing.as_mut(),
            Some(Overlay::Edit(dialog)) => dialog.typing_mut(),
            _ => None,
        }
    }

    fn body_height(&self, pane: Pane) -> usize {
        usize::from(self.regions().body(pane).height)
    }

    fn find_mut(&mut self) -> &mut Find {
        match self.focus {
            Pane::Sessions => &mut self.sessions.find,
            Pane::Tree => &mut self.tree.find,
            Pane::Messages => &mut self.messages.find,
        }
    }
}
