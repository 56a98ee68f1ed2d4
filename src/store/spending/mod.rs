//! What session files have cost: kept for each by model, local day and branch, and added up over many of them.

mod copies;
mod day;
mod ledger;
mod stats;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::hash::hash;
use crate::format::{Charge, EntryId, Usage};

pub use day::Day;
pub(super) use ledger::Ledger;
pub use stats::{Period, Spent, Stats, StatsBy, StatsFilter, StatsKey, StatsRow, StatsSort};

/// What the entries of one session file have cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Spending {
    /// The names of the accounts: `provider/model`, or pi's word for tools and summaries.
    models: Vec<Box<str>>,
    accounts: Vec<Account>,
    /// The marks of the entries that used something, in file order: two entries with one id have one mark. Of a fork
    /// each stands for the account at the same place, so that what it has copied can be left out.
    marks: Vec<Mark>,
    is_fork: bool,
}

/// What was used of one model on one day, on the path to the current leaf or beside it; in a fork, by one entry.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
struct Account {
    /// Its place among the names.
    model: u32,
    /// The local day; `None` where the entry has no time.
    day: Option<Day>,
    is_abandoned: bool,
    /// How many entries tell no numbers that can be believed.
    doubtful: u32,
    usage: Usage,
}

/// An account as it is written down: without names, since there are many.
#[derive(Serialize, Deserialize)]
struct Written(u32, Option<Day>, bool, u32, [f64; 5]);

impl From<Account> for Written {
    fn from(Account { model, day, is_abandoned, doubtful, usage }: Account) -> Self {
        let Usage { input, output, cache_read, cache_write, cost, .. } = usage;
        Self(model, day, is_abandoned, doubtful, [input, output, cache_read, cache_write, cost])
    }
}

impl From<Written> for Account {
    fn from(Written(model, day, is_abandoned, doubtful, numbers): Written) -> Self {
        let [input, output, cache_read, cache_write, cost] = numbers;
        let usage = Usage { input, output, cache_read, cache_write, cost, ..Usage::default() };
        Self { model, day, is_abandoned, doubtful, usage }
    }
}

/// What tells by an id whether two files hold the same entry: a hash as long as pi's own ids.
type Mark = u32;

/// The mark of entries without an id, which are the same as no other.
const NO_MARK: Mark = 0;

fn mark(id: Option<&EntryId>) -> Mark {
    id.filter(|id| !id.is_numbered()).map_or(NO_MARK, |id| {
        let hash = hash(id.to_json().as_bytes());
        ((hash ^ (hash >> 32)) as Mark).max(1)
    })
}

impl Spending {
    /// Nothing yet of a session, which may be a fork.
    fn of_session(is_fork: bool) -> Self {
        Self { is_fork, ..Self::default() }
    }

    /// Adds what an entry has used. In a fork every entry has an account of its own.
    fn add(&mut self, charge: Charge, day: Option<Day>, is_abandoned: bool, mark: Mark) {
        let Charge { account, mut usage } = charge;
        let doubtful = u32::from(std::mem::take(&mut usage.is_doubtful));
        usage.total_tokens = 0.0;
        let model = self.models.iter().position(|name| **name == *account).unwrap_or_else(|| {
            self.models.push(account.into());
            self.models.len() - 1
        }) as u32;
        self.marks.push(mark);
        self.merge(Account { model, day, is_abandoned, doubtful, usage });
    }

    fn merge(&mut self, account: Account) {
        let key = |account: &Account| (account.model, account.day, account.is_abandoned);
        // The latest account is nearly always the one.
        let known = self.accounts.iter_mut().rev().find(|known| key(known) == key(&account));
        match known.filter(|_| !self.is_fork) {
            Some(known) => {
                known.usage.add(&account.usage);
                known.doubtful += account.doubtful;
            }
            None => self.accounts.push(account),
        }
    }

    /// The file goes on from elsewhere: nothing of it lies on the path to the current leaf any more.
    fn abandon(&mut self) {
        for mut account in std::mem::take(&mut self.accounts) {
            account.is_abandoned = true;
            self.merge(account);
        }
    }

    /// What a fork has copied of the session it was split off.
    pub fn shared_with(&self, parent: &Self) -> Usage {
        let known: HashSet<Mark> = parent.marks.iter().copied().filter(|mark| *mark != NO_MARK).collect();
        let mut shared = Usage::default();
        for (account, _) in
            self.accounts.iter().zip(&self.marks).filter(|(_, mark)| self.is_fork && known.contains(mark))
        {
            shared.add(&account.usage);
        }
        shared
    }

    /// Tokens and cost of the whole file, copies included: the figures of pi's `/session`.
    pub fn total(&self) -> Usage {
        self.accounts.iter().fold(Usage::default(), |mut sum, account| {
            sum.add(&account.usage);
            sum
        })
    }
}
