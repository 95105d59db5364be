//! What is said of a search beside its answer.

use crate::outcome::OnFound;
use clap::Args;
use lookalike::{ExistingFiles, SideFiles};
use std::path::PathBuf;

/// What is said of a search beside its answer.
#[derive(Debug, Args)]
#[command(next_help_heading = "Run")]
pub(crate) struct ReportArgs {
    /// Write counts, parameters and times as JSON
    #[arg(long, value_name = "FILE.json")]
    pub(crate) summary: Option<PathBuf>,
    /// Write ROWS.about.json: what the rows depend on
    ///
    /// Parameters, method and recall, as Parquet and Arrow files have them in their metadata; `recluster` reads it.
    #[arg(long, hide_short_help = true)]
    about: bool,
    /// Exit with 1 if near-duplicates were found
    #[arg(long, hide_short_help = true)]
    fail_if_found: bool,
}

/// What becomes of files that are there.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct ExistingArgs {
    /// End with an error, before any work, if an output file exists already [default: it is replaced, once the new one
    /// is complete]
    #[arg(long, hide_short_help = true)]
    no_clobber: bool,
}

impl ExistingArgs {
    /// What becomes of files that are there.
    pub(crate) fn files(&self) -> ExistingFiles {
        if self.no_clobber { ExistingFiles::Refused } else { ExistingFiles::Replaced }
    }
}

impl ReportArgs {
    /// Whether rows get a file beside them.
    pub(crate) fn side_files(&self) -> SideFiles {
        if self.about { SideFiles::Written } else { SideFiles::Omitted }
    }

    /// What near-duplicates do to the exit status.
    pub(crate) fn on_found(&self) -> OnFound {
        if self.fail_if_found { OnFound::Fail } else { OnFound::Succeed }
    }
}
