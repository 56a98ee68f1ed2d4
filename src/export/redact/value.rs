/// Whatever has the shape is one.
pub(super) fn always(_: &str) -> bool {
    true
}

/// Letters and digits mixed, as chance mixes them; words that merely begin like a token have no digits.
pub(super) fn is_mixed(text: &str) -> bool {
    has_letter(text) && has_digit(text) && is_no_placeholder(text)
}

pub(super) fn has_letter(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_alphabetic())
}

pub(super) fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

/// False for what stands where a secret would: a variable, a blank to fill in, dots, the word itself.
pub(super) fn is_no_placeholder(text: &str) -> bool {
    const BEGINNINGS: [&str; 9] =
        ["$", "<", "{", "%", "[redacted", "[REDACTED", "...", "process.env", "os.environ"];
    const WORDS: [&str; 24] = [
        "password",
        "passwd",
        "pass",
        "pwd",
        "secret",
        "token",
        "key",
        "apikey",
        "null",
        "none",
        "undefined",
        "nil",
        "true",
        "false",
        "string",
        "str",
        "text",
        "value",
        "example",
        "changeme",
        "required",
        "optional",
        "redacted",
        "hidden",
    ];
    let lower = text.to_ascii_lowercase();
    let is_blanked = text.bytes().all(|byte| matches!(byte, b'*' | b'x' | b'X' | b'.' | b'-' | b'_' | b'?'));
    !is_blanked
        && !BEGINNINGS.iter().any(|start| text.starts_with(start))
        && !WORDS.contains(&lower.trim_matches(|c: char| !c.is_ascii_alphanumeric()))
        && !["your", "my-", "my_"].iter().any(|start| lower.starts_with(start))
}
