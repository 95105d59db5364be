//! Files that are inputs and references of one job.

use super::Discovered;
use crate::base::is_same_file;
use crate::sources::source::{Source, SourceKind};
use std::collections::{HashMap, HashSet};
use std::fs::Metadata;
use std::path::{Path, PathBuf};

/// The files of inputs that are references, too.
#[derive(Debug, Clone, Default)]
pub struct SharedFiles {
    /// Files by source of the inputs: a text file by its number, all else by [`ALL_RECORDS`].
    files: HashSet<(usize, u64)>,
}

/// Stands for all records of a source.
const ALL_RECORDS: u64 = u64::MAX;

impl SharedFiles {
    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns whether the record with this number in a source of the inputs stands in such a file.
    pub fn hold(&self, source: usize, number: u64) -> bool {
        self.files.contains(&(source, number)) || self.files.contains(&(source, ALL_RECORDS))
    }
}

impl Discovered {
    /// The first file of the references that is one of these inputs, as the user named it.
    pub fn first_shared(&self, references: &Self) -> Option<PathBuf> {
        if references.sources.is_empty() {
            return None;
        }
        let inputs: HashSet<PathBuf> = self.sources.iter().flat_map(real_files).map(|file| file.path).collect();
        let by_path = references.sources.iter().find_map(|source| {
            let shared = real_files(source).into_iter().find(|file| inputs.contains(&file.path))?;
            Some(source.place(shared.number).path.to_path_buf())
        });
        let path_of = |file: FileOf<'_>| file.source.place(file.number).path.to_path_buf();
        by_path
            .or_else(|| self.piped_file(references).map(path_of))
            .or_else(|| references.piped_file(self).map(path_of))
    }

    /// The file of `others` that stands in standard input, which is one of these sources.
    fn piped_file<'o>(&self, others: &'o Self) -> Option<FileOf<'o>> {
        let is_piped = self.sources.iter().any(Source::is_stdin);
        let piped = is_piped.then(|| stdin_metadata().filter(Metadata::is_file)).flatten()?;
        let files = others.sources.iter().filter(|source| !source.is_copy() && !source.is_stdin());
        let is_same = |file: &Path| file.metadata().is_ok_and(|found| is_same_file(&found, &piped) == Some(true));
        files
            .flat_map(|source| {
                let is_text = matches!(source.kind, SourceKind::TextFiles { .. });
                let number_of = move |at| if is_text { at } else { ALL_RECORDS };
                (0..).zip(source.files()).map(move |(at, (file, _))| (FileOf { source, number: number_of(at) }, file))
            })
            .find_map(|(of, file)| is_same(&file).then_some(of))
    }

    /// Takes the files out of the references that are also files of these inputs, and says which ones.
    pub fn take_shared(&self, references: &mut Self) -> SharedFiles {
        if references.sources.is_empty() {
            return SharedFiles::default();
        }
        let mut inputs: HashMap<PathBuf, (usize, u64)> = HashMap::new();
        for (number, source) in self.sources.iter().enumerate() {
            inputs.extend(real_files(source).into_iter().map(|file| (file.path, (number, file.number))));
        }
        let mut shared = SharedFiles::default();
        let piped = self.piped_file(references).map(|file| (file.source.place(file.number), file.number));
        let stdin = self.sources.iter().position(Source::is_stdin);
        references.sources.retain_mut(|source| {
            let mut left_out = HashSet::new();
            if let (Some((place, number)), Some(stdin)) = (&piped, stdin)
                && source.place(*number) == *place
            {
                shared.files.insert((stdin, ALL_RECORDS));
                left_out.insert(*number);
            }
            for file in real_files(source) {
                if let Some(of_input) = inputs.get(&file.path) {
                    shared.files.insert(*of_input);
                    left_out.insert(file.number);
                }
            }
            leave_out(source, &left_out)
        });
        shared
    }
}

/// A file of a source, by its number among the text files of it.
#[derive(Debug, Clone, Copy)]
struct FileOf<'s> {
    source: &'s Source,
    number: u64,
}

/// Metadata of the file in standard input.
#[cfg(unix)]
fn stdin_metadata() -> Option<Metadata> {
    use std::os::fd::AsFd;
    let stdin = std::io::stdin().as_fd().try_clone_to_owned().ok()?;
    std::fs::File::from(stdin).metadata().ok()
}

#[cfg(not(unix))]
fn stdin_metadata() -> Option<Metadata> {
    None
}

/// A file by its path without links, with its number among the text files of a source.
struct RealFile {
    path: PathBuf,
    number: u64,
}

/// The files of a source; none of documents in memory.
fn real_files(source: &Source) -> Vec<RealFile> {
    let all = |path: PathBuf| vec![RealFile { path, number: ALL_RECORDS }];
    match &source.kind {
        SourceKind::Memory { .. } => Vec::new(),
        SourceKind::Records { .. } | SourceKind::Index { .. } if source.is_copy() => all(real_path(&source.path)),
        SourceKind::Records { .. } | SourceKind::Index { .. } => all(real_path(&source.file)),
        SourceKind::TextFiles { files } => {
            // What is in a copy is known by the path that it has for the user. Of a folder that was walked, no file is
            // a link; of files that were named, each may be.
            let folder = real_path(if source.is_copy() { &source.path } else { &source.file });
            let is_walked = source.is_copy() || !source.are_named();
            let real = |relative: &Path| {
                let path = folder.join(relative);
                if is_walked { path } else { real_path(&path) }
            };
            let numbered = (0..).zip(files);
            numbered.map(|(number, (relative, _))| RealFile { path: real(relative), number }).collect()
        }
    }
}

/// A path without links. Of one that is not there, as of a member of an archive, the part that is.
fn real_path(path: &Path) -> PathBuf {
    let known = path.ancestors().find_map(|folder| Some((folder, folder.canonicalize().ok()?)));
    match known {
        Some((folder, real)) => real.join(path.strip_prefix(folder).unwrap_or(Path::new(""))),
        None => path.to_owned(),
    }
}

/// Leaves out text files with these numbers, or all records; whether anything is left.
fn leave_out(source: &mut Source, numbers: &HashSet<u64>) -> bool {
    if numbers.is_empty() {
        return true;
    }
    let SourceKind::TextFiles { files } = &mut source.kind else { return false };
    let mut number = 0;
    files.retain(|_| {
        number += 1;
        !numbers.contains(&(number - 1))
    });
    !files.is_empty()
}

#[cfg(test)]
mod tests {
    use crate::sources::discover;
    use crate::testing::folder_with;

    #[test]
    fn a_file_is_shared_whatever_it_was_named_by() {
        let root = folder_with(["essays/a.txt", "essays/b.txt", "library/c.txt", "x.jsonl"].map(|name| (name, "{}")));
        let found =
            |names: &[&str]| discover(&names.iter().map(|name| root.path().join(name)).collect::<Vec<_>>()).unwrap();
        let inputs = found(&["essays", "x.jsonl"]);
        assert_eq!(inputs.first_shared(&found(&["library"])), None);
        let shared = inputs.first_shared(&found(&["library", "library/../essays/b.txt"]));
        assert_eq!(shared, Some(root.path().join("library/../essays/b.txt")));
        let mut references = found(&["library", "essays/b.txt", "x.jsonl"]);
        let shared = inputs.take_shared(&mut references);
        assert_eq!(references.sources.len(), 1);
        let place = |name: &str| {
            let source = inputs.sources.iter().position(|source| source.path.ends_with(name)).unwrap();
            [shared.hold(source, 0), shared.hold(source, 1)]
        };
        assert_eq!([place("essays"), place("x.jsonl")], [[false, true], [true, true]]);
        assert!(!shared.is_empty() && inputs.take_shared(&mut found(&["library"])).is_empty());
    }
}
