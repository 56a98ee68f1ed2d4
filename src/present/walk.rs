use std::borrow::Cow;

use crate::format::json::{Items, Shape, Value};

/// The members of an object.
pub(crate) type Members<'v> = Vec<(Cow<'v, str>, Value<'v>)>;

/// Goes through a JSON value in the order in which it is written, however deep it is.
pub(super) struct Walk<'v> {
    first: Option<Value<'v>>,
    open: Vec<Container<'v>>,
}

enum Container<'v> {
    Array(Items<'v>),
    Object(std::vec::IntoIter<(Cow<'v, str>, Value<'v>)>),
}

/// What comes next.
pub(super) enum Step<'v> {
    /// A value; of an array or an object its elements follow, unless [`Walk::pass`] is called.
    Value {
        /// The name of a member.
        key: Option<Cow<'v, str>>,
        value: Value<'v>,
        /// Arrays and objects around it.
        depth: usize,
    },
    /// The end of an array or an object, with those around it.
    End { shape: Shape, depth: usize },
}

impl<'v> Walk<'v> {
    /// Through a value.
    pub(super) fn of(value: Value<'v>) -> Self {
        Self { first: Some(value), open: Vec::new() }
    }

    /// Through members, as if they were those of an object that has begun.
    pub(super) fn of_members(members: Members<'v>) -> Self {
        Self { first: None, open: vec![Container::Object(members.into_iter())] }
    }

    /// Leaves out the elements of the array or object that was told last.
    pub(super) fn pass(&mut self) {
        self.open.pop();
    }

    fn enter(&mut self, key: Option<Cow<'v, str>>, value: Value<'v>) -> Step<'v> {
        let depth = self.open.len();
        match value.shape() {
            Shape::Array => self.open.push(Container::Array(value.items())),
            Shape::Object => self.open.push(Container::Object(value.members().into_iter())),
            _ => {}
        }
        Step::Value { key, value, depth }
    }
}

impl<'v> Iterator for Walk<'v> {
    type Item = Step<'v>;

    fn next(&mut self) -> Option<Step<'v>> {
        if let Some(value) = self.first.take() {
            return Some(self.enter(None, value));
        }
        let (element, shape) = match self.open.last_mut()? {
            Container::Array(items) => (items.next().map(|value| (None, value)), Shape::Array),
            Container::Object(members) => {
                (members.next().map(|(key, value)| (Some(key), value)), Shape::Object)
            }
        };
        if let Some((key, value)) = element {
            return Some(self.enter(key, value));
        }
        self.open.pop();
        Some(Step::End { shape, depth: self.open.len() })
    }
}
