use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use super::refusal::cause_of;
use super::replace::sync_folder;
use crate::error::Cause;
use crate::format::JsObject;

/// The header of a session that begins now.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewHeader<'h> {
    pub(super) id: &'h str,
    /// Its time as JavaScript prints it.
    pub(super) timestamp: &'h str,
    pub(super) cwd: &'h Path,
    /// The session it was split off from.
    pub(super) parent_session: Option<&'h str>,
}

impl NewHeader<'_> {
    /// Its line, without a line end, keys in pi's order.
    pub(super) fn line(&self) -> String {
        JsObject::default()
            .with_text("type", "session")
            .with("version", "3")
            .with_text("id", self.id)
            .with_text("timestamp", self.timestamp)
            .with_text("cwd", &self.cwd.to_string_lossy())
            .with_some_text("parentSession", self.parent_session)
            .print()
    }

    /// The name that pi gives to the session's file.
    pub(super) fn file_name(&self) -> String {
        format!("{}_{}.jsonl", self.timestamp.replace([':', '.'], "-"), self.id)
    }
}

/// Lines, each with its line end.
pub(super) fn lines(lines: impl IntoIterator<Item = String>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for line in lines {
        bytes.extend_from_slice(line.as_bytes());
        bytes.push(b'\n');
    }
    bytes
}

/// Writes a session file that must not exist yet, or be empty, with its folder. One that was made for it is taken away
/// again when that fails.
pub(super) fn create(path: &Path, bytes: &[u8]) -> Result<(), Cause> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let made = File::options().write(true).create_new(true).open(path);
    let is_made = made.is_ok();
    let mut file = match made {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => empty(path)?,
        made => made.map_err(cause_of)?,
    };
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    if let Err(error) = written {
        if is_made {
            // The failure that counts is the one before.
            let _ = fs::remove_file(path);
        }
        return Err(error.into());
    }
    sync_folder(path);
    Ok(())
}

/// A file that is there and empty, as somebody may have made it for a session to come.
fn empty(path: &Path) -> Result<File, Cause> {
    let file = File::options().append(true).open(path).map_err(cause_of)?;
    if file.metadata()?.len() > 0 {
        return Err(Cause::Other("another file stands there already".into()));
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_made_only_where_there_is_none_or_an_empty_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/s.jsonl");
        create(&path, b"one\n").unwrap();
        assert!(create(&path, b"two\n").unwrap_err().to_string().contains("stands there already"));
        assert_eq!(fs::read(&path).unwrap(), b"one\n");
        fs::write(&path, "").unwrap();
        create(&path, b"two\n").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two\n");
    }
}
