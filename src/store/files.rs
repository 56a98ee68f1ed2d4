use std::borrow::Cow;
use std::cmp::Ordering;
use std::ffi::OsStr;
use std::fs::{self, DirEntry, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use rayon::prelude::*;

use super::collate::compare_names;
use super::locate::{Layout, Store};
use super::paths;
use super::scope::Scope;
use crate::error::Cause;
use crate::format::{Diagnostic, Problem};

/// A session file as it lies on disk, unread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundFile {
    /// The path as found, below the store's root, links not resolved.
    pub path: PathBuf,
    /// The same with all links resolved: equal for two paths that lead to one file.
    pub canonical: PathBuf,
    /// Its size in bytes.
    pub size: u64,
    /// When it was last written.
    pub mtime: SystemTime,
    /// What else tells that it is the same file, untouched: its number on the disk and the time of the last change to
    /// it or to its name, in nanoseconds. Zero where the system does not say.
    pub identity: (u64, i64),
}

impl FoundFile {
    /// Looks at one file.
    ///
    /// # Errors
    /// When the system refuses, and for what is no regular file.
    pub fn look_at(path: impl Into<PathBuf>) -> io::Result<Self> {
        let path = path.into();
        let metadata = fs::metadata(&path)?;
        if !metadata.is_file() {
            return Err(io::Error::other("it is no regular file"));
        }
        Ok(Self::of(path.clone(), paths::canonical(&path), &metadata))
    }

    fn of(path: PathBuf, canonical: PathBuf, metadata: &Metadata) -> Self {
        Self {
            path,
            canonical,
            size: metadata.len(),
            mtime: metadata.modified().unwrap_or(UNIX_EPOCH),
            identity: identity(metadata),
        }
    }

    /// Milliseconds since 1970 of the last write, rounded as JavaScript's file dates are.
    pub fn mtime_millis(&self) -> i64 {
        millis(self.mtime)
    }

    fn name(&self) -> Cow<'_, str> {
        self.path.file_name().unwrap_or_default().to_string_lossy()
    }
}

/// A time in milliseconds since 1970, rounded as JavaScript rounds the times of files.
pub(super) fn millis(time: SystemTime) -> i64 {
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => ((after.as_micros() + 500) / 1000) as i64,
        Err(before) => -(before.duration().as_millis() as i64),
    }
}

#[cfg(unix)]
fn identity(metadata: &Metadata) -> (u64, i64) {
    use std::os::unix::fs::MetadataExt;
    (metadata.ino(), metadata.ctime().saturating_mul(1_000_000_000).saturating_add(metadata.ctime_nsec()))
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> (u64, i64) {
    (0, 0)
}

/// Something about a file or folder of the store that its reader should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The file or folder.
    pub path: PathBuf,
    /// What is the matter with it, in words.
    pub diagnostic: Diagnostic,
}

impl Finding {
    pub(super) fn unreadable(path: &Path, error: io::Error) -> Self {
        Self::new(path, Problem::Unreadable, format!("it cannot be read: {}", Cause::from(error)))
    }

    pub(super) fn new(path: &Path, problem: Problem, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), diagnostic: Diagnostic::new(0, problem, message) }
    }
}

/// The session files of a store, and what could not be looked at.
#[derive(Clone, Debug, Default)]
pub struct Discovery {
    /// In the order in which equally recent sessions are listed.
    pub files: Vec<FoundFile>,
    /// Unreadable folders and links that lead nowhere. Nothing of this stops the rest.
    pub findings: Vec<Finding>,
}

/// Finds the session files of a store, with one look at each.
///
/// A file counts when its name ends in exactly `.jsonl`; a leading dot is fine. Folders of such a name are
/// skipped, links to files and to folders are followed, links that lead nowhere are skipped and reported. In
/// a root with a folder a project, exactly one level is looked at, and any folder counts, whatever its name.
/// The order is pi's: for a whole root the last written file first and equal ones by name downwards, for a
/// single folder by name downwards.
pub fn discover(store: &Store, scope: &Scope) -> Discovery {
    let mut discovery = Discovery::default();
    if store.layout == Layout::PerProject && *scope == Scope::All {
        let folders = discovery.project_folders(&store.root);
        for found in folders.par_iter().map(|folder| Discovery::of_folder(folder)).collect::<Vec<_>>() {
            discovery.files.extend(found.files);
            discovery.findings.extend(found.findings);
        }
        discovery.files.sort_by(|a, b| b.mtime.cmp(&a.mtime).then_with(|| by_name_downwards(a, b)));
    } else {
        let folder = match scope {
            Scope::Folder(cwd) => store.folder_of(cwd),
            Scope::All => store.root.clone(),
        };
        discovery.add_folder(&folder);
        discovery.files.sort_by(by_name_downwards);
    }
    discovery
}

/// True when some subfolder holds a session file.
pub(super) fn has_project_folder(root: &Path) -> bool {
    let mut ignored = Discovery::default();
    ignored.project_folders(root).iter().any(|folder| {
        fs::read_dir(folder).is_ok_and(|entries| {
            entries.flatten().any(|entry| is_session_name(&entry.file_name()) && !entry.path().is_dir())
        })
    })
}

impl Discovery {
    /// The folders in a root, links to folders included, by the bytes of their names.
    fn project_folders(&mut self, root: &Path) -> Vec<PathBuf> {
        let mut folders = Vec::new();
        for entry in self.entries(root) {
            let path = entry.path();
            let is_folder = match entry.file_type() {
                Ok(kind) if kind.is_symlink() => match fs::metadata(&path) {
                    Ok(target) => target.is_dir(),
                    Err(error) => {
                        self.findings.push(Finding::unreadable(&path, error));
                        false
                    }
                },
                Ok(kind) => kind.is_dir(),
                Err(_) => false,
            };
            if is_folder {
                folders.push(path);
            }
        }
        folders
    }

    fn of_folder(folder: &Path) -> Self {
        let mut discovery = Self::default();
        discovery.add_folder(folder);
        discovery
    }

    fn add_folder(&mut self, folder: &Path) {
        let canonical_folder = paths::canonical(folder);
        for entry in self.entries(folder) {
            if !is_session_name(&entry.file_name()) {
                continue;
            }
            let path = entry.path();
            let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
            // By its name in a folder that is open, a file is found faster than by its whole path.
            let metadata = if is_link { fs::metadata(&path) } else { entry.metadata() };
            match metadata {
                Ok(metadata) if metadata.is_dir() => {
                    self.findings.push(Finding::new(&path, Problem::Unreadable, "it is a folder"));
                }
                Ok(metadata) if metadata.is_file() => {
                    let canonical = if is_link {
                        paths::canonical(&path)
                    } else {
                        canonical_folder.join(entry.file_name())
                    };
                    self.files.push(FoundFile::of(path, canonical, &metadata));
                }
                // Opening a pipe or a device could wait for ever.
                Ok(_) => {
                    self.findings.push(Finding::new(&path, Problem::Unreadable, "it is no regular file"));
                }
                Err(error) => self.findings.push(Finding::unreadable(&path, error)),
            }
        }
    }

    /// What is in a folder, by the bytes of the names. A folder that does not exist is an empty one.
    fn entries(&mut self, folder: &Path) -> Vec<DirEntry> {
        let mut entries = Vec::new();
        match fs::read_dir(folder) {
            Ok(read) => {
                for entry in read {
                    match entry {
                        Ok(entry) => entries.push(entry),
                        Err(error) => self.findings.push(Finding::unreadable(folder, error)),
                    }
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => self.findings.push(Finding::unreadable(folder, error)),
        }
        entries.sort_by_cached_key(DirEntry::file_name);
        entries
    }
}

/// Whether a file of this name counts: by its ending, in small letters.
pub fn is_session_name(name: &OsStr) -> bool {
    name.as_encoded_bytes().ends_with(b".jsonl")
}

fn by_name_downwards(a: &FoundFile, b: &FoundFile) -> Ordering {
    compare_names(&b.name(), &a.name())
}
