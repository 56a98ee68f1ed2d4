//! A wish to stop, shared between the one who asks and the one who works.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Asked for by one thread, looked at by another between two pieces of work. Clones share the wish.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A wish not yet made.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
