use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use notify::{Config, Event, PollWatcher, RecommendedWatcher, RecursiveMode, Watcher};

use super::files::is_session_name;
use super::locate::{Layout, Store};

/// What changes within this time of each other is told together …
const QUIET: Duration = Duration::from_millis(80);
/// … but nothing is kept back longer.
const PATIENCE: Duration = Duration::from_millis(400);
/// How often files are looked at where the system does not tell of changes.
const POLL: Duration = Duration::from_secs(3);

/// Watches sessions on a thread of its own until it is dropped. At rest it costs nothing.
#[derive(Debug)]
pub struct Watch(Sender<News>);

enum News {
    Changed(PathBuf),
    Stop,
}

impl Watch {
    /// Watches a store, and a session that may lie elsewhere. `report` is told the files that came, changed or went,
    /// and folders that came or went, some time after it happened and several at once.
    ///
    /// # Errors
    /// The system refuses a thread. What cannot be watched is left alone.
    pub fn new(
        store: &Store,
        session: Option<&Path>,
        report: impl Fn(Vec<PathBuf>) + Send + 'static,
    ) -> io::Result<Self> {
        let (sender, news) = unbounded();
        let mode = match store.layout {
            Layout::PerProject => RecursiveMode::Recursive,
            Layout::Flat => RecursiveMode::NonRecursive,
        };
        let mut places = vec![(store.root.clone(), mode)];
        // The folder of a session rather than the session: a file that is replaced would be lost sight of.
        let elsewhere = session.and_then(Path::parent).filter(|folder| !folder.starts_with(&store.root));
        places.extend(elsewhere.map(|folder| (folder.to_owned(), RecursiveMode::NonRecursive)));
        let tell = sender.clone();
        thread::Builder::new().name("watch".into()).spawn(move || {
            // Looking through a large store for folders takes its time, so that is done here too.
            let watchers: Vec<_> =
                places.iter().filter_map(|(place, mode)| watcher(place, *mode, &tell)).collect();
            collect(&news, &report);
            drop(watchers);
        })?;
        Ok(Self(sender))
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        _ = self.0.send(News::Stop);
    }
}

/// Watches one place, by polling where the system's own means fail.
fn watcher(place: &Path, mode: RecursiveMode, tell: &Sender<News>) -> Option<Box<dyn Watcher>> {
    let own = || -> notify::Result<Box<dyn Watcher>> {
        let mut watcher = RecommendedWatcher::new(listener(tell), Config::default())?;
        watcher.watch(place, mode)?;
        Ok(Box::new(watcher))
    };
    let polling = || -> notify::Result<Box<dyn Watcher>> {
        let mut watcher = PollWatcher::new(listener(tell), Config::default().with_poll_interval(POLL))?;
        watcher.watch(place, mode)?;
        Ok(Box::new(watcher))
    };
    own().or_else(|_| polling()).ok()
}

fn listener(tell: &Sender<News>) -> impl Fn(notify::Result<Event>) + Send + 'static {
    let tell = tell.clone();
    move |event| {
        let Ok(event) = event else { return };
        // To read a file changes nothing, though some systems tell of it.
        if event.kind.is_access() {
            return;
        }
        let is_coming_or_going = event.kind.is_create() || event.kind.is_remove() || is_renaming(&event);
        let counts = |path: &PathBuf| path.file_name().is_some_and(is_session_name) || is_coming_or_going;
        for path in event.paths.into_iter().filter(counts) {
            _ = tell.send(News::Changed(path));
        }
    }
}

fn is_renaming(event: &Event) -> bool {
    matches!(event.kind, notify::EventKind::Modify(notify::event::ModifyKind::Name(_)))
}

/// Hands on what changes, gathered as long as one change follows another closely.
fn collect(news: &Receiver<News>, report: &impl Fn(Vec<PathBuf>)) {
    while let Ok(News::Changed(first)) = news.recv() {
        let mut paths = BTreeSet::from([first]);
        let deadline = Instant::now() + PATIENCE;
        let mut goes_on = true;
        while goes_on && Instant::now() < deadline {
            match news.recv_deadline(deadline.min(Instant::now() + QUIET)) {
                Ok(News::Changed(path)) => _ = paths.insert(path),
                Ok(News::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => goes_on = false,
            }
        }
        report(paths.into_iter().collect());
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;
    use crate::store::Origin;

    #[test]
    fn sessions_that_come_change_and_go_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("sessions");
        fs::create_dir_all(root.join("one")).unwrap();
        let file = root.join("one/a.jsonl");
        fs::write(&file, "x").unwrap();
        let store = Store { root: root.clone(), layout: Layout::PerProject, origin: Origin::Flag };
        let (sender, told) = unbounded();
        let watch = Watch::new(&store, None, move |paths| _ = sender.send(paths)).unwrap();
        // Nothing is told of before the watch stands, so what is done is done until it is told of.
        let until_told = |wanted: &Path, act: &dyn Fn()| {
            for _ in 0..500 {
                act();
                match told.recv_timeout(Duration::from_millis(20)) {
                    Ok(paths) if paths.iter().any(|path| path == wanted) => return,
                    _ => {}
                }
            }
            panic!("nothing was told of {}", wanted.display());
        };
        until_told(&file, &|| {
            fs::File::options().append(true).open(&file).unwrap().write_all(b"y").unwrap();
        });
        let new = root.join("one/b.jsonl");
        until_told(&new, &|| fs::write(&new, "z").unwrap());
        until_told(&new, &|| _ = fs::remove_file(&new));
        until_told(&root.join("two"), &|| _ = fs::create_dir(root.join("two")));
        drop(watch);
        // The thread ends, and with it what it told through.
        while told.recv_timeout(Duration::from_secs(5)).is_ok() {}
        assert!(told.try_recv().is_err_and(|error| error.is_disconnected()));
    }

    #[test]
    fn what_changes_together_is_told_together() {
        let (sender, news) = unbounded();
        for name in ["b", "a", "b"] {
            sender.send(News::Changed(name.into())).unwrap();
        }
        drop(sender);
        let told = std::cell::RefCell::new(Vec::new());
        collect(&news, &|paths| told.borrow_mut().push(paths));
        // The end came first, and nobody wants the news any more.
        assert!(told.borrow().is_empty());
        let (sender, news) = unbounded();
        let later = thread::spawn(move || {
            for name in ["b", "a", "b"] {
                sender.send(News::Changed(name.into())).unwrap();
            }
            thread::park_timeout(Duration::from_secs(2));
            sender.send(News::Stop).unwrap();
        });
        collect(&news, &|paths| {
            told.borrow_mut().push(paths);
            later.thread().unpark();
        });
        assert_eq!(*told.borrow(), [[PathBuf::from("a"), PathBuf::from("b")]]);
    }
}
