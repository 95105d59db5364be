//! The `.gitignore` files that hold in a walk through a folder.
//!
//! They are read here and not by the walk of `ignore`, which skips what they name in silence: it is counted. As for
//! git, the file of a deeper folder goes before those above, and those above a repository do not hold in it.

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use std::fs;
use std::path::{Path, PathBuf};

/// Name of the files.
const NAME: &str = ".gitignore";

/// Folders in which the files are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GitignoreScope {
    /// The folder of the walk, and those above and below it.
    Around,
    /// The folder of the walk and those below it: it is a copy, and the folders above are none of the user.
    Below,
}

/// The patterns of the folders from the topmost to the one that is walked at present.
#[derive(Debug)]
pub(super) struct GitignoreStack {
    /// The folder of the walk, without links.
    root: PathBuf,
    folders: Vec<FolderPatterns>,
}

#[derive(Debug)]
struct FolderPatterns {
    folder: PathBuf,
    /// `None` if the folder has no such file.
    patterns: Option<Gitignore>,
    is_repository: bool,
}

impl FolderPatterns {
    fn read(folder: &Path) -> Self {
        let file = folder.join(NAME);
        let patterns = file.is_file().then(|| {
            let mut builder = GitignoreBuilder::new(folder);
            // A line that is no pattern fits nothing, as for git.
            let _ = builder.add(file);
            builder.build().ok()
        });
        let is_repository = fs::symlink_metadata(folder.join(".git")).is_ok();
        Self { folder: folder.to_owned(), patterns: patterns.flatten(), is_repository }
    }
}

impl GitignoreStack {
    /// The patterns at the beginning of a walk through `folder`.
    pub(super) fn new(folder: &Path, scope: GitignoreScope) -> Self {
        let root = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let above = if scope == GitignoreScope::Around { usize::MAX } else { 1 };
        let mut folders: Vec<FolderPatterns> = root.ancestors().take(above).map(FolderPatterns::read).collect();
        folders.reverse();
        Self { root, folders }
    }

    /// Returns whether an entry of the walk is named by them. Entries come in the order of a walk: those of a folder
    /// behind the folder itself.
    pub(super) fn ignore(&mut self, relative: &Path, is_folder: bool) -> bool {
        let path = self.root.join(relative);
        let parent = path.parent().unwrap_or(&self.root);
        while self.folders.len() > 1 && self.folders.last().is_some_and(|last| !parent.starts_with(&last.folder)) {
            self.folders.pop();
        }
        let known = self.folders.last().map(|last| last.folder.clone());
        let new = parent.ancestors().take_while(|folder| known.as_deref() != Some(folder));
        let new: Vec<&Path> = new.take(relative.components().count()).collect();
        self.folders.extend(new.into_iter().rev().map(FolderPatterns::read));
        for folder in self.folders.iter().rev() {
            match folder.patterns.as_ref().map_or(Match::None, |patterns| patterns.matched(&path, is_folder)) {
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
                Match::None if folder.is_repository => return false,
                Match::None => {}
            }
        }
        false
    }
}
