use super::json::{Shape, Value};

/// The version of a session file as its header gives it.
#[derive(Clone, Debug)]
pub struct Version {
    /// The value as JSON; `1` where the key is absent or null.
    pub stored: Box<str>,
    /// The value as JavaScript compares it; `NaN` for text that is no number.
    pub number: f64,
    /// Whether the header has a version at all.
    pub given: bool,
}

/// The number is no part of it: it follows from what is stored, and what is no number equals nothing, not even itself.
impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        (&self.stored, self.given) == (&other.stored, other.given)
    }
}

impl Version {
    fn of(value: Option<Value<'_>>) -> Self {
        let Some(value) = value.filter(|value| !value.is_null()) else {
            return Self { stored: "1".into(), number: 1.0, given: false };
        };
        let number = match value.shape() {
            Shape::Number => value.as_f64().unwrap_or(f64::NAN),
            Shape::Bool => f64::from(u8::from(value.as_bool() == Some(true))),
            Shape::String => super::js::number_of(&value.as_str().unwrap_or_default()),
            _ => f64::NAN,
        };
        Self { stored: value.to_json().into(), number, given: true }
    }

    /// True where pi gives every entry a new id and makes one chain of them.
    pub fn is_v1(&self) -> bool {
        self.number < 2.0
    }

    /// True where pi renames `hookMessage` to `custom` on opening.
    pub fn is_before_v3(&self) -> bool {
        self.number < 3.0
    }
}

/// The first record of a session file.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// Line number from 1.
    pub line: u32,
    /// Byte offset of the line.
    pub offset: u64,
    /// Length of the line in bytes, line end excluded.
    pub length: u32,
    /// The session id. Opening requires a string; a list row takes what is there, `None` for another type.
    pub id: Option<Box<str>>,
    /// The file's version.
    pub version: Version,
    /// The working directory, where it is a string.
    pub cwd: Option<Box<str>>,
    /// The time as written, where it is a string.
    pub timestamp: Option<Box<str>>,
    /// The path of the session this one was split off, as written.
    pub parent_session: Option<Box<str>>,
}

impl Header {
    /// Reads a header record, or `None` when the value is not `{"type":"session",…}`.
    pub fn of(value: Value<'_>, line: u32, offset: u64, length: u32) -> Option<Self> {
        if value.get_str("type").as_deref() != Some("session") {
            return None;
        }
        let text = |key: &str| value.get_str(key).map(|text| Box::from(&*text));
        Some(Self {
            line,
            offset,
            length,
            id: text("id"),
            version: Version::of(value.get("version")),
            cwd: text("cwd"),
            timestamp: text("timestamp"),
            parent_session: text("parentSession"),
        })
    }

    /// Milliseconds since 1970 of the header's time.
    pub fn created(&self) -> Option<i64> {
        super::js::date(self.timestamp.as_deref()?)
    }
}
