//! Inputs that exist, each with its kind.

use crate::base::details::Action;
use crate::base::{Error, Located, Result};
use crate::remote::{Fetched, local_path};
use crate::sources::names::{parts_of, telling_parts};
use crate::sources::patterns::Expanded;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The input that means standard input.
const STDIN: &str = "-";

/// An input with its kind.
pub(in crate::sources) struct Named {
    /// Path as the user named it, or as it matches a pattern.
    pub(in crate::sources) path: PathBuf,
    /// The local file or folder.
    pub(in crate::sources) file: PathBuf,
    /// Name in ids and below an output folder: the last component of its path, as many as tell it apart
    /// from other inputs, or its path below the fixed part of a pattern.
    pub(in crate::sources) name: PathBuf,
    /// True if a pattern has named it.
    pub(in crate::sources) is_match: bool,
    pub(in crate::sources) kind: NamedKind,
}

pub(in crate::sources) enum NamedKind {
    Stdin,
    File,
    Folder,
    /// A named pipe, as of `<(command)` in a shell.
    Pipe,
}

impl Named {
    /// A local input.
    pub(in crate::sources) fn new(Expanded { path: input, below }: Expanded) -> Result<Self> {
        let input = input.as_path();
        let kind = if below.is_none() && input == Path::new(STDIN) {
            NamedKind::Stdin
        } else {
            match fs::metadata(input).map_err(|source| Error::io(Action::Read, input, source))? {
                found if found.is_dir() => NamedKind::Folder,
                found if found.is_file() => NamedKind::File,
                found if is_pipe_type(found.file_type()) => NamedKind::Pipe,
                _ => return Err(Error::NotAFile { path: input.to_owned() }),
            }
        };
        let is_match = below.is_some();
        let name = below.unwrap_or_else(|| input.file_name().map(PathBuf::from).unwrap_or_default());
        Ok(Self { path: input.to_owned(), file: input.to_owned(), name, is_match, kind })
    }

    pub(in crate::sources) fn located(&self) -> Located<'_> {
        Located { path: &self.path, file: &self.file }
    }

    /// The path below which the files of a folder or an archive are called, if it is one of `all` inputs.
    pub(in crate::sources) fn name_below(&self, all: usize) -> &Path {
        if all > 1 || self.is_match { &self.name } else { Path::new("") }
    }
}

/// Gives those files and folders longer names that were named one by one and would be called the same.
pub(in crate::sources) fn tell_apart(named: &mut [Named]) {
    let mut by_name: HashMap<PathBuf, Vec<usize>> = HashMap::new();
    for (number, input) in named.iter().enumerate() {
        if !input.is_match && matches!(input.kind, NamedKind::File | NamedKind::Folder) {
            by_name.entry(input.name.clone()).or_default().push(number);
        }
    }
    for same in by_name.into_values().filter(|same| same.len() > 1) {
        let paths: Vec<Vec<String>> = same
            .iter()
            .map(|&number| parts_of(&named[number].path, named[number].path != named[number].file))
            .collect();
        let parts = telling_parts(&paths);
        for (&number, path) in same.iter().zip(&paths) {
            named[number].name = path[path.len().saturating_sub(parts)..].iter().collect();
        }
    }
}

impl From<Fetched> for Named {
    fn from(Fetched { url, file, output_name, is_folder }: Fetched) -> Self {
        let kind = if is_folder { NamedKind::Folder } else { NamedKind::File };
        // A single object, or a folder, has one name: what fits a pattern is called by its path.
        let is_match = output_name.components().count() != 1;
        Self { path: url, file, name: output_name, is_match, kind }
    }
}

/// Returns whether an input can be read only once: standard input, or a pipe.
pub fn is_read_once(input: &Path) -> bool {
    let Ok(input) = local_path(input) else { return false };
    input == Path::new(STDIN) || fs::metadata(input).is_ok_and(|found| is_pipe_type(found.file_type()))
}

#[cfg(unix)]
fn is_pipe_type(found: fs::FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    found.is_fifo()
}

#[cfg(not(unix))]
fn is_pipe_type(_: fs::FileType) -> bool {
    false
}
