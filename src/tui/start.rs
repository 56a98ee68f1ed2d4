use std::path::{Path, PathBuf};

use crate::cli::{Args, Failure};
use crate::error::Error;
use crate::store::{Environment, Store, Unresolved, resolve, write_demo};

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
}

impl Start {
    /// Works out what the arguments ask for. `now` is in milliseconds since 1970.
    ///
    /// # Errors
    /// A file or folder that is not there, an id that no session or several have, demo sessions that cannot be
    /// written to the cache folder.
    pub fn new(args: &Args, now: i64) -> Result<Self, Failure> {
        let environment = Environment::of_process();
        let home = environment.home().to_owned();
        if args.screen.demo {
            let demo = write_demo(&environment.cache_dir().join("demo"), now)?;
            let store = Store::at(demo.sessions);
            return Ok(Self { environment, store, home: demo.home, session: None });
        }
        let store = Store::locate(&environment, args.store.as_deref());
        let start = Self { environment, store, home, session: None };
        match &args.screen.target {
            None => Ok(start),
            Some(target) => start.at(target),
        }
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
