use std::fs::File;
use std::io::{self, IsTerminal, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};
use filedescriptor::{POLLIN, poll, pollfd};

use super::input::{Heard, Parser};
use super::signals::{self, Signal};
use super::{Background, panics};
use crate::app::Input;

/// Everything that can wake the drawing thread. `R` is what jobs report.
#[derive(Debug)]
pub enum Event<R> {
    /// The person did something.
    Input(Input),
    /// The terminal told something about itself.
    Told(Answer),
    /// A job reports.
    Report(R),
    /// A signal arrived.
    Signal(Signal),
    /// The terminal can no longer be read; there is nothing left but to end.
    InputLost(io::Error),
}

/// What a terminal tells about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The colour behind its text: red, green, blue.
    Colour([u8; 3]),
    /// It has become a dark one or a light one.
    Scheme(Background),
    /// It knows the kitty keyboard protocol.
    Keyboard,
    /// It has answered all that it was asked, or never will.
    All,
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

/// How long a child waits at most for our reader to stand aside, which it does at once.
const ASIDE: Duration = Duration::from_millis(250);

impl<R: Send + 'static> Events<R> {
    /// Opens the channel and begins to listen to signals.
    ///
    /// # Errors
    /// The system refuses the thread or the handlers.
    pub fn new() -> io::Result<Self> {
        let (sender, receiver) = unbounded();
        let signals = sender.clone();
        signals::listen(move |signal| {
            _ = signals.send(match (signal, crossterm::terminal::size()) {
                (Signal::Resized, Ok((columns, rows))) => Event::Input(Input::Resize { columns, rows }),
                (signal, _) => Event::Signal(signal),
            });
        })?;
        Ok(Self { sender, receiver, gate: Arc::new(Gate::new()?) })
    }

    /// A channel to which nothing comes but reports.
    #[cfg(test)]
    pub(super) fn deaf() -> Self {
        let (sender, receiver) = unbounded();
        Self { sender, receiver, gate: Arc::new(Gate::new().unwrap()) }
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
        let input = input()?;
        let (sender, gate) = (self.sender.clone(), Arc::clone(&self.gate));
        let read = move || {
            let read = panic::catch_unwind(AssertUnwindSafe(|| read_on(input, &sender, &gate)));
            let lost = read.unwrap_or_else(|payload| io::Error::other(panics::message(&*payload)));
            _ = sender.send(Event::InputLost(lost));
        };
        thread::Builder::new().name("terminal".into()).spawn(read)?;
        Ok(Arc::clone(&self.gate))
    }
}

/// What the terminal says: standard input, or where that is something else, the terminal that the process has.
fn input() -> io::Result<File> {
    let input = io::stdin();
    if input.is_terminal() {
        Ok(File::from(input.as_fd().try_clone_to_owned()?))
    } else {
        File::open("/dev/tty")
    }
}

/// Reads until that fails, and returns why.
fn read_on<R>(mut input: File, sender: &Sender<Event<R>>, gate: &Gate) -> io::Error {
    let mut parser = Parser::default();
    let mut bytes = [0; 4096];
    loop {
        gate.pass();
        let heard = match ready(&input, gate, parser.patience()) {
            Ok(Ready::Input) => match input.read(&mut bytes) {
                Ok(0) => return io::ErrorKind::UnexpectedEof.into(),
                Ok(length) => parser.feed(&bytes[..length]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return error,
            },
            Ok(Ready::Gate) => continue,
            Ok(Ready::Nothing) => parser.give_up(),
            Err(error) => return error,
        };
        for heard in heard {
            _ = sender.send(match heard {
                Heard::Input(input) => Event::Input(input),
                Heard::Background(colour) => Event::Told(Answer::Colour(colour)),
                Heard::Scheme(scheme) => Event::Told(Answer::Scheme(scheme)),
                Heard::Keyboard => Event::Told(Answer::Keyboard),
                Heard::Fence => Event::Told(Answer::All),
            });
        }
    }
}

/// What there is to do for the reader.
enum Ready {
    Input,
    Gate,
    Nothing,
}

/// Waits for the terminal to say something, or for the gate to be closed, and no longer than `patience`.
fn ready(input: &File, gate: &Gate, patience: Option<Duration>) -> io::Result<Ready> {
    let waits_for = |fd: BorrowedFd<'_>| pollfd { fd: fd.as_raw_fd(), events: POLLIN, revents: 0 };
    let mut waiting = [waits_for(input.as_fd()), waits_for(gate.called.as_fd())];
    match poll(&mut waiting, patience) {
        Ok(0) => Ok(Ready::Nothing),
        Ok(_) if waiting[1].revents != 0 => {
            (&gate.called).read_exact(&mut [0])?;
            Ok(Ready::Gate)
        }
        Ok(_) => Ok(Ready::Input),
        Err(filedescriptor::Error::Poll(error)) if error.kind() == io::ErrorKind::Interrupted => {
            Ok(Ready::Gate)
        }
        Err(filedescriptor::Error::Poll(error)) => Err(error),
        Err(error) => Err(io::Error::other(error)),
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
pub(super) struct Gate {
    state: Mutex<GateState>,
    changed: Condvar,
    /// What is written to the one is there for the reader to see in the other.
    call: PipeWriter,
    called: PipeReader,
}

#[derive(Default)]
struct GateState {
    closed: bool,
    waiting: bool,
}

/// As long as it lives, the terminal is not read.
pub(super) struct Aside(Arc<Gate>);

impl Gate {
    fn new() -> io::Result<Self> {
        let (called, call) = io::pipe()?;
        Ok(Self { state: Mutex::default(), changed: Condvar::new(), call, called })
    }

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
        if (&self.call).write_all(&[0]).is_ok() {
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
        let gate = Arc::new(Gate::new().unwrap());
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
