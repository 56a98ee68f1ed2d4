use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::item::{Item, is_tool_work};
use crate::format::{EntryId, Kind, Role};
use crate::session::{EntryIx, Session};

/// What the blocks of a listing have to know of each other: found out in one walk from top to bottom.
#[derive(Debug, Default)]
pub(crate) struct Surroundings {
    around: Vec<Around>,
    /// The calls that have a result further down, each as an item and a place among its calls.
    answered: HashSet<(usize, usize)>,
    /// For every compaction, how many entries its summary was the first to stand for.
    replaced: HashMap<usize, usize>,
    /// Where the entries end that a compaction was the first to replace, from top to bottom.
    replacements: Vec<(usize, EntryIx)>,
}

/// What is around one item.
#[derive(Clone, Copy, Debug, Default)]
struct Around {
    /// The entry above that set the thinking level in force.
    level: Option<EntryIx>,
    /// The answer above that named its model.
    answer: Option<EntryIx>,
    /// For a tool result: the answer that made its call, and the call's place in it.
    call: Option<(EntryIx, u32)>,
    /// The first item and the one behind the last of the run of tools it is a part of.
    run: (u32, u32),
}

impl Surroundings {
    pub(super) fn of(session: &Session, items: &[Item]) -> Self {
        let mut all = Self { around: Vec::with_capacity(items.len()), ..Self::default() };
        let mut now = Around::default();
        let mut calls: HashMap<&str, (usize, EntryIx, usize)> = HashMap::new();
        let mut compactions = Compactions::of(session, items);
        let mut run = 0;
        for (at, item) in items.iter().enumerate() {
            let entry = item.entry();
            let head = session.entry(entry);
            let belongs = matches!(item, Item::Stored(_)) && is_tool_work(head);
            if !belongs {
                all.end_run(run, at);
                run = at + 1;
            }
            let mut here = now;
            match &head.kind {
                Kind::ThinkingLevelChange { .. } => now.level = Some(entry),
                Kind::Message(message) => match &message.role {
                    Role::Assistant(answer) => {
                        if answer.model.is_some() {
                            now.answer = Some(entry);
                        }
                        // Of several calls with one id in an answer the first one counts.
                        let places = answer.calls.iter().enumerate().rev();
                        calls.extend(places.map(|(place, call)| (&*call.id, (at, entry, place))));
                    }
                    Role::ToolResult { call_id, .. } => {
                        if let Some(&(above, answer, place)) = calls.get(&**call_id) {
                            here.call = Some((answer, place as u32));
                            all.answered.insert((above, place));
                        }
                    }
                    _ => {}
                },
                Kind::Compaction { first_kept, .. } if !matches!(item, Item::Sent(_)) => {
                    let count = compactions.replace(at, first_kept.as_ref());
                    all.replaced.insert(at, count);
                    all.replacements.push((compactions.replaced, entry));
                }
                _ => {}
            }
            all.around.push(here);
        }
        all.end_run(run, items.len());
        all
    }

    fn end_run(&mut self, from: usize, to: usize) {
        for around in &mut self.around[from.min(to)..] {
            around.run = (from as u32, to as u32);
        }
    }

    /// The thinking level in force, where the branch names one.
    pub(crate) fn thinking_level<'s>(&self, session: &'s Session, at: usize) -> Option<&'s str> {
        match &session.entry(self.around[at].level?).kind {
            Kind::ThinkingLevelChange { level } => Some(level),
            _ => None,
        }
    }

    /// The model of the answer before.
    pub(crate) fn model_above<'s>(&self, session: &'s Session, at: usize) -> Option<&'s str> {
        match session.entry(self.around[at].answer?).kind.role() {
            Some(Role::Assistant(answer)) => answer.model.as_deref(),
            _ => None,
        }
    }

    /// The answer that made the call a tool result answers, and the call's place in it: of several calls with the same id
    /// the nearest one above.
    pub(crate) fn call(&self, at: usize) -> Option<(EntryIx, usize)> {
        self.around[at].call.map(|(answer, place)| (answer, place as usize))
    }

    /// Whether a call of the answer at an item has its result further down.
    pub(crate) fn is_answered(&self, session: &Session, items: &[Item], at: usize, id: &str) -> bool {
        let Some(Role::Assistant(answer)) = session.entry(items[at].entry()).kind.role() else {
            return false;
        };
        let mut places = answer.calls.iter().enumerate().filter(|(_, call)| &*call.id == id);
        places.any(|(place, _)| self.answered.contains(&(at, place)))
    }

    /// The tool calls around an item that follow each other without a word between them: results, and the answers that
    /// only made calls.
    pub(crate) fn tool_run(&self, at: usize) -> Range<usize> {
        let (from, to) = self.around[at].run;
        from as usize..to as usize
    }

    /// How many entries the summary of the compaction at an item was the first to stand for.
    pub(crate) fn replaced(&self, at: usize) -> Option<usize> {
        self.replaced.get(&at).copied()
    }

    /// The compaction that took an entry out of the context: the first one that did not keep it. That may be an older one
    /// than the one that governs the context.
    pub(crate) fn replaced_by(&self, at: usize) -> Option<EntryIx> {
        self.replacements.iter().find(|&&(end, _)| at < end).map(|&(_, compaction)| compaction)
    }
}

/// What compactions have replaced so far on the way down.
struct Compactions<'s> {
    /// Where every id stands first; empty where there is no compaction.
    places: HashMap<&'s EntryId, usize>,
    /// Items above this one are replaced.
    replaced: usize,
}

impl<'s> Compactions<'s> {
    fn of(session: &'s Session, items: &[Item]) -> Self {
        let is_compaction = |item: &Item| matches!(session.entry(item.entry()).kind, Kind::Compaction { .. });
        let mut places = HashMap::new();
        if items.iter().any(is_compaction) {
            for (at, item) in items.iter().enumerate() {
                places.entry(session.entry_id(item.entry())).or_insert(at);
            }
        }
        Self { places, replaced: 0 }
    }

    /// Replaces all items above the compaction at `at` but those it keeps; says how many were not replaced before.
    fn replace(&mut self, at: usize, first_kept: Option<&EntryId>) -> usize {
        let kept = first_kept.and_then(|id| self.places.get(id)).copied().filter(|&kept| kept < at);
        let end = kept.unwrap_or(at);
        let count = end.saturating_sub(self.replaced);
        self.replaced = self.replaced.max(end);
        count
    }
}
