//! Counts of the documents that were read.

use crate::corpus::{Corpus, Listing, Records, RepeatedIdCounts, ShortCounts};
use lookalike_io::{base::SkippedCounts, read::TableRemarks};

/// The documents of a job, in numbers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CorpusCounts {
    /// Documents read, references aside.
    pub documents: u64,
    /// Documents that the others were compared with.
    pub references: u64,
    /// Tokens of all documents, references included.
    pub tokens: u64,
    /// Documents without elements, references aside.
    pub empty: u64,
    /// Documents of so few elements that an edit of a word or two leaves little of them in common: fewer than
    /// [`CorpusCounts::FEW_ELEMENTS`], but some; references aside.
    pub small: u64,
    /// Texts with fewer tokens than a shingle has, but some; those of snapshots and indexes, and references aside.
    pub short: u64,
    /// Short references.
    pub short_references: u64,
    /// Documents of snapshots and indexes with one shingle, by containment, references included, that should be looked
    /// for inside others of such; texts of fewer tokens among them are not found there.
    pub not_looked_up: u64,
    /// Records that were left out because they could not be used.
    pub bad_records: u64,
    /// HTML pages whose articles were looked for, references included.
    pub pages: u64,
    /// Pages without an article, which are compared as a whole.
    pub whole_pages: u64,
    /// Documents whose ids occurred before, references included.
    pub repeated_ids: RepeatedIdCounts,
    /// Remarks on tables, those of references included.
    pub tables: TableRemarks,
    /// Documents whose ids are made of file and line, references among them.
    pub without_id: u64,
    /// `true` if any record has an id of its own.
    pub has_ids: bool,
    /// Hidden files and links in folders, which were not read.
    pub skipped_counts: SkippedCounts,
}

impl CorpusCounts {
    /// A text of 15 words has so many shingles of five words.
    pub const FEW_ELEMENTS: usize = 11;

    /// Counts of documents that were read for a search.
    pub(crate) fn new(corpus: &Corpus, records: &Records) -> Self {
        let small = corpus.smaller_than(Self::FEW_ELEMENTS);
        Self { small, ..Self::of_read(corpus, records) }
    }

    /// Counts of documents that were read, some at a time.
    pub(crate) fn of_read(corpus: &Corpus, records: &Records) -> Self {
        let ShortCounts { inputs: short, references: short_references } = corpus.short_counts;
        let tokens = corpus.tokens;
        let empty = corpus.empty;
        let not_looked_up = corpus.prepared.containment().map_or(0, |prepared| prepared.not_looked_up);
        Self { tokens, empty, short, short_references, not_looked_up, ..Self::of_listed(&corpus.listing, records) }
    }

    /// Counts of documents of which no more was read than their names.
    pub(crate) fn of_listed(listing: &Listing, records: &Records) -> Self {
        let Records { bad_records, without_id, pages, whole_pages, skipped_counts, .. } = *records;
        let has_ids = without_id < listing.len() as u64;
        let repeated_ids = records.repeated_ids.clone();
        let documents = listing.inputs() as u64;
        let references = listing.len() as u64 - documents;
        Self {
            documents,
            references,
            bad_records,
            pages,
            whole_pages,
            repeated_ids,
            tables: records.tables.clone(),
            without_id,
            has_ids,
            skipped_counts,
            ..Self::default()
        }
    }
}
