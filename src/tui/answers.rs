//! What the terminal tells about itself, and what is made of it.

use std::io;
use std::time::{Duration, Instant};

use super::{Answer, Background, Event, Events, Screen, Theme};
use crate::app::Input;

/// How long the terminal is given to answer before it is drawn on. Most answer in a few milliseconds; later answers
/// count too.
const PATIENCE: Duration = Duration::from_millis(25);

/// Waits for the terminal's answers, and returns what else came meanwhile.
pub(super) fn answered<R: Send + 'static>(
    events: &Events<R>,
    screen: &mut Screen,
    theme: &mut Theme,
) -> io::Result<Vec<Event<R>>> {
    let deadline = Instant::now() + PATIENCE;
    let mut others = Vec::new();
    loop {
        let batch = events.next_batch(Some(deadline));
        let mut is_over = batch.is_empty() || Instant::now() >= deadline;
        for event in batch {
            match event {
                Event::Told(answer) => {
                    is_over |= answer == Answer::All;
                    learn(answer, screen, theme)?;
                }
                other => others.push(other),
            }
        }
        if is_over {
            return Ok(others);
        }
    }
}

/// Does for the screen what the person's doing calls for; `asks` is whether the terminal is asked for its colours.
pub(super) fn prepare(input: &Input, screen: &mut Screen, asks: bool) -> io::Result<()> {
    match input {
        Input::Resize { .. } => screen.redraw(),
        // They may be others where one comes from.
        Input::FocusGained if asks => screen.ask_background()?,
        _ => {}
    }
    Ok(())
}

/// Takes in what the terminal tells about itself.
pub(super) fn learn(answer: Answer, screen: &mut Screen, theme: &mut Theme) -> io::Result<()> {
    match answer {
        Answer::Colour(colour) => theme.background = Background::of(colour),
        Answer::Scheme(background) => {
            theme.background = background;
            // What it is really like is told by its colour.
            screen.ask_background()?;
        }
        Answer::Keyboard => screen.use_kitty_keyboard()?,
        Answer::All => {}
    }
    Ok(())
}
