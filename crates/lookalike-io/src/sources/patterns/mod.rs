//! Patterns of file names.
//!
//! ```text
//! *.jsonl        the files of such names in a folder
//! hw/*/main.py   the files of this name in all folders of hw
//! hw/**/*.py     the files of such names anywhere below hw, hw itself included
//! d/**, d/**/*   the folder d
//! ```
//!
//! A match is called by its path below the part of the pattern that is fixed, as a file in a folder is by its path
//! below the folder: `homework/*/main.py` gives `ann/main.py`. A file that fits is read as if it was named, and a
//! folder as a whole: what is below it is not looked at once more. Hidden files and folders fit only a component that
//! begins with a dot, as in a shell. A link fits as the file or folder that it leads to, but not below `**`, as in a
//! walk through a folder. A component with a special character that exists by this very name is itself. Pipes and
//! devices fit nothing: a pipe that nobody writes to would be waited for.
//!
//! Names are matched by the characters of the crate `glob`: `globset`, by which `--exclude` and `.gitignore` files are
//! read, matches bytes, so that `?` and `[ä]` fit no letter of more than one byte. Its walk is not used: it ends in a
//! panic at a name that is no UTF-8.

use crate::base::{EntryAdmission, Error, FileSelection, Located, Result, SkippedCounts, Walk, WalkDepth};
use crate::formats::{is_part_of_others, names_file};
use crate::remote::{is_url, local_path};
use glob::{MatchOptions, Pattern};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Component, Path, PathBuf, is_separator};

/// Characters that make a name a pattern.
const WILDCARDS: [char; 3] = ['*', '?', '['];

/// Any number of folders, or none.
const ANY_FOLDERS: &str = "**";

/// Options without a rule about leading dots, so that what it keeps away can be counted.
const OPTIONS: MatchOptions =
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: false };

/// A local file or folder that an input names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Expanded {
    pub(super) path: PathBuf,
    /// Path of the input below the fixed part of the pattern that it matches; `None` if no pattern named it.
    pub(super) below: Option<PathBuf>,
}

/// Local files and folders that inputs name.
#[derive(Debug, Default)]
pub(super) struct Expansion {
    pub(super) found: Vec<Expanded>,
    /// Hidden files, folders and links that fit patterns but for that, and are not read.
    pub(super) unread: Vec<Expanded>,
    pub(super) skipped_counts: SkippedCounts,
    /// True if an input is a pattern.
    pub(super) has_patterns: bool,
}

/// The inputs, with each pattern replaced by the files that match it.
///
/// # Errors
/// [`Error::NoMatch`], [`Error::Pattern`], [`Error::Url`], or [`Error::Io`] if a folder cannot be searched.
pub fn expand_patterns(inputs: &[PathBuf], selection: &FileSelection) -> Result<Vec<PathBuf>> {
    let Expansion { found, .. } = expand_all(inputs, selection)?;
    Ok(found.into_iter().map(|found| found.path).collect())
}

/// Replaces each pattern by the files that match it; returns their names and what was skipped, too.
pub(super) fn expand_all(inputs: &[PathBuf], selection: &FileSelection) -> Result<Expansion> {
    let mut all = Expansion::default();
    for input in inputs {
        let input = &local_path(input)?;
        // Patterns of URLs are matched against the listing of their store.
        if is_url(input) || !is_pattern(input.as_os_str()) || is_there(input) {
            all.found.push(Expanded { path: input.clone(), below: None });
            continue;
        }
        let mut search =
            PatternSearch { input, selection, skipped: Vec::new(), skipped_counts: SkippedCounts::default() };
        let (found, unread) = search.matches()?;
        if found.is_empty() && search.skipped_counts.left_out() == 0 {
            return Err(Error::NoMatch { path: input.clone() });
        }
        all.found.extend(found);
        all.unread.extend(unread);
        all.skipped_counts.add(search.skipped_counts);
        all.has_patterns = true;
    }
    Ok(all)
}

/// Returns whether an output, which need not be there yet, could be read for the pattern `input`: it could fit, lie in
/// a folder that could, or be a folder that holds what could. `path` is that of the output, absolute and without links.
pub fn could_fit(input: &Path, output: &Path, path: &Path) -> bool {
    let Ok(input) = local_path(input) else { return false };
    if is_url(output) || is_url(&input) || !is_pattern(input.as_os_str()) || is_there(&input) {
        return false;
    }
    let parts = parts_of(&input);
    let is_fixed = |part: &&OsString| !is_pattern(part);
    let fixed: PathBuf = parts.iter().take_while(is_fixed).collect();
    let open: Vec<&OsString> = parts.iter().skip_while(is_fixed).collect();
    let Ok(fixed) = in_current(&fixed).canonicalize() else { return false };
    let Ok(below) = path.strip_prefix(&fixed) else { return false };
    if below.iter().any(begins_with_dot) && !open.iter().any(|part| begins_with_dot(part)) {
        return false;
    }
    let fits = |pattern: &OsStr, name: &OsStr| {
        let pattern = Pattern::new(&pattern.to_string_lossy());
        pattern.is_ok_and(|pattern| pattern.matches_with(&name.to_string_lossy(), OPTIONS))
    };
    if open.is_empty() || !names_file(path) {
        let mut pairs = open.iter().zip(below.iter()).take_while(|(part, _)| **part != ANY_FOLDERS);
        return pairs.all(|(part, name)| fits(part, name));
    }
    let whole: PathBuf = open.iter().collect();
    below.ancestors().any(|path| fits(whole.as_os_str(), path.as_os_str()))
}

fn is_pattern(name: &OsStr) -> bool {
    name.to_string_lossy().contains(WILDCARDS)
}

/// Returns whether a path is there, be it a link that leads nowhere.
fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// The search for the matches of a pattern.
struct PatternSearch<'a> {
    input: &'a Path,
    selection: &'a FileSelection,
    /// Hidden files, folders and links that fit but for that.
    skipped: Vec<PathBuf>,
    skipped_counts: SkippedCounts,
}

/// Target of a path.
enum LinkTarget {
    FileOrFolder,
    /// No file: a link to what is not there.
    Nothing,
    /// A pipe, a socket or a device.
    Special,
}

impl LinkTarget {
    fn from_path(path: &Path) -> Self {
        match fs::metadata(path) {
            Ok(found) if !found.is_file() && !found.is_dir() => Self::Special,
            Err(_) if path.is_symlink() => Self::Nothing,
            _ => Self::FileOrFolder,
        }
    }
}

/// The components of a pattern. All that is below a folder is the folder.
fn parts_of(input: &Path) -> Vec<OsString> {
    let parts = input.components().filter(|part| *part != Component::CurDir);
    let mut parts: Vec<OsString> = parts.map(|part| part.as_os_str().to_owned()).collect();
    let kept = parts.iter().rposition(|part| part != ANY_FOLDERS && part != "*").map_or(0, |last| last + 1);
    let first = parts[kept..].iter().position(|part| part == ANY_FOLDERS).map(|first| kept + first);
    if let Some(first) = first.filter(|&first| parts[first..].iter().filter(|part| *part == "*").count() <= 1) {
        parts.truncate(first);
    }
    parts
}

impl PatternSearch<'_> {
    /// The matches, sorted by their components, and what fits but for being hidden or a link.
    fn matches(&mut self) -> Result<(Vec<Expanded>, Vec<Expanded>)> {
        let parts = parts_of(self.input);
        let mut found = vec![PathBuf::new()];
        let mut fixed = PathBuf::new();
        let mut is_fixed = true;
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
            found = self.in_each(&found, part)?;
            if !is_last {
                self.skipped.clear();
                found.retain(|path| path.is_dir());
            }
        }
        found.retain(|path| !is_part_of_others(path));
        let is_of_folders = parts.len() < self.input.components().filter(|part| *part != Component::CurDir).count()
            || self.input.as_os_str().as_encoded_bytes().last().is_some_and(|&byte| is_separator(byte.into()));
        if is_of_folders {
            found.retain(|path| in_current(path).is_dir());
            self.skipped.retain(|path| path.is_dir());
        }
        let found = self.readable(found);
        let is_excluded = |path: &PathBuf| {
            let below = path.strip_prefix(&fixed).unwrap_or(path);
            let is_folder = in_current(path).is_dir();
            self.selection.excludes(&fixed, below, is_folder) || self.selection.excludes_named(path, is_folder)
        };
        let (excluded, left): (Vec<_>, Vec<_>) = found.into_iter().partition(is_excluded);
        self.skipped_counts.excluded += excluded.len() as u64;
        let expanded = |path: PathBuf| {
            let below = Some(path.strip_prefix(&fixed).unwrap_or(&path).to_owned());
            Expanded { path: in_current(&path), below }
        };
        let skipped = std::mem::take(&mut self.skipped);
        Ok((left.into_iter().map(expanded).collect(), skipped.into_iter().map(expanded).collect()))
    }

    /// The paths without those that lead to no file or folder; counts the others.
    fn readable(&mut self, paths: Vec<PathBuf>) -> Vec<PathBuf> {
        let mut readable = Vec::with_capacity(paths.len());
        for path in paths {
            match LinkTarget::from_path(&path) {
                LinkTarget::FileOrFolder => readable.push(path),
                LinkTarget::Special => self.skipped_counts.special += 1,
                LinkTarget::Nothing => {
                    self.skipped_counts.links += 1;
                    self.skipped.push(path);
                }
            }
        }
        readable
    }

    /// Finds the entries of each of the folders that fit `part`.
    fn in_each(&mut self, folders: &[PathBuf], part: &OsStr) -> Result<Vec<PathBuf>> {
        let pattern = self.compile(&part.to_string_lossy())?;
        let mut found = Vec::new();
        for folder in folders {
            let pattern = pattern.clone();
            let has_dot = begins_with_dot(part);
            let mut walk = Walk::new(Located::in_place(folder), WalkDepth::One, self.selection, move |entry| {
                if !pattern.matches_with(&entry.name().to_string_lossy(), OPTIONS) {
                    EntryAdmission::NotNamed
                } else if entry.is_hidden() && !has_dot {
                    EntryAdmission::Hidden
                } else {
                    EntryAdmission::Taken
                }
            });
            for entry in walk.by_ref() {
                found.push(folder.join(entry?.name()));
            }
            self.note_skipped(folder, walk);
        }
        Ok(found)
    }

    /// Counts and remembers what a walk through a folder has skipped.
    fn note_skipped(&mut self, folder: &Path, walk: Walk) {
        self.skipped_counts.add(walk.skipped_counts());
        self.skipped.extend(walk.into_skipped_paths().into_iter().map(|relative| folder.join(relative)));
    }

    /// Finds the entries that fit `parts`, of which the first is `**`, in the folders and in all below them.
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
            let whole = pattern.clone();
            let dotted = dotted.clone();
            let mut walk = Walk::new(Located::in_place(folder), WalkDepth::All, self.selection, move |entry| {
                let fits = whole.matches_with(&entry.relative.to_string_lossy(), OPTIONS);
                let name = entry.name().to_string_lossy();
                let is_kept_away = entry.is_hidden() && !dotted.iter().any(|part| part.matches_with(&name, OPTIONS));
                if !is_kept_away && !entry.is_link {
                    EntryAdmission::Taken
                } else if !fits {
                    EntryAdmission::NotNamed
                } else if is_kept_away {
                    EntryAdmission::Hidden
                } else {
                    EntryAdmission::Link
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
            self.note_skipped(folder, walk);
        }
        Ok(found)
    }

    fn compile(&self, pattern: &str) -> Result<Pattern> {
        let wrong =
            |error: glob::PatternError| Error::Pattern { path: self.input.to_owned(), message: error.msg.to_owned() };
        Pattern::new(pattern).map_err(wrong)
    }
}

/// A path that stands for nothing else: that of the current folder is `.`, and `-` a file of this name.
fn in_current(path: &Path) -> PathBuf {
    match path.as_os_str().as_encoded_bytes() {
        b"" => PathBuf::from("."),
        b"-" => PathBuf::from("./-"),
        _ => path.to_owned(),
    }
}

/// Returns whether a component names hidden files.
fn begins_with_dot(part: &OsStr) -> bool {
    part.as_encoded_bytes().starts_with(b".")
}

#[cfg(test)]
mod tests;
