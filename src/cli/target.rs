use std::path::PathBuf;

use super::Failure;
use crate::session::{LeafArg, Session};

/// The session file that a command is about, and the leaf.
#[derive(Debug, clap::Args)]
pub struct Target {
    /// A session file.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The leaf at which the branch ends: an entry's id, or `null` for before everything. [default: where pi continues]
    #[arg(long, value_name = "ID|null")]
    leaf: Option<String>,
}

impl Target {
    pub(super) fn open(&self) -> Result<Session, Failure> {
        Ok(Session::open(&self.file)?)
    }

    pub(super) fn leaf(&self) -> LeafArg {
        self.leaf.as_deref().map_or(LeafArg::Current, LeafArg::parse)
    }
}
