use std::ffi::OsString;

use super::Unsent;

/// The most bytes of one argument that Linux takes, its end included.
const LONGEST_ARGUMENT: usize = 128 * 1024;

/// How a prompt is handed to pi.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct PromptArguments {
    pub(super) args: Vec<OsString>,
    pub(super) unsent: Option<Unsent>,
}

/// Makes a prompt into arguments that pi takes as text, whatever it begins with: behind `--` nothing is an option,
/// but an `@` means a file even there, so it gets a blank in front.
pub(super) fn arguments(prompt: &str) -> PromptArguments {
    let unsent = |reason| PromptArguments {
        args: Vec::new(),
        unsent: Some(Unsent { prompt: prompt.to_owned(), reason }),
    };
    if prompt.trim().is_empty() {
        return PromptArguments::default();
    }
    if prompt.contains('\0') {
        return unsent("it holds a NUL, which no argument can");
    }
    if prompt.len() + 2 > LONGEST_ARGUMENT {
        return unsent("it is too long for an argument");
    }
    let args = match prompt.chars().next() {
        Some('-') => vec!["--".into(), prompt.into()],
        Some('@') => vec![format!(" {prompt}").into()],
        _ => vec![prompt.into()],
    };
    PromptArguments { args, unsent: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_reaches_pi_as_text() {
        for (prompt, expected) in [
            ("Fix it", &["Fix it"][..]),
            ("-v", &["--", "-v"]),
            ("--help me", &["--", "--help me"]),
            ("@notes.md is old", &[" @notes.md is old"]),
            ("two\nlines", &["two\nlines"]),
            (" \n", &[]),
        ] {
            assert_eq!(arguments(prompt).args, expected, "{prompt}");
        }
    }

    #[test]
    fn what_no_argument_can_carry_is_told() {
        for prompt in ["a\0b".to_owned(), "x".repeat(1 << 20)] {
            let arguments = arguments(&prompt);
            assert!(arguments.args.is_empty());
            assert_eq!(arguments.unsent.unwrap().prompt, prompt);
        }
    }
}
