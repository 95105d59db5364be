//! `--report`: an HTML page of the answer.

use anyhow::{Result, ensure};
use clap::Args;
use lookalike::doors::AtomicFile;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// `--report` of searches.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct PageArgs {
    /// Write a page to read in a browser, with texts [default: none]
    ///
    /// One file that loads nothing: figures, a histogram, a sample of what was found by a rule that it states, with
    /// both texts side by side, common passages coloured and differences marked.
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
}

impl PageArgs {
    /// The file of the page, if there is to be one.
    ///
    /// # Errors
    /// If its extension is not that of a page.
    pub(crate) fn path(&self) -> Result<Option<&Path>> {
        let path = self.report.as_deref();
        path.map_or(Ok(()), check_page_name)?;
        Ok(path)
    }
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
