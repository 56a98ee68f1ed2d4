use std::ffi::OsString;

use crate::error::Error;
use crate::format::Kind;
use crate::format::json::{Shape, Value};
use crate::session::Session;

/// The type of the entries in which pi-web keeps the choice of tools.
const SELECTION: &str = "pi-web:tool-selection";

/// The tools pi is started with, by pi-web's names for the usual choices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ToolPreset {
    /// pi's own choice.
    #[default]
    Default,
    /// Tools that only look.
    ReadOnly,
    /// All built-in tools.
    Full,
    /// No tools, extensions, skills, prompt templates or themes.
    ChatOnly,
    /// These built-in tools, as the session records them.
    Recorded(Vec<String>),
}

impl ToolPreset {
    /// The choices that every session has.
    pub const USUAL: [Self; 4] = [Self::Default, Self::ReadOnly, Self::Full, Self::ChatOnly];

    /// The choice a session records, if it does: the latest valid one in the file, whatever its branch.
    ///
    /// # Errors
    /// When the file can no longer be read.
    pub fn recorded(session: &Session) -> Result<Option<Self>, Error> {
        let entries = session.entries().collect::<Vec<_>>();
        for (ix, head) in entries.into_iter().rev() {
            if matches!(&head.kind, Kind::Custom { custom_type } if **custom_type == *SELECTION)
                && let Some(tools) = session.body(ix)?.root().get("data").and_then(selection)
            {
                return Ok(Some(if tools.is_empty() { Self::ChatOnly } else { Self::Recorded(tools) }));
            }
        }
        Ok(None)
    }

    /// The preset of a word: `default`, `read-only`, `full`, `chat`.
    pub fn parse(word: &str) -> Option<Self> {
        Self::USUAL.into_iter().find(|preset| preset.word() == word)
    }

    /// Its word.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::ReadOnly => "read-only",
            Self::Full => "full",
            Self::ChatOnly => "chat",
            Self::Recorded(_) => "recorded",
        }
    }

    /// pi's flags for it.
    pub fn flags(&self) -> Vec<OsString> {
        let only = |tools: &str| vec!["--tools".into(), tools.into()];
        match self {
            Self::Default => Vec::new(),
            Self::ReadOnly => only("read,grep,find,ls"),
            Self::Full => only("read,bash,edit,write,grep,find,ls"),
            Self::ChatOnly => {
                let flags =
                    ["--no-tools", "--no-extensions", "--no-skills", "--no-prompt-templates", "--no-themes"];
                flags.map(OsString::from).to_vec()
            }
            Self::Recorded(tools) => only(&tools.join(",")),
        }
    }
}

/// The tools of a selection of version 1. A name that could be taken for two, or for a flag, makes it invalid.
fn selection(data: Value<'_>) -> Option<Vec<String>> {
    let tools = data.get("tools").filter(|tools| tools.shape() == Shape::Array)?;
    (data.get_f64("version") == Some(1.0)).then_some(())?;
    tools
        .items()
        .map(|tool| tool.as_str().map(std::borrow::Cow::into_owned))
        .map(|tool| tool.filter(|tool| is_tool_name(tool)))
        .collect()
}

fn is_tool_name(name: &str) -> bool {
    !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
        && !name.starts_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded(data: &[&str]) -> Option<ToolPreset> {
        let mut lines = String::from("{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"cwd\":\"/\"}\n");
        for (at, data) in data.iter().enumerate() {
            lines.push_str(&format!(
                "{{\"type\":\"custom\",\"customType\":\"{SELECTION}\",\"data\":{data},\"id\":\"{at}\",\"parentId\":null}}\n"
            ));
        }
        ToolPreset::recorded(&Session::from_bytes("/s", lines.into_bytes()).unwrap()).unwrap()
    }

    #[test]
    fn the_latest_valid_selection_counts() {
        let tools =
            |tools: &[&str]| Some(ToolPreset::Recorded(tools.iter().map(|&tool| tool.into()).collect()));
        let read = r#"{"version":1,"tools":["read","ls"]}"#;
        for (data, expected) in [
            (&[][..], None),
            (&[read], tools(&["read", "ls"])),
            (&[read, r#"{"version":2,"tools":["bash"]}"#], tools(&["read", "ls"])),
            (&[read, r#"{"version":1,"tools":[1]}"#], tools(&["read", "ls"])),
            (&[read, r#"{"version":1,"tools":["a,b"]}"#], tools(&["read", "ls"])),
            (&[read, r#"{"version":1,"tools":["--fork"]}"#], tools(&["read", "ls"])),
            (&[read, r#"{"version":1,"tools":[]}"#], Some(ToolPreset::ChatOnly)),
            (&["null"], None),
        ] {
            assert_eq!(recorded(data), expected, "{data:?}");
        }
    }

    #[test]
    fn usual_presets_have_words() {
        for preset in ToolPreset::USUAL {
            assert_eq!(ToolPreset::parse(preset.word()), Some(preset));
        }
        assert_eq!(ToolPreset::parse("recorded"), None);
    }
}
