use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A session that was written to so lately is taken as being written.
const RECENT: Duration = Duration::from_secs(60);

/// Whether a session is being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Liveness {
    /// Nothing speaks for it.
    Idle,
    /// It was written in the last minute.
    Recent,
    /// A running pi seems to have it.
    Open,
}

/// The processes that may write to sessions, as they are at one moment.
///
/// pi opens, appends and closes, so that an open file proves nothing. What speaks for a pi is its command line, or
/// that it runs in the session's working directory and the session was written since it started. Where processes
/// cannot be looked at, the time of the last write has to do.
#[derive(Clone, Debug)]
pub struct Writers {
    now: SystemTime,
    processes: Vec<Process>,
}

#[derive(Clone, Debug)]
struct Process {
    /// The arguments, separated by zero bytes.
    command: Vec<u8>,
    cwd: PathBuf,
    started: SystemTime,
}

impl Writers {
    /// Looks at the processes of this machine.
    pub fn look() -> Self {
        Self::look_in(Path::new("/proc"), SystemTime::now())
    }

    fn look_in(proc: &Path, now: SystemTime) -> Self {
        let processes = fs::read_dir(proc).into_iter().flatten().flatten();
        let pi = processes.filter_map(|process| {
            let folder = process.path();
            let is_process = process.file_name().as_encoded_bytes().iter().all(u8::is_ascii_digit);
            let command = is_process.then(|| fs::read(folder.join("cmdline")).ok()).flatten()?;
            is_pi(&command).then_some(())?;
            let cwd = fs::read_link(folder.join("cwd")).ok()?;
            let started = process.metadata().and_then(|metadata| metadata.modified()).ok()?;
            Some(Process { command, cwd, started })
        });
        Self { now, processes: pi.collect() }
    }

    /// Whether a session is being written: its path, its id and working directory, and when it was last written.
    pub fn liveness(&self, path: &Path, id: &str, cwd: &str, written: SystemTime) -> Liveness {
        let has_it = |process: &Process| {
            process.names(path.as_os_str().as_encoded_bytes())
                || (!id.is_empty() && process.names(id.as_bytes()))
                || (Path::new(cwd) == process.cwd && written >= process.started)
        };
        if self.processes.iter().any(has_it) {
            Liveness::Open
        } else if self.now.duration_since(written).map_or(true, |since| since < RECENT) {
            Liveness::Recent
        } else {
            Liveness::Idle
        }
    }
}

impl Process {
    fn names(&self, what: &[u8]) -> bool {
        self.command.split(|&byte| byte == 0).any(|argument| argument == what)
    }
}

/// Whether a command line is that of pi: its own name, or a script of its package run by an interpreter.
fn is_pi(command: &[u8]) -> bool {
    command.split(|&byte| byte == 0).take(2).any(|argument| {
        let argument = String::from_utf8_lossy(argument);
        let path = Path::new(&*argument);
        path.file_name().is_some_and(|name| name == "pi") || path.iter().any(|part| part == "pi-coding-agent")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pi_is_known_by_its_name_or_its_package() {
        for (command, is) in [
            ("pi\0", true),
            ("/usr/bin/node\0/usr/local/bin/pi\0--continue\0", true),
            ("node\0/x/node_modules/@earendil-works/pi-coding-agent/dist/cli.js\0", true),
            ("vim\0notes\0pi\0", false),
            ("pip\0install\0", false),
            ("", false),
        ] {
            assert_eq!(is_pi(command.as_bytes()), is, "{command:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_process_or_a_recent_write_makes_a_session_live() {
        let folder = tempfile::tempdir().unwrap();
        let process = folder.path().join("17");
        fs::create_dir(&process).unwrap();
        fs::write(process.join("cmdline"), "node\0/bin/pi\0--session\0/s/a.jsonl\0").unwrap();
        std::os::unix::fs::symlink("/home/u/p", process.join("cwd")).unwrap();
        let now = SystemTime::now() + Duration::from_secs(3600);
        let writers = Writers::look_in(folder.path(), now);
        let long_ago = now - Duration::from_secs(7200);
        let since = now - Duration::from_secs(600);
        for (path, id, cwd, written, liveness) in [
            ("/s/a.jsonl", "x", "/q", long_ago, Liveness::Open),
            ("/s/b.jsonl", "x", "/home/u/p", since, Liveness::Open),
            ("/s/b.jsonl", "x", "/home/u/p", long_ago, Liveness::Idle),
            ("/s/b.jsonl", "", "/q", since, Liveness::Idle),
            ("/s/b.jsonl", "x", "/q", now - Duration::from_secs(59), Liveness::Recent),
            ("/s/b.jsonl", "x", "/q", now + Duration::from_secs(5), Liveness::Recent),
        ] {
            assert_eq!(
                writers.liveness(Path::new(path), id, cwd, written),
                liveness,
                "{path} {cwd} {written:?}"
            );
        }
    }
}
