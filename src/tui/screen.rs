use std::io::{self, Write};
use std::mem;
use std::sync::Arc;

use crossterm::execute;
use crossterm::queue;
use crossterm::terminal::{BeginSynchronizedUpdate, EndSynchronizedUpdate};
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Size;
use ratatui::{Frame, Terminal};

use super::events::{Events, Gate};
use super::hyperlinks::Hyperlinks;
use super::input::{ASK_BACKGROUND, ASK_KEYBOARD, ASK_KIND};
use super::joined::has_joined;
use super::{Linear, LinkArea};
use super::{panics, signals, terminal};

use super::terminal::Keyboard;
pub use super::terminal::{Output, Use};

/// The terminal while it is ours. Dropping it, a panic in its thread, and a second signal give the terminal back
/// as it was found.
pub struct Screen {
    terminal: Terminal<CrosstermBackend<FrameBuffer>>,
    output: Output,
    used: Use,
    keyboard: Keyboard,
    gate: Arc<Gate>,
    /// Nothing is known of what the terminal shows, so the next frame is drawn whole.
    is_unknown: bool,
    /// The last frame held clusters that the terminal may have drawn over their neighbours.
    has_joined: bool,
    hyperlinks: Hyperlinks,
}

impl Screen {
    /// Takes the terminal, or as much of it as is used, and begins to read it: what it says arrives in `events`. The
    /// calling thread is the one that draws.
    ///
    /// # Errors
    /// There is no terminal, it does not take the modes, or the thread cannot be had.
    pub fn open<R: Send + 'static>(output: Output, used: Use, events: &Events<R>) -> io::Result<Self> {
        panics::respect_screen();
        terminal::take(output, used, Keyboard::default())?;
        let opened = events.read_terminal().and_then(|gate| {
            let terminal = Terminal::new(CrosstermBackend::new(FrameBuffer::default()))?;
            Ok(Self {
                terminal,
                output,
                used,
                keyboard: Keyboard::default(),
                gate,
                is_unknown: true,
                has_joined: false,
                hyperlinks: Hyperlinks::detect(),
            })
        });
        if opened.is_err() {
            terminal::restore();
        }
        opened
    }

    /// Draws a frame. Only what changed is sent, and the terminal shows it all at once. A frame with joined emoji,
    /// and the one after it, are sent whole: the terminal may count such clusters otherwise.
    ///
    /// # Errors
    /// The terminal cannot be written to.
    pub fn draw(&mut self, render: impl Fn(&mut Frame<'_>)) -> io::Result<()> {
        self.draw_linked(render, &[])
    }

    /// Draws a frame of which some pieces lead somewhere.
    ///
    /// # Errors
    /// The terminal cannot be written to.
    pub fn draw_linked(&mut self, render: impl Fn(&mut Frame<'_>), links: &[LinkArea]) -> io::Result<()> {
        queue!(self.terminal.backend_mut(), BeginSynchronizedUpdate)?;
        self.is_unknown |= self.has_joined;
        let is_whole = self.is_unknown;
        self.draw_once(&render, links)?;
        if self.has_joined && !is_whole {
            self.is_unknown = true;
            self.draw_once(&render, links)?;
        }
        execute!(self.terminal.backend_mut(), EndSynchronizedUpdate)
    }

    fn draw_once(&mut self, render: &impl Fn(&mut Frame<'_>), links: &[LinkArea]) -> io::Result<()> {
        if mem::take(&mut self.is_unknown) {
            self.hyperlinks.forget();
            // Unlike `clear`, this does not ask the terminal for its cursor; our reader would get the answer.
            let area = self.terminal.size()?.into();
            self.terminal.resize(area)?;
        }
        let frame = self.terminal.draw(render)?;
        self.has_joined = has_joined(frame.buffer);
        match self.hyperlinks.update(frame.buffer, links) {
            Some(update) => self.hyperlinks.write(update, self.terminal.backend_mut()),
            None => Ok(()),
        }
    }

    /// The size of the terminal in cells; of lines it is what one has to imagine.
    ///
    /// # Errors
    /// The terminal does not tell.
    pub fn size(&self) -> io::Result<Size> {
        match self.used {
            Use::Screen { .. } => self.terminal.size(),
            Use::Lines => Ok(Linear::size()),
        }
    }

    /// Sends a control sequence that draws nothing, such as one for the clipboard.
    ///
    /// # Errors
    /// The terminal cannot be written to.
    pub fn send(&mut self, sequence: &str) -> io::Result<()> {
        let backend = self.terminal.backend_mut();
        backend.write_all(sequence.as_bytes())?;
        Write::flush(backend)
    }

    /// Asks the terminal for the colour behind its text. If it answers, that arrives as an event.
    ///
    /// # Errors
    /// The terminal cannot be written to.
    pub fn ask_background(&mut self) -> io::Result<()> {
        self.send(ASK_BACKGROUND)
    }

    /// Asks the terminal for the colour behind its text and for how it can tell keys. The answers arrive as events, and
    /// then [`Answer::All`](super::Answer::All).
    ///
    /// # Errors
    /// The terminal cannot be written to.
    pub fn ask(&mut self) -> io::Result<()> {
        self.send(&format!("{ASK_BACKGROUND}{ASK_KEYBOARD}{ASK_KIND}"))
    }

    /// Has the terminal tell keys by the kitty keyboard protocol, which it must know.
    ///
    /// # Errors
    /// The terminal cannot be written to.
    pub fn use_kitty_keyboard(&mut self) -> io::Result<()> {
        self.keyboard = Keyboard::Kitty;
        terminal::tell_keys(self.keyboard)
    }

    /// Draws the next frame whole. It is due whenever the size changes, even to what it was: the terminal may have
    /// cut the old frame meanwhile.
    pub fn redraw(&mut self) {
        self.is_unknown = true;
    }

    /// Whether nothing is known of what the terminal shows.
    pub(super) fn is_wiped(&self) -> bool {
        self.is_unknown
    }

    /// Takes the terminal again, whatever became of it.
    ///
    /// # Errors
    /// The terminal does not take the modes.
    pub fn renew(&mut self) -> io::Result<()> {
        terminal::restore();
        terminal::take(self.output, self.used, self.keyboard)?;
        self.redraw();
        Ok(())
    }

    /// Gives the terminal back, stops the process until somebody continues it, and takes the terminal again.
    ///
    /// # Errors
    /// The terminal does not take the modes.
    pub fn stop(&mut self) -> io::Result<()> {
        terminal::restore();
        signals::stop_here()?;
        self.renew()
    }

    /// Lends the terminal to a program that `run` starts and waits for. Meanwhile nothing is drawn and no key is
    /// read.
    ///
    /// # Errors
    /// The terminal does not take the modes again.
    pub fn lend<T>(&mut self, run: impl FnOnce() -> T) -> io::Result<T> {
        let aside = self.gate.close();
        terminal::lend();
        let value = run();
        self.renew()?;
        drop(aside);
        Ok(value)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        terminal::restore();
    }
}

/// Collects a frame and writes it in one piece. What is left of a frame that was never finished is not written: by
/// then the terminal is no longer ours.
#[derive(Default)]
struct FrameBuffer {
    bytes: Vec<u8>,
}

impl Write for FrameBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let written = terminal::write(&self.bytes);
        self.bytes.clear();
        written
    }
}
