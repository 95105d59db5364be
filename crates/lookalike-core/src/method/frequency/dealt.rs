//! Counting into a table that is larger than the cache, without waiting for memory at each element.
//!
//! The slots of elements are first dealt into streams by their upper bits. A stream that is full is counted at once:
//! its counters fit the cache, and each line of them is fetched once for several elements.
//!
//! ```text
//! sets, in the order of documents   a7 | c1 | f9 | a0 | b4 | ...
//!                                    |    |    |    |    |          dealt by the upper bits of the slot
//! streams                           [7 0 ..] [4 ..] [1 ..] ... [9 ..]        the lower 16 bits are kept
//!                                    |                              counted when it is full
//! first counters                    [a0 a1 a2 ... ] [b0 b1 ... ] ...         64 KiB a stream
//! ```

use super::partition::{Partition, lower_bound};

/// Bits of a slot that are kept in a stream, and so the first counters of a stream.
const STREAM_BITS: u32 = u16::BITS;
/// Slots that a stream holds: eight for each line of 64 counters, in a quarter of the memory of the counters.
const STREAM_SLOTS: usize = 1 << 13;
/// First counters below which they stay in the cache anyway.
const MIN_COUNTERS: usize = 1 << 22;

/// Counts sets into a partition. Dropping it without [`Counting::finish`] loses counts.
#[derive(Debug)]
#[must_use]
pub struct Counting<'p> {
    partition: Partition<'p>,
    /// By stream: room for [`STREAM_SLOTS`] slots.
    dealt: Vec<u16>,
    /// By stream: how many it holds. Empty if elements are counted one by one.
    held: Vec<u16>,
}

impl<'p> Counting<'p> {
    /// Streams of no elements, for a partition.
    pub fn new(partition: Partition<'p>) -> Self {
        let counters = partition.first.len();
        let streams = if counters < MIN_COUNTERS { 0 } else { counters.div_ceil(1 << STREAM_BITS) };
        Self { partition, dealt: vec![0; streams * STREAM_SLOTS], held: vec![0; streams] }
    }

    /// Counts the elements of a strictly ascending set that belong to this partition.
    pub fn add(&mut self, set: &[u64]) {
        if self.held.is_empty() {
            return self.partition.count_set(set);
        }
        let Partition { begin, shift, .. } = self.partition;
        for &element in &set[lower_bound(set, (begin as u64) << shift)..] {
            let slot = (element >> shift) as usize - begin;
            let stream = slot >> STREAM_BITS;
            let Some(held) = self.held.get_mut(stream) else { break };
            self.dealt[stream * STREAM_SLOTS + usize::from(*held)] = slot as u16;
            *held += 1;
            if usize::from(*held) == STREAM_SLOTS {
                self.count_stream(stream);
            }
        }
    }

    /// Counts what is still in streams.
    pub fn finish(mut self) {
        (0..self.held.len()).for_each(|stream| self.count_stream(stream));
    }

    fn count_stream(&mut self, stream: usize) {
        let held = usize::from(std::mem::take(&mut self.held[stream]));
        let first_slot = stream << STREAM_BITS;
        for &slot in &self.dealt[stream * STREAM_SLOTS..][..held] {
            self.partition.count_slot(first_slot + usize::from(slot));
        }
    }
}
