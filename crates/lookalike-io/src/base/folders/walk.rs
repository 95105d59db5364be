//! The entries of folders, each once and sorted: the one search of folders for all kinds of inputs.
//!
//! ```text
//! input        depth            entries that are yielded
//! a folder     all folders      all but hidden files and links
//! a pattern    one folder       those that fit its next component
//!              all folders      those that fit its components from `**` on
//! an archive   all folders      those of the folder to which it was unpacked, as of any folder
//! ```
//!
//! The crate `ignore` walks, as in ripgrep, and sorts. Its own filters are off: hidden files, links and files named by
//! `.gitignore` are recognized here, because each kind is counted.

use super::gitignore::{GitignoreScope, GitignoreStack};
use super::selection::FileSelection;
use crate::base::details::Action;
use crate::base::error::{Error, Result};
use crate::base::place::Located;
use ignore::{DirEntry, WalkBuilder};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Counts of the entries that inputs name or hold and that are not read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SkippedCounts {
    /// Number of hidden files and folders.
    pub hidden: u64,
    /// Number of symbolic links in folders, to files, folders or nothing.
    pub links: u64,
    /// Number of files and folders that fit a pattern of `--exclude`.
    pub excluded: u64,
    /// Number of files and folders that `.gitignore` files name.
    pub ignored: u64,
    /// Number of named pipes, sockets and devices, in folders or by patterns.
    pub special: u64,
    /// Number of files that were read already under another name, or as part of another input.
    pub repeated: u64,
}

impl SkippedCounts {
    /// Adds the counts of another input.
    pub(crate) fn add(&mut self, other: Self) {
        let Self { hidden, links, excluded, ignored, special, repeated } = other;
        self.hidden += hidden;
        self.links += links;
        self.excluded += excluded;
        self.ignored += ignored;
        self.special += special;
        self.repeated += repeated;
    }

    /// Number of files and folders that the user has left out.
    pub(crate) fn left_out(&self) -> u64 {
        self.excluded + self.ignored
    }
}

/// Depth of a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WalkDepth {
    /// Into the folder alone.
    One,
    /// Into all folders below it.
    All,
}

/// Treatment of an entry by a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntryAdmission {
    /// Yielded, and walked if it is a folder.
    Taken,
    /// Counted as hidden.
    Hidden,
    /// Counted as a link.
    Link,
    /// File that is skipped and not counted, because no argument names it.
    NotNamed,
}

/// An entry of a folder.
#[derive(Debug)]
pub(crate) struct FolderEntry {
    pub(crate) path: PathBuf,
    /// Path of the entry below the folder of the walk.
    pub(crate) relative: PathBuf,
    pub(crate) is_folder: bool,
    pub(crate) is_file: bool,
    pub(crate) is_link: bool,
}

impl FolderEntry {
    fn new(entry: &DirEntry, folder: &Path) -> Self {
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

    /// Returns whether its name begins with a dot.
    pub(crate) fn is_hidden(&self) -> bool {
        self.name().as_encoded_bytes().starts_with(b".")
    }
}

/// A walk through a folder.
pub(crate) struct Walk {
    folder: PathBuf,
    entries: ignore::Walk,
    skipped: Arc<Mutex<Skipped>>,
}

/// Entries that a walk has skipped so far.
#[derive(Debug, Default)]
struct Skipped {
    counts: SkippedCounts,
    /// Hidden files, folders and links, below the folder of the walk.
    paths: Vec<PathBuf>,
    /// `None` if `.gitignore` files are not obeyed.
    gitignore: Option<GitignoreStack>,
}

impl Skipped {
    /// Decides on an entry that no exclude pattern matches; counts it if it is hidden, a link or ignored. Returns
    /// whether it is yielded.
    fn admit(&mut self, entry: FolderEntry, admit: impl Fn(&FolderEntry) -> EntryAdmission) -> bool {
        if self.gitignore.as_mut().is_some_and(|files| files.ignore(&entry.relative, entry.is_folder)) {
            self.counts.ignored += 1;
            return false;
        }
        let admission = admit(&entry);
        self.counts.hidden += u64::from(admission == EntryAdmission::Hidden);
        self.counts.links += u64::from(admission == EntryAdmission::Link);
        if matches!(admission, EntryAdmission::Hidden | EntryAdmission::Link) {
            self.paths.push(entry.relative);
        }
        admission == EntryAdmission::Taken
    }
}

impl Walk {
    /// Walks a folder; `admit` decides on the entries that the selection leaves. The `.gitignore` files above the
    /// folder of a copy are not those of the original, so they are not read.
    pub(crate) fn new(
        Located { path, file: folder }: Located<'_>,
        depth: WalkDepth,
        selection: &FileSelection,
        admit: impl Fn(&FolderEntry) -> EntryAdmission + Send + Sync + 'static,
    ) -> Self {
        let scope = if path == folder { GitignoreScope::Around } else { GitignoreScope::Below };
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder }.to_owned();
        let gitignore = selection.obeys_gitignore().then(|| GitignoreStack::new(&folder, scope));
        let skipped = Arc::new(Mutex::new(Skipped { gitignore, ..Skipped::default() }));
        let skipped_entries = Arc::clone(&skipped);
        let root = folder.clone();
        let shown = path.to_owned();
        let selected = selection.clone();
        let entries = WalkBuilder::new(&folder)
            .max_depth((depth == WalkDepth::One).then_some(1))
            .standard_filters(false)
            .sort_by_file_name(Ord::cmp)
            .filter_entry(move |entry| {
                let entry = FolderEntry::new(entry, &root);
                let mut skipped = skipped_entries.lock().unwrap_or_else(PoisonError::into_inner);
                if selected.excludes(&shown, &entry.relative, entry.is_folder) {
                    skipped.counts.excluded += 1;
                    return false;
                }
                skipped.admit(entry, &admit)
            })
            .build();
        Self { folder, entries, skipped }
    }

    /// Counts of the entries that were skipped so far.
    pub(crate) fn skipped_counts(&self) -> SkippedCounts {
        self.skipped.lock().unwrap_or_else(PoisonError::into_inner).counts
    }

    /// The hidden files, folders and links that were skipped so far, by their paths below the folder.
    pub(crate) fn into_skipped_paths(self) -> Vec<PathBuf> {
        std::mem::take(&mut self.skipped.lock().unwrap_or_else(PoisonError::into_inner).paths)
    }
}

impl Iterator for Walk {
    type Item = Result<FolderEntry>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.entries.next()? {
                Ok(entry) if entry.depth() == 0 => {}
                Ok(entry) => return Some(Ok(FolderEntry::new(&entry, &self.folder))),
                Err(error) => return Some(Err(walk_error(&self.folder, error))),
            }
        }
    }
}

/// A folder that cannot be read, as the error of its path.
fn walk_error(folder: &Path, error: ignore::Error) -> Error {
    let path = path_of(&error).unwrap_or(folder).to_owned();
    // The error of the system, without the messages that `ignore` and `walkdir` put around it.
    let source = fs::read_dir(&path).err().or_else(|| error.into_io_error());
    let source = source.unwrap_or_else(|| io::Error::other("it cannot be searched"));
    Error::Io { action: Action::Read, path, source }
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
    use crate::testing::folder_with;

    fn names(root: &Path, selection: &FileSelection) -> (Vec<String>, SkippedCounts) {
        let mut walk = Walk::new(Located::in_place(root), WalkDepth::All, selection, |entry| {
            if entry.is_hidden() { EntryAdmission::Hidden } else { EntryAdmission::Taken }
        });
        let names = walk.by_ref().map(|entry| entry.unwrap()).filter(|entry| entry.is_file);
        let names = names.map(|entry| entry.relative.display().to_string()).collect();
        (names, walk.skipped_counts())
    }

    #[test]
    fn files_come_once_and_sorted_and_what_is_left_out_is_counted() {
        let all = ["b.txt", "a/x.txt", "a/y.bak", "a.txt", ".git/z", "build/o.txt", "skip.log"];
        let root = folder_with(all.map(|name| (name, "x")).into_iter().chain([(".gitignore", "*.log\n")]));
        let (found, skipped_counts) = names(root.path(), &FileSelection::default());
        assert_eq!(found, ["a/x.txt", "a/y.bak", "a.txt", "b.txt", "build/o.txt", "skip.log"]);
        assert_eq!(skipped_counts, SkippedCounts { hidden: 2, ..SkippedCounts::default() });
        let exclude = ["*.bak".to_owned(), "build".to_owned()];
        let obeyed = super::super::selection::GitignoreFiles::Obeyed;
        let (found, skipped_counts) = names(root.path(), &FileSelection::new(&exclude, obeyed).unwrap());
        assert_eq!(found, ["a/x.txt", "a.txt", "b.txt"]);
        assert_eq!(skipped_counts, SkippedCounts { hidden: 2, excluded: 2, ignored: 1, ..SkippedCounts::default() });
        let (found, _) = names(&root.path().join("a"), &FileSelection::new(&["a/y.bak".to_owned()], obeyed).unwrap());
        assert_eq!(found, ["x.txt", "y.bak"]);
    }

    #[test]
    fn deeper_gitignore_files_go_first_and_those_above_a_copy_or_a_repository_do_not_hold() {
        let root = folder_with([
            (".gitignore", "*.log\nbuild/\n"),
            ("d/.gitignore", "!keep.log\n/top.txt\n"),
            ("d/a.log", ""),
            ("d/e/keep.log", ""),
            ("d/e/top.txt", ""),
            ("d/build/x.txt", ""),
            ("d/top.txt", ""),
            ("d/z/.git/config", ""),
            ("d/z/a.log", ""),
        ]);
        let obeyed = FileSelection::new(&[], super::super::selection::GitignoreFiles::Obeyed).unwrap();
        let folder = root.path().join("d");
        let (found, skipped_counts) = names(&folder, &obeyed);
        assert_eq!(found, ["e/keep.log", "e/top.txt", "z/a.log"]);
        assert_eq!(skipped_counts.ignored, 3);
        let walk = Walk::new(Located { path: Path::new("d.zip"), file: &folder }, WalkDepth::All, &obeyed, |_| {
            EntryAdmission::Taken
        });
        let found: Vec<PathBuf> = walk.map(|entry| entry.unwrap()).filter(|e| e.is_file).map(|e| e.relative).collect();
        for name in ["a.log", "build/x.txt", "z/a.log"] {
            assert!(found.contains(&PathBuf::from(name)), "{found:?}");
        }
        assert!(!found.contains(&PathBuf::from("top.txt")));
    }
}
