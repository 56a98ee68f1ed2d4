use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::app::Remembered;
use crate::store::{Environment, Store};

/// The file in which it is kept where people were in a store; removing it only forgets that.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    path: PathBuf,
}

impl Memory {
    /// The place for a store; nowhere where the person wants nothing to be remembered.
    pub(super) fn of(store: &Store, environment: &Environment) -> Option<Self> {
        if environment.variable("PISCOPE_REMEMBER").is_some_and(|word| word == "no") {
            return None;
        }
        let name = format!("{:016x}.json", store.fingerprint(environment));
        Some(Self { path: environment.state_dir().join("places").join(name) })
    }

    /// What is remembered; nothing where that cannot be read.
    pub(super) fn load(&self) -> Remembered {
        let text = fs::read(&self.path).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }

    /// Remembers.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn save(&self, remembered: &Remembered) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        // Replaced as a whole: two programs may end at once.
        let beside = self.path.with_extension(format!("{}.new", std::process::id()));
        let text = serde_json::to_vec_pretty(remembered)?;
        let written = write_private(&beside, &text).and_then(|()| fs::rename(&beside, &self.path));
        if written.is_err() {
            _ = fs::remove_file(&beside);
        }
        written
    }
}

/// Writes a file that only its owner can read.
fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_read_again_and_damage_is_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let environment = Environment::new(folder.path(), folder.path());
        let memory = Memory::of(&Store::at(folder.path().to_owned()), &environment).unwrap();
        assert_eq!(memory.load(), Remembered::default());
        let remembered: Remembered =
            serde_json::from_str(r#"{"filter":"no-tools","order":"recent","new-in-a-later-version":1}"#)
                .unwrap();
        memory.save(&remembered).unwrap();
        assert_eq!(memory.load(), remembered);
        assert_ne!(remembered, Remembered::default());
        fs::write(&memory.path, "{torn").unwrap();
        assert_eq!(memory.load(), Remembered::default());
        assert_eq!(fs::read_dir(memory.path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn another_store_is_another_file_and_nothing_is_kept_where_nobody_wants_it() {
        let environment = Environment::new("/home/u", "/");
        let of = |root: &str| Memory::of(&Store::at(root.into()), &environment).unwrap().path;
        assert!(of("/a").starts_with("/home/u/.local/state/piscope/places"));
        assert_ne!(of("/a"), of("/b"));
        let silent = environment.clone().with("PISCOPE_REMEMBER", "no");
        assert!(Memory::of(&Store::at("/a".into()), &silent).is_none());
    }
}
