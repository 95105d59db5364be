//! Files of the inputs that are in no source: hidden ones, links, and what stands in hidden folders.

use super::source::{Source, SourceKind};
use crate::formats::{ids_beside, is_of_ids};
use crate::ground::{Error, Result};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// A folder or an unpacked archive whose files were looked for.
#[derive(Debug, Clone)]
pub(super) struct SearchedFolder {
    /// On disk.
    pub(super) folder: PathBuf,
    /// What names of outputs begin with.
    pub(super) output_name: PathBuf,
}

/// A file or link that is in no source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadFile {
    /// On disk.
    pub file: PathBuf,
    /// Its path below an output folder.
    pub name: PathBuf,
}

/// The files and links in folders that are in none of the sources, by folder and path.
///
/// # Errors
/// [`Error::Io`] if a folder cannot be read.
pub(super) fn unread_files(sources: &[Source], searched: &[SearchedFolder]) -> Result<Vec<UnreadFile>> {
    let known: HashSet<PathBuf> = sources.iter().flat_map(files_of).collect();
    let mut unread = Vec::new();
    for SearchedFolder { folder, output_name } in searched {
        for entry in WalkDir::new(folder).min_depth(1).sort_by_file_name() {
            let entry = entry.map_err(|error| walk_error(folder, error))?;
            let is_file = entry.file_type().is_file() || entry.path_is_symlink();
            let path = entry.path();
            if is_file && !known.contains(path) && !is_of_ids(path) {
                let name = output_name.join(path.strip_prefix(folder).unwrap_or(path));
                unread.push(UnreadFile { file: path.to_owned(), name });
            }
        }
    }
    Ok(unread)
}

/// The files of a source on disk.
fn files_of(source: &Source) -> Vec<PathBuf> {
    match &source.kind {
        SourceKind::Records { ids, .. } => {
            let ids = ids.map(|_| ids_beside(&source.file));
            ids.into_iter().chain([source.file.to_path_buf()]).collect()
        }
        SourceKind::TextFiles { files } | SourceKind::Index { files, .. } => {
            files.iter().map(|(file, _)| source.file.join(file)).collect()
        }
        SourceKind::Memory { .. } => Vec::new(),
    }
}

fn walk_error(folder: &Path, error: walkdir::Error) -> Error {
    let path = error.path().unwrap_or(folder).to_owned();
    let source = error.into_io_error().unwrap_or_else(|| std::io::Error::other("a loop of links"));
    Error::Io { action: "read", path, source }
}

#[cfg(test)]
mod tests {
    use crate::sources::discover;
    use std::fs;
    use std::path::PathBuf;

    #[test]
    fn what_is_in_no_source_is_listed() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.txt", ".hidden", "deep/b.jsonl", "deep/.git/config"] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "{}").unwrap();
        }
        let mut expected = vec![".hidden", "deep/.git/config"];
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("a.txt", folder.path().join("link.txt")).unwrap();
            expected.push("link.txt");
        }
        let found = discover(&[folder.path().to_owned()]).unwrap().unread_files().unwrap();
        let names: Vec<PathBuf> = found.iter().map(|unread| unread.name.clone()).collect();
        assert_eq!(names, expected.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert!(found.iter().all(|unread| unread.file == folder.path().join(&unread.name)));
        assert_eq!(discover(&[folder.path().join("a.txt")]).unwrap().unread_files().unwrap(), []);
    }
}
