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

use super::ProductMeasure;
use crate::documents::{ElementSets, Vector};
use crate::ground::DocId;
use crate::kernel::{Kernel, ROWS, Rounding, TILE_LANES, Tile};

/// Vectors that are compared with many.
#[derive(Debug, Clone, Default)]
pub struct VectorBlock {
    documents: Vec<DocId>,
    /// The measure by which they are compared; `None` for one that products tell nothing of.
    measure: Option<ProductMeasure>,
    dimensions: usize,
    /// The vectors, scaled, one after the other, up to a multiple of [`ROWS`].
    rows: Vec<f32>,
    /// By vector: its part of what a product needs at least.
    needed: Vec<f32>,
    /// By vector: its squared norm, as it is scaled.
    squared_norms: Vec<f64>,
    /// What all vectors are multiplied with, for distances: so that numbers stay small.
    scale: f64,
    /// The vectors side by side that these are multiplied with, and by each its part of what is needed.
    tile: Tile,
    needed_of_tile: Vec<f32>,
}

impl VectorBlock {
    /// Fills the block with these documents of `sets`; without a measure that products tell, no pair is refused.
    pub fn fill(&mut self, sets: &ElementSets, measure: Option<ProductMeasure>, documents: &[DocId]) {
        self.measure = measure;
        self.documents.clear();
        self.documents.extend_from_slice(documents);
        let vectors = || documents.iter().map(|&document| Vector::of(sets.get(document).elements()));
        self.dimensions = vectors().flatten().map(Vector::dimensions).max().unwrap_or(0);
        let largest = vectors().flatten().map(Vector::squared_norm).fold(0.0, f64::max).sqrt();
        self.scale = if largest > 0.0 { 1.0 / largest } else { 1.0 };
        self.rows.clear();
        self.squared_norms.clear();
        for (number, vector) in vectors().enumerate() {
            if let Some(vector) = vector {
                let scale = self.scale_of(vector);
                self.rows.extend(vector.components().iter().map(|&component| (f64::from(component) * scale) as f32));
                self.squared_norms.push(vector.squared_norm() * scale * scale);
            } else {
                self.squared_norms.push(0.0);
            }
            self.rows.resize((number + 1) * self.dimensions, 0.0);
        }
        self.rows.resize(documents.len().next_multiple_of(ROWS) * self.dimensions, 0.0);
        self.needed.clear();
        self.needed.resize(documents.len().next_multiple_of(ROWS), f32::INFINITY);
        (0..documents.len()).for_each(|row| self.limit(row, measure));
    }

    /// Number of the documents.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// What a vector is multiplied with: of cosines its direction is compared.
    fn scale_of(&self, vector: Vector<'_>) -> f64 {
        match self.measure {
            Some(ProductMeasure::Cosine(_)) if vector.squared_norm() > 0.0 => 1.0 / vector.squared_norm().sqrt(),
            _ => self.scale,
        }
    }

    /// Looks for documents that are near to the one in this row by `measure`: that of the block, or a stricter one.
    pub fn limit(&mut self, row: usize, measure: Option<ProductMeasure>) {
        self.needed[row] = match measure {
            Some(ProductMeasure::Cosine(cosine)) => (cosine.threshold.as_f64() - 2.0 * self.error()) as f32,
            Some(ProductMeasure::Euclidean(euclidean)) => {
                let within = (euclidean.distance.as_f64() * self.scale).powi(2);
                (self.half_of(self.squared_norms[row]) - within * (0.5 + 4.0 * f64::from(f32::EPSILON))) as f32
            }
            None => f32::NEG_INFINITY,
        };
    }

    /// Half a squared norm, less by what a product may be off.
    fn half_of(&self, squared_norm: f64) -> f64 {
        let smallest = self.dimensions as f64 * f64::from(f32::MIN_POSITIVE);
        squared_norm * (0.5 - self.error()) - smallest
    }

    fn error(&self) -> f64 {
        f64::from(Tile::max_error(self.dimensions))
    }

    /// Calls `found` with the row of a document of the block and each of `others`, which are of the same sets, that may
    /// be near to it; a document is not near to itself.
    pub fn find_near(
        &mut self,
        kernel: Kernel,
        sets: &ElementSets,
        others: &[DocId],
        mut found: impl FnMut(usize, DocId),
    ) {
        let mut out = [[0.0; TILE_LANES]; ROWS];
        for many in others.chunks(TILE_LANES) {
            self.fill_tile(sets, many);
            let Self { documents, dimensions, rows, needed, tile, needed_of_tile, .. } = &*self;
            for (four, vectors) in rows.chunks_exact((ROWS * dimensions).max(1)).enumerate() {
                let vectors = std::array::from_fn(|row| &vectors[row * dimensions..(row + 1) * dimensions]);
                kernel.products(vectors, tile, Rounding::Free, &mut out);
                for (row, products) in (four * ROWS..documents.len()).zip(&out) {
                    // What is no number proves nothing, neither a product nor a sum of infinities.
                    let near = |lane: usize| {
                        let is_far = products[lane] < needed[row] + needed_of_tile[lane];
                        !is_far
                    };
                    // Counted first, which takes no branches: most rows have none.
                    let count: u32 = (0..TILE_LANES).map(|lane| u32::from(near(lane))).sum();
                    if count == 0 {
                        continue;
                    }
                    let near = many.iter().enumerate().filter(|&(lane, _)| near(lane)).map(|(_, &document)| document);
                    near.filter(|&document| document != documents[row]).for_each(|document| found(row, document));
                }
            }
        }
    }

    fn fill_tile(&mut self, sets: &ElementSets, many: &[DocId]) {
        let vector = |document: &DocId| Vector::of(sets.get(*document).elements());
        self.needed_of_tile.clear();
        let needed = |vector: Option<Vector<'_>>| match (self.measure, vector) {
            (_, None) => f32::INFINITY,
            (Some(ProductMeasure::Euclidean(_)), Some(vector)) => {
                self.half_of(vector.squared_norm() * self.scale * self.scale) as f32
            }
            (_, Some(_)) => 0.0,
        };
        let needed: Vec<f32> = many.iter().map(|document| needed(vector(document))).collect();
        self.needed_of_tile.extend(needed);
        self.needed_of_tile.resize(TILE_LANES, f32::INFINITY);
        let scaled = |document| {
            let vector = vector(document);
            let scale = vector.map_or(1.0, |vector| self.scale_of(vector));
            (vector.map_or(&[][..], Vector::components), scale)
        };
        let vectors: Vec<(&[f32], f64)> = many.iter().map(scaled).collect();
        self.tile.fill(self.dimensions, vectors.into_iter());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::{Features, Measure, Verifier};
    use crate::documents::{Content, ElementSets};
    use crate::kernel::Kernel;
    use crate::similarity::CandidatePair;
    use crate::vectors::{Euclidean, VectorCosine};
    use proptest::prelude::{any, prop_assert, proptest};
    use std::collections::BTreeSet;

    fn vectors(components: &[Vec<f32>]) -> ElementSets {
        let (mut sets, mut extractor) = (ElementSets::new(), Features::Vector.extractor(Kernel::detect()));
        for vector in components {
            extractor.push(Content::Vector(vector.into()), &mut sets).unwrap();
        }
        sets
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
                let verifier = Verifier::new(&sets, measure, kernel);
                let mut rows = VectorBlock::default();
                rows.fill(&sets, measure.by_products(), &block);
                let mut found = BTreeSet::new();
                let all: Vec<DocId> = DocId::all(sets.len()).collect();
                rows.find_near(kernel, &sets, &all, |row, other| {
                    found.insert((row, other));
                });
                for (row, &document) in block.iter().enumerate() {
                    for other in DocId::all(sets.len()).filter(|&other| other != document) {
                        let is_near = verifier.verify(CandidatePair { a: document, b: other }).is_some();
                        prop_assert!(!is_near || found.contains(&(row, other)), "{:?}", kernel);
                    }
                }
            }
        }
    }

    /// In a block of small vectors large ones overflow, and small ones vanish in a block of large ones.
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
                let verifier = Verifier::new(&sets, measure, kernel);
                for block in all.chunks(size) {
                    let mut rows = VectorBlock::default();
                    rows.fill(&sets, measure.by_products(), block);
                    let mut found = BTreeSet::new();
                    rows.find_near(kernel, &sets, &all, |row, other| {
                        found.insert((block[row], other));
                    });
                    let pairs = block.iter().flat_map(|&a| all.iter().map(move |&b| (a, b)));
                    for (a, b) in pairs.filter(|(a, b)| a != b) {
                        let is_near = verifier.verify(CandidatePair { a, b }).is_some();
                        assert!(!is_near || found.contains(&(a, b)), "{a:?} {b:?} within {distance}, {kernel:?}");
                    }
                }
            }
        }
    }
}
