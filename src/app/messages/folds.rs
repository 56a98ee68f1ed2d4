use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::format::{EntryHead, Role};
use crate::present::transcript::{Fold, default_fold};
use crate::session::EntryIx;

/// How far all blocks are unfolded that the reader did not fold or unfold himself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Every tool on a line, long texts by their start.
    #[default]
    Lines,
    /// Everything.
    Full,
    /// Only what was said: a run of tools takes one line, thinking none.
    Talk,
}

impl Level {
    /// The level after this one, round at the end.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Lines => Self::Full,
            Self::Full => Self::Talk,
            Self::Talk => Self::Lines,
        }
    }

    /// What it shows, in a few words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Lines => "every tool on a line",
            Self::Full => "everything unfolded",
            Self::Talk => "only what was said",
        }
    }

    fn fold(self, head: &EntryHead) -> Fold {
        match (self, head.kind.role()) {
            (Self::Full, _) => Fold::Open,
            (Self::Talk, Some(Role::ToolResult { .. } | Role::Assistant(_))) => Fold::Hidden,
            (Self::Lines | Self::Talk, _) => default_fold(head),
        }
    }
}

/// How every block is folded: a level for all, and exceptions.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Folds {
    pub(super) level: Level,
    exceptions: HashMap<EntryIx, Fold>,
    /// Entries that are shown as they are stored, whatever their fold, and how many levels of their JSON are open.
    raw: HashMap<EntryIx, u8>,
    /// How often more was asked for of a long entry.
    pages: HashMap<EntryIx, u8>,
}

impl Folds {
    pub(super) fn at(level: Level) -> Self {
        Self { level, ..Self::default() }
    }

    /// How an entry is folded; one in which something was found is open.
    pub(super) fn of(&self, entry: EntryIx, head: &EntryHead, is_found: bool) -> Fold {
        if let Some(&levels) = self.raw.get(&entry) {
            return Fold::Raw(levels);
        }
        let usual = || if is_found { Fold::Open } else { self.level.fold(head) };
        self.exceptions.get(&entry).copied().unwrap_or_else(usual)
    }

    /// The entries that are shown as they are stored.
    pub(super) fn raw(&self) -> &HashMap<EntryIx, u8> {
        &self.raw
    }

    /// How often more was asked for of an entry.
    pub(super) fn pages(&self, entry: EntryIx) -> u8 {
        self.pages.get(&entry).copied().unwrap_or(0)
    }

    /// Asks for more of an entry.
    pub(super) fn page_in(&mut self, entry: EntryIx) {
        let pages = self.pages.entry(entry).or_default();
        *pages = pages.saturating_add(1);
    }

    /// Takes back that more of an entry was asked for; says whether it was.
    pub(super) fn page_out(&mut self, entry: EntryIx) -> bool {
        self.pages.remove(&entry).is_some()
    }

    /// Keeps an entry as open as a search has made it.
    pub(super) fn keep(&mut self, entry: EntryIx) {
        self.exceptions.entry(entry).or_insert(Fold::Open);
    }

    /// Opens an entry that the reader had folded, so that what was found in it is seen.
    pub(super) fn open_for_match(&mut self, entry: EntryIx) {
        if let Some(fold) = self.exceptions.get_mut(&entry) {
            *fold = Fold::Open;
        }
    }

    pub(super) fn set(&mut self, entry: EntryIx, fold: Fold) {
        if let Fold::Raw(levels) = fold {
            self.raw.insert(entry, levels);
        } else {
            self.raw.remove(&entry);
            self.exceptions.insert(entry, fold);
        }
    }

    pub(super) fn turn_raw(&mut self, entry: EntryIx) {
        if self.raw.remove(&entry).is_none() {
            self.set(entry, Fold::RAW);
        }
    }

    pub(super) fn set_level(&mut self, level: Level) {
        *self = Self::at(level);
    }

    /// What a block becomes when it is unfolded a little more; `None` where there is nothing more.
    pub(super) fn more(fold: Fold) -> Option<Fold> {
        match fold {
            Fold::Hidden => Some(Fold::Closed),
            Fold::Closed => Some(Fold::Open),
            Fold::Raw(levels) => levels.checked_add(1).map(Fold::Raw),
            Fold::Open => None,
        }
    }

    /// What it becomes when it is folded a little more.
    pub(super) fn less(&self, fold: Fold, head: &EntryHead) -> Option<Fold> {
        match fold {
            Fold::Raw(levels) => levels.checked_sub(1).filter(|&levels| levels > 0).map(Fold::Raw),
            Fold::Open => Some(Fold::Closed),
            Fold::Closed if self.level.fold(head) == Fold::Hidden => Some(Fold::Hidden),
            Fold::Closed | Fold::Hidden => None,
        }
    }
}
