use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::error::Cause;
use crate::error::Refusal;

/// How often a lock that is held is tried again.
const PAUSE: Duration = Duration::from_millis(5);

/// Keeps other editors away from one session until it is dropped.
///
/// The lock is on a file of its own, named after the session's path with links resolved, so that it never stops
/// pi, which takes no locks. Lock files are left where they are: taking one away while another editor waits for
/// it would let both in.
#[derive(Debug)]
pub(super) struct Lock(#[expect(dead_code, reason = "the lock ends when the file is closed")] File);

impl Lock {
    /// Waits at most `patience` for the lock of the session at `path`.
    pub(super) fn take(folder: &Path, path: &Path, patience: Duration) -> Result<Self, Cause> {
        fs::create_dir_all(folder).map_err(|error| unusable(folder, &error))?;
        let name = lock_file(folder, path);
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&name)
            .map_err(|error| unusable(&name, &error))?;
        let deadline = Instant::now() + patience;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self(file)),
                Err(TryLockError::Error(error)) => return Err(unusable(&name, &error)),
                Err(TryLockError::WouldBlock) if Instant::now() >= deadline => {
                    return Err(Refusal::Locked.into());
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            }
        }
    }
}

fn unusable(path: &Path, error: &io::Error) -> Cause {
    Cause::Other(format!("its lock {} cannot be used: {error}", path.display()))
}

/// The lock file of a session: a hash of its path, since a path is too long for a name. Sessions that share one
/// by chance merely wait for each other.
fn lock_file(folder: &Path, path: &Path) -> PathBuf {
    // FNV-1a, because every version of this program has to find the same file.
    let hash = path.as_os_str().as_encoded_bytes().iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    folder.join(format!("{hash:016x}.lock"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_session_has_one_editor_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let take = |path: &str| Lock::take(folder.path(), Path::new(path), Duration::from_millis(20));
        let first = take("/s/a.jsonl").unwrap();
        assert_eq!(take("/s/a.jsonl").unwrap_err().to_string(), Refusal::Locked.to_string());
        take("/s/b.jsonl").unwrap();
        drop(first);
        take("/s/a.jsonl").unwrap();
    }
}
