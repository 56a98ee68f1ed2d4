use super::coerce;
use super::json::Value;

/// More than any single entry can have used: what is above is a mistake of whatever wrote it.
const MOST_TOKENS: f64 = 1e12;
const MOST_DOLLARS: f64 = 1e6;

/// What pi writes for what an answer does not say.
const UNDEFINED: &str = "undefined";

/// The account of usage that is not that of an answer, by pi's name for it.
pub const TOOLS_AND_SUMMARIES: &str = "Tools/summaries";

/// Tokens and cost of one entry. What is missing, no number, negative or beyond belief is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// Tokens read fresh.
    pub input: f64,
    /// Tokens written.
    pub output: f64,
    /// Tokens read from the cache.
    pub cache_read: f64,
    /// Tokens written to the cache.
    pub cache_write: f64,
    /// The provider's own total; not used for sums.
    pub total_tokens: f64,
    /// Cost in dollars.
    pub cost: f64,
    /// Whether one of the numbers that make up sums is 0 because it could not be taken as it is.
    pub is_doubtful: bool,
}

impl Usage {
    /// Reads a usage object.
    pub fn of(value: Value<'_>) -> Self {
        let mut is_doubtful = false;
        let mut believed = |number: Option<f64>, most: f64| {
            let number = number.filter(|number| (0.0..=most).contains(number));
            is_doubtful |= number.is_none();
            number.unwrap_or(0.0)
        };
        let mut tokens = |key: &str| believed(value.get_f64(key), MOST_TOKENS);
        Self {
            input: tokens("input"),
            output: tokens("output"),
            cache_read: tokens("cacheRead"),
            cache_write: tokens("cacheWrite"),
            cost: believed(value.get("cost").and_then(|cost| cost.get_f64("total")), MOST_DOLLARS),
            total_tokens: value
                .get_f64("totalTokens")
                .filter(|tokens| (0.0..=MOST_TOKENS).contains(tokens))
                .unwrap_or(0.0),
            is_doubtful,
        }
    }

    /// The four kinds of tokens added up.
    pub fn tokens(&self) -> f64 {
        self.input + self.output + self.cache_read + self.cache_write
    }

    /// Everything read: fresh, from the cache, or to be kept in it.
    pub fn read(&self) -> f64 {
        self.input + self.cache_read + self.cache_write
    }

    /// Whether nothing was used and nothing paid.
    pub fn is_zero(&self) -> bool {
        self.tokens() == 0.0 && self.cost == 0.0
    }

    /// Adds another entry's tokens and cost.
    pub fn add(&mut self, other: &Self) {
        self.input += other.input;
        self.output += other.output;
        self.cache_read += other.cache_read;
        self.cache_write += other.cache_write;
        self.total_tokens += other.total_tokens;
        self.cost += other.cost;
        self.is_doubtful |= other.is_doubtful;
    }
}

/// What an entry adds to the totals of its session.
#[derive(Clone, Debug, PartialEq)]
pub struct Charge {
    /// Whose account it goes to: `provider/model`, or [`TOOLS_AND_SUMMARIES`].
    pub account: String,
    /// Tokens and cost.
    pub usage: Usage,
}

/// What an entry adds to the totals: an answer, also where it does not say what it used; results of tools, summaries
/// and `usage` entries where they do.
pub fn charge(entry: Value<'_>) -> Option<Charge> {
    let kind = entry.get_str("type")?;
    let usage = |of: Value<'_>| of.get("usage").filter(|usage| usage.is_object()).map(Usage::of);
    let (account, usage) = match &*kind {
        "message" => {
            let message = entry.get("message").filter(|message| message.is_object())?;
            match &*message.get_str("role")? {
                "assistant" => {
                    let text = |key: &str| message.get_str(key);
                    let model = text("responseModel").or_else(|| text("model"));
                    let missing = Usage { is_doubtful: true, ..Usage::default() };
                    let account = model_account(text("provider").as_deref(), model.as_deref());
                    (account, usage(message).unwrap_or(missing))
                }
                "toolResult" => (TOOLS_AND_SUMMARIES.to_owned(), usage(message)?),
                _ => return None,
            }
        }
        "compaction" | "branch_summary" => (TOOLS_AND_SUMMARIES.to_owned(), usage(entry)?),
        "usage" => {
            let word = |key: &str| coerce::inserted(entry.get(key));
            (format!("{}/{}", word("provider"), word("model")), usage(entry)?)
        }
        _ => return None,
    };
    Some(Charge { account, usage })
}

/// The account of an answer's model.
pub(crate) fn model_account(provider: Option<&str>, model: Option<&str>) -> String {
    format!("{}/{}", provider.unwrap_or(UNDEFINED), model.unwrap_or(UNDEFINED))
}

/// An account for people: `unknown` for the halves that pi writes as `undefined`.
pub(crate) fn account_in_words(account: &str) -> String {
    let parts = account.split('/').map(|part| if part == UNDEFINED { "unknown" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::json::Document;

    #[test]
    fn numbers_that_cannot_be_believed_count_as_zero() {
        let sound = r#"{"input":1,"output":2,"cacheRead":3,"cacheWrite":4,"cost":{"total":0.5}}"#;
        for (usage, tokens, cost, is_doubtful) in [
            (sound.to_owned(), 10.0, 0.5, false),
            (sound.replace(":1,", ":-1,"), 9.0, 0.5, true),
            (sound.replace(":1,", ":\"1\","), 9.0, 0.5, true),
            (sound.replace(":1,", ":1e300,"), 9.0, 0.5, true),
            (sound.replace(":1,", ":1e999,"), 9.0, 0.5, true),
            (sound.replace(":1,", ":null,"), 9.0, 0.5, true),
            (sound.replace("0.5", "-0.5"), 10.0, 0.0, true),
            (sound.replace("0.5", "1e300"), 10.0, 0.0, true),
            (sound.replace(r#"{"total":0.5}"#, "7"), 10.0, 0.0, true),
            ("{}".to_owned(), 0.0, 0.0, true),
        ] {
            let document = Document::parse(usage.clone()).unwrap();
            let read = Usage::of(document.root());
            assert_eq!((read.tokens(), read.cost, read.is_doubtful), (tokens, cost, is_doubtful), "{usage}");
        }
    }
}
