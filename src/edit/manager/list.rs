use std::path::Path;

use super::{SessionManager, folder};
use crate::cancel::Cancel;
use crate::error::{Cause, Error};
use crate::store::{
    Environment, FirstMessage, ScanEvent, ScanOptions, ScannedRow, Scope, SessionSummary, Store, scan,
    sort_recent,
};

impl SessionManager {
    /// The sessions of a working directory, the most recently active first.
    ///
    /// `session_dir` is a folder in which sessions of all directories lie flat; those of others are left out. Without
    /// it, pi's own place for the working directory is read, and everything in it belongs to the list. `progress` is
    /// told how many files were read, of how many.
    ///
    /// # Errors
    /// [`Cause::Cancelled`].
    pub fn list(
        environment: &Environment,
        cwd: impl AsRef<Path>,
        session_dir: Option<&Path>,
        cancel: &Cancel,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<Vec<SessionSummary>, Error> {
        let cwd = environment.absolute(cwd);
        let (_, store) = folder(environment, &cwd, session_dir);
        listed(environment, &store, Scope::Folder(cwd), cancel, progress)
    }

    /// The sessions of all working directories, the most recently active first: those in the flat folder
    /// `session_dir`, else those in pi's own place. `progress` is told how many files were read, of how many.
    ///
    /// # Errors
    /// [`Cause::Cancelled`].
    pub fn list_all(
        environment: &Environment,
        session_dir: Option<&Path>,
        cancel: &Cancel,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<Vec<SessionSummary>, Error> {
        let store = match session_dir {
            Some(dir) => Store::flat(environment.absolute(dir)),
            None => Store::of_agent(environment),
        };
        listed(environment, &store, Scope::All, cancel, progress)
    }
}

fn listed(
    environment: &Environment,
    store: &Store,
    scope: Scope,
    cancel: &Cancel,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Vec<SessionSummary>, Error> {
    let options = ScanOptions { scope, first_message: FirstMessage::Whole, ..ScanOptions::default() };
    let mut total = 0;
    let mut found: Vec<ScannedRow> = Vec::new();
    scan(store, environment, &options, cancel, &mut |event| match event {
        ScanEvent::Found { files, .. } => {
            total = files;
            progress(0, total);
        }
        ScanEvent::Batch { rows, files, .. } => {
            found.extend(rows);
            progress(files, total);
        }
    });
    if cancel.is_cancelled() {
        return Err(Error::new("cannot list", &store.root, Cause::Cancelled));
    }
    found.retain(|row| options.scope.admits(store, environment, &row.summary));
    found.sort_by_key(|row| row.order);
    sort_recent(&mut found, |row| &row.summary);
    Ok(found.into_iter().map(|row| row.summary).collect())
}
