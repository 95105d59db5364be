//! Two documents side by side, wherever they are.

use crate::ground::{Error, Result};
use lookalike_core::evidence::{self, Comparison};
use lookalike_core::features::Features;
use lookalike_core::method::{FingerprintEstimate, Selection};
use lookalike_io::{
    BadRecord, Blocks, Discovered, Discovery, FieldNames, Inputs, Source, SourceKind, discover_with, is_qualified,
};
use std::path::{Path, PathBuf};

/// A comparison and the names of its sides.
#[derive(Debug, Clone)]
pub struct Compared {
    /// The left document, as it was named.
    pub left: String,
    /// The right document, as it was named.
    pub right: String,
    /// Counts, similarity and passages.
    pub comparison: Comparison,
    /// What the fingerprints say of the share of each side that is in the other, left first; `None` if none were asked
    /// for.
    pub estimates: Option<[FingerprintEstimate; 2]>,
}

/// Compares two documents, each named as a file or as `FILE:ID` with a file of records or a folder before the colon.
///
/// # Errors
/// If one cannot be found or read, or the fingerprints cannot be selected from such features.
pub(crate) fn compare_documents(
    [left, right]: [&str; 2],
    select: Option<Selection>,
    inputs: &Inputs,
    features: &Features,
) -> Result<Compared> {
    let features = inputs.features(features);
    features.check()?;
    select.map_or(Ok(()), |select| select.check(features.shingle()))?;
    let reading = Reading { inputs, fields: inputs.fields_compared(&features) };
    let (left_text, right_text) = (reading.load(left)?, reading.load(right)?);
    let comparison = evidence::compare(&features, &left_text, &right_text)?;
    let estimates = select.map(|select| estimate(select, [&left_text, &right_text], &features)).transpose()?;
    Ok(Compared { left: left.to_owned(), right: right.to_owned(), comparison, estimates })
}

/// What the fingerprints of two texts say of the share of each that is in the other.
fn estimate(select: Selection, [left, right]: [&str; 2], features: &Features) -> Result<[FingerprintEstimate; 2]> {
    let [left, right] = [select.of_text(left, features)?, select.of_text(right, features)?];
    let common = left.iter().filter(|hash| right.binary_search(hash).is_ok()).count();
    Ok([left, right].map(|hashes| FingerprintEstimate::of(select, common as u64, hashes.len() as u64)))
}

/// How the two documents are read.
pub(super) struct Reading<'a> {
    pub(super) inputs: &'a Inputs,
    pub(super) fields: FieldNames,
}

impl Reading<'_> {
    fn discover(&self, path: &Path) -> Result<Discovered> {
        let Inputs { input_format: format, .. } = *self.inputs;
        let discovery = Discovery { texts: self.inputs.texts(), format, ..Discovery::default() };
        Ok(discover_with(&[path.to_owned()], &discovery)?)
    }

    /// The content of a document by its name.
    pub(super) fn load(&self, name: &str) -> Result<String> {
        if Path::new(name).is_file() {
            return self.read_text(Path::new(name));
        }
        // Both file names and ids may hold colons: the first split whose left side exists is meant.
        let split = name
            .match_indices(':')
            .map(|(at, _)| (&name[..at], &name[at + 1..]))
            .find(|(file, _)| Path::new(file).exists());
        match split {
            Some((file, id)) => match file_in(Path::new(file), id) {
                Some(path) => self.read_text(&path),
                None => self.find_record(Path::new(file), id),
            },
            None => Err(Error::NotADocument { found: name.to_owned() }),
        }
    }

    /// The text of a file with one document.
    fn read_text(&self, path: &Path) -> Result<String> {
        let (found, mut text) = (self.discover(path)?, Err(Error::IdNeeded { path: path.to_owned() }));
        let is_text = |source: &Source| matches!(source.kind, SourceKind::TextFiles { .. });
        if found.sources.iter().all(is_text) {
            for block in Blocks::new(&found.sources, &self.fields, None) {
                block?.for_each_document(&self.fields, |document| {
                    let read = document.map(|document| document.into_compared_text().into_owned());
                    text = read.map_err(|record| Error::Unusable { record });
                });
            }
        }
        text
    }

    fn find_record(&self, path: &Path, id: &str) -> Result<String> {
        let is_records = |source: &Source| matches!(source.kind, SourceKind::Records { .. });
        let records: Vec<_> = self.discover(path)?.sources.into_iter().filter(is_records).collect();
        let (mut qualified, mut bad) = (None, Bad::default());
        for block in Blocks::new(&records, &self.fields, self.inputs.max_document_bytes) {
            let (block, mut text) = (block?, None);
            let label = &records[block.source].label;
            block.for_each_document(&self.fields, |document| match document {
                Ok(document) if document.id == id => text = Some(document.into_compared_text().into_owned()),
                // Without the number, the first record of the source with the id may be meant.
                Ok(document) if qualified.is_none() && is_qualified(id, &document.id, (label, document.number)) => {
                    qualified = Some(document.into_compared_text().into_owned());
                }
                Ok(_) => {}
                Err(record) => bad.add(record, id, label),
            });
            if let Some(text) = text {
                return Ok(text);
            }
        }
        qualified.ok_or_else(|| bad.explain(path, id))
    }
}

/// Records that cannot be used. They are not asked about, unless the wanted one is not among the others: their ids are
/// not known.
#[derive(Default)]
struct Bad {
    count: u64,
    /// The one whose place is the id, else the first.
    record: Option<BadRecord>,
    is_named: bool,
}

impl Bad {
    fn add(&mut self, record: BadRecord, id: &str, label: &str) {
        self.count += 1;
        let is_named = record.place.line_number().is_some_and(|line| id == format!("{label}:{line}"));
        if self.record.is_none() || is_named {
            self.record = Some(record);
        }
        self.is_named |= is_named;
    }

    /// Why no document has this id.
    fn explain(self, path: &Path, id: &str) -> Error {
        let (path, id) = (path.to_owned(), id.to_owned());
        match self.record {
            None => Error::NoSuchDocument { path, id },
            Some(record) if self.is_named => Error::Unusable { record },
            Some(record) => Error::NoneButUnusable { path, id, count: self.count, record: Box::new(record) },
        }
    }
}

/// The file that an id names in a folder; it does not lead out of it, by dots or by a link.
fn file_in(folder: &Path, id: &str) -> Option<PathBuf> {
    let path = folder.join(id);
    let is_within = path.canonicalize().ok()?.starts_with(folder.canonicalize().ok()?);
    (folder.is_dir() && path.is_file() && is_within).then_some(path)
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
        let inputs = Inputs::default();
        let reading = Reading { inputs: &inputs, fields: inputs.fields() };
        let load = |name: String| reading.load(&name);
        assert_eq!(load(path("a.txt")).unwrap(), "one two");
        assert_eq!(load(format!("{}:a.txt", root.path().display())).unwrap(), "one two");
        assert_eq!(load(path("x:y.jsonl:k:1")).unwrap(), "three");
        assert_eq!(load(path("x:y.jsonl:x:y.jsonl:3")).unwrap(), "four");
        assert_eq!(load(path("x:y.jsonl:k:1@x:y.jsonl:2")).unwrap(), "three");
        assert_eq!(load(path("x:y.jsonl:k:1@folder/x:y.jsonl")).unwrap(), "three");
        let unknown = load(path("x:y.jsonl:none")).unwrap_err();
        assert!(matches!(unknown, Error::NoneButUnusable { count: 1, .. }), "{unknown}");
        assert!(matches!(load(path("x:y.jsonl:x:y.jsonl:1")), Err(Error::Unusable { .. })));
        fs::create_dir(path("folder")).unwrap();
        for id in ["../a.txt", "../folder/../a.txt", &path("a.txt")] {
            let error = load(format!("{}:{id}", path("folder"))).unwrap_err();
            assert!(matches!(error, Error::Io(_) | Error::NoSuchDocument { .. }), "{error}");
        }
        assert!(matches!(load(path("none")), Err(Error::NotADocument { .. })));
        assert!(matches!(load(path("x:y.jsonl")), Err(Error::IdNeeded { .. })));
    }
}
