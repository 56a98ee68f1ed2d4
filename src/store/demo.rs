use std::collections::HashSet;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::encode_cwd;
use crate::error::{Cause, Error};
use crate::format::{Header, js, json::Document};

/// A store of invented sessions, written to a folder of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DemoStore {
    /// The sessions root, laid out as pi lays out its own.
    pub sessions: PathBuf,
    /// The home folder of the invented person, to be shown as `~`.
    pub home: PathBuf,
}

/// The sessions by name, as `assets/demo` holds them: exactly what pi 1.6.0 writes, except for the places.
const DEMOS: [(&str, &str); 11] = [
    ("dark-mode", include_str!("../../assets/demo/dark-mode.jsonl")),
    ("design-review", include_str!("../../assets/demo/design-review.jsonl")),
    ("event-sourcing", include_str!("../../assets/demo/event-sourcing.jsonl")),
    ("fix-flaky-login-test", include_str!("../../assets/demo/fix-flaky-login-test.jsonl")),
    ("jwt-variant", include_str!("../../assets/demo/jwt-variant.jsonl")),
    ("pool-leak", include_str!("../../assets/demo/pool-leak.jsonl")),
    ("refactor-auth-module", include_str!("../../assets/demo/refactor-auth-module.jsonl")),
    ("release-notes", include_str!("../../assets/demo/release-notes.jsonl")),
    ("remove-moment", include_str!("../../assets/demo/remove-moment.jsonl")),
    ("try-sessions-instead", include_str!("../../assets/demo/try-sessions-instead.jsonl")),
    ("upgrade-axum", include_str!("../../assets/demo/upgrade-axum.jsonl")),
];

/// The project whose folder is missing, as happens to old work.
const GONE: &str = "old/prototype";
/// How long before now the newest session was active, in milliseconds.
const NEWEST_AGO: i64 = 5 * 60 * 1000;
const HOME: &str = "@HOME@";
/// The longest first line that is read to tell what a file is, in bytes.
const LONGEST_HEADER: u64 = 1 << 16;
const WRITE: &str = "cannot write the demo to";

/// Writes the demo below `dir`, with every time moved so that the newest session was active five minutes before
/// `now_ms` (milliseconds since 1970). The same `dir` and `now_ms` give the same bytes. A demo written there
/// before is replaced, with what was split off from it; nothing else in `dir`, and nothing outside it, is touched.
///
/// # Errors
/// When a folder or file below `dir` cannot be written.
pub fn write_demo(dir: &Path, now_ms: i64) -> Result<DemoStore, Error> {
    fs::create_dir_all(dir).map_err(|error| Error::new(WRITE, dir, error))?;
    let dir = dir.canonicalize().map_err(|error| Error::new(WRITE, dir, error))?;
    let store = DemoStore { sessions: dir.join("sessions"), home: dir.join("home") };
    let newest = DEMOS.iter().filter_map(|(_, text)| newest(text)).max().unwrap_or(now_ms);
    let shift = now_ms - NEWEST_AGO - newest;

    let home = store.home.display().to_string();
    let mut places = vec![(HOME.to_owned(), home.clone())];
    let mut sessions = Vec::with_capacity(DEMOS.len());
    for (name, text) in DEMOS {
        let text = moved(text, shift);
        let (cwd, file) = place(&text, &home).ok_or_else(|| Error::new(WRITE, &dir, not_a_session(name)))?;
        let path = store.sessions.join(encode_cwd(Path::new(&cwd))).join(file);
        places.push((format!("@FILE:{name}@"), path.display().to_string()));
        sessions.push((PathBuf::from(cwd), path, text));
    }
    remove_earlier(&store.sessions);
    for (cwd, path, text) in sessions {
        if !cwd.ends_with(GONE) {
            fs::create_dir_all(&cwd).map_err(|error| Error::new(WRITE, &cwd, error))?;
        }
        write_session(&path, &text, &places).map_err(|error| Error::new(WRITE, &path, error))?;
    }
    Ok(store)
}

/// Removes the sessions of a demo written at another time, which have the same ids, and those that were split off from
/// them. What cannot be removed stays as one more session.
fn remove_earlier(sessions: &Path) {
    let ids: HashSet<String> =
        DEMOS.iter().filter_map(|(_, text)| header(text)?.id).map(Into::into).collect();
    let below =
        |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    for file in below(sessions).flat_map(|project| below(&project).collect::<Vec<_>>()) {
        let Some(header) = first_line(&file).as_deref().and_then(header) else { continue };
        let is_earlier = header.id.is_some_and(|id| ids.contains(&*id));
        let is_split_off =
            header.parent_session.is_some_and(|parent| Path::new(&*parent).starts_with(sessions));
        if is_earlier || is_split_off {
            _ = fs::remove_file(file);
        }
    }
}

fn first_line(path: &Path) -> Option<String> {
    let mut line = String::new();
    BufReader::new(fs::File::open(path).ok()?).take(LONGEST_HEADER).read_line(&mut line).ok()?;
    Some(line)
}

fn header(text: &str) -> Option<Header> {
    let line = text.lines().next()?;
    let document = Document::parse(line.to_owned()).ok()?;
    Header::of(document.root(), 1, 0, line.len() as u32)
}

/// Writes one file, as old as the newest time in it.
fn write_session(path: &Path, text: &str, places: &[(String, String)]) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, placed(text, places))?;
    let age = newest(text).and_then(|time| u64::try_from(time).ok()).unwrap_or(0);
    fs::File::options()
        .append(true)
        .open(path)?
        .set_modified(SystemTime::UNIX_EPOCH + Duration::from_millis(age))
}

/// The working directory and the file name of a session, from its header.
fn place(text: &str, home: &str) -> Option<(String, String)> {
    let header = header(text)?;
    let time = header.timestamp?.replace([':', '.'], "-");
    Some((header.cwd?.replace(HOME, home), format!("{time}_{}.jsonl", header.id?)))
}

fn not_a_session(name: &str) -> Cause {
    Cause::NotASession(format!("{name} has no header"))
}

/// A session's text with every placeholder filled in. All of them stand inside JSON strings.
fn placed(text: &str, places: &[(String, String)]) -> String {
    places.iter().fold(text.to_owned(), |text, (placeholder, value)| {
        let mut quoted = String::new();
        js::quote(value, &mut quoted);
        text.replace(placeholder, quoted.trim_matches('"'))
    })
}

/// A time in a session's text: where its digits stand, and the milliseconds since 1970 they mean.
struct Stamp {
    at: Range<usize>,
    time: i64,
    form: Form,
}

/// How pi writes a time: entries as ISO text, messages as a number.
enum Form {
    Iso,
    Millis,
}

/// Every `"timestamp"` of a session's text. A quote inside a string is escaped, so no content is taken for one, and
/// damaged lines keep their times too.
fn stamps(text: &str) -> impl Iterator<Item = Stamp> {
    const KEY: &str = "\"timestamp\":";
    text.match_indices(KEY).filter_map(move |(found, _)| {
        let start = found + KEY.len();
        let (at, form) = if text[start..].starts_with('"') {
            (start + 1..start + 25, Form::Iso)
        } else {
            (start..start + 13, Form::Millis)
        };
        let digits = text.get(at.clone())?;
        let time = match form {
            Form::Iso => js::date(digits)?,
            Form::Millis => digits.parse().ok()?,
        };
        Some(Stamp { at, time, form })
    })
}

fn newest(text: &str) -> Option<i64> {
    stamps(text).map(|stamp| stamp.time).max()
}

/// A session's text with every time moved by `shift` milliseconds.
fn moved(text: &str, shift: i64) -> String {
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for Stamp { at, time, form } in stamps(text) {
        out.push_str(&text[copied..at.start]);
        out.push_str(&match form {
            Form::Iso => js::iso(time + shift),
            Form::Millis => (time + shift).to_string(),
        });
        copied = at.end;
    }
    out.push_str(&text[copied..]);
    out
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::format::{EntryHead, Kind, LineReader, entry_head};

    const NOW: i64 = 1_796_040_000_000;

    /// One written session: its header and what its lines say.
    struct Read {
        path: PathBuf,
        header: Header,
        entries: Vec<EntryHead>,
        unread: usize,
    }

    fn files_below(folder: &Path) -> Vec<PathBuf> {
        let mut open = vec![folder.to_owned()];
        let mut found = Vec::new();
        while let Some(folder) = open.pop() {
            for item in fs::read_dir(folder).unwrap() {
                let path = item.unwrap().path();
                if path.is_dir() { open.push(path) } else { found.push(path) }
            }
        }
        found.sort();
        found
    }

    fn read(path: PathBuf) -> Read {
        let mut lines = LineReader::new(fs::File::open(&path).unwrap());
        let (mut header, mut entries, mut unread) = (None, Vec::new(), 0);
        while let Some(line) = lines.next_line().unwrap() {
            let Ok(document) = Document::parse_lossy(line.bytes.to_vec()) else {
                unread += 1;
                continue;
            };
            let length = line.bytes.len() as u32;
            match Header::of(document.root(), line.number, line.offset, length) {
                Some(found) => header = Some(found),
                None => entries.push(entry_head(document.root(), line.number, line.offset, length)),
            }
        }
        Read { path, header: header.unwrap(), entries, unread }
    }

    fn written(now: i64) -> (tempfile::TempDir, DemoStore, Vec<Read>) {
        let dir = tempfile::tempdir().unwrap();
        let store = write_demo(&dir.path().join("demo"), now).unwrap();
        let sessions = files_below(&store.sessions).into_iter().map(read).collect();
        (dir, store, sessions)
    }

    fn count(session: &Read, kind: &str) -> usize {
        session.entries.iter().filter(|entry| entry.kind.word() == kind).count()
    }

    fn named<'s>(sessions: &'s [Read], wanted: &str) -> &'s Read {
        let has_name = |entry: &EntryHead| matches!(&entry.kind, Kind::SessionInfo { name: Some(name) } if &**name == wanted);
        sessions
            .iter()
            .find(|session| session.entries.iter().any(has_name) && session.header.parent_session.is_none())
            .unwrap()
    }

    #[test]
    fn every_session_lies_where_pi_would_have_put_it() {
        let (_dir, store, sessions) = written(NOW);
        assert_eq!(sessions.len(), DEMOS.len());
        for session in &sessions {
            let Header { cwd, timestamp, id, .. } = &session.header;
            let cwd = cwd.as_deref().unwrap();
            let folder = session.path.parent().unwrap();
            assert_eq!(folder, store.sessions.join(encode_cwd(Path::new(cwd))));
            let time = timestamp.as_deref().unwrap().replace([':', '.'], "-");
            assert_eq!(session.path, folder.join(format!("{time}_{}.jsonl", id.as_deref().unwrap())));
            assert!(Path::new(cwd).starts_with(&store.home));
            assert_eq!(Path::new(cwd).is_dir(), !cwd.ends_with(GONE), "{cwd}");
        }
    }

    #[test]
    fn the_newest_session_was_active_five_minutes_ago() {
        for now in [NOW, 1_900_000_000_000] {
            let (_dir, _store, sessions) = written(now);
            let last = |session: &Read| session.entries.iter().filter_map(|entry| entry.time).max().unwrap();
            assert_eq!(sessions.iter().map(last).max(), Some(now - NEWEST_AGO));
            for session in &sessions {
                let modified = fs::metadata(&session.path).unwrap().modified().unwrap();
                let age = modified.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis();
                assert_eq!(age, last(session) as u128, "{}", session.path.display());
                assert!(session.header.created().unwrap() <= last(session));
            }
        }
    }

    #[test]
    fn message_times_move_with_their_entries() {
        let (_dir, _store, sessions) = written(NOW);
        for entry in sessions.iter().flat_map(|session| &session.entries) {
            if let Kind::Message(message) = &entry.kind {
                let (entry, message) = (entry.time.unwrap(), message.time.unwrap());
                assert!((0..700_000).contains(&(entry - message)), "{entry} {message}");
            }
        }
    }

    #[test]
    fn forks_name_the_file_they_left_and_share_its_entries() {
        let (_dir, _store, sessions) = written(NOW);
        let parent = named(&sessions, "Refactor auth module");
        let forks: Vec<_> =
            sessions.iter().filter(|session| session.header.parent_session.is_some()).collect();
        assert_eq!(forks.len(), 2);
        for fork in forks {
            assert_eq!(fork.header.parent_session.as_deref(), parent.path.to_str());
            let is_shared = |entry: &&EntryHead| parent.entries.iter().any(|other| other.id == entry.id);
            let shared = fork.entries.iter().filter(is_shared).count();
            assert!(shared >= 12 && shared < fork.entries.len(), "{shared}");
        }
    }

    #[test]
    fn every_kind_of_thing_there_is_to_see_is_there() {
        let (_dir, _store, sessions) = written(NOW);
        let main = named(&sessions, "Refactor auth module");
        for (kind, wanted) in [("compaction", 1), ("branch_summary", 1), ("context_edit", 2), ("label", 1)] {
            assert_eq!(count(main, kind), wanted, "{kind}");
        }
        assert!(named(&sessions, "spike: event sourcing").entries.len() > 200);
        let damaged: Vec<_> = sessions.iter().filter(|session| session.unread > 0).collect();
        assert_eq!(damaged.iter().map(|session| session.unread).collect::<Vec<_>>(), [2]);
        let projects: BTreeSet<_> = sessions.iter().map(|session| &session.header.cwd).collect();
        assert_eq!(projects.len(), 3);
        let text: String =
            sessions.iter().map(|session| fs::read_to_string(&session.path).unwrap()).collect();
        for wanted in
            ["設計レビュー", "\"type\":\"image\"", "\"thinking\"", "\"aborted\"", "excludeFromContext", "👩‍💻"]
        {
            assert!(text.contains(wanted), "{wanted}");
        }
        assert!(!text.contains("@HOME@") && !text.contains("@FILE:"));
    }

    #[test]
    fn the_same_now_gives_the_same_bytes_and_nothing_else_is_touched() {
        let dir = tempfile::tempdir().unwrap();
        let (demo, beside) = (dir.path().join("demo"), dir.path().join("beside"));
        fs::write(&beside, "as it was").unwrap();
        let all = |store: &DemoStore| -> Vec<_> {
            files_below(&store.sessions).into_iter().map(|path| (fs::read(&path).unwrap(), path)).collect()
        };
        let first = all(&write_demo(&demo, NOW).unwrap());
        assert_eq!(all(&write_demo(&demo, NOW).unwrap()), first);
        assert_eq!(files_below(dir.path()).len(), first.len() + 1);
        assert_eq!(fs::read_to_string(&beside).unwrap(), "as it was");
    }

    #[test]
    fn an_earlier_demo_is_replaced_with_its_forks_and_other_sessions_stay() {
        let dir = tempfile::tempdir().unwrap();
        let store = write_demo(dir.path(), NOW).unwrap();
        let count = files_below(&store.sessions).len();
        let own = store.sessions.join("--mine--/2026-01-01T00-00-00-000Z_mine.jsonl");
        fs::create_dir_all(own.parent().unwrap()).unwrap();
        fs::write(&own, "mine").unwrap();
        let parent = files_below(&store.sessions).swap_remove(0);
        let fork = store.sessions.join("--mine--/2026-01-01T00-00-00-000Z_fork.jsonl");
        let line = serde_json::json!({"type": "session", "version": 3, "id": "f", "parentSession": parent});
        fs::write(&fork, format!("{line}\n")).unwrap();
        write_demo(dir.path(), NOW + 60_000).unwrap();
        assert_eq!(files_below(&store.sessions).len(), count + 1);
        assert_eq!(fs::read_to_string(own).unwrap(), "mine");
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_an_error_that_names_it() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        fs::write(&file, "").unwrap();
        let error = write_demo(&file, NOW).unwrap_err().to_string();
        assert!(error.starts_with("cannot write the demo to ") && error.contains("file"), "{error}");
    }
}
