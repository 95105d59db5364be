//! Bloom filters: sets of byte strings in few bits, which are never missed, and sometimes found though they were not
//! inserted.
//!
//! Algorithm: Bloom 1970, Space/Time Trade-offs in Hash Coding with Allowable Errors; two hashes for all probes: Kirsch
//! and Mitzenmacher 2006, Less Hashing, Same Performance. The bytes of a filter are the same on every machine.

use crate::base::hash::{HashKey, mix64};
use crate::base::{Error, Result};

/// A Bloom filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BloomFilter {
    words: Vec<u64>,
    /// Bits that are set for each value.
    probes: u32,
}

impl BloomFilter {
    /// An empty filter, sized for `capacity` values: with so many, others are found at this rate, between 0 and 1.
    ///
    /// # Errors
    /// [`Error::FilterTooLarge`] if there is no memory for it.
    pub fn new(capacity: u64, false_positive_rate: f64) -> Result<Self> {
        let bits_per_value = -false_positive_rate.ln() / std::f64::consts::LN_2.powi(2);
        // Larger values are clamped to the largest number.
        let words = (capacity.max(1) as f64 * bits_per_value / f64::from(u64::BITS)).ceil().max(1.0) as u64;
        let probes = (bits_per_value * std::f64::consts::LN_2).round().clamp(1.0, 64.0) as u32;
        let too_large = || Error::FilterTooLarge { bytes: words.saturating_mul(8) };
        let count = usize::try_from(words).map_err(|_| too_large())?;
        Vec::<u64>::new().try_reserve_exact(count).map_err(|_| too_large())?;
        // Pages are taken when they are written.
        Ok(Self { words: vec![0; count], probes })
    }

    /// Adds a value.
    pub fn insert(&mut self, value: &[u8]) {
        for (word, bit) in places(value, self.words.len(), self.probes) {
            self.words[word] |= bit;
        }
    }

    /// Returns whether a value was added; now and then also of one that was not.
    pub fn contains(&self, value: &[u8]) -> bool {
        places(value, self.words.len(), self.probes).all(|(word, bit)| self.words[word] & bit != 0)
    }

    /// Adds all values of another filter; whether it has the same size, without which nothing is added.
    #[must_use]
    pub fn merge(&mut self, other: &Self) -> bool {
        let is_like = (self.words.len(), self.probes) == (other.words.len(), other.probes);
        if is_like {
            self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word |= other);
        }
        is_like
    }

    /// The bytes of the filter: the number of probes (4 bytes), then the bits in words of 8 bytes, little endian.
    pub fn to_bytes(&self) -> Vec<u8> {
        let words = self.words.iter().flat_map(|word| word.to_le_bytes());
        self.probes.to_le_bytes().into_iter().chain(words).collect()
    }

    /// The filter with these bytes; `None` if they are not those of a filter.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (probes, words) = bytes.split_first_chunk()?;
        let (words, rest) = words.as_chunks();
        let probes = u32::from_le_bytes(*probes);
        let is_whole = rest.is_empty() && !words.is_empty() && (1..=64).contains(&probes);
        is_whole.then(|| Self { words: words.iter().map(|&word| u64::from_le_bytes(word)).collect(), probes })
    }
}

/// The words and bits of a value.
fn places(value: &[u8], words: usize, probes: u32) -> impl Iterator<Item = (usize, u64)> {
    let first = HashKey::BATCH.token(value);
    let step = mix64(first) | 1;
    (0..u64::from(probes)).map(move |probe| {
        let hash = u128::from(first.wrapping_add(probe.wrapping_mul(step)));
        // A number below the number of bits.
        let place = (hash * (words as u128 * u128::from(u64::BITS))) >> u64::BITS;
        ((place >> 6) as usize, 1 << (place & 63))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_missed_and_others_are_found_at_the_requested_rate() {
        for (capacity, rate) in [(1u64, 0.5), (1000, 0.1), (20_000, 0.01), (5000, 0.0001)] {
            let mut filter = BloomFilter::new(capacity, rate).unwrap();
            let value = |number: u64| mix64(number).to_le_bytes();
            (0..capacity).for_each(|number| filter.insert(&value(number)));
            assert!((0..capacity).all(|number| filter.contains(&value(number))));
            let others = 200_000;
            let found = (capacity..capacity + others).filter(|&number| filter.contains(&value(number))).count() as f64;
            let expected = rate * others as f64;
            // The number of probes is whole, and words are; few values fill a filter by chance.
            let slack = if capacity == 1 { others as f64 } else { 0.1 * expected + 5.0 * expected.sqrt() + 1.0 };
            assert!(found <= expected + slack, "{capacity} {rate}: {found}, expected {expected}");
            assert_eq!(BloomFilter::from_bytes(&filter.to_bytes()).unwrap(), filter);
        }
    }

    #[test]
    fn values_with_equal_sums_are_distinguished() {
        let mut filter = BloomFilter::new(100, 1e-9).unwrap();
        filter.insert(&[1, 0, 3, 0]);
        assert!(!filter.contains(&[3, 0, 1, 0]) && !filter.contains(&[2, 0, 2, 0]));
    }

    #[test]
    fn filters_of_the_same_size_are_merged() {
        let with = |capacity: u64, value: u8| {
            let mut filter = BloomFilter::new(capacity, 1e-6).unwrap();
            filter.insert(&[value]);
            filter
        };
        let mut one = with(100, 1);
        assert!(one.merge(&with(100, 2)) && one.contains(&[1]) && one.contains(&[2]) && !one.contains(&[3]));
        assert!(!one.merge(&with(1000, 3)) && !one.contains(&[3]));
    }

    #[test]
    fn what_is_no_filter_is_refused() {
        assert!(matches!(BloomFilter::new(u64::MAX, 1e-300), Err(Error::FilterTooLarge { .. })));
        let bytes = BloomFilter::new(10, 0.1).unwrap().to_bytes();
        assert!(BloomFilter::from_bytes(&bytes[..bytes.len() - 1]).is_none());
        assert!(BloomFilter::from_bytes(&bytes[..4]).is_none() && BloomFilter::from_bytes(&[]).is_none());
        assert!(BloomFilter::from_bytes(&[&[0; 4], &bytes[4..]].concat()).is_none());
    }
}
