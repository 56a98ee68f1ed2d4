use std::collections::{HashMap, HashSet};

use super::{EntryIx, LeafArg, Session};
use crate::format::{AssistantHead, EntryHead, Kind, Role};

/// What the model would be sent at a leaf: which entries, in which order, and what became of the others.
///
/// A context holds places, not texts; [`Session::sent`] reads the message of one item.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Context {
    /// The entry at which the path ends.
    pub leaf: Option<EntryIx>,
    /// False when an id was asked for that is not in the file, so that the last entry was taken.
    pub is_leaf_known: bool,
    /// The entries that make up the context, in its order: after a compaction that entry, what it kept, and
    /// what follows it.
    pub entries: Vec<EntryIx>,
    /// The messages, each with its source.
    pub items: Vec<ContextItem>,
    /// The entries of the path that are not sent, in path order, and why.
    pub omitted: Vec<(EntryIx, Omission)>,
    /// Provider and model in force, where the path names one.
    pub model: Option<ModelInForce>,
    /// The thinking level in force; `off` where the path names none.
    pub thinking_level: Box<str>,
}

/// The model a path ends with. Answers written by other programs may lack either half.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelInForce {
    /// The provider.
    pub provider: Option<Box<str>>,
    /// The model's id.
    pub model: Option<Box<str>>,
}

/// One message of a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ContextItem {
    /// The entry it comes from.
    pub source: EntryIx,
    /// Which part of the entry it is made of.
    pub part: Part,
    /// The edit that replaced its content.
    pub edit: Option<EntryIx>,
}

/// Which part of its entry a message is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// The stored message.
    Message,
    /// The instructions a compaction carries over.
    Checkpoint,
    /// The summary of a compaction.
    CompactionSummary,
    /// The summary of a branch that was left.
    BranchSummary,
    /// An extension's message.
    Custom,
}

/// Why an entry of the path is not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Omission {
    /// A compaction's summary stands in its place.
    Summarised(EntryIx),
    /// Instructions in a kept range; the compaction's own stand in their place.
    Superseded(EntryIx),
    /// An edit takes it out.
    Edited(EntryIx),
    /// A command run with `!!`.
    Excluded,
    /// It never had a message.
    Bookkeeping,
    /// A summary without text.
    EmptySummary,
    /// A role that is not sent.
    UnknownRole,
    /// The entry lacks its message.
    NoMessage,
}

impl Omission {
    /// The reason in a few words.
    pub fn words(self, session: &Session) -> String {
        match self {
            Self::Summarised(by) => format!("summarised by the compaction {}", session.entry_id(by)),
            Self::Superseded(by) => {
                format!("replaced by the instructions of the compaction {}", session.entry_id(by))
            }
            Self::Edited(by) => format!("omitted by the edit {}", session.entry_id(by)),
            Self::Excluded => "excluded by !!".into(),
            Self::Bookkeeping => "bookkeeping".into(),
            Self::EmptySummary => "an empty summary".into(),
            Self::UnknownRole => "a role that is not sent".into(),
            Self::NoMessage => "no message in it".into(),
        }
    }

    /// The reason in one or two words, for a row.
    pub fn short(self) -> &'static str {
        match self {
            Self::Summarised(_) => "summarised",
            Self::Superseded(_) => "superseded",
            Self::Edited(_) => "omitted by an edit",
            Self::Excluded => "excluded by !!",
            Self::Bookkeeping => "bookkeeping",
            Self::EmptySummary => "empty summary",
            Self::UnknownRole => "not sent",
            Self::NoMessage => "no message",
        }
    }
}

impl Session {
    /// Builds the context at a leaf that is named as a caller names it: by an id, which in a damaged file may stand
    /// for several entries. [`Session::context_at`] takes the entry itself.
    pub fn context(&self, arg: &LeafArg) -> Context {
        let leaf = self.leaf(arg);
        Context { is_leaf_known: leaf.is_known, ..self.context_at(leaf.entry) }
    }

    /// Builds the context at an entry; `None` is before everything.
    pub fn context_at(&self, leaf: Option<EntryIx>) -> Context {
        let path = self.path_to(leaf);
        let mut context =
            Context { leaf, is_leaf_known: true, thinking_level: "off".into(), ..Context::default() };
        self.replay_settings(&path, &mut context);
        let governing = path.iter().rposition(|&ix| matches!(self.entry(ix).kind, Kind::Compaction { .. }));
        context.entries = match governing {
            Some(at) => self.after_compaction(&path, at),
            None => path.clone(),
        };
        let edits = self.edits(&context.entries);
        let mut reasons = HashMap::new();
        for &ix in &context.entries {
            match self.items_of(ix, governing.map(|at| path[at]), edits.get(&ix).copied()) {
                Ok(items) => context.items.extend(items),
                Err(reason) => {
                    reasons.insert(ix, reason);
                }
            }
        }
        let selected: HashSet<EntryIx> = context.entries.iter().copied().collect();
        let kept_from = governing.and_then(|at| self.kept_from(&path, at));
        for (place, &ix) in path.iter().enumerate() {
            if selected.contains(&ix) {
                context.omitted.extend(reasons.get(&ix).map(|&reason| (ix, reason)));
                if let Some(reason) = self.dropped_role(ix).filter(|_| !reasons.contains_key(&ix)) {
                    context.omitted.push((ix, reason));
                }
            } else if let Some(compaction) = governing.map(|at| path[at]) {
                let by_kind = match self.items_of(ix, Some(compaction), None) {
                    Err(reason @ Omission::Bookkeeping) => reason,
                    _ if kept_from.is_some_and(|from| place >= from) => Omission::Superseded(compaction),
                    _ => Omission::Summarised(compaction),
                };
                context.omitted.push((ix, by_kind));
            }
        }
        context
    }

    /// Model and thinking level follow the whole path, compaction or not; the last one wins.
    fn replay_settings(&self, path: &[EntryIx], context: &mut Context) {
        for &ix in path {
            match &self.entry(ix).kind {
                Kind::ThinkingLevelChange { level } => context.thinking_level = level.clone(),
                Kind::ModelChange { provider, model } => {
                    context.model =
                        Some(ModelInForce { provider: Some(provider.clone()), model: Some(model.clone()) });
                }
                Kind::Message(message) => {
                    if let Role::Assistant(answer) = &message.role {
                        let AssistantHead { provider, model, .. } = &**answer;
                        context.model =
                            Some(ModelInForce { provider: provider.clone(), model: model.clone() });
                    }
                }
                _ => {}
            }
        }
    }

    /// The compaction, then what it kept except instructions, then what follows it.
    fn after_compaction(&self, path: &[EntryIx], at: usize) -> Vec<EntryIx> {
        let compaction = path[at];
        let kept = self.kept_from(path, at).map_or(&[][..], |from| &path[from..at]);
        std::iter::once(compaction)
            .chain(kept.iter().copied().filter(|&ix| !is_system(&self.entry(ix))))
            .chain(path[at + 1..].iter().copied())
            .collect()
    }

    /// Where on the path the kept range of the compaction at `at` begins, if it begins at all.
    fn kept_from(&self, path: &[EntryIx], at: usize) -> Option<usize> {
        let Kind::Compaction { first_kept: Some(first), .. } = &self.entry(path[at]).kind else {
            return None;
        };
        path[..at].iter().position(|&ix| self.entry_id(ix) == first)
    }

    /// The last edit of each target among the selected entries.
    fn edits(&self, entries: &[EntryIx]) -> HashMap<EntryIx, EntryIx> {
        let mut edits = HashMap::new();
        for &ix in entries {
            if let Kind::ContextEdit { target, .. } = &self.entry(ix).kind
                && let Some(target) = self.find(target)
            {
                edits.insert(target, ix);
            }
        }
        edits
    }

    /// The messages an entry yields, or why it yields none.
    fn items_of(
        &self,
        ix: EntryIx,
        governing: Option<EntryIx>,
        edit: Option<EntryIx>,
    ) -> Result<Vec<ContextItem>, Omission> {
        let item = |part| ContextItem { source: ix, part, edit: None };
        let head = self.entry(ix);
        let mut items = match &head.kind {
            Kind::Message(message) => match message.role {
                Role::Missing => return Err(Omission::NoMessage),
                _ => vec![item(Part::Message)],
            },
            Kind::Compaction { .. } if governing == Some(ix) => {
                vec![item(Part::Checkpoint), item(Part::CompactionSummary)]
            }
            Kind::Compaction { .. } => {
                return Err(governing.map_or(Omission::Bookkeeping, Omission::Summarised));
            }
            Kind::BranchSummary if head.gist.is_empty() && !head.gist_is_cut => {
                return Err(Omission::EmptySummary);
            }
            Kind::BranchSummary => vec![item(Part::BranchSummary)],
            Kind::CustomMessage { .. } => vec![item(Part::Custom)],
            _ => return Err(Omission::Bookkeeping),
        };
        if let Some(edit) = edit {
            if matches!(self.entry(edit).kind, Kind::ContextEdit { omits: true, .. }) {
                return Err(Omission::Edited(edit));
            }
            if self.takes_edits(ix) {
                for item in &mut items {
                    item.edit = Some(edit);
                }
            }
        }
        Ok(items)
    }

    /// Whether an edit can replace the entry's content.
    fn takes_edits(&self, ix: EntryIx) -> bool {
        match &self.entry(ix).kind {
            Kind::CustomMessage { .. } => true,
            Kind::Message(_) => {
                matches!(&*self.role_word(ix), "user" | "assistant" | "toolResult" | "custom")
            }
            _ => false,
        }
    }

    /// Why a message that is in the context is dropped on the way to the model, if it is.
    fn dropped_role(&self, ix: EntryIx) -> Option<Omission> {
        match self.entry(ix).kind.role()? {
            Role::BashExecution { excluded: true } => Some(Omission::Excluded),
            Role::Other(_) => match &*self.role_word(ix) {
                "custom" | "branchSummary" | "compactionSummary" => None,
                _ => Some(Omission::UnknownRole),
            },
            _ => None,
        }
    }
}

fn is_system(head: &EntryHead) -> bool {
    matches!(head.kind.role(), Some(Role::System))
}
