//! Inputs that exist, each with its kind.

use crate::ground::{Error, Result};
use crate::remote::Fetched;
use std::fs;
use std::path::{Path, PathBuf};

/// The input that means standard input.
const STDIN: &str = "-";

/// An input with its kind.
pub(super) struct Named {
    /// As the user named it, or as it matches a pattern.
    pub(super) path: PathBuf,
    /// The local file or folder.
    pub(super) file: PathBuf,
    /// The last component of its name.
    pub(super) name: PathBuf,
    pub(super) kind: NamedKind,
}

pub(super) enum NamedKind {
    Stdin,
    File,
    Folder,
    /// A named pipe, as of `<(command)` in a shell.
    Pipe,
}

impl Named {
    /// A local input.
    pub(super) fn of(input: &Path) -> Result<Self> {
        let kind = if input == Path::new(STDIN) {
            NamedKind::Stdin
        } else {
            match fs::metadata(input).map_err(|source| Error::io("read", input, source))? {
                found if found.is_dir() => NamedKind::Folder,
                found if found.is_file() => NamedKind::File,
                found if is_pipe_type(found.file_type()) => NamedKind::Pipe,
                _ => return Err(Error::NotAFile { path: input.to_owned() }),
            }
        };
        let name = input.file_name().map(PathBuf::from).unwrap_or_default();
        Ok(Self { path: input.to_owned(), file: input.to_owned(), name, kind })
    }
}

impl From<Fetched> for Named {
    fn from(Fetched { url, file, output_name, is_folder }: Fetched) -> Self {
        let kind = if is_folder { NamedKind::Folder } else { NamedKind::File };
        Self { path: url, file, name: output_name, kind }
    }
}

/// Whether an input can be read only once: standard input, or a pipe.
pub fn is_read_once(input: &Path) -> bool {
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
