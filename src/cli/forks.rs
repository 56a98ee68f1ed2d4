use super::{Failure, Site};
use crate::cancel::Cancel;
use crate::session::{EntryIx, Session};
use crate::store::{FoundFile, ScanEvent, ScanOptions, SessionSummary, scan};

/// A session that was split off another one, and the last entry of that one it still has.
pub(super) struct Fork {
    pub(super) summary: SessionSummary,
    /// `None` where it shares no entry.
    pub(super) at: Option<EntryIx>,
}

/// The forks of a session that the store holds, the one with the newest activity first.
pub(super) fn forks_of(session: &Session, site: &Site<'_>) -> Result<Vec<Fork>, Failure> {
    let path = session.path();
    let canonical = FoundFile::look_at(path)
        .map_err(|error| crate::error::Error::new("cannot read", path, error))?
        .canonical;
    let mut summaries = Vec::new();
    scan(&site.store(), site.environment, &ScanOptions::default(), &Cancel::new(), &mut |event| {
        if let ScanEvent::Batch { rows, .. } = event {
            let rows = rows.into_iter().map(|row| row.summary);
            summaries.extend(rows.filter(|row| row.parent.as_ref() == Some(&canonical)));
        }
    });
    summaries.retain(|row| row.canonical != canonical);
    summaries.sort_by(|a, b| b.modified.cmp(&a.modified).then_with(|| a.path.cmp(&b.path)));
    let forks = summaries.into_iter().map(|summary| {
        let fork = Session::open(&summary.path);
        Fork { at: fork.ok().and_then(|fork| last_shared(session, &fork)), summary }
    });
    Ok(forks.collect())
}

/// Forks keep the ids of what they take over.
fn last_shared(session: &Session, fork: &Session) -> Option<EntryIx> {
    fork.indexes().filter_map(|ix| session.find(fork.entry_id(ix))).next_back()
}
