//! How a command ended: its outcome when it did not fail, and the exit status.

use lookalike::jobs::Report;
use std::process::{ExitCode, Termination};

/// How the command ended, as a program that called it is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitStatus {
    /// All was done, also when bad records were left out as asked.
    Done,
    /// Duplicates were found, and the user asked for that in the exit status.
    Found,
    /// An error, which standard error names.
    Failed,
    /// A signal has ended the command.
    Interrupted,
}

impl ExitStatus {
    /// The exit status as a number.
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Found => 1,
            Self::Failed => 2,
            Self::Interrupted => 130,
        }
    }
}

impl Termination for ExitStatus {
    fn report(self) -> ExitCode {
        self.code().into()
    }
}

/// How a command ended, when it did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Done,
    /// Duplicates were found, and the user asked for that in the exit status.
    Found,
}

/// What duplicates do to the exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnFound {
    Succeed,
    Fail,
}

impl Outcome {
    /// The outcome of a job. Records that were left out as the user asked are no failure: they were named and counted.
    pub(crate) fn of(report: &Report, on_found: OnFound) -> Self {
        if on_found == OnFound::Fail && report.found.count() > 0 { Self::Found } else { Self::Done }
    }
}

impl From<Outcome> for ExitStatus {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Done => Self::Done,
            Outcome::Found => Self::Found,
        }
    }
}
