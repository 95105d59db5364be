//! What is said of a search beside its answer.

use crate::outcome::OnFound;
use anyhow::{Result, ensure};
use clap::Args;
use lookalike::outputs::{ExistingFiles, LeftOut, SideFiles};
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

/// Flags for files without a document.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct LeftOutArgs {
    /// Where files go that are no documents [default: beside the records, if OUT is a folder]
    ///
    /// What cannot be read, hidden files and links are copied as they are, and said. FOLDER is one of their own; drop
    /// leaves them out.
    #[arg(long, hide_short_help = true, value_name = "FOLDER|drop")]
    left_out: Option<PathBuf>,
}

impl LeftOutArgs {
    /// The fate of files without a document, in a job that writes `records` by the flag `flag`.
    ///
    /// # Errors
    /// If `--left-out` is given and no records are written.
    pub(crate) fn fate(&self, records: Option<&PathBuf>, flag: &str) -> Result<LeftOut> {
        ensure!(
            self.left_out.is_none() || records.is_some(),
            "--left-out says where files go beside the records: add {flag}"
        );
        Ok(match &self.left_out {
            None => LeftOut::Copied,
            Some(path) if path.as_os_str() == "drop" => LeftOut::Dropped,
            Some(path) => LeftOut::CopiedTo(path.clone()),
        })
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
