//! The entries of the key tables of a segment, sorted: made by all threads, as much at a time as memory allows.
//!
//! The keys of a document depend on nothing but itself and the order of the elements. So when segments are merged, the
//! postings of those that had the same order are taken over as they are.
//!
//! ```text
//! documents --all threads--> entries by part: the first 8 bits of the hash
//! part      --one thread---> counted by cell, dealt to the cells; the few entries of each are sorted
//! ```

use super::documents::Documents;
use super::key_table::{KeyTableEntry, MIN_CELL_BITS, cell_bits, hash_of_id, hash_of_key, rest_of};
use super::live::SegmentContent;
use super::live::{LiveDocuments, Renumbered};
use super::maker::SegmentMaker;
use crate::base::{Error, Result, SetBuffer};
use bytemuck::Zeroable;
use lookalike_core::documents::WeightedSet;
use lookalike_core::keys::Extent;
use std::ops::Range;
use std::vec::IntoIter;

/// Parts of the hashes.
const PARTS: usize = 1 << MIN_CELL_BITS;
/// Entries of a part from which on memory is reserved for all at once.
const MIN_RESERVED: usize = 1 << 10;
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
    let short = extent >> 16;
    let position = extent & MAX_CODE;
    let size = if short == MAX_CODE { size() } else { short };
    // Only of a damaged entry a key stands behind the last element.
    let position = if are_shares { position << 16 | MAX_CODE } else { position.min(size) };
    Extent { size, position }
}

/// Entries as they come, by part: no entry says the first 8 bits of its hash itself.
#[derive(Debug, Default)]
struct PartedEntries {
    /// The first part.
    begin: usize,
    parts: Vec<Vec<KeyTableEntry>>,
}

impl PartedEntries {
    /// Room for entries whose hashes are in these parts, about `expected` in all.
    fn new(range: &Range<usize>, expected: usize) -> Self {
        let of_part = expected / range.len().max(1);
        // Hashes are random, so parts are of about the same length, and memory that is not touched costs nothing.
        let capacity = if of_part < MIN_RESERVED { 0 } else { of_part + of_part / 16 };
        Self { begin: range.start, parts: range.clone().map(|_| Vec::with_capacity(capacity)).collect() }
    }

    /// Adds what is under a hash, if that is in one of the parts.
    #[inline]
    fn push(&mut self, hash: u64, document: u32, extent: u32) {
        let part = (hash >> (u64::BITS - MIN_CELL_BITS)) as usize;
        if let Some(entries) = self.parts.get_mut(part.wrapping_sub(self.begin)) {
            entries.push(KeyTableEntry { rest: rest_of(hash), document, extent });
        }
    }

    fn get(&self, part: usize) -> &[KeyTableEntry] {
        self.parts.get(part.wrapping_sub(self.begin)).map_or(&[], |entries| entries)
    }
}

/// The entries of consecutive parts in order of hash and document, and where each of their cells ends.
#[derive(Debug, Default)]
struct SortedParts {
    entries: Vec<KeyTableEntry>,
    ends: Vec<u32>,
}

impl SortedParts {
    /// Appends the next part of a table with cells of so many bits.
    fn append(&mut self, unsorted: &[&[KeyTableEntry]], bits: u32) {
        let shift = u32::BITS - (bits - MIN_CELL_BITS);
        let cell = |entry: &KeyTableEntry| (u64::from(entry.rest) >> shift) as usize;
        let first_cell = self.ends.len();
        let mut begin = self.entries.len();
        self.ends.resize(first_cell + (1 << (bits - MIN_CELL_BITS)), 0);
        let ends = &mut self.ends[first_cell..];
        unsorted.iter().copied().flatten().for_each(|entry| ends[cell(entry)] += 1);
        let end = ends.iter_mut().fold(begin as u32, |begin, end| begin + std::mem::replace(end, begin));
        self.entries.resize(end as usize, KeyTableEntry::zeroed());
        for entry in unsorted.iter().copied().flatten() {
            let end = &mut ends[cell(entry)];
            self.entries[*end as usize] = *entry;
            *end += 1;
        }
        for &end in &*ends {
            self.entries[begin..end as usize].sort_unstable_by_key(|entry| (entry.rest, entry.document));
            begin = end as usize;
        }
    }
}

/// The cells of a table, of which the entries are made part by part.
#[derive(Debug)]
pub(super) struct CellWriter {
    bits: u32,
    cells: Vec<u32>,
    total: u64,
}

impl CellWriter {
    fn new(expected: usize) -> Self {
        Self { bits: cell_bits(expected), cells: vec![0], total: 0 }
    }

    /// The entries of the next parts.
    fn add(&mut self, SortedParts { entries, ends }: SortedParts) -> Vec<KeyTableEntry> {
        // Too many entries are an error in the end.
        let before = self.total as u32;
        self.cells.extend(ends.into_iter().map(|end| before.wrapping_add(end)));
        self.total += entries.len() as u64;
        entries
    }

    /// Begins of the entries of all cells, and the end of the last, when all entries are made.
    pub(super) fn finish(self) -> Result<Vec<u32>> {
        if self.total > u64::from(u32::MAX) { Err(Error::TooManyKeys) } else { Ok(self.cells) }
    }
}

/// The entries of ids, each document once, and the cells of their table.
pub(super) fn id_table(documents: &dyn Documents) -> Result<(Vec<KeyTableEntry>, Vec<u32>)> {
    let mut parted = PartedEntries::new(&(0..PARTS), documents.len());
    let mut sorted = SortedParts::default();
    (0..documents.len()).for_each(|document| parted.push(hash_of_id(documents.id(document)), document as u32, 0));
    let mut cells = CellWriter::new(documents.len());
    (0..PARTS).for_each(|part| sorted.append(&[parted.get(part)], cells.bits));
    Ok((cells.add(sorted), cells.finish()?))
}

/// Makes the entries of the table of keys, part by part, and its cells.
pub(super) struct KeyEntries<'a> {
    content: SegmentContent<'a>,
    maker: &'a SegmentMaker<'a>,
    merged: Vec<Renumbered<'a>>,
    threads: usize,
    /// Entries of a part, about.
    expected: usize,
    /// The parts that are made at a time.
    passes: IntoIter<Range<usize>>,
    /// Entries of a pass, by the thread that has made them.
    made: Vec<PartedEntries>,
    /// The parts of the pass that are not sorted yet.
    unsorted: Range<usize>,
    sorted: IntoIter<SortedParts>,
    pub(super) cells: CellWriter,
}

impl<'a> KeyEntries<'a> {
    /// Entries for a table of about `expected` of them.
    pub(super) fn new(content: SegmentContent<'a>, maker: &'a SegmentMaker<'_>, expected: usize) -> Self {
        let merged = content.merged().map_or_else(Vec::new, LiveDocuments::renumbered);
        Self {
            content,
            maker,
            merged: merged.into_iter().filter(|old| maker.has_keys_of(old.segment)).collect(),
            threads: if content.documents().len() < MIN_SHARED { 1 } else { maker.threads.max(1) },
            expected: expected / PARTS,
            passes: passes(expected, maker.memory_bytes),
            made: Vec::new(),
            unsorted: 0..0,
            sorted: Vec::new().into_iter(),
            cells: CellWriter::new(expected),
        }
    }

    /// The next entries, in order of their hashes.
    pub(super) fn next(&mut self) -> Result<Option<Vec<KeyTableEntry>>> {
        loop {
            if let Some(sorted) = self.sorted.next() {
                return Ok(Some(self.cells.add(sorted)));
            }
            if self.unsorted.is_empty() {
                let Some(parts) = self.passes.next() else { return Ok(None) };
                self.made = self.make(&parts)?;
                self.unsorted = parts;
            }
            self.sorted = self.sort_some()?.into_iter();
        }
    }

    fn make(&self, parts: &Range<usize>) -> Result<Vec<PartedEntries>> {
        let count = self.content.documents().len();
        let threads = self.threads;
        on_threads(threads, |thread| {
            let mut made = PartedEntries::new(parts, self.expected * parts.len() / threads);
            let range = count * thread / threads..count * (thread + 1) / threads;
            append_keys(self.content, self.maker, range, &mut made).map(|()| made)
        })
    }

    /// Sorts a part with each thread; what little one thread has to do, in one go.
    fn sort_some(&mut self) -> Result<Vec<SortedParts>> {
        let Range { start, end } = self.unsorted;
        let are_small = self.threads == 1 && self.expected < MIN_RESERVED;
        let threads = self.threads.min(end - start);
        let parts = if are_small { end - start } else { 1 };
        let sorted = on_threads(threads, |thread| {
            let mut sorted = SortedParts::default();
            for part in (start + thread * parts..).take(parts) {
                let merged: Vec<KeyTableEntry> = self.merged.iter().flat_map(|old| entries_anew(old, part)).collect();
                let made = self.made.iter().map(|made| made.get(part));
                sorted.append(&made.chain([&merged[..]]).collect::<Vec<_>>(), self.cells.bits);
            }
            Ok(sorted)
        })?;
        self.unsorted.start += threads * parts;
        // Their memory is given back.
        for made in &mut self.made {
            made.parts[start - made.begin..start + threads * parts - made.begin].fill_with(Vec::new);
        }
        Ok(sorted)
    }
}

/// The passes in which entries of keys are made: parts of the hashes, so that those of one pass fit into memory.
fn passes(expected: usize, memory_bytes: usize) -> IntoIter<Range<usize>> {
    let bytes = expected.saturating_mul(size_of::<KeyTableEntry>());
    let passes = bytes.div_ceil(memory_bytes.max(1)).clamp(1, PARTS);
    let range = |pass| PARTS * pass / passes..PARTS * (pass + 1) / passes;
    (0..passes).map(range).collect::<Vec<_>>().into_iter()
}

/// Adds the keys of those among some documents that have none by this order.
fn append_keys(
    content: SegmentContent<'_>,
    maker: &SegmentMaker<'_>,
    range: Range<usize>,
    made: &mut PartedEntries,
) -> Result<()> {
    let mut keys = Vec::new();
    let mut maker_of_keys = maker.scheme.keys.clone();
    let mut set = SetBuffer::default();
    let mut weights = Vec::new();
    let are_shares = maker_of_keys.positions_are_shares();
    let documents = content.documents();
    let has_keys = |document| content.merged().is_some_and(|live| maker.has_keys_of(live.segment(document)));
    for (number, document) in range.filter(|&document| !has_keys(document)).enumerate() {
        if number.is_multiple_of(MIN_SHARED) {
            documents.advance(0)?;
        }
        let (elements, counts) = documents.set(document, &mut set)?;
        let weighed = maker.scheme.weigh(elements, counts, &mut weights);
        weighed.ok_or_else(|| Error::WeightsTooLarge { id: documents.id(document).to_owned() })?;
        keys.clear();
        let weighted = WeightedSet::new(maker.scheme.form.words().checked(elements)?, &weights)?;
        maker_of_keys.append_stored(maker.order, weighted, &mut keys);
        let size = elements.len() as u32;
        for key in &keys {
            let extent = encode_extent(Extent { size, position: key.position }, are_shares);
            made.push(hash_of_key(key.hash), document as u32, extent);
        }
    }
    Ok(())
}

/// The postings of a segment that is merged, in one part of the hashes.
fn entries_anew<'a>(old: &'a Renumbered<'_>, part: usize) -> impl Iterator<Item = KeyTableEntry> + 'a {
    old.segment.keys.part(part).iter().filter_map(|entry| {
        let document = (*old.numbers.get(entry.document as usize)?)?;
        Some(KeyTableEntry { document, ..*entry })
    })
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
