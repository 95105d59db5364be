//! The entries of folders, each once and sorted: the one search of folders for all kinds of inputs.
//!
//! ```text
//! caller       below            takes
//! a folder     all folders      all but hidden files and links
//! a pattern    one folder       what fits its next component
//!              all folders      what fits its components from `**` on
//! an archive   all folders      as of a folder: it was unpacked to one
//! ```
//!
//! `ignore` walks, as in ripgrep: it sorts, and knows `.gitignore` files. What is hidden and what is a link is decided
//! here, because both are counted.

use super::error::{Error, Result};
use super::selection::Selection;
use ignore::{DirEntry, WalkBuilder};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Counts of what inputs name or hold and is not read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PassedOver {
    /// Number of hidden files and folders.
    pub hidden: u64,
    /// Number of symbolic links in folders, whatever they lead to.
    pub links: u64,
    /// Number of files and folders that fit a pattern of what is left out.
    pub excluded: u64,
    /// Number of files that were read already under another name, or as part of another input.
    pub repeated: u64,
}

impl PassedOver {
    /// Adds the counts of another input.
    pub(crate) fn add(&mut self, other: Self) {
        let Self { hidden, links, excluded, repeated } = other;
        self.hidden += hidden;
        self.links += links;
        self.excluded += excluded;
        self.repeated += repeated;
    }
}

/// How far a walk goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Into the folder alone.
    One,
    /// Into all folders below it.
    All,
}

/// What a walk does with an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Admission {
    /// It is given, and walked if it is a folder.
    Taken,
    /// It is counted as hidden.
    Hidden,
    /// It is counted as a link.
    Link,
    /// It is skipped without a word: nobody asked for it.
    Unasked,
}

/// An entry of a folder.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) path: PathBuf,
    /// Its path below the folder of the walk.
    pub(crate) relative: PathBuf,
    pub(crate) is_folder: bool,
    pub(crate) is_file: bool,
    pub(crate) is_link: bool,
}

impl Entry {
    fn of(entry: &DirEntry, folder: &Path) -> Self {
        let kind = entry.file_type();
        let path = entry.path();
        Self {
            path: path.to_owned(),
            relative: path.strip_prefix(folder).unwrap_or(path).to_owned(),
            is_folder: kind.is_some_and(|kind| kind.is_dir()),
            is_file: kind.is_some_and(|kind| kind.is_file()),
            is_link: entry.path_is_symlink(),
        }
    }

    pub(crate) fn name(&self) -> &OsStr {
        self.path.file_name().unwrap_or_default()
    }

    /// Whether its name begins with a dot.
    pub(crate) fn is_hidden(&self) -> bool {
        self.name().as_encoded_bytes().starts_with(b".")
    }
}

/// A walk through a folder.
pub(crate) struct Walk {
    folder: PathBuf,
    entries: ignore::Walk,
    passed_over: Arc<Mutex<PassedOver>>,
}

impl Walk {
    /// Walks `folder`, which the user knows as `path`; `admit` decides on what the selection leaves in.
    pub(crate) fn new(
        (path, folder): (&Path, &Path),
        depth: Depth,
        selection: &Selection,
        admit: impl Fn(&Entry) -> Admission + Send + Sync + 'static,
    ) -> Self {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder }.to_owned();
        let passed_over = Arc::new(Mutex::new(PassedOver::default()));
        let (counts, root, shown, selected) =
            (Arc::clone(&passed_over), folder.clone(), path.to_owned(), selection.clone());
        let obeys_gitignore = selection.obeys_gitignore();
        let entries = WalkBuilder::new(&folder)
            .max_depth((depth == Depth::One).then_some(1))
            .standard_filters(false)
            .git_ignore(obeys_gitignore)
            .parents(obeys_gitignore)
            .require_git(false)
            .sort_by_file_name(Ord::cmp)
            .filter_entry(move |entry| {
                let entry = Entry::of(entry, &root);
                let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
                if selected.excludes(&shown, &entry.relative, entry.is_folder) {
                    counts.excluded += 1;
                    return false;
                }
                let admission = admit(&entry);
                counts.hidden += u64::from(admission == Admission::Hidden);
                counts.links += u64::from(admission == Admission::Link);
                admission == Admission::Taken
            })
            .build();
        Self { folder, entries, passed_over }
    }

    /// What was skipped so far.
    pub(crate) fn passed_over(&self) -> PassedOver {
        *self.passed_over.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Iterator for Walk {
    type Item = Result<Entry>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.entries.next()? {
                Ok(entry) if entry.depth() == 0 => {}
                Ok(entry) => return Some(Ok(Entry::of(&entry, &self.folder))),
                Err(error) => return Some(Err(walk_error(&self.folder, error))),
            }
        }
    }
}

/// A folder that cannot be read, as the error of its path.
fn walk_error(folder: &Path, error: ignore::Error) -> Error {
    let path = path_of(&error).unwrap_or(folder).to_owned();
    // The error of the system, without the words of two crates around it.
    let source = fs::read_dir(&path).err().or_else(|| error.into_io_error());
    let source = source.unwrap_or_else(|| io::Error::other("it cannot be searched"));
    Error::Io { action: "read", path, source }
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => path_of(err),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(root: &Path, selection: &Selection) -> (Vec<String>, PassedOver) {
        let mut walk = Walk::new((root, root), Depth::All, selection, |entry| match entry.is_hidden() {
            true => Admission::Hidden,
            false => Admission::Taken,
        });
        let names = walk.by_ref().map(|entry| entry.unwrap()).filter(|entry| entry.is_file);
        let names = names.map(|entry| entry.relative.display().to_string()).collect();
        (names, walk.passed_over())
    }

    #[test]
    fn files_come_once_and_sorted_and_what_is_left_out_is_counted() {
        let root = tempfile::tempdir().unwrap();
        for name in ["b.txt", "a/x.txt", "a/y.bak", "a.txt", ".git/z", "build/o.txt", "skip.log"] {
            fs::create_dir_all(root.path().join(name).parent().unwrap()).unwrap();
            fs::write(root.path().join(name), name).unwrap();
        }
        fs::write(root.path().join(".gitignore"), "*.log\n").unwrap();
        let (found, passed_over) = names(root.path(), &Selection::default());
        assert_eq!(found, ["a/x.txt", "a/y.bak", "a.txt", "b.txt", "build/o.txt", "skip.log"]);
        assert_eq!(passed_over, PassedOver { hidden: 2, ..PassedOver::default() });
        let exclude = ["*.bak".to_owned(), "build".to_owned()];
        let obeyed = super::super::selection::GitignoreFiles::Obeyed;
        let (found, passed_over) = names(root.path(), &Selection::new(&exclude, obeyed).unwrap());
        assert_eq!(found, ["a/x.txt", "a.txt", "b.txt"]);
        assert_eq!(passed_over, PassedOver { hidden: 2, excluded: 2, ..PassedOver::default() });
        let (found, _) = names(&root.path().join("a"), &Selection::new(&["a/y.bak".to_owned()], obeyed).unwrap());
        assert_eq!(found, ["x.txt", "y.bak"]);
    }
}
