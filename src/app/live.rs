use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::{App, Effect, Job, Notice, NoticeTone, TreeContent};
use crate::store::{Finding, Kept, Liveness, SessionSummary, Subject, Writers};

/// Milliseconds after which what a scan found is looked at again, where there is a reason to.
const SCAN_AGE: i64 = 30_000;

/// Size in bytes and last write in milliseconds since 1970, by which a file that changed is told from one that did
/// not.
pub type Stamp = (u64, i64);

/// What tells the file of a row from the same file after it changed.
pub(crate) fn stamp(summary: &SessionSummary) -> Stamp {
    (summary.size, summary.mtime)
}

/// What a file that may have changed has come to.
#[derive(Debug)]
pub enum Look {
    /// A session.
    Row(Box<SessionSummary>),
    /// A file that is not listed, and why.
    Finding(Finding),
    /// Nothing is there any more.
    Gone(PathBuf),
}

impl Look {
    /// The file.
    pub(super) fn path(&self) -> &Path {
        match self {
            Self::Row(summary) => &summary.path,
            Self::Finding(finding) => &finding.path,
            Self::Gone(path) => path,
        }
    }
}

/// What is to be looked at again. One look is under way at a time: what changes meanwhile waits for the next, so that
/// a file that grows all the time is read no faster than it can be.
#[derive(Debug, Default)]
pub(super) struct Live {
    changed: BTreeSet<PathBuf>,
    is_looking: bool,
    /// When the last scan ended, in milliseconds since 1970; 0 before that.
    scanned: i64,
    /// The session that is shown changed while it was being read.
    reads_again: bool,
    /// It was changed from here, which moves no cursor.
    is_own_change: bool,
    /// The programs that may be writing to sessions.
    pub(super) writers: Writers,
    /// When sessions were seen to grow, in milliseconds since 1970: the times of files are those of their disks, which
    /// may be another machine's.
    seen_growing: HashMap<PathBuf, i64>,
    /// Files that were changed from here and not looked at since.
    changed_here: HashSet<PathBuf>,
    /// When files were last written, where that was from here, by the clock of their disk.
    written_here: HashMap<PathBuf, i64>,
}

impl Live {
    /// The session that is shown was changed from here, and will be read again.
    pub(super) fn changes_itself(&mut self) {
        self.is_own_change = true;
    }

    /// Whether what was read just now is what was changed from here.
    pub(super) fn takes_own_change(&mut self) -> bool {
        std::mem::take(&mut self.is_own_change)
    }
}

impl App {
    /// What speaks for it that a session is being written.
    pub fn liveness(&self, summary: &SessionSummary) -> Liveness {
        let mut subject = Subject::from(summary);
        // What was written from here says nothing of anybody else.
        if self.live.written_here.get(&summary.path) == Some(&summary.mtime) {
            subject.written = i64::MIN;
        }
        if let Some(&seen) = self.live.seen_growing.get(&summary.path) {
            subject.written = subject.written.max(seen);
        }
        self.live.writers.liveness(subject, self.now)
    }

    /// Files were changed from here.
    pub(super) fn changed_here(&mut self, paths: Vec<PathBuf>, effects: &mut Vec<Effect>) {
        self.live.changed_here.extend(paths.iter().cloned());
        self.changed(paths, effects);
    }

    /// Something changed on the disk.
    pub(super) fn changed(&mut self, paths: Vec<PathBuf>, effects: &mut Vec<Effect>) {
        for path in paths {
            let below = self.sessions.found().map(|summary| &summary.path);
            // A folder that went took its sessions along.
            self.live.changed.extend(below.filter(|session| session.starts_with(&path)).cloned());
            self.live.changed.insert(path);
        }
        self.look(effects);
    }

    /// Looks at what changed, unless a scan or another look is under way.
    pub(super) fn look(&mut self, effects: &mut Vec<Effect>) {
        if self.sessions.progress.is_running || self.live.is_looking || self.live.changed.is_empty() {
            return;
        }
        self.live.is_looking = true;
        let changed = std::mem::take(&mut self.live.changed);
        let places = changed.into_iter().map(|path| {
            let known = self.sessions.found().find(|summary| summary.path == path);
            let stamp = known.map(|summary| stamp(summary));
            (path, stamp)
        });
        let places = places.collect();
        self.tickets.look = self.run(Job::Look { places }, effects);
    }

    /// Looks through the store once more where the last time was long ago: somebody is there, or something changed. Not
    /// every change is told by every file system.
    pub(super) fn scan_again(&mut self, effects: &mut Vec<Effect>) {
        let is_due = self.now - self.live.scanned > SCAN_AGE && self.live.scanned > 0;
        if is_due && !self.sessions.progress.is_running && self.sessions.found().len() > 0 {
            self.rescan(Kept::Trusted, effects);
            self.sessions.progress.is_again = true;
        }
    }

    /// A scan is over.
    pub(super) fn scan_ended(&mut self) {
        self.live.scanned = self.now;
    }

    /// A new scan looks at everything.
    pub(super) fn forget_changes(&mut self) {
        self.live.changed.clear();
        self.live.is_looking = false;
    }

    pub(super) fn looked(&mut self, looks: Vec<Look>, effects: &mut Vec<Effect>) {
        self.live.is_looking = false;
        let shown = self.tree.path().map(Path::to_owned);
        let mut lost = None;
        for look in looks {
            let path = look.path().to_owned();
            let is_shown = shown.as_ref() == Some(&path);
            let length = self.tree.session().map(|session| session.length());
            match &look {
                Look::Gone(_) if is_shown && !self.has_deleted(&path) => {
                    lost = Some("gone from the disk".to_owned());
                }
                Look::Finding(finding) if is_shown => lost = Some(finding.diagnostic.message.clone()),
                Look::Row(summary) if is_shown && Some(summary.size) != length => {
                    self.read_again(&path, effects);
                }
                _ => {}
            }
            if let Look::Row(summary) = &look {
                if self.live.changed_here.remove(&path) {
                    self.live.written_here.insert(path.clone(), summary.mtime);
                } else if self.sessions.summary(&path).is_some_and(|known| known.size < summary.size) {
                    self.live.seen_growing.insert(path.clone(), self.now);
                }
            }
            if path.starts_with(&self.setup.store.root) {
                self.sessions.take_look(look);
            }
        }
        self.want_stats(effects);
        if let (Some(what), Some(path)) = (lost, shown) {
            self.keep_what_is_shown(&path, &what);
        }
        self.run(Job::LookForWriters, effects);
        self.land_in_list(effects);
        if !self.sessions.find.text().is_empty() {
            self.select_sessions(effects);
        }
        self.look(effects);
    }

    /// The file that is shown is lost: what was read of it stays on the screen until the person moves on, wherever the
    /// cursor of the list has gone meanwhile.
    fn keep_what_is_shown(&mut self, path: &Path, what: &str) {
        self.previewed = self.sessions.selected_key();
        // What could not be done to it says more.
        if self.notice.as_ref().is_some_and(|notice| notice.tone == NoticeTone::Failed) {
            return;
        }
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        self.notice = Some(Notice::failed(format!("{name}: {what}; what was read of it is still shown")));
    }

    /// Reads the session that is shown once more; cursor, folds and scroll stay.
    pub(super) fn read_again(&mut self, path: &Path, effects: &mut Vec<Effect>) {
        if matches!(self.tree.content, TreeContent::Loading(_)) {
            self.live.reads_again = true;
            return;
        }
        let view = self.tree.view(0);
        self.tree.load(path.to_owned());
        self.open(path.to_owned(), view, effects);
    }

    /// The session that is shown was read.
    pub(super) fn opened_again(&mut self, effects: &mut Vec<Effect>) {
        if std::mem::take(&mut self.live.reads_again)
            && let Some(path) = self.tree.path().map(Path::to_owned)
        {
            self.read_again(&path, effects);
        }
    }
}
