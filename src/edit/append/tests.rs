use std::cell::RefCell;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::store::Environment;

const HEADER: &str =
    r#"{"type":"session","version":3,"id":"s","timestamp":"2026-01-05T08:00:00.000Z","cwd":"/p"}"#;

fn entry(id: &str, parent: &str) -> String {
    format!(
        r#"{{"type":"message","id":"{id}","parentId":{parent},"timestamp":"2026-01-05T08:00:01.000Z","message":{{"role":"user","content":"hi"}}}}"#
    )
}

/// A session file in a folder of its own, with an editor.
struct Bench {
    folder: TempDir,
    path: PathBuf,
    editor: Editor,
}

impl Bench {
    fn with(bytes: &[u8]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        fs::write(&path, bytes).unwrap();
        let environment = Environment::new(folder.path(), folder.path());
        let mut editor = Editor::new(&environment).at(1_767_600_000_000);
        editor.patience = Duration::from_millis(20);
        Self { folder, path, editor }
    }

    /// Two entries, a chain.
    fn chain() -> Self {
        Self::with(format!("{HEADER}\n{}\n{}\n", entry("u1", "null"), entry("a1", "\"u1\"")).as_bytes())
    }

    fn session(&self) -> Session {
        Session::open(&self.path).unwrap()
    }

    fn bytes(&self) -> Vec<u8> {
        fs::read(&self.path).unwrap()
    }

    /// What another program does to the file.
    fn foreign(&self, text: &str) {
        use std::io::Write;
        File::options().append(true).open(&self.path).unwrap().write_all(text.as_bytes()).unwrap();
    }

    fn name(&self, disk: &impl Disk, session: &Session) -> Result<Appended, String> {
        let make = |place: &Place<'_>| entries::session_info(place, "new");
        self.editor.append(disk, session, &Below::Last, &make).map_err(|cause| cause.to_string())
    }
}

/// The parent that a line names, as JSON.
fn parent_of(line: &str) -> Option<String> {
    let value: serde_json::Value = serde_json::from_str(line).unwrap();
    value.get("parentId").map(ToString::to_string)
}

#[test]
fn a_line_hangs_below_the_entry_that_is_last() {
    let (u1, a1) = (entry("u1", "null"), entry("a1", "\"u1\""));
    for (tail, parent, newline) in [
        (String::new(), Some("null"), ""),
        (format!("{u1}\n{a1}\n"), Some("\"a1\""), ""),
        (format!("{u1}\n{a1}"), Some("\"a1\""), "\n"),
        (format!("{u1}\n{}", &a1[..40]), Some("\"u1\""), "\n"),
        (format!("{u1}\n{}\n\n  \n", &a1[..40]), Some("\"u1\""), ""),
        (format!("{u1}\n{a1}{a1}\n"), Some("\"u1\""), ""),
        (format!("{u1}\n7\n[]\nnull\n{HEADER}\n"), Some("\"u1\""), ""),
        (format!("{u1}\r\n"), Some("\"u1\""), ""),
        (r#"{"type":"message","id":7,"parentId":null,"message":{}}"#.into(), Some("7"), "\n"),
        (
            r#"{"type":"message","id":"\ud83d","parentId":null,"message":{}}"#.into(),
            Some("\"\\ud83d\""),
            "\n",
        ),
        (r#"{"type":"message","message":{}}"#.into(), None, "\n"),
    ] {
        let bench = Bench::with(format!("{HEADER}\n{tail}").as_bytes());
        let before = bench.bytes();
        let appended = bench.editor.rename(&bench.session(), " a\nname ").unwrap();
        if tail.contains("ud83d") {
            assert!(appended.line.contains(r#""parentId":"\ud83d""#), "{}", appended.line);
        } else {
            assert_eq!(parent_of(&appended.line).as_deref(), parent, "{tail}");
        }
        let expected = [&before, newline.as_bytes(), appended.line.as_bytes(), b"\n"].concat();
        assert_eq!(bench.bytes(), expected, "{tail}");
        assert_eq!(bench.session().name(), Some("a name"), "{tail}");
    }
}

#[test]
fn a_label_says_what_pi_would_say() {
    let bench = Bench::chain();
    let session = bench.session();
    let u1 = session.find_text("u1").unwrap();
    let set = bench.editor.label(&session, u1, "  mark ").unwrap();
    let rest = r#""parentId":"a1","timestamp":"2026-01-05T08:00:00.000Z","targetId":"u1","label":"mark"}"#;
    assert_eq!(set.line, format!(r#"{{"type":"label","id":"{}",{rest}"#, set.id));
    // The session that is shown is the old one; the next line hangs below the one just written all the same.
    let cleared = bench.editor.label(&session, u1, " ").unwrap();
    assert_eq!(parent_of(&cleared.line), Some(format!("\"{}\"", set.id)));
    assert!(!cleared.line.contains("\"label\":"));
    assert!(bench.session().labels().is_empty());
}

#[test]
fn a_rehearsal_writes_nothing() {
    let bench = Bench::chain();
    let before = bench.bytes();
    let line = bench.editor.clone().rehearsing().rename(&bench.session(), "x").unwrap().line;
    assert_eq!(parent_of(&line).as_deref(), Some("\"a1\""));
    assert_eq!(bench.bytes(), before);
}

#[test]
fn version_1_takes_a_name_but_no_label() {
    let v1 = "{\"type\":\"session\",\"id\":\"s\"}\n{\"type\":\"message\",\"message\":{\"role\":\"user\"}}\n";
    let bench = Bench::with(v1.as_bytes());
    let session = bench.session();
    let refused = bench.editor.label(&session, EntryIx::new(0), "x").unwrap_err();
    assert_eq!(refused.cause.to_string(), Refusal::NeedsMigration.to_string());
    assert_eq!(bench.bytes(), v1.as_bytes());
    let named = bench.editor.rename(&session, "n").unwrap();
    assert_eq!(parent_of(&named.line), None);
    assert_eq!(bench.session().name(), Some("n"));
}

#[test]
fn a_newer_version_must_look_known() {
    let header = HEADER.replace(":3,", ":4,");
    let known = format!("{header}\n{}\n", entry("u1", "null"));
    let bench = Bench::with(known.as_bytes());
    bench.editor.rename(&bench.session(), "x").unwrap();
    for odd in [r#"{"type":"novelty","id":"n","parentId":null}"#, r#"{"type":"label","id":"n"}"#] {
        let bench = Bench::with(format!("{header}\n{odd}\n").as_bytes());
        let refused = bench.editor.rename(&bench.session(), "x").unwrap_err();
        assert_eq!(refused.cause.to_string(), Refusal::NewerVersion.to_string());
    }
}

#[test]
fn a_version_that_is_no_number_is_one_all_the_same() {
    let bench = Bench::with(format!("{}\n", HEADER.replace(":3,", ":\"0.1.0\",")).as_bytes());
    bench.editor.rename(&bench.session(), "x").unwrap();
    assert_eq!(bench.session().name(), Some("x"));
}

#[test]
fn a_file_that_is_no_longer_the_one_shown_is_refused() {
    let change = |change: &dyn Fn(&Bench)| {
        let bench = Bench::chain();
        let session = bench.session();
        change(&bench);
        let after = fs::read(&bench.path).ok();
        let refused = bench.editor.rename(&session, "x").unwrap_err();
        assert_eq!(fs::read(&bench.path).ok(), after, "the file is as the other left it");
        refused.cause.to_string()
    };
    let text = |bench: &Bench| String::from_utf8(bench.bytes()).unwrap();
    assert_eq!(change(&|bench| fs::remove_file(&bench.path).unwrap()), Refusal::Vanished.to_string());
    assert_eq!(
        change(&|bench| {
            let other = bench.folder.path().join("other");
            fs::copy(&bench.path, &other).unwrap();
            fs::rename(other, &bench.path).unwrap();
        }),
        Refusal::Replaced.to_string()
    );
    assert_eq!(
        change(&|bench| File::options().write(true).open(&bench.path).unwrap().set_len(120).unwrap()),
        Refusal::Shrunk.to_string()
    );
    assert_eq!(
        change(&|bench| fs::write(&bench.path, text(bench).replace("/p", "/q")).unwrap()),
        Refusal::Rewritten.to_string()
    );
    assert_eq!(
        change(&|bench| fs::write(&bench.path, text(bench).replace("\"a1\"", "\"b1\"")).unwrap()),
        Refusal::Rewritten.to_string()
    );
}

#[test]
fn a_lock_that_is_held_is_waited_for_and_then_reported() {
    let bench = Bench::chain();
    let path = fs::canonicalize(&bench.path).unwrap();
    let lock = Lock::take(&bench.editor.locks(), &path, Duration::ZERO).unwrap();
    let refused = bench.editor.rename(&bench.session(), "x").unwrap_err();
    assert_eq!(refused.cause.to_string(), Refusal::Locked.to_string());
    drop(lock);
    bench.editor.rename(&bench.session(), "x").unwrap();
}

/// What goes wrong with a disk.
enum Fault {
    Open(io::ErrorKind),
    /// The disk takes so many bytes more and then nothing.
    FullAfter(usize),
    Sync(io::ErrorKind),
    /// The disk takes so many bytes of a write and then reports an error of its own all the same.
    WriteAfter(usize),
    /// So many reads succeed, then none.
    ReadAfter(usize),
    /// Somebody does something right before a write. Each is done once, the last one first.
    Before(Vec<Box<dyn Fn()>>),
    /// The same at every write.
    BeforeEach(Box<dyn Fn()>),
}

/// A real disk on which one thing goes wrong.
struct FaultyDisk(std::rc::Rc<RefCell<Fault>>);

impl FaultyDisk {
    fn new(fault: Fault) -> Self {
        Self(std::rc::Rc::new(RefCell::new(fault)))
    }
}

/// EIO, which Rust has no name for.
fn input_output_error() -> io::Error {
    io::Error::from_raw_os_error(5)
}

struct FaultyFile(File, std::rc::Rc<RefCell<Fault>>);

impl Disk for FaultyDisk {
    type File = FaultyFile;

    fn open(&self, path: &Path) -> io::Result<FaultyFile> {
        match *self.0.borrow() {
            Fault::Open(kind) => Err(kind.into()),
            _ => Ok(FaultyFile(RealDisk.open(path)?, self.0.clone())),
        }
    }

    fn identity(&self, path: &Path) -> io::Result<Identity> {
        RealDisk.identity(path)
    }
}

impl AppendFile for FaultyFile {
    fn identity(&self) -> io::Result<Identity> {
        self.0.identity()
    }

    fn length(&self) -> io::Result<u64> {
        self.0.length()
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        match &mut *self.1.borrow_mut() {
            Fault::ReadAfter(0) => return Err(input_output_error()),
            Fault::ReadAfter(left) => *left -= 1,
            _ => {}
        }
        AppendFile::read_at(&self.0, buffer, offset)
    }

    fn append(&self, bytes: &[u8]) -> io::Result<usize> {
        match &mut *self.1.borrow_mut() {
            Fault::FullAfter(0) => return Err(io::ErrorKind::StorageFull.into()),
            Fault::FullAfter(left) => {
                let taken = bytes.len().min(*left);
                *left -= taken;
                return self.0.append(&bytes[..taken]);
            }
            Fault::WriteAfter(taken) => {
                self.0.append(&bytes[..*taken])?;
                return Err(input_output_error());
            }
            Fault::Before(acts) => {
                if let Some(act) = acts.pop() {
                    act();
                }
            }
            Fault::BeforeEach(act) => act(),
            _ => {}
        }
        self.0.append(bytes)
    }

    fn sync(&self) -> io::Result<()> {
        match *self.1.borrow() {
            Fault::Sync(kind) => Err(kind.into()),
            _ => self.0.sync(),
        }
    }
}

#[test]
fn a_disk_that_refuses_leaves_the_file_alone() {
    for (fault, words) in [
        (Fault::Open(io::ErrorKind::PermissionDenied), "cannot be written to"),
        (Fault::Open(io::ErrorKind::ReadOnlyFilesystem), "cannot be written to"),
        (Fault::Open(io::ErrorKind::NotFound), "is gone"),
        (Fault::FullAfter(0), "no storage space"),
    ] {
        let bench = Bench::chain();
        let before = bench.bytes();
        let error = bench.name(&FaultyDisk::new(fault), &bench.session()).unwrap_err();
        assert!(error.contains(words), "{error}");
        assert_eq!(bench.bytes(), before);
    }
}

#[test]
fn a_disk_that_fails_in_the_middle_is_reported_and_what_stood_there_stays() {
    let length = {
        let bench = Bench::chain();
        bench.name(&RealDisk, &bench.session()).unwrap().line.len()
    };
    for taken in 0..=length {
        let bench = Bench::chain();
        let before = bench.bytes();
        let error = bench.name(&FaultyDisk::new(Fault::WriteAfter(taken)), &bench.session()).unwrap_err();
        assert!(error.contains("input/output error"), "{error}");
        assert_eq!(error.contains("has grown"), taken > 0, "{error}");
        assert_eq!(bench.bytes()[..before.len()], before);
        let next = bench.name(&RealDisk, &bench.session()).unwrap();
        let after = bench.session();
        assert_eq!(after.entry_id(after.current_leaf().unwrap()).as_str(), next.id);
        assert_eq!(after.path_to(after.current_leaf()).len(), 3 + usize::from(taken == length));
    }
}

#[test]
fn a_disk_that_cannot_be_read_is_reported_by_what_was_done_before() {
    let mut written = 0;
    for reads in 0.. {
        let bench = Bench::chain();
        let before = bench.bytes();
        let Err(error) = bench.name(&FaultyDisk::new(Fault::ReadAfter(reads)), &bench.session()) else {
            break;
        };
        assert!(error.contains("input/output error"), "{error}");
        let is_written = bench.bytes() != before;
        assert_eq!(is_written, error.contains("was written"), "{reads}: {error}");
        assert_eq!(bench.session().name().is_some(), is_written);
        written += usize::from(is_written);
    }
    assert!(written > 0, "some reads come after the write");
}

#[test]
fn a_write_that_is_not_confirmed_is_not_called_done() {
    let bench = Bench::chain();
    let error =
        bench.name(&FaultyDisk::new(Fault::Sync(io::ErrorKind::Other)), &bench.session()).unwrap_err();
    assert!(error.contains("does not confirm"), "{error}");
}

#[test]
fn a_disk_that_fills_up_anywhere_in_a_line_leaves_a_session_that_the_next_write_repairs() {
    let bench = Bench::chain();
    let length = bench.name(&RealDisk, &bench.session()).unwrap().line.len();
    for taken in 1..=length {
        let bench = Bench::chain();
        let before = bench.bytes();
        let session = bench.session();
        let error = bench.name(&FaultyDisk::new(Fault::FullAfter(taken)), &session).unwrap_err();
        assert!(error.contains(&format!("took only {taken} of {}", length + 1)), "{error}");
        assert_eq!(bench.bytes()[..before.len()], before);
        assert_eq!(bench.session().len(), 2 + usize::from(taken == length));
        // pi appends without looking, so what it adds may be lost to the torn line; ours is not.
        let next = bench.name(&RealDisk, &bench.session()).unwrap();
        let after = bench.session();
        assert_eq!(after.name(), Some("new"));
        assert_eq!(after.entry_id(after.current_leaf().unwrap()).as_str(), next.id);
        assert_eq!(after.path_to(after.current_leaf()).len(), 3 + usize::from(taken == length));
    }
}

#[test]
fn a_line_torn_by_a_full_disk_is_closed_off_when_one_byte_still_fits() {
    // The disk takes nine bytes, then the line end, as when a quota is raised between two writes.
    struct Once(RefCell<Option<usize>>, File);
    impl AppendFile for Once {
        fn identity(&self) -> io::Result<Identity> {
            self.1.identity()
        }
        fn length(&self) -> io::Result<u64> {
            self.1.length()
        }
        fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
            AppendFile::read_at(&self.1, buffer, offset)
        }
        fn append(&self, bytes: &[u8]) -> io::Result<usize> {
            let taken = self.0.borrow_mut().take().unwrap_or(bytes.len());
            self.1.append(&bytes[..taken])
        }
        fn sync(&self) -> io::Result<()> {
            Ok(())
        }
    }
    let bench = Bench::chain();
    let file = Once(RefCell::new(Some(9)), RealDisk.open(&bench.path).unwrap());
    let tail = Tail::read(&file, &bench.session(), &[]).unwrap();
    let error = write_line(&file, "{\"type\":\"label\"}", &tail).unwrap_err().to_string();
    assert!(error.contains("stands alone"), "{error}");
    bench.foreign(&format!("{}\n", entry("u2", "\"a1\"")));
    assert_eq!(bench.session().len(), 3, "what pi adds next is whole");
}

/// The entries from the root to the current leaf, without labels and names.
fn conversation(session: &Session) -> Vec<String> {
    let path = session.path_to(session.current_leaf());
    let said = path.into_iter().filter(|&ix| session.entry(ix).kind.word() == "message");
    said.map(|ix| session.entry_id(ix).to_string()).collect()
}

#[test]
fn an_entry_that_pi_slips_in_stays_on_the_current_branch() {
    let bench = Bench::chain();
    let slip = |id: &'static str, parent: &'static str| -> Box<dyn Fn()> {
        let path = bench.path.clone();
        Box::new(move || {
            use std::io::Write;
            let mut file = File::options().append(true).open(&path).unwrap();
            writeln!(file, "{}", entry(id, parent)).unwrap();
        })
    };
    let disk = FaultyDisk::new(Fault::Before(vec![slip("a2", "\"u2\""), slip("u2", "\"a1\"")]));
    bench.name(&disk, &bench.session()).unwrap();
    let session = bench.session();
    assert_eq!(conversation(&session), ["u1", "a1", "u2", "a2"]);
    assert_eq!(session.name(), Some("new"));
    assert!(session.diagnostics().is_empty(), "{:?}", session.diagnostics());
}

#[test]
fn half_a_line_that_somebody_leaves_in_between_costs_only_itself() {
    let bench = Bench::chain();
    let path = bench.path.clone();
    let half = move || {
        use std::io::Write;
        File::options().append(true).open(&path).unwrap().write_all(b"{\"type\":\"mess").unwrap();
    };
    let disk = FaultyDisk::new(Fault::Before(vec![Box::new(half)]));
    bench.name(&disk, &bench.session()).unwrap();
    let session = bench.session();
    assert_eq!(conversation(&session), ["u1", "a1"]);
    assert_eq!(session.name(), Some("new"));
}

#[test]
fn a_line_that_was_half_written_when_it_was_seen_may_be_completed() {
    let line = entry("u2", "\"a1\"") + "\n";
    for cut in 1..line.len() {
        let bench = Bench::chain();
        bench.foreign(&line[..cut]);
        let session = bench.session();
        let (path, rest) = (bench.path.clone(), line[cut..].to_owned());
        let complete = move || {
            use std::io::Write;
            File::options().append(true).open(&path).unwrap().write_all(rest.as_bytes()).unwrap();
        };
        bench.name(&FaultyDisk::new(Fault::Before(vec![Box::new(complete)])), &session).unwrap();
        let session = bench.session();
        assert_eq!(conversation(&session), ["u1", "a1", "u2"], "cut at {cut}");
        assert_eq!(session.name(), Some("new"));
    }
}

#[test]
fn a_file_that_changes_under_the_write_is_reported() {
    let bench = Bench::chain();
    let (path, other) = (bench.path.clone(), bench.folder.path().join("other"));
    fs::copy(&path, &other).unwrap();
    let replace = move || fs::rename(&other, &path).unwrap();
    let error =
        bench.name(&FaultyDisk::new(Fault::Before(vec![Box::new(replace)])), &bench.session()).unwrap_err();
    assert!(error.contains("took its place"), "{error}");

    let bench = Bench::chain();
    let path = bench.path.clone();
    let shorten = move || File::options().write(true).open(&path).unwrap().set_len(130).unwrap();
    let error =
        bench.name(&FaultyDisk::new(Fault::Before(vec![Box::new(shorten)])), &bench.session()).unwrap_err();
    assert!(error.contains("changed what stood in it"), "{error}");

    let bench = Bench::chain();
    let path = bench.path.clone();
    let always = move || {
        use std::io::Write;
        let mut file = File::options().append(true).open(&path).unwrap();
        writeln!(file, "{}", entry("u2", "\"a1\"")).unwrap();
    };
    let error =
        bench.name(&FaultyDisk::new(Fault::BeforeEach(Box::new(always))), &bench.session()).unwrap_err();
    assert!(error.contains("at the same moment"), "{error}");
}

/// A piece of a session file, with its line end where it has one.
fn piece() -> impl Strategy<Value = String> {
    let id = (0..12u8).prop_map(|id| format!("e{id}"));
    let parent = prop_oneof![Just("null".to_owned()), (0..12u8).prop_map(|id| format!("\"e{id}\""))];
    prop_oneof![
        6 => (id, parent).prop_map(|(id, parent)| entry(&id, &parent) + "\n"),
        1 => (0..60usize).prop_map(|cut| entry("torn", "null")[..cut].to_owned()),
        1 => (0..60usize).prop_map(|cut| entry("torn", "null")[..cut].to_owned() + "\n"),
        1 => Just(entry("glued", "null")),
        1 => prop_oneof![Just("\n"), Just("7\n"), Just("\r\n"), Just("[]\n"), Just("{}\n"), Just("\u{fffd}\n")]
            .prop_map(str::to_owned),
        1 => Just(HEADER.to_owned() + "\n"),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Any file, read at some point and grown since: what was there stays byte for byte, the new line is the last
    /// entry, below the one that was last.
    #[test]
    fn any_tail_keeps_its_bytes_and_its_position(
        seen in prop::collection::vec(piece(), 0..8),
        grown in prop::collection::vec(piece(), 0..8),
    ) {
        let bench = Bench::with(format!("{HEADER}\n{}", seen.concat()).as_bytes());
        let session = bench.session();
        bench.foreign(&grown.concat());
        let before = bench.bytes();
        let was = bench.session();
        let appended = bench.name(&RealDisk, &session).unwrap();
        let after = bench.bytes();
        let newline = if before.ends_with(b"\n") { "" } else { "\n" };
        let expected = [&before[..], newline.as_bytes(), appended.line.as_bytes(), b"\n"].concat();
        prop_assert_eq!(after, expected);
        let now = bench.session();
        prop_assert_eq!(now.len(), was.len() + 1);
        let leaf = now.current_leaf().unwrap();
        prop_assert_eq!(now.entry_id(leaf).as_str(), &appended.id);
        prop_assert_eq!(now.name(), Some("new"));
        let above = now.links().named_parent(leaf).map(|ix| now.entry_id(ix).clone());
        let last = was.current_leaf().map(|ix| was.entry_id(ix).clone());
        prop_assert_eq!(above, last);
    }

    /// A process killed after any byte of the write: the file reads as before, and the next line repairs it.
    #[test]
    fn a_kill_at_any_byte_is_repaired_by_the_next_line(
        seen in prop::collection::vec(piece(), 0..5),
        share in 0.0..1.0f64,
    ) {
        let bench = Bench::with(format!("{HEADER}\n{}", seen.concat()).as_bytes());
        let (before, was) = (bench.bytes(), bench.session());
        bench.name(&RealDisk, &was).unwrap();
        let written = bench.bytes();
        let kept = before.len() + ((written.len() - before.len()) as f64 * share) as usize;
        File::options().write(true).open(&bench.path).unwrap().set_len(kept as u64).unwrap();
        let killed = bench.session();
        prop_assert!(killed.len() - was.len() <= 1);
        bench.name(&RealDisk, &killed).unwrap();
        let now = bench.session();
        prop_assert_eq!(now.len(), killed.len() + 1);
        prop_assert_eq!(now.name(), Some("new"));
        prop_assert_eq!(&bench.bytes()[..before.len()], &before[..]);
    }
}
