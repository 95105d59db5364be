//! How a command ended, when it did not fail.

use lookalike::jobs::Report;
use std::process::ExitCode;

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

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Done => Self::SUCCESS,
            Outcome::Found => Self::from(1),
        }
    }
}
