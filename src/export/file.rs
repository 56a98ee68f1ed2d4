use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::error::{Cause, Error};
use crate::session::{Identity, Session};

const ACT: &str = "cannot write";

/// What becomes of a file that stands where an export goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// It stays, and nothing is written.
    Kept,
    /// The export takes its place.
    Replaced,
}

/// Writes a document to a file, whole or not at all: beside it first, then in its place. Returns how many bytes it has.
/// What is no file, such as a pipe, is written to as it is.
///
/// # Errors
/// When something stands there that is to be kept, or is the session itself; when the disk or `write` fails. Then
/// everything is as it was.
pub fn write_file(
    path: &Path,
    session: &Session,
    existing: Existing,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Error>,
) -> Result<u64, Error> {
    let failed = |error: io::Error| Error::new(ACT, path, error);
    // A link keeps pointing to what is written in the place of its target.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if let Ok(metadata) = fs::metadata(&target) {
        if metadata.is_dir() {
            return Err(Error::new(ACT, path, Cause::Other("it is a folder".into())));
        }
        if is_of(session, &metadata) {
            return Err(Error::new(ACT, path, Cause::Other("it is the session itself".into())));
        }
        if !metadata.is_file() {
            let mut out = BufWriter::new(File::options().write(true).open(&target).map_err(failed)?);
            write(&mut out)?;
            return out.flush().map_err(failed).map(|()| 0);
        }
        if existing == Existing::Kept {
            return Err(occupied(path));
        }
    }
    let draft = Draft::beside(&target).map_err(failed)?;
    let mut out = BufWriter::with_capacity(1 << 16, &draft.file);
    write(&mut out)?;
    out.flush().map_err(failed)?;
    drop(out);
    draft.file.sync_all().map_err(failed)?;
    let size = draft.file.metadata().map_err(failed)?.len();
    match existing {
        Existing::Replaced => fs::rename(&draft.path, &target).map_err(failed)?,
        Existing::Kept => draft.keep_as(&target).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => occupied(path),
            _ => failed(error),
        })?,
    }
    Ok(size)
}

fn occupied(path: &Path) -> Error {
    Error::new(ACT, path, Cause::Io(io::Error::new(io::ErrorKind::AlreadyExists, "it is there already")))
}

fn is_of(session: &Session, metadata: &fs::Metadata) -> bool {
    let own = session.file().and_then(|file| file.metadata().ok());
    own.is_some_and(|own| Identity::of(&own) == Identity::of(metadata))
}

/// A file being written, removed when it is dropped under its own name.
struct Draft {
    path: PathBuf,
    file: File,
}

impl Draft {
    fn beside(path: &Path) -> io::Result<Self> {
        let mut random = [0; 4];
        getrandom::fill(&mut random).map_err(|error| io::Error::other(error.to_string()))?;
        let name: String = path.file_name().unwrap_or_default().to_string_lossy().chars().take(60).collect();
        let path = path.with_file_name(format!(".{name}.{:08x}.piscope", u32::from_le_bytes(random)));
        let file = File::options().write(true).create_new(true).open(&path)?;
        Ok(Self { path, file })
    }

    /// Gives it its name, where nothing has taken that meanwhile.
    fn keep_as(&self, path: &Path) -> io::Result<()> {
        match fs::hard_link(&self.path, path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                // Some file systems have no second names.
                if path.symlink_metadata().is_ok() {
                    return Err(io::ErrorKind::AlreadyExists.into());
                }
                fs::rename(&self.path, path)
            }
            linked => linked,
        }
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // After the renaming nothing has this name any more.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(folder: &Path) -> Session {
        let path = folder.join("s.jsonl");
        fs::write(&path, "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n").unwrap();
        Session::open(&path).unwrap()
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_only_when_told() {
        let folder = tempfile::tempdir().unwrap();
        let (session, path) = (session(folder.path()), folder.path().join("a.md"));
        let write = |text: &'static [u8], existing| {
            write_file(&path, &session, existing, |out| {
                out.write_all(text).unwrap();
                Ok(())
            })
        };
        assert_eq!(write(b"one", Existing::Kept).unwrap(), 3);
        assert!(write(b"two", Existing::Kept).unwrap_err().to_string().contains("there already"));
        assert_eq!(fs::read(&path).unwrap(), b"one");
        write(b"three", Existing::Replaced).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"three");
        assert_eq!(names(folder.path()), ["a.md", "s.jsonl"]);
    }

    #[test]
    fn what_fails_leaves_everything_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let (session, path) = (session(folder.path()), folder.path().join("a.md"));
        fs::write(&path, "old").unwrap();
        let outcome = write_file(&path, &session, Existing::Replaced, |out| {
            out.write_all(b"half").unwrap();
            Err(Error::new("cannot read", "x", Cause::Cancelled))
        });
        outcome.unwrap_err();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["a.md", "s.jsonl"]);
    }

    #[test]
    fn the_session_itself_and_folders_are_never_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let session = session(folder.path());
        for (path, words) in
            [(session.path().to_owned(), "the session itself"), (folder.path().to_owned(), "a folder")]
        {
            let outcome = write_file(&path, &session, Existing::Replaced, |_| Ok(()));
            assert!(outcome.unwrap_err().to_string().contains(words));
        }
    }

    #[test]
    fn a_file_that_comes_while_the_export_is_written_stays() {
        let folder = tempfile::tempdir().unwrap();
        let (session, path) = (session(folder.path()), folder.path().join("a.md"));
        let outcome = write_file(&path, &session, Existing::Kept, |out| {
            fs::write(&path, "theirs").unwrap();
            out.write_all(b"ours").unwrap();
            Ok(())
        });
        assert!(outcome.unwrap_err().to_string().contains("there already"));
        assert_eq!(fs::read(&path).unwrap(), b"theirs");
    }
}
