use std::ffi::{OsStr, OsString};
use std::path::Path;

use super::quote::{quote, words};
use crate::store::Environment;

/// The command that stands for pi: words, of which these are filled in. `{args}` as a word of its own is all of pi's
/// arguments; inside a word, `{session}`, `{cwd}` and `{command}` are the file, the folder, and the whole command
/// quoted for a shell, which is what `ssh -t HOST {command}` needs. Where nothing of it tells the session, pi's
/// arguments come last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    words: Vec<String>,
}

impl Template {
    /// The one in `PISCOPE_PI`, else plain `pi`.
    pub fn of(environment: &Environment) -> Self {
        let words = environment.variable("PISCOPE_PI").map(|line| words(&line.to_string_lossy()));
        match words {
            Some(words) if !words.is_empty() => Self { words },
            _ => Self { words: vec!["pi".into()] },
        }
    }

    /// Fills it in.
    pub(super) fn fill(
        &self,
        cwd: &Path,
        session: &Path,
        args: &[OsString],
        env: &[(&'static str, OsString)],
    ) -> Vec<OsString> {
        let quoted: Vec<String> = args.iter().map(|word| quote(word)).collect();
        let variables = env.iter().map(|(name, value)| format!("{name}={}", quote(value)));
        let whole: Vec<String> = variables.chain(["pi".to_owned()]).chain(quoted.clone()).collect();
        let command = format!("cd {} && {}", quote(cwd.as_os_str()), whole.join(" "));
        let quoted = quoted.join(" ");
        let tells_session =
            |word: &String| ["{args}", "{session}", "{command}"].iter().any(|mark| word.contains(mark));
        let mut filled: Vec<OsString> = Vec::new();
        for word in &self.words {
            match word.as_str() {
                "{args}" => filled.extend_from_slice(args),
                "{session}" => filled.push(session.into()),
                "{cwd}" => filled.push(cwd.into()),
                word => {
                    filled.push(replaced(word, cwd.as_os_str(), session.as_os_str(), &quoted, &command));
                }
            }
        }
        if !self.words.iter().any(tells_session) {
            filled.extend_from_slice(args);
        }
        filled
    }
}

/// A word with its marks filled in, each once from left to right, so that nothing filled in is read as a mark.
fn replaced(word: &str, cwd: &OsStr, session: &OsStr, args: &str, command: &str) -> OsString {
    let mut out = OsString::new();
    let mut rest = word;
    while let Some(at) = rest.find('{') {
        out.push(&rest[..at]);
        rest = &rest[at..];
        let marks: [(&str, &OsStr); 4] = [
            ("{cwd}", cwd),
            ("{session}", session),
            ("{args}", args.as_ref()),
            ("{command}", command.as_ref()),
        ];
        let found = marks.into_iter().find(|(mark, _)| rest.starts_with(mark));
        let (value, taken) = found.map_or((OsStr::new("{"), 1), |(mark, value)| (value, mark.len()));
        out.push(value);
        rest = &rest[taken..];
    }
    out.push(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_filled_in() {
        let args = ["--session", "/s/a b.jsonl"].map(OsString::from);
        for (line, expected) in [
            ("", &["pi", "--session", "/s/a b.jsonl"][..]),
            ("npx pi", &["npx", "pi", "--session", "/s/a b.jsonl"]),
            ("wrap {args} --", &["wrap", "--session", "/s/a b.jsonl", "--"]),
            ("box -w {cwd} pi {args}", &["box", "-w", "/w", "pi", "--session", "/s/a b.jsonl"]),
            ("open --file={session}", &["open", "--file=/s/a b.jsonl"]),
            ("ssh -t host {command}", &["ssh", "-t", "host", "cd /w && pi --session '/s/a b.jsonl'"]),
            ("sh -c 'exec pi {args}'", &["sh", "-c", "exec pi --session '/s/a b.jsonl'"]),
            ("pi {x} {", &["pi", "{x}", "{", "--session", "/s/a b.jsonl"]),
        ] {
            let template = Template::of(&Environment::new("/", "/").with("PISCOPE_PI", line));
            let filled = template.fill(Path::new("/w"), Path::new("/s/a b.jsonl"), &args, &[]);
            assert_eq!(filled, expected, "{line}");
        }
    }
}
