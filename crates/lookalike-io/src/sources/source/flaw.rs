//! Faults of files that make them unreadable, known before they are opened.
//!
//! With `--on-error skip` such a file is found like others, and left out where it is read, as any bad file is.

use crate::base::{Compression, Error, Located, Result};
use crate::sources::inputs::OnError;
use std::path::Path;

/// A reason why the records of a file cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flaw {
    /// An extension that names a compression that the content does not have.
    NotCompressed { expected: Compression },
    /// Lines that may be one row or several.
    UnclearQuotes { first_line: u64, last_line: u64 },
}

impl Flaw {
    /// The error about the file that the user knows as `path`.
    pub(super) fn error(self, path: &Path) -> Error {
        let path = path.to_owned();
        match self {
            Self::NotCompressed { expected } => Error::NotCompressed { path, expected },
            Self::UnclearQuotes { first_line, last_line } => Error::UnclearQuotes { path, first_line, last_line },
        }
    }
}

/// The compression of a file.
#[derive(Debug, Clone, Copy)]
pub(in crate::sources) struct Packing {
    pub(in crate::sources) compression: Compression,
    pub(super) flaw: Option<Flaw>,
}

impl Packing {
    /// The compression that the first bytes of a file indicate.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be read; [`Error::NotCompressed`], unless bad files are skipped.
    pub(in crate::sources) fn detect(Located { path, file }: Located<'_>, on_error: OnError) -> Result<Self> {
        match Compression::of_file(file) {
            Ok(compression) => Ok(Self { compression, flaw: None }),
            Err(Error::NotCompressed { expected, .. }) if on_error == OnError::Skip => {
                Ok(Self { compression: Compression::None, flaw: Some(Flaw::NotCompressed { expected }) })
            }
            Err(error) => Err(error.of_path(path)),
        }
    }

    /// Returns whether the content of the file is what its extension says.
    pub(in crate::sources) fn is_true(self) -> bool {
        self.flaw.is_none()
    }
}
