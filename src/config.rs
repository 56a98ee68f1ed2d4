//! The file of settings: `config.toml` in the configuration folder.
//!
//! Each setting stands for a variable of the environment and counts where that is not set. A broken file is told and
//! costs no more than what is broken in it.

use std::fmt;
use std::fs;
use std::io;
use std::num::NonZeroU32;
use std::path::PathBuf;

use toml::de::{DeTable, DeValue};

use crate::store::Environment;

/// The file with every setting, its default and what it is for.
pub const TEMPLATE: &str = include_str!("../assets/config.toml");

/// Something in the file that was not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigFinding {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1; 0 for the file as a whole.
    pub line: usize,
    /// What is the matter, in words.
    pub message: String,
}

impl fmt::Display for ConfigFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path.display(), self.message),
            line => write!(f, "{} line {line}: {}", self.path.display(), self.message),
        }
    }
}

/// A setting: its key, the variable it stands for, and how its value is written there; `None` where it is of a type
/// that makes no sense.
type Setting = (&'static str, &'static str, fn(&DeValue<'_>) -> Option<String>);

const SETTINGS: [Setting; 4] = [
    ("clipboard", "PISCOPE_CLIPBOARD", text),
    ("pi", "PISCOPE_PI", text),
    ("confirm-resume", "PISCOPE_CONFIRM_RESUME", yes_or_no),
    ("context-window", "PISCOPE_CONTEXT_WINDOW", number),
];

/// Puts the settings of the file into an environment, and tells what was not understood.
pub fn configured(environment: Environment) -> (Environment, Vec<ConfigFinding>) {
    let path = environment.config_dir().join("config.toml");
    let finding = |line, message: String| ConfigFinding { path: path.clone(), line, message };
    let source = match fs::read_to_string(&path) {
        Ok(source) => source,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return (environment, Vec::new()),
        Err(error) => return (environment, vec![finding(0, format!("it cannot be read: {error}"))]),
    };
    let line_of = |at: usize| source[..at.min(source.len())].matches('\n').count() + 1;
    let table = match DeTable::parse(&source) {
        Ok(table) => table,
        Err(error) => {
            let line = error.span().map_or(0, |span| line_of(span.start));
            return (environment, vec![finding(line, error.message().to_owned())]);
        }
    };
    let mut findings = Vec::new();
    let mut configured = environment;
    for (key, value) in table.get_ref() {
        let line = line_of(key.span().start);
        let Some((name, variable, write)) =
            SETTINGS.iter().find(|(name, ..)| *name == key.get_ref().as_ref())
        else {
            findings.push(finding(line, format!("there is no setting `{}`", key.get_ref())));
            continue;
        };
        match write(value.get_ref()) {
            Some(_) if configured.variable(variable).is_some() => {}
            Some(value) => configured = configured.with(variable, value),
            None => findings.push(finding(line, format!("`{name}` cannot be that"))),
        }
    }
    findings.sort_by_key(|finding| finding.line);
    (configured, findings)
}

/// The model's context window in tokens, where the environment or the file tells it.
pub fn context_window(environment: &Environment) -> Option<NonZeroU32> {
    environment.variable("PISCOPE_CONTEXT_WINDOW")?.to_str()?.parse().ok()
}

fn text(value: &DeValue<'_>) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn yes_or_no(value: &DeValue<'_>) -> Option<String> {
    value.as_bool().map(|choice| if choice { "yes" } else { "no" }.to_owned())
}

fn number(value: &DeValue<'_>) -> Option<String> {
    let number = value.as_integer()?;
    u32::from_str_radix(number.as_str(), number.radix()).ok().map(|number| number.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(source: &str) -> (Environment, Vec<String>) {
        let home = tempfile::tempdir().unwrap();
        let environment = Environment::new(home.path(), "/w").with("PISCOPE_PI", "mine");
        fs::create_dir_all(environment.config_dir()).unwrap();
        fs::write(environment.config_dir().join("config.toml"), source).unwrap();
        let (environment, findings) = configured(environment);
        let told = findings.iter().map(|finding| format!("{} {}", finding.line, finding.message));
        (environment, told.collect())
    }

    fn value(environment: &Environment, name: &str) -> Option<String> {
        environment.variable(name).map(|value| value.to_string_lossy().into_owned())
    }

    #[test]
    fn a_setting_counts_where_its_variable_is_not_set() {
        let (environment, findings) =
            read("clipboard = \"tmux\"\npi = \"other\"\nconfirm-resume = false\ncontext-window = 200_000\n");
        assert_eq!(findings, [""; 0]);
        for (name, expected) in [
            ("PISCOPE_CLIPBOARD", "tmux"),
            ("PISCOPE_PI", "mine"),
            ("PISCOPE_CONFIRM_RESUME", "no"),
            ("PISCOPE_CONTEXT_WINDOW", "200000"),
        ] {
            assert_eq!(value(&environment, name).as_deref(), Some(expected), "{name}");
        }
    }

    #[test]
    fn what_is_not_understood_is_told_with_its_line_and_costs_nothing_else() {
        let (environment, findings) = read("\ncolour = 1\nclipboard = 5\nconfirm-resume = true\n");
        assert_eq!(findings, ["2 there is no setting `colour`", "3 `clipboard` cannot be that"]);
        assert_eq!(value(&environment, "PISCOPE_CONFIRM_RESUME").as_deref(), Some("yes"));
        let (_, findings) = read("clipboard = \"auto\"\npi = [\n");
        assert!(findings.len() == 1 && !findings[0].starts_with('0'), "{findings:?}");
        let (_, findings) = configured(Environment::new("/nowhere", "/w"));
        assert!(findings.is_empty());
    }

    #[test]
    fn the_template_has_every_setting_and_is_understood() {
        let lines = TEMPLATE.lines().map(|line| line.strip_prefix('#').filter(|_| !line.starts_with("# ")));
        let all: Vec<&str> = lines.flatten().collect();
        let keys: Vec<&str> = all.iter().filter_map(|line| Some(line.split_once(" = ")?.0)).collect();
        assert_eq!(keys, SETTINGS.map(|(key, ..)| key));
        assert_eq!(read(&all.join("\n")).1, [""; 0]);
        assert!(SETTINGS.iter().all(|(_, variable, _)| TEMPLATE.contains(variable)));
    }
}
