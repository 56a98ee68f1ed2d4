use std::collections::HashMap;

use super::blocks::BlockMaker;
use crate::app::{Anchor, BlockKey, BlockStyle, Listing, Match, PAGES_LOOKED_THROUGH, SearchProgress};
use crate::cancel::Cancel;
use crate::present::transcript::Fold;
use crate::present::{CodeTones, Needle, hits};
use crate::session::{EntryIx, Session};

/// Blocks that are looked through before what was found is told.
const BATCH: usize = 64;
/// More matches are not counted.
const MOST_MATCHES: usize = 200_000;

/// What is to be found in messages.
pub(super) struct Sought<'s> {
    /// The item at which to begin; those above it come last.
    pub(super) from: usize,
    pub(super) width: u16,
    /// The entries that are shown as they are stored, and how many levels of their JSON are open.
    pub(super) raw: &'s HashMap<EntryIx, u8>,
    pub(super) needle: &'s Needle,
}

/// Finds something in the rows of all blocks, unfolded, and tells the matches in batches, each from top to bottom.
pub(super) fn find(
    session: &Session,
    listing: &Listing,
    sought: &Sought<'_>,
    style: &BlockStyle,
    cancel: &Cancel,
    report: &mut dyn FnMut(Vec<Match>, SearchProgress),
) {
    let maker = BlockMaker { session, listing, style };
    let count = listing.items().len();
    let from = sought.from.min(count);
    let mut found = 0;
    for batch in batches(from, count).chain(batches(0, from)) {
        let mut matches = Vec::new();
        for item in batch {
            if cancel.is_cancelled() {
                return;
            }
            matches.extend(in_block(maker, item, sought));
        }
        found += matches.len();
        if found > MOST_MATCHES {
            return report(matches, SearchProgress::Full);
        }
        report(matches, SearchProgress::Running);
    }
    report(Vec::new(), SearchProgress::Over);
}

fn batches(from: usize, to: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    (from..to).step_by(BATCH).map(move |first| first..(first + BATCH).min(to))
}

fn in_block(maker: BlockMaker<'_>, at: usize, sought: &Sought<'_>) -> impl Iterator<Item = Match> {
    let item = maker.listing.items()[at];
    let fold = sought.raw.get(&item.entry()).map_or(Fold::Open, |&levels| Fold::Raw(levels));
    let key =
        BlockKey { item, width: sought.width, fold, code: CodeTones::Plain, pages: PAGES_LOOKED_THROUGH };
    let block = maker.block(at, key);
    hits(&block.rows, sought.needle).into_iter().map(move |hit| Match {
        anchor: Anchor { item: at, row: hit.row },
        byte: hit.parts.first().map_or(0, |part| part.start),
    })
}
