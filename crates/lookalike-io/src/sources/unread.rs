//! Files of the inputs that are in no source: hidden ones, links, and what stands in hidden folders.

use super::source::{Source, SourceKind};
use crate::formats::{ids_beside, is_of_ids};
use crate::ground::{Admission, Depth, Entry, Result, Selection, Walk};
use std::collections::HashSet;
use std::path::PathBuf;

/// A folder or an unpacked archive whose files were looked for.
#[derive(Debug, Clone)]
pub(super) struct SearchedFolder {
    /// As the user knows it.
    pub(super) path: PathBuf,
    /// On disk.
    pub(super) folder: PathBuf,
    /// What names of outputs begin with.
    pub(super) output_name: PathBuf,
    /// What the user left out: it is no part of the input, and is not listed.
    pub(super) selection: Selection,
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
/// [`crate::Error::Io`] if a folder cannot be read.
pub(super) fn unread_files(sources: &[Source], searched: &[SearchedFolder]) -> Result<Vec<UnreadFile>> {
    let known: HashSet<PathBuf> = sources.iter().flat_map(files_of).collect();
    let mut unread = Vec::new();
    for SearchedFolder { path, folder, output_name, selection } in searched {
        for entry in Walk::new((path, folder), Depth::All, selection, |_| Admission::Taken) {
            let Entry { path: file, relative, is_file, is_link, .. } = entry?;
            if (is_file || is_link) && !known.contains(&file) && !is_of_ids(&file) {
                unread.push(UnreadFile { file, name: output_name.join(relative) });
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
