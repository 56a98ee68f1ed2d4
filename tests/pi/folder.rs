//! The fixtures as they were when pi was asked about them.

use std::fs;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use tempfile::TempDir;

pub(crate) const SETS: [&str; 3] = ["samples", "cases", "corpus"];

/// Every copy was last written on 2026-01-31 at noon: rows without any other time show it.
const WRITTEN: u64 = 1_769_860_800;

/// Copies the session files of all sets into a fresh folder.
pub(crate) fn fixtures() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for set in SETS {
        let to = folder.path().join(set);
        fs::create_dir(&to).expect("a folder");
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(set);
        for file in fs::read_dir(from).expect("fixtures").flatten() {
            if file.path().extension().is_some_and(|extension| extension == "jsonl") {
                copy(&file.path(), &to);
            }
        }
    }
    folder
}

/// `@DIR@` in a file stands for the folder it lies in.
fn copy(file: &Path, to: &Path) {
    let bytes = fs::read(file).expect("a fixture");
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => text.replace("@DIR@", &to.to_string_lossy()).into_bytes(),
        Err(error) => error.into_bytes(),
    };
    let copy = to.join(file.file_name().expect("a name"));
    fs::write(&copy, bytes).expect("a copy");
    let written = UNIX_EPOCH + Duration::from_secs(WRITTEN);
    fs::File::options().write(true).open(copy).and_then(|file| file.set_modified(written)).expect("a time");
}
