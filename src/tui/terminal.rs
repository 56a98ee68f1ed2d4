//! The one terminal of the process, and whose it is.
//!
//! The screen is not alone in giving it back: a panic and a second signal do so from wherever they happen. So its
//! state is global, every byte goes out under its lock, and nothing goes out once it is given back.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::{self, ThreadId};

use crossterm::cursor::{Hide, Show};
use crossterm::event::{DisableBracketedPaste, DisableFocusChange, EnableBracketedPaste, EnableFocusChange};
use crossterm::style::ResetColor;
use crossterm::terminal::{
    EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{Command, execute};

/// Where the screen is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// On standard output.
    Stdout,
    /// On standard error, when standard output is wanted for a result.
    Stderr,
}

/// How much of the terminal we take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// All of its screen, and the mouse.
    Screen,
    /// Only its keys; what is written stays in its history.
    Lines,
}

/// Whose the terminal is.
enum Terminal {
    /// The shell's, as we found it.
    Free,
    /// Ours: raw, and showing the alternate screen if we use that. `owner` is the thread that draws.
    Held { output: File, owner: ThreadId, used: Use },
    /// That of a program we started and wait for.
    Lent,
}

/// What others want to know of [`Terminal`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holder {
    Shell,
    Us { drawing_thread: ThreadId },
    Child,
}

static TERMINAL: Mutex<Terminal> = Mutex::new(Terminal::Free);

fn terminal() -> MutexGuard<'static, Terminal> {
    TERMINAL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whose the terminal is now.
pub(crate) fn holder() -> Holder {
    match *terminal() {
        Terminal::Free => Holder::Shell,
        Terminal::Held { owner, .. } => Holder::Us { drawing_thread: owner },
        Terminal::Lent => Holder::Child,
    }
}

/// Takes the terminal for the calling thread: raw mode, bracketed paste, and for the whole screen the alternate one,
/// mouse and focus. If something fails, the terminal is as before.
pub(crate) fn take(output: Output, used: Use) -> io::Result<()> {
    let output = match output {
        Output::Stdout => duplicate("standard output", &io::stdout())?,
        Output::Stderr => duplicate("standard error", &io::stderr())?,
    };
    let mut terminal = terminal();
    enable_raw_mode()?;
    let entered = match used {
        Use::Screen => enter(&output),
        Use::Lines => execute!(&output, EnableBracketedPaste),
    };
    *terminal = Terminal::Held { output, owner: thread::current().id(), used };
    if entered.is_err() {
        release(&mut terminal);
    }
    entered
}

/// Writes to the terminal while it is ours; otherwise the bytes are dropped.
pub(crate) fn write(bytes: &[u8]) -> io::Result<()> {
    match &mut *terminal() {
        Terminal::Held { output, .. } => output.write_all(bytes),
        Terminal::Free | Terminal::Lent => Ok(()),
    }
}

/// Gives the terminal back as it was found. There is nothing to be done about a failure.
pub(crate) fn restore() {
    release(&mut terminal());
}

/// Like [`restore`], but does not wait for a write that is stuck in a terminal that no longer reads.
pub(crate) fn restore_at_once() {
    match TERMINAL.try_lock() {
        Ok(mut terminal) => release(&mut terminal),
        Err(TryLockError::Poisoned(terminal)) => release(&mut terminal.into_inner()),
        Err(TryLockError::WouldBlock) => _ = disable_raw_mode(),
    }
}

/// Gives the terminal back for a program that we start and wait for.
pub(crate) fn lend() {
    let mut terminal = terminal();
    release(&mut terminal);
    *terminal = Terminal::Lent;
}

fn release(terminal: &mut Terminal) {
    if let Terminal::Held { output, used, .. } = terminal {
        _ = match used {
            Use::Screen => leave(output),
            Use::Lines => execute!(output, DisableBracketedPaste),
        };
        _ = disable_raw_mode();
    }
    *terminal = Terminal::Free;
}

/// A handle of our own: the standard ones have locks, which a thread that is stuck may hold.
fn duplicate(name: &str, output: &(impl AsFd + IsTerminal)) -> io::Result<File> {
    if !output.is_terminal() {
        return Err(io::Error::new(io::ErrorKind::Unsupported, format!("{name} is not a terminal")));
    }
    Ok(File::from(output.as_fd().try_clone_to_owned()?))
}

fn enter(mut output: impl Write) -> io::Result<()> {
    execute!(output, EnterAlternateScreen, Hide, EnableMouse, EnableFocusChange, EnableBracketedPaste)
}

fn leave(mut output: impl Write) -> io::Result<()> {
    execute!(
        output,
        EndSynchronizedUpdate,
        DisableBracketedPaste,
        DisableFocusChange,
        DisableMouse,
        ResetColor,
        LeaveAlternateScreen,
        Show
    )
}

/// Asks for buttons, wheel and drags in SGR coordinates. Unlike crossterm's own command it does not ask for every
/// movement, which would wake us for nothing.
struct EnableMouse;

impl Command for EnableMouse {
    fn write_ansi(&self, f: &mut impl std::fmt::Write) -> std::fmt::Result {
        f.write_str("\x1b[?1000h\x1b[?1002h\x1b[?1006h")
    }
}

struct DisableMouse;

impl Command for DisableMouse {
    fn write_ansi(&self, f: &mut impl std::fmt::Write) -> std::fmt::Result {
        f.write_str("\x1b[?1006l\x1b[?1002l\x1b[?1000l")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(act: fn(&mut Vec<u8>) -> io::Result<()>) -> String {
        let mut bytes = Vec::new();
        act(&mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn every_mode_that_is_set_is_taken_back() {
        let entered = written(|bytes| enter(bytes));
        let left = written(|bytes| leave(bytes));
        let modes: Vec<&str> = entered.split("\x1b[?").filter_map(|mode| mode.strip_suffix('h')).collect();
        assert_eq!(modes, ["1049", "1000", "1002", "1006", "1004", "2004"]);
        for mode in modes {
            assert!(left.contains(&format!("\x1b[?{mode}l")), "{mode}");
        }
        assert!(entered.contains("\x1b[?25l") && left.ends_with("\x1b[?25h"));
        assert!(left.starts_with("\x1b[?2026l"), "a frame that was begun must not hold the rest back");
    }

    #[test]
    fn what_is_not_held_is_not_written_to() {
        assert_eq!(holder(), Holder::Shell);
        write(b"lost").unwrap();
        restore();
        restore_at_once();
        assert_eq!(holder(), Holder::Shell);
    }
}
