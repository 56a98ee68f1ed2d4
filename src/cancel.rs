//! A wish to stop, shared between the one who asks and the one who works, and work that others stand back for.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Asked for by one thread, looked at by another between two pieces of work. Clones share the wish.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    is_wanted: Arc<AtomicBool>,
    before: Option<Precedence>,
}

/// How soon one who stands back notices that it need not go on at all.
const NOTICE: Duration = Duration::from_millis(5);
/// The same while nobody looks.
const RARE_NOTICE: Duration = Duration::from_secs(1);
/// How long nobody has to look for work to stand still that is only there to be looked at.
const ATTENTION: Duration = Duration::from_secs(60);

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

    /// Waits while work goes on that this stands back for, and while nobody has looked for long, unless somebody asks to
    /// stop.
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
    /// Whether anybody looks is asked for every piece of work, and seldom changes.
    is_unseen: AtomicBool,
    /// Since when nobody looks.
    unseen: Mutex<Option<Instant>>,
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

    /// Nobody looks from `now` on, or somebody looks again.
    pub fn is_looked_at(&self, looks: bool, now: Instant) {
        let mut unseen = self.0.unseen.lock().unwrap_or_else(PoisonError::into_inner);
        *unseen = (!looks).then(|| unseen.unwrap_or(now));
        self.0.is_unseen.store(!looks, Ordering::Release);
        self.0.ended.notify_all();
    }

    fn is_free(&self) -> bool {
        self.0.count.load(Ordering::Acquire) == 0
    }

    fn wait_unless(&self, gives_up: impl Fn() -> bool) {
        if self.is_free() && !self.0.is_unseen.load(Ordering::Acquire) {
            return;
        }
        let mut unseen = self.0.unseen.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let is_unseen = is_long_since(*unseen, Instant::now());
            if gives_up() || self.is_free() && !is_unseen {
                return;
            }
            let notice = if is_unseen { RARE_NOTICE } else { NOTICE };
            let waited = self.0.ended.wait_timeout(unseen, notice);
            (unseen, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Whether nobody has looked for so long that nobody waits for anything.
fn is_long_since(unseen: Option<Instant>, now: Instant) -> bool {
    unseen.is_some_and(|since| now.saturating_duration_since(since) >= ATTENTION)
}

impl Drop for GoesBefore {
    fn drop(&mut self) {
        let Ahead { count, unseen, ended, .. } = &*self.0.0;
        count.fetch_sub(1, Ordering::AcqRel);
        drop(unseen.lock().unwrap_or_else(PoisonError::into_inner));
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
    fn work_stands_still_once_nobody_has_looked_for_long() {
        let precedence = Precedence::default();
        let unseen = || *precedence.0.unseen.lock().unwrap();
        let begun = Instant::now();
        precedence.is_looked_at(false, begun);
        precedence.is_looked_at(false, begun + ATTENTION);
        assert!(!is_long_since(unseen(), begun + ATTENTION / 2));
        assert!(is_long_since(unseen(), begun + ATTENTION));
        Cancel::behind(precedence.clone()).give_way();
        precedence.is_looked_at(true, begun + ATTENTION);
        assert!(!is_long_since(unseen(), begun + 2 * ATTENTION));
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
