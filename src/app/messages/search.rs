use std::collections::HashSet;

use super::Anchor;
use crate::present::Needle;
use crate::session::EntryIx;

/// How much of a long block is looked through, as if more of it had been asked for so often. Blocks in which something
/// was found are shown so, because others may have other rows.
pub(crate) const PAGES_LOOKED_THROUGH: u8 = 3;

/// Where a search was found: a row, and the byte in it at which the occurrence begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Match {
    /// The row.
    pub anchor: Anchor,
    /// The byte of that row.
    pub byte: usize,
}

/// What is looked for in the messages, and where it was found so far.
#[derive(Debug, Default)]
pub struct Search {
    needle: Option<Needle>,
    /// From top to bottom.
    matches: Vec<Match>,
    /// The entries in which it was found; they are unfolded.
    pub(super) entries: HashSet<EntryIx>,
    /// The match the reader is at.
    here: Option<Match>,
    progress: Progress,
    /// The width for which the matches tell rows; none where they have to be looked for.
    asked_for: Option<u16>,
    /// Where the reader was when the search began, until they are taken to what was found.
    origin: Option<Anchor>,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Progress {
    /// There is nothing to be done.
    #[default]
    Over,
    /// It is going on.
    Running,
    /// It ended early, because there was too much to count.
    Full,
}

impl Search {
    /// What is looked for.
    pub fn needle(&self) -> Option<&Needle> {
        self.needle.as_ref()
    }

    /// Where it was found so far, from top to bottom.
    pub fn matches(&self) -> &[Match] {
        &self.matches
    }

    /// The match the reader is at.
    pub fn here(&self) -> Option<Match> {
        self.here
    }

    /// How far the search has come.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// Which match the reader is at, counted from one; where they are at none, how many are above.
    pub fn place(&self, reader: Anchor) -> usize {
        match self.here {
            Some(here) => self.matches.partition_point(|found| *found <= here),
            None => self.matches.partition_point(|found| found.anchor <= reader),
        }
    }

    /// Looks for something else, for a reader who is taken to it.
    pub(super) fn begin(&mut self, needle: Option<Needle>, reader: Anchor) {
        *self = Self { needle, origin: Some(reader), ..Self::default() };
    }

    /// What was found no longer tells rows rightly.
    pub(super) fn grow_stale(&mut self) {
        self.asked_for = None;
    }

    /// What is to be looked for anew at a width, if it is; what was found before is forgotten.
    pub(super) fn renew(&mut self, width: u16) -> Option<Needle> {
        let needle = self.needle.clone().filter(|_| self.asked_for != Some(width))?;
        *self = Self {
            needle: self.needle.take(),
            origin: self.origin,
            entries: std::mem::take(&mut self.entries),
            asked_for: Some(width),
            progress: Progress::Running,
            ..Self::default()
        };
        Some(needle)
    }

    /// The width for which the matches tell rows.
    pub(super) fn width(&self) -> Option<u16> {
        self.asked_for
    }

    /// Takes more matches; says where the reader goes, where they were not taken to any before.
    pub(super) fn take(
        &mut self,
        more: &[Match],
        entries: impl Iterator<Item = EntryIx>,
        progress: Progress,
    ) -> Option<Anchor> {
        self.progress = progress;
        self.entries.extend(entries);
        self.matches.extend(more);
        self.matches.sort_unstable();
        let origin = self.origin?;
        // The search goes from the reader to the end and then on from the start.
        let comes_first = |found: &&Match| found.anchor >= origin || found.anchor.item < origin.item;
        let first = more.iter().find(comes_first).or_else(|| match progress {
            Progress::Running => None,
            Progress::Over | Progress::Full => self.matches.first(),
        });
        self.here = Some(*first?);
        self.origin = None;
        self.here.map(|here| here.anchor)
    }

    /// The next match, or the one before, round at the ends.
    pub(super) fn next(&mut self, forward: bool, reader: Anchor) -> Option<Match> {
        let is_here = self.here.is_some_and(|here| here.anchor == reader);
        let here = self.here.filter(|_| is_here);
        let matches = &self.matches;
        let next = match (here, forward) {
            (Some(here), true) => matches.get(matches.partition_point(|found| *found <= here)),
            (Some(here), false) => matches[..matches.partition_point(|found| *found < here)].last(),
            (None, true) => matches.get(matches.partition_point(|found| found.anchor < reader)),
            (None, false) => matches[..matches.partition_point(|found| found.anchor < reader)].last(),
        };
        let next = next.or(if forward { matches.first() } else { matches.last() });
        self.here = next.copied();
        self.here
    }
}
