//! Odd sketches: a second filter, which refuses most candidates without reading their sets.
//!
//! The odd sketch of a set is a bit map in which each element turns one bit over (Mitzenmacher, Pagh, Pham, "Efficient
//! estimation for high similarities using odd sketches", WWW 2014). Common elements turn the same bits over, so in the
//! exclusive or of two sketches only the elements of one set are left, and each of them accounts for one bit at most:
//!
//! ```text
//! A = {a b c d}    1 0 1 0 0 1 1 0                the bits of a b c d
//! B = {a b c e}    1 0 1 0 0 0 1 1                the bits of a b c e
//! A xor B          0 0 0 0 0 1 0 1                2 bits <= |{d e}| = |A - B| + |B - A|
//! ```
//!
//! The paper estimates similarities by that number. Here it is a proof: two sets whose sketches differ in more bits
//! than near-duplicates of these sizes have elements that are not common are no near-duplicates. So no answer depends
//! on sketches, nor on when they are made.
//!
//! They are made once they are worth it: when the sets of the pairs that exact checks have refused have as many
//! elements as there are in all. Most corpora have few such checks and never get there. Then each chunk of documents
//! gets its sketches when one of them is first needed.

use crate::base::DocId;
use crate::documents::{ElementSet, ElementSets};
use crate::kernel::Kernel;
use crate::keys::Bounds;
use crate::similarity::{SketchMemory, SketchWorth};
use std::ops::Range;
use std::sync::OnceLock;

/// Documents whose sketches are made at a time.
const CHUNK_DOCUMENTS: usize = 256;
/// Bits of a sketch per element that near-duplicates of equal size may differ in. With eight, pairs with 1.15 times as
/// many such elements are refused as a rule, because few bits are turned over twice.
const BITS_PER_DIFFERENCE: usize = 8;
/// Bits in a word of a sketch.
const WORD_BITS: usize = u64::BITS as usize;

/// The odd sketches of the documents of one search, made when they are worth it; shared by all threads.
#[derive(Debug)]
pub struct OddSketches {
    made: OnceLock<SketchChunks>,
    /// Maximum number of words, not counting one for each document.
    max_words: usize,
    worth: SketchWorth,
}

/// Sketches that are in use.
#[derive(Debug)]
struct SketchChunks {
    chunks: Vec<OnceLock<SketchChunk>>,
    /// Powers of two by which sketches are smaller than they should be, because memory is limited.
    halvings: u32,
}

/// The sketches of consecutive documents.
#[derive(Debug)]
struct SketchChunk {
    words: Vec<u64>,
    /// Begins of the words of each document, then the total.
    starts: Vec<usize>,
}

impl OddSketches {
    /// No sketches yet for the documents of `sets`, of at most `max_bytes` together. They are smaller than they should
    /// be where memory is short, and refuse less then.
    pub fn new(sets: &ElementSets, max_bytes: usize) -> Self {
        let max_words = (max_bytes / size_of::<u64>()).saturating_sub(2 * sets.len());
        let memory = if max_words > 0 { SketchMemory::Available } else { SketchMemory::Missing };
        let worth = SketchWorth::new(sets, memory);
        Self { made: OnceLock::new(), max_words, worth }
    }

    /// Words of the sketch of a set of `size` elements, for an index that stores sketches beside sets: a power of two,
    /// or 0 for measures that no sketch of elements serves.
    pub fn words_of(bounds: impl Bounds, size: usize) -> usize {
        if bounds.bounds_overlap() { words_for(&bounds, size, 0) } else { 0 }
    }

    /// Minimum number of elements that are in one of two sets and not in the other, by their sketches, each of a power
    /// of two of words.
    #[inline]
    pub fn min_difference(kernel: Kernel, [a, b]: [&[u64]; 2]) -> u32 {
        let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
        kernel.count_differing_bits(short, long)
    }

    /// Turns over the bits of the elements of a set; the number of words is a power of two.
    pub fn toggle(words: &mut [u64], set: ElementSet<'_>) {
        toggle_bits(words, set);
    }

    /// Returns whether the sketches are worth being built and used.
    #[inline]
    pub(crate) fn are_in_use(&self) -> bool {
        self.worth.is_reached()
    }

    /// Counts an exact check that has refused a pair; its sets have `elements` together.
    pub(crate) fn note_refusal(&self, elements: usize) {
        self.worth.note_refusal(elements);
    }

    /// Foretells what [`OddSketches::refuse`] returns for two documents, for an estimate: no sketches are kept, and
    /// memory is not limited.
    pub(crate) fn would_refuse(&self, sets: &ElementSets, bounds: &impl Bounds, pair: [DocId; 2]) -> bool {
        let Some(max_difference) = bounds.max_difference(sets.size(pair[0]), sets.size(pair[1])) else { return true };
        let words = words_for(bounds, pair.map(|document| sets.size(document)).into_iter().min().unwrap_or(0), 0);
        let mut sketch = vec![0; words];
        pair.into_iter().for_each(|document| toggle_bits(&mut sketch, sets.get(document)));
        sketch.iter().map(|word| word.count_ones() as usize).sum::<usize>() > max_difference
    }

    /// Returns whether two documents are no near-duplicates by their sketches; never true for near-duplicates.
    pub(crate) fn refuse(&self, sets: &ElementSets, bounds: &impl Bounds, kernel: Kernel, pair: [DocId; 2]) -> bool {
        let [left, right] = pair.map(|document| sets.size(document));
        let Some(max_difference) = bounds.max_difference(left, right) else { return true };
        let sketches = self.made.get_or_init(|| SketchChunks::new(sets, bounds, self.max_words));
        let both = pair.map(|document| sketches.get(sets, bounds, document));
        Self::min_difference(kernel, both) as usize > max_difference
    }
}

impl SketchChunks {
    fn new(sets: &ElementSets, bounds: &impl Bounds, max_words: usize) -> Self {
        let unlimited: usize = DocId::all(sets.len()).map(|document| words_for(bounds, sets.size(document), 0)).sum();
        let halvings = unlimited.div_ceil(max_words.max(1)).next_power_of_two().trailing_zeros();
        Self { chunks: (0..sets.len().div_ceil(CHUNK_DOCUMENTS)).map(|_| OnceLock::new()).collect(), halvings }
    }

    fn get(&self, sets: &ElementSets, bounds: &impl Bounds, document: DocId) -> &[u64] {
        let chunk = document.index() / CHUNK_DOCUMENTS;
        let documents = chunk * CHUNK_DOCUMENTS..sets.len().min((chunk + 1) * CHUNK_DOCUMENTS);
        let first = documents.start;
        let made = self.chunks[chunk]
            .get_or_init(|| SketchChunk::make(sets, documents, |size| words_for(bounds, size, self.halvings)));
        made.sketch(document.index() - first)
    }
}

impl SketchChunk {
    /// The sketches of `documents`, with `words_for` words for a set of the given size.
    fn make(sets: &ElementSets, documents: Range<usize>, words_for: impl Fn(usize) -> usize) -> Self {
        let mut words = Vec::new();
        let mut starts = vec![0];
        for document in documents.map(|index| DocId(index as u32)) {
            let set = sets.get(document);
            let begin = words.len();
            words.resize(begin + words_for(set.len()), 0);
            toggle_bits(&mut words[begin..], set);
            starts.push(words.len());
        }
        words.shrink_to_fit();
        Self { words, starts }
    }

    fn sketch(&self, number: usize) -> &[u64] {
        &self.words[self.starts[number]..self.starts[number + 1]]
    }
}

/// Words of the sketch of a set of `size` elements: a power of two, so that a long sketch folds to a short one.
fn words_for(bounds: &impl Bounds, size: usize, halvings: u32) -> usize {
    let differing = bounds.max_difference(size, size).unwrap_or(0);
    // Low thresholds let sets differ much: two to four bits an element are enough to refuse those without anything in
    // common.
    let bits = (BITS_PER_DIFFERENCE * differing).min(2 * size).next_power_of_two();
    ((bits / WORD_BITS) >> halvings).max(1)
}

/// Toggles one bit for each element; the number of words is a power of two.
fn toggle_bits(words: &mut [u64], set: ElementSet<'_>) {
    let mask = words.len() - 1;
    for &element in set.iter() {
        // Hashes of 32 bits have an upper half only.
        let bit = element.rotate_left(32) as usize;
        words[(bit / WORD_BITS) & mask] ^= 1 << (bit % WORD_BITS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::hash::mix64;
    use crate::comparison::Measure;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    fn sets_of(sets: &[Vec<u64>]) -> ElementSets {
        sets.iter().map(|set| set.iter().copied().map(mix64).collect()).collect()
    }

    fn measure(percent: u32) -> Measure {
        Measure::jaccard((f64::from(percent) / 100.0).try_into().unwrap())
    }

    proptest! {
        /// Families of sets, so that pairs around the threshold are common.
        #[test]
        fn no_near_duplicate_is_refused(
            size in 1u64..700, edits in proptest::collection::vec((0u64..120, 0u64..200), 2..6), percent in 1u32..=100,
            max_bytes in 0usize..4000,
        ) {
            let measure = measure(percent);
            let mut own = 1000..;
            let family: Vec<Vec<u64>> = edits
                .iter()
                .map(|&(new, without)| (without.min(size)..size).chain(own.by_ref().take(new as usize)).collect())
                .collect();
            let sets = sets_of(&family);
            let sketches = OddSketches::new(&sets, max_bytes);
            for a in DocId::all(sets.len()) {
                for b in DocId::all(sets.len()) {
                    let near = measure.algebra().verify(Kernel::Scalar, sets.get(a), sets.get(b)).is_some();
                    for &kernel in Kernel::available() {
                        let are_made = sketches.worth.is_ever_reached();
                        let is_refused = are_made && sketches.refuse(&sets, &measure, kernel, [a, b]);
                        prop_assert!(!(near && is_refused), "{} and {} elements", sets.size(a), sets.size(b));
                    }
                }
            }
        }

        #[test]
        fn memory_is_kept(sizes in proptest::collection::vec(0u64..3000, 1..400), max_bytes in 0usize..200_000) {
            let sets = sets_of(&sizes.iter().map(|&size| (0..size).collect()).collect::<Vec<_>>());
            let sketches = OddSketches::new(&sets, max_bytes);
            if sketches.worth.is_ever_reached() {
                let made = SketchChunks::new(&sets, &measure(80), sketches.max_words);
                // The starts of the words are counted, too.
                let words: usize = DocId::all(sets.len()).map(|d| made.get(&sets, &measure(80), d).len() + 1).sum();
                prop_assert!(words * size_of::<u64>() <= max_bytes, "{}", words * size_of::<u64>());
            }
        }

        #[test]
        fn long_sketches_fold_to_short_ones(elements in proptest::collection::vec(0u64..u64::MAX, 0..300)) {
            let mut sorted = elements;
            sorted.sort_unstable();
            sorted.dedup();
            let set = ElementSet::new(&sorted).unwrap();
            let sketch = |words| {
                let mut sketch = vec![0; words];
                toggle_bits(&mut sketch, set);
                sketch
            };
            for &kernel in Kernel::available() {
                for words in [1, 2, 4, 8, 16, 64] {
                    prop_assert_eq!(kernel.count_differing_bits(&sketch(words), &sketch(64)), 0);
                }
            }
        }
    }

    #[test]
    fn pairs_a_little_below_the_threshold_are_refused() {
        // 300 common and 40 own elements: 80 differ, of 75 at most.
        let with_own = |number: u64| (0..300).chain(number * 1000..number * 1000 + 40).collect::<Vec<u64>>();
        let wide = sets_of(&(1..200).map(with_own).collect::<Vec<_>>());
        let narrow: ElementSets =
            wide.iter().map(|set| set.iter().map(|&e| e & !0 << 32).collect::<Vec<_>>()).collect();
        for sets in [wide, narrow] {
            let sketches = OddSketches::new(&sets, usize::MAX);
            let pairs = (1..sets.len() as u32).map(|b| [DocId(0), DocId(b)]);
            let refused = pairs.filter(|&pair| sketches.refuse(&sets, &measure(82), Kernel::detect(), pair)).count();
            assert!(refused > 150, "{refused} of 198");
        }
    }
}
