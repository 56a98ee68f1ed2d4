use super::gist::one_line;
use super::json::Value;
use super::{coerce, js};

/// How much of a command and of other arguments pi's tree shows, in UTF-16 units.
const COMMAND_UNITS: usize = 50;
const ARGUMENT_UNITS: usize = 40;

/// A tool call as its result's row shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct CallHead {
    /// The id that the result refers to.
    pub id: Box<str>,
    /// The tool.
    pub name: Box<str>,
    /// What stands before the path, or all of it.
    pub before: Box<str>,
    /// A path, to be shown with the home directory shortened.
    pub path: ToolPath,
    /// What stands behind the path.
    pub after: Box<str>,
}

/// The path in a tool call's row.
pub type ToolPath = Option<Box<str>>;

/// Reads a tool call as pi's tree words it.
pub(super) fn call_head(call: Value<'_>) -> CallHead {
    let name: Box<str> = word(call.get("name").or_else(|| call.get("toolName")));
    let arguments = call.get_some("arguments").or_else(|| call.get_some("input"));
    let argument = |key: &str| arguments.and_then(|arguments| arguments.get_some(key));
    let given = |key: &str| argument(key).filter(|value| !value.is_falsy());
    let path = || word(given("path").or_else(|| given("file_path")));
    let place = || given("path").map_or(".".into(), |path| word(Some(path)));
    let (before, path, after) = match &*name {
        "read" => (
            "[read: ".into(),
            Some(path()),
            format!("{}]", line_range(argument("offset"), argument("limit"))),
        ),
        "write" | "edit" => (format!("[{name}: "), Some(path()), "]".into()),
        "bash" => (format!("[bash: {}]", command_text(argument("command"))), None, String::new()),
        "grep" => (format!("[grep: /{}/ in ", word(given("pattern"))), Some(place()), "]".into()),
        "find" => (format!("[find: {} in ", word(given("pattern"))), Some(place()), "]".into()),
        "ls" => ("[ls: ".into(), Some(place()), "]".into()),
        _ => {
            let json =
                arguments.map(|arguments| arguments.stringify_prefix(ARGUMENT_UNITS * 4)).unwrap_or_default();
            let (head, whole) = js::cut(&json, ARGUMENT_UNITS);
            (format!("[{name}: {head}{}]", if whole { "" } else { "..." }), None, String::new())
        }
    };
    CallHead {
        id: word(call.get("id").or_else(|| call.get("toolCallId"))),
        name,
        before: before.into(),
        path,
        after: after.into(),
    }
}

fn word(value: Option<Value<'_>>) -> Box<str> {
    coerce::text(value).into()
}

fn command_text(command: Option<Value<'_>>) -> String {
    let Some(command) = command.filter(|command| !command.is_falsy()) else { return String::new() };
    let raw = match command.str_prefix(4 * COMMAND_UNITS) {
        Some((raw, _)) => raw,
        None => coerce::text(Some(command)).into_owned(),
    };
    let longer = js::units(&raw) > COMMAND_UNITS;
    let line = one_line(&raw);
    let (head, _) = js::cut(&line, COMMAND_UNITS);
    format!("{head}{}", if longer { "..." } else { "" })
}

/// The line range of a read: `:START`, `:START-END`, or nothing where it cannot be told.
fn line_range(offset: Option<Value<'_>>, limit: Option<Value<'_>>) -> String {
    let number = |value: Value<'_>| match value.as_str() {
        Some(text) if js::is_blank(&text) => None,
        Some(text) => Some(js::number_of(&text)).filter(|number| number.is_finite()),
        None => value.as_f64(),
    };
    if offset.is_none() && limit.is_none() {
        return String::new();
    }
    let Some(start) = offset.map_or(Some(1.0), number) else { return String::new() };
    let Some(limit) = limit else { return format!(":{}", js::number(start)) };
    let Some(limit) = number(limit) else { return String::new() };
    let end = start + limit - 1.0;
    if end == 0.0 {
        format!(":{}", js::number(start))
    } else {
        format!(":{}-{}", js::number(start), js::number(end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::json::Document;

    fn row(name: &str, arguments: &str) -> String {
        let call = format!(r#"{{"id":"c","name":"{name}","arguments":{arguments}}}"#);
        let head = call_head(Document::parse(call).unwrap().root());
        format!("{}{}{}", head.before, head.path.unwrap_or_default(), head.after)
    }

    #[test]
    fn calls_are_worded_as_in_pis_tree() {
        for (name, arguments, expected) in [
            ("read", r#"{"path":"a"}"#, "[read: a]"),
            ("read", r#"{"path":"a","offset":5,"limit":10}"#, "[read: a:5-14]"),
            ("read", r#"{"path":"a","limit":5}"#, "[read: a:1-5]"),
            ("read", r#"{"path":"a","offset":"7","limit":null}"#, "[read: a:7]"),
            ("read", r#"{"path":"a","offset":0,"limit":1}"#, "[read: a:0]"),
            ("read", r#"{"path":"a","offset":"x"}"#, "[read: a]"),
            ("read", r#"{"path":"a","offset":""}"#, "[read: a]"),
            ("read", r#"{"path":"a","offset":"0x10"}"#, "[read: a:16]"),
            ("read", r#"{"path":"","file_path":"b"}"#, "[read: b]"),
            ("edit", r#"{"path":["a",null,"b"]}"#, "[edit: a,,b]"),
            ("ls", r#"{"file_path":"b"}"#, "[ls: .]"),
            ("grep", r#"{"pattern":"x","path":7}"#, "[grep: /x/ in 7]"),
            ("find", r#"{"pattern":{"k":1}}"#, "[find: [object Object] in .]"),
            ("bash", r#"{"command":" a\n\tb "}"#, "[bash: a  b]"),
            (
                "mcp",
                r#"{"a":1.0,"b":"2345678901234567890123456789012345"}"#,
                r#"[mcp: {"a":1,"b":"2345678901234567890123456789...]"#,
            ),
            ("mcp", r#""text""#, r#"[mcp: "text"]"#),
        ] {
            assert_eq!(row(name, arguments), expected, "{name} {arguments}");
        }
        let long = format!(r#"{{"command":"{}"}}"#, "x".repeat(51));
        assert_eq!(row("bash", &long), format!("[bash: {}...]", "x".repeat(50)));
    }
}
