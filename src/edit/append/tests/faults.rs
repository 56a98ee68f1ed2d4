//! A disk on which one thing goes wrong, and somebody else who writes at the same moment.

use std::cell::RefCell;

use super::*;

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

#[test]
fn a_line_below_a_named_entry_is_written_once_whatever_comes_between() {
    let bench = Bench::chain();
    let path = bench.path.clone();
    let slip = move || {
        use std::io::Write;
        let mut file = File::options().append(true).open(&path).unwrap();
        writeln!(file, "{}", entry("u2", "\"a1\"")).unwrap();
    };
    let disk = FaultyDisk::new(Fault::Before(vec![Box::new(slip)]));
    let make = |place: &Place<'_>| entries::session_info(place, "new");
    let below = Below::Entry(Parent::Id("\"u1\"".into()));
    let appended = bench.editor.append(&disk, &bench.session(), &below, &make).unwrap();
    let session = bench.session();
    assert_eq!(session.len(), 4, "two that were there, theirs and ours");
    let leaf = session.current_leaf().unwrap();
    assert_eq!(session.entry_id(leaf).as_str(), appended.id);
    assert_eq!(session.links().parent(leaf), session.find_text("u1"));
}
