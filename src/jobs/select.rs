use std::path::PathBuf;
use std::sync::Arc;

use crate::app::{KnownTexts, Report, TextsRead, stamp};
use crate::cancel::Cancel;
use crate::store::{Query, SessionSummary, TextHits, rescan_text};

/// Matches name, id, working directory and the text of the messages as pi's picker does: at first only what the rows
/// themselves hold, the first prompt, and texts that are `known`; then, as they are read, the texts of the sessions for
/// which they matter.
pub(super) fn select(
    rows: &[Arc<SessionSummary>],
    query: &Query,
    known: &KnownTexts,
    cancel: &Cancel,
    report: &mut dyn FnMut(Report),
) {
    let mut texts = query.text_scan();
    let mut unread = Vec::new();
    let mut scores: Vec<Option<f64>> = Vec::with_capacity(rows.len());
    for (at, row) in rows.iter().enumerate() {
        if let Some((_, hits)) = known.get(&row.path).filter(|(read, _)| *read == stamp(row)) {
            scores.push(query.score(row, hits));
            continue;
        }
        if query.needs_text(row) {
            unread.push(at);
        }
        if let Some(first) = &row.first_message {
            texts.feed(first);
        }
        scores.push(query.score(row, &texts.finish()));
    }
    report(selected(rows, &scores, Vec::new(), unread.is_empty()));
    unread.sort_by_key(|&at| std::cmp::Reverse(rows[at].modified));
    let files: Vec<PathBuf> = unread.iter().map(|&at| rows[at].path.clone()).collect();
    let mut left = files.len();
    rescan_text(&files, query, cancel, &mut |read: Vec<(usize, TextHits)>| {
        if cancel.is_cancelled() {
            return;
        }
        left -= read.len();
        let read: TextsRead = read
            .into_iter()
            .map(|(at, hits)| {
                let row = &rows[unread[at]];
                scores[unread[at]] = query.score(row, &hits);
                (row.path.clone(), (stamp(row), hits))
            })
            .collect();
        report(selected(rows, &scores, read, left == 0));
    });
}

/// The best first, of equally good ones the most recent.
fn selected(rows: &[Arc<SessionSummary>], scores: &[Option<f64>], read: TextsRead, is_all: bool) -> Report {
    let mut found: Vec<(f64, &Arc<SessionSummary>)> =
        rows.iter().zip(scores).filter_map(|(row, score)| Some(((*score)?, row))).collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.modified.cmp(&a.1.modified)));
    let paths = found.into_iter().map(|(_, row)| row.path.clone()).collect();
    Report::Selected { paths, read, is_all }
}
