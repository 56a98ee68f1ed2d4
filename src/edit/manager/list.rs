use std::fs;
use std::path::{Path, PathBuf};

use super::{SessionManager, folder};
use crate::cancel::Cancel;
use crate::error::{Cause, Error};
use crate::store::{
    Environment, FirstMessage, Layout, ScanEvent, ScanOptions, ScannedRow, Scope, SessionSummary, Store,
    is_session_name, is_session_of, read_header, scan, sort_recent,
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

    /// The file of the session of a working directory that has exactly this id. `session_dir` is as for
    /// [`SessionManager::list`].
    pub fn find_by_id(
        environment: &Environment,
        cwd: impl AsRef<Path>,
        id: &str,
        session_dir: Option<&Path>,
    ) -> Option<PathBuf> {
        let cwd = environment.absolute(cwd);
        let (dir, store) = folder(environment, &cwd, session_dir);
        in_folder(&dir).find(|path| id_in(path, &cwd, &store, environment).as_deref() == Some(id))
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

/// The session files in a folder.
pub(super) fn in_folder(dir: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let files = fs::read_dir(dir).into_iter().flatten().flatten();
    files.map(|file| file.path()).filter(|path| path.file_name().is_some_and(is_session_name))
}

/// The id of a session file, if it is one of a working directory; in pi's own place everything is.
pub(super) fn id_in(path: &Path, cwd: &Path, store: &Store, environment: &Environment) -> Option<Box<str>> {
    let header = read_header(path).ok().flatten()?;
    let is_of_cwd = store.layout == Layout::PerProject
        || is_session_of(header.cwd.as_deref().unwrap_or_default(), cwd, environment);
    header.id.filter(|_| is_of_cwd)
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
