use std::hash::{BuildHasher, RandomState};

use crate::format::EntryId;
use crate::session::EntryIx;

/// The entry an id stands for: the last one in file order. The ids themselves are not held here.
#[derive(Clone, Debug, Default)]
pub(in crate::session) struct IdTable {
    hasher: RandomState,
    /// A power of two of places, at least half of them free. An id is at the first place behind its hash that is not
    /// another's.
    places: Vec<Option<EntryIx>>,
    count: usize,
}

impl IdTable {
    /// A table of all `ids`. `repeats` is told of each entry with an id that was used before, and by which.
    pub(in crate::session) fn of(ids: &[EntryId], mut repeats: impl FnMut(EntryIx, EntryIx)) -> Self {
        let places = vec![None; (2 * ids.len()).next_power_of_two()];
        let mut table = Self { places, ..Self::default() };
        for (at, id) in ids.iter().enumerate() {
            let place = table.place(ids, id);
            match table.places[place].replace(EntryIx::new(at)) {
                Some(earlier) => repeats(EntryIx::new(at), earlier),
                None => table.count += 1,
            }
        }
        table
    }

    /// The last entry with an id. `ids` are those of which the table was made.
    pub(in crate::session) fn get(&self, ids: &[EntryId], id: &EntryId) -> Option<EntryIx> {
        if self.places.is_empty() { None } else { self.places[self.place(ids, id)] }
    }

    /// Number of different ids.
    pub(in crate::session) fn len(&self) -> usize {
        self.count
    }

    fn place(&self, ids: &[EntryId], id: &EntryId) -> usize {
        let mask = self.places.len() - 1;
        let mut place = self.hasher.hash_one(id) as usize & mask;
        while self.places[place].is_some_and(|at| ids[at.index()] != *id) {
            place = (place + 1) & mask;
        }
        place
    }
}
