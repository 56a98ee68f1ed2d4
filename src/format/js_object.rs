use super::js;
use super::json::Value;

/// A JSON object as JavaScript keeps and prints it: keys in the order they were first set.
#[derive(Clone, Debug, Default)]
pub(crate) struct JsObject(Vec<(String, String)>);

impl JsObject {
    /// The members of a parsed object.
    pub(crate) fn of(value: Value<'_>) -> Self {
        Self(value.members().into_iter().map(|(key, value)| (key.into_owned(), value.stringify())).collect())
    }

    /// Sets a key to a JSON text; a key that is there keeps its place.
    pub(crate) fn set(&mut self, key: &str, json: impl Into<String>) {
        let json = json.into();
        match self.0.iter_mut().find(|(name, _)| name == key) {
            Some((_, value)) => *value = json,
            None => self.0.push((key.to_owned(), json)),
        }
    }

    /// As [`JsObject::set`], in a chain.
    #[must_use]
    pub(crate) fn with(mut self, key: &str, json: impl Into<String>) -> Self {
        self.set(key, json);
        self
    }

    /// Sets a key to a text, in a chain.
    #[must_use]
    pub(crate) fn with_text(self, key: &str, text: &str) -> Self {
        let mut json = String::new();
        js::quote(text, &mut json);
        self.with(key, json)
    }

    /// Sets a key that there is a JSON text for, in a chain.
    #[must_use]
    pub(crate) fn with_some(self, key: &str, json: Option<impl Into<String>>) -> Self {
        match json {
            Some(json) => self.with(key, json),
            None => self,
        }
    }

    /// Sets a key that there is a text for, in a chain.
    #[must_use]
    pub(crate) fn with_some_text(self, key: &str, text: Option<&str>) -> Self {
        match text {
            Some(text) => self.with_text(key, text),
            None => self,
        }
    }

    /// Sets a key that there is a number for, in a chain.
    #[must_use]
    pub(crate) fn with_some_number(self, key: &str, number: Option<f64>) -> Self {
        self.with_some(key, number.map(js::number))
    }

    /// Sets a key that there is a flag for, in a chain.
    #[must_use]
    pub(crate) fn with_some_flag(self, key: &str, flag: Option<bool>) -> Self {
        self.with_some(key, flag.map(|flag| flag.to_string()))
    }

    /// Takes a key out.
    pub(crate) fn remove(&mut self, key: &str) {
        self.0.retain(|(name, _)| name != key);
    }

    /// The object as compact JSON.
    pub(crate) fn print(&self) -> String {
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
