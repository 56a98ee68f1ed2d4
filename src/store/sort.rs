use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::summary::SessionSummary;
use crate::format::js::{self, SortOrder};

/// The order of a list of sessions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sort {
    /// By fork family, the family with the newest activity first.
    #[default]
    Threaded,
    /// The newest activity first.
    Recent,
    /// The best match first.
    Relevance,
}

/// Puts rows into the order of pi's list: the newest activity first; equally recent ones stay as they are, so
/// they have to come in the order of discovery. A row without a valid date counts as equal to every other.
pub fn sort_recent<T>(rows: &mut Vec<T>, row: impl Fn(&T) -> &SessionSummary) {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    js::sort_by_date(&mut order, SortOrder::NewestFirst, |&at| row(&rows[at]).modified);
    let mut taken: Vec<Option<T>> = rows.drain(..).map(Some).collect();
    rows.extend(order.into_iter().filter_map(|at| taken[at].take()));
}

/// Keeps the first of all rows that show one file, which is what a person wants to see of a file that is
/// reached through a link as well. pi lists each.
pub fn keep_distinct_files<T>(rows: &mut Vec<T>, row: impl Fn(&T) -> &SessionSummary) {
    let mut seen = HashSet::new();
    rows.retain(|item| seen.insert(row(item).canonical.clone()));
}
