use std::io::{self, IsTerminal, Write};

/// How far something is, on one line of standard error that goes away in the end; nothing where that is no terminal.
pub(super) struct Progress {
    is_terminal: bool,
    is_shown: bool,
}

impl Progress {
    pub(super) fn new() -> Self {
        Self { is_terminal: io::stderr().is_terminal(), is_shown: false }
    }

    /// Shows it, in the place of what was shown before. Where that fails, nobody sees it.
    pub(super) fn tell(&mut self, words: &str) {
        if self.is_terminal {
            self.is_shown = true;
            _ = write!(io::stderr(), "\r{words}\x1b[K");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_shown {
            _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
