use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use super::remember::Memory;
use super::{Use, Way};
use crate::app::Keymap;
use crate::cli::{Args, Failure};
use crate::config::{Config, ConfigFinding, ThemeChoice, View, context_window};
use crate::error::{Cause, Error};
use crate::session::Filter;
use crate::store::{Environment, Store, Unresolved, resolve, write_demo};

/// What there is for a terminal that has no screen.
const DUMB: &str = "TERM is dumb, so it has no screen to draw on; `piscope --linear` tells everything in lines, and \
                    `piscope list` and the other commands print";

/// What the screen is opened with.
#[derive(Debug)]
pub struct Start {
    /// Who and where we are.
    pub environment: Environment,
    /// Where the sessions are.
    pub store: Store,
    /// The folder shown as `~`.
    pub home: PathBuf,
    /// A session to show first.
    pub session: Option<PathBuf>,
    /// How texts are copied.
    pub clipboard: Way,
    /// Whether it is there to pick something for another program.
    pub picks: bool,
    /// Whether it comes back after a resume.
    pub stays: bool,
    /// The model's context window in tokens, where it is known.
    pub context_window: Option<NonZeroU32>,
    /// Whether a resume is confirmed first.
    pub asks_before_resume: bool,
    /// The colours.
    pub theme: ThemeChoice,
    /// How the screen is set up.
    pub view: View,
    /// The filter that the tree begins with.
    pub tree_filter: Filter,
    /// The keys in force.
    pub keymap: Keymap,
    /// Whether the screen is drawn, or what changes is said in lines.
    pub used: Use,
    /// Where it is kept where somebody was.
    pub(super) memory: Option<Memory>,
    /// What was not understood in the files of settings.
    pub findings: Vec<ConfigFinding>,
}

impl Start {
    /// Works out what the arguments ask for. `now` is in milliseconds since 1970.
    ///
    /// # Errors
    /// A file or folder that is not there, an id that no session or several have, demo sessions that cannot be
    /// written to the cache folder, a variable with a value that makes no sense.
    pub fn new(args: &Args, now: i64) -> Result<Self, Failure> {
        let config = Config::read(Environment::of_process()).with_pis();
        let (keymap, conflicts) = Keymap::new(&config.pi_keys, &config.keys);
        let Config { environment, view, theme, tree_filter, mut findings, .. } = config;
        findings.extend(conflicts);
        let home = environment.home().to_owned();
        let clipboard = Way::of(&environment).map_err(Failure::Usage)?;
        let is_linear =
            args.screen.linear || environment.variable("PISCOPE_LINEAR").is_some_and(|word| word == "yes");
        let mouse = environment.variable("PISCOPE_MOUSE").is_none_or(|word| word != "no");
        let mut start = Self {
            store: Store::locate(&environment, args.store.as_deref()),
            home,
            session: None,
            clipboard,
            picks: args.screen.pick.is_some(),
            stays: args.screen.stay,
            used: if is_linear { Use::Lines } else { Use::Screen { mouse } },
            context_window: args.screen.context_window.or_else(|| context_window(&environment)),
            asks_before_resume: environment
                .variable("PISCOPE_CONFIRM_RESUME")
                .is_none_or(|word| word != "no"),
            environment,
            view,
            theme,
            tree_filter,
            keymap,
            memory: None,
            findings,
        };
        if !is_linear && start.environment.variable("TERM").is_some_and(|name| name == "dumb") {
            return Err(Error::new("cannot use", "the terminal", Cause::Other(DUMB.into())).into());
        }
        if args.screen.demo {
            let demo = write_demo(&start.environment.cache_dir().join("demo"), now)?;
            start.store = Store::at(demo.sessions);
            start.home = demo.home;
            return Ok(start);
        }
        if let Some(target) = &args.screen.target {
            start = start.at(target)?;
        }
        start.memory = Memory::of(&start.store, &start.environment);
        Ok(start)
    }

    /// Opens a folder as the store, or a session by its file or its id.
    fn at(self, target: &Path) -> Result<Self, Failure> {
        let path = self.environment.absolute(target);
        if path.is_dir() {
            return Ok(Self { store: Store::at(path), ..self });
        }
        if path.is_file() {
            return Ok(Self { session: Some(path), ..self });
        }
        let wanted = target.to_string_lossy();
        match resolve(&self.store, &self.environment, &wanted) {
            Ok(found) if found.is_file() => Ok(Self { session: Some(found), ..self }),
            Ok(missing) => {
                let cause = std::io::Error::from(std::io::ErrorKind::NotFound);
                Err(Error::new("cannot open", missing, cause).into())
            }
            Err(unresolved @ Unresolved::NotFound { .. }) => {
                Err(Failure::NothingFound(unresolved.to_string()))
            }
            Err(unresolved) => Err(Failure::Usage(unresolved.to_string())),
        }
    }
}
