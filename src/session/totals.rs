use super::Session;
use super::heads::Class;
use crate::format::{AssistantHead, EntryHead, Kind, Role, Usage};

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

/// What pi writes for what an answer does not say.
const UNDEFINED: &str = "undefined";
const TOOLS_AND_SUMMARIES: &str = "Tools/summaries";

impl Session {
    /// Adds up the whole file. Missing numbers count as zero, where pi fails or shows `NaN`.
    pub fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for at in 0..self.entries.len() {
            // Most entries count as what they are, and only that.
            match self.entries.class(at) {
                Class::User if !self.entries.has_usage(at) => {
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
            if let Some((key, usage)) = counted_usage(&head) {
                totals.usage.add(usage);
                let tokens = usage.tokens();
                match totals.by_model.iter_mut().find(|model| model.key == key) {
                    Some(model) => {
                        model.cost += usage.cost;
                        model.tokens += tokens;
                    }
                    None => totals.by_model.push(ModelTotal { key, cost: usage.cost, tokens }),
                }
            }
        }
        totals.by_model.retain(|model| model.cost != 0.0 || model.tokens != 0.0);
        totals.by_model.sort_by(|a, b| b.cost.total_cmp(&a.cost));
        totals
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

/// The usage of an entry that counts towards totals, and whose account it goes to.
fn counted_usage(head: &EntryHead) -> Option<(String, &Usage)> {
    let usage = head.usage.as_deref()?;
    let key = match &head.kind {
        Kind::Message(message) => match &message.role {
            Role::Assistant(answer) => model_key(answer),
            Role::ToolResult { .. } => TOOLS_AND_SUMMARIES.to_owned(),
            _ => return None,
        },
        Kind::Usage { model } => model.to_string(),
        Kind::Compaction { .. } | Kind::BranchSummary => TOOLS_AND_SUMMARIES.to_owned(),
        _ => return None,
    };
    Some((key, usage))
}

fn model_key(answer: &AssistantHead) -> String {
    let model = answer.response_model.as_deref().or(answer.model.as_deref()).unwrap_or(UNDEFINED);
    format!("{}/{model}", answer.provider.as_deref().unwrap_or(UNDEFINED))
}

/// A model's key for people: `unknown` for the halves that pi writes as `undefined`.
pub(crate) fn model_in_words(key: &str) -> String {
    let parts = key.split('/').map(|part| if part == UNDEFINED { "unknown" } else { part });
    parts.collect::<Vec<_>>().join("/")
}
