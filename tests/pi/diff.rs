//! Differences between two JSON values, told by the place at which they occur.

use serde_json::Value;

/// Every place at which `ours` lacks or contradicts something that `pi` says. What only we say is fine in objects.
pub(crate) fn differences(pi: &Value, ours: &Value) -> Vec<String> {
    let mut out = Vec::new();
    walk("", pi, ours, &mut out);
    out
}

fn walk(place: &str, pi: &Value, ours: &Value, out: &mut Vec<String>) {
    match (pi, ours) {
        (Value::Object(theirs), Value::Object(mine)) => {
            for (key, value) in theirs {
                walk(&format!("{place}.{key}"), value, mine.get(key).unwrap_or(&Value::Null), out);
            }
        }
        (Value::Array(theirs), Value::Array(mine)) if theirs.len() == mine.len() => {
            for (at, (theirs, mine)) in theirs.iter().zip(mine).enumerate() {
                walk(&format!("{place}[{at}]"), theirs, mine, out);
            }
        }
        _ if pi == ours => {}
        _ => out.push(format!("{place}: pi {} ours {}", short(pi), short(ours))),
    }
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(400) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}
