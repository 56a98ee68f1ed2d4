use serde::Serialize;
use serde_json::value::RawValue;

use crate::format::json::{Document, Value};
use crate::format::{Diagnostic, EntryId, Usage, js};

/// A piece of JSON that is already text: ids, numbers and whole values exactly as pi would print them.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub(super) struct Json(Box<RawValue>);

impl Json {
    /// A finished JSON text. What is not JSON, which cannot come from our own printing, is `null`.
    pub(super) fn raw(text: String) -> Self {
        Self(RawValue::from_string(text).unwrap_or_else(|_| RawValue::NULL.to_owned()))
    }

    /// A JSON text as JavaScript prints it, in which halves of surrogate pairs stand as escapes.
    pub(super) fn printed(text: &str) -> Self {
        Document::parse(text.to_owned())
            .map_or_else(|_| Self::raw(text.to_owned()), |read| Self::value(read.root()))
    }

    pub(super) fn id(id: &EntryId) -> Self {
        Self::raw(id.to_json())
    }

    /// An id as people read it.
    pub(super) fn plain(&self) -> String {
        serde_json::from_str(self.0.get()).unwrap_or_else(|_| self.0.get().to_owned())
    }

    pub(super) fn value(value: Value<'_>) -> Self {
        Self::raw(value.to_json())
    }

    /// A number in JavaScript's shortest form, without the `.0` that Rust gives whole ones.
    pub(super) fn number(number: f64) -> Self {
        Self::raw(js::number(number))
    }
}

/// A finding about a file, with the fields every command gives it.
#[derive(Debug, Serialize)]
pub(super) struct JsonDiagnostic {
    line: u32,
    kind: &'static str,
    message: String,
}

impl From<&Diagnostic> for JsonDiagnostic {
    fn from(diagnostic: &Diagnostic) -> Self {
        Self { line: diagnostic.line, kind: diagnostic.problem.word(), message: diagnostic.message.clone() }
    }
}

/// Tokens by kind, as every command gives them.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct JsonTokens {
    input: Json,
    output: Json,
    cache_read: Json,
    cache_write: Json,
    total: Json,
}

impl JsonTokens {
    pub(super) fn of(usage: &Usage) -> Self {
        Self {
            input: Json::number(usage.input),
            output: Json::number(usage.output),
            cache_read: Json::number(usage.cache_read),
            cache_write: Json::number(usage.cache_write),
            total: Json::number(usage.tokens()),
        }
    }
}

/// Tokens and cost.
#[derive(Debug, Serialize)]
pub(super) struct JsonUsage {
    pub(super) tokens: JsonTokens,
    pub(super) cost: Json,
}

impl JsonUsage {
    pub(super) fn of(usage: &Usage) -> Self {
        Self { tokens: JsonTokens::of(usage), cost: Json::number(usage.cost) }
    }
}
