//! What the README shows is what the program is: its picture, its keys, its commands.
//!
//! `PISCOPE_UPDATE=1 cargo test --test ui` writes them anew.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use clap::CommandFactory;
use piscope::app::{BINDINGS, HelpRow, Keymap, Scope, help_rows};
use piscope::cli::Args;
use piscope::config::Config;
use piscope::store::Environment;

use crate::harness::Harness;
use crate::svg::svg;

/// The keys that lead from the first screen to the picture: to the session of which two others were forked.
const TO_THE_PICTURE: &str = "jjjj<tab>kkkkkkkk";

#[test]
fn the_picture_is_the_demo() {
    let mut ui = Harness::demo();
    ui.resize(140, 40).press(TO_THE_PICTURE);
    compare("assets/screen.svg", &svg(&ui.buffer()));
}

#[test]
fn the_tables_are_those_of_the_program() {
    compare_part("keys", &keys());
    compare_part("commands", &commands());
    compare_part("settings", &settings());
}

fn keys() -> String {
    let mut table = String::new();
    for row in help_rows(&Keymap::default()) {
        match row {
            HelpRow::Blank => table.push('\n'),
            HelpRow::Heading(heading) => write!(table, "| {heading} | |\n|---|---|\n").unwrap(),
            HelpRow::Keys { keys, words } => {
                let keys: Vec<_> = keys.split(' ').map(|key| format!("`{key}`")).collect();
                writeln!(table, "| {} | {words} |", keys.join(" ")).unwrap();
            }
        }
    }
    table
}

#[test]
fn the_file_of_settings_has_every_key_as_it_is() {
    let file = fs::read_to_string(path("assets/config.toml")).unwrap();
    let (before, _) = file.split_once("#[keys.everywhere]").unwrap();
    compare("assets/config.toml", &format!("{before}{}", settings_of_keys().trim_end()));
    let file = fs::read_to_string(path("assets/config.toml")).unwrap();
    let shown = file.lines().filter_map(|line| line.strip_prefix('#')).filter(|line| !line.starts_with(' '));
    let keymap = keymap(&shown.collect::<Vec<_>>().join("\n"));
    let (found, wanted) = (help_rows(&keymap), help_rows(&Keymap::default()));
    let differs = found.iter().zip(&wanted).find(|(found, wanted)| found != wanted);
    assert!(found.len() == wanted.len() && differs.is_none(), "{differs:?}");
}

#[test]
fn the_example_of_keys_works() {
    let readme = fs::read_to_string(path("README.md")).unwrap();
    let example = readme.split_once("```toml\n").unwrap().1.split_once("```").unwrap().0;
    let rows = help_rows(&keymap(example));
    for keys in ["ctrl+f", "space x"] {
        assert!(
            rows.iter().any(|row| matches!(row, HelpRow::Keys { keys: found, .. } if found == keys)),
            "{keys}"
        );
    }
}

/// The keys of a file of settings in which all can be understood and done.
fn keymap(file: &str) -> Keymap {
    let home = tempfile::tempdir().unwrap();
    let environment = Environment::new(home.path(), "/w");
    fs::create_dir_all(environment.config_dir()).unwrap();
    fs::write(environment.config_dir().join("config.toml"), file).unwrap();
    let config = Config::read(environment);
    let (keymap, findings) = Keymap::new(&config.pi_keys, &config.keys);
    assert!(findings.is_empty() && config.findings.is_empty(), "{findings:?} {:?}", config.findings);
    keymap
}

/// Every setting but the keys, with its default and the first words of what the file says about it.
fn settings() -> String {
    let file = fs::read_to_string(path("assets/config.toml")).unwrap();
    let (top, _) = file.split_once("#[keys]").unwrap();
    let mut table = "| setting | |\n|---|---|\n".to_owned();
    for part in top.split("\n\n") {
        let (words, settings): (Vec<&str>, Vec<&str>) = part.lines().partition(|line| line.starts_with("# "));
        let words: Vec<&str> = words.iter().map(|line| line.trim_start_matches("# ")).collect();
        let words = words.join(" ");
        let words = words.split([':', ';', '.']).next().unwrap();
        let words = words.chars().take(1).flat_map(char::to_lowercase).chain(words.chars().skip(1));
        let words: String = words.collect();
        for setting in settings {
            writeln!(table, "| `{}` | {words} |", setting.trim_start_matches('#')).unwrap();
        }
    }
    table
}

fn settings_of_keys() -> String {
    let mut table = String::new();
    for scope in Scope::ALL {
        writeln!(table, "#[keys.{}]", scope.name()).unwrap();
        // Nobody can change the key that always leaves.
        for binding in BINDINGS.iter().filter(|binding| binding.scope == scope && binding.keys != ["ctrl+c"])
        {
            let keys: Vec<_> = binding.keys.iter().map(|key| format!("{key:?}")).collect();
            let setting = format!("{} = [{}]", binding.action.name(), keys.join(", "));
            writeln!(table, "#{setting:<50} # {}", binding.help).unwrap();
        }
        table.push('\n');
    }
    table
}

fn commands() -> String {
    let mut table = "| command | does |\n|---|---|\n".to_owned();
    for command in Args::command().get_subcommands() {
        let about = command.get_about().unwrap().to_string();
        writeln!(table, "| `piscope {}` | {about} |", command.get_name()).unwrap();
    }
    table
}

/// Compares the part of the README between `<!-- NAME -->` and `<!-- end of NAME -->`.
fn compare_part(name: &str, wanted: &str) {
    let readme = fs::read_to_string(path("README.md")).unwrap();
    let (start, end) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->"));
    let (before, rest) = readme.split_once(&start).unwrap();
    let (_, after) = rest.split_once(&end).unwrap();
    compare("README.md", &format!("{before}{start}{wanted}{end}{after}"));
}

fn compare(name: &str, wanted: &str) {
    if std::env::var_os("PISCOPE_UPDATE").is_some() {
        fs::write(path(name), wanted).unwrap();
    }
    let found = fs::read_to_string(path(name)).unwrap_or_default();
    let line = found.lines().zip(wanted.lines()).position(|(found, wanted)| found != wanted);
    assert!(
        found == wanted,
        "{name} differs from line {} on; `PISCOPE_UPDATE=1 cargo test --test ui` writes it anew",
        line.unwrap_or_else(|| found.lines().count().min(wanted.lines().count())) + 1
    );
}

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}
