use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use jiff::tz::TimeZone;

use super::hash::hash;
use super::{PiSettings, files, paths};
use crate::format::Header;

/// What the process was started with: home, working directory, variables and time zone, read once. This is the only door
/// to the environment, so that everything behind it can be tested with values of the test's own.
#[derive(Clone, Debug)]
pub struct Environment {
    home: PathBuf,
    cwd: PathBuf,
    variables: HashMap<OsString, OsString>,
    zone: TimeZone,
}

impl Environment {
    /// Reads the environment of this process. Home is `$HOME`, else that of the account.
    pub fn of_process() -> Self {
        let variables: HashMap<_, _> = std::env::vars_os().collect();
        let home = variables
            .get(OsStr::new("HOME"))
            .filter(|home| !home.is_empty())
            .map(PathBuf::from)
            .or_else(|| etcetera::home_dir().ok())
            .unwrap_or_default();
        let cwd = std::env::current_dir().unwrap_or_else(|_| home.clone());
        Self { home, cwd, variables, zone: TimeZone::system() }
    }

    /// An environment without variables, where the clocks show UTC.
    pub fn new(home: impl Into<PathBuf>, cwd: impl Into<PathBuf>) -> Self {
        Self { home: home.into(), cwd: cwd.into(), variables: HashMap::new(), zone: TimeZone::UTC }
    }

    /// The same in another time zone.
    #[must_use]
    pub fn in_zone(self, zone: TimeZone) -> Self {
        Self { zone, ..self }
    }

    /// The same with one variable set.
    #[must_use]
    pub fn with(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.variables.insert(name.into(), value.into());
        self
    }

    /// The user's home directory.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The directory in which the process was started.
    pub fn cwd(&self) -> &Path {
        &self.cwd
    }

    /// The directory in which pi would run a session: the header's, else that of this process. A Windows path is left as
    /// it is written.
    pub fn working_directory<'h>(&self, header: &'h Header) -> Cow<'h, str> {
        match header.cwd.as_deref() {
            Some(cwd) if paths::is_windows_path(cwd) => cwd.into(),
            Some(cwd) => self.absolute(cwd).to_string_lossy().into_owned().into(),
            None => self.cwd.to_string_lossy().into_owned().into(),
        }
    }

    /// The time zone in which days begin and end.
    pub fn zone(&self) -> &TimeZone {
        &self.zone
    }

    /// A variable. An empty one counts as not set.
    pub fn variable(&self, name: &str) -> Option<&OsStr> {
        self.variables.get(OsStr::new(name)).map(OsString::as_os_str).filter(|value| !value.is_empty())
    }

    /// pi's own directory: `PI_CODING_AGENT_DIR`, else `.pi/agent` in the home directory.
    pub fn agent_dir(&self) -> PathBuf {
        match self.variable("PI_CODING_AGENT_DIR") {
            Some(dir) => self.absolute(dir),
            None => self.home.join(".pi").join("agent"),
        }
    }

    /// The folder for what this program can make again: `piscope` in `$XDG_CACHE_HOME`, else in `~/.cache`.
    pub fn cache_dir(&self) -> PathBuf {
        self.xdg("XDG_CACHE_HOME", ".cache")
    }

    /// The folder for what this program remembers: `piscope` in `$XDG_STATE_HOME`, else in `~/.local/state`.
    pub fn state_dir(&self) -> PathBuf {
        self.xdg("XDG_STATE_HOME", ".local/state")
    }

    /// The folder for this program's configuration: `piscope` in `$XDG_CONFIG_HOME`, else in `~/.config`.
    pub fn config_dir(&self) -> PathBuf {
        self.xdg("XDG_CONFIG_HOME", ".config")
    }

    /// Makes a path absolute as pi does: `~` and `file://` are understood, anything relative is below the
    /// working directory.
    pub fn absolute(&self, path: impl AsRef<Path>) -> PathBuf {
        paths::absolute(path.as_ref(), &self.home, &self.cwd)
    }

    /// A base directory of the XDG specification, in which relative values are to be ignored.
    fn xdg(&self, name: &str, default: &str) -> PathBuf {
        let base = self.variable(name).map(PathBuf::from).filter(|base| base.is_absolute());
        base.unwrap_or_else(|| self.home.join(default)).join("piscope")
    }
}

/// How session files lie in a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One folder a working directory, the files in these folders and nowhere else.
    PerProject,
    /// The files lie in the store itself, whatever their working directory.
    Flat,
}

/// Who said where the store is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A command line argument.
    Flag,
    /// The variable `PI_CODING_AGENT_SESSION_DIR`.
    Environment,
    /// `sessionDir` in pi's settings.
    Settings,
    /// Nobody: it is pi's own place.
    Default,
}

/// The folder that holds all sessions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    /// The folder, absolute; it need not exist.
    pub root: PathBuf,
    /// How the files lie in it.
    pub layout: Layout,
    /// Who said so.
    pub origin: Origin,
}

impl Store {
    /// A number that tells this store from others, the same in every run.
    pub fn fingerprint(&self, environment: &Environment) -> u64 {
        hash(environment.absolute(&self.root).as_os_str().as_encoded_bytes())
    }

    /// Finds the store as pi finds its session directory; the first that is given and not empty wins: `flag`,
    /// the variable `PI_CODING_AGENT_SESSION_DIR`, `sessionDir` in the settings, `sessions` in the agent
    /// directory. To pi a custom directory is always flat; for `flag` see [`Store::at`].
    pub fn locate(environment: &Environment, flag: Option<&Path>) -> Self {
        if let Some(flag) = flag.filter(|flag| !flag.as_os_str().is_empty()) {
            return Self::at(environment.absolute(flag));
        }
        let custom = |dir: PathBuf, origin| Self { root: dir, layout: Layout::Flat, origin };
        if let Some(dir) = environment.variable("PI_CODING_AGENT_SESSION_DIR") {
            return custom(environment.absolute(dir), Origin::Environment);
        }
        if let Some(dir) = PiSettings::read(environment).session_dir() {
            return custom(environment.absolute(dir), Origin::Settings);
        }
        Self::of_agent(environment)
    }

    /// pi's own place: `sessions` in the agent directory, whatever variables and settings say.
    pub fn of_agent(environment: &Environment) -> Self {
        let root = environment.agent_dir().join("sessions");
        Self { root, layout: Layout::PerProject, origin: Origin::Default }
    }

    /// A folder in which the files lie flat.
    pub fn flat(root: PathBuf) -> Self {
        Self { root, layout: Layout::Flat, origin: Origin::Flag }
    }

    /// A directory that somebody named: a root if any of its subfolders holds a session file, else a flat
    /// folder.
    pub fn at(root: PathBuf) -> Self {
        let layout = if files::has_project_folder(&root) { Layout::PerProject } else { Layout::Flat };
        Self { root, layout, origin: Origin::Flag }
    }

    /// The folder in which pi would put a session of the working directory `cwd`, which must be absolute.
    pub fn folder_of(&self, cwd: &Path) -> PathBuf {
        match self.layout {
            Layout::PerProject => self.root.join(paths::encode_cwd(cwd)),
            Layout::Flat => self.root.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn located(environment: &Environment, flag: Option<&str>) -> (String, Layout, Origin) {
        let store = Store::locate(environment, flag.map(Path::new));
        (store.root.to_str().unwrap().to_owned(), store.layout, store.origin)
    }

    #[test]
    fn the_first_one_given_wins() {
        let bare = Environment::new("/nowhere/u", "/nowhere/w");
        let default = |root: &str| (root.to_owned(), Layout::PerProject, Origin::Default);
        assert_eq!(located(&bare, None), default("/nowhere/u/.pi/agent/sessions"));
        assert_eq!(located(&bare, Some("")), default("/nowhere/u/.pi/agent/sessions"));

        let agent = |dir: &str| bare.clone().with("PI_CODING_AGENT_DIR", dir);
        assert_eq!(located(&agent("~/a"), None), default("/nowhere/u/a/sessions"));
        assert_eq!(located(&agent("rel"), None), default("/nowhere/w/rel/sessions"));
        assert_eq!(located(&agent(""), None), default("/nowhere/u/.pi/agent/sessions"));

        let custom = agent("~/a").with("PI_CODING_AGENT_SESSION_DIR", "file:///s%20s");
        assert_eq!(located(&custom, None), ("/s s".into(), Layout::Flat, Origin::Environment));
        assert_eq!(located(&custom, Some("~/f")), ("/nowhere/u/f".into(), Layout::Flat, Origin::Flag));
    }

    #[test]
    fn the_project_setting_covers_the_global_one() {
        let folder = tempfile::tempdir().unwrap();
        let (agent, cwd) = (folder.path().join("agent"), folder.path().join("proj"));
        fs::create_dir_all(&agent).unwrap();
        fs::create_dir_all(cwd.join(".pi")).unwrap();
        let environment = Environment::new("/home/u", &cwd).with("PI_CODING_AGENT_DIR", &agent);
        for (global, project, expected) in [
            (r#"{"sessionDir":"/g"}"#, "{}", Some("/g")),
            (r#"{"sessionDir":"/g"}"#, r#"{"sessionDir":"/p"}"#, Some("/p")),
            (r#"{"sessionDir":"/g"}"#, r#"{"sessionDir":null}"#, None),
            (r#"{"sessionDir":"/g"}"#, r#"{"sessionDir":""}"#, None),
            (r#"{"sessionDir":"/g"}"#, "nope", Some("/g")),
            (r#"{"sessionDir":"/g",}"#, "", None),
            ("\u{feff}{\"sessionDir\":\"~/g\"}", "[]", Some("/home/u/g")),
            ("null", r#"{"sessionDir":"file:///x"}"#, Some("/x")),
        ] {
            fs::write(agent.join("settings.json"), global).unwrap();
            fs::write(cwd.join(".pi/settings.json"), project).unwrap();
            let store = Store::locate(&environment, None);
            let found = (store.origin == Origin::Settings).then(|| store.root.to_str().unwrap().to_owned());
            assert_eq!(found.as_deref(), expected, "{global} {project}");
        }
    }

    #[test]
    fn own_folders_follow_xdg() {
        let bare = Environment::new("/home/u", "/w");
        assert_eq!(bare.cache_dir(), Path::new("/home/u/.cache/piscope"));
        let with = bare.with("XDG_CACHE_HOME", "/c").with("XDG_CONFIG_HOME", "relative");
        assert_eq!(with.cache_dir(), Path::new("/c/piscope"));
        assert_eq!(with.config_dir(), Path::new("/home/u/.config/piscope"));
    }
}
