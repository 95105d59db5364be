//! What is said of a search beside its answer.

use clap::Args;
use std::path::PathBuf;

/// What is said of a search beside its answer.
#[derive(Debug, Args)]
#[command(next_help_heading = "Run")]
pub(crate) struct ReportArgs {
    /// Write counts, parameters and times as JSON
    #[arg(long, value_name = "FILE.json")]
    pub(crate) summary: Option<PathBuf>,
    /// Say on stderr what was chosen and why, what it met, and how long each stage took
    #[arg(long)]
    pub(crate) explain: bool,
    /// Exit with 1 if near-duplicates were found
    #[arg(long, hide_short_help = true)]
    pub(crate) fail_if_found: bool,
}
