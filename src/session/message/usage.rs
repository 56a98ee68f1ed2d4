use super::fields::{Fields, RawField};
use crate::format::json::Value;

/// Tokens and cost as a provider reported them; `None` where it did not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UsageReport {
    /// Tokens read fresh.
    pub input: Option<f64>,
    /// Tokens written.
    pub output: Option<f64>,
    /// Tokens read from the cache.
    pub cache_read: Option<f64>,
    /// Tokens written to the cache.
    pub cache_write: Option<f64>,
    /// How many of these are kept for an hour.
    pub cache_write_1h: Option<f64>,
    /// How many of the tokens written were thoughts.
    pub reasoning: Option<f64>,
    /// The provider's own total.
    pub total_tokens: Option<f64>,
    /// What it cost.
    pub cost: Option<Cost>,
    /// All other fields.
    pub other: Vec<RawField>,
}

/// Dollars by kind of token.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cost {
    /// For tokens read fresh.
    pub input: Option<f64>,
    /// For tokens written.
    pub output: Option<f64>,
    /// For tokens read from the cache.
    pub cache_read: Option<f64>,
    /// For tokens written to the cache.
    pub cache_write: Option<f64>,
    /// The best total there is.
    pub total: Option<f64>,
    /// Whether the provider itself said the total; otherwise it is estimated from a price list.
    pub total_from_provider: Option<bool>,
    /// All other fields.
    pub other: Vec<RawField>,
}

impl UsageReport {
    /// Reads a usage object; `None` of anything else.
    pub fn of(value: Value<'_>) -> Option<Self> {
        if !value.is_object() {
            return None;
        }
        let mut fields = Fields::of(value);
        Some(Self {
            input: fields.number("input"),
            output: fields.number("output"),
            cache_read: fields.number("cacheRead"),
            cache_write: fields.number("cacheWrite"),
            cache_write_1h: fields.number("cacheWrite1h"),
            reasoning: fields.number("reasoning"),
            total_tokens: fields.number("totalTokens"),
            cost: fields.take("cost", Cost::of),
            other: fields.rest(),
        })
    }
}

impl Cost {
    fn of(value: Value<'_>) -> Option<Self> {
        if !value.is_object() {
            return None;
        }
        let mut fields = Fields::of(value);
        Some(Self {
            input: fields.number("input"),
            output: fields.number("output"),
            cache_read: fields.number("cacheRead"),
            cache_write: fields.number("cacheWrite"),
            total: fields.number("total"),
            total_from_provider: fields.flag("totalFromProvider"),
            other: fields.rest(),
        })
    }
}
