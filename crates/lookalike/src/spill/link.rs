//! Numbering the keys of all documents where memory does not hold them.
//!
//! ```text
//! keys of documents --dealt by their first bits--> parts --numbered one by one, lonely keys dropped--> runs by document
//!                                                  --merged--> LinkedKeys
//! ```
//!
//! Equal keys are in one part, so a part knows which keys are lonely. The result has the keys that
//! [`IndexKeys::link`](lookalike_core::candidates::IndexKeys::link) would leave, though under other numbers and in another order
//! within a document; neither is seen in any answer.

use super::sort::Runs;
use super::{Column, Spill};
use crate::error::Result;
use bytemuck::{Pod, Zeroable};
use lookalike_core::array::Array;
use lookalike_core::candidates::{IndexKey, IndexKeys, LinkedKey, LinkedKeys, NumberedKeys};

/// Memory that numbering takes for each key of a part.
const BYTES_PER_KEY: usize = 48;
/// Files that are written to at a time, at most.
const MOST_PARTS: usize = 512;
/// Documents whose keys are brought together at a time.
const CHUNK_DOCUMENTS: usize = 1024;

/// A key before it has a number.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Dealt {
    key: u64,
    document: u32,
    position: u32,
}

/// A key with its number.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Numbered {
    document: u32,
    linked: LinkedKey,
}

/// Takes the keys of documents in order.
#[derive(Debug)]
pub(crate) struct Linker<'a> {
    spill: &'a Spill,
    parts: Vec<Column<Dealt>>,
    documents: usize,
}

impl<'a> Linker<'a> {
    /// For so many keys at most.
    pub(crate) fn new(spill: &'a Spill, most_keys: usize) -> Result<Self> {
        let wanted = (most_keys * BYTES_PER_KEY).div_ceil(spill.share(8).max(1));
        let parts = wanted.clamp(1, MOST_PARTS).next_power_of_two();
        let parts = (0..parts).map(|_| Column::in_file(spill)).collect::<Result<_>>()?;
        Ok(Self { spill, parts, documents: 0 })
    }

    /// Bytes of memory that linking so many keys takes where it is not done here.
    pub(crate) fn bytes_in_memory(keys: usize) -> usize {
        keys.saturating_mul(BYTES_PER_KEY)
    }

    pub(crate) fn append(&mut self, keys: &IndexKeys) -> Result<()> {
        let bits = self.parts.len().trailing_zeros();
        for document in keys.iter() {
            for &IndexKey { key, position } in document {
                let part = key.checked_shr(64 - bits).unwrap_or(0) as usize;
                let dealt = Dealt { key, document: self.documents as u32, position };
                self.parts[part].extend(&[dealt], self.spill)?;
            }
            self.documents += 1;
        }
        Ok(())
    }

    /// Numbers the keys that more than one document has, and drops the others.
    pub(crate) fn finish(self) -> Result<LinkedKeys> {
        let spill = self.spill;
        let (mut numbered, mut ends) = (Column::in_file(spill)?, Vec::new());
        let mut starts = Starts { starts: Column::default(), last: 0 };
        starts.starts.extend(&[0], spill)?;
        for part in self.parts {
            number_part(&part.finish(spill)?, &mut numbered, &mut starts, spill)?;
            ends.push(numbered.len());
        }
        let numbered = numbered.finish(spill)?;
        let (ends, keys) = by_document(Runs::new(&numbered, &ends), self.documents, spill)?;
        Ok(LinkedKeys::from_parts(ends, keys, starts.starts.finish(spill)?))
    }
}

/// By key: how many occurrences all earlier keys have.
struct Starts {
    starts: Column<u32>,
    last: u32,
}

impl Starts {
    /// Number of the next key.
    fn next_number(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    /// Appends the keys of a part, given what they would have if they were the first.
    fn append(&mut self, part: &[u32], spill: &Spill) -> Result<()> {
        let shifted: Option<Vec<u32>> = part.iter().skip(1).map(|&start| self.last.checked_add(start)).collect();
        let shifted = shifted.ok_or(lookalike_core::Error::TooManyKeys)?;
        self.last = shifted.last().copied().unwrap_or(self.last);
        if self.starts.memory_bytes() > spill.share(32) {
            self.starts.move_to_file(spill)?;
        }
        self.starts.extend(&shifted, spill)
    }
}

fn number_part(part: &Array<Dealt>, out: &mut Column<Numbered>, starts: &mut Starts, spill: &Spill) -> Result<()> {
    let dealt = part.slice(0..part.len());
    let keys: Vec<IndexKey> = dealt.iter().map(|&Dealt { key, position, .. }| IndexKey { key, position }).collect();
    let numbered = NumberedKeys::of(&keys)?;
    drop(keys);
    let first = starts.next_number();
    for (place, number) in numbered.shared() {
        let Dealt { document, position, .. } = dealt[place];
        let linked = LinkedKey { key: first + number, position };
        out.extend(&[Numbered { document, linked }], spill)?;
    }
    starts.append(numbered.starts(), spill)
}

/// Merges the runs of all parts; each ascends by document.
fn by_document(mut runs: Runs<'_, Numbered>, documents: usize, spill: &Spill) -> Result<(Vec<u64>, Array<LinkedKey>)> {
    let (mut keys, mut ends) = (Column::in_file(spill)?, Vec::with_capacity(documents));
    let (mut chunk, mut linked) = (Vec::new(), Vec::new());
    for end in (0..documents).step_by(CHUNK_DOCUMENTS).map(|first| (first + CHUNK_DOCUMENTS).min(documents)) {
        chunk.clear();
        for run in 0..runs.len() {
            chunk.extend(std::iter::from_fn(|| runs.next_if(run, |item| (item.document as usize) < end)));
        }
        // Stable, so the order within a document is that of the parts.
        chunk.sort_by_key(|item: &Numbered| item.document);
        linked.clear();
        linked.extend(chunk.iter().map(|item| item.linked));
        let before = keys.len();
        keys.extend(&linked, spill)?;
        let ends_in_chunk =
            (ends.len()..end).map(|document| before + chunk.partition_point(|item| item.document as usize <= document));
        ends.extend(ends_in_chunk.map(|end| end as u64));
    }
    Ok((ends, keys.finish(spill)?))
}
