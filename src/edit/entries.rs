use crate::format::JsObject;
use crate::format::js;

/// What the last entry of a file is to the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Parent {
    /// Its id, as JSON.
    Id(String),
    /// There is none: the next entry is a root.
    None,
    /// It has no id, as in version 1: pi leaves the key out, so that the next entry hangs below it by its place.
    Unnamed,
}

/// Where and when a new entry stands.
#[derive(Clone, Debug)]
pub(super) struct Place<'p> {
    /// Its own id.
    pub(super) id: &'p str,
    pub(super) parent: &'p Parent,
    /// Its time, as JSON; a copied label has none where its original had none.
    pub(super) timestamp: Option<&'p str>,
}

impl Place<'_> {
    /// The keys that begin every entry, in pi's order.
    pub(super) fn entry(&self, kind: &str) -> JsObject {
        self.entry_of(kind, |entry| entry)
    }

    /// The same with keys of its own behind the type.
    pub(super) fn entry_of(&self, kind: &str, own: impl FnOnce(JsObject) -> JsObject) -> JsObject {
        let entry = own(JsObject::default().with_text("type", kind)).with_text("id", self.id);
        let entry = match self.parent {
            Parent::Id(json) => entry.with("parentId", json),
            Parent::None => entry.with("parentId", "null"),
            Parent::Unnamed => entry,
        };
        match self.timestamp {
            Some(json) => entry.with("timestamp", json),
            None => entry,
        }
    }
}

/// The type of the entries by which pi is made to continue below another entry.
const BRANCH_POINT: &str = "piscope:branch-point";

/// A `custom` entry that does nothing but stand below another one. Its own keys come first, as pi has it there.
pub(super) fn branch_point(place: &Place<'_>) -> String {
    place.entry_of("custom", |entry| entry.with_text("customType", BRANCH_POINT)).print()
}

/// A label on the entry whose id is `target`, as JSON. Without a text the key is left out, which clears.
pub(super) fn label(place: &Place<'_>, target: &str, text: Option<&str>) -> String {
    let entry = place.entry("label").with("targetId", target);
    match text {
        Some(text) => entry.with_text("label", text),
        None => entry,
    }
    .print()
}

/// A name for the session; the empty one clears.
pub(super) fn session_info(place: &Place<'_>, name: &str) -> String {
    place.entry("session_info").with_text("name", name).print()
}

/// A name as pi stores it: every run of line ends becomes one blank, then it is trimmed. Tabs and other
/// controls stay.
pub fn fold_name(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut in_line_end = false;
    for c in text.chars() {
        let ends_line = matches!(c, '\r' | '\n');
        if !ends_line {
            folded.push(c);
        } else if !in_line_end {
            folded.push(' ');
        }
        in_line_end = ends_line;
    }
    js::trim(&folded).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(parent: &Parent) -> Place<'_> {
        Place { id: "0a1b2c3d", parent, timestamp: Some("\"2026-11-30T15:55:27.263Z\"") }
    }

    #[test]
    fn keys_stand_in_the_order_of_pi() {
        let below = Parent::Id("\"a1\"".into());
        assert_eq!(
            label(&place(&below), "\"u1\"", Some("a \"b\"\n")),
            r#"{"type":"label","id":"0a1b2c3d","parentId":"a1","timestamp":"2026-11-30T15:55:27.263Z","targetId":"u1","label":"a \"b\"\n"}"#
        );
        assert_eq!(
            label(&place(&Parent::None), "7", None),
            r#"{"type":"label","id":"0a1b2c3d","parentId":null,"timestamp":"2026-11-30T15:55:27.263Z","targetId":7}"#
        );
        assert_eq!(
            session_info(&place(&Parent::Unnamed), ""),
            r#"{"type":"session_info","id":"0a1b2c3d","timestamp":"2026-11-30T15:55:27.263Z","name":""}"#
        );
    }

    #[test]
    fn a_name_is_one_line() {
        for (typed, name) in [
            ("A\nB\r\n\r\nC", "A B C"),
            ("  x\t y \n", "x\t y"),
            ("\r\n", ""),
            ("\u{feff}a", "a"),
            ("a \n b", "a   b"),
        ] {
            assert_eq!(fold_name(typed), name, "{typed:?}");
        }
    }
}
