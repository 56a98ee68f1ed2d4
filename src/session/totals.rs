use super::heads::Class;
use super::{EntryIx, Session};
use crate::format::{Charge, EntryHead, Kind, Role, TOOLS_AND_SUMMARIES, Usage, model_account};

/// The figures of pi's `/session`: sums over all entries of the file, every branch, compacted or not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Totals {
    /// Messages of the person.
    pub user_messages: u64,
    /// Answers.
    pub assistant_messages: u64,
    /// Tools called by answers.
    pub tool_calls: u64,
    /// Results of tools.
    pub tool_results: u64,
    /// Messages of whatever role; an entry without its message is none.
    pub total_messages: u64,
    /// Tokens and cost.
    pub usage: Usage,
    /// The same by model, dearest first.
    pub by_model: Vec<ModelTotal>,
    /// Entries whose numbers are missing or cannot be believed, and count as zero.
    pub doubtful: u64,
}

/// What one model cost.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelTotal {
    /// `provider/model`; tool results and summaries share one name.
    pub key: String,
    /// Dollars.
    pub cost: f64,
    /// All four kinds of tokens.
    pub tokens: f64,
}

impl Session {
    /// Adds up the whole file. Missing and absurd numbers count as zero, where pi fails or shows `NaN`.
    pub fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for at in 0..self.entries.len() {
            // Most entries count as what they are, and only that.
            match self.entries.class(at) {
                Class::User => {
                    totals.total_messages += 1;
                    totals.user_messages += 1;
                    continue;
                }
                Class::ToolResult if !self.entries.has_usage(at) => {
                    totals.total_messages += 1;
                    totals.tool_results += 1;
                    continue;
                }
                _ => {}
            }
            let head = self.entries.get(at);
            totals.count(&head);
            let Some(Charge { account, usage }) = charge_of(&head) else { continue };
            totals.usage.add(&usage);
            totals.doubtful += u64::from(usage.is_doubtful);
            let tokens = usage.tokens();
            match totals.by_model.iter_mut().find(|model| model.key == account) {
                Some(model) => {
                    model.cost += usage.cost;
                    model.tokens += tokens;
                }
                None => totals.by_model.push(ModelTotal { key: account, cost: usage.cost, tokens }),
            }
        }
        totals.by_model.retain(|model| model.cost != 0.0 || model.tokens != 0.0);
        totals.by_model.sort_by(|a, b| b.cost.total_cmp(&a.cost));
        totals
    }

    /// What an entry adds to the totals, if it does.
    pub fn charge(&self, ix: EntryIx) -> Option<Charge> {
        charge_of(&self.entry(ix))
    }
}

impl Totals {
    fn count(&mut self, head: &EntryHead) {
        let Kind::Message(message) = &head.kind else { return };
        self.total_messages += u64::from(message.role != Role::Missing);
        match &message.role {
            Role::User => self.user_messages += 1,
            Role::Assistant(answer) => {
                self.assistant_messages += 1;
                self.tool_calls += answer.calls.len() as u64;
            }
            Role::ToolResult { .. } => self.tool_results += 1,
            _ => {}
        }
    }
}

/// The rule of [`charge`](crate::format::charge), for an entry that was read.
fn charge_of(head: &EntryHead) -> Option<Charge> {
    let usage = head.usage.as_deref().copied();
    let (account, usage) = match &head.kind {
        Kind::Message(message) => match &message.role {
            Role::Assistant(answer) => {
                let model = answer.response_model.as_deref().or(answer.model.as_deref());
                let missing = Usage { is_doubtful: true, ..Usage::default() };
                (model_account(answer.provider.as_deref(), model), usage.unwrap_or(missing))
            }
            Role::ToolResult { .. } => (TOOLS_AND_SUMMARIES.to_owned(), usage?),
            _ => return None,
        },
        Kind::Usage { model } => (model.to_string(), usage?),
        Kind::Compaction { .. } | Kind::BranchSummary => (TOOLS_AND_SUMMARIES.to_owned(), usage?),
        _ => return None,
    };
    Some(Charge { account, usage })
}
