use std::fmt;

use super::json::{Shape, Value};

/// The name of an entry.
///
/// pi compares ids as JavaScript map keys, so the text `"7"` and the number `7` are two different ids.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EntryId {
    /// A string, exactly as in the file. Entries without an id are given `v1#n`.
    Text(Box<str>),
    /// Any other JSON value, as its text.
    Json(Box<str>),
}

impl EntryId {
    /// The id a value stands for.
    pub fn of(value: Value<'_>) -> Self {
        match value.as_str() {
            Some(text) => Self::Text(text.into()),
            None => Self::Json(value.to_json().into()),
        }
    }

    /// The id of the `index`th entry of a file (counted from 0, header not counted) that has none of its own,
    /// as in version 1.
    pub fn numbered(index: usize) -> Self {
        Self::Text(format!("v1#{index}").into())
    }

    /// The id as text, for people and for look-ups typed by them.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Text(text) | Self::Json(text) => text,
        }
    }

    /// The id as a JSON value.
    pub fn to_json(&self) -> String {
        match self {
            Self::Json(text) => text.to_string(),
            Self::Text(text) => {
                let mut out = String::new();
                super::js::quote(text, &mut out);
                out
            }
        }
    }
}

impl From<&str> for EntryId {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl fmt::Display for EntryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for EntryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_json())
    }
}

/// What an entry says about its parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParentRef {
    /// There is no `parentId` key.
    Missing,
    /// `null`, or another value JavaScript takes as false: a root.
    None,
    /// The id of another entry, known or not.
    Id(EntryId),
}

impl ParentRef {
    /// Reads the value under `parentId`.
    pub fn of(value: Option<Value<'_>>) -> Self {
        match value {
            None => Self::Missing,
            Some(value) if value.shape() == Shape::Bool || value.is_falsy() => Self::None,
            Some(value) => Self::Id(EntryId::of(value)),
        }
    }
}
