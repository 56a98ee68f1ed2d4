use proptest::prelude::*;

use super::{Document, Flaw, Invalid};

fn parse(text: &str) -> Result<Document, Invalid> {
    Document::parse(text.to_owned())
}

#[test]
fn javascript_accepts_what_strict_readers_refuse() {
    let lone = parse(r#"{"a":"cut \ud83d here"}"#).unwrap();
    assert_eq!(lone.root().get_str("a").unwrap(), "cut \u{fffd} here");
    assert_eq!(lone.root().stringify(), r#"{"a":"cut \ud83d here"}"#);
    assert_eq!(lone.root().to_json(), "{\"a\":\"cut \u{fffd} here\"}");

    let huge = parse("[1e999,-1e999,1.0,-0,1e21,123456789012345680000]").unwrap();
    assert_eq!(huge.root().items().next().unwrap().as_f64(), Some(f64::INFINITY));
    assert_eq!(huge.root().stringify(), "[null,null,1,0,1e+21,123456789012345680000]");

    let twice = parse(r#"{"b":1,"a":2,"\u0062":3,"1":4,"0":5}"#).unwrap();
    assert_eq!(twice.root().get_f64("b"), Some(3.0));
    assert_eq!(twice.root().stringify(), r#"{"0":5,"1":4,"b":3,"a":2}"#);

    let depth = 200_000;
    let deep = parse(&format!("{}{}", "[".repeat(depth), "]".repeat(depth))).unwrap();
    assert_eq!(deep.root().stringify().len(), 2 * depth);
}

#[test]
fn the_flaw_says_what_happened_to_the_line() {
    let flaw = |text: &str| parse(text).unwrap_err().flaw;
    assert_eq!(flaw(r#"{"a":"b"#), Flaw::Torn);
    assert_eq!(flaw(r#"{"a":tr"#), Flaw::Torn);
    assert_eq!(flaw(r#"{"a":1}{"b":2}"#), Flaw::Fused);
    assert_eq!(flaw("{\"a\":\"b\u{1}\"}"), Flaw::RawControl);
    for bad in [
        "{'a':1}",
        "[1,]",
        "{\"a\":1,}",
        "01",
        "1.",
        "+1",
        "nul",
        "[1 2]",
        "{\"a\" 1}",
        "\u{feff}{}",
        "{}x",
        ",",
    ] {
        assert!(parse(bad).is_err(), "{bad}");
    }
}

#[test]
fn a_prefix_is_cut_in_utf16_units() {
    let text = parse(r#"["aa😀bb","\ud83d\ude00x"]"#).unwrap();
    let items: Vec<_> = text.root().items().collect();
    assert_eq!(items[0].str_prefix(3).unwrap(), ("aa\u{fffd}".into(), false));
    assert_eq!(items[0].str_prefix(4).unwrap(), ("aa😀".into(), false));
    assert_eq!(items[0].str_prefix(6).unwrap(), ("aa😀bb".into(), true));
    assert_eq!(items[1].str_prefix(1).unwrap(), ("\u{fffd}".into(), false));
}

fn any_json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i32>().prop_map(Into::into),
        (-1e15f64..1e15).prop_map(Into::into),
        ".*".prop_map(serde_json::Value::String),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(serde_json::Value::Array),
            prop::collection::hash_map("[a-z\"\\\\é]{0,4}", inner, 0..6)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn agrees_with_serde_on_long_strings(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "a", "plain text", "\\n", "\\\"", "\\\\", "\\u00e9", "\u{e9}", "\\x", "\\u00g0", "\t", "\"",
            ]),
            0..200,
        ),
        bad in any::<bool>(),
    ) {
        let good = |piece: &&&str| bad || !matches!(**piece, "\\x" | "\\u00g0" | "\t" | "\"");
        let text = format!("\"{}\"", pieces.iter().filter(good).copied().collect::<String>());
        let theirs = serde_json::from_str::<String>(&text);
        let ours = parse(&text);
        prop_assert_eq!(ours.is_ok(), theirs.is_ok(), "{}", text);
        if let (Ok(ours), Ok(theirs)) = (ours, theirs) {
            prop_assert_eq!(ours.root().as_str().unwrap(), theirs);
        }
    }

    #[test]
    fn whatever_serde_prints_is_read_back_equal(value in any_json()) {
        let read = parse(&value.to_string()).unwrap();
        let again: serde_json::Value = serde_json::from_str(&read.root().to_json()).unwrap();
        let close = |a: &serde_json::Value, b: &serde_json::Value| normalise(a) == normalise(b);
        prop_assert!(close(&value, &again), "{value} {again}");
    }

    #[test]
    fn agrees_with_serde_on_what_is_json(value in any_json(), at in any::<prop::sample::Index>(), byte in any::<char>()) {
        let mut text = value.to_string();
        let mut at = at.index(text.len() + 1);
        while !text.is_char_boundary(at) { at -= 1; }
        text.insert(at, byte);
        let theirs = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
        prop_assert_eq!(parse(&text).is_ok(), theirs, "{}", text);
    }
}

fn normalise(value: &serde_json::Value) -> serde_json::Value {
    match value {
        serde_json::Value::Number(number) => number.as_f64().map_or(serde_json::Value::Null, Into::into),
        serde_json::Value::Array(items) => items.iter().map(normalise).collect(),
        serde_json::Value::Object(map) => map
            .iter()
            .map(|(key, value)| (key.clone(), normalise(value)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        other => other.clone(),
    }
}
