//! Exact copies, by bytes and by normalized text.

use crate::base::Result;
use crate::corpus::{DocumentChecksums, Listing, Records, read_checksums};
use crate::run::Session;
use lookalike_core::DocId;
use lookalike_core::comparison::Features;
use lookalike_core::evidence::ChecksumAlgorithm;
use lookalike_io::{
    Inputs,
    rows::{CopyKind, CopyRow},
    sources::Discovered,
};
use std::collections::{HashMap, HashSet};

/// The documents that were read, by which copies are found.
pub(crate) struct Copies {
    listing: Listing,
    pub(crate) records: Records,
    /// Checksums by document.
    checksums: Vec<DocumentChecksums>,
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
    let (listing, records, checksums) = read_checksums(found, inputs, features, algorithm, session)?;
    Ok(Copies { listing, records, checksums })
}

impl Copies {
    /// Number of documents.
    pub(crate) fn documents(&self) -> usize {
        self.checksums.len()
    }

    /// A row for each member of each group of two or more exact copies, groups in the order of their first members.
    pub(crate) fn rows(&self) -> Vec<CopyRow<'_>> {
        let bytes = self.groups(0);
        let differ = |group: &Vec<DocId>| {
            group.iter().map(|member| self.checksums[member.index()][0].identity).collect::<HashSet<_>>().len() > 1
        };
        let texts = self.groups(1).into_iter().filter(differ).map(|group| (CopyKind::Text, group));
        let mut groups: Vec<_> = bytes.into_iter().map(|group| (CopyKind::Bytes, group)).chain(texts).collect();
        groups.sort_by_key(|(_, members)| members[0]);
        let row = |(group, equal, member): (usize, CopyKind, DocId)| {
            let [bytes, text] = &self.checksums[member.index()];
            let content = match equal {
                CopyKind::Bytes => bytes,
                CopyKind::Text => text,
            };
            let id = self.listing.ids.get(member).into();
            CopyRow { group: group as u64, id, equal, checksum: (&content.checksum).into() }
        };
        let members = |(group, (equal, members)): (usize, (CopyKind, Vec<DocId>))| {
            members.into_iter().map(move |member| (group, equal, member))
        };
        groups.into_iter().enumerate().flat_map(members).map(row).collect()
    }

    /// Groups of two or more documents with equal contents, by their first member.
    fn groups(&self, content: usize) -> Vec<Vec<DocId>> {
        let mut number: HashMap<u128, usize> = HashMap::new();
        let mut groups: Vec<Vec<DocId>> = Vec::new();
        for (member, checksums) in DocId::all(self.checksums.len()).zip(&self.checksums) {
            let group = *number.entry(checksums[content].identity).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[group].push(member);
        }
        groups.retain(|group| group.len() > 1);
        groups
    }
}
