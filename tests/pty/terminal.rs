//! A program on a terminal of its own: what it draws is seen, what is pressed reaches it, nothing sleeps.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

use piscope::app::{Key, KeyName};
use portable_pty::{CommandBuilder, ExitStatus, MasterPty, PtySize, SlavePty, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// How long anything may take before the test fails.
const DEADLINE: Duration = Duration::from_secs(20);

/// A running program and its terminal.
pub(crate) struct Pty {
    master: Box<dyn MasterPty + Send>,
    // Kept open so that the terminal, and its modes, outlive the program.
    slave: Box<dyn SlavePty + Send>,
    writer: Box<dyn Write + Send>,
    seen: Arc<Seen>,
    /// The process that was started.
    pub(crate) program: u32,
    modes_before: String,
    /// The home folder, which goes with the terminal.
    pub(crate) home: TempDir,
}

/// What a program left behind.
pub(crate) struct Ended {
    /// How it ended.
    pub(crate) status: ExitStatus,
    /// What its terminal shows.
    pub(crate) screen: vt100::Screen,
    /// Everything it wrote.
    pub(crate) output: Vec<u8>,
}

#[derive(Default)]
struct Seen {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    parser: vt100::Parser,
    output: Vec<u8>,
    closed: bool,
    status: Option<ExitStatus>,
}

impl Pty {
    /// Starts `piscope` on a screen of 120 by 40 cells.
    pub(crate) fn piscope(arguments: &[&str]) -> Self {
        Self::start(env!("CARGO_BIN_EXE_piscope"), arguments, 120, 40)
    }

    /// Runs a shell script, in which `$PISCOPE` is the program.
    pub(crate) fn shell(script: &str) -> Self {
        Self::start("/bin/sh", &["-c", script], 120, 40)
    }

    /// Runs a program in a home folder that was prepared, with variables of its own.
    pub(crate) fn at(home: TempDir, program: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        Self::start_at(home, program, arguments, variables, 120, 40)
    }

    fn start(program: &str, arguments: &[&str], columns: u16, rows: u16) -> Self {
        Self::start_at(tempfile::tempdir().unwrap(), program, arguments, &[], columns, rows)
    }

    /// Starts a program in an environment that has nothing of the machine but its `PATH`.
    fn start_at(
        home: TempDir,
        program: &str,
        arguments: &[&str],
        variables: &[(&str, &str)],
        columns: u16,
        rows: u16,
    ) -> Self {
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        command.env_clear();
        command.cwd(home.path());
        for (name, value) in [
            ("HOME", home.path().as_os_str()),
            ("PATH", &std::env::var_os("PATH").unwrap()),
            ("PISCOPE", env!("CARGO_BIN_EXE_piscope").as_ref()),
            ("TERM", "xterm-256color".as_ref()),
            ("LC_ALL", "C.UTF-8".as_ref()),
            ("TZ", "UTC".as_ref()),
        ] {
            command.env(name, value);
        }
        for (name, value) in variables {
            command.env(name, value);
        }
        let pair = native_pty_system().openpty(size(columns, rows)).unwrap();
        let seen = Arc::new(Seen::default());
        seen.resize(columns, rows);
        let modes_before = modes(&*pair.master);
        let mut child = pair.slave.spawn_command(command).unwrap();
        let program = child.process_id().unwrap();
        let reader = pair.master.try_clone_reader().unwrap();
        thread::spawn({
            let seen = Arc::clone(&seen);
            move || seen.read(reader)
        });
        thread::spawn({
            let seen = Arc::clone(&seen);
            move || {
                let status = child.wait().unwrap();
                seen.change(|state| state.status = Some(status));
            }
        });
        let writer = pair.master.take_writer().unwrap();
        Self { master: pair.master, slave: pair.slave, writer, seen, program, modes_before, home }
    }

    /// Waits until the screen is as wanted, and returns its text.
    pub(crate) fn wait_for(&self, wanted: &str, is_so: impl Fn(&vt100::Screen) -> bool) -> String {
        self.seen.wait(wanted, |state| is_so(state.parser.screen())).parser.screen().contents()
    }

    /// Waits until the screen shows a text.
    pub(crate) fn wait_for_text(&self, text: &str) -> String {
        self.wait_for(text, |screen| screen.contents().contains(text))
    }

    /// Waits until everything that was ever written is as wanted, and returns it.
    pub(crate) fn wait_for_output(&self, wanted: &str, is_so: impl Fn(&str) -> bool) -> String {
        let state = self.seen.wait(wanted, |state| is_so(&String::from_utf8_lossy(&state.output)));
        String::from_utf8_lossy(&state.output).into_owned()
    }

    /// Presses keys, written as [`Key::sequence`] reads them, as a terminal without extensions sends them.
    pub(crate) fn press(&mut self, keys: &str) {
        let bytes: Vec<u8> = Key::sequence(keys).unwrap().into_iter().flat_map(bytes).collect();
        self.writer.write_all(&bytes).unwrap();
        self.writer.flush().unwrap();
    }

    /// Sends bytes as they are.
    pub(crate) fn send(&mut self, bytes: &[u8]) {
        self.writer.write_all(bytes).unwrap();
        self.writer.flush().unwrap();
    }

    /// Gives the terminal another size.
    pub(crate) fn resize(&self, columns: u16, rows: u16) {
        self.seen.resize(columns, rows);
        self.master.resize(size(columns, rows)).unwrap();
    }

    /// Sends a signal to the program that was started.
    pub(crate) fn signal(&self, signal: Signal) {
        signal_process(self.program, signal);
    }

    /// True while the terminal has the modes that it had before the program was started.
    pub(crate) fn has_first_modes(&self) -> bool {
        modes(&*self.master) == self.modes_before
    }

    /// Waits for the end of the program.
    pub(crate) fn wait_for_end(&self) {
        drop(self.seen.wait("the end of the program", |state| state.status.is_some()));
    }

    /// Waits for the end of the program and for the last of its output.
    pub(crate) fn finish(self) -> Ended {
        self.wait_for_end();
        assert!(self.has_first_modes(), "the terminal has other modes than before");
        drop(self.slave);
        drop(self.writer);
        let state = self.seen.wait("the end of the output", |state| state.closed);
        Ended {
            status: state.status.clone().unwrap(),
            screen: state.parser.screen().clone(),
            output: state.output.clone(),
        }
    }
}

impl Ended {
    /// Checks that the terminal is as a shell wants it.
    pub(crate) fn assert_restored(&self) {
        let screen = &self.screen;
        assert!(!screen.alternate_screen(), "the alternate screen is still shown");
        assert!(!screen.hide_cursor(), "the cursor is still hidden");
        assert!(!screen.bracketed_paste(), "pastes are still bracketed");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        assert_eq!(screen.fgcolor(), vt100::Color::Default);
        let last = |mode: &str| String::from_utf8_lossy(&self.output).rfind(mode);
        assert!(last("\x1b[?2026l") >= last("\x1b[?2026h"), "a frame was begun and never ended");
        assert!(last("\x1b[?1004l") > last("\x1b[?1004h"), "the focus is still reported");
        assert!(last("\x1b[?2031l") >= last("\x1b[?2031h"), "light and dark are still reported");
        let count = |sequence: &str| String::from_utf8_lossy(&self.output).matches(sequence).count();
        assert_eq!(count("\x1b[>1u"), count("\x1b[<1u"), "keys are still told by the kitty protocol");
    }
}

/// Sends a signal to a process.
pub(crate) fn signal_process(id: u32, signal: Signal) {
    let id = Pid::from_raw(i32::try_from(id).unwrap()).unwrap();
    kill_process(id, signal).unwrap();
}

impl Seen {
    fn read(&self, mut reader: Box<dyn Read + Send>) {
        let mut buffer = [0; 4096];
        while let Ok(length @ 1..) = reader.read(&mut buffer) {
            self.change(|state| {
                state.parser.process(&buffer[..length]);
                state.output.extend_from_slice(&buffer[..length]);
            });
        }
        self.change(|state| state.closed = true);
    }

    fn resize(&self, columns: u16, rows: u16) {
        let [columns, rows] = [columns, rows].map(|cells| NonZeroU16::new(cells).unwrap());
        self.change(|state| state.parser.set_size(rows, columns));
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().unwrap());
        self.changed.notify_all();
    }

    fn wait(&self, wanted: &str, is_so: impl Fn(&State) -> bool) -> MutexGuard<'_, State> {
        let state = self.state.lock().unwrap();
        let (state, time) = self.changed.wait_timeout_while(state, DEADLINE, |state| !is_so(state)).unwrap();
        if time.timed_out() {
            let (shown, status) = (state.parser.screen().contents(), state.status.clone());
            drop(state);
            panic!(
                "waited in vain for {wanted}; the program's status is {status:?}, the screen shows:\n{shown}"
            );
        }
        state
    }
}

/// The modes of the terminal driver, to be compared.
fn modes(master: &dyn MasterPty) -> String {
    format!("{:?}", master.get_termios().unwrap())
}

fn size(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

/// What a terminal without extensions sends for a key.
fn bytes(key: Key) -> Vec<u8> {
    let modifiers = key.modifiers();
    let modified = 1 + u8::from(modifiers.shift) + 2 * u8::from(modifiers.alt) + 4 * u8::from(modifiers.ctrl);
    let cursor = |letter: char| match modified {
        1 => format!("\x1b[{letter}"),
        _ => format!("\x1b[1;{modified}{letter}"),
    };
    let numbered = |number: u8| match modified {
        1 => format!("\x1b[{number}~"),
        _ => format!("\x1b[{number};{modified}~"),
    };
    let typed = |text: String| if modifiers.alt { format!("\x1b{text}") } else { text };
    let text = match key.name() {
        KeyName::Char(' ') if modifiers.ctrl => typed("\0".into()),
        KeyName::Char('-') if modifiers.ctrl => typed("\x1f".into()),
        KeyName::Char(char) if modifiers.ctrl => typed(char::from(char as u8 & 0x1f).to_string()),
        KeyName::Char(char) => typed(char.to_string()),
        KeyName::Tab if modifiers.shift => "\x1b[Z".into(),
        KeyName::Tab => typed("\t".into()),
        KeyName::Enter => typed("\r".into()),
        KeyName::Escape => "\x1b".into(),
        KeyName::Backspace => typed("\x7f".into()),
        KeyName::Up => cursor('A'),
        KeyName::Down => cursor('B'),
        KeyName::Right => cursor('C'),
        KeyName::Left => cursor('D'),
        KeyName::Clear => cursor('E'),
        KeyName::End => cursor('F'),
        KeyName::Home => cursor('H'),
        KeyName::Insert => numbered(2),
        KeyName::Delete => numbered(3),
        KeyName::PageUp => numbered(5),
        KeyName::PageDown => numbered(6),
        KeyName::F(number @ 1..=5) => numbered(10 + number),
        KeyName::F(number @ 6..=10) => numbered(11 + number),
        KeyName::F(number @ 11..=14) => numbered(12 + number),
        KeyName::F(number) => numbered(13 + number),
    };
    text.into_bytes()
}
