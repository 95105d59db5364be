//! How a command ended, when it did not fail.

use crate::words::{counted, say};
use lookalike::jobs::Report;
use std::process::ExitCode;

/// How a command ended, when it did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Done,
    /// Duplicates were found, and the user asked for that in the exit status.
    Found,
    /// Records were left out.
    BadRecords,
}

/// What duplicates do to the exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnFound {
    Succeed,
    Fail,
}

impl Outcome {
    /// The outcome of a job that says nothing else of bad records.
    pub(crate) fn of(report: &Report, on_found: OnFound) -> Self {
        if report.bad_records > 0 {
            say(format_args!("{} left out", counted(report.bad_records, "bad record")));
        }
        Self::in_silence(report, on_found)
    }

    /// The same for a job that has said how many bad records there were.
    pub(crate) fn in_silence(report: &Report, on_found: OnFound) -> Self {
        match () {
            () if report.bad_records > 0 => Self::BadRecords,
            () if on_found == OnFound::Fail && report.found.count() > 0 => Self::Found,
            () => Self::Done,
        }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Done => Self::SUCCESS,
            Outcome::Found => Self::from(1),
            Outcome::BadRecords => Self::from(2),
        }
    }
}
