use crate::format::js;
use crate::format::json::Value;

/// A JSON object as JavaScript keeps and prints it: keys in the order they were first set.
#[derive(Clone, Debug, Default)]
pub(super) struct JsObject(Vec<(String, String)>);

impl JsObject {
    /// The members of a parsed object.
    pub(super) fn of(value: Value<'_>) -> Self {
        Self(value.members().into_iter().map(|(key, value)| (key.into_owned(), value.stringify())).collect())
    }

    /// Sets a key to a JSON text; a key that is there keeps its place.
    pub(super) fn set(&mut self, key: &str, json: impl Into<String>) {
        let json = json.into();
        match self.0.iter_mut().find(|(name, _)| name == key) {
            Some((_, value)) => *value = json,
            None => self.0.push((key.to_owned(), json)),
        }
    }

    /// As [`JsObject::set`], in a chain.
    #[must_use]
    pub(super) fn with(mut self, key: &str, json: impl Into<String>) -> Self {
        self.set(key, json);
        self
    }

    /// Sets a key to a text, in a chain.
    #[must_use]
    pub(super) fn with_text(self, key: &str, text: &str) -> Self {
        let mut json = String::new();
        js::quote(text, &mut json);
        self.with(key, json)
    }

    /// Takes a key out.
    pub(super) fn remove(&mut self, key: &str) {
        self.0.retain(|(name, _)| name != key);
    }

    /// The object as compact JSON.
    pub(super) fn print(&self) -> String {
        let mut out = String::from("{");
        for (at, (key, json)) in self.0.iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            js::quote(key, &mut out);
            out.push(':');
            out.push_str(json);
        }
        out.push('}');
        out
    }
}
