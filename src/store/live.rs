use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::SessionSummary;
use super::files::{is_session_name, millis};
use super::paths::canonical;

/// A session that was written to within so many milliseconds is taken as being written.
const RECENT: i64 = 60_000;
/// A list is not drawn anew with every second, so its marks stay for longer.
const MARKED: i64 = 2 * RECENT;

/// What speaks for it that a session is being written.
///
/// pi opens, appends and closes, and takes no locks: an open file proves nothing, and nothing else is certain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Liveness {
    /// A running pi seems to have it.
    pub has_pi: bool,
    /// Milliseconds since it was last written; negative where clocks disagree.
    age: i64,
}

impl Liveness {
    /// Whether it has to be taken as being written.
    pub fn is_live(self) -> bool {
        self.has_pi || self.age.abs() < RECENT
    }

    /// Whether a list marks it.
    pub fn is_marked(self) -> bool {
        self.has_pi || self.age.abs() < MARKED
    }

    /// The same in words, as the beginning of a sentence about a session that is live.
    pub fn words(self) -> Option<String> {
        if self.has_pi {
            return Some("a running pi has it".into());
        }
        self.is_live().then(|| format!("it was written to {} s ago", self.age.max(0) / 1000))
    }
}

/// What a session is known by, for those who want to know whether it is being written.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'s> {
    /// Its file, links resolved.
    pub path: &'s Path,
    /// Its id; empty where it has none.
    pub id: &'s str,
    /// Its working directory; empty where it has none.
    pub cwd: &'s str,
    /// When it was last written, in milliseconds since 1970.
    pub written: i64,
}

impl<'s> From<&'s SessionSummary> for Subject<'s> {
    fn from(summary: &'s SessionSummary) -> Self {
        Self {
            path: &summary.canonical,
            id: summary.id.as_ref().map_or("", |id| id.as_str()),
            cwd: &summary.cwd,
            written: summary.mtime,
        }
    }
}

/// The processes that may write to sessions, as they were at one moment.
///
/// What speaks for a pi is its command line, or that it runs in the session's working directory and the session was
/// written since it started. Where processes cannot be looked at, the time of the last write has to do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Writers(Vec<Process>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Process {
    arguments: Vec<String>,
    /// The session files among them, links resolved.
    files: Vec<PathBuf>,
    cwd: PathBuf,
    /// In milliseconds since 1970.
    started: i64,
}

impl Writers {
    /// Looks at the processes of this machine.
    pub fn look() -> Self {
        Self::look_in(Path::new("/proc"))
    }

    /// The same as told by a folder in the shape of `/proc`.
    pub(crate) fn look_in(proc: &Path) -> Self {
        let processes = fs::read_dir(proc).into_iter().flatten().flatten();
        let pi = processes.filter_map(|process| {
            let folder = process.path();
            let is_process = process.file_name().as_encoded_bytes().iter().all(u8::is_ascii_digit);
            let command = is_process.then(|| fs::read(folder.join("cmdline")).ok()).flatten()?;
            let arguments =
                command.split(|&byte| byte == 0).map(|it| String::from_utf8_lossy(it).into_owned());
            let arguments: Vec<String> = arguments.collect();
            is_pi(&arguments).then_some(())?;
            let cwd = fs::read_link(folder.join("cwd")).ok()?;
            let started = process.metadata().and_then(|metadata| metadata.modified()).ok()?;
            let files = arguments.iter().filter(|it| is_session_name(it.as_ref()));
            let files = files.map(|it| canonical(&cwd.join(it))).collect();
            Some(Process { arguments, files, cwd, started: millis(started) })
        });
        Self(pi.collect())
    }

    /// What speaks for it that a session is being written. `now` is in milliseconds since 1970.
    pub fn liveness<'s>(&self, session: impl Into<Subject<'s>>, now: i64) -> Liveness {
        let session = session.into();
        Liveness {
            has_pi: self.0.iter().any(|process| process.has(&session)),
            age: now.saturating_sub(session.written),
        }
    }

    /// The same at this moment.
    pub fn liveness_now<'s>(&self, session: impl Into<Subject<'s>>) -> Liveness {
        self.liveness(session, millis(SystemTime::now()))
    }
}

impl Process {
    fn has(&self, session: &Subject<'_>) -> bool {
        let is_here = Path::new(session.cwd) == self.cwd && session.written >= self.started;
        let is_named = self.files.iter().any(|file| file == session.path);
        is_here || is_named || self.arguments.iter().any(|argument| is_id_of(argument, session))
    }
}

/// Whether an argument is the id of a session, or the start of one.
fn is_id_of(argument: &str, session: &Subject<'_>) -> bool {
    /// A start with fewer characters may mean anything.
    const PREFIX: usize = 8;
    !argument.is_empty()
        && (argument == session.id || (argument.len() >= PREFIX && session.id.starts_with(argument)))
}

/// Whether a command is pi: by its own name, or as a script of its package that an interpreter runs.
fn is_pi(arguments: &[String]) -> bool {
    arguments.iter().take(2).map(Path::new).any(|path| {
        path.file_name().is_some_and(|name| name == "pi") || path.iter().any(|part| part == "pi-coding-agent")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pi_is_known_by_its_name_or_its_package() {
        for (command, is) in [
            ("pi", true),
            ("/usr/bin/node /usr/local/bin/pi --continue", true),
            ("node /x/node_modules/@earendil-works/pi-coding-agent/dist/cli.js", true),
            ("vim notes pi", false),
            ("pip install", false),
            ("", false),
        ] {
            let arguments: Vec<String> = command.split(' ').map(str::to_owned).collect();
            assert_eq!(is_pi(&arguments), is, "{command:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_process_or_a_recent_write_makes_a_session_live() {
        let folder = tempfile::tempdir().unwrap();
        for (name, command) in [
            ("17", "node\0/bin/pi\0--session\0a.jsonl\0"),
            ("18", "pi\0--session\x000198a000\0"),
            ("19", "vim\0b.jsonl\0"),
        ] {
            let process = folder.path().join(name);
            fs::create_dir(&process).unwrap();
            fs::write(process.join("cmdline"), command).unwrap();
            std::os::unix::fs::symlink("/home/u/p", process.join("cwd")).unwrap();
        }
        let writers = Writers::look_in(folder.path());
        let started = writers.0[0].started;
        let now = started + 3_600_000;
        let (long_ago, since) = (started - 1, started + 1);
        for (path, id, cwd, written, has_pi, is_live, is_marked) in [
            ("/home/u/p/a.jsonl", "x", "/q", long_ago, true, true, true),
            ("/s/a.jsonl", "x", "/q", long_ago, false, false, false),
            ("/s/b.jsonl", "0198a000-77", "/q", long_ago, true, true, true),
            ("/s/b.jsonl", "x", "/home/u/p", since, true, true, true),
            ("/s/b.jsonl", "x", "/home/u/p", long_ago, false, false, false),
            ("/s/b.jsonl", "", "", since, false, false, false),
            ("/s/b.jsonl", "x", "/q", now - 59_999, false, true, true),
            ("/s/b.jsonl", "x", "/q", now - 60_000, false, false, true),
            ("/s/b.jsonl", "x", "/q", now - 120_000, false, false, false),
            // A clock that is a little ahead, and one that is wrong.
            ("/s/b.jsonl", "x", "/q", now + 5_000, false, true, true),
            ("/s/b.jsonl", "x", "/q", now + 86_400_000, false, false, false),
        ] {
            let found = writers.liveness(Subject { path: Path::new(path), id, cwd, written }, now);
            assert_eq!(
                (found.has_pi, found.is_live(), found.is_marked()),
                (has_pi, is_live, is_marked),
                "{path} {id} {cwd} {written}"
            );
        }
    }

    #[test]
    fn what_speaks_for_it_is_said() {
        let written = |ago: i64| {
            let subject = Subject { path: Path::new("/s"), id: "", cwd: "", written: 1_000_000 - ago };
            Writers::default().liveness(subject, 1_000_000).words()
        };
        assert_eq!(written(12_345).as_deref(), Some("it was written to 12 s ago"));
        assert_eq!(written(-5_000).as_deref(), Some("it was written to 0 s ago"));
        assert_eq!(written(61_000), None);
        assert_eq!(Liveness { has_pi: true, age: 0 }.words().as_deref(), Some("a running pi has it"));
    }
}
