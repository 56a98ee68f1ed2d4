use std::fmt;
use std::io;

use crate::error::Error;

/// Why a command did not end well. Its text is for standard error: one line, or one for each thing that failed.
#[derive(Debug)]
pub enum Failure {
    /// Something could not be done.
    Act(Error),
    /// What could be read was told; these could not.
    Incomplete(Vec<Error>),
    /// The arguments make no sense.
    Usage(String),
    /// What was asked for is not there.
    NothingFound(String),
    /// Nothing was picked; the person knows.
    NothingPicked,
    /// A check found damage, and has said so on standard output.
    DamageFound,
    /// Nobody reads the output any more.
    OutputClosed,
}

impl Failure {
    /// The exit status of the process.
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::OutputClosed => 0,
            Self::Act(_) | Self::Incomplete(_) => 1,
            Self::Usage(_) => 2,
            Self::NothingFound(_) | Self::NothingPicked => 3,
            Self::DamageFound => 4,
        }
    }

    /// Whether there is anything to say on standard error.
    pub fn is_silent(&self) -> bool {
        matches!(self, Self::DamageFound | Self::NothingPicked | Self::OutputClosed)
    }

    /// What a failed write to the output means.
    pub(super) fn of_write(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::OutputClosed
        } else {
            Self::Act(Error::new("cannot write to", "standard output", error))
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Act(error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Act(error) => error.fmt(f),
            Self::Incomplete(errors) => {
                let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
                f.write_str(&lines.join("\n"))
            }
            Self::Usage(text) | Self::NothingFound(text) => f.write_str(text),
            Self::NothingPicked => f.write_str("nothing was picked"),
            Self::DamageFound => f.write_str("damage was found"),
            Self::OutputClosed => f.write_str("the output was closed"),
        }
    }
}
