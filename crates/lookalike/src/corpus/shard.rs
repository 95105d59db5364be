//! The documents of one block of input, as one thread has read them.

use super::Ids;
use super::records::RecordPlace;
use crate::ground::Result;
use lookalike_core::features::{ElementSet, ElementSets, Shingler};
use lookalike_io::{BadRecord, Block, Document, FieldNames, Score};

/// Input bytes of one element, as English text has them; a guess that only saves copying.
const BYTES_PER_ELEMENT: usize = 7;

/// The documents of one block.
#[derive(Debug, Default)]
pub(super) struct Shard {
    pub(super) ids: Ids,
    pub(super) sets: ElementSets,
    pub(super) places: Vec<RecordPlace>,
    pub(super) characters: Vec<u64>,
    /// Empty if no score field was asked for.
    pub(super) scores: Vec<Option<Score>>,
    pub(super) tokens: u64,
    pub(super) bad: Vec<BadRecord>,
    pub(super) input_bytes: u64,
}

/// What is read of a document beside its id, place, length and score.
pub(super) enum Depth<'s> {
    /// Nothing.
    Ids,
    /// Its elements.
    Sets(&'s mut Shingler),
}

impl Shard {
    /// Fills an empty shard with the documents of a block.
    pub(super) fn fill(&mut self, block: &Block, mut depth: Depth<'_>, fields: &FieldNames) -> Result<()> {
        self.sets.reserve(block.bytes() as usize / BYTES_PER_ELEMENT);
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
        let Document { id, text, score, number, span, .. } = document;
        if let Depth::Sets(shingler) = depth {
            self.tokens += shingler.push(&text, &mut self.sets)?.tokens as u64;
        } else {
            self.sets.push(ElementSet::default())?;
        }
        self.ids.push(&id);
        self.characters.push(text.chars().count() as u64);
        self.places.push(RecordPlace { source: source as u64, number, offset: span.offset, length: span.length });
        if fields.score.is_some() {
            self.scores.push(score);
        }
        Ok(())
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
        let Self { ids, sets, places, characters, scores, tokens, bad, input_bytes } = self;
        ids.clear();
        sets.clear();
        places.clear();
        characters.clear();
        scores.clear();
        bad.clear();
        (*tokens, *input_bytes) = (0, 0);
    }
}
