//! Vectors that are compared with many others, in blocks: most pairs are refused by a product of 32 bits.
//!
//! Four vectors are multiplied with 64 that stand side by side ([`crate::kernel`]); a product of that precision is
//! off by no more than a bound, so one that is below what near-duplicates need, by more than the bound, is a proof.
//! What is left is verified by sums of 64 bits like any candidate. With squared norms X and Y, and the error e:
//!
//! ```text
//! cosine      of unit vectors: x.y >= t      needs    product >= t - e
//! distance    X + Y - 2 x.y <= R^2           needs    product >= (X + Y - R^2) / 2 - e (X + Y) / 2
//! ```

use crate::base::DocId;
use crate::documents::{ElementSets, Vector};
use crate::kernel::{Kernel, ROWS, Rounding, TILE_LANES, Tile};
use crate::similarity::{Algebra, CandidatePair, Limit};

/// Vectors that are compared with many.
#[derive(Debug)]
pub(super) struct VectorBlock<'a, M> {
    sets: &'a ElementSets,
    measure: M,
    kernel: Kernel,
    documents: Vec<DocId>,
    /// The vectors, scaled, one after the other, up to a multiple of [`ROWS`].
    rows: Vec<f32>,
    /// One entry for each vector: its part of what a product needs at least.
    needed: Vec<f32>,
    /// One entry for each vector: its squared norm, as it is scaled.
    squared_norms: Vec<f64>,
    products: Products,
    /// The vectors side by side that these are multiplied with, and by each its part of what is needed.
    tile: Tile,
    needed_of_tile: Vec<f32>,
}

impl<'a, M: VectorMeasure> VectorBlock<'a, M> {
    /// An empty block of these vectors.
    pub(super) fn new(sets: &'a ElementSets, measure: M, kernel: Kernel) -> Self {
        Self {
            sets,
            measure,
            kernel,
            documents: Vec::new(),
            rows: Vec::new(),
            needed: Vec::new(),
            squared_norms: Vec::new(),
            products: Products::default(),
            tile: Tile::default(),
            needed_of_tile: Vec::new(),
        }
    }

    /// Takes these documents in place of the ones before.
    pub(super) fn fill(&mut self, documents: &[DocId]) {
        self.documents.clear();
        self.documents.extend_from_slice(documents);
        let sets = self.sets;
        let vectors = || documents.iter().map(|&document| Vector::from_words(sets.get(document).elements()));
        let dimensions = vectors().flatten().map(Vector::dimensions).max().unwrap_or(0);
        let largest = vectors().flatten().map(Vector::squared_norm).fold(0.0, f64::max).sqrt();
        let scale = if largest > 0.0 { 1.0 / largest } else { 1.0 };
        self.products = Products { dimensions, scale };
        self.rows.clear();
        self.squared_norms.clear();
        for (number, vector) in vectors().enumerate() {
            if let Some(vector) = vector {
                let scale = self.measure.scale(vector, self.products);
                self.rows.extend(vector.components().iter().map(|&component| (f64::from(component) * scale) as f32));
                self.squared_norms.push(vector.squared_norm() * scale * scale);
            } else {
                self.squared_norms.push(0.0);
            }
            self.rows.resize((number + 1) * dimensions, 0.0);
        }
        self.rows.resize(documents.len().next_multiple_of(ROWS) * dimensions, 0.0);
        self.needed.clear();
        self.needed.resize(documents.len().next_multiple_of(ROWS), f32::INFINITY);
        (0..documents.len()).for_each(|place| self.limit(place, self.measure));
    }

    /// Looks for documents that are near to the one in this place by `measure`: that of the block, or a stricter one.
    fn limit(&mut self, place: usize, measure: M) {
        self.needed[place] = measure.needed(self.squared_norms[place], self.products);
    }

    /// Leaves documents of less than this similarity to the one in this place out, as far as products tell.
    pub(super) fn raise(&mut self, place: usize, similarity: f64) {
        self.limit(place, self.measure.with_limit(self.measure.raised_limit(similarity)));
    }

    /// Appends the pairs of each of `others` and a document of the block that may be near to it; a document is not near
    /// to itself.
    pub(super) fn find_near(&mut self, others: &[DocId], near: &mut Vec<CandidatePair>) {
        let mut out = [[0.0; TILE_LANES]; ROWS];
        let dimensions = self.products.dimensions;
        for many in others.chunks(TILE_LANES) {
            self.fill_tile(many);
            let Self { documents, rows, needed, tile, needed_of_tile, kernel, .. } = &*self;
            for (four, vectors) in rows.chunks_exact((ROWS * dimensions).max(1)).enumerate() {
                let vectors = std::array::from_fn(|row| &vectors[row * dimensions..(row + 1) * dimensions]);
                kernel.products(vectors, tile, Rounding::Free, &mut out);
                for (row, products) in (four * ROWS..documents.len()).zip(&out) {
                    // NaN proves nothing, neither as a product nor as a sum of infinities.
                    let is_near = |lane: usize| {
                        let is_far = products[lane] < needed[row] + needed_of_tile[lane];
                        !is_far
                    };
                    // Counted first, which takes no branches: most rows have none.
                    let count: u32 = (0..TILE_LANES).map(|lane| u32::from(is_near(lane))).sum();
                    if count == 0 {
                        continue;
                    }
                    let document = documents[row];
                    let of_row = many.iter().enumerate().filter(|&(lane, &other)| is_near(lane) && other != document);
                    near.extend(of_row.map(|(_, &other)| CandidatePair { a: other, b: document }));
                }
            }
        }
    }

    fn fill_tile(&mut self, many: &[DocId]) {
        let sets = self.sets;
        let products = self.products;
        let vector = |document: &DocId| Vector::from_words(sets.get(*document).elements());
        let needed = |vector: Option<Vector<'_>>| match vector {
            None => f32::INFINITY,
            Some(vector) => self.measure.needed_of_other(vector.squared_norm(), products),
        };
        self.needed_of_tile.clear();
        self.needed_of_tile.extend(many.iter().map(|document| needed(vector(document))));
        self.needed_of_tile.resize(TILE_LANES, f32::INFINITY);
        let scaled = |document| {
            let vector = vector(document);
            let scale = vector.map_or(1.0, |vector| self.measure.scale(vector, products));
            (vector.map_or(&[][..], Vector::components), scale)
        };
        let vectors: Vec<(&[f32], f64)> = many.iter().map(scaled).collect();
        self.tile.fill(products.dimensions, vectors.into_iter());
    }
}

/// A measure of vectors. A pair is refused if its product is below the sum of what both vectors need; the defaults
/// refuse none.
pub(crate) trait VectorMeasure: Algebra + Copy {
    /// Returns this measure with a limit of its own figure.
    fn with_limit(self, limit: Limit) -> Self;

    /// Factor by which a vector is multiplied before its products are computed.
    fn scale(&self, _vector: Vector<'_>, products: Products) -> f64 {
        products.scale
    }

    /// Part of the minimum product of near vectors that follows from a vector of the block, of this squared norm after
    /// scaling.
    fn needed(&self, _squared_norm: f64, _products: Products) -> f32 {
        f32::NEG_INFINITY
    }

    /// Part of it that follows from a vector outside the block, of this squared norm before scaling.
    fn needed_of_other(&self, _squared_norm: f64, _products: Products) -> f32 {
        0.0
    }
}

/// The products of the vectors of a block.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Products {
    /// Number of components of each vector.
    pub(super) dimensions: usize,
    /// Common factor of all vectors, unless their measure has one of its own: so that numbers stay small.
    pub(super) scale: f64,
}

impl Products {
    /// Maximum error of a product, as a share of the mean of both squared norms.
    pub(super) fn error(self) -> f64 {
        f64::from(Tile::max_error(self.dimensions))
    }

    /// Half a squared norm, less by what a product may be off.
    pub(super) fn half_of(self, squared_norm: f64) -> f64 {
        let smallest = self.dimensions as f64 * f64::from(f32::MIN_POSITIVE);
        squared_norm * (0.5 - self.error()) - smallest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::{Features, Measure, MeasuredSpace};
    use crate::documents::{Content, ElementSets};
    use crate::kernel::Kernel;
    use crate::similarity::CandidatePair;
    use crate::vectors::{Euclidean, VectorCosine};
    use proptest::prelude::{any, prop_assert, proptest};
    use std::collections::BTreeSet;

    fn vectors(components: &[Vec<f32>]) -> ElementSets {
        let mut sets = ElementSets::new();
        let mut extractor = Features::Vector.extractor(Kernel::detect());
        for vector in components {
            extractor.push(Content::Vector(vector.into()), &mut sets).unwrap();
        }
        sets
    }

    /// The pairs of the documents of a block and all others that products do not refuse.
    fn found_by_block(space: &MeasuredSpace<'_>, block: &[DocId]) -> BTreeSet<CandidatePair> {
        let verifier = space.verifier();
        let all: Vec<DocId> = DocId::all(verifier.sets().len()).collect();
        let mut of_block = verifier.block();
        of_block.fill(block);
        let mut found = Vec::new();
        of_block.find_near(&all, &mut found);
        found.into_iter().collect()
    }

    proptest! {
        /// Near pairs are found, whatever the size of the numbers.
        #[test]
        fn no_near_pair_is_refused(
            small in proptest::collection::vec(proptest::collection::vec(-3i8..=3, 5), 1..150),
            exponent in -60i32..60, is_cosine in any::<bool>(), limit in 1u32..=10,
        ) {
            let size = 2f32.powi(exponent);
            let components: Vec<Vec<f32>> =
                small.iter().map(|vector| vector.iter().map(|&number| f32::from(number) * size).collect()).collect();
            let sets = vectors(&components);
            let measure = if is_cosine {
                Measure::VectorCosine(VectorCosine { threshold: (f64::from(limit) / 10.0).try_into().unwrap() })
            } else {
                let distance = (f64::from(limit).sqrt() * f64::from(size)).try_into().unwrap();
                Measure::Euclidean(Euclidean { distance })
            };
            let block: Vec<DocId> = DocId::all(sets.len()).step_by(3).collect();
            for &kernel in Kernel::available() {
                let space = measure.space(&sets, kernel);
                let found = found_by_block(&space, &block);
                for &document in &block {
                    for other in DocId::all(sets.len()).filter(|&other| other != document) {
                        let pair = CandidatePair { a: other, b: document };
                        let is_near = space.verifier().verify(pair).is_some();
                        prop_assert!(!is_near || found.contains(&pair), "{:?}", kernel);
                    }
                }
            }
        }
    }

    /// Large ones overflow in a block of small vectors, and small ones vanish in a block of large ones.
    #[test]
    fn no_near_pair_is_refused_among_numbers_of_all_sizes() {
        let numbers = [2.0, 1e-25, 1e24, 1e-45, 3e38, 0.0, -2.0, 5e-20, 1e12, 3.0, -3e38, 1.5];
        let components: Vec<Vec<f32>> = numbers.iter().map(|&number| vec![number, number / 2.0]).collect();
        let sets = vectors(&components);
        let all: Vec<DocId> = DocId::all(sets.len()).collect();
        for distance in [5.0, 1e-24, 1e25, 1e-45, 3e38] {
            let measure = Measure::Euclidean(Euclidean { distance: distance.try_into().unwrap() });
            for (&kernel, size) in Kernel::available().iter().flat_map(|kernel| (1..=4).map(move |size| (kernel, size)))
            {
                let space = measure.space(&sets, kernel);
                for block in all.chunks(size) {
                    let found = found_by_block(&space, block);
                    let pairs = block.iter().flat_map(|&b| all.iter().map(move |&a| CandidatePair { a, b }));
                    for pair in pairs.filter(|pair| pair.a != pair.b) {
                        let is_near = space.verifier().verify(pair).is_some();
                        assert!(!is_near || found.contains(&pair), "{pair:?} within {distance}, {kernel:?}");
                    }
                }
            }
        }
    }
}
