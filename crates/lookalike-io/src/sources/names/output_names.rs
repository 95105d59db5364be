//! Names of the files that are written for sources.

use crate::base::{Error, Result};
use crate::formats::RowFormat;
use crate::sources::source::{Source, SourceKind};
use std::path::{Path, PathBuf};

/// The path below an output folder of the records of a source converted to `format`; `None` if its files keep their
/// names, or has none. All text files of a source become one file.
pub fn converted_name(source: &Source, format: RowFormat) -> Option<PathBuf> {
    match &source.kind {
        SourceKind::Records { format: from, .. } if from.as_rows() == Some(format) => None,
        SourceKind::Index { .. } | SourceKind::Memory { .. } => None,
        SourceKind::Records { .. } => Some(format.rename(&source.output_name)),
        SourceKind::TextFiles { .. } => {
            let name = if source.output_name.as_os_str().is_empty() { source.path.file_name() } else { None };
            let name = name.map_or_else(|| source.output_name.clone(), PathBuf::from);
            let is_nameless = name.as_os_str().is_empty();
            Some(format.rename(if is_nameless { Path::new("texts") } else { &name }))
        }
    }
}

/// Checks that no two sources would be written to one file below an output folder, converted to `format` or copied.
///
/// # Errors
/// [`Error::SameOutput`].
pub fn check_output_names(sources: &[Source], format: Option<RowFormat>) -> Result<()> {
    let mut names: Vec<(PathBuf, PathBuf)> = sources.iter().flat_map(|source| written_names(source, format)).collect();
    names.sort_by(|(name, _), (other, _)| name.cmp(other));
    for pair in names.windows(2) {
        let [(name, first), (next, second)] = pair else { continue };
        if name == next {
            return Err(Error::SameOutput { first: first.clone(), second: second.clone(), name: name.clone() });
        }
    }
    Ok(())
}

/// The paths below an output folder of the files of a source, each with its input.
pub(in crate::sources) fn written_names(source: &Source, format: Option<RowFormat>) -> Vec<(PathBuf, PathBuf)> {
    let converted = format.and_then(|format| converted_name(source, format));
    match (&source.kind, converted) {
        (_, Some(name)) => vec![(name, source.path.to_path_buf())],
        (SourceKind::Records { .. }, None) => vec![(source.output_name.clone(), source.path.to_path_buf())],
        (SourceKind::TextFiles { files }, None) => {
            files.iter().map(|(file, _)| (source.output_name.join(file), source.path.join(file))).collect()
        }
        (SourceKind::Index { .. } | SourceKind::Memory { .. }, None) => Vec::new(),
    }
}
