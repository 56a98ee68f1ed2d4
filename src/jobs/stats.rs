use std::sync::Arc;

use crate::app::{Counted, WantedStats};
use crate::store::{SessionSummary, Stats};

/// Adds up what sessions have cost.
pub(super) fn count(wanted: WantedStats) -> Counted {
    let WantedStats { sessions, by, filter, sort } = wanted;
    let rows: Vec<&SessionSummary> = sessions.iter().map(|session| &**session).collect();
    let stats = Stats::of(&rows, &|_| true, by, &filter, sort);
    drop(rows);
    Counted { sessions: Arc::new(sessions), stats }
}
