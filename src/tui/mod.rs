//! The shell: the only code that knows a terminal.
