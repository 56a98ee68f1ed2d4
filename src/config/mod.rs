//! What the person has set: our own `config.toml`, and what pi's files say about keys, colours and the tree.
//!
//! A broken file is told and costs no more than what is broken in it.

mod file;
mod keybindings;
mod theme;
mod view;

use std::fmt;
use std::num::NonZeroU32;
use std::path::PathBuf;

use crate::session::Filter;
use crate::store::{Environment, PiSettings};

pub use theme::{Colour, Look, PiTheme, ThemeChoice, chroma_and_hue};
pub use view::{Column, FirstPane, View};

/// Our file with every setting, its default and what it is for.
pub const TEMPLATE: &str = include_str!("../../assets/config.toml");

/// Something in a file of settings that was not understood, or could not be done.
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

/// The keys that a file gives to an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeySetting {
    /// The action, by our name for it or by pi's.
    pub action: String,
    /// The keys as they are written there. None at all takes the action's keys away.
    pub keys: Vec<String>,
    /// Where they count; everywhere where there is such an action, unless the file says so.
    pub scope: Option<String>,
    /// The file.
    pub path: PathBuf,
    /// The line in it, from 1; 0 where it is not known.
    pub line: usize,
}

impl KeySetting {
    /// Something that is the matter with it.
    pub fn finding(&self, message: impl Into<String>) -> ConfigFinding {
        ConfigFinding { path: self.path.clone(), line: self.line, message: message.into() }
    }
}

/// What the person has set.
#[derive(Clone, Debug)]
pub struct Config {
    /// The environment, with what the file sets where a variable does not.
    pub environment: Environment,
    /// The keys that our file gives to actions, in the order of the file.
    pub keys: Vec<KeySetting>,
    /// The keys that pi's `keybindings.json` gives to pi's actions.
    pub pi_keys: Vec<KeySetting>,
    /// How the screen is set up.
    pub view: View,
    /// The colours.
    pub theme: ThemeChoice,
    /// The filter that the tree begins with.
    pub tree_filter: Filter,
    /// What was not understood.
    pub findings: Vec<ConfigFinding>,
}

impl Config {
    /// Reads our file for somebody in an environment.
    pub fn read(environment: Environment) -> Self {
        let mut config = Self {
            environment,
            keys: Vec::new(),
            pi_keys: Vec::new(),
            view: View::default(),
            theme: ThemeChoice::default(),
            tree_filter: Filter::default(),
            findings: Vec::new(),
        };
        file::read(&mut config);
        config
    }

    /// Reads what pi's own files say, too: its keys and settings and the theme that is chosen. They are for the screen.
    #[must_use]
    pub fn with_pis(mut self) -> Self {
        keybindings::read(&mut self);
        let settings = PiSettings::read(&self.environment);
        self.tree_filter = settings.tree_filter();
        let broken = settings.broken.iter().map(|(path, reason)| (path.clone(), reason.clone()));
        self.findings.extend(broken.map(|(path, message)| ConfigFinding { path, line: 0, message }));
        let set = self.environment.variable("PISCOPE_THEME").and_then(|theme| theme.to_str());
        let themes = self.environment.agent_dir().join("themes");
        let mut folders = vec![themes.clone()];
        if settings.trusts_project() {
            folders.push(self.environment.cwd().join(".pi").join("themes"));
        }
        match ThemeChoice::of(set, settings.theme().as_deref(), &folders) {
            Ok(theme) => self.theme = theme,
            Err(message) => self.findings.push(ConfigFinding { path: themes, line: 0, message }),
        }
        self
    }
}

/// The model's context window in tokens, where the environment or the file tells it.
pub fn context_window(environment: &Environment) -> Option<NonZeroU32> {
    environment.variable("PISCOPE_CONTEXT_WINDOW")?.to_str()?.parse().ok()
}
