//! The documents of one block of input, as one thread has read them.
//!
//! A short text may have a large set, as of items with counts: what is too large for a thread is moved to a file while
//! the block is read.

use super::Ids;
use super::carried::{CarriedRows, Carrier};
use super::long_sets::LongSets;
use super::records::RecordPlace;
use crate::base::Result;
use lookalike_core::comparison::{Extractor, Features};
use lookalike_core::documents::{Content, ElementSet, ElementSets, TextHash};
use lookalike_core::evidence::{ChecksumAlgorithm, identity, normalized_text};
use lookalike_core::kernel::Kernel;
use lookalike_core::sets::Shingler;
use lookalike_core::text::Tokenizer;
use lookalike_core::{DocId, Error as CoreError};
use lookalike_io::{
    BadRecord, Block, Document, DocumentContent, Place, Problem,
    base::{Extracted, Number, Score},
    read::TableRemarks,
    sources::FieldNames,
};

/// Input bytes of one element, as English text has them; a guess that only saves copying.
const BYTES_PER_ELEMENT: usize = 7;

/// Blocks of more bytes than this are those of a long document.
const MAX_EXPECTED_BYTES: usize = 1 << 20;

/// The documents of one block.
#[derive(Debug, Default)]
pub(super) struct Shard {
    pub(super) ids: Ids,
    /// Sets of the first documents, in order, where they are too large to be held: of a long document, or of many.
    pub(super) large_sets: Vec<ElementSets>,
    /// The sets of the other documents.
    pub(super) sets: ElementSets,
    pub(super) places: Vec<RecordPlace>,
    pub(super) characters: Vec<u64>,
    pub(super) text_hashes: Vec<TextHash>,
    /// Hashes of the items of rows of groups, one after the other; such rows have no sets.
    pub(super) row_hashes: Vec<u64>,
    /// Ends of the hashes of rows, and their counts.
    pub(super) row_ends: Vec<(usize, u32)>,
    /// Scores by document: one for each field that is needed.
    pub(super) scores: Vec<Option<Score>>,
    /// Carried data; empty if there is none.
    pub(super) carried: CarriedRows,
    /// Checksums by document, if they are needed.
    pub(super) checksums: Vec<DocumentChecksums>,
    pub(super) tokens: u64,
    /// Documents with fewer tokens than a shingle has, but some.
    pub(super) short: u64,
    /// Documents whose ids are made of file and line.
    pub(super) without_id: u64,
    /// Pages whose articles were requested.
    pub(super) pages: u64,
    /// Places of pages without an article, if articles are requested.
    pub(super) whole_pages: Vec<Place>,
    pub(super) bad: Vec<BadRecord>,
    pub(super) tables: TableRemarks,
    pub(super) input_bytes: u64,
}

/// Parts of a document that are read beside its id, place, length and score.
pub(super) enum Depth<'s> {
    /// No further part.
    Ids,
    /// Its elements, or its vector or signature if it has so many components.
    Sets(&'s mut Extractor, LongSets<'s>, Option<usize>),
    /// Its checksums.
    Checksums(&'s mut ChecksumMaker),
    /// The hashes of its items: it is a row of a group.
    Rows(&'s mut Shingler),
}

/// The items of a row of a group.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowItems<'a> {
    /// Hashes of the items, with repetitions.
    pub(super) hashes: &'a [u64],
    /// Number of occurrences of each.
    pub(super) count: u32,
}

impl Shard {
    /// Fills an empty shard with the documents of a block.
    pub(super) fn fill(
        &mut self,
        block: &Block,
        mut depth: Depth<'_>,
        carrier: Option<Carrier<'_>>,
        fields: &FieldNames,
    ) -> Result<()> {
        self.sets.reserve((block.bytes() as usize).min(MAX_EXPECTED_BYTES) / BYTES_PER_ELEMENT);
        self.input_bytes = block.input_bytes;
        let mut pushed = Ok(());
        let tables = block.for_each_document(fields, |document| match document {
            Ok(document) if pushed.is_ok() => match &mut depth {
                Depth::Sets(_, _, Some(expected))
                    if let Some(found) = document.content.compared().dimensions()
                        && found != *expected =>
                {
                    let problem = Problem::OtherDimensions { field: fields.text.clone(), found, expected: *expected };
                    self.bad.push(BadRecord { place: document.place, problem });
                }
                Depth::Rows(shingler) => pushed = self.push_row(document, block.source, shingler, fields),
                _ => {
                    pushed = carrier
                        .map_or(Ok(()), |carrier| carrier.carry(&document, &mut self.carried))
                        .and_then(|()| self.push(document, block.source, &mut depth, fields));
                }
            },
            Ok(_) => {}
            Err(record) => self.bad.push(record),
        });
        self.tables = tables;
        pushed
    }

    /// Adds a document.
    pub(super) fn push(
        &mut self,
        document: Document<'_>,
        source: usize,
        depth: &mut Depth<'_>,
        fields: &FieldNames,
    ) -> Result<()> {
        self.without_id += u64::from(!document.has_own_id);
        self.pages += u64::from(document.content.is_page());
        if matches!(document.content, DocumentContent::WholePage(_)) {
            self.whole_pages.push(document.place.clone());
        }
        let content = &document.content;
        let text_hash = match depth {
            Depth::Sets(Extractor::Shingles(shingler), long, _) if long.is_long(shingler, &content.compared()) => {
                let (set, tokens) = long.make(shingler, &content.compared())?;
                let elements = set.total_elements();
                if set.memory_bytes() > 0 || elements == 0 {
                    self.sets.push_from(&set, DocId(0))?;
                    self.spill_if_too_large(long)?;
                } else {
                    self.large_sets.extend([std::mem::take(&mut self.sets), set]);
                }
                self.tokens += tokens as u64;
                content.text_hash(elements)
            }
            Depth::Sets(extractor, long, _) => {
                let Extracted { counts, text_hash } = content.extract(extractor, &mut self.sets)?;
                self.spill_if_too_large(long)?;
                self.tokens += counts.tokens as u64;
                self.short += u64::from(extractor.is_short(counts.tokens));
                text_hash
            }
            Depth::Ids | Depth::Rows(_) | Depth::Checksums(_) => {
                if let Depth::Checksums(maker) = depth {
                    self.checksums.push(maker.checksums(content));
                }
                self.sets.push(ElementSet::default())?;
                TextHash::UNKNOWN
            }
        };
        self.text_hashes.push(text_hash);
        self.characters.push(content.length());
        let Document { id, score, more_scores, number, span, .. } = document;
        self.ids.push(&id);
        self.places.push(RecordPlace { source: source as u64, number, offset: span.offset, length: span.length });
        if fields.score.is_some() {
            self.scores.push(score);
            self.scores.extend(more_scores);
        }
        Ok(())
    }

    /// Adds a row of a group: its id is that of the group, its score the count of its items.
    fn push_row(
        &mut self,
        row: Document<'_>,
        source: usize,
        shingler: &mut Shingler,
        fields: &FieldNames,
    ) -> Result<()> {
        let count = row_count(&row, fields);
        let Document { id, content, number, span, place, .. } = row;
        let count = match count {
            Ok(count) => count,
            Err(problem) => {
                self.bad.push(BadRecord { place, problem });
                return Ok(());
            }
        };
        let hashes = &mut self.row_hashes;
        let tokens = shingler.hash_shingles(content.into_compared(), hashes, |_| Ok::<_, CoreError>(()))?;
        self.tokens += tokens as u64 * u64::from(count);
        self.row_ends.push((self.row_hashes.len(), count));
        self.ids.push(&id);
        self.characters.push(0);
        self.text_hashes.push(TextHash::UNKNOWN);
        self.places.push(RecordPlace { source: source as u64, number, offset: span.offset, length: span.length });
        Ok(())
    }

    /// The items of a row of a group.
    pub(super) fn row_items(&self, row: DocId) -> RowItems<'_> {
        let start = row.index().checked_sub(1).map_or(0, |before| self.row_ends[before].0);
        let (end, count) = self.row_ends[row.index()];
        RowItems { hashes: &self.row_hashes[start..end], count }
    }

    /// Moves the sets so far to a file if they take more memory than a thread has.
    fn spill_if_too_large(&mut self, long: &LongSets<'_>) -> Result<()> {
        if long.are_too_large(&self.sets) {
            self.large_sets.push(long.in_file(&self.sets)?);
            self.sets = ElementSets::new();
        }
        Ok(())
    }

    /// Calls `append` with the sets of all documents, some at a time.
    pub(super) fn for_each_sets(&self, append: impl FnMut(&ElementSets) -> Result<()>) -> Result<()> {
        self.large_sets.iter().chain([&self.sets]).try_for_each(append)
    }

    /// Number of documents.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Bytes of memory allocated for ids, sets and what travels along, in use or not.
    pub(super) fn reserved_bytes(&self) -> usize {
        self.sets.reserved_bytes() + self.ids.reserved_bytes() + self.carried.reserved_bytes()
    }

    /// Removes all documents; memory allocated for them is kept for the next ones.
    pub(super) fn clear(&mut self) {
        let mut used = std::mem::take(self);
        used.ids.clear();
        used.sets.clear();
        used.places.clear();
        used.characters.clear();
        used.text_hashes.clear();
        used.row_hashes.clear();
        used.row_ends.clear();
        used.scores.clear();
        used.carried.clear();
        let Self { ids, sets, places, characters, text_hashes, row_hashes, row_ends, scores, carried, .. } = used;
        *self = Self {
            ids,
            sets,
            places,
            characters,
            text_hashes,
            row_hashes,
            row_ends,
            scores,
            carried,
            ..Self::default()
        };
    }
}

/// Count of the items of a row of a group.
///
/// # Errors
/// If the row names no group, or its count is none.
pub(crate) fn row_count(row: &Document<'_>, fields: &FieldNames) -> std::result::Result<u32, Problem> {
    match (&fields.score, row.has_own_id) {
        (_, false) => Err(Problem::NoGroup { field: fields.id.clone() }),
        (None, true) => Ok(1),
        (Some(field), true) => count_of(row.score.as_ref(), field),
    }
}

/// The count in the field of a row.
fn count_of(score: Option<&Score>, field: &str) -> std::result::Result<u32, Problem> {
    let max = u64::from(u16::MAX);
    let number = match score {
        Some(Score::Number(number)) => Some(number.clone()),
        // A column of strings may hold numbers: tables have no types.
        Some(Score::Text(text)) => Number::of_text(text),
        Some(Score::Missing) | None => None,
    };
    let count = number.as_ref().and_then(Number::whole).and_then(|count| u32::try_from(count).ok());
    if let Some(count) = count.filter(|&count| u64::from(count) <= max) {
        return Ok(count);
    }
    let found = match (number, score) {
        (Some(number), _) => number.to_string(),
        (None, Some(Score::Text(text))) => format!("`{text}`"),
        (None, _) => "missing".to_owned(),
    };
    Err(Problem::NotACount { field: field.to_owned(), found, max })
}

/// Checksums of the bytes of a document and of its normalized text, by which exact copies are found.
pub(crate) type DocumentChecksums = [ContentChecksum; 2];

/// The checksum of a content, and the hash by which contents count as equal.
#[derive(Debug)]
pub(crate) struct ContentChecksum {
    pub(crate) identity: u128,
    pub(crate) checksum: String,
}

/// Maker of the checksums of documents, in place of elements. Owns reusable buffers: one for each thread.
pub(super) struct ChecksumMaker {
    tokenizer: Tokenizer,
    algorithm: ChecksumAlgorithm,
}

impl ChecksumMaker {
    pub(super) fn new(features: &Features, algorithm: ChecksumAlgorithm, kernel: Kernel) -> Self {
        Self { tokenizer: features.tokenizer(kernel), algorithm }
    }

    pub(super) fn checksums(&mut self, content: &DocumentContent<'_>) -> DocumentChecksums {
        let stored = content.stored();
        let normalized = match content {
            DocumentContent::All(Content::Items(items)) => items.sorted().into_stored(),
            _ => normalized_text(&mut self.tokenizer, &stored).into(),
        };
        [stored.as_bytes(), normalized.as_bytes()]
            .map(|bytes| ContentChecksum { identity: identity(bytes), checksum: self.algorithm.checksum(bytes) })
    }
}
