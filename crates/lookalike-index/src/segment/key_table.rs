//! Table from a hash to the documents that have it: postings, sorted by hash, in cells of a few.
//!
//! ```text
//! hash      | cell: 8 to 28 upper bits ...  |            |
//!           | 8 bits | rest: the next 32 bits | forgotten |
//! cells     [ 0 | 5 | 9 | ... ]             where the entries of each cell begin, and the end of the last
//! entries   (rest, document, extent) ...    sorted by hash, then by document
//! ```
//!
//! A look-up reads one number of the cells and one or two cache lines of entries. Bits that are forgotten make
//! candidates that are none, one in 2^40 for each entry of the table; each candidate is verified. Cell and rest tell
//! what was kept of a hash, so tables are merged without their keys.

use crate::disk::MappedArray;
use bytemuck::{Pod, Zeroable};
use lookalike_core::hash::mix64;

/// A document under one hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct KeyTableEntry {
    /// The 32 bits of the hash behind the first 8.
    pub(crate) rest: u32,
    /// The document in its segment.
    pub(crate) document: u32,
    /// Size of the document and position of the key, 16 bits each ([`super::key_entries`]); 0 for an id.
    pub(crate) extent: u32,
}

/// Upper bits of a hash that are kept; the rest has 32 of them.
const KEPT_BITS: u32 = 40;
const FORGOTTEN_BITS: u32 = u64::BITS - KEPT_BITS;

/// Kept bits of the hash under which a key is stored: keys of a few bits are spread over all cells.
pub(super) fn hash_of_key(key: u64) -> u64 {
    mix64(key) >> FORGOTTEN_BITS << FORGOTTEN_BITS
}

/// Kept bits of the hash of an id, by which it is looked up.
pub(super) fn hash_of_id(id: &str) -> u64 {
    hash_of_key(xxhash_rust::xxh3::xxh3_64(id.as_bytes()))
}

/// Entries of a cell, on the average of those that were expected.
const ENTRIES_PER_CELL: usize = 4;
/// The bits that the rest does not have.
pub(super) const MIN_CELL_BITS: u32 = KEPT_BITS - u32::BITS;
const MAX_CELL_BITS: u32 = 28;
/// Entries of a cell that are looked at one after the other.
const MAX_SCANNED: usize = 16;

/// The number of bits that name a cell, for about `entries` entries.
pub(super) fn cell_bits(entries: usize) -> u32 {
    (entries / ENTRIES_PER_CELL).max(1).ilog2().clamp(MIN_CELL_BITS, MAX_CELL_BITS)
}

/// The cell of a hash.
fn cell_of(hash: u64, bits: u32) -> usize {
    (hash >> (u64::BITS - bits)) as usize
}

/// Kept bits of a hash beside its cell.
pub(super) fn rest_of(hash: u64) -> u32 {
    (hash >> FORGOTTEN_BITS) as u32
}

/// A table that was written.
#[derive(Debug, Clone)]
pub(crate) struct KeyTable {
    cells: MappedArray<u32>,
    entries: MappedArray<KeyTableEntry>,
    bits: u32,
}

impl KeyTable {
    /// The table of these sections; `None` if they are none of a table.
    pub(super) fn new(cells: MappedArray<u32>, entries: MappedArray<KeyTableEntry>) -> Option<Self> {
        let count = cells.len().checked_sub(1).filter(|count| count.is_power_of_two())?;
        let bits = count.trailing_zeros();
        let is_whole = cells.last().is_some_and(|&end| end as usize == entries.len());
        (is_whole && (MIN_CELL_BITS..=MAX_CELL_BITS).contains(&bits)).then_some(Self { bits, cells, entries })
    }

    /// Number of entries.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    #[inline]
    fn cell(&self, cell: usize) -> &[KeyTableEntry] {
        let cells = &*self.cells;
        let range = match (cells.get(cell), cells.get(cell + 1)) {
            (Some(&begin), Some(&end)) => begin as usize..end as usize,
            _ => 0..0,
        };
        self.entries.get(range).unwrap_or(&[])
    }

    /// The entries whose hashes have these first bits, [`MIN_CELL_BITS`] of them.
    pub(super) fn part(&self, part: usize) -> &[KeyTableEntry] {
        let begin_of = |part: usize| self.cells.get(part << (self.bits - MIN_CELL_BITS)).map_or(0, |&at| at as usize);
        self.entries.get(begin_of(part)..begin_of(part + 1)).unwrap_or(&[])
    }

    /// The entries under a hash.
    #[inline]
    pub(crate) fn get(&self, hash: u64) -> &[KeyTableEntry] {
        let cell = self.cell(cell_of(hash, self.bits));
        let rest = rest_of(hash);
        if cell.len() <= MAX_SCANNED {
            let begin = cell.iter().take_while(|entry| entry.rest < rest).count();
            let count = cell[begin..].iter().take_while(|entry| entry.rest == rest).count();
            return &cell[begin..begin + count];
        }
        let cell = &cell[cell.partition_point(|entry| entry.rest < rest)..];
        &cell[..cell.partition_point(|entry| entry.rest == rest)]
    }

    /// Reads where the entries of a hash begin in memory, so that the processor fetches them.
    #[inline]
    pub(crate) fn touch(&self, hash: u64) -> u32 {
        self.cell(cell_of(hash, self.bits)).first().map_or(0, |entry| entry.rest)
    }
}
