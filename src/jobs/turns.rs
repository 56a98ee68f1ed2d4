use super::blocks::BlockMaker;
use crate::app::{BlockKey, BlockStyle, Listing, Report, TurnRows, WantedTurns};
use crate::cancel::Cancel;
use crate::present::transcript::{Fold, gap};
use crate::present::{CodeTones, Row, Tone, age};
use crate::session::{Session, Turn};

/// Turns that are reported together.
const BATCH: usize = 8;
/// More rows than this has no turn in a comparison.
const MOST_ROWS: usize = 200;

/// Makes the turns of branches into rows: what was said, and of what tools did one line. The first turns of all of them
/// come first.
pub(super) fn render(
    session: &Session,
    wanted: &WantedTurns,
    columns: u16,
    style: &BlockStyle,
    cancel: &Cancel,
    report: &mut dyn FnMut(Report),
) {
    let branches: Vec<Branch<'_>> = wanted
        .iter()
        .map(|(at, attempt)| {
            let path = session.path_to(Some(attempt.leaf));
            let from = path.iter().position(|&ix| ix == attempt.start).unwrap_or(0);
            let turns = session.turns(&path[from..], 0);
            Branch { at: *at, session, listing: Listing::of_branch(&path[from..]), turns }
        })
        .collect();
    let most = branches.iter().map(|branch| branch.turns.len()).max().unwrap_or(0);
    for first in (0..most.max(1)).step_by(BATCH) {
        for branch in &branches {
            let batch = branch.turns.iter().skip(first).take(BATCH);
            let mut turns = Vec::new();
            for turn in batch {
                if cancel.is_cancelled() {
                    return;
                }
                turns.push(branch.turn(turn, columns, style));
            }
            let is_all = first + BATCH >= branch.turns.len();
            report(Report::Turns { attempt: branch.at, columns, turns, is_all });
        }
    }
}

/// One of the branches.
struct Branch<'b> {
    at: usize,
    session: &'b Session,
    listing: Listing,
    turns: Vec<Turn>,
}

impl Branch<'_> {
    fn turn(&self, turn: &Turn, columns: u16, style: &BlockStyle) -> TurnRows {
        let style = BlockStyle { cell: None, ..style.clone() };
        let maker = BlockMaker { session: self.session, listing: &self.listing, style: &style };
        let items = self.listing.items();
        let mut rows: Vec<Row> = Vec::new();
        let mut above = None;
        for at in turn.entries.clone() {
            if rows.len() > MOST_ROWS {
                break;
            }
            let key = BlockKey {
                item: items[at],
                width: columns,
                fold: Fold::Hidden,
                code: CodeTones::Plain,
                pages: 0,
            };
            let block = maker.block(at, key);
            if block.rows.is_empty() {
                continue;
            }
            let head = self.session.entry(items[at].entry());
            if let Some(above) = &above {
                rows.extend(std::iter::repeat_n(Row::new(), gap(above, &head)));
            }
            above = Some(head);
            rows.extend(block.rows);
        }
        if rows.len() > MOST_ROWS {
            let words = format!("… {} and more", age::counted(rows.len() - MOST_ROWS, "line"));
            rows.truncate(MOST_ROWS);
            rows.push(Row::new().text(words, Tone::Faint));
        }
        TurnRows { usage: turn.usage, rows }
    }
}
