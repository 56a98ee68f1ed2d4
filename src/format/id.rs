use std::fmt;

use serde::{Deserialize, Serialize};

use super::json::{Document, Shape, Value};

/// The name of an entry.
///
/// pi compares ids as JavaScript map keys, so the text `"7"` and the number `7` are two different ids.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "Json", into = "Json")]
pub struct EntryId(Name);

/// A text, and whether it is the source of any other JSON value than a string. It is held in place where it is as
/// short as ids are: a large session has a hundred thousand of them, each in three places.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Name {
    /// The bytes behind the text are zero.
    Short {
        is_json: bool,
        length: u8,
        bytes: [u8; SHORT],
    },
    Long {
        is_json: bool,
        text: Box<str>,
    },
}

const SHORT: usize = 21;

impl Name {
    fn of(text: &str, is_json: bool) -> Self {
        let mut bytes = [0; SHORT];
        match bytes.get_mut(..text.len()) {
            Some(place) => {
                place.copy_from_slice(text.as_bytes());
                Self::Short { is_json, length: text.len() as u8, bytes }
            }
            None => Self::Long { is_json, text: text.into() },
        }
    }
}

impl EntryId {
    /// The id that a string in a file is.
    pub fn text(text: &str) -> Self {
        Self(Name::of(text, false))
    }

    /// The id that any other value in a file is, by its JSON.
    pub fn json(source: &str) -> Self {
        Self(Name::of(source, true))
    }

    /// The id a value stands for.
    pub fn of(value: Value<'_>) -> Self {
        match value.as_str() {
            Some(text) => Self::text(&text),
            None => Self::json(&value.to_json()),
        }
    }

    /// The id of the `index`th entry of a file (counted from 0, header not counted) that has none of its own,
    /// as in version 1.
    pub fn numbered(index: usize) -> Self {
        Self::text(&format!("v1#{index}"))
    }

    /// Whether it is one that an entry was given for want of one in its file. Such ids tell nothing of two files.
    pub fn is_numbered(&self) -> bool {
        self.as_str()
            .strip_prefix("v1#")
            .is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
    }

    /// The id as text, for people and for look-ups typed by them.
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Name::Short { length, bytes, .. } => {
                std::str::from_utf8(&bytes[..usize::from(*length)]).unwrap_or_default()
            }
            Name::Long { text, .. } => text,
        }
    }

    /// Whether it is another value than a string.
    pub(crate) fn is_json(&self) -> bool {
        let (Name::Short { is_json, .. } | Name::Long { is_json, .. }) = self.0;
        is_json
    }

    /// The id as a JSON value.
    pub fn to_json(&self) -> String {
        if self.is_json() {
            return self.as_str().to_owned();
        }
        let mut out = String::new();
        super::js::quote(self.as_str(), &mut out);
        out
    }
}

impl From<&str> for EntryId {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

/// How an id is written down: as its JSON text.
#[derive(Serialize, Deserialize)]
struct Json(String);

impl From<Json> for EntryId {
    fn from(Json(source): Json) -> Self {
        let document = source.starts_with('"').then(|| Document::parse(source.clone()).ok()).flatten();
        document.map_or_else(|| Self::json(&source), |document| Self::of(document.root()))
    }
}

impl From<EntryId> for Json {
    fn from(id: EntryId) -> Self {
        Self(id.to_json())
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
