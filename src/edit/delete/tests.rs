use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use super::*;
use crate::store::Environment;

/// A store with two projects, and a folder that serves as trash.
struct Bench {
    folder: TempDir,
    editor: Editor,
    store: Store,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["sessions/one", "sessions/two", "bin"] {
            fs::create_dir_all(folder.path().join(name)).unwrap();
        }
        let environment = Environment::new(folder.path(), folder.path());
        let store =
            Store { root: folder.path().join("sessions"), layout: Layout::PerProject, origin: Origin::Flag };
        Self { editor: Editor::new(&environment), store, folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.store.root.join(name)
    }

    /// A session that was last written an hour ago, with odd bytes behind its header.
    fn session(&self, name: &str, parent: Option<&Path>) -> PathBuf {
        let path = self.path(name);
        let parent = parent.map(|p| format!(",\"parentSession\":\"{}\"", p.display())).unwrap_or_default();
        let text =
            format!("\n{{\"type\":\"session\",\"id\":\"{name}\"{parent},\"extra\":1.0}}\n{{\"a\": 1}}\ntorn");
        fs::write(&path, text).unwrap();
        let file = fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(3600)).unwrap();
        path
    }

    fn delete(&self, paths: &[PathBuf], removal: Removal) -> Deletion {
        let bin = Folder(self.folder.path().join("bin"));
        self.editor.delete_to(&bin, &Writers::look(), &self.store, paths, removal)
    }

    fn parent(&self, name: &str) -> Option<String> {
        store::read_header(&self.path(name)).unwrap().unwrap().parent_session.map(Into::into)
    }
}

struct Folder(PathBuf);

impl Trash for Folder {
    fn take(&self, path: &Path) -> Result<Option<PathBuf>, Cause> {
        let to = self.0.join(path.file_name().unwrap());
        fs::rename(path, &to)?;
        Ok(Some(to))
    }
}

struct Full;

impl Trash for Full {
    fn take(&self, _path: &Path) -> Result<Option<PathBuf>, Cause> {
        Err(Cause::Other("full".into()))
    }
}

#[test]
fn forks_in_all_folders_name_the_ancestor_that_stays() {
    let bench = Bench::new();
    let top = bench.session("one/top.jsonl", None);
    let middle = bench.session("one/middle.jsonl", Some(&top));
    let lower = bench.session("two/lower.jsonl", Some(&middle));
    bench.session("two/child.jsonl", Some(&lower));
    bench.session("one/other.jsonl", Some(&top));
    let deletion = bench.delete(&[middle.clone(), lower.clone(), middle.clone()], Removal::Trash);
    assert!(deletion.failed.is_empty() && deletion.skipped.is_empty(), "{deletion:?}");
    assert_eq!(deletion.deleted.len(), 2);
    assert!(!middle.exists() && !lower.exists());
    assert_eq!(bench.parent("two/child.jsonl"), Some(top.to_str().unwrap().to_owned()));
    assert_eq!(bench.parent("one/other.jsonl"), Some(top.to_str().unwrap().to_owned()));
    let text = fs::read_to_string(bench.path("two/child.jsonl")).unwrap();
    assert!(
        text.starts_with("\n{\"type\":\"session\",\"id\":\"two/child.jsonl\",\"parentSession\":\""),
        "{text}"
    );
    assert!(text.ends_with(",\"extra\":1}\n{\"a\": 1}\ntorn"), "{text}");
    let age = fs::metadata(bench.path("two/child.jsonl")).unwrap().modified().unwrap().elapsed().unwrap();
    assert!(age > Duration::from_secs(3000), "the time of the last write stays");

    bench.editor.undelete(&deletion).unwrap();
    assert!(middle.exists() && lower.exists());
    assert_eq!(bench.parent("two/child.jsonl"), Some(lower.to_str().unwrap().to_owned()));
}

#[test]
fn a_fork_of_a_deleted_root_is_a_root() {
    let bench = Bench::new();
    let top = bench.session("one/top.jsonl", None);
    bench.session("one/child.jsonl", Some(&top));
    let deletion = bench.delete(&[top], Removal::Permanent);
    assert_eq!(deletion.deleted[0].to, None);
    assert_eq!(bench.parent("one/child.jsonl"), None);
    assert_eq!(deletion.reparented[0].to, None);
    assert!(bench.editor.undelete(&deletion).unwrap_err().to_string().contains("not known"));
}

#[test]
fn a_circle_of_victims_ends() {
    let bench = Bench::new();
    let (a, b) = (bench.path("one/a.jsonl"), bench.path("one/b.jsonl"));
    bench.session("one/a.jsonl", Some(&b));
    bench.session("one/b.jsonl", Some(&a));
    bench.session("two/c.jsonl", Some(&a));
    let deletion = bench.delete(&[a, b], Removal::Permanent);
    assert_eq!(deletion.deleted.len(), 2);
    assert_eq!(bench.parent("two/c.jsonl"), None);
}

#[test]
fn a_fork_that_may_be_written_is_skipped_and_named() {
    let bench = Bench::new();
    let top = bench.session("one/top.jsonl", None);
    let child = bench.session("one/child.jsonl", Some(&top));
    fs::File::options().write(true).open(&child).unwrap().set_modified(SystemTime::now()).unwrap();
    let before = fs::read(&child).unwrap();
    let deletion = bench.delete(&[top], Removal::Trash);
    assert_eq!(deletion.deleted.len(), 1);
    assert_eq!(deletion.skipped[0].path, child);
    assert_eq!(fs::read(&child).unwrap(), before);
}

#[test]
fn what_could_not_be_brought_back_may_be_tried_again() {
    let bench = Bench::new();
    let (one, two) = (bench.session("one/one.jsonl", None), bench.session("one/two.jsonl", None));
    let child = bench.session("one/child.jsonl", Some(&two));
    let before = fs::read(&child).unwrap();
    let deletion = bench.delete(&[one.clone(), two.clone()], Removal::Trash);
    fs::write(&one, "somebody else's").unwrap();
    let error = bench.editor.undelete(&deletion).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("cannot bring back {}: another file stands in its place", one.display())
    );
    assert!(two.exists() && fs::read(&child).unwrap() == before, "all else is back");
    fs::remove_file(&one).unwrap();
    bench.editor.undelete(&deletion).unwrap();
    assert!(one.exists() && fs::read(&child).unwrap() == before);
}

#[cfg(unix)]
#[test]
fn a_session_that_a_running_pi_has_stays() {
    let bench = Bench::new();
    let top = bench.session("one/top.jsonl", None);
    let process = bench.folder.path().join("proc/17");
    fs::create_dir_all(&process).unwrap();
    fs::write(process.join("cmdline"), format!("pi\0--session\0{}\0", top.display())).unwrap();
    std::os::unix::fs::symlink("/", process.join("cwd")).unwrap();
    let writers = Writers::look_in(&bench.folder.path().join("proc"));
    let bin = Folder(bench.folder.path().join("bin"));
    let paths = std::slice::from_ref(&top);
    let deletion = bench.editor.delete_to(&bin, &writers, &bench.store, paths, Removal::Permanent);
    assert_eq!(
        deletion.failed[0].to_string(),
        format!("cannot delete {}: a running pi has it; quit that first", top.display())
    );
    assert!(top.exists());
}

#[test]
fn what_cannot_be_deleted_keeps_its_forks() {
    let bench = Bench::new();
    let top = bench.session("one/top.jsonl", None);
    bench.session("one/child.jsonl", Some(&top));
    let deletion = bench.editor.delete_to(
        &Full,
        &Writers::look(),
        &bench.store,
        std::slice::from_ref(&top),
        Removal::Trash,
    );
    assert_eq!(deletion.failed[0].to_string(), format!("cannot delete {}: full", top.display()));
    assert!(deletion.deleted.is_empty() && deletion.reparented.is_empty());
    assert_eq!(bench.parent("one/child.jsonl"), Some(top.to_str().unwrap().to_owned()));
}

#[test]
fn only_sessions_are_deleted() {
    let bench = Bench::new();
    let notes = bench.path("one/notes.txt");
    fs::write(&notes, "important").unwrap();
    let deletion =
        bench.delete(&[notes.clone(), bench.path("gone.jsonl"), bench.path("one")], Removal::Permanent);
    assert_eq!(deletion.failed.len(), 3);
    assert!(notes.exists());
}

#[test]
fn a_rehearsal_names_all_and_changes_nothing() {
    let bench = Bench::new();
    let top = bench.session("one/top.jsonl", None);
    let child = bench.session("two/child.jsonl", Some(&top));
    let before = fs::read(&child).unwrap();
    let editor = bench.editor.clone().rehearsing();
    let deletion =
        editor.delete_to(&Full, &Writers::look(), &bench.store, std::slice::from_ref(&top), Removal::Trash);
    assert_eq!(deletion.deleted, [Deleted { path: top.clone(), to: None }]);
    assert_eq!(deletion.reparented[0].path, child);
    assert!(top.exists());
    assert_eq!(fs::read(&child).unwrap(), before);
}
