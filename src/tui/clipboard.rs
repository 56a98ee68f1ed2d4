use std::env;
use std::fmt;

use crossterm::Command;
use crossterm::clipboard::CopyToClipboard;

/// The clipboard of the desktop, or that of the terminal where there is no desktop.
///
/// On X11 a copied text lives as long as the handle that copied it: keep one for the life of the process. The
/// desktop may take seconds to answer: use it on a worker.
pub struct Clipboard {
    surroundings: Surroundings,
    desktop: Desktop,
}

/// What became of a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copy {
    /// What can be said to the person.
    pub outcome: Outcome,
    /// What has to be written to the terminal for it: [`Screen::send`](super::Screen::send).
    pub sequence: Option<String>,
}

/// What is known about a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The desktop took this many characters.
    Copied(usize),
    /// This many characters are on the way to the terminal, which does not tell whether it takes them.
    SentToTerminal(usize),
    /// Nothing was copied, for this reason.
    Failed(String),
}

/// Where the process runs, as far as it decides whose clipboard is meant.
#[derive(Clone, Copy, Debug, Default)]
struct Surroundings {
    /// The person sits at another machine.
    remote: bool,
    /// There is a desktop on this machine.
    display: bool,
    /// tmux stands between us and the terminal, and may be attached from anywhere.
    tmux: bool,
}

/// The most bytes of a sequence that tmux lets through; other terminals take less or more.
const LONGEST_SEQUENCE: usize = 1 << 20;

impl Clipboard {
    /// The clipboard for the process's environment. Nothing is opened before the first copy.
    pub fn new() -> Self {
        let set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
        let surroundings = Surroundings {
            remote: set("SSH_TTY") || set("SSH_CONNECTION"),
            display: set("DISPLAY") || set("WAYLAND_DISPLAY") || cfg!(target_os = "macos"),
            tmux: set("TMUX"),
        };
        Self { surroundings, desktop: Desktop::default() }
    }

    /// Copies a text to where the person can paste it.
    pub fn copy(&mut self, text: &str) -> Copy {
        copy(self.surroundings, text, |text| self.desktop.copy(text))
    }
}

impl Default for Clipboard {
    fn default() -> Self {
        Self::new()
    }
}

fn copy(at: Surroundings, text: &str, desktop: impl FnOnce(&str) -> Result<(), String>) -> Copy {
    let characters = text.chars().count();
    let copied = if at.remote || !at.display { Err(None) } else { desktop(text).map_err(Some) };
    if copied.is_ok() && !at.tmux {
        return Copy { outcome: Outcome::Copied(characters), sequence: None };
    }
    let sequence = Some(sequence(text, at.tmux)).filter(|sequence| sequence.len() <= LONGEST_SEQUENCE);
    let outcome = match (copied, &sequence) {
        (Ok(()), _) => Outcome::Copied(characters),
        (Err(_), Some(_)) => Outcome::SentToTerminal(characters),
        (Err(Some(reason)), None) => Outcome::Failed(reason),
        (Err(None), None) => {
            Outcome::Failed(format!("{characters} characters are too many for the terminal"))
        }
    };
    Copy { outcome, sequence }
}

/// The sequence "OSC 52". tmux keeps it or passes it on as its options say: `set-clipboard` is about the bare one,
/// `allow-passthrough` about the wrapped one, so it gets both.
fn sequence(text: &str, tmux: bool) -> String {
    let mut bare = String::new();
    // Writing to a string cannot fail.
    _ = CopyToClipboard::to_clipboard_from(text).write_ansi(&mut bare);
    if tmux {
        let escaped = bare.replace('\x1b', "\x1b\x1b");
        return format!("\x1bPtmux;{escaped}\x1b\\{bare}");
    }
    bare
}

/// The desktop's clipboard, opened when it is first wanted and again after a failure.
#[derive(Default)]
struct Desktop(Option<arboard::Clipboard>);

impl Desktop {
    fn copy(&mut self, text: &str) -> Result<(), String> {
        let copied = self.open().and_then(|clipboard| clipboard.set_text(text));
        if copied.is_err() {
            self.0 = None;
        }
        copied.map_err(|error| error.to_string())
    }

    fn open(&mut self) -> Result<&mut arboard::Clipboard, arboard::Error> {
        match &mut self.0 {
            Some(clipboard) => Ok(clipboard),
            none => Ok(none.insert(arboard::Clipboard::new()?)),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let characters = |count: &usize| match count {
            1 => "1 character".to_owned(),
            count => format!("{count} characters"),
        };
        match self {
            Self::Copied(count) => write!(f, "copied {}", characters(count)),
            Self::SentToTerminal(count) => {
                write!(f, "sent {} to the terminal's clipboard", characters(count))
            }
            Self::Failed(reason) => write!(f, "cannot copy: {reason}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOME: Surroundings = Surroundings { remote: false, display: true, tmux: false };
    const REMOTE: Surroundings = Surroundings { remote: true, display: true, tmux: false };
    const CONSOLE: Surroundings = Surroundings { remote: false, display: false, tmux: false };
    const BARE: &str = "\x1b]52;c;aMOp\x1b\\";
    const WRAPPED: &str = "\x1bPtmux;\x1b\x1b]52;c;aMOp\x1b\x1b\\\x1b\\\x1b]52;c;aMOp\x1b\\";

    #[test]
    fn a_copy_goes_where_the_person_is() {
        let in_tmux = |at| Surroundings { tmux: true, ..at };
        let broken = || Err("no such display".to_owned());
        for (at, desktop, outcome, sequence) in [
            (HOME, Ok(()), Outcome::Copied(2), None),
            (HOME, broken(), Outcome::SentToTerminal(2), Some(BARE)),
            (in_tmux(HOME), Ok(()), Outcome::Copied(2), Some(WRAPPED)),
            (in_tmux(HOME), broken(), Outcome::SentToTerminal(2), Some(WRAPPED)),
            (REMOTE, Ok(()), Outcome::SentToTerminal(2), Some(BARE)),
            (in_tmux(REMOTE), Ok(()), Outcome::SentToTerminal(2), Some(WRAPPED)),
            (CONSOLE, Ok(()), Outcome::SentToTerminal(2), Some(BARE)),
        ] {
            let copied = copy(at, "hé", |_| desktop);
            assert_eq!(copied, Copy { outcome, sequence: sequence.map(str::to_owned) }, "{at:?}");
        }
    }

    #[test]
    fn what_no_terminal_takes_is_not_sent() {
        let long = "x".repeat(LONGEST_SEQUENCE);
        let refused = |at, reason: &str| {
            let outcome = Outcome::Failed(reason.to_owned());
            assert_eq!(copy(at, &long, |_| Err("no".to_owned())), Copy { outcome, sequence: None });
        };
        refused(REMOTE, "1048576 characters are too many for the terminal");
        refused(HOME, "no");
    }

    #[test]
    fn outcomes_say_no_more_than_is_known() {
        for (outcome, words) in [
            (Outcome::Copied(1), "copied 1 character"),
            (Outcome::SentToTerminal(12), "sent 12 characters to the terminal's clipboard"),
            (Outcome::Failed("no".into()), "cannot copy: no"),
        ] {
            assert_eq!(outcome.to_string(), words);
        }
    }
}
