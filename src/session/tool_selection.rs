use crate::format::Kind;
use crate::format::json::{Shape, Value};

/// The custom entry in which pi-web keeps the choice.
const CUSTOM_TYPE: &str = "pi-web:tool-selection";
const READ_ONLY: [&str; 4] = ["find", "grep", "ls", "read"];
const DEFAULT: [&str; 4] = ["bash", "edit", "read", "write"];
const FULL: [&str; 7] = ["bash", "edit", "find", "grep", "ls", "read", "write"];

/// The built-in tools a person chose for a session in pi-web. The last valid choice in the file counts; a session
/// without one has pi's defaults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolSelection {
    /// The tools, as written; none at all is a session that only chats.
    pub tools: Vec<String>,
}

impl ToolSelection {
    /// Reads an entry: version 1 with a list of names, or `None`.
    pub(super) fn of(entry: Value<'_>, kind: &Kind) -> Option<Self> {
        if !matches!(kind, Kind::Custom { custom_type } if &**custom_type == CUSTOM_TYPE) {
            return None;
        }
        let data = entry.get("data")?;
        let tools = data.get("tools").filter(|tools| tools.shape() == Shape::Array)?;
        if data.get_f64("version") != Some(1.0) {
            return None;
        }
        let tools = tools.items().map(|tool| Some(tool.as_str()?.into_owned())).collect::<Option<_>>()?;
        Some(Self { tools })
    }

    /// The preset it is, if it is one: `Chat only`, `Read only`, `Default` or `Full`.
    pub fn preset(&self) -> Option<&'static str> {
        let mut tools: Vec<&str> = self.tools.iter().map(String::as_str).collect();
        tools.sort_unstable();
        tools.dedup();
        let presets: [(&[&str], _); 4] =
            [(&[], "Chat only"), (&READ_ONLY, "Read only"), (&DEFAULT, "Default"), (&FULL, "Full")];
        presets.into_iter().find(|(of_preset, _)| *of_preset == tools).map(|(_, name)| name)
    }

    /// The preset it is, else the tools by name.
    pub fn words(&self) -> String {
        self.preset().map_or_else(|| self.tools.join(", "), str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use crate::session::Session;

    fn words(data: &[&str]) -> Option<String> {
        let mut text = String::from("{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n");
        for data in data {
            let line =
                format!("{{\"type\":\"custom\",\"customType\":\"pi-web:tool-selection\",\"data\":{data}}}\n");
            text.push_str(&line);
        }
        let session = Session::from_bytes("s.jsonl", text.into_bytes()).unwrap();
        session.tool_selection().map(super::ToolSelection::words)
    }

    #[test]
    fn the_last_valid_choice_counts() {
        let chat = r#"{"version":1,"tools":[]}"#;
        assert_eq!(words(&[]), None);
        assert_eq!(words(&[chat]).unwrap(), "Chat only");
        assert_eq!(
            words(&[chat, r#"{"version":1,"tools":["read","ls","grep","find"]}"#]).unwrap(),
            "Read only"
        );
        assert_eq!(words(&[r#"{"version":1,"tools":["read","bash","edit","write"]}"#]).unwrap(), "Default");
        assert_eq!(
            words(&[r#"{"version":1,"tools":["read","bash","edit","write","grep","find","ls"]}"#]).unwrap(),
            "Full"
        );
        assert_eq!(words(&[r#"{"version":1,"tools":["bash","web"]}"#]).unwrap(), "bash, web");
        for invalid in [
            r#"{"version":2,"tools":["read"]}"#,
            r#"{"version":1,"tools":[1]}"#,
            r#"{"tools":["read"]}"#,
            "null",
        ] {
            assert_eq!(words(&[chat, invalid]).unwrap(), "Chat only", "{invalid}");
        }
    }
}
