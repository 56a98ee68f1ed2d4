use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::lock::Lock;
use super::refusal::{cause_of, refuse_while_live};
use super::replace::Original;
use super::trash::{FolderTrash, SystemTrash, Trash, info_of, move_file};
use super::{Editor, Mode};
use crate::error::Refusal;
use crate::error::{Cause, Error};
use crate::format::Header;
use crate::format::JsObject;
use crate::format::json::Document;
use crate::store::{self, FoundFile, Layout, Liveness, Origin, Scope, Store, Subject, Writers};

/// Where deleted sessions go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Removal {
    /// To the trash.
    #[default]
    Trash,
    /// Away for good.
    Permanent,
}

/// What came of deleting sessions.
#[derive(Debug, Default)]
pub struct Deletion {
    /// The sessions that are gone.
    pub deleted: Vec<Deleted>,
    /// Forks that now name another session as the one they left.
    pub reparented: Vec<Reparented>,
    /// Forks that still name a deleted session, and why.
    pub skipped: Vec<Error>,
    /// Sessions that are still there, and why.
    pub failed: Vec<Error>,
}

/// A session that was deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deleted {
    /// Where it was.
    pub path: PathBuf,
    /// Where it is now, if that is known.
    pub to: Option<PathBuf>,
}

/// A fork whose header was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reparented {
    /// Its file.
    pub path: PathBuf,
    /// The session it named before.
    pub from: String,
    /// The session it names now; none where the deleted one named none.
    pub to: Option<String>,
    /// Its header line as it was.
    line: Vec<u8>,
}

/// A fork of a session that is deleted.
#[derive(Clone, Debug)]
struct Fork {
    path: PathBuf,
    header: Header,
    /// What it will name.
    to: Option<String>,
}

impl Editor {
    /// Deletes sessions, and lets their forks, in all folders of the store, name the nearest ancestor that stays.
    ///
    /// A session that a running pi has is refused: its next line would make a file without a header. Forks that may
    /// be written right now keep their headers and are reported. The folder that the variable `PISCOPE_TRASH` names
    /// goes before the system's trash.
    pub fn delete(&self, store: &Store, paths: &[PathBuf], removal: Removal) -> Deletion {
        let folder = self.environment.variable("PISCOPE_TRASH").map(|dir| self.environment.absolute(dir));
        let trash: &dyn Trash = match &folder {
            Some(folder) => &FolderTrash(folder.clone()),
            None => &SystemTrash,
        };
        self.delete_to(trash, &Writers::look(), store, paths, removal)
    }

    fn delete_to(
        &self,
        trash: &dyn Trash,
        writers: &Writers,
        store: &Store,
        paths: &[PathBuf],
        removal: Removal,
    ) -> Deletion {
        let mut deletion = Deletion::default();
        let mut victims: HashMap<PathBuf, Header> = HashMap::new();
        let mut waiting = Vec::new();
        for path in paths {
            let path = self.environment.absolute(path);
            match look_at(&path, writers) {
                // One file named twice is one victim.
                Ok(header) => {
                    if victims.insert(store::canonical(&path), header).is_none() {
                        waiting.push(path);
                    }
                }
                Err(cause) => deletion.failed.push(Error::new("cannot delete", path, cause)),
            }
        }
        let forks = self.forks_of(store, &victims, &waiting);
        for path in waiting {
            let removed = match (self.mode, removal) {
                (Mode::Rehearse, _) => Ok(None),
                (Mode::Write, Removal::Trash) => trash.take(&path),
                (Mode::Write, Removal::Permanent) => fs::remove_file(&path).map(|()| None).map_err(cause_of),
            };
            match removed {
                Ok(to) => deletion.deleted.push(Deleted { path, to }),
                Err(cause) => deletion.failed.push(Error::new("cannot delete", path, cause)),
            }
        }
        for fork in forks {
            // What could not be deleted keeps its forks.
            let left = self.parent_of(&fork.header);
            if left.is_none_or(|left| left.exists() && self.mode == Mode::Write) {
                continue;
            }
            let from = fork.header.parent_session.as_deref().unwrap_or_default().to_owned();
            let change = |line: &[u8]| with_parent(line, fork.to.as_deref());
            match self.rewrite_header(writers, &fork.path, &fork.header, change) {
                Ok(line) => deletion.reparented.push(Reparented { path: fork.path, from, to: fork.to, line }),
                Err(cause) => {
                    deletion.skipped.push(Error::new("cannot give another parent to", fork.path, cause));
                }
            }
        }
        deletion
    }

    /// Brings back what was deleted, where the trash tells where it is, and gives forks back their parents. What is back
    /// already stays, so that this may be tried again.
    ///
    /// # Errors
    /// The first that shows when all was tried: a file is no longer in the trash, another one stands in its place, or a
    /// fork was changed meanwhile.
    pub fn undelete(&self, deletion: &Deletion) -> Result<(), Error> {
        let files = deletion.deleted.iter().map(|deleted| {
            bring_back(deleted).map_err(|cause| Error::new("cannot bring back", &deleted.path, cause))
        });
        let forks = deletion.reparented.iter().map(|fork| {
            let back = self.give_parent_back(fork);
            back.map_err(|cause| Error::new("cannot give its parent back to", &fork.path, cause))
        });
        files.chain(forks).fold(Ok(()), Result::and)
    }

    fn give_parent_back(&self, fork: &Reparented) -> Result<(), Cause> {
        let header = store::read_header(&fork.path).map_err(cause_of)?.ok_or(Refusal::Rewritten)?;
        if header.parent_session.as_deref() == Some(fork.from.as_str()) {
            return Ok(());
        }
        let is_ours = header.parent_session.as_deref() == fork.to.as_deref();
        let back = |_: &[u8]| if is_ours { Ok(fork.line.clone()) } else { Err(Refusal::Rewritten.into()) };
        self.rewrite_header(&Writers::look(), &fork.path, &header, back).map(drop)
    }

    /// The file that a session names as the one it left.
    fn parent_of(&self, header: &Header) -> Option<PathBuf> {
        let parent = header.parent_session.as_deref().filter(|parent| !parent.is_empty())?;
        Some(store::canonical(&self.environment.cwd().join(parent)))
    }

    /// The forks of all victims, in the store and beside them, victims excluded.
    fn forks_of(&self, store: &Store, victims: &HashMap<PathBuf, Header>, paths: &[PathBuf]) -> Vec<Fork> {
        let beside: HashSet<&Path> = paths.iter().filter_map(|path| path.parent()).collect();
        let beside = beside.into_iter().map(|folder| Store {
            root: folder.to_owned(),
            layout: Layout::Flat,
            origin: Origin::Flag,
        });
        let mut forks = Vec::new();
        let mut seen: HashSet<PathBuf> = victims.keys().cloned().collect();
        for store in std::iter::once(store.clone()).chain(beside) {
            for file in store::discover(&store, &Scope::All).files {
                if !seen.insert(file.canonical) {
                    continue;
                }
                let Ok(Some(header)) = store::read_header(&file.path) else { continue };
                let victim = self.parent_of(&header).and_then(|parent| victims.get(&parent));
                if let Some(victim) = victim {
                    let to = self.surviving_parent(victim, victims);
                    forks.push(Fork { path: file.path, header, to });
                }
            }
        }
        forks
    }

    /// What the forks of a victim name once all victims are gone.
    fn surviving_parent(&self, victim: &Header, victims: &HashMap<PathBuf, Header>) -> Option<String> {
        let mut victim = victim;
        // In a circle of victims no ancestor stays.
        for _ in 0..victims.len() {
            match victims.get(&self.parent_of(victim)?) {
                Some(next) => victim = next,
                None => return victim.parent_session.as_deref().map(str::to_owned),
            }
        }
        None
    }

    /// Rewrites the line of a header as `change` says; all else stays byte for byte. Returns the line as it was.
    fn rewrite_header(
        &self,
        writers: &Writers,
        path: &Path,
        header: &Header,
        change: impl FnOnce(&[u8]) -> Result<Vec<u8>, Cause>,
    ) -> Result<Vec<u8>, Cause> {
        let original = Original::open(path)?;
        let _lock = Lock::take(&self.locks(), original.path(), self.patience)?;
        refuse_while_live(liveness(writers, original.path(), header))?;
        let mut line = Vec::new();
        if self.mode == Mode::Rehearse {
            return Ok(line);
        }
        original.replace(None, |original, out| {
            let mut bytes = original.bytes()?;
            io::copy(&mut bytes.by_ref().take(header.offset), out)?;
            bytes.by_ref().take(header.length.into()).read_to_end(&mut line)?;
            out.write_all(&change(&line)?)?;
            io::copy(&mut bytes, out)?;
            Ok(())
        })?;
        Ok(line)
    }
}

/// The line of a header that names another session, or none, as the one it left.
fn with_parent(line: &[u8], parent: Option<&str>) -> Result<Vec<u8>, Cause> {
    let document = Document::parse_lossy(line.to_vec()).map_err(|_| Refusal::Rewritten)?;
    let mut header = JsObject::of(document.root());
    match parent {
        Some(parent) => header = header.with_text("parentSession", parent),
        None => header.remove("parentSession"),
    }
    Ok(header.print().into_bytes())
}

/// Moves a deleted session out of the trash again.
fn bring_back(Deleted { path, to }: &Deleted) -> Result<(), Cause> {
    let to = to.as_ref().ok_or_else(|| Cause::Other("where it went is not known".into()))?;
    let is_taken = path.symlink_metadata().is_ok();
    if is_taken && !to.exists() {
        return Ok(());
    }
    if is_taken {
        return Err(Cause::Other("another file stands in its place".into()));
    }
    move_file(to, path)?;
    if let Some(info) = info_of(to) {
        // A note about a file that is back is litter at worst.
        let _ = fs::remove_file(info);
    }
    Ok(())
}

/// The header of a session that may be deleted.
fn look_at(path: &Path, writers: &Writers) -> Result<Header, Cause> {
    let metadata = fs::metadata(path).map_err(cause_of)?;
    if !metadata.is_file() {
        return Err(Cause::NotASession("it is no regular file".into()));
    }
    let header = store::read_header(path)?.ok_or_else(|| Cause::NotASession("it has no header".into()))?;
    if liveness(writers, &store::canonical(path), &header).has_pi {
        return Err(Refusal::InUse.into());
    }
    Ok(header)
}

/// What speaks for it that the session in a file is being written. Of a file that cannot be looked at nothing is known.
pub(super) fn liveness(writers: &Writers, path: &Path, header: &Header) -> Liveness {
    let written = FoundFile::look_at(path).map_or(i64::MIN, |file| file.mtime_millis());
    let (id, cwd) = (header.id.as_deref().unwrap_or_default(), header.cwd.as_deref().unwrap_or_default());
    writers.liveness_now(Subject { path, id, cwd, written })
}

#[cfg(test)]
mod tests;
