use std::fs;
use std::path::{Path, PathBuf};

use super::list::{id_in, in_folder};
use super::{Home, IN_MEMORY, SessionManager, folder};
use crate::edit::create::{NewHeader, create, lines};
use crate::edit::{id, migrate, system_clock};
use crate::error::{Cause, Error};
use crate::format::js;
use crate::session::Session;
use crate::store::Environment;

/// What a new session is given besides its working directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewSession {
    /// Its id: letters, digits, `.`, `_` and `-`, the first and the last a letter or a digit. A fresh one without it.
    pub id: Option<String>,
    /// The session file it was split off from, as it will stand in the header.
    pub parent_session: Option<String>,
}

impl SessionManager {
    /// A new session of a working directory. Its file will lie in `session_dir`, else in pi's own place for that
    /// directory; it appears with the first message of the person or the model, or with [`SessionManager::persist`].
    ///
    /// # Errors
    /// When the id that was asked for is none.
    pub fn create(
        environment: &Environment,
        cwd: impl AsRef<Path>,
        session_dir: Option<&Path>,
        options: &NewSession,
    ) -> Result<Self, Error> {
        let cwd = environment.absolute(cwd);
        let (dir, _) = folder(environment, &cwd, session_dir);
        let session = new_session(&cwd, options, |name| dir.join(name))?;
        Ok(Self::at_end(environment, session, Home::Later, cwd, dir))
    }

    /// Opens a session file. One that is missing or empty is a new session of that path. Nothing is written, neither a
    /// migration nor a missing line end nor a header.
    ///
    /// New sessions would go to `session_dir`, else to the folder of the file. The working directory is
    /// `cwd_override`, else that of the header, else that of this process.
    ///
    /// # Errors
    /// When the file cannot be read, or is no session.
    pub fn open(
        environment: &Environment,
        path: impl AsRef<Path>,
        session_dir: Option<&Path>,
        cwd_override: Option<&Path>,
    ) -> Result<Self, Error> {
        let path = environment.absolute(path);
        let session_dir = match session_dir {
            Some(dir) => environment.absolute(dir),
            None => path.parent().unwrap_or(&path).to_owned(),
        };
        let given = cwd_override.map(|cwd| environment.absolute(cwd));
        if is_missing_or_empty(&path) {
            let cwd = given.unwrap_or_else(|| environment.cwd().to_owned());
            let session = new_session(&cwd, &NewSession::default(), |_| path)?;
            return Ok(Self::at_end(environment, session, Home::Later, cwd, session_dir));
        }
        let session = Session::open(path)?;
        let written = session.header().cwd.as_deref().map(|cwd| environment.absolute(cwd));
        let cwd = given.or(written).unwrap_or_else(|| environment.cwd().to_owned());
        Ok(Self::at_end(environment, session, Home::File, cwd, session_dir))
    }

    /// A new session that never reaches the disk.
    ///
    /// # Errors
    /// When the id that was asked for is none.
    pub fn in_memory(
        environment: &Environment,
        cwd: impl AsRef<Path>,
        options: &NewSession,
    ) -> Result<Self, Error> {
        let cwd = environment.absolute(cwd);
        let session = new_session(&cwd, options, |_| IN_MEMORY.into())?;
        Ok(Self::at_end(environment, session, Home::Memory, cwd, PathBuf::new()))
    }

    /// A session whose lines are held somewhere else than in a file. It never reaches the disk. Where its first record
    /// is no header, it is given a new one; older versions are migrated.
    ///
    /// # Errors
    /// When version 1 holds something that is no entry.
    pub fn in_memory_from(
        environment: &Environment,
        cwd: impl AsRef<Path>,
        options: &NewSession,
        lines: impl Into<Vec<u8>>,
    ) -> Result<Self, Error> {
        let cwd = environment.absolute(cwd);
        let lines = lines.into();
        let session = match Session::from_bytes(IN_MEMORY, lines.clone()) {
            Ok(session) => session,
            Err(error) if error.is_not_a_session() => {
                let (_, mut text) = new_header(&cwd, options)?;
                text.extend(lines);
                Session::from_bytes(IN_MEMORY, text)?
            }
            Err(error) => return Err(error),
        };
        let migrated = migrate::as_version_3(&session);
        let migrated = migrated.map_err(|cause| Error::new("cannot read", session.path(), cause))?;
        let session = migrated.unwrap_or(session);
        Ok(Self::at_end(environment, session, Home::Memory, cwd, PathBuf::new()))
    }

    /// The session of a working directory whose file was written last, or a new one where there is none.
    ///
    /// `session_dir` is the folder in which pi keeps all sessions flat; without it, pi's own place for the working
    /// directory is looked at.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn continue_recent(
        environment: &Environment,
        cwd: impl AsRef<Path>,
        session_dir: Option<&Path>,
    ) -> Result<Self, Error> {
        let cwd = environment.absolute(cwd);
        let (dir, store) = folder(environment, &cwd, session_dir);
        let written = |path: PathBuf| Some((fs::metadata(&path).ok()?.modified().ok()?, path));
        let mut files: Vec<_> = in_folder(&dir).filter_map(written).collect();
        files.sort_by_key(|(written, _)| std::cmp::Reverse(*written));
        let is_wanted = |path: &PathBuf| id_in(path, &cwd, &store, environment).is_some();
        match files.into_iter().map(|(_, path)| path).find(is_wanted) {
            Some(path) => Self::open(environment, path, Some(&dir), Some(&cwd)),
            None => Self::create(environment, cwd, session_dir, &NewSession::default()),
        }
    }

    /// Copies a session, all its branches, into a new one of another working directory, and opens that. It is written
    /// at once. Older versions are migrated, where pi copies entries without ids below a header that promises them.
    ///
    /// # Errors
    /// When the source cannot be read, and what the disk reports.
    pub fn fork_from(
        environment: &Environment,
        source: impl AsRef<Path>,
        target_cwd: impl AsRef<Path>,
        session_dir: Option<&Path>,
        options: &NewSession,
    ) -> Result<Self, Error> {
        let cwd = environment.absolute(target_cwd);
        let source = Session::open(environment.absolute(source))?;
        let migrated = migrate::as_version_3(&source);
        let migrated = migrated.map_err(|cause| Error::new("cannot fork", source.path(), cause))?;
        let parent = Some(source.path().to_string_lossy().into_owned());
        let (name, mut text) =
            new_header(&cwd, &NewSession { id: options.id.clone(), parent_session: parent })?;
        let entries = migrated.as_ref().unwrap_or(&source);
        for ix in entries.indexes() {
            text.extend(lines([entries.body(ix)?.root().stringify()]));
        }
        let (dir, _) = folder(environment, &cwd, session_dir);
        let path = dir.join(name);
        create(&path, &text).map_err(|cause| Error::new("cannot write", &path, cause))?;
        let session = Session::open(path)?;
        Ok(Self::at_end(environment, session, Home::File, cwd, dir))
    }

    /// Goes on with a new session in the same working directory, and returns its file. What was not written before is
    /// lost.
    ///
    /// # Errors
    /// When the id that was asked for is none. Then everything stays as it was.
    pub fn new_session(&mut self, options: &NewSession) -> Result<Option<&Path>, Error> {
        let dir = &self.session_dir;
        let is_persisted = self.is_persisted();
        let path = |name: &str| if is_persisted { dir.join(name) } else { IN_MEMORY.into() };
        let session = new_session(&self.cwd, options, path)?;
        let home = if is_persisted { Home::Later } else { Home::Memory };
        self.show(session, home);
        Ok(self.get_session_file())
    }

    /// Goes on with another session file, as [`SessionManager::open`] opens it; working directory and folder stay.
    ///
    /// # Errors
    /// When the file cannot be read, or is no session. Then everything stays as it was.
    pub fn set_session_file(&mut self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = self.environment.absolute(path);
        if is_missing_or_empty(&path) {
            let session = new_session(&self.cwd, &NewSession::default(), |_| path)?;
            self.show(session, Home::Later);
        } else {
            self.show(Session::open(path)?, Home::File);
        }
        Ok(())
    }
}

fn is_missing_or_empty(path: &Path) -> bool {
    fs::metadata(path).map_or(true, |metadata| metadata.is_file() && metadata.len() == 0)
}

fn new_session(
    cwd: &Path,
    options: &NewSession,
    path: impl FnOnce(&str) -> PathBuf,
) -> Result<Session, Error> {
    let (name, header) = new_header(cwd, options)?;
    Session::from_bytes(path(&name), header)
}

/// The name of a new session's file, and its header line.
pub(super) fn new_header(cwd: &Path, options: &NewSession) -> Result<(String, Vec<u8>), Error> {
    let failed = |cause: Cause| Error::new("cannot begin a session in", cwd, cause);
    let now = system_clock();
    let id = match &options.id {
        Some(id) if is_session_id(id) => id.clone(),
        Some(id) => return Err(failed(Cause::Other(format!("{id:?} is no id for a session")))),
        None => id::session_id(now).map_err(|error| failed(error.into()))?,
    };
    let timestamp = js::iso(now);
    let parent_session = options.parent_session.as_deref();
    let header = NewHeader { id: &id, timestamp: &timestamp, cwd, parent_session };
    Ok((header.file_name(), lines([header.line()])))
}

fn is_session_id(id: &str) -> bool {
    let is_inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let is_outer = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    id.chars().all(is_inner) && is_outer(id.chars().next()) && is_outer(id.chars().next_back())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_sessions_are_names_of_files() {
        for (id, is) in [
            ("a", true),
            ("0198-a.b_c", true),
            ("", false),
            ("-a", false),
            ("a.", false),
            ("a/b", false),
            ("é", false),
        ] {
            assert_eq!(is_session_id(id), is, "{id}");
        }
    }
}
