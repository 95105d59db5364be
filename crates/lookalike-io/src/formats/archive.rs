//! Archives: recognized by name or content.

use super::binary::{is_tar, is_zip};
use super::layout::head_of;
use crate::base::{Compression, Result, extension};
use std::path::Path;

/// The form of an archive of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ArchiveFormat {
    /// tar, compressed as a whole or not.
    Tar(Compression),
    /// zip.
    Zip,
}

/// Extensions of archives, also of those that cannot be read.
const EXTENSIONS: [&str; 8] = ["tar", "tgz", "tbz2", "txz", "tzst", "zip", "7z", "rar"];
/// Extensions of tar archives.
const TAR_EXTENSIONS: [&str; 5] = ["tar", "tgz", "tbz2", "txz", "tzst"];

/// The size of a block of a tar archive, which ends with two of zeros.
const TAR_BLOCK_BYTES: usize = 512;

/// Returns whether the extension of an output names an archive: none is written.
pub(crate) fn names_archive(path: &Path) -> bool {
    extension(path).is_some_and(|extension| EXTENSIONS.contains(&&*extension))
}

impl ArchiveFormat {
    /// The form that the first bytes of a file tell; `None` if it is no archive. A file that is a zip archive by its
    /// bytes and has an extension of its own is a document or program in that form, such as `.docx` or `.jar`.
    ///
    /// # Errors
    /// [`Error::Io`](crate::Error::Io) if it cannot be opened.
    pub(crate) fn of_content(path: &Path, compression: Compression) -> Result<Option<Self>> {
        let head = head_of(path, compression)?;
        let extension = path.extension();
        let may_be_zip = extension.is_none_or(|extension| extension.eq_ignore_ascii_case("zip"));
        if is_tar(&head) || is_empty_tar(path, &head) {
            return Ok(Some(Self::Tar(compression)));
        }
        Ok((may_be_zip && compression == Compression::None && is_zip(&head)).then_some(Self::Zip))
    }
}

/// Returns whether a file that is called a tar archive begins with its end: it has no member by which it could be
/// known.
fn is_empty_tar(path: &Path, head: &[u8]) -> bool {
    let is_called_tar = extension(path).is_some_and(|extension| TAR_EXTENSIONS.contains(&&*extension));
    is_called_tar && head.len() >= TAR_BLOCK_BYTES && head.iter().all(|&byte| byte == 0)
}
