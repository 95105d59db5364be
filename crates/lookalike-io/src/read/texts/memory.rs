//! Texts in memory, cut into blocks; they are read where they lie.

use crate::base::details::ExpectedValue;
use crate::base::{Problem, Span};
use crate::read::context::{BLOCK_BYTES, Context, RecordFields, Visited, own_id};
use crate::sources::MemoryTexts;
use std::borrow::Cow;
use std::ops::Range;

/// Texts in memory, of which some were taken.
#[derive(Debug)]
pub(in crate::read) struct TextReader {
    texts: MemoryTexts,
    /// Number of texts that were taken.
    taken: usize,
    /// Bytes of the texts that were taken.
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

    /// Returns whether the texts have ids.
    pub(in crate::read) fn have_ids(&self) -> bool {
        self.texts.have_ids()
    }

    fn read<'a>(&'a self, row: usize, context: &Context<'_>) -> Visited<'a> {
        let text = self.texts.text(row).ok_or_else(|| Problem::null(&context.names.text, ExpectedValue::Text));
        let length = text.as_ref().map_or(0, |text| text.len() as u64);
        let fields = text.and_then(|text| {
            Problem::check_size(length, context.limit)?;
            let id = own_id(self.texts.id(row)).map(Cow::Borrowed);
            Ok(RecordFields::new(context.content(Cow::Borrowed(text))?, id))
        });
        context.document(fields, row as u64 + 1, Span { offset: 0, length })
    }
}
