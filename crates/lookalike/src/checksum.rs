//! Exact copies, by bytes and by normalized text.

use crate::error::{Error, Result};
use crate::options::{OnError, Options};
use crate::progress::{Stage, Unit};
use crate::session::Session;
use lookalike_core::checksum::{ChecksumAlgorithm, identity, normalized_text, sorted_items};
use lookalike_core::text::Tokenizer;
use lookalike_io::{Blocks, Discovered, RowField, Source};
use serde::Serialize;
use std::collections::{HashMap, HashSet};

/// Fields of the rows of copies.
pub const COPIES_HEADER: &[RowField] =
    &[RowField::count("group"), RowField::text("key"), RowField::text("equal"), RowField::text("checksum")];

/// In what two documents of a group are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CopyKind {
    /// The bytes of their texts.
    Bytes,
    /// Their texts after normalization (as the options say; sets of items after sorting), but not all of their bytes.
    Text,
}

/// One member of a group of copies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChecksumRow {
    /// Number of the group, from 0, by its first member in input order.
    pub group: usize,
    /// Key of the document.
    pub key: String,
    /// What is equal in the group.
    pub equal: CopyKind,
    /// Checksum of the equal content, in hexadecimal.
    pub checksum: String,
}

/// Groups of two or more exact copies, and the number of bad records left out.
///
/// A checksum only names a group: members agree in a 128-bit hash of the content. A group that is equal in bytes is not
/// listed again by text unless other documents join it there.
///
/// # Errors
/// If an input cannot be read, or has a bad record and those are to stop the job.
pub fn checksums(
    found: &Discovered,
    algorithm: ChecksumAlgorithm,
    session: &Session<'_>,
) -> Result<(Vec<ChecksumRow>, u64)> {
    let total = found.sources.iter().map(Source::bytes).sum();
    let mut listing = Listing { documents: Vec::new(), bad_records: 0, algorithm, options: session.options };
    session.stages.run(Stage { name: "reading", total, unit: Unit::Bytes }, || {
        for block in Blocks::new(&found.sources, &session.options.fields, session.options.most_record_bytes) {
            session.stages.check()?;
            let block = block?;
            listing.read(&block, session)?;
            session.stages.progress.advance(block.input_bytes);
        }
        Ok(())
    })?;
    Ok((listing.rows(), listing.bad_records))
}

struct Listed {
    key: String,
    contents: [Content; 2],
}

/// The bytes or the normalized text of a document.
struct Content {
    identity: u128,
    checksum: String,
}

struct Listing<'a> {
    documents: Vec<Listed>,
    bad_records: u64,
    algorithm: ChecksumAlgorithm,
    options: &'a Options,
}

impl Listing<'_> {
    fn read(&mut self, block: &lookalike_io::Block, session: &Session<'_>) -> Result<()> {
        let mut tokenizer = Tokenizer::new(self.options.text.clone());
        let mut failed = None;
        block.for_each_document(&self.options.fields, |document| match document {
            Ok(document) => {
                let normalized = match self.options.fields.items {
                    None => normalized_text(&mut tokenizer, &document.text),
                    Some(_) => sorted_items(&document.text),
                };
                let contents = [document.text.as_bytes(), normalized.as_bytes()];
                let content = |bytes| Content { identity: identity(bytes), checksum: self.algorithm.checksum(bytes) };
                self.documents.push(Listed { key: document.key.into_owned(), contents: contents.map(content) });
            }
            Err(record) if self.options.on_error == OnError::Skip => {
                self.bad_records += 1;
                session.stages.progress.bad_record(&record);
            }
            Err(record) => {
                failed.get_or_insert(Error::BadRecord { record });
            }
        });
        failed.map_or(Ok(()), Err)
    }

    fn rows(&self) -> Vec<ChecksumRow> {
        let bytes = self.groups(0);
        let differ = |group: &Vec<usize>| {
            group.iter().map(|&member| self.documents[member].contents[0].identity).collect::<HashSet<_>>().len() > 1
        };
        let texts = self.groups(1).into_iter().filter(differ).map(|group| (CopyKind::Text, group));
        let mut groups: Vec<_> = bytes.into_iter().map(|group| (CopyKind::Bytes, group)).chain(texts).collect();
        groups.sort_by_key(|(_, members)| members[0]);
        let row = |(group, equal, member): (usize, CopyKind, usize)| {
            let Listed { key, contents } = &self.documents[member];
            let content = match equal {
                CopyKind::Bytes => &contents[0],
                CopyKind::Text => &contents[1],
            };
            ChecksumRow { group, key: key.clone(), equal, checksum: content.checksum.clone() }
        };
        let members = |(group, (equal, members)): (usize, (CopyKind, Vec<usize>))| {
            members.into_iter().map(move |member| (group, equal, member))
        };
        groups.into_iter().enumerate().flat_map(members).map(row).collect()
    }

    /// Groups of two or more documents with equal contents, by their first member.
    fn groups(&self, content: usize) -> Vec<Vec<usize>> {
        let mut number: HashMap<u128, usize> = HashMap::new();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (member, document) in self.documents.iter().enumerate() {
            let group = *number.entry(document.contents[content].identity).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[group].push(member);
        }
        groups.retain(|group| group.len() > 1);
        groups
    }
}
