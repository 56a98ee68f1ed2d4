use std::hash::{BuildHasher, RandomState};

use super::heads::Class;
use super::{EntryIx, Session};
use crate::format::Role;

/// Where tools were called, by the ids of the calls; of two calls with one id the later one in the tree's order counts.
/// The ids themselves are not held here.
#[derive(Clone, Debug, Default)]
pub(super) struct CallTable {
    hasher: RandomState,
    /// A power of two of places, at least half of them free. A call is at the first place behind its hash that is not
    /// another's.
    places: Vec<Option<Call>>,
    count: usize,
}

#[derive(Clone, Copy, Debug)]
struct Call {
    /// The answer that made it.
    answer: EntryIx,
    /// Its place among the calls there.
    at: u32,
    hash: u32,
}

impl CallTable {
    /// The calls of all answers, which come in `order`.
    pub(super) fn of(session: &Session, order: &[EntryIx]) -> Self {
        let mut table = Self::default();
        let is_answer = |ix: &&EntryIx| matches!(session.class(**ix), Class::Assistant | Class::MereToolUse);
        for &ix in order.iter().filter(is_answer) {
            if let Some(Role::Assistant(answer)) = session.entry(ix).kind.role() {
                for (at, call) in answer.calls.iter().enumerate() {
                    table.insert(session, &call.id, ix, at as u32);
                }
            }
        }
        table
    }

    /// The answer that made a call, and the place of the call in it.
    pub(super) fn get(&self, session: &Session, id: &str) -> Option<(EntryIx, usize)> {
        let place = (!self.places.is_empty()).then(|| self.place(session, id, self.hash(id)))?;
        self.places[place].map(|call| (call.answer, call.at as usize))
    }

    fn insert(&mut self, session: &Session, id: &str, answer: EntryIx, at: u32) {
        if 2 * self.count >= self.places.len() {
            self.grow();
        }
        let hash = self.hash(id);
        let place = self.place(session, id, hash);
        self.count += usize::from(self.places[place].replace(Call { answer, at, hash }).is_none());
    }

    fn hash(&self, id: &str) -> u32 {
        self.hasher.hash_one(id) as u32
    }

    fn grow(&mut self) {
        let places = vec![None; (2 * self.places.len()).max(64)];
        for call in std::mem::replace(&mut self.places, places).into_iter().flatten() {
            let place = self.first_place(call.hash, |_| true);
            self.places[place] = Some(call);
        }
    }

    /// The place of an id, free or not.
    fn place(&self, session: &Session, id: &str, hash: u32) -> usize {
        self.first_place(hash, |call| {
            let is_it = || match session.entry(call.answer).kind.role() {
                Some(Role::Assistant(answer)) => {
                    answer.calls.get(call.at as usize).is_some_and(|call| *call.id == *id)
                }
                _ => false,
            };
            call.hash != hash || !is_it()
        })
    }

    /// The first place behind a hash that is free or not another's.
    fn first_place(&self, hash: u32, is_other: impl Fn(&Call) -> bool) -> usize {
        let mask = self.places.len() - 1;
        let mut place = hash as usize & mask;
        while self.places[place].as_ref().is_some_and(&is_other) {
            place = (place + 1) & mask;
        }
        place
    }
}
