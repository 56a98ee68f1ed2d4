use std::io;
use std::thread;

use rustix::process::{Signal as SystemSignal, kill_current_process_group};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGTTOU, SIGWINCH};
use signal_hook::iterator::Signals;
use signal_hook::low_level;

use super::terminal::{self, Holder};

/// A signal from outside that the drawing thread has to act on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Somebody wants the program to end: close the screen, then [`Ending::end_process`].
    End(Ending),
    /// Somebody wants the program to stop, as `ctrl+z` does: [`Screen::stop`](super::Screen::stop).
    Stop,
    /// The terminal has another size, which it does not tell; else it arrives as
    /// [`Input::Resize`](crate::app::Input::Resize).
    Resized,
    /// The program goes on after it was stopped, and the terminal may be in any state:
    /// [`Screen::renew`](super::Screen::renew).
    Continue,
}

/// The signal that asked for the end: SIGHUP, SIGINT, SIGQUIT or SIGTERM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending(i32);

impl Ending {
    /// Ends the process by the signal, so that who waits for it learns the truth. The screen must be closed.
    pub fn end_process(self) {
        // An error means an unknown signal, which cannot be: the caller then ends in the ordinary way.
        _ = low_level::emulate_default_handler(self.0);
    }
}

/// Asks this program, and all that run in one job with it, to stop as if `ctrl+z` had not been taken by raw
/// mode. It comes back to us as [`Signal::Stop`].
///
/// # Errors
/// The system refuses to send the signal.
pub fn stop_job() -> io::Result<()> {
    Ok(kill_current_process_group(SystemSignal::TSTP)?)
}

/// Stops this process until it is continued.
///
/// The default action of SIGTTOU is that of SIGTSTP, which we handle: to stop, unless no shell is there that
/// could ever continue us. (SIGSTOP would stop us for good there.)
pub(crate) fn stop_here() -> io::Result<()> {
    low_level::raise(SIGTTOU)
}

/// Listens to signals on a thread of its own, from now to the end of the process. Each becomes a call of `tell`.
///
/// The first wish to end is told; a second one ends the process at once, however busy the drawing thread is. While
/// the terminal is lent to another program, `ctrl+c` and the like are meant for that program.
pub(crate) fn listen(tell: impl Fn(Signal) + Send + 'static) -> io::Result<()> {
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGCONT, SIGWINCH])?;
    let listen = move || {
        let mut ending = false;
        for signal in signals.forever() {
            match reaction(signal, terminal::holder(), ending) {
                Reaction::Tell(signal) => {
                    ending |= matches!(signal, Signal::End(_));
                    tell(signal);
                }
                Reaction::Ignore => {}
                Reaction::StopHere => _ = stop_here(),
                Reaction::EndAtOnce => {
                    terminal::restore_at_once();
                    Ending(signal).end_process();
                }
            }
        }
    };
    thread::Builder::new().name("signals".into()).spawn(listen)?;
    Ok(())
}

#[derive(Debug, PartialEq, Eq)]
enum Reaction {
    Tell(Signal),
    Ignore,
    StopHere,
    EndAtOnce,
}

fn reaction(signal: i32, holder: Holder, ending: bool) -> Reaction {
    match (signal, holder) {
        (SIGCONT, Holder::Us { .. }) => Reaction::Tell(Signal::Continue),
        (SIGTSTP, Holder::Us { .. }) => Reaction::Tell(Signal::Stop),
        (SIGTSTP, Holder::Shell | Holder::Child) => Reaction::StopHere,
        (SIGWINCH, Holder::Us { .. }) => Reaction::Tell(Signal::Resized),
        (SIGINT | SIGQUIT, Holder::Child) | (SIGCONT | SIGWINCH, _) => Reaction::Ignore,
        (_, Holder::Us { .. }) if !ending => Reaction::Tell(Signal::End(Ending(signal))),
        _ => Reaction::EndAtOnce,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_mean_what_they_mean_to_who_has_the_terminal() {
        let us = Holder::Us { drawing_thread: thread::current().id() };
        let end = |signal| Reaction::Tell(Signal::End(Ending(signal)));
        for (signal, holder, ending, expected) in [
            (SIGTERM, us, false, end(SIGTERM)),
            (SIGINT, us, false, end(SIGINT)),
            (SIGHUP, us, false, end(SIGHUP)),
            (SIGTERM, us, true, Reaction::EndAtOnce),
            (SIGINT, Holder::Child, false, Reaction::Ignore),
            (SIGTERM, Holder::Child, false, Reaction::EndAtOnce),
            (SIGINT, Holder::Shell, false, Reaction::EndAtOnce),
            (SIGTSTP, us, false, Reaction::Tell(Signal::Stop)),
            (SIGTSTP, Holder::Child, false, Reaction::StopHere),
            (SIGCONT, us, false, Reaction::Tell(Signal::Continue)),
            (SIGCONT, Holder::Child, false, Reaction::Ignore),
            (SIGWINCH, us, false, Reaction::Tell(Signal::Resized)),
            (SIGWINCH, us, true, Reaction::Tell(Signal::Resized)),
            (SIGWINCH, Holder::Child, false, Reaction::Ignore),
            (SIGWINCH, Holder::Shell, false, Reaction::Ignore),
        ] {
            assert_eq!(reaction(signal, holder, ending), expected, "{signal} {holder:?} {ending}");
        }
    }
}
