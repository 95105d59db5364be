//! Files of the inputs that are in no source: hidden ones, links, and what stands in hidden folders.

use crate::base::details::Action;
use crate::base::{EntryAdmission, Error, FileSelection, FolderEntry, Located, Result, Walk, WalkDepth};
use crate::formats::{RowFormat, ids_beside, is_of_ids};
use crate::sources::names::written_names;
use crate::sources::patterns::Expanded;
use crate::sources::source::{Source, SourceKind};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

/// A folder or an unpacked archive whose files were looked for.
#[derive(Debug, Clone)]
pub(in crate::sources) struct SearchedFolder {
    /// Path as the user knows it.
    pub(in crate::sources) path: PathBuf,
    /// On disk.
    pub(in crate::sources) folder: PathBuf,
    /// Beginning of the names of outputs.
    pub(in crate::sources) output_name: PathBuf,
    /// Selection of the user: what it leaves out is no part of the input, and is not listed.
    pub(in crate::sources) selection: FileSelection,
}

/// A file or link that is in no source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadFile {
    /// On disk.
    pub file: PathBuf,
    /// Path of the file below an output folder.
    pub name: PathBuf,
}

/// Places of files that may be in no source.
#[derive(Debug, Clone, Default)]
pub(in crate::sources) struct SearchedPlaces {
    /// Folders and unpacked archives.
    pub(in crate::sources) folders: Vec<SearchedFolder>,
    /// Hidden files and links that fit patterns but for that.
    pub(in crate::sources) files: Vec<UnreadFile>,
    /// Archives that were unpacked: their members are in sources.
    pub(in crate::sources) archives: Vec<PathBuf>,
    /// Folders that cannot be read, and are left out.
    pub(in crate::sources) unreadable: HashSet<PathBuf>,
}

impl SearchedPlaces {
    /// Adds what fits a pattern and is hidden or a link.
    pub(in crate::sources) fn add_skipped(&mut self, skipped: Expanded, selection: &FileSelection) {
        let Expanded { path, below } = skipped;
        let name = below.unwrap_or_default();
        if path.is_dir() && !path.is_symlink() {
            let folder = path.clone();
            let selection = selection.clone();
            self.folders.push(SearchedFolder { path, folder, output_name: name, selection });
        } else {
            self.files.push(UnreadFile { file: path, name });
        }
    }

    /// The files and links that are in none of the sources, by folder and path. Files are known by their paths without
    /// links, however they were named.
    ///
    /// # Errors
    /// [`crate::Error::Io`] if a folder cannot be read.
    pub(in crate::sources) fn unread_files(&self, sources: &[Source]) -> Result<Vec<UnreadFile>> {
        let mut folders = HashMap::new();
        let mut known: HashSet<PathBuf> = self.archives.iter().filter_map(|file| file.canonicalize().ok()).collect();
        for source in sources {
            let files = files_of(source);
            // A named path may be a link: it is known as such, and its target as well.
            if source.are_named() {
                known.extend(files.iter().filter_map(|file| file.canonicalize().ok()));
            }
            known.extend(files.iter().map(|file| entry_path(file, &mut folders)));
        }
        let mut unread = Vec::new();
        for UnreadFile { file, name } in &self.files {
            // Pipes and devices have no content.
            if (file.is_symlink() || file.is_file()) && known.insert(entry_path(file, &mut folders)) {
                unread.push(UnreadFile { file: file.clone(), name: name.clone() });
            }
        }
        for SearchedFolder { path, folder, output_name, selection } in &self.folders {
            let real = folder.canonicalize().map_err(|source| Error::io(Action::Read, path, source))?;
            for entry in Walk::new(Located { path, file: folder }, WalkDepth::All, selection, |_| EntryAdmission::Taken)
            {
                let FolderEntry { path: file, relative, is_file, is_link, .. } = match entry {
                    Err(Error::Io { path, .. }) if self.unreadable.contains(&path) => {
                        let relative = path.strip_prefix(folder).unwrap_or(&path);
                        unread.push(UnreadFile { name: output_name.join(relative), file: path });
                        continue;
                    }
                    entry => entry?,
                };
                if (is_file || is_link) && !is_of_ids(&file) && known.insert(real.join(&relative)) {
                    unread.push(UnreadFile { file, name: output_name.join(relative) });
                }
            }
        }
        Ok(unread)
    }
}

/// Checks that no two files of the sources, converted to `format` or copied, and of the unread ones would be copied to
/// one path.
///
/// # Errors
/// [`Error::SameOutput`].
pub(in crate::sources) fn check_names(
    sources: &[Source],
    unread: &[UnreadFile],
    format: Option<RowFormat>,
) -> Result<()> {
    let written = sources.iter().flat_map(|source| written_names(source, format));
    let mut names: BTreeMap<PathBuf, PathBuf> = written.collect();
    for UnreadFile { file, name } in unread {
        if let Some(first) = names.insert(name.clone(), file.clone()) {
            return Err(Error::SameOutput { first, second: file.clone(), name: name.clone() });
        }
    }
    Ok(())
}

/// The path of a file whose folder is without links; the file itself may be one. `folders` remembers those of folders.
fn entry_path(file: &Path, folders: &mut HashMap<PathBuf, PathBuf>) -> PathBuf {
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let real =
        folders.entry(folder.to_owned()).or_insert_with(|| folder.canonicalize().unwrap_or_else(|_| folder.to_owned()));
    // A path that ends in `..` has no name, and is no file.
    file.file_name().map_or_else(|| real.clone(), |name| real.join(name))
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
    use crate::testing::folder_with;
    use std::path::PathBuf;

    #[test]
    fn what_is_in_no_source_is_listed() {
        let folder = folder_with(["a.txt", ".hidden", "deep/b.jsonl", "deep/.git/config"].map(|name| (name, "{}")));
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
