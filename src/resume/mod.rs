//! Going on in pi: which program is started where, with which arguments and variables.
//!
//! A [`Launch`] says what is wanted, [`Plan::of`] turns it into a command as pure data, [`Program::find`] looks
//! for it, and [`Plan::exec`] becomes it. There is no shell in between: what is shown for people to read is quoted
//! for one, what is run never passes one.

mod command;
mod folder;
mod prompt;
mod quote;
mod run;
mod tools;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

pub use command::Template;
pub use folder::{Folder, propose};
pub use quote::{quote, words};
pub use run::{Program, ProgramNotFound};
pub use tools::ToolPreset;

use crate::session::Session;
use crate::store::{Environment, Layout, Origin, Store};

/// Variables by which pi finds its things. They may be relative, and pi is started in another folder.
const PLACES: [&str; 3] = ["PI_CODING_AGENT_DIR", "PI_CODING_AGENT_SESSION_DIR", "PI_PACKAGE_DIR"];

/// What is wanted of pi.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The session file, absolute.
    pub session: PathBuf,
    /// Whether the session goes on or a copy of it.
    pub start: Start,
    /// The folder in which pi is started.
    pub folder: PathBuf,
    /// The tools pi offers the model.
    pub tools: ToolPreset,
    /// The first prompt, sent at once.
    pub prompt: Option<String>,
}

/// How pi takes the session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// It goes on in the same file.
    #[default]
    Resume,
    /// pi copies all of it into a new session of the folder it is started in.
    ForkHere,
}

/// A command that is ready to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Where it runs.
    pub cwd: PathBuf,
    /// The program and its arguments.
    pub argv: Vec<OsString>,
    /// Variables set besides those of this process.
    pub env: Vec<(&'static str, OsString)>,
    /// A first prompt that cannot be an argument, and why. It has to reach the person some other way.
    pub unsent: Option<Unsent>,
}

/// A prompt that no argument can carry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsent {
    /// The prompt.
    pub prompt: String,
    /// Why, in a few words.
    pub reason: &'static str,
}

impl Launch {
    /// Going on with a session as it is, in the folder its header names.
    pub fn of_session(session: &Session, environment: &Environment) -> Self {
        let cwd = session.header().cwd.as_deref().filter(|cwd| Path::new(cwd).is_absolute());
        Self {
            session: environment.absolute(session.path()),
            start: Start::Resume,
            folder: cwd.map_or_else(|| environment.cwd().to_owned(), PathBuf::from),
            tools: ToolPreset::Default,
            prompt: None,
        }
    }
}

impl Plan {
    /// Works out the command. The path is always absolute: pi takes a mere id for a session of the folder it is
    /// started in, and elsewhere offers to fork it.
    pub fn of(launch: &Launch, store: &Store, environment: &Environment) -> Self {
        let mut words: Vec<OsString> = Vec::new();
        if launch.start == Start::ForkHere && store.origin == Origin::Flag && store.layout == Layout::Flat {
            // Without it the copy would go where pi keeps sessions by itself.
            words.extend([OsString::from("--session-dir"), store.root.clone().into_os_string()]);
        }
        words.push(match launch.start {
            Start::Resume => "--session".into(),
            Start::ForkHere => "--fork".into(),
        });
        words.push(launch.session.clone().into_os_string());
        words.extend(launch.tools.flags());
        let prompt = launch.prompt.as_deref().map(prompt::arguments).unwrap_or_default();
        words.extend(prompt.args);
        let env: Vec<(&str, OsString)> = PLACES
            .into_iter()
            .filter_map(|name| {
                Some((name, environment.absolute(environment.variable(name)?).into_os_string()))
            })
            .collect();
        let template = Template::of(environment);
        let argv = template.fill(&launch.folder, &launch.session, &words, &env);
        Self { cwd: launch.folder.clone(), argv, env, unsent: prompt.unsent }
    }

    /// The command as one would type it into a shell.
    pub fn shell_line(&self) -> String {
        let variables = self.env.iter().map(|(name, value)| format!("{name}={}", quote(value)));
        let words: Vec<String> = variables.chain(self.argv.iter().map(|word| quote(word))).collect();
        format!("cd {} && {}", quote(self.cwd.as_os_str()), words.join(" "))
    }

    /// The program that is run, as it is called.
    pub fn program(&self) -> &OsStr {
        self.argv.first().map_or(OsStr::new("pi"), OsString::as_os_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launch() -> Launch {
        Launch {
            session: "/s/a b.jsonl".into(),
            start: Start::Resume,
            folder: "/w/it's".into(),
            tools: ToolPreset::Default,
            prompt: None,
        }
    }

    fn plan(launch: &Launch, environment: &Environment) -> Plan {
        Plan::of(launch, &Store::locate(environment, None), environment)
    }

    #[test]
    fn the_session_goes_on_by_its_absolute_path_in_its_folder() {
        let plan = plan(&launch(), &Environment::new("/home/u", "/elsewhere"));
        assert_eq!(plan.argv, ["pi", "--session", "/s/a b.jsonl"]);
        assert_eq!(plan.cwd, Path::new("/w/it's"));
        assert_eq!(plan.shell_line(), r"cd '/w/it'\''s' && pi --session '/s/a b.jsonl'");
    }

    #[test]
    fn places_that_were_relative_stay_the_same_places() {
        let environment =
            Environment::new("/home/u", "/elsewhere").with("PI_CODING_AGENT_DIR", "agent").with("OTHER", "x");
        let plan = plan(&launch(), &environment);
        assert_eq!(plan.env, [("PI_CODING_AGENT_DIR", OsString::from("/elsewhere/agent"))]);
        assert!(plan.shell_line().contains("&& PI_CODING_AGENT_DIR=/elsewhere/agent pi"));
    }

    #[test]
    fn flags_come_before_the_prompt() {
        let launch = Launch {
            tools: ToolPreset::ReadOnly,
            prompt: Some("-v is a flag".into()),
            start: Start::ForkHere,
            ..launch()
        };
        let plan = plan(&launch, &Environment::new("/home/u", "/e"));
        assert_eq!(
            plan.argv,
            ["pi", "--fork", "/s/a b.jsonl", "--tools", "read,grep,find,ls", "--", "-v is a flag"]
        );
    }

    #[test]
    fn a_copy_stays_in_a_flat_store_that_was_asked_for() {
        let environment = Environment::new("/home/u", "/e");
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path().to_owned());
        let fork = Launch { start: Start::ForkHere, ..launch() };
        let words = Plan::of(&fork, &store, &environment).argv;
        assert_eq!(words[1..3], [OsString::from("--session-dir"), folder.path().as_os_str().to_owned()]);
    }
}
