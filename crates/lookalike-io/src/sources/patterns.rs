//! Patterns of file names.
//!
//! A match is called by its path below the part of the pattern that is fixed, as a file in a folder is by its path
//! below the folder: `homework/*/main.py` gives `ann/main.py`. Hidden files and folders match only where the dot stands
//! in the pattern, as in a shell.

use crate::formats::is_of_ids;
use crate::ground::{Error, Result};
use crate::remote::is_url;
use glob::MatchOptions;
use std::path::{Path, PathBuf};

/// Characters that make a name a pattern.
const WILDCARDS: [char; 3] = ['*', '?', '['];

const OPTIONS: MatchOptions =
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: true };

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
/// [`Error::NoMatch`], [`Error::Pattern`], or [`Error::Io`] if a folder cannot be searched.
pub fn expand_patterns(inputs: &[PathBuf]) -> Result<Vec<PathBuf>> {
    Ok(expand_all(inputs)?.into_iter().map(|found| found.path).collect())
}

/// The same, with what the matches are called.
pub(super) fn expand_all(inputs: &[PathBuf]) -> Result<Vec<Expanded>> {
    Ok(inputs.iter().map(|input| expand(input)).collect::<Result<Vec<_>>>()?.concat())
}

/// The sorted matches of a pattern; any other input itself.
fn expand(input: &Path) -> Result<Vec<Expanded>> {
    let pattern = input.to_string_lossy();
    // Patterns of URLs are matched against the listing of their store.
    if is_url(input) || !pattern.contains(WILDCARDS) || input.exists() {
        return Ok(vec![Expanded { path: input.to_owned(), below: None }]);
    }
    let wrong = |error: glob::PatternError| Error::Pattern { path: input.to_owned(), message: error.msg.to_owned() };
    let fixed = fixed_part(input);
    let mut matches = Vec::new();
    for path in glob::glob_with(&pattern, OPTIONS).map_err(wrong)? {
        let path = path.map_err(|error| Error::io("read", input, error.into()))?;
        if is_of_ids(&path) {
            continue;
        }
        let below = Some(path.strip_prefix(&fixed).unwrap_or(&path).to_owned());
        matches.push(Expanded { path, below });
    }
    if matches.is_empty() { Err(Error::NoMatch { path: input.to_owned() }) } else { Ok(matches) }
}

/// The folders before the first component with a wildcard, as the matches begin with them.
fn fixed_part(pattern: &Path) -> PathBuf {
    pattern.components().take_while(|part| !part.as_os_str().to_string_lossy().contains(WILDCARDS)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn matches_are_called_by_their_paths_below_the_fixed_part() {
        let root = tempfile::tempdir().unwrap();
        for name in ["hw/ann/main.py", "hw/ben/main.py", "hw/ben/.git/x.py", "hw/.old/main.py", "hw/top.py"] {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let below = |pattern: &str| -> Vec<String> {
            let found = expand(&root.path().join(pattern)).unwrap();
            found.into_iter().map(|found| found.below.unwrap().display().to_string()).collect()
        };
        assert_eq!(below("hw/*/*.py"), ["ann/main.py", "ben/main.py"]);
        assert_eq!(below("hw/./*/../*/main.py").len(), 4);
        assert_eq!(below("hw/**/*.py"), ["ann/main.py", "ben/main.py", "top.py"]);
        assert_eq!(below("*/ben/.git/*.py"), ["hw/ben/.git/x.py"]);
        assert_eq!(below("hw/b*"), ["ben"]);
    }
}
