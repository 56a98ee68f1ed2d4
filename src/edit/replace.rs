use std::fs::{self, File, FileTimes};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::disk::{Identity, read_exact_at};
use super::id;
use super::refusal::cause_of;
use crate::error::Cause;
use crate::error::Refusal;

/// A file that is to be rewritten, open, as it was first seen.
#[derive(Debug)]
pub(super) struct Original {
    path: PathBuf,
    /// The file that was seen, whatever stands at the path by now.
    pub(super) file: File,
    identity: Identity,
    /// Its length.
    pub(super) length: u64,
    modified: Option<SystemTime>,
}

impl Original {
    /// Opens a file, with links resolved: a link keeps pointing to what is written in its target's place.
    pub(super) fn open(path: &Path) -> Result<Self, Cause> {
        let path = fs::canonicalize(path).map_err(cause_of)?;
        let file = File::open(&path).map_err(cause_of)?;
        let metadata = file.metadata()?;
        let modified = metadata.modified().ok();
        Ok(Self { path, identity: Identity::of(&metadata), length: metadata.len(), modified, file })
    }

    /// Its path, links resolved.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What was seen of the file, from its start.
    pub(super) fn bytes(&self) -> io::Result<io::Take<&File>> {
        let mut file = &self.file;
        file.seek(SeekFrom::Start(0))?;
        Ok(file.take(self.length))
    }

    /// The bytes of a place in it.
    pub(super) fn read_at(&self, offset: u64, length: u32) -> io::Result<Vec<u8>> {
        read_exact_at(&self.file, offset, length as usize)
    }

    fn is_unchanged(&self) -> bool {
        fs::metadata(&self.path).is_ok_and(|now| {
            (Identity::of(&now), now.len(), now.modified().ok())
                == (self.identity, self.length, self.modified)
        })
    }

    /// Puts what `write` writes in the file's place, whole or not at all: written beside it, synced, with its mode
    /// and times, and renamed over it. The name of the draft never ends in `.jsonl`. With `backup` the old file
    /// stays under that name.
    ///
    /// Refused when the file has changed since it was opened. What another process appends in the instant before
    /// the renaming is carried over.
    pub(super) fn replace(
        self,
        backup: Option<&Path>,
        write: impl FnOnce(&Self, &mut dyn Write) -> Result<(), Cause>,
    ) -> Result<(), Cause> {
        if self.file.metadata()?.permissions().readonly() {
            return Err(Refusal::ReadOnly.into());
        }
        let draft = Draft::beside(&self.path)?;
        let mut out = BufWriter::new(&draft.file);
        write(&self, &mut out)?;
        out.flush()?;
        drop(out);
        let metadata = self.file.metadata()?;
        draft.file.set_permissions(metadata.permissions())?;
        let times = FileTimes::new().set_accessed(metadata.accessed()?).set_modified(metadata.modified()?);
        draft.file.set_times(times)?;
        draft.file.sync_all()?;
        if !self.is_unchanged() {
            return Err(Refusal::Rewritten.into());
        }
        if let Some(backup) = backup {
            keep(&self.path, backup)?;
        }
        fs::rename(&draft.path, &self.path).map_err(cause_of)?;
        sync_folder(&self.path);
        self.carry_over()
    }

    /// Appends to the new file what came to the old one after it was read.
    fn carry_over(&self) -> Result<(), Cause> {
        if self.file.metadata()?.len() <= self.length {
            return Ok(());
        }
        let mut late = Vec::new();
        let mut old = &self.file;
        old.seek(SeekFrom::Start(self.length))?;
        old.read_to_end(&mut late)?;
        let mut new = File::options().append(true).open(&self.path)?;
        new.write_all(&late)?;
        Ok(new.sync_all()?)
    }
}

/// Keeps the old file under another name, which must be free.
fn keep(path: &Path, backup: &Path) -> Result<(), Cause> {
    if backup.symlink_metadata().is_ok() {
        return Err(Cause::Other(format!("a backup is there already; remove {} first", backup.display())));
    }
    if fs::hard_link(path, backup).is_ok() {
        return Ok(());
    }
    // Some file systems have no second names.
    let copied = fs::copy(path, backup).and_then(|_| File::open(backup)?.sync_all());
    copied.map_err(|error| Cause::Other(format!("no backup {}: {}", backup.display(), Cause::from(error))))
}

/// A file being written, removed when it is dropped before it was renamed.
#[derive(Debug)]
struct Draft {
    path: PathBuf,
    file: File,
}

impl Draft {
    fn beside(path: &Path) -> Result<Self, Cause> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let path = path.with_file_name(format!(".{name}.{}.piscope", id::entry_id(|_| false)?));
        let file = File::options().write(true).create_new(true).open(&path).map_err(cause_of)?;
        Ok(Self { path, file })
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // After the renaming nothing has this name any more.
        let _ = fs::remove_file(&self.path);
    }
}

/// Makes a new name in a folder last. Systems that cannot do so keep names safe by themselves.
pub(super) fn sync_folder(path: &Path) {
    if let Some(folder) = path.parent() {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[cfg(unix)]
    #[test]
    fn mode_times_and_links_are_kept() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("s.jsonl"), folder.path().join("l.jsonl"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        let modified = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000);
        File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
        symlink(&path, &link).unwrap();
        let backup = folder.path().join("s.jsonl.v1-backup");
        Original::open(&link)
            .unwrap()
            .replace(Some(&backup), |_, out| Ok(out.write_all(b"new text")?))
            .unwrap();
        let metadata = fs::metadata(&path).unwrap();
        assert_eq!(metadata.permissions().mode() & 0o777, 0o640);
        assert_eq!(metadata.modified().unwrap(), modified);
        assert_eq!(fs::read_to_string(&link).unwrap(), "new text");
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&backup).unwrap(), "old");
        assert_eq!(names(folder.path()), ["l.jsonl", "s.jsonl", "s.jsonl.v1-backup"]);
    }

    #[test]
    fn a_file_that_changed_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        fs::write(&path, "old").unwrap();
        let original = Original::open(&path).unwrap();
        let outcome = original.replace(None, |_, out| {
            fs::write(&path, "older").unwrap();
            Ok(out.write_all(b"new")?)
        });
        assert_eq!(outcome.unwrap_err().to_string(), Refusal::Rewritten.to_string());
        assert_eq!(fs::read_to_string(&path).unwrap(), "older");
        assert_eq!(names(folder.path()), ["s.jsonl"]);
    }

    #[test]
    fn a_failed_write_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        fs::write(&path, "old").unwrap();
        let full = |_: &Original, out: &mut dyn Write| {
            out.write_all(b"half")?;
            Err(io::Error::from(io::ErrorKind::StorageFull).into())
        };
        Original::open(&path).unwrap().replace(None, full).unwrap_err();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(folder.path()), ["s.jsonl"]);
    }

    #[test]
    fn what_comes_at_the_last_instant_is_carried_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        fs::write(&path, "old\n").unwrap();
        let original = Original::open(&path).unwrap();
        // The old file grows after it has lost its name.
        let mut old = File::options().append(true).open(&path).unwrap();
        fs::write(folder.path().join("new"), "new\n").unwrap();
        fs::rename(folder.path().join("new"), &path).unwrap();
        old.write_all(b"late\n").unwrap();
        original.carry_over().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new\nlate\n");
    }
}
