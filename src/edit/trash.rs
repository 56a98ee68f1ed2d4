use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::id;
use super::refusal::cause_of;
use crate::error::Cause;

/// Where deleted files go: the seam at which tests put a folder of their own.
pub(super) trait Trash {
    /// Takes a file away and returns where it is now, if that is known.
    fn take(&self, path: &Path) -> Result<Option<PathBuf>, Cause>;
}

/// The user's trash: the program `trash` where there is one, as in pi, else that of the desktop.
#[derive(Clone, Copy, Debug)]
pub(super) struct SystemTrash;

impl Trash for SystemTrash {
    fn take(&self, path: &Path) -> Result<Option<PathBuf>, Cause> {
        let before = items_of(path);
        let complaint = match run_program(path) {
            _ if is_gone(path) => None,
            Ok(complaint) => Some(complaint),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => Some(error.to_string()),
        };
        if !is_gone(path) {
            trash::delete(path).map_err(|error| {
                let also = complaint.map(|text| format!("; `trash` said: {text}")).unwrap_or_default();
                Cause::Other(format!("the trash does not take it: {error}{also}"))
            })?;
        }
        if !is_gone(path) {
            return Err(Cause::Other("the trash reports success, but the file is still there".into()));
        }
        Ok(items_of(path).into_iter().find(|item| !before.contains(item)))
    }
}

/// A folder that serves as trash, where the desktop has none or another one is wanted.
#[derive(Clone, Debug)]
pub(super) struct FolderTrash(pub(super) PathBuf);

impl Trash for FolderTrash {
    fn take(&self, path: &Path) -> Result<Option<PathBuf>, Cause> {
        std::fs::create_dir_all(&self.0)?;
        let name = path.file_name().unwrap_or_default();
        let mut to = self.0.join(name);
        while to.symlink_metadata().is_ok() {
            let mut other = name.to_owned();
            other.push(format!(".{}", id::entry_id(|_| false)?));
            to = self.0.join(other);
        }
        move_file(path, &to).map_err(cause_of)?;
        Ok(Some(to))
    }
}

/// Moves a file, also to another disk.
pub(super) fn move_file(from: &Path, to: &Path) -> io::Result<()> {
    match std::fs::rename(from, to) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            std::fs::copy(from, to)?;
            std::fs::remove_file(from)
        }
        other => other,
    }
}

/// Runs the program `trash` and returns the first line of what it complains about.
fn run_program(path: &Path) -> io::Result<String> {
    let mut command = Command::new("trash");
    if path.as_os_str().as_encoded_bytes().starts_with(b"-") {
        command.arg("--");
    }
    let output = command.arg(path).stdin(Stdio::null()).output()?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    Ok(complaint.lines().next().unwrap_or_default().to_owned())
}

fn is_gone(path: &Path) -> bool {
    path.symlink_metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

/// The files in the trash that came from a path.
#[cfg(target_os = "linux")]
fn items_of(path: &Path) -> Vec<PathBuf> {
    let items = trash::os_limited::list().unwrap_or_default();
    let ours = items.into_iter().filter(|item| item.original_path() == path);
    ours.filter_map(|item| file_of(Path::new(&item.id))).collect()
}

/// Other systems do not say where things are in their trash.
#[cfg(not(target_os = "linux"))]
fn items_of(_path: &Path) -> Vec<PathBuf> {
    Vec::new()
}

/// The file that a `.trashinfo` of the freedesktop trash belongs to: `…/info/x.trashinfo` goes with `…/files/x`.
#[cfg(target_os = "linux")]
fn file_of(info: &Path) -> Option<PathBuf> {
    Some(info.parent()?.parent()?.join("files").join(info.file_stem()?))
}

/// The `.trashinfo` that goes with a file of the freedesktop trash; none for a file that is elsewhere.
pub(super) fn info_of(file: &Path) -> Option<PathBuf> {
    let files = file.parent().filter(|folder| folder.ends_with("files"))?;
    let mut name = file.file_name()?.to_owned();
    name.push(".trashinfo");
    Some(files.with_file_name("info").join(name))
}
