//! Which pairs or clusters are listed, and whether for a program or for a reader.

use super::values::top;
use clap::Args;
use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Number of pairs or clusters that a reader at a terminal gets without asking for a number.
const AT_TERMINAL: NonZeroUsize = NonZeroUsize::MIN.saturating_add(49);

/// Which pairs or clusters are listed.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct ListingArgs {
    /// List only the N most similar or largest [default: all]
    ///
    /// The most similar pairs, or the largest clusters, these first. A terminal gets a table of 50 without this flag;
    /// a pipe, and a file of -o or --format, all rows in the order of the input.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = top)]
    top: Option<NonZeroUsize>,
}

/// What is listed, and where.
#[derive(Debug)]
pub(crate) struct Listing {
    /// The file of rows; `None` if a reader gets a table.
    pub(crate) rows: Option<PathBuf>,
    /// The number that is listed at most; `None` for all.
    pub(crate) top: Option<NonZeroUsize>,
}

impl ListingArgs {
    /// A table for a reader where rows in no format that was asked for would go to a terminal, else the file of rows.
    pub(crate) fn listing(&self, output: &Path, has_format: bool) -> Listing {
        let is_read = output == Path::new("-") && !has_format && io::stdout().is_terminal();
        if is_read {
            Listing { rows: None, top: Some(self.top.unwrap_or(AT_TERMINAL)) }
        } else {
            Listing { rows: Some(output.to_owned()), top: self.top }
        }
    }

    /// Whether a number is asked for.
    pub(crate) fn is_given(&self) -> bool {
        self.top.is_some()
    }
}
