//! The documents of one block of input, as one thread has read them.

use super::Ids;
use super::long_sets::LongSets;
use super::records::RecordPlace;
use crate::ground::Result;
use lookalike_core::DocId;
use lookalike_core::features::{ElementSet, ElementSets, Extractor, TextHash};
use lookalike_io::{BadRecord, Block, Document, FieldNames, Score};

/// Input bytes of one element, as English text has them; a guess that only saves copying.
const BYTES_PER_ELEMENT: usize = 7;

/// Blocks of more bytes than this are those of a long document.
const MAX_EXPECTED_BYTES: usize = 1 << 20;

/// The documents of one block.
#[derive(Debug, Default)]
pub(super) struct Shard {
    pub(super) ids: Ids,
    /// Those of long documents are empty here.
    pub(super) sets: ElementSets,
    /// The sets of long documents, in order.
    pub(super) long_sets: Vec<(DocId, ElementSets)>,
    pub(super) places: Vec<RecordPlace>,
    pub(super) characters: Vec<u64>,
    pub(super) text_hashes: Vec<TextHash>,
    /// Empty if no score field was asked for.
    pub(super) scores: Vec<Option<Score>>,
    pub(super) tokens: u64,
    /// Documents whose ids are made of file and line.
    pub(super) without_id: u64,
    pub(super) bad: Vec<BadRecord>,
    pub(super) input_bytes: u64,
}

/// What is read of a document beside its id, place, length and score.
pub(super) enum Depth<'s> {
    /// Nothing.
    Ids,
    /// Its elements.
    Sets(&'s mut Extractor, LongSets<'s>),
}

impl Shard {
    /// Fills an empty shard with the documents of a block.
    pub(super) fn fill(&mut self, block: &Block, mut depth: Depth<'_>, fields: &FieldNames) -> Result<()> {
        self.sets.reserve((block.bytes() as usize).min(MAX_EXPECTED_BYTES) / BYTES_PER_ELEMENT);
        self.input_bytes = block.input_bytes;
        let mut pushed = Ok(());
        block.for_each_document(fields, |document| match document {
            Ok(document) if pushed.is_ok() => pushed = self.push(document, block.source, &mut depth, fields),
            Ok(_) => {}
            Err(record) => self.bad.push(record),
        });
        pushed
    }

    fn push(
        &mut self,
        document: Document<'_>,
        source: usize,
        depth: &mut Depth<'_>,
        fields: &FieldNames,
    ) -> Result<()> {
        let Document { id, has_own_id, text, score, number, span, .. } = document;
        self.without_id += u64::from(!has_own_id);
        let text_hash = match depth {
            Depth::Sets(Extractor::Shingles(shingler), long) if long.is_long(&text) => {
                let (set, tokens) = long.make(shingler, &text)?;
                let elements = set.total_elements();
                self.long_sets.push((DocId::from_index(self.sets.len())?, set));
                self.sets.push(ElementSet::default())?;
                self.tokens += tokens as u64;
                TextHash::of(&text, elements)
            }
            Depth::Sets(extractor, _) => {
                let counts = extractor.push(&text, &mut self.sets)?;
                self.tokens += counts.tokens as u64;
                TextHash::of(&text, counts.elements)
            }
            Depth::Ids => {
                self.sets.push(ElementSet::default())?;
                TextHash::UNKNOWN
            }
        };
        self.text_hashes.push(text_hash);
        self.ids.push(&id);
        self.characters.push(text.chars().count() as u64);
        self.places.push(RecordPlace { source: source as u64, number, offset: span.offset, length: span.length });
        if fields.score.is_some() {
            self.scores.push(score);
        }
        Ok(())
    }

    /// Calls `append` with the sets of all documents, some at a time.
    pub(super) fn for_each_sets(&self, mut append: impl FnMut(&ElementSets) -> Result<()>) -> Result<()> {
        if self.long_sets.is_empty() {
            return append(&self.sets);
        }
        let (mut short, mut long_sets) = (ElementSets::new(), self.long_sets.iter().peekable());
        for document in DocId::all(self.len()) {
            if let Some((_, set)) = long_sets.next_if(|(long, _)| *long == document) {
                append(&std::mem::take(&mut short))?;
                append(set)?;
            } else {
                short.push(self.sets.get(document))?;
            }
        }
        append(&short)
    }

    /// Number of documents.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Bytes of memory allocated for ids and sets, in use or not.
    pub(super) fn reserved_bytes(&self) -> usize {
        self.sets.reserved_bytes() + self.ids.reserved_bytes()
    }

    /// Removes all documents; allocated memory is kept for the next ones.
    pub(super) fn clear(&mut self) {
        let Self {
            ids,
            sets,
            long_sets,
            places,
            characters,
            text_hashes,
            scores,
            tokens,
            without_id,
            bad,
            input_bytes,
        } = self;
        ids.clear();
        sets.clear();
        long_sets.clear();
        places.clear();
        characters.clear();
        text_hashes.clear();
        scores.clear();
        bad.clear();
        (*tokens, *without_id, *input_bytes) = (0, 0, 0);
    }
}
