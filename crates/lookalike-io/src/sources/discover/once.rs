//! The files that were found, each once.
//!
//! A file is an entry of a folder, known by its path without links: named twice, through a symbolic link, or in a
//! folder and by itself, it is the same one, and only the first way to it counts. Two hard links are two files: each of
//! them can be removed without the content of the other, so that one is a duplicate of the other like any copy.
//!
//! Paths are only compared if one input lies in another: what is in one folder is found once.

use super::named::{Named, NamedKind};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A folder without links; `None` if none of its files can be that of another input.
pub(in crate::sources) type RealFolder = Option<PathBuf>;

/// The files that were found.
#[derive(Default)]
pub(in crate::sources) struct Once {
    /// Paths of the files without links; `None` if no input lies in another.
    seen: Option<HashSet<PathBuf>>,
    /// The first one that was found again, as the user knows it.
    repeated: Option<PathBuf>,
}

impl Once {
    /// Prepares for inputs of which each was named once. The archives among them, for which `is_archive`
    /// is true, are found by their names and in no folder.
    pub(in crate::sources) fn new(named: &[Named], is_archive: impl Fn(&Named) -> bool) -> Self {
        let mut paths: Vec<PathBuf> = named.iter().filter_map(real_path).collect();
        paths.sort_unstable();
        // Whatever stands between a folder and what is in it is in it, too.
        let is_needed = paths.windows(2).any(|pair| pair[1].starts_with(&pair[0]));
        let mut once = Self::default();
        if is_needed {
            let archives = named.iter().filter(|input| matches!(input.kind, NamedKind::File) && is_archive(input));
            once.seen = Some(archives.filter_map(real_path).collect());
        }
        once
    }

    /// The folder of an input as [`Self::is_first_below`] takes it.
    pub(in crate::sources) fn folder(&self, folder: &Path) -> RealFolder {
        self.seen.as_ref().and_then(|_| folder.canonicalize().ok())
    }

    /// Returns whether a file in a folder was not found before; `shown` is its path for the user.
    pub(in crate::sources) fn is_first_below(&mut self, folder: &RealFolder, relative: &Path, shown: &Path) -> bool {
        folder.as_ref().is_none_or(|folder| self.is_first(folder.join(relative), shown))
    }

    /// Returns whether a named file was not found before.
    pub(in crate::sources) fn is_first_named(&mut self, file: &Path, shown: &Path) -> bool {
        match (&self.seen, file.canonicalize()) {
            (Some(_), Ok(real)) => self.is_first(real, shown),
            _ => true,
        }
    }

    fn is_first(&mut self, real: PathBuf, shown: &Path) -> bool {
        let is_first = self.seen.as_mut().is_none_or(|seen| seen.insert(real));
        if !is_first {
            self.note(shown);
        }
        is_first
    }

    fn note(&mut self, shown: &Path) {
        self.repeated.get_or_insert_with(|| shown.to_owned());
    }

    /// The first file that was found again.
    pub(in crate::sources) fn into_repeated(self) -> Option<PathBuf> {
        self.repeated
    }
}

/// The inputs without those that were named before, by whatever path, and these.
pub(in crate::sources) fn without_repeated(named: Vec<Named>) -> (Vec<Named>, Vec<Named>) {
    let mut seen = HashSet::new();
    named.into_iter().partition(|input| seen.insert(real_path(input).unwrap_or_else(|| input.path.clone())))
}

/// The path of a file or folder without links.
fn real_path(input: &Named) -> Option<PathBuf> {
    match input.kind {
        NamedKind::File | NamedKind::Folder => fs::canonicalize(&input.file).ok(),
        NamedKind::Stdin | NamedKind::Pipe => None,
    }
}
