//! Two documents side by side, wherever they are.

use crate::error::{Error, Result};
use crate::options::Options;
use lookalike_core::passages::{self, Comparison};
use lookalike_core::text::Tokenizer;
use lookalike_io::{Blocks, Source, SourceKind};
use std::path::Path;

/// A comparison and the names of its sides.
#[derive(Debug, Clone)]
pub struct Compared {
    /// The left document, as it was named.
    pub left: String,
    /// The right document, as it was named.
    pub right: String,
    /// Counts, similarity and passages.
    pub comparison: Comparison,
}

/// Compares two documents, each named as a file or as `FILE:KEY` with a file of records or a folder before the colon.
///
/// # Errors
/// If one cannot be found or read.
pub fn compare(left: &str, right: &str, options: &Options) -> Result<Compared> {
    options.shingle.check(&options.text)?;
    let (left_text, right_text) = (load(left, options)?, load(right, options)?);
    let tokenizer = Tokenizer::new(options.text.clone());
    let comparison = passages::compare(options.shingle, tokenizer, &left_text, &right_text);
    Ok(Compared { left: left.to_owned(), right: right.to_owned(), comparison })
}

fn load(name: &str, options: &Options) -> Result<String> {
    if Path::new(name).is_file() {
        return read_text(Path::new(name), options);
    }
    // Both file names and keys may hold colons: the first split whose left side exists is meant.
    let split = name
        .match_indices(':')
        .map(|(at, _)| (&name[..at], &name[at + 1..]))
        .find(|(file, _)| Path::new(file).exists());
    match split {
        Some((folder, key)) if Path::new(folder).is_dir() && Path::new(folder).join(key).is_file() => {
            read_text(&Path::new(folder).join(key), options)
        }
        Some((file, key)) => find_record(Path::new(file), key, options),
        None => Err(Error::NotADocument { found: name.to_owned() }),
    }
}

/// The text of a file with one document.
fn read_text(path: &Path, options: &Options) -> Result<String> {
    let found = options.discover(&[path.to_owned()])?;
    let mut text = Err(Error::KeyNeeded { path: path.to_owned() });
    let is_text = |source: &Source| matches!(source.kind, SourceKind::TextFiles { .. });
    if found.sources.iter().all(is_text) {
        for block in Blocks::new(&found.sources, &options.fields, u64::MAX) {
            block?.for_each_document(&options.fields, |document| {
                text = document.map(|document| document.text.into_owned()).map_err(|record| Error::Unusable { record });
            });
        }
    }
    text
}

fn find_record(path: &Path, key: &str, options: &Options) -> Result<String> {
    let found = options.discover(&[path.to_owned()])?;
    let is_records = |source: &Source| matches!(source.kind, SourceKind::Records { .. });
    let records: Vec<_> = found.sources.into_iter().filter(is_records).collect();
    for block in Blocks::new(&records, &options.fields, options.most_record_bytes) {
        let mut text = None;
        block?.for_each_document(&options.fields, |document| match document {
            Ok(document) if document.key == key => text = Some(document.text.into_owned()),
            // Other records are not asked about, whatever is wrong with them.
            _ => {}
        });
        if let Some(text) = text {
            return Ok(text);
        }
    }
    Err(Error::NoSuchDocument { path: path.to_owned(), key: key.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn documents_are_found_in_files_folders_and_json_lines() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name).display().to_string();
        fs::write(path("a.txt"), "one two").unwrap();
        fs::write(path("x:y.jsonl"), "oops\n{\"id\":\"k:1\",\"text\":\"three\"}\n{\"text\":\"four\"}\n").unwrap();
        let load = |name: String| load(&name, &Options::default());
        assert_eq!(load(path("a.txt")).unwrap(), "one two");
        assert_eq!(load(format!("{}:a.txt", root.path().display())).unwrap(), "one two");
        assert_eq!(load(path("x:y.jsonl:k:1")).unwrap(), "three");
        assert_eq!(load(path(&format!("x:y.jsonl:{}:3", path("x:y.jsonl")))).unwrap(), "four");
        assert!(matches!(load(path("x:y.jsonl:none")), Err(Error::NoSuchDocument { .. })));
        assert!(matches!(load(path("none")), Err(Error::NotADocument { .. })));
        assert!(matches!(load(path("x:y.jsonl")), Err(Error::KeyNeeded { .. })));
    }
}
