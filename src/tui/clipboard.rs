use std::fmt;
use std::io::{self, Write};
use std::process::{Child, Command as Process, Stdio};

use crossterm::Command;
use crossterm::clipboard::CopyToClipboard;

use crate::present::age;
use crate::store::Environment;

/// The argument with which the program serves a text to the desktop instead of opening the screen.
pub(super) const SERVE: &str = "--serve-clipboard";

/// The clipboard of the desktop, or that of the terminal where there is no desktop.
///
/// On X11 and Wayland a copied text lives as long as the process that offers it. The handle is kept for the life of
/// this process, and [`Clipboard::hand_on`] leaves the text to a process of its own at the end. The desktop may
/// take seconds to answer: use it on a worker.
pub struct Clipboard {
    surroundings: Surroundings,
    doors: RealDoors,
    unprinted: Vec<String>,
}

/// How texts are copied, as `PISCOPE_CLIPBOARD` chooses it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Way {
    /// `auto`: what fits the place, the next best thing where that fails.
    #[default]
    Auto,
    /// `desktop`: the clipboard of this machine's desktop and nothing else.
    Desktop,
    /// `terminal`: the sequence OSC 52 and nothing else.
    Terminal,
    /// `tmux`: `tmux load-buffer` and nothing else.
    Tmux,
    /// `print`: nothing now; the texts are printed when the program ends.
    Print,
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
    /// tmux keeps this many characters, and passes them on to the terminal if it may.
    InTmux(usize),
    /// This many characters are on the way to the terminal, which does not tell whether it takes them.
    SentToTerminal(usize),
    /// Nothing was copied; this many characters are printed at the end.
    Kept(usize),
    /// Nothing was copied, for this reason.
    Failed(String),
}

/// Where the process runs, as far as it decides whose clipboard is meant.
#[derive(Clone, Copy, Debug, Default)]
struct Surroundings {
    way: Way,
    /// Where the person sits.
    seat: Seat,
    /// What stands between us and the terminal.
    between: Between,
}

/// Where the person sits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Seat {
    /// At another machine.
    Remote,
    /// At this machine, without a desktop.
    #[default]
    Console,
    /// At the desktop of this machine.
    Desktop,
}

/// What stands between us and the terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Between {
    #[default]
    Nothing,
    /// tmux, which may be attached from anywhere.
    Tmux,
    /// GNU screen.
    Screen,
}

/// The ways out of the process.
trait Doors {
    fn desktop(&mut self, text: &str) -> Result<(), String>;
    fn tmux(&mut self, text: &str) -> Result<(), String>;
}

/// The most bytes of a sequence that tmux lets through; other terminals take less or more.
const LONGEST_SEQUENCE: usize = 1 << 20;

/// The most bytes that GNU screen passes on in one piece, with room for its frame.
const SCREEN_PIECE: usize = 240;

impl Way {
    const ALL: [(&'static str, Self); 5] = [
        ("auto", Self::Auto),
        ("desktop", Self::Desktop),
        ("terminal", Self::Terminal),
        ("tmux", Self::Tmux),
        ("print", Self::Print),
    ];

    /// What the environment chooses.
    ///
    /// # Errors
    /// A word that is no way to copy, as a sentence.
    pub fn of(environment: &Environment) -> Result<Self, String> {
        let Some(word) = environment.variable("PISCOPE_CLIPBOARD") else { return Ok(Self::Auto) };
        let found = Self::ALL.into_iter().find(|(name, _)| word == *name);
        found.map(|(_, way)| way).ok_or_else(|| {
            let words = Self::ALL.map(|(name, _)| name).join(", ");
            format!("PISCOPE_CLIPBOARD is {}, which is none of {words}", word.display())
        })
    }
}

impl Clipboard {
    /// The clipboard for an environment. Nothing is opened before the first copy.
    pub fn new(way: Way, environment: &Environment) -> Self {
        let is_set = |name| environment.variable(name).is_some();
        let has_desktop = is_set("DISPLAY") || is_set("WAYLAND_DISPLAY") || cfg!(target_os = "macos");
        let seat = match (is_set("SSH_TTY") || is_set("SSH_CONNECTION"), has_desktop) {
            (true, _) => Seat::Remote,
            (false, true) => Seat::Desktop,
            (false, false) => Seat::Console,
        };
        let between = match (is_set("TMUX"), is_set("STY")) {
            (true, _) => Between::Tmux,
            (false, true) => Between::Screen,
            (false, false) => Between::Nothing,
        };
        Self {
            surroundings: Surroundings { way, seat, between },
            doors: RealDoors::default(),
            unprinted: Vec::new(),
        }
    }

    /// Copies a text to where the person can paste it.
    pub fn copy(&mut self, text: &str) -> Copy {
        let copied = copy(self.surroundings, text, &mut self.doors);
        if let Outcome::Kept(_) = copied.outcome {
            self.unprinted.push(text.to_owned());
        }
        copied
    }

    /// Lets go of the clipboard at the end of the process, and returns the texts that are to be printed.
    ///
    /// A text that the desktop took from us would vanish with us. A process of its own goes on to offer it until
    /// another text is copied, as `xclip` and `wl-copy` do; it needs no terminal and outlives ours.
    pub fn hand_on(&mut self) -> Vec<String> {
        if let Some(text) = self.doors.close()
            && cfg!(all(unix, not(target_os = "macos")))
        {
            // If it cannot be started, a clipboard manager may have kept the text; there is nobody to tell.
            _ = start_server(&text);
        }
        std::mem::take(&mut self.unprinted)
    }
}

fn copy(at: Surroundings, text: &str, doors: &mut dyn Doors) -> Copy {
    let count = text.chars().count();
    let plain = |outcome| Copy { outcome, sequence: None };
    let told = |result: Result<(), String>, outcome: Outcome| match result {
        Ok(()) => plain(outcome),
        Err(reason) => plain(Outcome::Failed(reason)),
    };
    let sequence = || Some(sequence(text, at.between)).filter(|sequence| sequence.len() <= LONGEST_SEQUENCE);
    match at.way {
        Way::Print => return plain(Outcome::Kept(count)),
        Way::Desktop => return told(doors.desktop(text), Outcome::Copied(count)),
        Way::Tmux => return told(doors.tmux(text), Outcome::InTmux(count)),
        Way::Terminal => {
            return match sequence() {
                Some(sequence) => Copy { outcome: Outcome::SentToTerminal(count), sequence: Some(sequence) },
                None => plain(Outcome::Failed(format!("{count} characters are too many for the terminal"))),
            };
        }
        Way::Auto => {}
    }
    if at.seat == Seat::Desktop && doors.desktop(text).is_ok() {
        // tmux may be attached from another machine, so its terminal gets the text too.
        let sequence = if at.between == Between::Tmux { sequence() } else { None };
        return Copy { outcome: Outcome::Copied(count), sequence };
    }
    if at.between == Between::Tmux && doors.tmux(text).is_ok() {
        return Copy { outcome: Outcome::InTmux(count), sequence: sequence() };
    }
    match sequence() {
        Some(sequence) => Copy { outcome: Outcome::SentToTerminal(count), sequence: Some(sequence) },
        None => plain(Outcome::Kept(count)),
    }
}

/// The sequence "OSC 52". tmux keeps it or passes it on as its options say: `set-clipboard` is about the bare one,
/// `allow-passthrough` about the wrapped one, so it gets both. GNU screen passes on what is wrapped, a piece at a
/// time.
fn sequence(text: &str, between: Between) -> String {
    let mut bare = String::new();
    // Writing to a string cannot fail.
    _ = CopyToClipboard::to_clipboard_from(text).write_ansi(&mut bare);
    match between {
        Between::Nothing => bare,
        Between::Tmux => {
            let escaped = bare.replace('\x1b', "\x1b\x1b");
            format!("\x1bPtmux;{escaped}\x1b\\{bare}")
        }
        Between::Screen => {
            // The frame ends at the first `ESC \`, so the sequence inside has to end in a bell.
            let inside = bare.replace("\x1b\\", "\x07");
            let pieces = inside.as_bytes().chunks(SCREEN_PIECE);
            let pieces: Vec<_> = pieces.map(|piece| String::from_utf8_lossy(piece)).collect();
            format!("\x1bP{}\x1b\\", pieces.join("\x1b\\\x1bP"))
        }
    }
}

/// The desktop's clipboard, opened when it is first wanted and again after a failure, and tmux.
#[derive(Default)]
struct RealDoors {
    desktop: Option<arboard::Clipboard>,
    /// What the desktop took last.
    offered: Option<String>,
}

impl RealDoors {
    fn open(&mut self) -> Result<&mut arboard::Clipboard, arboard::Error> {
        match &mut self.desktop {
            Some(clipboard) => Ok(clipboard),
            none => Ok(none.insert(arboard::Clipboard::new()?)),
        }
    }

    /// Closes the desktop's clipboard and returns what is still offered through it.
    fn close(&mut self) -> Option<String> {
        let mut clipboard = self.desktop.take()?;
        let offered = self.offered.take()?;
        // Something else may have been copied since, which must not be overwritten.
        let is_ours = clipboard.get_text().is_ok_and(|text| text == offered);
        is_ours.then_some(offered)
    }
}

impl Doors for RealDoors {
    fn desktop(&mut self, text: &str) -> Result<(), String> {
        let copied = self.open().and_then(|clipboard| clipboard.set_text(text));
        match copied {
            Ok(()) => self.offered = Some(text.to_owned()),
            Err(_) => self.desktop = None,
        }
        copied.map_err(|error| error.to_string())
    }

    /// With `-w` tmux also sets the clipboard of its terminal; versions before 3.2 do not know it.
    fn tmux(&mut self, text: &str) -> Result<(), String> {
        let load = |options: &[&str]| -> io::Result<bool> {
            let mut tmux = Process::new("tmux");
            tmux.arg("load-buffer").args(options).arg("-");
            let mut tmux = with_input(tmux, text)?;
            Ok(tmux.wait()?.success())
        };
        match load(&["-w"]).and_then(|is_done| if is_done { Ok(true) } else { load(&[]) }) {
            Ok(true) => Ok(()),
            Ok(false) => Err("tmux refuses it".into()),
            Err(error) => Err(format!("tmux cannot be asked: {error}")),
        }
    }
}

/// Starts a program that reads a text, and gives it the text.
fn with_input(mut program: Process, text: &str) -> io::Result<Child> {
    let mut child = program.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    if let Some(mut input) = child.stdin.take() {
        // One that ends without reading says so by its status.
        _ = input.write_all(text.as_bytes());
    }
    Ok(child)
}

/// Starts this program to serve a text, in a job of its own, so that the end of our terminal is not its end.
fn start_server(text: &str) -> io::Result<Child> {
    let mut server = Process::new(std::env::current_exe()?);
    server.arg(SERVE);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut server, 0);
    with_input(server, text)
}

/// Offers what standard input holds to the desktop, until another text is copied.
///
/// # Errors
/// Standard input is no text, or there is no desktop.
pub fn serve_clipboard() -> io::Result<()> {
    let text = io::read_to_string(io::stdin())?;
    let mut clipboard = arboard::Clipboard::new().map_err(io::Error::other)?;
    let set = clipboard.set();
    #[cfg(all(unix, not(target_os = "macos")))]
    let set = arboard::SetExtLinux::wait(set);
    set.text(text).map_err(io::Error::other)
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let characters = |count: &usize| age::counted(*count, "character");
        match self {
            Self::Copied(count) => write!(f, "copied {}", characters(count)),
            Self::InTmux(count) => write!(f, "copied {} to tmux", characters(count)),
            Self::SentToTerminal(count) => {
                write!(f, "sent {} to the terminal's clipboard", characters(count))
            }
            Self::Kept(count) => write!(f, "not copied; {} will be printed at the end", characters(count)),
            Self::Failed(reason) => write!(f, "cannot copy: {reason}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BARE: &str = "\x1b]52;c;aMOp\x1b\\";
    const IN_TMUX: &str = "\x1bPtmux;\x1b\x1b]52;c;aMOp\x1b\x1b\\\x1b\\\x1b]52;c;aMOp\x1b\\";
    const IN_SCREEN: &str = "\x1bP\x1b]52;c;aMOp\x07\x1b\\";

    /// Doors that are open or closed.
    struct Fake {
        desktop: bool,
        tmux: bool,
    }

    impl Doors for Fake {
        fn desktop(&mut self, _: &str) -> Result<(), String> {
            self.desktop.then_some(()).ok_or_else(|| "no such display".to_owned())
        }

        fn tmux(&mut self, _: &str) -> Result<(), String> {
            self.tmux.then_some(()).ok_or_else(|| "no such server".to_owned())
        }
    }

    fn at(way: Way, seat: Seat, between: Between) -> Surroundings {
        Surroundings { way, seat, between }
    }

    #[test]
    fn a_copy_goes_where_the_person_is() {
        use Between::{Nothing, Screen, Tmux};
        use Outcome::{Copied, Failed, InTmux, Kept, SentToTerminal};
        use Seat::{Console, Desktop, Remote};
        let (open, shut) = ((true, true), (false, false));
        for (way, seat, between, (desktop, tmux), outcome, sequence) in [
            (Way::Auto, Desktop, Nothing, open, Copied(2), None),
            (Way::Auto, Desktop, Nothing, shut, SentToTerminal(2), Some(BARE)),
            (Way::Auto, Desktop, Tmux, open, Copied(2), Some(IN_TMUX)),
            (Way::Auto, Desktop, Tmux, (false, true), InTmux(2), Some(IN_TMUX)),
            (Way::Auto, Desktop, Tmux, shut, SentToTerminal(2), Some(IN_TMUX)),
            (Way::Auto, Desktop, Screen, shut, SentToTerminal(2), Some(IN_SCREEN)),
            (Way::Auto, Remote, Nothing, open, SentToTerminal(2), Some(BARE)),
            (Way::Auto, Remote, Tmux, open, InTmux(2), Some(IN_TMUX)),
            (Way::Auto, Remote, Screen, open, SentToTerminal(2), Some(IN_SCREEN)),
            (Way::Auto, Console, Nothing, open, SentToTerminal(2), Some(BARE)),
            (Way::Desktop, Remote, Tmux, open, Copied(2), None),
            (Way::Desktop, Desktop, Tmux, shut, Failed("no such display".into()), None),
            (Way::Terminal, Desktop, Nothing, open, SentToTerminal(2), Some(BARE)),
            (Way::Tmux, Desktop, Nothing, open, InTmux(2), None),
            (Way::Tmux, Desktop, Nothing, shut, Failed("no such server".into()), None),
            (Way::Print, Desktop, Nothing, open, Kept(2), None),
        ] {
            let place = at(way, seat, between);
            let copied = copy(place, "hé", &mut Fake { desktop, tmux });
            assert_eq!(copied, Copy { outcome, sequence: sequence.map(str::to_owned) }, "{place:?}");
        }
    }

    #[test]
    fn what_no_terminal_takes_is_not_sent() {
        let long = "x".repeat(LONGEST_SEQUENCE);
        let mut shut = Fake { desktop: false, tmux: false };
        let mut outcome = |way| {
            let copied = copy(at(way, Seat::Remote, Between::Tmux), &long, &mut shut);
            assert_eq!(copied.sequence, None);
            copied.outcome
        };
        assert_eq!(outcome(Way::Auto), Outcome::Kept(LONGEST_SEQUENCE));
        let reason = "1048576 characters are too many for the terminal".to_owned();
        assert_eq!(outcome(Way::Terminal), Outcome::Failed(reason));
    }

    #[test]
    fn screen_gets_pieces_that_it_can_pass_on() {
        let whole = sequence(&"x".repeat(1000), Between::Screen);
        let pieces: Vec<&str> = whole.split_inclusive("\x1b\\").collect();
        assert!(pieces.len() > 4 && pieces.iter().all(|piece| piece.len() <= SCREEN_PIECE + 4));
        let passed_on: String = pieces.iter().map(|piece| &piece[2..piece.len() - 2]).collect();
        assert_eq!(passed_on, sequence(&"x".repeat(1000), Between::Nothing).replace("\x1b\\", "\x07"));
    }

    #[test]
    fn the_environment_chooses_the_way() {
        let choose = |word: &str| Way::of(&Environment::new("/", "/").with("PISCOPE_CLIPBOARD", word));
        for (word, way) in Way::ALL {
            assert_eq!(choose(word), Ok(way));
        }
        assert_eq!(choose(""), Ok(Way::Auto));
        assert!(choose("smoke").unwrap_err().contains("none of auto, desktop"));
    }

    #[test]
    fn texts_that_went_nowhere_are_printed_at_the_end() {
        let mut clipboard = Clipboard::new(Way::Print, &Environment::new("/", "/"));
        clipboard.copy("one");
        clipboard.copy("two");
        assert_eq!(clipboard.hand_on(), ["one", "two"]);
        assert!(clipboard.hand_on().is_empty());
    }

    #[test]
    fn outcomes_say_no_more_than_is_known() {
        for (outcome, words) in [
            (Outcome::Copied(1), "copied 1 character"),
            (Outcome::InTmux(2), "copied 2 characters to tmux"),
            (Outcome::SentToTerminal(12), "sent 12 characters to the terminal's clipboard"),
            (Outcome::Kept(3), "not copied; 3 characters will be printed at the end"),
            (Outcome::Failed("no".into()), "cannot copy: no"),
        ] {
            assert_eq!(outcome.to_string(), words);
        }
    }
}
