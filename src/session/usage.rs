use super::{Context, ContextItem, EntryIx, Session};
use crate::error::Error;
use crate::format::{AssistantHead, Kind, Role, Usage};

/// How full a context is, as pi's footer counts it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ContextTokens {
    /// So many tokens.
    Known(f64),
    /// A compaction, and no answer since that would tell.
    Unknown,
}

impl ContextTokens {
    /// The number, where it is known.
    pub fn known(self) -> Option<f64> {
        match self {
            Self::Known(tokens) => Some(tokens),
            Self::Unknown => None,
        }
    }

    /// Percent of a model's window.
    pub fn percent(self, window: f64) -> Option<f64> {
        self.known().map(|tokens| tokens / window * 100.0)
    }

    /// The share of a model's window, for a screen or a line.
    pub fn share(self, window: f64) -> WindowShare {
        WindowShare { percent: self.percent(window), window }
    }
}

/// How much of a model's context window is in use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WindowShare {
    /// Percent of it; `None` where that is not known.
    pub percent: Option<f64>,
    /// The whole window in tokens.
    pub window: f64,
}

impl Session {
    /// Counts the tokens of a context: what the last answer reports plus an estimate of what follows it, or
    /// an estimate of everything where no answer can tell.
    ///
    /// # Errors
    /// When the file can no longer be read.
    pub fn context_tokens(&self, context: &Context) -> Result<ContextTokens, Error> {
        let path = self.path_to(context.leaf);
        let place = |ix: EntryIx| path.iter().position(|&at| at == ix);
        let reporting = context.items.iter().rposition(|item| self.reported(item).is_some());
        let compaction = path.iter().rposition(|&ix| matches!(self.entry(ix).kind, Kind::Compaction { .. }));
        if let Some(compaction) = compaction
            && reporting.is_none_or(|at| place(context.items[at].source) <= Some(compaction))
        {
            return Ok(ContextTokens::Unknown);
        }
        if let Some(at) = reporting
            && let Some(tokens) = self.reported(&context.items[at])
        {
            let behind = place(context.items[at].source).map_or(&[][..], |at| &path[at + 1..]);
            if !behind.iter().any(|&ix| self.invalidates_reports(ix)) {
                let mut sum = tokens;
                for item in &context.items[at + 1..] {
                    sum += self.estimate(item)?;
                }
                return Ok(ContextTokens::Known(sum));
            }
        }
        Ok(ContextTokens::Known(self.estimated_tokens(context)?))
    }

    /// pi's estimate of a whole context: a quarter of the UTF-16 units of each message, rounded up. All system
    /// messages count as the one state they add up to.
    ///
    /// # Errors
    /// When the file can no longer be read.
    pub fn estimated_tokens(&self, context: &Context) -> Result<f64, Error> {
        let system = self.system_state(context)?;
        let mut sum = system.map_or(0, |state| state.units().div_ceil(4)) as f64;
        for item in context.items.iter().filter(|item| !self.is_system(item)) {
            sum += self.estimate(item)?;
        }
        Ok(sum)
    }

    fn estimate(&self, item: &ContextItem) -> Result<f64, Error> {
        Ok(self.sent(item)?.map_or(0.0, |message| message.tokens as f64))
    }

    fn is_system(&self, item: &ContextItem) -> bool {
        item.part == super::Part::Checkpoint
            || matches!(self.entry(item.source).kind.role(), Some(Role::System))
    }

    /// What an answer reports as the tokens of the context it came from, if it can be believed.
    fn reported(&self, item: &ContextItem) -> Option<f64> {
        let head = self.entry(item.source);
        let Some(Role::Assistant(answer)) = head.kind.role() else { return None };
        let usage = head.usage.as_deref().filter(|_| !has_failed(answer))?;
        let tokens = reported_tokens(usage);
        (tokens > 0.0).then_some(tokens)
    }

    fn invalidates_reports(&self, ix: EntryIx) -> bool {
        matches!(self.entry(ix).kind, Kind::ContextEdit { .. } | Kind::Compaction { .. })
    }
}

fn has_failed(answer: &AssistantHead) -> bool {
    matches!(answer.stop_reason.as_deref(), Some("aborted" | "error"))
}

fn reported_tokens(usage: &Usage) -> f64 {
    if usage.total_tokens == 0.0 { usage.tokens() } else { usage.total_tokens }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::LeafArg;

    const USER: &str = r#""type":"message","message":{"role":"user","content":"twelve chars"}"#;
    const ANSWER: &str = r#""type":"message","message":{"role":"assistant","content":[],"stopReason":"stop","usage":{"input":70,"output":30,"totalTokens":0}}"#;
    const FAILED: &str = r#""type":"message","message":{"role":"assistant","content":[],"stopReason":"error","usage":{"totalTokens":9}}"#;
    const COMPACTION: &str = r#""type":"compaction","summary":"four","firstKeptEntryId":"e0""#;
    const EDIT: &str = r#""type":"context_edit","targetId":"none","replacement":null"#;

    fn tokens(entries: &[&str]) -> Option<f64> {
        let mut lines = String::from("{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n");
        for (at, entry) in entries.iter().enumerate() {
            let parent = if at == 0 { "null".into() } else { format!("\"e{}\"", at - 1) };
            lines.push_str(&format!("{{\"id\":\"e{at}\",\"parentId\":{parent},{entry}}}\n"));
        }
        let session = Session::from_bytes("x.jsonl", lines.into_bytes()).unwrap();
        session.context_tokens(&session.context(&LeafArg::Current)).unwrap().known()
    }

    #[test]
    fn the_last_answer_tells_unless_something_made_it_stale() {
        for (entries, expected) in [
            (&[][..], Some(0.0)),
            (&[USER], Some(3.0)),
            (&[USER, ANSWER, USER], Some(103.0)),
            (&[USER, ANSWER, FAILED], Some(100.0)),
            (&[USER, FAILED], Some(3.0)),
            (&[USER, ANSWER, EDIT, USER], Some(6.0)),
            (&[USER, ANSWER, COMPACTION], None),
            (&[USER, COMPACTION, FAILED], None),
            (&[USER, COMPACTION, ANSWER], Some(100.0)),
        ] {
            assert_eq!(tokens(entries), expected, "{entries:?}");
        }
    }
}
