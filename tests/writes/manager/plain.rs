use std::collections::HashMap;
use std::path::Path;

use regex::Regex;
use serde_json::Value;

/// Makes what two programs say of their sessions comparable: ids by the order in which they came, times gone.
pub(super) struct Plain {
    names: HashMap<String, String>,
    dir: String,
    patterns: Vec<(Regex, &'static str)>,
}

impl Plain {
    pub(super) fn new(dir: &Path) -> Self {
        let patterns = [
            (r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z_", "TIME_"),
            (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", "TIME"),
            (r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "UUID"),
            (r"\b1[789]\d{11}\b", "0"),
        ];
        let patterns = patterns.map(|(pattern, with)| (Regex::new(pattern).unwrap(), with)).into();
        Self { names: HashMap::new(), dir: dir.to_string_lossy().into_owned(), patterns }
    }

    /// Gives names to the ids of entries that are new.
    pub(super) fn learn(&mut self, answers: &Value) {
        for entry in answers["entries"].as_array().into_iter().flatten() {
            let count = self.names.len();
            if let Some(id) = entry["id"].as_str() {
                self.names.entry(id.to_owned()).or_insert_with(|| format!("#{count}"));
            }
        }
    }

    pub(super) fn text(&self, text: &str) -> String {
        let mut text = text.replace(&self.dir, "DIR");
        for (id, name) in &self.names {
            text = text.replace(&format!("\"{id}\""), &format!("\"{name}\""));
        }
        for (pattern, with) in &self.patterns {
            text = pattern.replace_all(&text, *with).into_owned();
        }
        text
    }
}
