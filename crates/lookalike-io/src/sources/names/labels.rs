//! The labels of sources: the names that ids are made of, which do not depend on how a path was typed.
//!
//! ```text
//! inputs                         labels
//! ./data/a.jsonl                 a.jsonl
//! x/a.jsonl y/a.jsonl            x/a.jsonl, y/a.jsonl      as many folders as tell them apart
//! in/                            deep/a.jsonl              below the folder
//! a*.jsonl /tmp/a.jsonl          a.jsonl, a.jsonl (2)      of paths that tell nothing apart
//! ```

use crate::sources::source::Source;
use lookalike_core::printed_path;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// Gives each source its label. Labels differ from each other.
pub(in crate::sources) fn label(sources: &mut [Source]) {
    let mut labels: Vec<String> = sources.iter().map(short_label).collect();
    for same in repeated(&labels) {
        let paths: Vec<Vec<String>> = same.iter().map(|&source| components(&sources[source])).collect();
        let parts = telling_parts(&paths);
        for (&source, path) in same.iter().zip(&paths) {
            labels[source] = last(path, parts).join("/");
        }
    }
    for same in repeated(&labels) {
        for (number, &source) in (2..).zip(&same[1..]) {
            labels[source] = format!("{} ({number})", labels[source]);
        }
    }
    for (source, label) in sources.iter_mut().zip(labels) {
        source.label = label.into();
    }
}

/// The path below an output folder, or the name of the folder that holds text files.
fn short_label(source: &Source) -> String {
    let name = &source.output_name;
    let end = if name.as_os_str().is_empty() { components(source).pop() } else { None };
    end.unwrap_or_else(|| printed_path(name).replace(std::path::MAIN_SEPARATOR, "/"))
}

/// Minimum number of last components that tell paths apart; one file may be there twice.
pub(in crate::sources) fn telling_parts(paths: &[Vec<String>]) -> usize {
    let longest = paths.iter().map(Vec::len).max().unwrap_or(0);
    let distinct = |parts: usize| paths.iter().map(|path| last(path, parts)).collect::<HashSet<_>>().len();
    (1..longest).find(|&parts| distinct(parts) == distinct(longest)).unwrap_or(longest)
}

fn last(path: &[String], parts: usize) -> &[String] {
    &path[path.len().saturating_sub(parts)..]
}

/// The parts of the whole path of a source.
fn components(source: &Source) -> Vec<String> {
    parts_of(&source.path, source.is_copy())
}

/// The parts of a whole path; those of the path of a copy, as of a URL, as they stand there.
pub(in crate::sources) fn parts_of(path: &Path, is_copy: bool) -> Vec<String> {
    let whole = if is_copy { path.to_owned() } else { whole_path(path) };
    whole.iter().map(|part| printed_path(Path::new(part)).into_owned()).filter(|part| part != "/").collect()
}

fn whole_path(path: &Path) -> PathBuf {
    // The folder of named text files may be typed as nothing.
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// The sources that share a label, by label, in order.
fn repeated(labels: &[String]) -> Vec<Vec<usize>> {
    let mut by_label: HashMap<&str, Vec<usize>> = HashMap::new();
    for (source, label) in labels.iter().enumerate() {
        by_label.entry(label).or_default().push(source);
    }
    by_label.into_values().filter(|sources| sources.len() > 1).collect()
}

#[cfg(test)]
mod tests {
    use crate::sources::discover;
    use crate::testing::folder_with;
    use std::path::{Path, PathBuf};

    fn labels(root: &Path, inputs: &[&str]) -> Vec<String> {
        let inputs: Vec<PathBuf> = inputs.iter().map(|input| root.join(input)).collect();
        discover(&inputs).unwrap().sources.iter().map(|source| source.label.to_string()).collect()
    }

    #[test]
    fn labels_do_not_depend_on_how_paths_are_typed() {
        let names = ["x/a.jsonl", "y/a.jsonl", "y/z/a.jsonl", "y/b.jsonl", "t/one.txt"];
        let folder = folder_with(names.map(|name| (name, "")));
        let labels = |inputs: &[&str]| labels(folder.path(), inputs);
        assert_eq!(labels(&["x/a.jsonl"]), ["a.jsonl"]);
        assert_eq!(labels(&["x/../x/./a.jsonl"]), ["a.jsonl"]);
        assert_eq!(labels(&["x/a.jsonl", "y/../y/a.jsonl", "y/b.jsonl"]), ["x/a.jsonl", "y/a.jsonl", "b.jsonl"]);
        assert_eq!(labels(&["y"]), ["a.jsonl", "b.jsonl", "z/a.jsonl"]);
        assert_eq!(labels(&["x/a.jsonl", "y/../x/a.jsonl"]), ["a.jsonl"]);
        assert_eq!(labels(&["t/one.txt"]), ["t"]);
    }
}
