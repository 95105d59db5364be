//! Where temporary files and folders with names are made.

use super::manifest::{Manifest, TemporaryKind, TemporaryName};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::Builder;

/// Where incomplete outputs are staged: local ones beside their final path, those for URLs in a temporary folder, which
/// is also that of copies of inputs.
#[derive(Debug, Clone)]
pub struct Staging {
    /// Folder for the outputs to URLs, and for copies.
    pub temporary_folder: PathBuf,
    /// Of a job that can be resumed: what it leaves behind when it is killed is removed by its next run.
    pub manifest: Option<Arc<Manifest>>,
}

impl Default for Staging {
    /// The system's folder of temporary files, for a job that cannot be resumed.
    fn default() -> Self {
        Self { temporary_folder: std::env::temp_dir(), manifest: None }
    }
}

impl Staging {
    /// Makes a temporary file or folder in `folder`, with a random name of the form `name`, by `make`.
    pub(crate) fn make<R>(
        &self,
        folder: &Path,
        name: TemporaryName,
        kind: TemporaryKind,
        make: impl FnOnce(&mut Builder<'_, '_>) -> io::Result<R>,
    ) -> io::Result<R> {
        match &self.manifest {
            None => make(Builder::new().prefix(name.prefix).suffix(name.suffix)),
            Some(manifest) => {
                let whole = manifest.announce(folder, name, kind)?;
                make(Builder::new().prefix(&whole).rand_bytes(0))
            }
        }
    }
}
