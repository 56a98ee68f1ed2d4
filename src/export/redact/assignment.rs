use std::sync::OnceLock;

use regex::{Captures, Match, Regex};

use super::Secret;
use super::value::{has_digit, has_letter, is_no_placeholder};

/// The telling words of [`PATTERN`].
pub(super) const TRIGGER: &str = "(?i-u:passw|passphrase|pwd|secret|token|key)";

/// A name that ends in a telling word, a sign of assignment, and a value: in code, JSON (also inside a string), YAML,
/// the environment and addresses. Groups: the name, the blank before the sign, the quoted value in one of three
/// quotes, the bare value.
pub(super) const PATTERN: &str = concat!(
    r"([A-Za-z0-9_.-]{0,60}(?i:password|passwd|passphrase|passwort|pwd|secret|token",
    r"|(?:api|access|secret|private|auth|account|encryption|signing|master|service)[_-]?key))",
    r#"(?:\\?["'`])?\]?([ \t]*)(?:=>|:=|[:=])[ \t]*(?:"#,
    r#"\\?"([^"\\\n]{4,400})\\?"|'([^'\\\n]{4,400})'|`([^`\\\n]{4,400})`"#,
    r#"|([^\s"'`,;&(){}<>\\|]{4,400}))"#
);

/// What a telling name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    Password,
    Secret,
    Token,
    Key,
}

impl Named {
    pub(super) fn words(self) -> Secret {
        match self {
            Self::Password => "password",
            Self::Secret => "secret",
            Self::Token => "token",
            Self::Key => "key",
        }
    }

    /// Whether a text that has such a name is one. Passwords are anything; the others are no prose and no mere words.
    pub(super) fn is_plausible_text(self, text: &str) -> bool {
        let text = text.trim();
        let is_prose = text.contains(char::is_whitespace);
        if text.len() < 4 || !is_no_placeholder(text) {
            return false;
        }
        match self {
            Self::Password => !is_prose || (has_digit(text) && !speaks_of_itself(text)),
            Self::Secret | Self::Token | Self::Key => {
                let is_random = has_digit(text) && has_letter(text) && text.len() >= 8;
                !is_prose && !speaks_of_itself(text) && (is_random || text.len() >= 24)
            }
        }
    }

    /// Whether a value without quotes is one. Code assigns names and calls, which are none.
    fn is_plausible_bare(self, text: &str, name: &str, is_spaced: bool) -> bool {
        if !is_no_placeholder(text) || speaks_of_itself(text) || text.contains("::") {
            return false;
        }
        let is_identifier =
            text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.[]!?".contains(&byte));
        let is_path_of_names = is_identifier && text.contains(['.', '[']);
        let is_environment = !is_spaced && name.bytes().all(|byte| !byte.is_ascii_lowercase());
        match self {
            _ if is_path_of_names => false,
            Self::Password if is_environment => text.len() >= 4,
            Self::Password => has_digit(text) && text.len() >= 6,
            _ if is_spaced && is_identifier && text.len() < 16 => false,
            Self::Secret | Self::Token | Self::Key => has_digit(text) && has_letter(text) && text.len() >= 8,
        }
    }
}

/// Whether a text names what it would be, as `YOUR_API_KEY` and `access_token` do.
fn speaks_of_itself(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    ["password", "passwd", "secret", "token", "api_key", "apikey", "api-key", "your", "example"]
        .iter()
        .any(|word| lower.contains(word))
}

/// What a name stands for, if it tells.
pub(super) fn kind_of_name(name: &str) -> Option<Named> {
    let lower = name.to_ascii_lowercase();
    let ends_in = |words: &[&str]| words.iter().any(|word| lower.ends_with(word));
    if ends_in(&["password", "passwd", "passphrase", "passwort", "pwd"]) {
        Some(Named::Password)
    } else if ends_in(&["secret"]) {
        Some(Named::Secret)
    } else if ends_in(&["token"]) {
        Some(Named::Token)
    } else {
        static KEYS: OnceLock<Option<Regex>> = OnceLock::new();
        let pattern = "(?:api|access|secret|private|auth|account|encryption|signing|master|service)[_-]?key$";
        let keys = KEYS.get_or_init(|| Regex::new(pattern).ok()).as_ref();
        keys.is_some_and(|keys| keys.is_match(&lower)).then_some(Named::Key)
    }
}

/// The secret in an assignment, if its value is one.
pub(super) fn secret<'t>(found: &Captures<'t>) -> Option<(Match<'t>, Named)> {
    let name = found.get(1)?.as_str();
    let kind = kind_of_name(name)?;
    if let Some(quoted) = found.get(3).or_else(|| found.get(4)).or_else(|| found.get(5)) {
        return kind.is_plausible_text(quoted.as_str()).then_some((quoted, kind));
    }
    let bare = found.get(6)?;
    let is_spaced = found.get(2).is_some_and(|blank| !blank.is_empty());
    kind.is_plausible_bare(bare.as_str(), name, is_spaced).then_some((bare, kind))
}
