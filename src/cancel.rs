//! A wish to stop, shared between the one who asks and the one who works, and work that others stand back for.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Asked for by one thread, looked at by another between two pieces of work. Clones share the wish.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    is_wanted: Arc<AtomicBool>,
    before: Option<Precedence>,
}

/// How soon one who stands back notices that it need not go on at all.
const NOTICE: Duration = Duration::from_millis(5);

impl Cancel {
    /// A wish not yet made.
    pub fn new() -> Self {
        Self::default()
    }

    /// A wish not yet made, for work that stands back for other work.
    pub fn behind(before: Precedence) -> Self {
        Self { is_wanted: Arc::default(), before: Some(before) }
    }

    /// Asks to stop.
    pub fn cancel(&self) {
        self.is_wanted.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.is_wanted.load(Ordering::Relaxed)
    }

    /// Waits while work goes on that this stands back for, unless somebody asks to stop.
    pub fn give_way(&self) {
        if let Some(before) = &self.before {
            before.wait_unless(|| self.is_cancelled());
        }
    }
}

/// Work that goes before other work: what somebody looks at before what will be looked at. Clones are the same.
#[derive(Clone, Debug, Default)]
pub struct Precedence(Arc<Ahead>);

#[derive(Debug, Default)]
struct Ahead {
    count: AtomicUsize,
    lock: Mutex<()>,
    ended: Condvar,
}

/// Goes before other work until it is dropped.
#[derive(Debug)]
pub struct GoesBefore(Precedence);

impl Precedence {
    /// Begins work that goes before others.
    pub fn begin(&self) -> GoesBefore {
        self.0.count.fetch_add(1, Ordering::AcqRel);
        GoesBefore(self.clone())
    }

    fn is_free(&self) -> bool {
        self.0.count.load(Ordering::Acquire) == 0
    }

    fn wait_unless(&self, gives_up: impl Fn() -> bool) {
        if self.is_free() {
            return;
        }
        let mut lock = self.0.lock.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.is_free() && !gives_up() {
            let (again, _) = self.0.ended.wait_timeout(lock, NOTICE).unwrap_or_else(PoisonError::into_inner);
            lock = again;
        }
    }
}

impl Drop for GoesBefore {
    fn drop(&mut self) {
        let Ahead { count, lock, ended } = &*self.0.0;
        count.fetch_sub(1, Ordering::AcqRel);
        drop(lock.lock().unwrap_or_else(PoisonError::into_inner));
        ended.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_wait_until_all_that_goes_before_has_ended() {
        let precedence = Precedence::default();
        let behind = Cancel::behind(precedence.clone());
        behind.give_way();
        let (first, second) = (precedence.begin(), precedence.begin());
        let (sender, order) = std::sync::mpsc::channel();
        std::thread::scope(|scope| {
            let waiting = sender.clone();
            scope.spawn(|| {
                let waiting = waiting;
                behind.give_way();
                waiting.send("behind").unwrap();
            });
            drop(first);
            sender.send("before").unwrap();
            drop(second);
        });
        assert_eq!(order.iter().take(2).collect::<Vec<_>>(), ["before", "behind"]);
    }

    #[test]
    fn one_who_is_to_stop_waits_no_longer() {
        let precedence = Precedence::default();
        let _goes_on = precedence.begin();
        let behind = Cancel::behind(precedence);
        behind.cancel();
        behind.give_way();
    }
}
