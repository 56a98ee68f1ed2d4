//! What becomes of a panic while the screen is up.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{self, PanicHookInfo};
use std::sync::Once;
use std::thread;

use super::terminal::{self, Holder};

thread_local! {
    /// What the last panic of this thread said, while its output would have spoilt the screen.
    static UNSAID: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Makes panics respect the screen, once for the process. In the drawing thread the terminal is given back
/// before the message is printed by the hook of before. In any other thread the screen stays, and the message is
/// kept for [`message`].
pub(crate) fn respect_screen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic| match terminal::holder() {
            Holder::Us { drawing_thread } if drawing_thread != thread::current().id() => {
                UNSAID.set(Some(described(panic)));
            }
            _ => {
                terminal::restore();
                before(panic);
            }
        }));
    });
}

fn described(panic: &PanicHookInfo<'_>) -> String {
    let text = text(panic.payload());
    panic.location().map_or_else(|| text.to_owned(), |at| format!("{text} ({}:{})", at.file(), at.line()))
}

/// What a panic said that was caught in this thread, on one line.
pub(crate) fn message(payload: &(dyn Any + Send)) -> String {
    UNSAID.take().unwrap_or_else(|| text(payload).to_owned()).replace('\n', " ")
}

fn text(payload: &(dyn Any + Send)) -> &str {
    match payload.downcast_ref::<&str>() {
        Some(text) => text,
        None => payload.downcast_ref::<String>().map_or("a panic without a message", String::as_str),
    }
}
