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
        let mut calls: HashMap<Box<str>, (usize, EntryIx, usize)> = HashMap::new();
        let mut compactions = Compactions::of(session, items);
        let mut run = 0;
        for (at, item) in items.iter().enumerate() {
            let entry = item.entry();
            let head = session.entry(entry);
            let belongs = matches!(item, Item::Stored(_)) && is_tool_work(&head);
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
                        calls.extend(places.map(|(place, call)| (call.id.clone(), (at, entry, place))));
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
    pub(crate) fn thinking_level(&self, session: &Session, at: usize) -> Option<Box<str>> {
        match session.entry(self.around[at].level?).kind {
            Kind::ThinkingLevelChange { level } => Some(level),
            _ => None,
        }
    }

    /// The model of the answer before.
    pub(crate) fn model_above(&self, session: &Session, at: usize) -> Option<Box<str>> {
        match session.entry(self.around[at].answer?).kind.role() {
            Some(Role::Assistant(answer)) => answer.model.clone(),
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
        let head = session.entry(items[at].entry());
        let Some(Role::Assistant(answer)) = head.kind.role() else {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain of entries, each given by what stands in it besides its id and its parent, with single quotes.
    fn listed(entries: &[&str]) -> (Session, Vec<Item>) {
        let mut lines = String::from("{'type':'session','version':3,'id':'s'}\n");
        for (at, entry) in entries.iter().enumerate() {
            let parent = if at == 0 { "null".into() } else { format!("'{}'", at - 1) };
            lines.push_str(&format!("{{'id':'{at}','parentId':{parent},{entry}}}\n"));
        }
        let session = Session::from_bytes("x.jsonl", lines.replace('\'', "\"").into_bytes()).unwrap();
        let items = session.path_to(session.current_leaf()).into_iter().map(Item::Stored).collect();
        (session, items)
    }

    const USER: &str = "'type':'message','message':{'role':'user','content':'x'}";
    const CALLS: &str = "'type':'message','message':{'role':'assistant','model':'m','stopReason':'toolUse',
        'content':[{'type':'toolCall','id':'c','name':'ls'},{'type':'toolCall','id':'d','name':'ls'}]}";
    const RESULT: &str = "'type':'message','message':{'role':'toolResult','toolCallId':'c'}";

    fn flat(entries: &[&str]) -> (Session, Vec<Item>) {
        let entries: Vec<String> = entries.iter().map(|entry| entry.replace("\n        ", "")).collect();
        listed(&entries.iter().map(String::as_str).collect::<Vec<_>>())
    }

    #[test]
    fn results_are_joined_with_the_nearest_call_above() {
        let (session, items) =
            flat(&[CALLS, CALLS, RESULT, USER, CALLS, RESULT, RESULT, RESULT.replace("'c'", "'?'").as_str()]);
        let all = Surroundings::of(&session, &items);
        let calls: Vec<Option<usize>> =
            (0..8).map(|at| all.call(at).map(|(answer, _)| answer.index())).collect();
        assert_eq!(calls, [None, None, Some(1), None, None, Some(4), Some(4), None]);
        let answered = |at, id| all.is_answered(&session, &items, at, id);
        assert_eq!(
            [answered(0, "c"), answered(1, "c"), answered(1, "d"), answered(4, "c")],
            [false, true, false, true]
        );
        let runs: Vec<Range<usize>> = [0, 2, 4, 7].into_iter().map(|at| all.tool_run(at)).collect();
        assert_eq!(runs, [0..3, 0..3, 4..8, 4..8]);
        assert_eq!((all.model_above(&session, 0), all.model_above(&session, 3)), (None, Some("m".into())));
    }

    #[test]
    fn a_compaction_replaces_what_it_does_not_keep_and_what_no_other_replaced() {
        let compaction = |kept: &str| format!("'type':'compaction','summary':'s','firstKeptEntryId':{kept}");
        let (first, second, third) = (compaction("'2'"), compaction("'4'"), compaction("'2'"));
        let (session, items) =
            listed(&[USER, USER, USER, &first, USER, &second, USER, &third, &compaction("null")]);
        let all = Surroundings::of(&session, &items);
        let counts: Vec<Option<usize>> = (0..9).map(|at| all.replaced(at)).collect();
        assert_eq!(counts, [None, None, None, Some(2), None, Some(2), None, Some(0), Some(4)]);
        let by: Vec<Option<usize>> = (0..9).map(|at| all.replaced_by(at).map(EntryIx::index)).collect();
        assert_eq!(by[..5], [Some(3), Some(3), Some(5), Some(5), Some(8)]);
        assert_eq!(by[8], None);
    }

    #[test]
    fn the_thinking_level_in_force_is_the_last_one_above() {
        let level = |level: &str| format!("'type':'thinking_level_change','thinkingLevel':'{level}'");
        let (session, items) = listed(&[USER, &level("high"), USER, &level("off"), USER]);
        let all = Surroundings::of(&session, &items);
        let levels: Vec<Option<Box<str>>> = (0..5).map(|at| all.thinking_level(&session, at)).collect();
        let levels: Vec<Option<&str>> = levels.iter().map(Option::as_deref).collect();
        assert_eq!(levels, [None, None, Some("high"), Some("high"), Some("off")]);
    }
}
