use std::borrow::Cow;

use crate::format::json::{Shape, Value};

/// A field as it stands in the file: of a name that is not known, or of a type that the known name does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawField {
    /// Its name.
    pub name: String,
    /// Its value as JSON.
    pub json: String,
}

/// The fields of an object that nobody has taken yet. One that is of another type than expected stays, so that nothing
/// is lost.
pub(crate) struct Fields<'v>(Vec<(Cow<'v, str>, Value<'v>)>);

impl<'v> Fields<'v> {
    pub(crate) fn of(value: Value<'v>) -> Self {
        Self(value.members())
    }

    pub(crate) fn take<T>(&mut self, name: &str, read: impl FnOnce(Value<'v>) -> Option<T>) -> Option<T> {
        let at = self.0.iter().position(|(known, _)| known == name)?;
        let taken = read(self.0[at].1)?;
        self.0.remove(at);
        Some(taken)
    }

    pub(crate) fn text(&mut self, name: &str) -> Option<String> {
        self.take(name, |value| value.as_str().map(Cow::into_owned))
    }

    pub(crate) fn number(&mut self, name: &str) -> Option<f64> {
        self.take(name, Value::as_f64)
    }

    pub(crate) fn flag(&mut self, name: &str) -> Option<bool> {
        self.take(name, Value::as_bool)
    }

    /// Any value, as JSON.
    pub(crate) fn json(&mut self, name: &str) -> Option<String> {
        self.take(name, |value| Some(value.to_json()))
    }

    /// A list whose every item can be read.
    pub(crate) fn list<T>(&mut self, name: &str, read: impl Fn(Value<'v>) -> Option<T>) -> Vec<T> {
        let items = |value: Value<'v>| {
            let is_list = value.shape() == Shape::Array;
            is_list.then(|| value.items().map(read).collect::<Option<Vec<_>>>()).flatten()
        };
        self.take(name, items).unwrap_or_default()
    }

    /// What nobody took.
    pub(crate) fn rest(self) -> Vec<RawField> {
        let raw = |(name, value): (Cow<'v, str>, Value<'v>)| RawField {
            name: name.into_owned(),
            json: value.to_json(),
        };
        self.0.into_iter().map(raw).collect()
    }
}
