//! The exit status of a command.

use std::process::{ExitCode, Termination};

/// The end of a command, as the calling program sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitStatus {
    /// Success, also when bad records were left out as asked.
    Done,
    /// Duplicates were found, and the user asked for that in the exit status.
    Found,
    /// An error, which standard error names.
    Failed,
    /// A signal has ended the command.
    Interrupted,
}

impl ExitStatus {
    /// The end of a command without an error. Records that were left out as the user asked are no failure: they were
    /// named and counted.
    pub(crate) fn found_if(is_found: bool) -> Self {
        if is_found { Self::Found } else { Self::Done }
    }

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
