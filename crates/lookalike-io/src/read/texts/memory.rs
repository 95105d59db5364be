//! Texts in memory, cut into blocks; they are read where they lie.

use crate::ground::details::ExpectedValue;
use crate::ground::{BadRecord, Document, Problem, Span};
use crate::read::context::{BLOCK_BYTES, Context, Visited, own_id};
use crate::sources::MemoryTexts;
use std::borrow::Cow;
use std::ops::Range;

/// Texts in memory, of which some were taken.
#[derive(Debug)]
pub(in crate::read) struct TextReader {
    texts: MemoryTexts,
    /// Number of texts that were taken.
    taken: usize,
    /// Their bytes.
    read_bytes: u64,
}

/// Consecutive texts in memory.
#[derive(Debug)]
pub(in crate::read) struct TextRows {
    texts: MemoryTexts,
    rows: Range<usize>,
    bytes: u64,
}

impl TextReader {
    pub(in crate::read) fn new(texts: MemoryTexts) -> Self {
        Self { texts, taken: 0, read_bytes: 0 }
    }

    pub(in crate::read) fn read_bytes(&self) -> u64 {
        self.read_bytes
    }

    /// The next texts: as many as a block should have bytes, but at least one.
    pub(in crate::read) fn next_block(&mut self) -> Option<TextRows> {
        let start = self.taken;
        let mut end = self.taken;
        let mut bytes = 0;
        while end < self.texts.len() && bytes < BLOCK_BYTES && end - start < BLOCK_BYTES {
            bytes += self.texts.text(end).map_or(0, str::len);
            end += 1;
        }
        self.taken = end;
        self.read_bytes += bytes as u64;
        (start < end).then(|| TextRows { texts: self.texts.clone(), rows: start..end, bytes: bytes as u64 })
    }
}

impl TextRows {
    pub(in crate::read) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(in crate::read) fn for_each_document(&self, context: &Context<'_>, mut visit: impl FnMut(Visited<'_>)) {
        for row in self.rows.clone() {
            visit(self.read(row, context));
        }
    }

    fn read<'a>(&'a self, row: usize, context: &Context<'_>) -> Visited<'a> {
        let number = row as u64 + 1;
        let id = own_id(self.texts.id(row));
        let place = context.place(number);
        let bad = |problem| BadRecord { place: place.clone(), problem };
        let text = self.texts.text(row).ok_or_else(|| bad(Problem::null(&context.names.text, ExpectedValue::Text)))?;
        let length = text.len() as u64;
        Problem::check_size(length, context.limit).map_err(bad)?;
        let other_id = || if self.texts.have_ids() { context.id_beside_others(number) } else { context.id(number) };
        Ok(Document {
            has_own_id: id.is_some(),
            id: id.map_or_else(|| Cow::Owned(other_id()), Cow::Borrowed),
            content: context.content(Cow::Borrowed(text)).map_err(bad)?.into(),
            score: None,
            more_scores: Vec::new(),
            carried: Vec::new(),
            span: Span { offset: 0, length },
            number,
            place,
        })
    }
}
