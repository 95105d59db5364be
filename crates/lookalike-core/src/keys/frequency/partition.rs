//! A range of the counters of a table, which one thread fills.

/// First counters per second counter: frequent elements are few.
pub(super) const FIRST_PER_SECOND: usize = 64;
/// Second counters per stripe. The elements of a stripe of first counters use the stripe of second counters with the
/// same number.
pub(super) const NEIGHBOURS: usize = 64;

/// The slot of the second counter for a slot of a first counter: in the same stripe, so that both are in one partition,
/// and a function of the slot only, so that tables can be added.
pub(super) fn second_slot(slot: usize) -> usize {
    let stripe = slot / (FIRST_PER_SECOND * NEIGHBOURS);
    stripe * NEIGHBOURS + slot % NEIGHBOURS
}

/// A range of the counters of a [`super::FrequencyTable`], to be filled by one thread.
#[derive(Debug)]
pub struct Partition<'a> {
    pub(super) first: &'a mut [u8],
    pub(super) second: &'a mut [u32],
    /// First slot of the partition.
    pub(super) begin: usize,
    pub(super) shift: u32,
}

impl Partition<'_> {
    /// Counts the elements of a strictly ascending set that belong to this partition.
    pub fn count_set(&mut self, set: &[u64]) {
        let begin = lower_bound(set, (self.begin as u64) << self.shift);
        let end = self.begin + self.first.len();
        for &element in &set[begin..] {
            if (element >> self.shift) as usize >= end {
                break;
            }
            self.count(element);
        }
    }

    /// Counts an element if it belongs to this partition.
    pub fn count(&mut self, element: u64) {
        self.count_slot(((element >> self.shift) as usize).wrapping_sub(self.begin));
    }

    /// Counts an element whose first counter has this index in the partition, if there is one.
    #[inline]
    pub(super) fn count_slot(&mut self, index: usize) {
        let Some(counter) = self.first.get_mut(index) else { return };
        if *counter < u8::MAX {
            *counter += 1;
        } else if let Some(counter) =
            self.second.get_mut(second_slot(self.begin + index) - self.begin / FIRST_PER_SECOND)
        {
            *counter = counter.saturating_add(1);
        }
    }
}

/// Index of the first element of an ascending set of hashes that is not below `bound`. Hashes are uniform, so linear
/// interpolation is a few elements off.
fn lower_bound(set: &[u64], bound: u64) -> usize {
    let mut at = ((set.len() as u128 * u128::from(bound)) >> 64) as usize;
    while at > 0 && set[at - 1] >= bound {
        at -= 1;
    }
    while at < set.len() && set[at] < bound {
        at += 1;
    }
    at
}
