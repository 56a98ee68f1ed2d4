use std::path::{Path, PathBuf};

use super::locate::{Environment, Layout, Store};
use super::paths;
use super::summary::SessionSummary;

/// Which sessions of the store are looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// Every session.
    #[default]
    All,
    /// The sessions of one working directory, given as an absolute path.
    Folder(PathBuf),
}

impl Scope {
    /// Whether a row of the store is in the scope.
    ///
    /// With a folder a project, everything in that folder is: it is not filtered by the headers, so two
    /// working directories whose names encode alike are mixed, as in pi. In a flat store the header's working
    /// directory, made absolute, has to be the scope's by its text, so a session without one is in no folder.
    pub fn admits(&self, store: &Store, environment: &Environment, row: &SessionSummary) -> bool {
        let Self::Folder(cwd) = self else { return true };
        match store.layout {
            Layout::PerProject => row.path.parent() == Some(&store.folder_of(cwd)),
            Layout::Flat => is_session_of(&row.cwd, cwd, environment),
        }
    }
}

/// Whether the working directory that a header gives, perhaps an empty text, is `cwd`.
pub(crate) fn is_session_of(written: &str, cwd: &Path, environment: &Environment) -> bool {
    !written.is_empty() && is_same_folder(written, cwd, environment)
}

/// A Windows path is compared without case and with either separator, and is never taken as relative.
fn is_same_folder(written: &str, cwd: &Path, environment: &Environment) -> bool {
    if paths::is_windows_path(written) {
        let plain = |text: &str| text.replace('\\', "/").trim_end_matches('/').to_lowercase();
        return plain(written) == plain(&cwd.to_string_lossy());
    }
    paths::normalize(&environment.absolute(written)) == paths::normalize(cwd)
}
