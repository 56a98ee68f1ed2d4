//! piscope: a full-screen terminal browser for the sessions of the pi coding agent.

#[cfg(feature = "tui")]
pub mod app;
pub mod cancel;
pub mod cli;
pub mod error;
pub mod format;
pub mod present;
pub mod session;
pub mod store;
#[cfg(feature = "tui")]
pub mod tui;
