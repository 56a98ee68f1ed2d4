//! The shell: the only code that knows a terminal.
//!
//! One thread draws. It waits on one channel for what the person does, what jobs report and what signals say, and
//! draws once for all that was there. Nothing ticks: without an event it sleeps.
//!
//! ```no_run
//! use piscope::app::{Input, Key};
//! use piscope::tui::{Event, Events, Output, Screen, Use};
//!
//! # fn main() -> std::io::Result<()> {
//! let events: Events<()> = Events::new()?;
//! let mut screen = Screen::open(Output::Stdout, Use::Screen { mouse: false }, &events)?;
//! loop {
//!     screen.draw(|frame| frame.render_widget("q quits", frame.area()))?;
//!     for event in events.next_batch(None) {
//!         match event {
//!             Event::Input(Input::Key(key)) if key == Key::char('q') => return Ok(()),
//!             Event::Input(Input::Resize { .. }) => screen.redraw(),
//!             Event::InputLost(error) => return Err(error),
//!             _ => {}
//!         }
//!     }
//! }
//! # }
//! ```

mod answers;
mod clipboard;
mod draw;
mod events;
mod glyphs;
mod hyperlinks;
mod input;
mod joined;
mod lanes;
mod linear;
mod outside;
mod panics;
#[cfg_attr(not(feature = "images"), path = "no_pictures.rs")]
mod pictures;
mod remember;
mod run;
mod screen;
mod signals;
mod start;

mod terminal;
mod theme;

pub use clipboard::{Clipboard, Copy, Outcome, Way, serve_clipboard};
pub use draw::{LinkArea, draw, links};
pub use events::{Answer, Event, Events, Reporter};
pub use glyphs::Glyphs;
pub use lanes::{Lane, Lanes, Runner};
pub use linear::Linear;
pub use run::{Left, now, run};
pub use screen::{Output, Screen, Use};
pub use signals::{Ending, Signal, stop_job};
pub use start::Start;
pub use theme::{Background, Band, Colours, Theme};
