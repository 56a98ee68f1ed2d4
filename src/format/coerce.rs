//! How JavaScript turns any value into a text or a date, which is what pi shows where other writers used odd types.

use std::borrow::Cow;

use super::js;
use super::json::{Items, Shape, Value};

/// The value as an element of a joined list: nothing for what is absent or null.
pub fn text(value: Option<Value<'_>>) -> Cow<'_, str> {
    let Some(value) = value else { return Cow::Borrowed("") };
    match value.shape() {
        Shape::String => value.as_str().unwrap_or_default(),
        Shape::Array => Cow::Owned(joined(value)),
        _ => scalar(value),
    }
}

/// The value as a date in milliseconds since 1970: texts are parsed, numbers are taken, `null` is 0.
pub fn date(value: Option<Value<'_>>) -> Option<i64> {
    let value = value?;
    match value.shape() {
        Shape::Number => js::date_from_number(value.as_f64()?),
        Shape::Null => Some(0),
        Shape::Bool => Some(i64::from(value.as_bool() == Some(true))),
        Shape::String | Shape::Array | Shape::Object => js::date(&text(Some(value))),
    }
}

/// The value as a template inserts it: `undefined` for what is absent, `null` for null.
pub fn inserted(value: Option<Value<'_>>) -> Cow<'_, str> {
    match value {
        None => Cow::Borrowed("undefined"),
        Some(value) if value.is_null() => Cow::Borrowed("null"),
        value => text(value),
    }
}

fn scalar(value: Value<'_>) -> Cow<'_, str> {
    match value.shape() {
        Shape::Null => Cow::Borrowed(""),
        Shape::Object => Cow::Borrowed("[object Object]"),
        Shape::Number => match value.as_f64() {
            Some(number) if number.is_infinite() => {
                Cow::Borrowed(if number > 0.0 { "Infinity" } else { "-Infinity" })
            }
            number => Cow::Owned(js::number(number.unwrap_or(f64::NAN))),
        },
        _ => value.as_str().unwrap_or_else(|| Cow::Borrowed(value.source())),
    }
}

/// An array with its elements joined by commas, arrays in it likewise; without recursion, whatever the nesting.
fn joined(array: Value<'_>) -> String {
    let mut out = String::new();
    let mut open: Vec<(Items<'_>, bool)> = vec![(array.items(), true)];
    while let Some((items, first)) = open.last_mut() {
        let Some(item) = items.next() else {
            open.pop();
            continue;
        };
        if !std::mem::take(first) {
            out.push(',');
        }
        if item.shape() == Shape::Array {
            open.push((item.items(), true));
        } else {
            out.push_str(&scalar(item));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::json::Document;
    use super::*;

    #[test]
    fn odd_values_read_as_in_javascript() {
        for (json, expected) in [
            ("\"a\\u0041\"", "aA"),
            ("null", ""),
            ("7", "7"),
            ("1e999", "Infinity"),
            ("true", "true"),
            ("{\"a\":1}", "[object Object]"),
            ("[1,[2,null],[],\"x\",{}]", "1,2,,,x,[object Object]"),
        ] {
            assert_eq!(text(Some(Document::parse(json.into()).unwrap().root())), expected, "{json}");
        }
        for (json, expected) in [
            ("5", Some(5)),
            ("1.9", Some(1)),
            ("null", Some(0)),
            ("true", Some(1)),
            ("[2026]", Some(1_767_225_600_000)),
            ("\"junk\"", None),
            ("{}", None),
            ("1e999", None),
        ] {
            assert_eq!(date(Some(Document::parse(json.into()).unwrap().root())), expected, "{json}");
        }
        assert_eq!((text(None), date(None)), ("".into(), None));
    }
}
