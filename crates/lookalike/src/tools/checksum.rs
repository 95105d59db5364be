//! Exact copies, by bytes and by normalized text.

use super::unique_ids::UniqueIds;
use crate::corpus::{RepeatedId, RepeatedIdCounts};
use crate::ground::details::JobSide;
use crate::ground::{Error, Result, Stage};
use crate::run::Session;
use lookalike_core::comparison::Features;
use lookalike_core::documents::Content;
use lookalike_core::evidence::{ChecksumAlgorithm, identity, normalized_text};
use lookalike_io::{
    BadRecord, Block, Blocks, Document, DocumentContent, Inputs, Problem, Source,
    read::TableRemarks,
    rows::{CopyKind, CopyRow},
    sources::{Discovered, FieldNames, OnError, RepeatedIds},
};
use std::collections::{HashMap, HashSet};

/// The documents that were read, by which copies are found.
#[derive(Default)]
pub(crate) struct Copies {
    documents: Vec<Listed>,
    pub(crate) bad_records: u64,
    pub(crate) repeated_ids: RepeatedIdCounts,
    pub(crate) tables: TableRemarks,
    ids: UniqueIds,
}

/// Reads all documents and computes their checksums.
///
/// A checksum only names a group: members agree in a 128-bit hash of the content. A group that is equal in bytes is not
/// listed again by text unless other documents join it there.
///
/// # Errors
/// If an input cannot be read, or has a bad record and those are to stop the job.
pub(crate) fn checksums(
    found: &Discovered,
    inputs: &Inputs,
    features: &Features,
    algorithm: ChecksumAlgorithm,
    session: &Session<'_>,
) -> Result<Copies> {
    let total = found.sources.iter().map(Source::bytes).sum();
    let fields = inputs.fields();
    let copies = Copies::default();
    let sources = &found.sources[..];
    let first_bad = None;
    let mut summing = Summing { copies, algorithm, inputs, sources, fields: &fields, features, first_bad };
    // Of a single file nothing would be left.
    let on_bad_file = if sources.len() > 1 { inputs.on_error } else { OnError::Stop };
    session.stage(Stage::over_bytes(Stage::READING, total), || {
        for block in Blocks::new(sources, &fields, inputs.max_document_bytes).on_bad_file(on_bad_file) {
            session.stages.check()?;
            let block = block?;
            summing.read(&block, session)?;
            session.stages.progress.advance(block.input_bytes);
        }
        Ok(())
    })?;
    match summing.first_bad {
        Some(record) if summing.copies.documents.is_empty() => {
            let count = summing.copies.bad_records;
            let record = Box::new(record);
            Err(Error::NothingReadable { side: JobSide::Inputs, count, record })
        }
        _ => Ok(summing.copies),
    }
}

struct Listed {
    id: String,
    contents: [Summed; 2],
}

/// The bytes or the normalized text of a document.
struct Summed {
    identity: u128,
    checksum: String,
}

struct Summing<'a> {
    copies: Copies,
    algorithm: ChecksumAlgorithm,
    inputs: &'a Inputs,
    sources: &'a [Source],
    fields: &'a FieldNames,
    features: &'a Features,
    first_bad: Option<BadRecord>,
}

impl Summing<'_> {
    fn read(&mut self, block: &Block, session: &Session<'_>) -> Result<()> {
        let mut tokenizer = self.features.tokenizer(session.kernel());
        let mut failed = None;
        let tables = block.for_each_document(self.fields, |document| match document {
            Ok(document) => {
                let stored = document.content.stored();
                let normalized = match &document.content {
                    DocumentContent::All(Content::Items(items)) => items.sorted().into_stored(),
                    _ => normalized_text(&mut tokenizer, &stored).into(),
                };
                let contents = [stored.as_bytes(), normalized.as_bytes()];
                let content = |bytes| Summed { identity: identity(bytes), checksum: self.algorithm.checksum(bytes) };
                let contents = contents.map(content);
                match self.unique_id(&document, block.source) {
                    Ok(id) => self.copies.documents.push(Listed { id, contents }),
                    Err(error) => {
                        failed.get_or_insert(error);
                    }
                }
            }
            Err(record) if self.inputs.on_error == OnError::Skip => {
                self.copies.bad_records += 1;
                session.stages.progress.bad_record(&record);
                self.first_bad.get_or_insert(record);
            }
            Err(record) => {
                failed.get_or_insert(Error::BadRecord { record });
            }
        });
        self.copies.tables.append(tables);
        failed.map_or(Ok(()), Err)
    }

    /// The id of a document, qualified if it occurred before.
    fn unique_id(&mut self, document: &Document<'_>, source: usize) -> Result<String> {
        let Copies { ids, repeated_ids, .. } = &mut self.copies;
        let named = ids.name(document, (source, &self.sources[source]))?;
        let Some(first) = named.first else { return Ok(named.id) };
        if self.inputs.repeated_ids == RepeatedIds::Refused {
            let place = document.place.clone();
            let problem = Problem::RepeatedId { id: document.id.to_string(), first };
            return Err(Error::BadRecord { record: BadRecord { place, problem } });
        }
        repeated_ids.add(|| RepeatedId {
            id: document.id.to_string(),
            first: first.to_string(),
            again: document.place.to_string(),
            qualified: named.id.clone(),
        });
        Ok(named.id)
    }
}

impl Copies {
    /// Number of documents.
    pub(crate) fn documents(&self) -> usize {
        self.documents.len()
    }

    /// A row for each member of each group of two or more exact copies, groups in the order of their first members.
    pub(crate) fn rows(&self) -> Vec<CopyRow<'_>> {
        let bytes = self.groups(0);
        let differ = |group: &Vec<usize>| {
            group.iter().map(|&member| self.documents[member].contents[0].identity).collect::<HashSet<_>>().len() > 1
        };
        let texts = self.groups(1).into_iter().filter(differ).map(|group| (CopyKind::Text, group));
        let mut groups: Vec<_> = bytes.into_iter().map(|group| (CopyKind::Bytes, group)).chain(texts).collect();
        groups.sort_by_key(|(_, members)| members[0]);
        let row = |(group, equal, member): (usize, CopyKind, usize)| {
            let Listed { id, contents } = &self.documents[member];
            let content = match equal {
                CopyKind::Bytes => &contents[0],
                CopyKind::Text => &contents[1],
            };
            CopyRow { group: group as u64, id: id.into(), equal, checksum: (&content.checksum).into() }
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
