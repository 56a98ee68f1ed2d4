//! What the sessions of the store have cost: a list that leads down to single sessions.

mod rows;

use std::path::PathBuf;
use std::sync::Arc;

use super::scroll::{Ends, keep_in_view};
use super::{App, Effect, Job, Notice, Overlay, Pane, Regions, Step};
use crate::store::{Day, Period, SessionSummary, Stats, StatsBy, StatsFilter, StatsKey, StatsRow, StatsSort};

/// What is added up, and where one is in it.
#[derive(Clone, Debug)]
pub struct StatsView {
    /// Where one is, below where one came from; never empty.
    levels: Vec<Level>,
    period: PeriodChoice,
    /// The order, where one was chosen.
    sort: Option<StatsSort>,
    /// What the sessions have come to, once that was added up.
    counted: Option<Counted>,
}

/// Sums, and the sessions they are of.
#[derive(Clone, Debug)]
pub struct Counted {
    /// The sessions; rows tell theirs by its place here.
    pub sessions: Arc<Vec<Arc<SessionSummary>>>,
    /// Their sums.
    pub stats: Stats,
}

/// What is to be added up.
#[derive(Clone, Debug)]
pub struct WantedStats {
    /// All sessions.
    pub sessions: Vec<Arc<SessionSummary>>,
    /// What a row is.
    pub by: StatsBy,
    /// Only what is of this.
    pub filter: StatsFilter,
    /// The order of the rows.
    pub sort: StatsSort,
}

/// One list on the way down.
#[derive(Clone, Debug, Default)]
struct Level {
    by: StatsBy,
    /// The rows that led here.
    only: Vec<StatsKey>,
    at: usize,
    top: usize,
    /// What is under the cursor, which stays there when rows come and go.
    under: Option<Under>,
}

/// A row by what it is, whatever place it has.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Under {
    Session(PathBuf),
    Other(StatsKey),
}

/// How far back the sums go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum PeriodChoice {
    Week,
    Month,
    #[default]
    All,
}

impl PeriodChoice {
    fn next(self) -> Self {
        match self {
            Self::All => Self::Week,
            Self::Week => Self::Month,
            Self::Month => Self::All,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Week => "7 days",
            Self::Month => "30 days",
            Self::All => "all time",
        }
    }

    /// The days, where today is the last one.
    fn period(self, today: Option<Day>) -> Period {
        let since = |days: i32| Period { since: today.map(|today| today.before(days - 1)), until: None };
        match self {
            Self::Week => since(7),
            Self::Month => since(30),
            Self::All => Period::default(),
        }
    }
}

impl StatsView {
    fn new(by: StatsBy) -> Self {
        let level = Level { by, ..Level::default() };
        Self { levels: vec![level], period: PeriodChoice::default(), sort: None, counted: None }
    }

    fn level(&self) -> Option<&Level> {
        self.levels.last()
    }

    /// The order of the rows: as chosen, else the last day or the dearest first.
    fn sort(&self) -> StatsSort {
        let by_day = self.level().is_some_and(|level| level.by == StatsBy::Day);
        self.sort.unwrap_or(if by_day { StatsSort::Recent } else { StatsSort::Cost })
    }

    fn rows(&self) -> &[StatsRow] {
        self.counted.as_ref().map_or(&[], |counted| &counted.stats.rows)
    }

    fn selected(&self) -> Option<&StatsRow> {
        self.rows().get(self.level()?.at)
    }

    fn session(&self, key: &StatsKey) -> Option<&Arc<SessionSummary>> {
        match key {
            StatsKey::Session(at) => self.counted.as_ref()?.sessions.get(*at),
            _ => None,
        }
    }

    fn under(&self, row: &StatsRow) -> Under {
        match self.session(&row.key) {
            Some(session) => Under::Session(session.path.clone()),
            None => Under::Other(row.key.clone()),
        }
    }

    /// Puts the cursor on a row.
    pub(super) fn select(&mut self, at: usize) {
        let at = at.min(self.rows().len().saturating_sub(1));
        let under = self.rows().get(at).map(|row| self.under(row));
        if let Some(level) = self.levels.last_mut() {
            (level.at, level.under) = (at, under);
        }
    }

    fn step(&mut self, step: Step, height: usize) {
        let at = self.level().map_or(0, |level| level.at);
        self.select(step.from(at, self.rows().len(), height, Ends::Stop));
        let top = self.place(height).1;
        if let Some(level) = self.levels.last_mut() {
            level.top = top;
        }
    }

    /// The row under the cursor, and the first one in view for a window of this height.
    fn place(&self, height: usize) -> (usize, usize) {
        let (at, top) = self.level().map_or((0, 0), |level| (level.at, level.top));
        (at, keep_in_view(top, at, self.rows().len(), height))
    }

    /// Takes sums; the cursor stays on what it was on.
    fn take(&mut self, counted: Counted) {
        self.counted = Some(counted);
        let under = self.level().and_then(|level| level.under.clone());
        let same = under.and_then(|under| self.rows().iter().position(|row| self.under(row) == under));
        self.select(same.unwrap_or(self.level().map_or(0, |level| level.at)));
    }

    /// Goes down to the sessions of the row under the cursor; a session itself leads out.
    fn go_in(&mut self) -> Option<PathBuf> {
        let key = self.selected()?.key.clone();
        if let StatsKey::Session(_) = key {
            return self.session(&key).map(|session| session.path.clone());
        }
        let only = self.level()?.only.iter().cloned().chain([key]).collect();
        let below = Level { by: StatsBy::Session, only, ..Level::default() };
        self.levels.push(below);
        self.counted = None;
        None
    }
}

impl App {
    /// Shows what the sessions have cost.
    pub(super) fn open_stats(&mut self, effects: &mut Vec<Effect>) {
        self.overlay = Some(Overlay::Stats(Box::new(StatsView::new(StatsBy::Project))));
        self.want_stats(effects);
    }

    /// Has added up what is to be shown.
    pub(super) fn want_stats(&mut self, effects: &mut Vec<Effect>) {
        let today = Day::of(self.now, &self.setup.zone);
        let Some(Overlay::Stats(view)) = &self.overlay else { return };
        let Some(level) = view.level() else { return };
        let wanted = WantedStats {
            sessions: self.sessions.found().cloned().collect(),
            by: level.by,
            filter: StatsFilter { period: view.period.period(today), only: level.only.clone() },
            sort: view.sort(),
        };
        self.tickets.stats = self.run(Job::Stats(Box::new(wanted)), effects);
    }

    /// Takes the sums.
    pub(super) fn take_stats(&mut self, counted: Counted) {
        if let Some(view) = self.stats_mut() {
            view.take(counted);
        }
    }

    fn stats_mut(&mut self) -> Option<&mut StatsView> {
        match &mut self.overlay {
            Some(Overlay::Stats(view)) => Some(view),
            _ => None,
        }
    }

    /// Adds up by something else, within what one is looking at.
    pub(super) fn stats_by(&mut self, by: StatsBy, effects: &mut Vec<Effect>) {
        let Some(view) = self.stats_mut() else { return };
        if let Some(level) = view.levels.last_mut() {
            (level.by, level.at, level.top, level.under) = (by, 0, 0, None);
        }
        view.counted = None;
        self.want_stats(effects);
    }

    /// Looks further back, or less far.
    pub(super) fn turn_period(&mut self, effects: &mut Vec<Effect>) {
        let Some(view) = self.stats_mut() else { return };
        view.period = view.period.next();
        self.want_stats(effects);
    }

    /// Changes the order of the rows.
    pub(super) fn turn_stats_order(&mut self, effects: &mut Vec<Effect>) {
        let Some(view) = self.stats_mut() else { return };
        view.sort = Some(match view.sort() {
            StatsSort::Cost => StatsSort::Tokens,
            StatsSort::Tokens => StatsSort::Name,
            StatsSort::Name => StatsSort::Recent,
            StatsSort::Recent => StatsSort::Cost,
        });
        if let Some(level) = view.levels.last_mut() {
            (level.at, level.top, level.under) = (0, 0, None);
        }
        self.want_stats(effects);
    }

    /// Moves in the list.
    pub(super) fn step_stats(&mut self, step: Step) {
        let height = rows::list_height(Regions::overlay(self.size).body.height);
        if let Some(view) = self.stats_mut() {
            view.step(step, height);
        }
    }

    /// Puts the cursor on what stands at a row of the view.
    pub(super) fn click_stats(&mut self, row: usize) {
        let height = rows::list_height(Regions::overlay(self.size).body.height);
        let Some(view) = self.stats_mut() else { return };
        if let Some(row) = row.checked_sub(rows::HEAD_ROWS).filter(|&row| row < height) {
            view.select(view.place(height).1 + row);
        }
    }

    /// Goes down from the row under the cursor: to its sessions, or to the session itself.
    pub(super) fn stats_go_in(&mut self, effects: &mut Vec<Effect>) {
        let Some(path) = self.stats_mut().and_then(StatsView::go_in) else {
            return self.want_stats(effects);
        };
        if self.sessions.select_session(&path) {
            self.overlay = None;
            self.focus = Pane::Tree;
        } else {
            self.notice = Some(Notice::failed("this session is not in the list of sessions"));
        }
    }

    /// Goes back up; says whether there was a way up.
    pub(super) fn stats_go_up(&mut self, effects: &mut Vec<Effect>) -> bool {
        let Some(view) = self.stats_mut().filter(|view| view.levels.len() > 1) else { return false };
        view.levels.pop();
        view.counted = None;
        self.want_stats(effects);
        true
    }
}
