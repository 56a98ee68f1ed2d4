use std::cmp::Ordering;
use std::collections::HashMap;

use super::copies::Copies;
use super::{Account, Day};
use crate::format::Usage;
use crate::store::SessionSummary;

/// What is added up to one row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StatsBy {
    /// A session.
    #[default]
    Session,
    /// A working directory.
    Project,
    /// A model.
    Model,
    /// A local day.
    Day,
}

/// What a row stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StatsKey {
    /// A session, by its place in the list that was added up.
    Session(usize),
    /// A working directory; empty for sessions without one.
    Project(Box<str>),
    /// An account: `provider/model`, or pi's word for tools and summaries.
    Model(Box<str>),
    /// A local day; `None` for entries without a time.
    Day(Option<Day>),
}

/// The order of the rows. Equal ones are in the order of their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatsSort {
    /// The dearest first.
    Cost,
    /// The most tokens first.
    Tokens,
    /// By name; days from the first to the last.
    Name,
    /// The one last used first.
    Recent,
}

/// Days from one to another, both included; open where there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Period {
    /// The first day.
    pub since: Option<Day>,
    /// The last day.
    pub until: Option<Day>,
}

/// What of all that was used is added up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatsFilter {
    /// On these days.
    pub period: Period,
    /// Only what belongs to each of these.
    pub only: Vec<StatsKey>,
}

/// Tokens and cost, told apart by whether they led to where a session goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spent {
    /// On the paths to the current leaves.
    pub current: Usage,
    /// On all other branches.
    pub abandoned: Usage,
}

/// One row: what something has cost.
#[derive(Clone, Debug, PartialEq)]
pub struct StatsRow {
    /// What.
    pub key: StatsKey,
    /// How much.
    pub spent: Spent,
    /// In how many sessions.
    pub sessions: usize,
    /// The last day on which something was used.
    pub latest: Option<Day>,
}

/// What many sessions have cost. What forks have copied counts once, for the session they were split off.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    /// By what was asked for.
    pub rows: Vec<StatsRow>,
    /// All together.
    pub total: Spent,
    /// In how many sessions.
    pub sessions: usize,
    /// What forks hold of other sessions, which is not in the sums.
    pub copied: Usage,
    /// Entries whose numbers are missing or absurd, and count as zero.
    pub doubtful: usize,
    /// The sessions that these are in.
    pub doubtful_sessions: usize,
}

impl Spent {
    /// Both together.
    pub fn total(&self) -> Usage {
        let mut total = self.current;
        total.add(&self.abandoned);
        total
    }

    fn add(&mut self, account: &Account) {
        let part = if account.is_abandoned { &mut self.abandoned } else { &mut self.current };
        part.add(&account.usage);
    }
}

impl Period {
    /// Whether something of that day is in it. What has no day is in no limited period.
    pub fn holds(self, day: Option<Day>) -> bool {
        match day {
            Some(day) => {
                self.since.is_none_or(|since| since <= day) && self.until.is_none_or(|until| day <= until)
            }
            None => self == Self::default(),
        }
    }
}

impl StatsFilter {
    fn holds(&self, at: usize, session: &SessionSummary, account: &Account, model: &str) -> bool {
        let belongs = |key: &StatsKey| match key {
            StatsKey::Session(wanted) => *wanted == at,
            StatsKey::Project(cwd) => *cwd == session.cwd,
            StatsKey::Model(wanted) => **wanted == *model,
            StatsKey::Day(day) => *day == account.day,
        };
        self.period.holds(account.day) && self.only.iter().all(belongs)
    }
}

impl Stats {
    /// Adds up what those of the sessions have cost that are `wanted`. All others have to be in the list too, each file
    /// once, to tell what forks have copied.
    pub fn of(
        sessions: &[&SessionSummary],
        wanted: &dyn Fn(&SessionSummary) -> bool,
        by: StatsBy,
        filter: &StatsFilter,
        sort: StatsSort,
    ) -> Self {
        let copies = Copies::among(sessions);
        let mut stats = Self::default();
        let mut places: HashMap<StatsKey, (usize, usize)> = HashMap::new();
        for (at, session) in sessions.iter().enumerate().filter(|(_, session)| wanted(session)) {
            let spending = &session.spending;
            let (mut has_used, mut is_doubtful) = (false, false);
            for (place, account) in spending.accounts.iter().enumerate() {
                let Some(model) = spending.models.get(account.model as usize) else { continue };
                if !filter.holds(at, session, account, model) {
                    continue;
                }
                if spending.is_fork && copies.has(at, spending.marks.get(place)) {
                    stats.copied.add(&account.usage);
                    continue;
                }
                stats.doubtful += account.doubtful as usize;
                is_doubtful |= account.doubtful > 0;
                if account.usage.is_zero() {
                    continue;
                }
                has_used = true;
                stats.total.add(account);
                let key = match by {
                    StatsBy::Session => StatsKey::Session(at),
                    StatsBy::Project => StatsKey::Project(session.cwd.clone()),
                    StatsBy::Model => StatsKey::Model(model.clone()),
                    StatsBy::Day => StatsKey::Day(account.day),
                };
                let (row, last_session) = places.entry(key.clone()).or_insert_with(|| {
                    let empty = StatsRow { key, spent: Spent::default(), sessions: 0, latest: None };
                    stats.rows.push(empty);
                    (stats.rows.len() - 1, usize::MAX)
                });
                let row = &mut stats.rows[*row];
                row.sessions += usize::from(*last_session != at);
                *last_session = at;
                row.spent.add(account);
                row.latest = row.latest.max(account.day);
            }
            stats.sessions += usize::from(has_used);
            stats.doubtful_sessions += usize::from(is_doubtful);
        }
        stats.rows.sort_by(|a, b| order(a, b, sort).then_with(|| names(a, b, sessions)));
        stats
    }
}

fn order(a: &StatsRow, b: &StatsRow, sort: StatsSort) -> Ordering {
    let by_cost = || b.spent.total().cost.total_cmp(&a.spent.total().cost);
    let by_tokens = || b.spent.total().tokens().total_cmp(&a.spent.total().tokens());
    match sort {
        StatsSort::Cost => by_cost().then_with(by_tokens),
        StatsSort::Tokens => by_tokens().then_with(by_cost),
        StatsSort::Recent => b.latest.cmp(&a.latest),
        StatsSort::Name => Ordering::Equal,
    }
}

fn names(a: &StatsRow, b: &StatsRow, sessions: &[&SessionSummary]) -> Ordering {
    match (&a.key, &b.key) {
        (&StatsKey::Session(a), &StatsKey::Session(b)) => {
            let name = |at: usize| (sessions[at].title(), &sessions[at].path);
            name(a).cmp(&name(b))
        }
        (StatsKey::Project(a), StatsKey::Project(b)) | (StatsKey::Model(a), StatsKey::Model(b)) => a.cmp(b),
        (StatsKey::Day(a), StatsKey::Day(b)) => a.cmp(b),
        _ => Ordering::Equal,
    }
}
