use std::env;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::time::SystemTime;

use crate::app::OutsideText;
use crate::resume::words;

/// Opens a text in the program the person reads and writes with, and waits until it is closed. That is the first that is
/// set of `VISUAL`, `EDITOR` and `PAGER`, else `less`. What is changed there is not kept.
///
/// # Errors
/// Why the text could not be written down or the program not be run, in a sentence.
pub(super) fn open(text: &OutsideText) -> Result<(), String> {
    let command = chosen(&["VISUAL", "EDITOR", "PAGER"]).unwrap_or_else(|| "less".into());
    let path = env::temp_dir().join(format!("piscope-{}.{}", process::id(), text.extension));
    let file =
        Written::new(path, &text.text).map_err(|error| format!("the text cannot be written: {error}"))?;
    run(&command, &file.0).map_err(|error| format!("cannot run {command}: {error}"))
}

/// Has the person edit a text in the first that is set of `VISUAL` and `EDITOR`, else `vi`, and returns what they
/// made of it; nothing where they left without saving.
///
/// # Errors
/// Why the text could not be written down, the program not be run, or the text not be read, in a sentence.
pub(super) fn edit(text: &str) -> Result<String, String> {
    let command = chosen(&["VISUAL", "EDITOR"]).unwrap_or_else(|| "vi".into());
    let path = env::temp_dir().join(format!("piscope-{}.md", process::id()));
    let file = Written::new(path, text).map_err(|error| format!("the text cannot be written: {error}"))?;
    file.age().map_err(|error| format!("the text cannot be written: {error}"))?;
    run(&command, &file.0).map_err(|error| format!("cannot run {command}: {error}"))?;
    if !file.was_saved() {
        return Ok(String::new());
    }
    fs::read_to_string(&file.0).map_err(|error| format!("the text cannot be read: {error}"))
}

/// The first of these variables that says something.
fn chosen(names: &[&str]) -> Option<String> {
    names.iter().filter_map(|name| env::var(name).ok()).find(|command| !command.trim().is_empty())
}

/// Runs a command line with a file behind it.
fn run(command: &str, file: &Path) -> io::Result<()> {
    let words = words(command);
    let (program, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let status = Command::new(program).args(arguments).arg(file).status()?;
    if status.success() { Ok(()) } else { Err(io::Error::other(status.to_string())) }
}

/// A file that only its owner can read, removed when dropped.
struct Written(PathBuf);

impl Written {
    fn new(path: PathBuf, text: &str) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        // A file or a link that somebody else put there is not followed.
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&path)?;
        let written = Self(path);
        file.write_all(text.as_bytes())?;
        Ok(written)
    }

    /// Makes the file look old, so that saving it shows even within one tick of the clock of its file system.
    fn age(&self) -> io::Result<()> {
        OpenOptions::new().write(true).open(&self.0)?.set_modified(SystemTime::UNIX_EPOCH)
    }

    /// Whether it was written to since then, or is another file by now.
    fn was_saved(&self) -> bool {
        let modified = fs::metadata(&self.0).and_then(|found| found.modified());
        modified.is_ok_and(|modified| modified != SystemTime::UNIX_EPOCH)
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        // It lies in the folder for temporary files; what cannot be removed is the system's to clean.
        let _ = fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_gets_the_file_and_the_file_goes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text.md");
        let file = Written::new(path.clone(), "words").unwrap();
        run("grep -q words", &path).unwrap();
        assert!(run("grep -q nothing", &path).is_err());
        assert!(run("no-such-program-anywhere", &path).is_err());
        assert!(Written::new(path.clone(), "again").is_err(), "what is there is not written over");
        drop(file);
        assert!(!path.exists());
    }
}
