use super::json::Value;

/// Tokens and cost of one entry. What is missing or no number is 0.
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
}

impl Usage {
    /// Reads a usage object.
    pub fn of(value: Value<'_>) -> Self {
        let number = |key: &str| value.get_f64(key).filter(|number| number.is_finite()).unwrap_or(0.0);
        Self {
            input: number("input"),
            output: number("output"),
            cache_read: number("cacheRead"),
            cache_write: number("cacheWrite"),
            total_tokens: number("totalTokens"),
            cost: value
                .get("cost")
                .and_then(|cost| cost.get_f64("total"))
                .filter(|cost| cost.is_finite())
                .unwrap_or(0.0),
        }
    }

    /// The four kinds of tokens added up.
    pub fn tokens(&self) -> f64 {
        self.input + self.output + self.cache_read + self.cache_write
    }

    /// Adds another entry's tokens and cost.
    pub fn add(&mut self, other: &Self) {
        self.input += other.input;
        self.output += other.output;
        self.cache_read += other.cache_read;
        self.cache_write += other.cache_write;
        self.total_tokens += other.total_tokens;
        self.cost += other.cost;
    }
}
