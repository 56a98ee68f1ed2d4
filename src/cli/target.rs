use std::path::{Path, PathBuf};

use super::{Failure, Output, Site};
use crate::error::{Cause, Error};
use crate::present::sanitize;
use crate::session::{LeafArg, Session};
use crate::store::{Unresolved, resolve};

/// The session file that a command is about, and the leaf.
#[derive(Debug, clap::Args)]
pub(super) struct Target {
    /// A session file, or the id of a session in the store, or the start of one.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The leaf at which the branch ends: an entry's id, or null for before everything.
    ///
    /// Without it, it is the last entry of the file, where pi continues; so it is for an unknown id.
    #[arg(long, value_name = "ID|null")]
    leaf: Option<String>,
}

impl Target {
    pub(super) fn open(&self, site: &Site<'_>) -> Result<Session, Failure> {
        Ok(Session::open(self.path(site)?)?)
    }

    /// Tells people that the leaf they named is not there, and which is taken instead.
    pub(super) fn tell_unknown_leaf(
        &self,
        session: &Session,
        output: &mut Output<'_>,
    ) -> Result<(), Failure> {
        let leaf = session.leaf(&self.leaf());
        let (false, Some(asked)) = (leaf.is_known, &self.leaf) else { return Ok(()) };
        let taken = leaf.entry.map_or("nothing", |entry| session.entry_id(entry).as_str());
        let words = format!("no entry {asked} in the file; as in pi, the last one is taken: {taken}");
        output.line(&sanitize::line(&words))?;
        output.line("")
    }

    pub(super) fn leaf(&self) -> LeafArg {
        self.leaf.as_deref().map_or(LeafArg::Current, LeafArg::parse)
    }

    fn path(&self, site: &Site<'_>) -> Result<PathBuf, Failure> {
        session_file(&self.file, site)
    }
}

/// The file somebody names: what exists is a file, whatever it is called; anything else may be an id.
pub(super) fn session_file(file: &Path, site: &Site<'_>) -> Result<PathBuf, Failure> {
    if file.exists() {
        return Ok(file.to_owned());
    }
    resolve(&site.store(), site.environment, &file.to_string_lossy()).map_err(|unresolved| match unresolved {
        Unresolved::NotFound { .. } => Failure::NothingFound(unresolved.to_string()),
        Unresolved::Ambiguous { .. } => {
            Failure::Act(Error::new("cannot open", file, Cause::Other(unresolved.to_string())))
        }
    })
}
