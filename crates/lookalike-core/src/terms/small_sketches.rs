//! Small norm sketches, side by side, by which two documents are compared with many.
//!
//! Their shares have 7 bits, so that a processor multiplies and adds 64 of them in one step. Rounded up, all that is
//! added would let half as many pairs again pass as need be. So they are rounded to the nearest x' and y', and what is
//! lost by that is bounded by Cauchy and Schwarz, where (z)+ has the positive components of z:
//!
//! ```text
//! x y = x' y' + (x - x') y' + x (y - y') <= x' y' + |(x - x')+| |y'| + |x| |(y - y')+|
//! ```
//!
//! The norm of x is 1, and that of y' at most 1 + sqrt(128) / 254. One more row of four numbers adds both losses to the
//! sum of products: those of the many are (loss of y, step, 0, 0), and those of the one (step, loss of x, 0, 0).

use super::dealing::{ABOVE_ROUNDINGS, Dealing};
use crate::base::DocId;
use crate::documents::{ElementSets, WeightedSet};
use crate::kernel::{LANES, LaneRow};
use crate::similarity::MANY;
use std::sync::OnceLock;

/// Documents whose sketches are made at a time.
pub(super) const CHUNK_DOCUMENTS: usize = MANY;
/// The share of the whole norm that stands for 1.
pub(super) const WHOLE: i8 = i8::MAX;
/// Buckets of a sketch.
const BUCKETS: usize = 128;
/// Rows of the sketches of [`LANES`] documents: their buckets, and their losses.
pub(super) const ROWS: usize = BUCKETS / 4 + 1;
/// Upper bound of the norm of rounded shares.
const MAX_NORM: f64 = 1.05;
/// The sum of products that a loss of 1 stands for; the largest loss, 755, in such steps has to fit 7 bits.
const STEP: i8 = 8;

/// The sketch of a document that is compared with many.
pub(super) type SmallSketch = [[i8; 4]; ROWS];

/// The small sketches of all documents; each chunk made when it is first needed.
#[derive(Debug)]
pub(super) struct SmallSketches {
    /// [`ROWS`] rows of each [`LANES`] consecutive documents; zeros after the last document.
    chunks: Vec<OnceLock<Vec<LaneRow>>>,
    dealing: OnceLock<Dealing>,
}

impl SmallSketches {
    /// Size in bytes of a sketch.
    pub(super) const BYTES: usize = 4 * ROWS;

    /// No sketches yet.
    pub(super) fn new(sets: &ElementSets) -> Self {
        let chunks = (0..sets.len().div_ceil(CHUNK_DOCUMENTS)).map(|_| OnceLock::new()).collect();
        Self { chunks, dealing: OnceLock::new() }
    }

    /// The rows of the `number`-th chunk of documents.
    pub(super) fn chunk(&self, sets: &ElementSets, number: usize) -> &[LaneRow] {
        self.chunks[number].get_or_init(|| {
            let first = number * CHUNK_DOCUMENTS;
            let documents = sets.len().min(first + CHUNK_DOCUMENTS) - first;
            let mut rows = vec![LaneRow::ZERO; documents.div_ceil(LANES) * ROWS];
            let dealing = self.dealing.get_or_init(|| Dealing::new(sets, BUCKETS));
            let mut squares = vec![0; BUCKETS];
            let mut sketch = Vec::new();
            for place in 0..documents {
                sketch.clear();
                append_sketch(sets.weighted(DocId((first + place) as u32)), dealing, &mut squares, &mut sketch);
                let of_group = &mut rows[place / LANES * ROWS..];
                of_group.iter_mut().zip(sketch.as_chunks().0).for_each(|(row, &four)| row.0[place % LANES] = four);
            }
            rows
        })
    }

    /// The sketch of a document that is compared with many.
    pub(super) fn get(&self, sets: &ElementSets, document: DocId) -> SmallSketch {
        let chunk = document.index() / CHUNK_DOCUMENTS;
        let place = document.index() % CHUNK_DOCUMENTS;
        let of_group = &self.chunk(sets, chunk)[place / LANES * ROWS..];
        let mut sketch = std::array::from_fn(|row| of_group[row].0[place % LANES]);
        sketch[ROWS - 1].swap(0, 1);
        sketch
    }
}

/// Appends the sketch of a set as one of many; `squares` is scratch memory, with a place for each bucket.
fn append_sketch(set: WeightedSet<'_>, dealing: &Dealing, squares: &mut [u64], sketch: &mut Vec<i8>) {
    let whole = f64::from(WHOLE);
    let mut lost: f64 = 0.0;
    for share in dealing.shares(set, squares) {
        let exact = share * whole * ABOVE_ROUNDINGS;
        let rounded = exact.round().min(whole);
        lost += (exact - rounded).max(0.0).powi(2);
        sketch.push(rounded as i8);
    }
    let loss = lost.sqrt() * whole * MAX_NORM / f64::from(STEP);
    sketch.extend([loss.ceil() as i8, STEP, 0, 0]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::hash::mix64;
    use proptest::prelude::{prop_assert, proptest};

    proptest! {
        /// The sum of products of two sketches is at least the one of their exact shares.
        #[test]
        fn no_product_is_above_its_bound(
            sets in proptest::array::uniform2(proptest::collection::vec((0u64..300, 1u32..2000), 1..250)),
        ) {
            let hashed = sets.map(|set| set.into_iter().map(|(term, count)| (mix64(term), count)));
            let sets = ElementSets::of_counted(hashed);
            let sketches = SmallSketches::new(&sets);
            let dealing = Dealing::new(&sets, BUCKETS);
            let exact = |document| dealing.shares(sets.weighted(document), &mut [0; BUCKETS]).collect::<Vec<_>>();
            for pair in [[DocId(0), DocId(1)], [DocId(1), DocId(0)], [DocId(0), DocId(0)]] {
                let [a, b] = pair.map(exact);
                let product: f64 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
                let of_many = |row: usize| sketches.chunk(&sets, 0)[row].0[pair[1].index()];
                let one = sketches.get(&sets, pair[0]);
                let numbers = one.into_iter().flatten().zip((0..ROWS).flat_map(of_many));
                let bound: i32 = numbers.map(|(a, b)| i32::from(a) * i32::from(b)).sum();
                let whole = f64::from(WHOLE).powi(2);
                prop_assert!(f64::from(bound) >= product * whole - 1e-3, "{bound} {}", product * whole);
                prop_assert!(f64::from(bound) <= product * whole + 0.12 * whole, "{bound} {}", product * whole);
            }
        }
    }

    #[test]
    fn the_largest_loss_fits() {
        // All shares are as far below the next half as they can be, but for the norm: sqrt(128) / 2 in 127ths.
        let loss = (BUCKETS as f64).sqrt() / 2.0 * f64::from(WHOLE) * MAX_NORM / f64::from(STEP);
        assert!(loss.ceil() <= f64::from(i8::MAX), "{loss}");
        assert!(1.0 + (BUCKETS as f64).sqrt() / 2.0 / f64::from(WHOLE) < MAX_NORM);
    }
}
