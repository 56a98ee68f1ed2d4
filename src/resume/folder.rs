use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders that are looked at for a proposal; more than that is no longer nearby.
const LOOKED_AT: usize = 5_000;

/// The folder a session belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Folder {
    /// It is there.
    There(PathBuf),
    /// It is gone.
    Gone {
        /// The folder.
        folder: PathBuf,
        /// Where it seems to have been moved, if exactly one place fits.
        proposal: Option<PathBuf>,
    },
    /// The session names none.
    Unnamed,
}

impl Folder {
    /// Looks for the folder of a session's header. `known` are the folders of other sessions.
    pub fn of<'k>(cwd: Option<&str>, known: impl IntoIterator<Item = &'k str>) -> Self {
        let Some(folder) = cwd.map(Path::new).filter(|folder| folder.is_absolute()) else {
            return Self::Unnamed;
        };
        if folder.is_dir() {
            return Self::There(folder.to_owned());
        }
        Self::Gone { folder: folder.to_owned(), proposal: propose(folder, known) }
    }
}

/// Where a folder that is gone seems to have been moved: the one folder of the same name that other sessions name, or
/// that holds a git repository and lies up to two levels below the nearest parent that is still there.
pub fn propose<'k>(gone: &Path, known: impl IntoIterator<Item = &'k str>) -> Option<PathBuf> {
    let name = gone.file_name()?;
    let mut found: BTreeSet<PathBuf> = known
        .into_iter()
        .map(PathBuf::from)
        .filter(|folder| folder.file_name() == Some(name) && folder.is_dir())
        .collect();
    let near = gone.ancestors().skip(1).find(|folder| folder.is_dir())?;
    // Below the root everything would be near.
    if near.parent().is_some() {
        let mut looked_at = 0;
        for first in folders(near) {
            for folder in std::iter::once(first.clone()).chain(folders(&first)) {
                looked_at += 1;
                if looked_at > LOOKED_AT {
                    return None;
                }
                if folder.file_name() == Some(name) && folder.join(".git").exists() {
                    found.insert(folder);
                }
            }
        }
    }
    if found.len() == 1 { found.pop_first() } else { None }
}

/// The folders in a folder, links and hidden ones left out.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    entries
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .filter(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."))
        .map(|entry| entry.path())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_folder_of_the_same_name_is_proposed() {
        let root = tempfile::tempdir().unwrap();
        let at = |path: &str| root.path().join(path);
        for folder in ["work/old", "archive/api/.git", "archive/web", "other/api"] {
            fs::create_dir_all(at(folder)).unwrap();
        }
        let gone = at("api");
        assert_eq!(propose(&gone, []), Some(at("archive/api")));
        let known = at("other/api").to_string_lossy().into_owned();
        assert_eq!(propose(&gone, [&*known]), None, "two fit");
        assert_eq!(propose(&at("web"), []), None, "it holds neither sessions nor a repository");
        assert_eq!(propose(&at("nothing/like/this"), []), None);
    }

    #[test]
    fn a_folder_is_there_gone_or_not_named() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().to_str().unwrap();
        assert_eq!(Folder::of(Some(path), []), Folder::There(root.path().to_owned()));
        assert_eq!(Folder::of(Some("relative"), []), Folder::Unnamed);
        assert_eq!(Folder::of(None, []), Folder::Unnamed);
        let gone = root.path().join("gone");
        assert_eq!(Folder::of(gone.to_str(), []), Folder::Gone { folder: gone.clone(), proposal: None });
    }
}
