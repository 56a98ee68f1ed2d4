use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};
use signal_hook::consts::SIGWINCH;
use signal_hook::low_level;

use super::input::{Decoder, Heard};
use super::panics;
use super::signals::{self, Signal};
use crate::app::Input;

/// Everything that can wake the drawing thread. `R` is what jobs report.
#[derive(Debug)]
pub enum Event<R> {
    /// The person did something.
    Input(Input),
    /// The terminal told the colour behind its text: red, green, blue.
    Background([u8; 3]),
    /// A job reports.
    Report(R),
    /// A signal arrived.
    Signal(Signal),
    /// The terminal can no longer be read; there is nothing left but to end.
    InputLost(io::Error),
}

/// The one channel on which the drawing thread waits.
pub struct Events<R> {
    sender: Sender<Event<R>>,
    receiver: Receiver<Event<R>>,
    gate: Arc<Gate>,
}

/// Where jobs report to. Clones report to the same channel.
pub struct Reporter<R>(Sender<Event<R>>);

/// How many events are taken for one frame. More are left for the next, so that a flood cannot stop the drawing.
const BATCH: usize = 256;

/// How long a child has to wait for our reader to stand aside. It does so at once, unless the terminal is in the
/// middle of an escape sequence.
const ASIDE: Duration = Duration::from_millis(250);

impl<R: Send + 'static> Events<R> {
    /// Opens the channel and begins to listen to signals.
    ///
    /// # Errors
    /// The system refuses the thread or the handlers.
    pub fn new() -> io::Result<Self> {
        let (sender, receiver) = unbounded();
        let signals = sender.clone();
        signals::listen(move |signal| _ = signals.send(Event::Signal(signal)))?;
        Ok(Self { sender, receiver, gate: Arc::default() })
    }

    /// A channel to which nothing comes but reports.
    #[cfg(test)]
    pub(super) fn deaf() -> Self {
        let (sender, receiver) = unbounded();
        Self { sender, receiver, gate: Arc::default() }
    }

    /// Where jobs report to.
    pub fn reporter(&self) -> Reporter<R> {
        Reporter(self.sender.clone())
    }

    /// Waits for an event, and takes what else is there already, up to a bound. After `deadline` it returns
    /// without any; without one it waits for as long as it takes.
    pub fn next_batch(&self, deadline: Option<Instant>) -> Vec<Event<R>> {
        let first = match deadline {
            Some(deadline) => self.receiver.recv_deadline(deadline).ok(),
            None => self.receiver.recv().ok(),
        };
        first.into_iter().chain(self.receiver.try_iter()).take(BATCH).collect()
    }

    /// Begins to read the terminal, which must be in raw mode, on a thread of its own.
    pub(super) fn read_terminal(&self) -> io::Result<Arc<Gate>> {
        // The first question makes crossterm listen to changes of size; from here on none is missed.
        crossterm::event::poll(Duration::ZERO)?;
        let (sender, gate) = (self.sender.clone(), Arc::clone(&self.gate));
        let read = move || {
            let read = panic::catch_unwind(AssertUnwindSafe(|| read_on(&sender, &gate)));
            let lost = read.unwrap_or_else(|payload| io::Error::other(panics::message(&*payload)));
            _ = sender.send(Event::InputLost(lost));
        };
        thread::Builder::new().name("terminal".into()).spawn(read)?;
        Ok(Arc::clone(&self.gate))
    }
}

/// Reads until that fails, and returns why.
fn read_on<R>(sender: &Sender<Event<R>>, gate: &Gate) -> io::Error {
    let mut decoder = Decoder::default();
    loop {
        gate.pass();
        match crossterm::event::read() {
            Ok(event) => {
                for heard in decoder.feed(event) {
                    _ = sender.send(match heard {
                        Heard::Input(input) => Event::Input(input),
                        Heard::Background(colour) => Event::Background(colour),
                    });
                }
            }
            Err(error) => return error,
        }
    }
}

impl<R> Reporter<R> {
    /// Hands a report to the drawing thread. Once that is gone, nobody wants it.
    pub fn report(&self, report: R) {
        _ = self.0.send(Event::Report(report));
    }
}

impl<R> Clone for Reporter<R> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

/// Where the reader of the terminal stands aside while a child has it.
#[derive(Default)]
pub(super) struct Gate {
    state: Mutex<GateState>,
    changed: Condvar,
}

#[derive(Default)]
struct GateState {
    closed: bool,
    waiting: bool,
}

/// As long as it lives, the terminal is not read.
pub(super) struct Aside(Arc<Gate>);

impl Gate {
    /// Waits while the gate is closed.
    fn pass(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while state.closed {
            state.waiting = true;
            self.changed.notify_all();
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.waiting = false;
    }

    /// Closes the gate and waits until the reader stands before it.
    pub(super) fn close(self: &Arc<Self>) -> Aside {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.closed = true;
        // The reader waits for keys and for a new size of the window. Only the latter can be had without the person.
        if low_level::raise(SIGWINCH).is_ok() {
            let waited = self.changed.wait_timeout_while(state, ASIDE, |state| !state.waiting);
            drop(waited.unwrap_or_else(PoisonError::into_inner));
        }
        Aside(Arc::clone(self))
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner).closed = false;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn a_batch_is_what_is_there_up_to_a_bound() {
        let events = Events::deaf();
        let reporter = events.reporter();
        (0..BATCH + 2).for_each(|report| reporter.report(report));
        for (length, first) in [(BATCH, 0), (2, BATCH)] {
            let batch = events.next_batch(None);
            assert_eq!(batch.len(), length);
            assert!(matches!(batch[0], Event::Report(report) if report == first));
        }
        assert!(events.next_batch(Some(Instant::now())).is_empty());
    }

    #[test]
    fn a_closed_gate_holds_the_reader_until_it_opens() {
        let gate = Arc::new(Gate::default());
        let passed = Arc::new(AtomicUsize::new(0));
        let count = || passed.load(Ordering::SeqCst);
        let reader = thread::spawn({
            let (gate, passed) = (Arc::clone(&gate), Arc::clone(&passed));
            move || {
                while passed.load(Ordering::SeqCst) != usize::MAX {
                    gate.pass();
                    _ = passed.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |count| count.checked_add(1));
                }
            }
        });
        let aside = gate.close();
        let before = count();
        (0..100).for_each(|_| thread::yield_now());
        assert_eq!(count(), before);
        drop(aside);
        while count() == before {
            thread::yield_now();
        }
        passed.store(usize::MAX, Ordering::SeqCst);
        reader.join().unwrap();
    }
}
