use std::fs;
use std::io;
use std::path::Path;

use toml::de::{DeTable, DeValue};

use super::{Config, ConfigFinding, KeySetting, view};

/// A setting that stands for a variable of the environment and counts where that is not set: its name, the variable,
/// and how its value is written there; `None` where it is of a type that makes no sense.
type Variable = (&'static str, &'static str, fn(&DeValue<'_>) -> Result<String, &'static str>);

const VARIABLES: [Variable; 9] = [
    ("theme", "PISCOPE_THEME", text),
    ("mouse", "PISCOPE_MOUSE", yes_or_no),
    ("ascii", "PISCOPE_ASCII", yes_no_or_auto),
    ("linear", "PISCOPE_LINEAR", yes_or_no),
    ("remember", "PISCOPE_REMEMBER", yes_or_no),
    ("clipboard", "PISCOPE_CLIPBOARD", text),
    ("pi", "PISCOPE_PI", text),
    ("confirm-resume", "PISCOPE_CONFIRM_RESUME", yes_or_no),
    ("context-window", "PISCOPE_CONTEXT_WINDOW", number),
];

/// Reads `config.toml` in the configuration folder, and tells what was not understood.
pub(super) fn read(config: &mut Config) {
    let path = config.environment.config_dir().join("config.toml");
    let finding = |line, message: String| ConfigFinding { path: path.clone(), line, message };
    let source = match fs::read_to_string(&path) {
        Ok(source) => source,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return,
        Err(error) => return config.findings.push(finding(0, format!("it cannot be read: {error}"))),
    };
    let file = File { path: &path, source: &source };
    match DeTable::parse(&source) {
        Ok(table) => file.settings(table.get_ref(), config),
        Err(error) => {
            let line = error.span().map_or(0, |span| file.line(span.start));
            config.findings.push(finding(line, error.message().to_owned()));
        }
    }
    config.findings.sort_by_key(|finding| finding.line);
    config.keys.sort_by_key(|setting| setting.line);
}

/// The file that is read.
struct File<'f> {
    path: &'f Path,
    source: &'f str,
}

impl File<'_> {
    fn line(&self, at: usize) -> usize {
        self.source[..at.min(self.source.len())].matches('\n').count() + 1
    }

    fn settings(&self, table: &DeTable<'_>, config: &mut Config) {
        for (key, value) in table {
            let line = self.line(key.span().start);
            let name = key.get_ref().as_ref();
            let told = match (name, value.get_ref()) {
                ("keys", DeValue::Table(keys)) => {
                    self.keys(None, keys, config);
                    Ok(())
                }
                ("keys", _) => Err("`keys` must be a table, `[keys]`".into()),
                (name, value) => match view::SETTINGS.iter().find(|(setting, _)| *setting == name) {
                    Some((_, take)) => {
                        take(&mut config.view, value).map_err(|wanted| format!("`{name}` must be {wanted}"))
                    }
                    None => variable(name, value, config),
                },
            };
            if let Err(message) = told {
                config.findings.push(ConfigFinding { path: self.path.to_owned(), line, message });
            }
        }
    }

    /// Reads a table of actions and their keys. One for all scopes may hold others for one scope each.
    fn keys(&self, scope: Option<&str>, table: &DeTable<'_>, config: &mut Config) {
        for (action, keys) in table {
            let setting = KeySetting {
                action: action.get_ref().as_ref().to_owned(),
                keys: Vec::new(),
                scope: scope.map(str::to_owned),
                path: self.path.to_owned(),
                line: self.line(action.span().start),
            };
            match keys.get_ref() {
                DeValue::Table(table) if scope.is_none() => self.keys(Some(&setting.action), table, config),
                keys => {
                    if let Some(keys) = one_or_more(keys) {
                        config.keys.push(KeySetting { keys, ..setting });
                    } else {
                        let message = format!("`{}` must be a key or a list of keys", setting.action);
                        config.findings.push(setting.finding(message));
                    }
                }
            }
        }
    }
}

/// Puts a setting into the environment where the variable it stands for is not set.
fn variable(name: &str, value: &DeValue<'_>, config: &mut Config) -> Result<(), String> {
    let found = VARIABLES.iter().find(|(setting, ..)| *setting == name);
    let Some((_, variable, write)) = found else { return Err(format!("there is no setting `{name}`")) };
    let value = write(value).map_err(|type_of| format!("`{name}` must be {type_of}"))?;
    if config.environment.variable(variable).is_none() {
        config.environment = config.environment.clone().with(variable, value);
    }
    Ok(())
}

fn text(value: &DeValue<'_>) -> Result<String, &'static str> {
    value.as_str().map(str::to_owned).ok_or("a text in quotes")
}

fn yes_or_no(value: &DeValue<'_>) -> Result<String, &'static str> {
    let choice = value.as_bool().ok_or("true or false")?;
    Ok(if choice { "yes" } else { "no" }.to_owned())
}

fn yes_no_or_auto(value: &DeValue<'_>) -> Result<String, &'static str> {
    match value.as_str() {
        Some("auto") => Ok("auto".into()),
        _ => yes_or_no(value).map_err(|_| "true, false or \"auto\""),
    }
}

fn number(value: &DeValue<'_>) -> Result<String, &'static str> {
    let number =
        value.as_integer().and_then(|number| u32::from_str_radix(number.as_str(), number.radix()).ok());
    number.map(|number| number.to_string()).ok_or("a whole number")
}

/// The texts of a text or of a list of texts.
fn one_or_more(value: &DeValue<'_>) -> Option<Vec<String>> {
    if let Some(one) = value.as_str() {
        return Some(vec![one.to_owned()]);
    }
    value.as_array()?.iter().map(|one| one.get_ref().as_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Column, FirstPane, TEMPLATE, View};
    use super::*;
    use crate::present::Times;
    use crate::store::Environment;

    fn configured(source: &str) -> (Config, Vec<String>) {
        let home = tempfile::tempdir().unwrap();
        let environment = Environment::new(home.path(), "/w").with("PISCOPE_PI", "mine");
        fs::create_dir_all(environment.config_dir()).unwrap();
        fs::write(environment.config_dir().join("config.toml"), source).unwrap();
        let config = Config::read(environment);
        let told = config.findings.iter().map(|finding| format!("{} {}", finding.line, finding.message));
        let told = told.collect();
        (config, told)
    }

    fn value(config: &Config, name: &str) -> Option<String> {
        config.environment.variable(name).map(|value| value.to_string_lossy().into_owned())
    }

    #[test]
    fn a_setting_counts_where_its_variable_is_not_set() {
        let (config, findings) = configured(
            "clipboard = \"tmux\"\npi = \"other\"\nconfirm-resume = false\ncontext-window = 200_000\n",
        );
        assert_eq!(findings, [""; 0]);
        for (name, expected) in [
            ("PISCOPE_CLIPBOARD", "tmux"),
            ("PISCOPE_PI", "mine"),
            ("PISCOPE_CONFIRM_RESUME", "no"),
            ("PISCOPE_CONTEXT_WINDOW", "200000"),
        ] {
            assert_eq!(value(&config, name).as_deref(), Some(expected), "{name}");
        }
    }

    #[test]
    fn what_is_not_understood_is_told_with_its_line_and_costs_nothing_else() {
        let (config, findings) = configured("\ncolour = 1\nclipboard = 5\nconfirm-resume = true\n");
        assert_eq!(findings, ["2 there is no setting `colour`", "3 `clipboard` must be a text in quotes"]);
        assert_eq!(value(&config, "PISCOPE_CONFIRM_RESUME").as_deref(), Some("yes"));
        let (_, findings) = configured("clipboard = \"auto\"\npi = [\n");
        assert!(findings.len() == 1 && !findings[0].starts_with('0'), "{findings:?}");
        assert!(Config::read(Environment::new("/nowhere", "/w")).findings.is_empty());
    }

    #[test]
    fn keys_are_given_to_actions_everywhere_or_in_one_scope() {
        let source = "[keys]\nup = \"w\"\ndown = [\"s\", \"down\"]\nhelp = []\nfind = 1\n[keys.tree]\nfork = \"x\"\nup = {}\n";
        let (config, findings) = configured(source);
        let keys = config.keys.iter().map(|setting| {
            format!("{} {:?} {} {}", setting.line, setting.scope, setting.action, setting.keys.join(" "))
        });
        assert_eq!(
            keys.collect::<Vec<_>>(),
            ["2 None up w", "3 None down s down", "4 None help ", "7 Some(\"tree\") fork x"]
        );
        assert_eq!(
            findings,
            ["5 `find` must be a key or a list of keys", "8 `up` must be a key or a list of keys"]
        );
        assert_eq!(configured("keys = 1").1, ["1 `keys` must be a table, `[keys]`"]);
    }

    #[test]
    fn the_view_is_set_and_what_makes_no_sense_is_told_with_its_line() {
        let (config, findings) = configured(
            "columns = [\"cost\", \"created\"]\nlist-times = \"iso\"\nmessage-times = \"relative\"\nwidths = [1, 2, 3]\n\
             first-pane = \"tree\"\nzoom = true\n",
        );
        assert_eq!(findings, [""; 0]);
        let expected = View {
            columns: vec![Column::Cost, Column::Created],
            list_times: Times::Iso,
            message_times: Times::Age,
            widths: [1, 2, 3],
            first_pane: FirstPane::Tree,
            zoom: true,
        };
        assert_eq!(config.view, expected);
        let (config, findings) = configured(
            "columns = [\"weight\"]\nlist-times = 1\nwidths = [1, 2]\nfirst-pane = \"last\"\nzoom = \"yes\"\nmouse = 1\n",
        );
        assert_eq!(
            findings,
            [
                "1 `columns` must be \"messages\", \"tokens\", \"cost\", \"size\", \"created\", \"modified\"",
                "2 `list-times` must be \"relative\", \"clock\", \"iso\"",
                "3 `widths` must be three numbers from 1 to 1000",
                "4 `first-pane` must be \"sessions\", \"tree\", \"messages\"",
                "5 `zoom` must be true or false",
                "6 `mouse` must be true or false",
            ]
        );
        assert_eq!(config.view, View::default());
    }

    #[test]
    fn the_template_has_every_setting_with_its_default() {
        let shown =
            TEMPLATE.lines().filter_map(|line| line.strip_prefix('#')).filter(|line| !line.starts_with(' '));
        let shown: Vec<&str> = shown.collect();
        let top = shown.iter().take_while(|line| !line.starts_with('['));
        let mut names: Vec<&str> = top.filter_map(|line| Some(line.split_once(" = ")?.0)).collect();
        let mut all: Vec<&str> = VARIABLES.iter().map(|(name, ..)| *name).collect();
        all.extend(view::SETTINGS.iter().map(|(name, _)| *name));
        names.sort_unstable();
        all.sort_unstable();
        assert_eq!(names, all);
        let (config, findings) = configured(&shown.join("\n"));
        assert_eq!((config.view, findings), (View::default(), Vec::new()));
        assert!(VARIABLES.iter().all(|(_, variable, _)| TEMPLATE.contains(variable)));
    }
}
