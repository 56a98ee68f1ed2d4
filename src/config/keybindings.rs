use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::Path;

use super::{Config, ConfigFinding, KeySetting};
use crate::format::json::{Document, Shape, Value};

/// Reads pi's `keybindings.json` in pi's own folder, as pi 1.6.0 reads it.
///
/// What pi passes over without a word is passed over here too: actions that nobody knows, and a value that is no key.
/// The latter is told where the action is one of ours.
pub(super) fn read(config: &mut Config) {
    let path = config.environment.agent_dir().join("keybindings.json");
    let finding = |message: String| ConfigFinding { path: path.clone(), line: 0, message };
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return,
        Err(error) => return config.findings.push(finding(format!("it cannot be read: {error}"))),
    };
    match settings(&path, bytes) {
        Ok((settings, broken)) => {
            config.pi_keys = settings;
            config.findings.extend(broken);
        }
        Err(message) => config.findings.push(finding(message)),
    }
}

type Read = (Vec<KeySetting>, Vec<ConfigFinding>);

fn settings(path: &Path, bytes: Vec<u8>) -> Result<Read, String> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").map(<[u8]>::to_vec).unwrap_or(bytes);
    let document = Document::parse_lossy(bytes).map_err(|error| format!("it is no JSON: {error}"))?;
    let root = document.root();
    if !matches!(root.shape(), Shape::Object | Shape::Array) {
        return Err("it is no JSON object".into());
    }
    let mut settings = Vec::new();
    let mut findings = Vec::new();
    for (name, value) in root.members() {
        let action = match renamed(&name) {
            // The new name goes before the old one.
            Some(new) if root.get(new).is_some() => continue,
            Some(new) => new,
            None => &name,
        };
        let setting = |keys| KeySetting {
            action: action.to_owned(),
            keys,
            scope: None,
            path: path.to_owned(),
            line: 0,
        };
        match keys(value) {
            Some(keys) => settings.push(setting(keys)),
            None if is_ours(action) => {
                let message = format!("`{action}` must be a key or a list of keys, as pi writes them");
                findings.push(setting(Vec::new()).finding(message));
            }
            None => {}
        }
    }
    Ok((settings, findings))
}

/// The keys of a value that is one or a list of them. One that is none spoils the whole value.
fn keys(value: Value<'_>) -> Option<Vec<String>> {
    let key = |value: Value<'_>| value.as_str().filter(|key| is_pis_key(key)).map(Cow::into_owned);
    match value.shape() {
        Shape::Array => value.items().map(key).collect(),
        _ => key(value).map(|key| vec![key]),
    }
}

/// What pi takes for a key: small letters, its own names in their own spelling, each modifier once, in any order.
fn is_pis_key(text: &str) -> bool {
    const MODIFIERS: [&str; 4] = ["ctrl+", "shift+", "alt+", "super+"];
    const NAMES: [&str; 18] = [
        "escape",
        "esc",
        "enter",
        "return",
        "tab",
        "space",
        "backspace",
        "delete",
        "insert",
        "clear",
        "home",
        "end",
        "pageUp",
        "pageDown",
        "up",
        "down",
        "left",
        "right",
    ];
    let mut rest = text;
    let mut held = [false; 4];
    while let Some(at) = MODIFIERS.iter().position(|modifier| rest.starts_with(modifier)) {
        if std::mem::replace(&mut held[at], true) {
            return false;
        }
        rest = &rest[MODIFIERS[at].len()..];
    }
    let mut chars = rest.chars();
    if let (Some(char), None) = (chars.next(), chars.next()) {
        // Of the characters that ASCII can print, these two have no place in pi's list.
        return char.is_ascii_graphic() && !char.is_ascii_uppercase() && char != '"';
    }
    let function = |digits: &str| {
        matches!(digits, "10" | "11" | "12") || (digits.len() == 1 && !digits.starts_with('0'))
    };
    NAMES.contains(&rest)
        || rest
            .strip_prefix('f')
            .is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()) && function(digits))
}

/// Whether an action is of the kinds that we have, too.
fn is_ours(action: &str) -> bool {
    ["app.session.", "app.tree.", "tui.select."].iter().any(|kind| action.starts_with(kind))
        || action == "app.message.copy"
}

/// The name that pi gives today to what it once called by another.
fn renamed(name: &str) -> Option<&'static str> {
    const RENAMED: [(&str, &str); 17] = [
        ("selectUp", "tui.select.up"),
        ("selectDown", "tui.select.down"),
        ("selectPageUp", "tui.select.pageUp"),
        ("selectPageDown", "tui.select.pageDown"),
        ("selectConfirm", "tui.select.confirm"),
        ("selectCancel", "tui.select.cancel"),
        ("fork", "app.session.fork"),
        ("treeFoldOrUp", "app.tree.foldOrUp"),
        ("treeUnfoldOrDown", "app.tree.unfoldOrDown"),
        ("treeEditLabel", "app.tree.editLabel"),
        ("treeToggleLabelTimestamp", "app.tree.toggleLabelTimestamp"),
        ("toggleSessionNamedFilter", "app.session.toggleNamedFilter"),
        ("toggleSessionPath", "app.session.togglePath"),
        ("toggleSessionSort", "app.session.toggleSort"),
        ("renameSession", "app.session.rename"),
        ("deleteSession", "app.session.delete"),
        ("deleteSessionNoninvasive", "app.session.deleteNoninvasive"),
    ];
    RENAMED.iter().find(|(old, _)| *old == name).map(|(_, new)| *new)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(json: &str) -> String {
        match settings(Path::new("keybindings.json"), json.as_bytes().to_vec()) {
            Ok((settings, findings)) => {
                let settings =
                    settings.iter().map(|setting| format!("{}={}", setting.action, setting.keys.join(",")));
                let findings = findings.iter().map(|finding| format!("! {}", finding.message));
                settings.chain(findings).collect::<Vec<_>>().join("; ")
            }
            Err(message) => format!("!! {message}"),
        }
    }

    #[test]
    fn the_file_is_read_as_pi_reads_it() {
        for (json, expected) in [
            ("{}", ""),
            ("[]", ""),
            (
                r#"{"tui.select.up":"ctrl+k","app.tree.editLabel":["e","shift+e"]}"#,
                "tui.select.up=ctrl+k; app.tree.editLabel=e,shift+e",
            ),
            ("\u{feff}{\"app.tree.filter.all\":[]}", "app.tree.filter.all="),
            (r#"{"$schema":"https://pi.dev","what.ever":1,"app.model.select":7}"#, ""),
            (r#"{"selectUp":"k"}"#, "tui.select.up=k"),
            (r#"{"selectUp":"k","tui.select.up":"j"}"#, "tui.select.up=j"),
            (r#"{"tui.select.up":"a","tui.select.up":"b"}"#, "tui.select.up=b"),
            (
                r#"{"tui.select.up":"Ctrl+K"}"#,
                "! `tui.select.up` must be a key or a list of keys, as pi writes them",
            ),
            (
                r#"{"tui.select.up":["k",1]}"#,
                "! `tui.select.up` must be a key or a list of keys, as pi writes them",
            ),
            ("null", "!! it is no JSON object"),
        ] {
            assert_eq!(told(json), expected, "{json}");
        }
        assert!(told("{").starts_with("!! it is no JSON"));
    }

    #[test]
    fn a_key_is_what_pi_takes_for_one() {
        for key in [
            "a",
            "0",
            "ctrl+a",
            "shift+ctrl+alt+super+a",
            "ctrl++",
            "+",
            "-",
            "ctrl+-",
            "`",
            "\\",
            "'",
            "pageUp",
            "f1",
            "f12",
            "escape",
            "esc",
            "return",
            "clear",
            "shift+1",
            "super+k",
            "?",
        ] {
            assert!(is_pis_key(key), "{key}");
        }
        for key in [
            "",
            "A",
            "Ctrl+a",
            "ctrl+ctrl+a",
            "ctrl+",
            "pageup",
            "f0",
            "f13",
            "f01",
            "f",
            "plus",
            "\"",
            " ",
            "a+b",
            "ctrl+a+",
            "é",
            "meta+a",
        ] {
            assert_eq!(is_pis_key(key), key == "f", "{key}");
        }
    }
}
