use super::{Context, EntryIx, Part, Session};
use crate::error::Error;
use crate::format::json::{Shape, Value};
use crate::format::{Role, joined_text, js};

/// The instructions and tools in force at a leaf: all system messages of its context replayed in order.
///
/// After a compaction that is its checkpoint and what came behind it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SystemState {
    /// The contents of the messages, joined by blank lines: later ones add, none replaces.
    pub base: String,
    /// The named sections in the order in which they were first set since their last removal.
    pub sections: Vec<PromptSection>,
    /// The tools on offer, in the same order.
    pub tools: Vec<ToolInForce>,
    /// What each message changed, in order; the first one is the beginning.
    pub changes: Vec<SystemChange>,
}

/// A named part of the prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptSection {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The entry that set it to this text.
    pub source: EntryIx,
}

/// A tool the model may call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolInForce {
    /// Its name.
    pub name: String,
    /// What it is for, as the model is told.
    pub description: String,
    /// The whole declaration as JavaScript prints it, which is what its length is counted by.
    pub declaration: String,
    /// The entry that declared it.
    pub source: EntryIx,
}

/// What one system message changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemChange {
    /// The entry with the message; a compaction for its checkpoint.
    pub source: EntryIx,
    /// Whether it added to the base prompt.
    pub adds_text: bool,
    /// Sections it set to another text.
    pub sections_set: Vec<String>,
    /// Sections it took away.
    pub sections_removed: Vec<String>,
    /// Tools it added or declared anew.
    pub tools_added: Vec<String>,
    /// Tools it took away.
    pub tools_removed: Vec<String>,
}

impl SystemState {
    /// The prompt as one text: the base, then the sections, what is empty left out, joined by blank lines.
    pub fn prompt(&self) -> String {
        let sections = self.sections.iter().map(|section| section.text.as_str());
        let parts: Vec<&str> =
            std::iter::once(self.base.as_str()).chain(sections).filter(|part| !part.is_empty()).collect();
        parts.join("\n\n")
    }

    /// What pi counts for it in estimates: one system message that says all of it, in UTF-16 units.
    pub(super) fn units(&self) -> usize {
        let sections: usize = self.sections.iter().map(|section| js::units(&section.text)).sum();
        let tools: Vec<&str> = self.tools.iter().map(|tool| tool.declaration.as_str()).collect();
        let tools = if tools.is_empty() { 0 } else { js::units(&tools.join(",")) + 2 };
        js::units(&self.base) + sections + tools
    }

    fn replay(&mut self, message: Value<'_>, source: EntryIx) {
        let text = joined_text(message.get("content"), "\n");
        let mut change = SystemChange {
            source,
            adds_text: !text.is_empty(),
            sections_set: Vec::new(),
            sections_removed: Vec::new(),
            tools_added: Vec::new(),
            tools_removed: Vec::new(),
        };
        if !text.is_empty() {
            if !self.base.is_empty() {
                self.base.push_str("\n\n");
            }
            self.base.push_str(&text);
        }
        for (name, value) in message.get("sections").map(Value::members).unwrap_or_default() {
            self.patch_section(&name, value, &mut change);
        }
        for name in items(message.get("toolsRemoved")).filter_map(|tool| tool.get_str("name")) {
            self.tools.retain(|tool| tool.name != *name);
            change.tools_removed.push(name.into_owned());
        }
        for tool in items(message.get("toolsAdded")) {
            self.add_tool(tool, &mut change);
        }
        self.changes.push(change);
    }

    fn patch_section(&mut self, name: &str, value: Value<'_>, change: &mut SystemChange) {
        let place = self.sections.iter().position(|section| section.name == name);
        let Some(text) = value.as_str() else {
            if value.shape() == Shape::Null {
                self.sections.retain(|section| section.name != name);
                change.sections_removed.push(name.to_owned());
            }
            return;
        };
        let section = PromptSection { name: name.to_owned(), text: text.into_owned(), source: change.source };
        match place {
            Some(place) => self.sections[place] = section,
            None => self.sections.push(section),
        }
        change.sections_set.push(name.to_owned());
    }

    fn add_tool(&mut self, tool: Value<'_>, change: &mut SystemChange) {
        let text = |key: &str| tool.get_str(key).unwrap_or_default().into_owned();
        let tool = ToolInForce {
            name: text("name"),
            description: text("description"),
            declaration: tool.stringify(),
            source: change.source,
        };
        change.tools_added.push(tool.name.clone());
        match self.tools.iter().position(|known| known.name == tool.name) {
            Some(place) => self.tools[place] = tool,
            None => self.tools.push(tool),
        }
    }
}

fn items(value: Option<Value<'_>>) -> impl Iterator<Item = Value<'_>> {
    value.into_iter().flat_map(Value::items)
}

impl Session {
    /// The instructions and tools in force in a context; `None` where it holds no system message, as in older
    /// sessions: then they are unknown.
    ///
    /// # Errors
    /// When the file can no longer be read.
    pub fn system_state(&self, context: &Context) -> Result<Option<SystemState>, Error> {
        let mut state = SystemState::default();
        for item in &context.items {
            let key = match item.part {
                Part::Checkpoint => "systemMessage",
                Part::Message if matches!(self.entry(item.source).kind.role(), Some(Role::System)) => {
                    "message"
                }
                _ => continue,
            };
            let body = self.body(item.source)?;
            if let Some(message) = body.root().get(key).filter(|message| message.is_object()) {
                state.replay(message, item.source);
            }
        }
        Ok((!state.changes.is_empty()).then_some(state))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::LeafArg;

    /// A session whose entries are a chain of system messages, given by what stands behind the role.
    fn state(messages: &[&str]) -> SystemState {
        let mut lines = String::from("{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n");
        for (at, message) in messages.iter().enumerate() {
            let parent = if at == 0 { "null".into() } else { format!("\"e{}\"", at - 1) };
            lines.push_str(&format!(
                "{{\"type\":\"message\",\"id\":\"e{at}\",\"parentId\":{parent},\"message\":{{\"role\":\"system\",{message}}}}}\n"
            ));
        }
        let session = Session::from_bytes("x.jsonl", lines.into_bytes()).unwrap();
        session.system_state(&session.context(&LeafArg::Current)).unwrap().unwrap()
    }

    fn names(state: &SystemState) -> (Vec<&str>, Vec<&str>) {
        let sections = state.sections.iter().map(|section| section.name.as_str());
        (sections.collect(), state.tools.iter().map(|tool| tool.name.as_str()).collect())
    }

    #[test]
    fn contents_add_and_sections_replace() {
        let state = state(&[
            r#""content":"base","sections":{"a":"one","b":"two"}"#,
            r#""content":[{"type":"text","text":"more"}],"sections":{"a":"three"}"#,
            r#""content":"","sections":{"b":null,"c":""}"#,
        ]);
        assert_eq!(state.base, "base\n\nmore");
        assert_eq!(names(&state).0, ["a", "c"]);
        assert_eq!(state.prompt(), "base\n\nmore\n\nthree");
        assert_eq!(state.sections[0].source, EntryIx::new(1));
        assert_eq!(state.changes[2].sections_removed, ["b"]);
    }

    #[test]
    fn tools_go_by_name_before_others_come() {
        let state = state(&[
            r#""toolsAdded":[{"name":"read"},{"name":"bash","description":"old"}]"#,
            r#""toolsRemoved":[{"name":"read"}],"toolsAdded":[{"name":"edit"},{"name":"bash","description":"new"}]"#,
            // pi knows tools to remove by their declaration, not by a mere name.
            r#""toolsRemoved":["edit"]"#,
        ]);
        assert_eq!(names(&state).1, ["bash", "edit"]);
        assert_eq!(state.tools[0].description, "new");
    }

    #[test]
    fn without_a_system_message_nothing_is_known() {
        let lines = "{\"type\":\"session\",\"id\":\"s\"}\n{\"type\":\"message\",\"message\":{\"role\":\"user\",\"content\":\"x\"}}\n";
        let session = Session::from_bytes("x.jsonl", lines.into()).unwrap();
        assert_eq!(session.system_state(&session.context(&LeafArg::Current)).unwrap(), None);
    }
}
