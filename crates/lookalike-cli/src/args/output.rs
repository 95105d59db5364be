//! Files beside the answer of a job, and forms of the answer.

use super::values::{one_of, top};
use anyhow::{Result, ensure};
use clap::Args;
use clap::builder::TypedValueParser;
use lookalike::doors::AtomicFile;
use lookalike::outputs::{ClusterLayout, ExistingFiles, LeftOut, RowFormat, SideFiles};
use std::ffi::OsStr;
use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Number of pairs or clusters that a reader at a terminal gets without asking for a number.
const AT_TERMINAL: NonZeroUsize = NonZeroUsize::MIN.saturating_add(49);

/// Layout of clusters, and the format of their rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClusterFormat {
    pub(crate) layout: ClusterLayout,
    /// Format of rows; `None` for an array of clusters.
    pub(crate) rows: Option<RowFormat>,
}

/// Parser of the formats of clusters.
pub(crate) fn cluster_formats() -> impl TypedValueParser<Value = ClusterFormat> {
    let rows = |format| ClusterFormat { layout: ClusterLayout::Rows, rows: Some(format) };
    one_of([
        ("jsonl", "JSON Lines, a row a document", rows(RowFormat::JsonLines)),
        ("csv", "Comma-separated values, a row a document", rows(RowFormat::Csv)),
        ("tsv", "Tab-separated values, a row a document", rows(RowFormat::Tsv)),
        ("parquet", "Apache Parquet, a row a document", rows(RowFormat::Parquet)),
        ("arrow", "Arrow IPC, a row a document", rows(RowFormat::Arrow)),
        ("json", "One JSON array of clusters", ClusterFormat { layout: ClusterLayout::Json, rows: None }),
    ])
}

/// Number of pairs or clusters that are listed.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct ListingArgs {
    /// List only the N most similar or largest [default: all]
    ///
    /// The most similar pairs, or the largest clusters, these first. A terminal gets a table of 50 without this flag;
    /// a pipe, and a file of -o or --format, all rows in the order of the input.
    #[arg(long, value_name = "N", value_parser = top)]
    pub(crate) top: Option<NonZeroUsize>,
}

/// Pairs or clusters that are listed, and where.
#[derive(Debug)]
pub(crate) struct ListedRows {
    /// The file of rows; `None` if a reader gets a table.
    pub(crate) rows: Option<PathBuf>,
    /// The number that is listed at most; `None` for all.
    pub(crate) top: Option<NonZeroUsize>,
}

impl ListingArgs {
    /// A table for a reader where rows in no requested format would go to a terminal, else the file of rows.
    pub(crate) fn listing(&self, output: &Path, has_format: bool) -> ListedRows {
        let rows = rows_file(output, has_format);
        let top = if rows.is_none() { self.top.or(Some(AT_TERMINAL)) } else { self.top };
        ListedRows { rows, top }
    }
}

/// The file of rows; `None` where rows in no requested format would go to a terminal, which gets a table.
pub(crate) fn rows_file(output: &Path, has_format: bool) -> Option<PathBuf> {
    let is_read = output == Path::new("-") && !has_format && io::stdout().is_terminal();
    (!is_read).then(|| output.to_owned())
}

/// Checks that a page can be written to a file of this name: browsers know a page by its extension.
///
/// # Errors
/// If it has another extension than `.html` and `.htm`.
pub(crate) fn check_page_name(path: &Path) -> Result<()> {
    let extension = path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
    let is_page = matches!(extension.as_deref(), Some("html" | "htm")) || AtomicFile::is_stream(path);
    let named = path.with_extension("html");
    let shown = path.display();
    ensure!(is_page, "{shown} cannot be written: --report makes a page of HTML; name it {}", named.display());
    Ok(())
}

/// Side files and exit status of a search.
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
    pub(crate) fail_if_found: bool,
}

impl ReportArgs {
    /// Fate of the file beside rows.
    pub(crate) fn side_files(&self) -> SideFiles {
        if self.about { SideFiles::Written } else { SideFiles::Omitted }
    }
}

/// Fate of existing output files.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct ExistingArgs {
    /// End with an error, before any work, if an output file exists already [default: it is replaced, once the new one
    /// is complete]
    #[arg(long, hide_short_help = true)]
    no_clobber: bool,
}

impl ExistingArgs {
    /// Fate of existing output files.
    pub(crate) fn files(&self) -> ExistingFiles {
        if self.no_clobber { ExistingFiles::Refused } else { ExistingFiles::Replaced }
    }
}

/// Fate of files without a document.
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
