//! The entries of the key tables of a segment, sorted: made by all threads, as much at a time as memory allows.
//!
//! The keys of a document depend on nothing but itself and the order of the elements. So when segments are merged, the
//! postings of those that had the same order are taken over as they are, and are in order already.

use super::content::Content;
use super::documents::Documents;
use super::key_table::{Entry, cell_bits, cell_of, hash_of_id, hash_of_key, rest_of};
use super::live::{LiveDocuments, Renumbered};
use super::maker::{SegmentMaker, weigh};
use crate::ground::{Error, Result, SetBuffer};
use lookalike_core::features::{ElementSet, WeightedSet};
use lookalike_core::measure::Extent;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// A document under the whole hash of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct KeyedDocument {
    hash: u64,
    document: u32,
    extent: u32,
}

/// Parts of the hashes that are sorted by themselves, if there are many keys.
const PARTS: usize = 1 << PART_BITS;
const PART_BITS: u32 = 8;
/// Keys from which on there are parts.
const MIN_PARTED: usize = 1 << 14;
/// Documents from which on threads share the work.
pub(super) const MIN_SHARED: usize = 512;
const MAX_CODE: u32 = u16::MAX as u32;

/// Size and position as 16 bits each. A larger size is looked up, and a larger position is rounded to the side on which
/// filters let more pass: down to 2^16 - 1 elements; shares of a norm up, 0 meaning the whole.
pub(super) fn encode_extent(Extent { size, position }: Extent, are_shares: bool) -> u32 {
    let position = match (are_shares, position) {
        (true, 0) => MAX_CODE,
        (true, share) => share >> 16,
        (false, position) => position.min(MAX_CODE),
    };
    size.min(MAX_CODE) << 16 | position
}

/// The extent that was encoded; `size` tells a size of 2^16 - 1 or more.
#[inline]
pub(crate) fn decode_extent(extent: u32, are_shares: bool, size: impl FnOnce() -> u32) -> Extent {
    let (short, position) = (extent >> 16, extent & MAX_CODE);
    let size = if short == MAX_CODE { size() } else { short };
    // Only of a damaged entry a key stands behind the last element.
    let position = if are_shares { position << 16 | MAX_CODE } else { position.min(size) };
    Extent { size, position }
}

/// Makes the entries of a table, in order of their hashes, and then its cells.
pub(super) struct TableWriter {
    bits: u32,
    counts: Vec<u32>,
    total: u64,
}

impl TableWriter {
    pub(super) fn new(expected: usize) -> Self {
        let bits = cell_bits(expected);
        Self { bits, counts: vec![0; (1 << bits) + 1], total: 0 }
    }

    fn entries(&mut self, sorted: &[KeyedDocument]) -> Vec<Entry> {
        let entry = |&KeyedDocument { hash, document, extent }: &KeyedDocument| {
            self.counts[cell_of(hash, self.bits) + 1] += 1;
            Entry { rest: rest_of(hash), document, extent }
        };
        let entries: Vec<Entry> = sorted.iter().map(entry).collect();
        self.total += entries.len() as u64;
        entries
    }

    /// Where the entries of each cell begin.
    pub(super) fn cells(mut self) -> Result<Vec<u32>> {
        if self.total > u64::from(u32::MAX) {
            return Err(Error::TooManyKeys);
        }
        for cell in 1..self.counts.len() {
            self.counts[cell] += self.counts[cell - 1];
        }
        Ok(self.counts)
    }
}

/// The entries of ids: each document once.
pub(super) fn id_entries(documents: &dyn Documents, table: &mut TableWriter) -> Vec<Entry> {
    let keyed = |document: usize| KeyedDocument {
        hash: hash_of_id(documents.id(document)),
        document: document as u32,
        extent: 0,
    };
    let mut keyed: Vec<KeyedDocument> = (0..documents.len()).map(keyed).collect();
    keyed.sort_unstable();
    table.entries(&keyed)
}

/// The passes in which entries of keys are made: parts of the hashes, so that those of one pass fit into memory.
pub(super) fn passes(expected: usize, memory_bytes: usize) -> impl Iterator<Item = Parts> {
    let bits = if expected < MIN_PARTED { 0 } else { PART_BITS };
    let bytes = expected.saturating_mul(size_of::<KeyedDocument>());
    let (parts, passes) = (1 << bits, bytes.div_ceil(memory_bytes.max(1)).clamp(1, PARTS));
    let range = move |pass: usize| parts * pass / passes..parts * (pass + 1) / passes;
    (0..passes).map(move |pass| Parts { range: range(pass), bits })
}

/// Some of the parts into which hashes are divided by their upper bits.
#[derive(Debug, Clone)]
pub(super) struct Parts {
    range: Range<usize>,
    bits: u32,
}

impl Parts {
    /// The place of a hash among these parts; `None` if it is in another.
    #[inline]
    fn place(&self, hash: u64) -> Option<usize> {
        let part = hash.checked_shr(u64::BITS - self.bits).unwrap_or(0) as usize;
        part.checked_sub(self.range.start).filter(|&place| place < self.range.len())
    }
}

/// The entries whose hashes are in these parts.
pub(super) fn key_entries(
    content: Content<'_>,
    maker: &SegmentMaker<'_>,
    parts: Parts,
    table: &mut TableWriter,
) -> Result<Vec<Entry>> {
    let count = content.documents().len();
    let threads = if count < MIN_SHARED { 1 } else { maker.threads.max(1) };
    let range_of = |thread: usize| count * thread / threads..count * (thread + 1) / threads;
    let made = on_threads(threads, |thread| keys_of(content, maker, range_of(thread), &parts))?;
    let merged = content.merged().map_or_else(Vec::new, LiveDocuments::renumbered);
    let merged: Vec<&Renumbered<'_>> = merged.iter().filter(|old| maker.has_keys_of(old.segment)).collect();
    let sorted: Vec<Mutex<Vec<KeyedDocument>>> = parts.range.clone().map(|_| Mutex::default()).collect();
    let next = AtomicUsize::new(0);
    on_threads(threads, |_| {
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(slot) = sorted.get(place) else { return Ok(()) };
            let mut all = Vec::with_capacity(made.iter().map(|made| made[place].len()).sum());
            made.iter().for_each(|made| all.extend_from_slice(&made[place]));
            merged.iter().for_each(|old| all.extend(keyed_anew(old, parts.range.start + place, parts.bits)));
            // What is merged is in order already, segment by segment, which a stable sort makes use of.
            if merged.is_empty() {
                all.sort_unstable()
            } else {
                all.sort()
            }
            *slot.lock().unwrap_or_else(PoisonError::into_inner) = all;
        }
    })?;
    let sorted = sorted.into_iter().map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner));
    Ok(sorted.flat_map(|part| table.entries(&part)).collect())
}

/// The postings of a segment that is merged, in one part of the hashes.
fn keyed_anew<'a>(old: &'a Renumbered<'_>, part: usize, bits: u32) -> impl Iterator<Item = KeyedDocument> + 'a {
    old.segment.hashed_postings(part, bits).filter_map(|(hash, Entry { document, extent, .. })| {
        let document = (*old.numbers.get(document as usize)?)?;
        Some(KeyedDocument { hash, document, extent })
    })
}

/// By part: the keys of those among some documents that have none by this order.
fn keys_of(
    content: Content<'_>,
    maker: &SegmentMaker<'_>,
    range: Range<usize>,
    parts: &Parts,
) -> Result<Vec<Vec<KeyedDocument>>> {
    let mut made = vec![Vec::new(); parts.range.len()];
    let (mut keys, mut maker_of_keys) = (Vec::new(), maker.keys.clone());
    let (mut set, mut weights) = (SetBuffer::default(), Vec::new());
    let are_shares = maker_of_keys.positions_are_shares();
    let documents = content.documents();
    let has_keys = |document| content.merged().is_some_and(|live| maker.has_keys_of(live.segment(document)));
    for document in range.filter(|&document| !has_keys(document)) {
        let (elements, counts) = documents.set(document, &mut set)?;
        weigh((elements, counts), maker, &mut weights, || documents.id(document).to_owned())?;
        keys.clear();
        let weighted = WeightedSet::new(ElementSet::new(elements)?, &weights)?;
        maker_of_keys.append_stored(maker.order, weighted, &mut keys);
        let size = elements.len() as u32;
        for key in &keys {
            let hash = hash_of_key(key.hash);
            if let Some(place) = parts.place(hash) {
                let extent = encode_extent(Extent { size, position: key.position }, are_shares);
                made[place].push(KeyedDocument { hash, document: document as u32, extent });
            }
        }
    }
    Ok(made)
}

/// Runs `work` once for each thread.
pub(crate) fn on_threads<T: Send>(threads: usize, work: impl Fn(usize) -> Result<T> + Sync) -> Result<Vec<T>> {
    if threads == 1 {
        return Ok(vec![work(0)?]);
    }
    std::thread::scope(|scope| {
        let work = &work;
        let handles: Vec<_> = (1..threads).map(|thread| scope.spawn(move || work(thread))).collect();
        let mut all = vec![work(0)?];
        for handle in handles {
            all.push(handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
        }
        Ok(all)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_lost_of_extents_lets_more_pass() {
        let coded = |size, position, are_shares| {
            decode_extent(encode_extent(Extent { size, position }, are_shares), are_shares, || size)
        };
        assert_eq!(coded(300, 20, false), Extent { size: 300, position: 20 });
        assert_eq!(coded(1 << 20, 70_000, false), Extent { size: 1 << 20, position: 65_535 });
        for share in [1 << 20, u32::MAX - 3, u32::MAX, 12_345_678] {
            assert!(coded(10, share, true).position >= share, "{share}");
        }
        assert_eq!(coded(10, 0, true).position, u32::MAX);
    }
}
