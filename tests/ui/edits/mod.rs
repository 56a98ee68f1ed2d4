//! What a person changes: labels, names, forks, clones, deletions, each asked for, cancelled and confirmed.

mod branches;
mod deletions;
mod labels;
mod names;
mod refusals;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use piscope::app::{Anchor, Pane};
use piscope::session::Session;
use piscope::store::Store;
use tempfile::TempDir;

use crate::harness::{HEADER, Harness, NOW, entry};

/// A store with a session and a fork of it.
struct Bench {
    folder: TempDir,
    file: PathBuf,
    fork: PathBuf,
    ui: Harness,
}

impl Bench {
    fn new() -> Self {
        let lines = [
            entry("u1", "", "user", "first prompt"),
            entry("a1", "u1", "assistant", "first answer"),
            entry("u2", "a1", "user", "second prompt"),
            entry("a2", "u2", "assistant", "second answer"),
        ];
        Self::with(&format!("{HEADER}\n{}", lines.concat()))
    }

    fn with(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("sessions/--home-dev-p--");
        fs::create_dir_all(&project).unwrap();
        let (file, fork) = (project.join("s.jsonl"), project.join("f.jsonl"));
        fs::write(&file, text).unwrap();
        let header = HEADER.replace("s-1\"", &format!("s-2\",\"parentSession\":\"{}\"", file.display()));
        fs::write(&fork, format!("{header}\n{}", entry("x1", "", "user", "a fork"))).unwrap();
        for path in [&file, &fork] {
            let long_ago = SystemTime::now() - Duration::from_secs(86_400);
            File::options().write(true).open(path).unwrap().set_modified(long_ago).unwrap();
        }
        let store = Store::at(folder.path().join("sessions"));
        let ui = Harness::browse(store, folder.path(), Path::new("/home/dev/p"));
        let mut bench = Self { folder, file, fork, ui };
        bench.ui.resize(120, 24);
        let file = bench.file.clone();
        while bench.ui.app.sessions.selected_session().is_none_or(|row| row.path != file) {
            bench.ui.press("j");
        }
        bench
    }

    fn session(&self) -> Session {
        Session::open(&self.file).unwrap()
    }

    fn label(&self, id: &str) -> Option<String> {
        let session = self.session();
        let label = session.label_of(session.find_text(id).unwrap())?;
        Some(label.text.to_string())
    }

    fn notice(&self) -> &str {
        self.ui.app.notice.as_ref().map_or("", |notice| &notice.text)
    }

    /// The screen with what differs between runs made equal.
    fn frame(&self) -> String {
        self.ui.frame().replace(self.folder.path().to_str().unwrap(), "~")
    }

    fn cursor(&self) -> String {
        let (doc, entry) = self.ui.app.tree.cursor_entry().unwrap();
        self.ui.app.tree.docs[doc].session.entry_id(entry).to_string()
    }

    /// Where everything stands: focus, the rows under the cursors, what is folded and how far it is scrolled.
    fn place(&self) -> Place {
        let app = &self.ui.app;
        Place {
            focus: app.focus,
            session: app.sessions.selected_session().map(|row| row.path.clone()),
            entry: self.cursor(),
            rows: app.tree.rows.len(),
            tops: [app.sessions.top(10), app.tree.top(10)],
            anchor: app.messages.anchor(),
        }
    }

    /// Every session file and its bytes.
    fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let files = fs::read_dir(self.file.parent().unwrap()).unwrap();
        let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
        files.sort();
        files.into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
    }

    /// Makes a session look as if it was written so many seconds before the present of the stories.
    fn written(&mut self, path: &Path, seconds: u64) {
        let present = SystemTime::UNIX_EPOCH + Duration::from_millis(NOW as u64);
        let file = File::options().write(true).open(path).unwrap();
        file.set_modified(present - Duration::from_secs(seconds)).unwrap();
        self.ui.changed(&[path]);
    }
}

/// What a change leaves as it is.
#[derive(Debug, PartialEq)]
struct Place {
    focus: Pane,
    session: Option<PathBuf>,
    entry: String,
    rows: usize,
    tops: [usize; 2],
    anchor: Anchor,
}
