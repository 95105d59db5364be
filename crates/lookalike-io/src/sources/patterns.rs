//! Patterns of file names.
//!
//! ```text
//! *.jsonl        the files of such names in a folder
//! hw/*/main.py   the files of this name in all folders of hw
//! hw/**/*.py     the files of such names anywhere below hw, hw itself included
//! d/**, d/**/*   all files below d
//! ```
//!
//! A match is called by its path below the part of the pattern that is fixed, as a file in a folder is by its path
//! below the folder: `homework/*/main.py` gives `ann/main.py`. A folder that fits is read as a whole, and what is below
//! it is not looked at once more. Hidden files and folders fit only a component that begins with a dot, as in a shell.
//! A link fits as the file or folder that it leads to, but not below `**`, as in a walk through a folder. A component
//! with a special character that exists by this very name is itself.
//!
//! Names are matched by the characters of the crate `glob`: `globset`, by which `--exclude` and `.gitignore` files are
//! read, matches bytes, so that `?` and `[ä]` fit no letter of more than one byte. Its walk is not used: it ends in a
//! panic at a name that is no UTF-8.

use crate::formats::is_part_of_others;
use crate::ground::{Admission, Depth, Error, PassedOver, Result, Selection, Walk};
use crate::remote::{is_url, local_path};
use glob::{MatchOptions, Pattern};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Component, Path, PathBuf, is_separator};

/// Characters that make a name a pattern.
const WILDCARDS: [char; 3] = ['*', '?', '['];

/// Any number of folders, or none.
const ANY_FOLDERS: &str = "**";

/// Without a rule about leading dots, so that what it keeps away can be counted.
const OPTIONS: MatchOptions =
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: false };

/// A local file or folder that an input names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Expanded {
    pub(super) path: PathBuf,
    /// Its path below the fixed part of the pattern that it matches; `None` if no pattern named it.
    pub(super) below: Option<PathBuf>,
}

/// The inputs, with each pattern replaced by the files that match it.
///
/// # Errors
/// [`Error::NoMatch`], [`Error::Pattern`], [`Error::Url`], or [`Error::Io`] if a folder cannot be searched.
pub fn expand_patterns(inputs: &[PathBuf], selection: &Selection) -> Result<Vec<PathBuf>> {
    let (found, _) = expand_all(inputs, selection)?;
    Ok(found.into_iter().map(|found| found.path).collect())
}

/// The same, with what the matches are called, and counts of what was passed over.
pub(super) fn expand_all(inputs: &[PathBuf], selection: &Selection) -> Result<(Vec<Expanded>, PassedOver)> {
    let (mut all, mut passed_over) = (Vec::new(), PassedOver::default());
    for input in inputs {
        let input = &local_path(input)?;
        // Patterns of URLs are matched against the listing of their store.
        if is_url(input) || !is_pattern(input.as_os_str()) || is_there(input) {
            all.push(Expanded { path: input.clone(), below: None });
            continue;
        }
        let mut search = Search { input, selection, passed_over: PassedOver::default() };
        let found = search.matches()?;
        let is_nothing = found.is_empty() && search.passed_over.excluded == 0;
        if is_nothing {
            return Err(Error::NoMatch { path: input.clone() });
        }
        all.extend(found);
        passed_over.add(search.passed_over);
    }
    Ok((all, passed_over))
}

fn is_pattern(name: &OsStr) -> bool {
    name.to_string_lossy().contains(WILDCARDS)
}

/// Whether a path is there, be it a link that leads nowhere.
fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// The search for the matches of a pattern.
struct Search<'a> {
    input: &'a Path,
    selection: &'a Selection,
    passed_over: PassedOver,
}

/// What links are to a component of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Links {
    /// The file or folder that they lead to.
    Followed,
    /// Counted, and no match.
    PassedOver,
}

impl Search<'_> {
    /// The matches, sorted by their components.
    fn matches(&mut self) -> Result<Vec<Expanded>> {
        let (parts, links) = self.parts();
        let (mut found, mut fixed, mut is_fixed) = (vec![PathBuf::new()], PathBuf::new(), true);
        for (number, part) in parts.iter().enumerate() {
            let is_last = number + 1 == parts.len();
            let is_itself = !is_pattern(part) || is_fixed && is_there(&fixed.join(part));
            if is_itself {
                found.iter_mut().for_each(|path| path.push(part));
                found.retain(|path| is_there(path));
                if is_fixed {
                    fixed.push(part);
                }
                continue;
            }
            is_fixed = false;
            if part == ANY_FOLDERS {
                found = self.below_all(&found, &parts[number..])?;
                break;
            }
            found = self.in_each(&found, part, if is_last { links } else { Links::Followed })?;
            if !is_last {
                found.retain(|path| path.is_dir());
            }
        }
        found.retain(|path| !is_part_of_others(path));
        if self.input.as_os_str().as_encoded_bytes().last().is_some_and(|&byte| is_separator(byte.into())) {
            found.retain(|path| path.is_dir());
        }
        let found = found.into_iter().map(|path| (path.strip_prefix(&fixed).unwrap_or(&path).to_owned(), path));
        let (excluded, left): (Vec<_>, Vec<_>) =
            found.partition(|(below, path)| self.selection.excludes(&fixed, below, path.is_dir()));
        self.passed_over.excluded += excluded.len() as u64;
        Ok(left.into_iter().map(|(below, path)| Expanded { below: Some(below), path }).collect())
    }

    /// The components, and what links are to the last one. All that is below a folder is what is in it: a folder that
    /// fits is read as a whole.
    fn parts(&self) -> (Vec<OsString>, Links) {
        let parts = self.input.components().filter(|part| *part != Component::CurDir);
        let mut parts: Vec<OsString> = parts.map(|part| part.as_os_str().to_owned()).collect();
        let kept = parts.iter().rposition(|part| part != ANY_FOLDERS && part != "*").map_or(0, |last| last + 1);
        match parts[kept..].iter().position(|part| part == ANY_FOLDERS) {
            Some(first) if parts[kept + first..].iter().filter(|part| *part == "*").count() <= 1 => {
                parts.truncate(kept + first);
                parts.push("*".into());
                (parts, Links::PassedOver)
            }
            _ => (parts, Links::Followed),
        }
    }

    /// What fits `part` in each of the folders.
    fn in_each(&mut self, folders: &[PathBuf], part: &OsStr, links: Links) -> Result<Vec<PathBuf>> {
        let pattern = self.compile(&part.to_string_lossy())?;
        let mut found = Vec::new();
        for folder in folders {
            let (pattern, has_dot) = (pattern.clone(), begins_with_dot(part));
            let mut walk = Walk::new((folder, folder), Depth::One, self.selection, move |entry| {
                if !pattern.matches_with(&entry.name().to_string_lossy(), OPTIONS) {
                    Admission::Unasked
                } else if entry.is_hidden() && !has_dot {
                    Admission::Hidden
                } else if entry.is_link && links == Links::PassedOver {
                    Admission::Link
                } else {
                    Admission::Taken
                }
            });
            for entry in walk.by_ref() {
                found.push(folder.join(entry?.name()));
            }
            self.passed_over.add(walk.passed_over());
        }
        Ok(found)
    }

    /// What fits `parts`, of which the first is `**`, in the folders and in all below them.
    fn below_all(&mut self, folders: &[PathBuf], parts: &[OsString]) -> Result<Vec<PathBuf>> {
        let whole: PathBuf = parts.iter().collect();
        let pattern = self.compile(&whole.to_string_lossy())?;
        let dotted: Vec<Pattern> = parts
            .iter()
            .filter(|part| begins_with_dot(part))
            .map(|part| self.compile(&part.to_string_lossy()))
            .collect::<Result<_>>()?;
        let mut found: Vec<PathBuf> = Vec::new();
        for folder in folders {
            let (whole, dotted) = (pattern.clone(), dotted.clone());
            let mut walk = Walk::new((folder, folder), Depth::All, self.selection, move |entry| {
                let fits = whole.matches_with(&entry.relative.to_string_lossy(), OPTIONS);
                let name = entry.name().to_string_lossy();
                let is_kept_away = entry.is_hidden() && !dotted.iter().any(|part| part.matches_with(&name, OPTIONS));
                if !is_kept_away && !entry.is_link {
                    Admission::Taken
                } else if !fits {
                    Admission::Unasked
                } else if is_kept_away {
                    Admission::Hidden
                } else {
                    Admission::Link
                }
            });
            let mut read_whole: Option<PathBuf> = None;
            for entry in walk.by_ref() {
                let entry = entry?;
                let is_read = read_whole.as_ref().is_some_and(|read| entry.relative.starts_with(read));
                if is_read || !pattern.matches_with(&entry.relative.to_string_lossy(), OPTIONS) {
                    continue;
                }
                if entry.is_folder {
                    read_whole = Some(entry.relative.clone());
                }
                found.push(folder.join(&entry.relative));
            }
            self.passed_over.add(walk.passed_over());
        }
        Ok(found)
    }

    fn compile(&self, pattern: &str) -> Result<Pattern> {
        let wrong =
            |error: glob::PatternError| Error::Pattern { path: self.input.to_owned(), message: error.msg.to_owned() };
        Pattern::new(pattern).map_err(wrong)
    }
}

/// Whether a component names hidden files.
fn begins_with_dot(part: &OsStr) -> bool {
    part.as_encoded_bytes().starts_with(b".")
}

#[cfg(test)]
mod tests;
