use crate::format::js;

/// Blocks that agents and their tools put in front of what a person typed.
const INSERTED: [&str; 15] = [
    "system-reminder",
    "environment_context",
    "environment_details",
    "environment",
    "user_instructions",
    "INSTRUCTIONS",
    "command-name",
    "command-message",
    "command-args",
    "command-contents",
    "local-command-stdout",
    "local-command-stderr",
    "local-command-caveat",
    "skill",
    "file",
];

/// Returns the part of a prompt that tells what the session is about, or `None` when a tool wrote all of it:
/// blocks that tools insert in front are left out, and white space or a bare slash command is no prompt.
pub(super) fn telling_part(prompt: &str) -> Option<&str> {
    let mut rest = js::trim(prompt);
    while let Some(after) = after_inserted_block(rest) {
        rest = js::trim(after);
    }
    (!rest.is_empty() && !is_bare_command(rest)).then_some(rest)
}

/// What follows an inserted block at the start. A block that never ends takes everything with it.
fn after_inserted_block(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('<')?;
    let name = INSERTED.into_iter().find(|name| {
        inside
            .strip_prefix(name)
            .is_some_and(|after| after.starts_with(['>', '/']) || after.starts_with(js::is_space))
    })?;
    let close = format!("</{name}>");
    Some(text.find(&close).map_or("", |at| &text[at + close.len()..]))
}

/// `/model`, `/compact`, `/skill:x` and the like with nothing behind; a path such as `/usr/bin` is none.
fn is_bare_command(text: &str) -> bool {
    text.strip_prefix('/').is_some_and(|name| {
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boilerplate_does_not_become_a_title() {
        for (prompt, part) in [
            ("Fix the parser", Some("Fix the parser")),
            ("  \n\t", None),
            ("", None),
            ("<system-reminder>\nBe good\n</system-reminder>\n\nReal question", Some("Real question")),
            ("<system-reminder>a</system-reminder><environment>b</environment> c", Some("c")),
            ("<environment_context>\n  <cwd>/x</cwd>\n</environment_context>", None),
            ("<system-reminder>never closed, so who knows", None),
            ("<command-name>/model</command-name>\n<command-args></command-args>", None),
            ("<file name=\"/a.md\">\ntext\n</file>\nSum it up", Some("Sum it up")),
            ("<filesystem> is a tag of mine", Some("<filesystem> is a tag of mine")),
            ("/model", None),
            (" /compact\n", None),
            ("/skill:review", None),
            ("/review the auth module", Some("/review the auth module")),
            ("/usr/bin/env is missing", Some("/usr/bin/env is missing")),
            ("/usr/bin", Some("/usr/bin")),
            ("/", Some("/")),
        ] {
            assert_eq!(telling_part(prompt), part, "{prompt:?}");
        }
    }
}
