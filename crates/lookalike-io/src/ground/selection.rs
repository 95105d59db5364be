//! Which files are read of those that inputs name.
//!
//! Patterns of files that are left out are those of `.gitignore`, by the crate that ripgrep reads them with: `*.bak`
//! leaves out files and folders of such a name at any depth, `a/b` and `/b` what has this path, `build/` folders alone,
//! and `!x` takes something in again. They hold in folders, archives and stores, and for files that are named one by
//! one.

use super::error::{Error, Result};
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use serde::{Deserialize, Serialize};
use std::path::{Component, Path, PathBuf};

/// Which files are read of those that inputs name.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// What is left out; `None` if nothing is.
    excluded: Option<Gitignore>,
    obeys_gitignore: bool,
}

/// Whether files that `.gitignore` files name are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GitignoreFiles {
    /// They are files like others.
    #[default]
    Unread,
    /// In a folder and those above it they say which of its files are left out.
    Obeyed,
}

impl Selection {
    /// All files but those that fit one of the patterns, and that `.gitignore` files name, if these are obeyed.
    ///
    /// # Errors
    /// [`Error::Pattern`].
    pub fn new(exclude: &[String], files: GitignoreFiles) -> Result<Self> {
        let obeys_gitignore = files == GitignoreFiles::Obeyed;
        if exclude.is_empty() {
            return Ok(Self { excluded: None, obeys_gitignore });
        }
        let wrong = |pattern: &str, error: ignore::Error| Error::Pattern {
            path: PathBuf::from(pattern),
            message: error.to_string(),
        };
        let mut patterns = GitignoreBuilder::new("");
        patterns.allow_unclosed_class(false);
        for pattern in exclude {
            // A comment in a file of patterns, and here a name.
            let escaped = if pattern.starts_with('#') { format!("\\{pattern}") } else { pattern.clone() };
            patterns.add_line(None, &escaped).map_err(|error| wrong(pattern, error))?;
        }
        let excluded = patterns.build().map_err(|error| wrong(&exclude.join(" "), error))?;
        Ok(Self { excluded: Some(excluded), obeys_gitignore })
    }

    /// Whether an input that the user named by this path is left out.
    pub(crate) fn excludes_named(&self, path: &Path, is_folder: bool) -> bool {
        self.excluded.as_ref().is_some_and(|excluded| is_ignored(excluded, path, is_folder).unwrap_or(false))
    }

    /// Whether what has the path `relative` below the input `folder` is left out. Patterns may name it from there, or
    /// as a user types the whole path.
    pub(crate) fn excludes(&self, folder: &Path, relative: &Path, is_folder: bool) -> bool {
        let Some(excluded) = &self.excluded else { return false };
        let found = is_ignored(excluded, relative, is_folder);
        found.or_else(|| is_ignored(excluded, &folder.join(relative), is_folder)).unwrap_or(false)
    }

    /// Whether one of the folders that contain a path below the input `folder` is left out, or that path itself.
    pub(crate) fn excludes_member(&self, folder: &Path, relative: &Path) -> bool {
        self.excluded.is_some()
            && relative
                .ancestors()
                .filter(|path| !path.as_os_str().is_empty())
                .enumerate()
                .any(|(above, path)| self.excludes(folder, path, above > 0))
    }

    pub(crate) fn obeys_gitignore(&self) -> bool {
        self.obeys_gitignore
    }
}

/// Whether a pattern leaves out a path, or takes it in again; `None` if none says anything of it.
fn is_ignored(excluded: &Gitignore, path: &Path, is_folder: bool) -> Option<bool> {
    let named: PathBuf = path.components().filter(|part| matches!(part, Component::Normal(_))).collect();
    match excluded.matched(&named, is_folder) {
        Match::None => None,
        Match::Ignore(_) => Some(true),
        Match::Whitelist(_) => Some(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excludes(patterns: &[&str], relative: &str, is_folder: bool) -> bool {
        let patterns: Vec<String> = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
        let selection = Selection::new(&patterns, GitignoreFiles::Unread).unwrap();
        selection.excludes(Path::new("/data/in"), Path::new(relative), is_folder)
    }

    #[test]
    fn patterns_name_files_by_their_name_or_by_their_path() {
        for (pattern, path, is_folder, expected) in [
            ("*.bak", "a.bak", false, true),
            ("*.bak", "deep/a.bak", false, true),
            ("*.bak", "a.bak.txt", false, false),
            ("drafts", "x/drafts", true, true),
            ("drafts/", "drafts", false, false),
            ("/a.txt", "a.txt", false, true),
            ("/a.txt", "deep/a.txt", false, false),
            ("deep/*.txt", "deep/a.txt", false, true),
            ("in/deep", "deep", true, false),
            ("/data/in/deep", "deep", true, true),
            ("#a", "#a", false, true),
            ("**/x/*.txt", "a/b/x/c.txt", false, true),
        ] {
            assert_eq!(excludes(&[pattern], path, is_folder), expected, "{pattern} {path}");
        }
        assert!(!excludes(&["*.txt", "!keep.txt"], "keep.txt", false));
        assert!(!excludes(&[], "a", false));
    }

    #[test]
    fn members_are_excluded_with_their_folders() {
        let selection = Selection::new(&["drafts/".to_owned()], GitignoreFiles::Unread).unwrap();
        assert!(selection.excludes_member(Path::new("x.zip"), Path::new("a/drafts/b/c.txt")));
        assert!(!selection.excludes_member(Path::new("x.zip"), Path::new("a/drafts")));
        assert!(selection.excludes_named(Path::new("../x/drafts"), true));
        assert!(matches!(Selection::new(&["[".to_owned()], GitignoreFiles::Unread), Err(Error::Pattern { .. })));
    }
}
