use super::{KeyRow, Keymap, Pane, Scope};

/// One row of the help page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HelpRow {
    /// Room between two parts.
    Blank,
    /// Where the keys below it work.
    Heading(&'static str),
    /// Keys and what they do.
    Keys {
        /// The keys, the first one first.
        keys: String,
        /// What they do.
        words: &'static str,
    },
}

const PARTS: [(&str, Scope); 13] = [
    ("Everywhere", Scope::Anywhere),
    ("Sessions", Scope::In(Pane::Sessions)),
    ("Tree", Scope::In(Pane::Tree)),
    ("Messages", Scope::In(Pane::Messages)),
    ("What to copy", Scope::CopyMenu),
    ("Before a resume", Scope::Resume),
    ("Before an export", Scope::Export),
    ("Lists of prompts and labels", Scope::Finder),
    ("Search through all sessions", Scope::Search),
    ("What sessions have cost", Scope::Stats),
    ("Branches beside each other", Scope::Compare),
    ("Details of a session", Scope::Details),
    ("Before something is changed", Scope::Question),
];

/// The help page: all keys by where they work.
pub fn help_rows(keymap: &Keymap) -> Vec<HelpRow> {
    let mut rows = Vec::new();
    for (heading, scope) in PARTS {
        if !rows.is_empty() {
            rows.push(HelpRow::Blank);
        }
        rows.push(HelpRow::Heading(heading));
        let keys = |row: &KeyRow| {
            let keys: Vec<String> = row.keys().map(|key| key.to_string()).collect();
            HelpRow::Keys { keys: keys.join(" "), words: row.binding.help }
        };
        rows.extend(keymap.rows(scope).map(keys));
    }
    rows
}
