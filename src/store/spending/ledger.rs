use jiff::tz::TimeZone;

use super::{Day, Mark, Spending, mark};
use crate::format::json::Value;
use crate::format::{Charge, EntryId, Kind, charge, coerce, js};
use crate::session::Session;
use crate::store::branches::{Node, Parent, Places};

/// What the entries of the file that is being read have used, until its end tells which of them are on the path to the
/// current leaf.
#[derive(Debug, Default)]
pub(in crate::store) struct Ledger {
    noted: Vec<Noted>,
}

#[derive(Debug)]
struct Noted {
    node: Node,
    charge: Charge,
    day: Option<Day>,
    mark: Mark,
}

impl Ledger {
    /// Notes what an entry has used, which stands at `node`.
    pub(in crate::store) fn note(&mut self, entry: Value<'_>, node: Node, zone: &TimeZone) {
        let Some(charge) = charge(entry) else { return };
        let time = coerce::date(entry.get("timestamp")).or_else(|| {
            let own = entry.get("message").and_then(|message| message.get_f64("timestamp"));
            own.and_then(js::date_from_number)
        });
        let mark = mark(entry.get_some("id").map(EntryId::of).as_ref());
        self.noted.push(Noted { node, charge, day: time.and_then(|time| Day::of(time, zone)), mark });
    }

    /// Adds everything to what was `known` of the file before, now that all of it was read.
    pub(in crate::store) fn close(self, mut known: Spending, places: &Places) -> Spending {
        let path = places.path_of_last();
        if path.end == Parent::None {
            known.abandon();
        }
        for Noted { node, charge, day, mark } in self.noted {
            known.add(charge, day, !path.holds(node), mark);
        }
        known
    }
}

impl Spending {
    /// Empty, of a session that names another as the one it was split off, or does not.
    pub(in crate::store) fn begin(parent_session: Option<&str>) -> Self {
        Self::of_session(parent_session.is_some_and(|parent| !parent.is_empty()))
    }

    /// What the entries of an open session have used.
    pub fn of(session: &Session, zone: &TimeZone) -> Self {
        let mut spending = Self::begin(session.header().parent_session.as_deref());
        let mut is_current = vec![false; session.len()];
        let mut up = session.current_leaf();
        while let Some(at) = up {
            is_current[at.index()] = true;
            up = session.links().parent(at);
        }
        for (ix, head) in session.entries() {
            let Some(charge) = session.charge(ix) else { continue };
            let own = match &head.kind {
                Kind::Message(message) => message.time,
                _ => None,
            };
            let day = head.time.or(own).and_then(|time| Day::of(time, zone));
            spending.add(charge, day, !is_current[ix.index()], mark(Some(session.entry_id(ix))));
        }
        spending
    }
}
