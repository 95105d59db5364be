//! Selection of the files that are read among those that inputs name.
//!
//! Patterns of files that are left out are those of `.gitignore`, by the crate that ripgrep reads them with: `*.bak`
//! leaves out files and folders of such a name at any depth, `a/b` and `/b` what has this path, `build/` folders alone,
//! and `!x` takes something in again. They hold in folders, archives and stores, and for files that are named one by
//! one. The last pattern that fits decides.
//!
//! ```text
//! pattern                  is compared with
//! *.bak, drafts/, a/b      the path below an input, and the path as the user typed it
//! ./d/x, ../d/x            the whole path: such a pattern begins at the current folder
//! ```

use crate::base::error::{Error, Result};
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use serde::{Deserialize, Serialize};
use std::env;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Selection of the files that are read among those that inputs name.
#[derive(Debug, Clone, Default)]
pub struct FileSelection {
    /// Patterns of files that are left out, in the order of the user.
    excluded: Arc<[Exclusion]>,
    obeys_gitignore: bool,
}

/// A pattern of what is left out, or taken in again.
#[derive(Debug)]
struct Exclusion {
    pattern: Gitignore,
    /// True if it begins at the current folder, and is compared with whole paths.
    is_from_here: bool,
}

/// The paths by which patterns may name a file or folder, of plain names alone.
struct EntryNames {
    /// Below an input.
    below: Option<PathBuf>,
    /// The path as the user typed it.
    typed: PathBuf,
    /// The path from the root.
    whole: PathBuf,
    is_folder: bool,
}

/// Effect of `.gitignore` files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GitignoreFiles {
    /// No effect: they are files like others.
    #[default]
    Unread,
    /// Effect as in git: files that they name are left out.
    Obeyed,
}

impl FileSelection {
    /// Selects all files but those that fit one of the patterns, and that `.gitignore` files name, if these are obeyed.
    ///
    /// # Errors
    /// [`Error::Pattern`].
    pub fn new(exclude: &[String], files: GitignoreFiles) -> Result<Self> {
        let excluded = exclude.iter().map(|pattern| Exclusion::new(pattern)).collect::<Result<Vec<_>>>()?;
        Ok(Self { excluded: excluded.into(), obeys_gitignore: files == GitignoreFiles::Obeyed })
    }

    /// Returns whether an input that the user named by this path is left out, or lies in a folder that is.
    pub(crate) fn excludes_named(&self, path: &Path, is_folder: bool) -> bool {
        if self.excluded.is_empty() {
            return false;
        }
        // The folders above the current one have names that the user may not think of.
        let near = env::current_dir().ok().and_then(|current| Some(path.strip_prefix(current).ok()?.to_owned()));
        let near = near.as_deref().unwrap_or(path);
        let names =
            |typed: &Path, is_folder| EntryNames { below: None, is_folder, typed: plain(typed), whole: whole(typed) };
        let folders = plain(near);
        let folders = folders.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty());
        let root = whole(near);
        let is_in_excluded = |(above, folder): (usize, &Path)| {
            let whole = root.ancestors().nth(above + 1).unwrap_or(Path::new("")).to_owned();
            self.leaves_out(&EntryNames { below: None, typed: folder.to_owned(), whole, is_folder: true })
        };
        self.leaves_out(&names(path, is_folder))
            || self.leaves_out(&names(near, is_folder))
            || folders.enumerate().any(is_in_excluded)
    }

    /// Returns whether what has the path `relative` below the input `folder` is left out. Patterns may name it from
    /// there, or as a user types the whole path.
    pub(crate) fn excludes(&self, folder: &Path, relative: &Path, is_folder: bool) -> bool {
        if self.excluded.is_empty() {
            return false;
        }
        let path = folder.join(relative);
        let whole = whole(&path);
        self.leaves_out(&EntryNames { below: Some(plain(relative)), typed: plain(&path), whole, is_folder })
    }

    /// Returns whether one of the folders that contain a path below the input `folder` is left out, or that path
    /// itself.
    pub(crate) fn excludes_member(&self, folder: &Path, relative: &Path) -> bool {
        !self.excluded.is_empty()
            && relative
                .ancestors()
                .filter(|path| !path.as_os_str().is_empty())
                .enumerate()
                .any(|(above, path)| self.excludes(folder, path, above > 0))
    }

    pub(crate) fn obeys_gitignore(&self) -> bool {
        self.obeys_gitignore
    }

    /// Returns whether the last pattern that fits leaves it out.
    fn leaves_out(&self, names: &EntryNames) -> bool {
        self.excluded.iter().rev().find_map(|exclusion| exclusion.decide(names)).unwrap_or(false)
    }
}

impl Exclusion {
    fn new(pattern: &str) -> Result<Self> {
        let wrong = |error: ignore::Error| Error::Pattern { path: PathBuf::from(pattern), message: error.to_string() };
        let from_here = from_current_folder(pattern);
        let is_from_here = from_here.is_some();
        let plain = from_here.unwrap_or_else(|| pattern.to_owned());
        // A comment in a file of patterns, and here a name.
        let escaped = if plain.starts_with('#') { format!("\\{plain}") } else { plain };
        let mut builder = GitignoreBuilder::new("");
        builder.allow_unclosed_class(false);
        builder.add_line(None, &escaped).map_err(wrong)?;
        Ok(Self { pattern: builder.build().map_err(wrong)?, is_from_here })
    }

    /// Returns whether it leaves something out, or takes it in again; `None` if it says nothing of it.
    fn decide(&self, names: &EntryNames) -> Option<bool> {
        let decide = |path: &Path| match self.pattern.matched(path, names.is_folder) {
            Match::None => None,
            Match::Ignore(_) => Some(true),
            Match::Whitelist(_) => Some(false),
        };
        if self.is_from_here {
            return decide(&names.whole);
        }
        names.below.as_deref().and_then(decide).or_else(|| decide(&names.typed))
    }
}

/// The names of a path, without `.` and with `..` resolved as far as there are names before it.
fn plain(path: &Path) -> PathBuf {
    let mut names = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => names.push(name),
            Component::ParentDir => {
                names.pop();
            }
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    names
}

/// The names of a path from the root.
fn whole(path: &Path) -> PathBuf {
    plain(&std::path::absolute(path).unwrap_or_else(|_| path.to_owned()))
}

/// A pattern with `.` or `..` among its parts, as one of whole paths; `None` for all others, which stay as they are.
fn from_current_folder(pattern: &str) -> Option<String> {
    let (sign, path) = pattern.strip_prefix('!').map_or(("", pattern), |path| ("!", path));
    let is_step = |part: &str| part == "." || part == "..";
    if !path.split('/').any(is_step) {
        return None;
    }
    let current = if path.starts_with('/') { PathBuf::new() } else { env::current_dir().unwrap_or_default() };
    let mut parts: Vec<String> = plain(&current).iter().map(|name| literal(&name.to_string_lossy())).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            _ => parts.push(part.to_owned()),
        }
    }
    let end = if path.ends_with('/') || path.rsplit('/').next().is_some_and(is_step) { "/" } else { "" };
    Some(format!("{sign}/{}{end}", parts.join("/")))
}

/// A name as a pattern that fits it alone.
fn literal(name: &str) -> String {
    let is_special = |c: char| "\\*?[]{}!# ".contains(c);
    name.chars().flat_map(|c| is_special(c).then_some('\\').into_iter().chain([c])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excludes(patterns: &[&str], relative: &str, is_folder: bool) -> bool {
        let patterns: Vec<String> = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
        let selection = FileSelection::new(&patterns, GitignoreFiles::Unread).unwrap();
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
        assert!(!excludes(&["*.txt", "!/data/in/keep.txt"], "keep.txt", false));
        assert!(!excludes(&[], "a", false));
    }

    #[test]
    fn members_are_excluded_with_their_folders() {
        let selection = FileSelection::new(&["drafts/".to_owned()], GitignoreFiles::Unread).unwrap();
        assert!(selection.excludes_member(Path::new("x.zip"), Path::new("a/drafts/b/c.txt")));
        assert!(!selection.excludes_member(Path::new("x.zip"), Path::new("a/drafts")));
        assert!(selection.excludes_named(Path::new("../x/drafts"), true));
        for named in ["drafts/a.txt", "x/drafts/b/a.txt"] {
            assert!(selection.excludes_named(Path::new(named), false), "{named}");
            assert!(selection.excludes_named(&env::current_dir().unwrap().join(named), false), "{named}");
        }
        assert!(!selection.excludes_named(Path::new("drafts/../a.txt"), false));
        assert!(matches!(FileSelection::new(&["[".to_owned()], GitignoreFiles::Unread), Err(Error::Pattern { .. })));
    }

    #[test]
    fn patterns_with_dots_begin_at_the_current_folder() {
        let here = env::current_dir().unwrap();
        let beside = Path::new("..").join(here.file_name().unwrap());
        for (pattern, folder, relative, expected) in [
            ("./d/x", PathBuf::from("d"), "x", true),
            ("./d/x", here.join("d"), "x", true),
            ("./d/x", PathBuf::from("other"), "d/x", false),
            ("./x", PathBuf::from("d"), "x", false),
            ("../d/x", PathBuf::from("../d"), "x", true),
            ("../d/x", PathBuf::from("d"), "x", false),
            ("d/../e/*.bak", PathBuf::from("e"), "a.bak", true),
            ("./d/x", beside.join("d"), "x", true),
        ] {
            let selection = FileSelection::new(&[pattern.to_owned()], GitignoreFiles::Unread).unwrap();
            assert_eq!(selection.excludes(&folder, Path::new(relative), false), expected, "{pattern} {folder:?}");
        }
        let again = ["*.bak", "!./d/keep.bak"].map(str::to_owned);
        let selection = FileSelection::new(&again, GitignoreFiles::Unread).unwrap();
        assert!(!selection.excludes(Path::new("d"), Path::new("keep.bak"), false));
        assert!(selection.excludes(Path::new("e"), Path::new("keep.bak"), false));
        assert!(selection.excludes_named(Path::new("d/x.bak"), false));
        let folder = FileSelection::new(&["./d/".to_owned()], GitignoreFiles::Unread).unwrap();
        assert!(folder.excludes_named(Path::new("d/x.txt"), false));
    }
}
