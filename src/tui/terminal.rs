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
use crossterm::event::{
    DisableBracketedPaste, DisableFocusChange, EnableBracketedPaste, EnableFocusChange,
    KeyboardEnhancementFlags, PopKeyboardEnhancementFlags, PushKeyboardEnhancementFlags,
};
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
    /// All of its screen, with or without the mouse.
    Screen {
        /// Whether we want to hear of it.
        mouse: bool,
    },
    /// Only its keys; what is written stays in its history.
    Lines,
}

/// Whose the terminal is.
enum Terminal {
    /// The shell's, as we found it.
    Free,
    /// Ours: raw, and showing the alternate screen if we use that. `owner` is the thread that draws.
    Held { output: File, owner: ThreadId, used: Use, keyboard: Keyboard },
    /// That of a program we started and wait for.
    Lent,
}

/// How the terminal tells keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Keyboard {
    /// As ever.
    #[default]
    Plain,
    /// By the kitty keyboard protocol, which can tell more of them apart.
    Kitty,
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
pub(crate) fn take(output: Output, used: Use, keyboard: Keyboard) -> io::Result<()> {
    let output = match output {
        Output::Stdout => duplicate("standard output", &io::stdout())?,
        Output::Stderr => duplicate("standard error", &io::stderr())?,
    };
    let mut terminal = terminal();
    enable_raw_mode()?;
    let entered = match used {
        Use::Screen { mouse } => enter(&output, mouse),
        Use::Lines => execute!(&output, EnableBracketedPaste),
    };
    let entered = entered.and_then(|()| push(&output, keyboard));
    *terminal = Terminal::Held { output, owner: thread::current().id(), used, keyboard };
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

/// Has the terminal tell keys otherwise from now on, while it is ours.
pub(crate) fn tell_keys(by: Keyboard) -> io::Result<()> {
    match &mut *terminal() {
        Terminal::Held { output, keyboard, .. } if *keyboard != by => {
            pop(&mut *output, *keyboard)?;
            *keyboard = by;
            push(output, by)
        }
        _ => Ok(()),
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
    if let Terminal::Held { output, used, keyboard, .. } = terminal {
        // Of the protocol the alternate screen has a state of its own.
        _ = pop(&mut *output, *keyboard);
        _ = match used {
            Use::Screen { .. } => leave(output),
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

fn enter(mut output: impl Write, mouse: bool) -> io::Result<()> {
    execute!(
        output,
        EnterAlternateScreen,
        Hide,
        EnableFocusChange,
        EnableBracketedPaste,
        EnableSchemeChange
    )?;
    if mouse { execute!(output, EnableMouse) } else { Ok(()) }
}

fn push(mut output: impl Write, keyboard: Keyboard) -> io::Result<()> {
    match keyboard {
        Keyboard::Plain => Ok(()),
        Keyboard::Kitty => {
            execute!(
                output,
                PushKeyboardEnhancementFlags(KeyboardEnhancementFlags::DISAMBIGUATE_ESCAPE_CODES)
            )
        }
    }
}

fn pop(mut output: impl Write, keyboard: Keyboard) -> io::Result<()> {
    match keyboard {
        Keyboard::Plain => Ok(()),
        Keyboard::Kitty => execute!(output, PopKeyboardEnhancementFlags),
    }
}

fn leave(mut output: impl Write) -> io::Result<()> {
    execute!(
        output,
        EndSynchronizedUpdate,
        DisableSchemeChange,
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

/// Has the terminal tell when it becomes a dark or a light one. Who does not know how is silent.
struct EnableSchemeChange;

impl Command for EnableSchemeChange {
    fn write_ansi(&self, f: &mut impl std::fmt::Write) -> std::fmt::Result {
        f.write_str("\x1b[?2031h")
    }
}

struct DisableSchemeChange;

impl Command for DisableSchemeChange {
    fn write_ansi(&self, f: &mut impl std::fmt::Write) -> std::fmt::Result {
        f.write_str("\x1b[?2031l")
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
        let entered = written(|bytes| enter(bytes, true));
        let left = written(|bytes| leave(bytes));
        let modes: Vec<&str> = entered.split("\x1b[?").filter_map(|mode| mode.strip_suffix('h')).collect();
        assert_eq!(modes, ["1049", "1004", "2004", "2031", "1000", "1002", "1006"]);
        for mode in modes {
            assert!(left.contains(&format!("\x1b[?{mode}l")), "{mode}");
        }
        assert!(!written(|bytes| enter(bytes, false)).contains("\x1b[?1000h"));
        assert_eq!(written(|bytes| push(bytes, Keyboard::Kitty)), "\x1b[>1u");
        assert_eq!(written(|bytes| pop(bytes, Keyboard::Kitty)), "\x1b[<1u");
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
