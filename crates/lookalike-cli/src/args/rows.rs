//! What rows say beside their ids.

use clap::Args;
use lookalike::rows::RowSources;

/// Whether rows name the files of their documents.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct RowArgs {
    /// Name the file of each document in rows of pairs, clusters and removals: a_source and b_source, source,
    /// kept_source
    #[arg(long, hide_short_help = true)]
    with_source: bool,
}

impl RowArgs {
    /// What the flag means.
    pub(crate) fn sources(&self) -> RowSources {
        if self.with_source { RowSources::Named } else { RowSources::Absent }
    }
}
