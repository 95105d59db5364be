//! Options of the search for sources.

use crate::base::{FileSelection, Staging};
use crate::formats::{JsonFiles, Layout, Quotes, Texts};
use crate::sources::inputs::OnError;
use crate::sources::read_once::SpoolInto;
use std::path::Path;

/// Reading of standard input.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Stdin {
    /// Copied as a whole: its records can be read again.
    #[default]
    Copied,
    /// Read as it arrives, if it is the only input and has lines of JSON; else copied.
    AsItArrives,
}

/// Options of [`super::discover_with`].
pub struct Discovery<'a> {
    /// Treatment of text files.
    pub texts: Texts,
    /// Reading of standard input.
    pub stdin: Stdin,
    /// Selection of the files that are read.
    pub selection: FileSelection,
    /// Place where copies of standard input and of objects are made.
    pub staging: Staging,
    /// Layout of all files and of standard input; `None` for what their names say, or their content.
    pub format: Option<Layout>,
    /// Meaning of files named `.json` in folders.
    pub json: JsonFiles,
    /// The column by which a table is known.
    pub column: &'a str,
    /// Meaning of quotation marks in tables of text; `None` to find out.
    pub quotes: Option<Quotes>,
    /// Treatment of files and folders that cannot be read, where there are others. Of files that are skipped, some
    /// are found like others, and left out by readers.
    pub on_error: OnError,
    /// Maximum size of a document in bytes: members of archives are not unpacked beyond it.
    pub limit: Option<u64>,
    /// Called while objects and standard input are copied; `false` cancels.
    pub goes_on: &'a dyn Fn() -> bool,
    /// Free space of the disk of a folder, in bytes; `None` where that is not known.
    pub free_bytes: &'a dyn Fn(&Path) -> Option<u64>,
}

impl Default for Discovery<'_> {
    fn default() -> Self {
        Self {
            texts: Texts::Documents,
            stdin: Stdin::default(),
            format: None,
            json: JsonFiles::Texts,
            column: "text",
            quotes: None,
            on_error: OnError::Stop,
            limit: None,
            selection: FileSelection::default(),
            staging: Staging::default(),
            goes_on: &|| true,
            free_bytes: &|_| None,
        }
    }
}

impl<'a> From<&'a Discovery<'_>> for SpoolInto<'a> {
    fn from(discovery: &'a Discovery<'_>) -> Self {
        let Discovery { staging, goes_on, free_bytes, .. } = discovery;
        Self { folder: &staging.temporary_folder, goes_on, free_bytes }
    }
}
