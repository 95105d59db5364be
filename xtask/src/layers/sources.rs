//! The source files of a crate, and the limit on how many lie side by side.

use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The texts of a crate's source files by path below their folder, with `/` between folders.
pub(super) type Sources = BTreeMap<String, String>;

/// A folder with more Rust files than this, `tests.rs` not counted, needs rooms. It is generous: folders that are made
/// to stay below a limit are no subjects.
const MAX_FILES_PER_FOLDER: usize = 20;

/// Reads all files below `folder` that have one of these extensions.
pub(super) fn read(folder: &Path, extensions: &[&str]) -> Result<Sources> {
    let mut sources = Sources::new();
    read_below(folder, "", extensions, &mut sources)?;
    Ok(sources)
}

fn read_below(folder: &Path, prefix: &str, extensions: &[&str], sources: &mut Sources) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            read_below(&path, &format!("{prefix}{name}/"), extensions, sources)?;
        } else if path.extension().is_some_and(|extension| extensions.iter().any(|one| extension == *one)) {
            let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            sources.insert(format!("{prefix}{name}"), text);
        }
    }
    Ok(())
}

/// A description of each folder with too many files; `shown` is the path of the folder that holds all `sources`.
pub(super) fn large_folders(shown: &str, sources: &Sources) -> Vec<String> {
    let mut counts = BTreeMap::<String, usize>::new();
    for file in sources.keys() {
        let (folder, name) = match file.rsplit_once('/') {
            Some((below, name)) => (format!("{shown}/{below}"), name),
            None => (shown.to_owned(), file.as_str()),
        };
        if name != "tests.rs" {
            *counts.entry(folder).or_default() += 1;
        }
    }
    let large = counts.into_iter().filter(|&(_, count)| count > MAX_FILES_PER_FOLDER);
    large.map(|(folder, count)| format!("folder {folder} has {count} files side by side: give them rooms")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder_of(count: usize) -> Sources {
        (0..count).map(|number| (format!("room/file{number}.rs"), String::new())).collect()
    }

    #[test]
    fn a_folder_at_the_limit_is_allowed_and_one_above_it_is_not() {
        assert!(large_folders("src", &folder_of(MAX_FILES_PER_FOLDER)).is_empty());
        assert_eq!(
            large_folders("src", &folder_of(MAX_FILES_PER_FOLDER + 1)),
            ["folder src/room has 21 files side by side: give them rooms"]
        );
    }

    #[test]
    fn test_files_and_files_of_other_folders_are_not_counted() {
        let mut sources = folder_of(MAX_FILES_PER_FOLDER);
        sources.extend(["room/tests.rs", "room/inner/a.rs", "lib.rs"].map(|file| (file.to_owned(), String::new())));
        assert!(large_folders("src", &sources).is_empty());
    }

    #[test]
    fn files_of_this_crate_are_found_in_all_folders() {
        let sources = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &["rs"]).unwrap();
        assert!(sources.contains_key("main.rs"));
        assert!(sources["layers/sources.rs"].starts_with("//! The source files"));
    }
}
