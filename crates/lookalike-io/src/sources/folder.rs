//! The sources in a folder.

use super::file_state::FileState;
use super::source::Source;
use crate::formats::{JsonFiles, Layout, Texts, is_of_ids};
use crate::ground::{Compression, Error, Result};
use std::path::Path;
use walkdir::{DirEntry, WalkDir};

/// The sources in a folder, sorted by path; its text files are the last one.
pub(super) struct Folder {
    pub(super) sources: Vec<Source>,
    pub(super) passed_over: PassedOver,
}

/// Counts of the entries of folders that are not read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PassedOver {
    /// Number of hidden files and folders.
    pub hidden: u64,
    /// Number of symbolic links, whatever they lead to.
    pub links: u64,
}

/// How the files of a folder are read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reading {
    pub(super) texts: Texts,
    /// The layout of all of them; `None` for those that their names say.
    pub(super) format: Option<Layout>,
    pub(super) json: JsonFiles,
}

impl Reading {
    /// The layout of a file.
    fn layout(self, file: &Path) -> Result<Layout> {
        let named = self.format.unwrap_or_else(|| Layout::of_folder_entry(file, self.json));
        let layout = match named {
            Layout::Records(_) => named.refined(file, file, (Compression::of_file(file)?, self.format))?,
            Layout::Text => named,
        };
        Ok(self.texts.layout(layout))
    }
}

/// Reads `folder`, which the user knows as `path`. Names of outputs begin with `output_name`.
pub(super) fn read_folder((path, folder): (&Path, &Path), output_name: &Path, reading: Reading) -> Result<Folder> {
    let mut found = Folder { sources: Vec::new(), passed_over: PassedOver::default() };
    let mut files = Vec::new();
    let mut walk = WalkDir::new(folder).min_depth(1).sort_by_file_name().into_iter();
    while let Some(entry) = walk.next() {
        let entry = entry.map_err(|error| walk_error(folder, error))?;
        let (is_hidden, is_link) = (is_hidden(&entry), entry.path_is_symlink());
        if is_hidden || is_link {
            found.passed_over.hidden += u64::from(is_hidden);
            found.passed_over.links += u64::from(is_link && !is_hidden);
            if entry.file_type().is_dir() {
                walk.skip_current_dir();
            }
        } else if entry.file_type().is_file() && !is_of_ids(entry.path()) {
            let relative = entry.path().strip_prefix(folder).unwrap_or(entry.path());
            match reading.layout(entry.path())? {
                Layout::Records(format) => {
                    let shown = path.join(relative);
                    found.sources.push(Source::records((&shown, entry.path()), format, output_name.join(relative))?);
                }
                Layout::Text => files.push((relative.to_owned(), FileState::of(entry.path())?)),
            }
        }
    }
    if !files.is_empty() {
        found.sources.push(Source::text_files((path, folder), output_name, files));
    }
    if found.sources.is_empty() {
        return Err(Error::EmptyFolder { path: path.to_owned() });
    }
    Ok(found)
}

fn walk_error(folder: &Path, error: walkdir::Error) -> Error {
    let path = error.path().unwrap_or(folder).to_owned();
    let source = error.into_io_error().unwrap_or_else(|| std::io::Error::other("a loop of links"));
    Error::Io { action: "read", path, source }
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(b".")
}
