//! The blocking keys of vectors: bands of their projections.
//!
//! Vectors are multiplied with 64 planes at a time, which stay in the cache while a block of vectors passes, four of
//! them at a time.

use super::spread::scale_of;
use super::{Projected, ProjectionPlan};
use crate::base::hash::{SplitMix64, hash_sequence};
use crate::documents::Vector;
use crate::kernel::{Kernel, ROWS, Rounding, TILE_LANES, Tile};
use crate::keys::{Banding, BlockingKey, BlockingKeys, bits_at};
use crate::vectors::PlaneBits;
use std::sync::Arc;

/// Vectors whose products are held at a time.
const BLOCK_DOCUMENTS: usize = 64;
/// Source of the key of vectors close to the mean, in place of the number of a band.
const CLOSE_TO_MEAN: u64 = u64::MAX;

/// Computes the band keys of vectors of one number of dimensions. Owns reusable buffers: clone one per thread.
#[derive(Debug, Clone)]
pub struct ProjectionKeys {
    plan: Arc<ProjectionPlan>,
    tiles: Arc<Vec<Tile>>,
    /// Shifts by plane; empty for keys of sides.
    shifts: Arc<Vec<f64>>,
    dimensions: usize,
    kernel: Kernel,
    /// The vectors of a block as they are seen, one after the other, up to a multiple of [`ROWS`].
    seen: Vec<f32>,
    /// One entry for each vector of the block: whether it is close to the mean.
    are_close: Vec<bool>,
    /// One entry for each vector of the block, and plane.
    products: Vec<f32>,
    words: Vec<u64>,
    cells: Vec<i64>,
}

impl ProjectionKeys {
    /// Keys of vectors of `dimensions` dimensions; they do not depend on the kernel.
    pub fn new(plan: ProjectionPlan, dimensions: usize, kernel: Kernel) -> Self {
        let planes = plan.banding.num_perm();
        let shifts = match plan.projected {
            Projected::Side | Projected::SideFromMean { .. } => Vec::new(),
            Projected::Cell { .. } => shifts_of(planes, plan.seed),
        };
        Self {
            tiles: Arc::new(tiles_of(planes, dimensions, plan.seed)),
            shifts: Arc::new(shifts),
            plan: Arc::new(plan),
            dimensions,
            kernel,
            seen: Vec::new(),
            are_close: Vec::new(),
            products: Vec::new(),
            words: Vec::new(),
            cells: Vec::new(),
        }
    }

    /// Number of dimensions of the vectors that have keys.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Number of keys of a vector, at most.
    pub fn max_keys(&self) -> usize {
        self.plan.banding.bands() + 1
    }

    /// Appends the next documents, given by their words; none of the keys for words that are no vector of these
    /// dimensions.
    pub fn append_all<'w>(&mut self, documents: impl Iterator<Item = &'w [u64]>, keys: &mut BlockingKeys) {
        let vector = |words| Vector::from_words(words).filter(|vector| vector.dimensions() == self.dimensions);
        let vectors: Vec<Option<Vector<'_>>> = documents.map(vector).collect();
        for block in vectors.chunks(BLOCK_DOCUMENTS) {
            self.project(block);
            for (place, vector) in block.iter().enumerate() {
                keys.push_with(|out| {
                    if vector.is_some() {
                        self.append_projected(place, out);
                    }
                });
            }
        }
    }

    /// Appends the sides of the next documents, given by their words, if these are four bands of 64 planes
    /// ([`ProjectionPlan::of_sides`]).
    pub fn append_sides<'w>(
        &mut self,
        documents: impl Iterator<Item = &'w [u64]>,
        sides: &mut Vec<[u64; PlaneBits::WORDS]>,
    ) {
        let vector = |words| Vector::from_words(words).filter(|vector| vector.dimensions() == self.dimensions);
        let vectors: Vec<Option<Vector<'_>>> = documents.map(vector).collect();
        for block in vectors.chunks(BLOCK_DOCUMENTS) {
            self.project(block);
            for products in self.products.chunks_exact(PlaneBits::PLANES).take(block.len()) {
                let mut words = [0; PlaneBits::WORDS];
                words.iter_mut().zip(bits_of(products)).for_each(|(place, word)| *place = word);
                sides.push(words);
            }
        }
    }

    /// Appends the keys of one document, given by its words.
    pub fn append(&mut self, words: &[u64], keys: &mut Vec<BlockingKey>) {
        let vector = Vector::from_words(words).filter(|vector| vector.dimensions() == self.dimensions);
        if vector.is_some() {
            self.project(&[vector]);
            self.append_projected(0, keys);
        }
    }

    /// Multiplies the vectors of a block with all planes.
    fn project(&mut self, block: &[Option<Vector<'_>>]) {
        self.see(block);
        let planes = self.plan.banding.num_perm();
        let stride = planes.next_multiple_of(TILE_LANES);
        let rows = block.len().next_multiple_of(ROWS);
        self.products.resize(rows * stride, 0.0);
        let mut out = [[0.0; TILE_LANES]; ROWS];
        for (number, tile) in self.tiles.iter().enumerate() {
            for (four, vectors) in self.seen.chunks_exact(ROWS * self.dimensions).enumerate() {
                let vectors: [&[f32]; ROWS] =
                    std::array::from_fn(|row| &vectors[row * self.dimensions..(row + 1) * self.dimensions]);
                self.kernel.products(vectors, tile, Rounding::Separate, &mut out);
                for (row, out) in out.iter().enumerate() {
                    let start = (four * ROWS + row) * stride + number * TILE_LANES;
                    self.products[start..start + TILE_LANES].copy_from_slice(out);
                }
            }
        }
    }

    /// Fills [`ProjectionKeys::seen`]; absent vectors are zeros.
    fn see(&mut self, block: &[Option<Vector<'_>>]) {
        self.seen.clear();
        self.are_close.clear();
        let no_centre = &[][..];
        let empty = std::iter::repeat_n(0.0, self.dimensions);
        for vector in block {
            let Some(vector) = *vector else {
                self.seen.extend(empty.clone());
                self.are_close.push(false);
                continue;
            };
            let start = self.seen.len();
            let (centre, scale, min_distance) = match &self.plan.projected {
                Projected::Side => (no_centre, scale_of(vector, true), 0.0),
                Projected::SideFromMean { mean, min_distance } => (&mean[..], scale_of(vector, true), *min_distance),
                Projected::Cell { centre, .. } => (&centre[..], 1.0, 0.0),
            };
            let unit = if let Projected::Cell { width, .. } = self.plan.projected { 1.0 / width } else { 1.0 };
            let centre = centre.iter().copied().chain(std::iter::repeat(0.0));
            let see = |(&component, centre)| ((f64::from(component) * scale - f64::from(centre)) * unit) as f32;
            self.seen.extend(vector.components().iter().zip(centre).map(see));
            let seen = &self.seen[start..];
            self.are_close.push(min_distance > 0.0 && self.kernel.dot(seen, seen).sqrt() < min_distance);
        }
        let rows = block.len().next_multiple_of(ROWS);
        self.seen.resize(rows * self.dimensions, 0.0);
    }

    /// Appends the keys of a vector of the block.
    fn append_projected(&mut self, place: usize, keys: &mut Vec<BlockingKey>) {
        let banding = self.plan.banding;
        let planes = banding.num_perm();
        let stride = banding.num_perm().next_multiple_of(TILE_LANES);
        let products = &self.products[place * stride..place * stride + planes];
        if self.shifts.is_empty() {
            self.words.clear();
            self.words.extend(bits_of(products));
            keys.extend(in_bands(keys_of_bits(&self.words, banding)));
        } else {
            self.cells.clear();
            self.cells
                .extend(products.iter().zip(self.shifts.iter()).map(|(&product, &shift)| cell_of(product, shift)));
            keys.extend(in_bands(keys_of_cells(&self.cells, banding)));
        }
        if self.are_close[place] {
            let position = banding.bands() as u32;
            keys.push(BlockingKey { hash: hash_sequence(CLOSE_TO_MEAN, []), position });
        }
    }
}

/// Keys with the numbers of their bands, by which it is known in which two documents collide first.
fn in_bands(keys: impl Iterator<Item = u64>) -> impl Iterator<Item = BlockingKey> {
    keys.zip(0..).map(|(hash, position)| BlockingKey { hash, position })
}

/// Words of bits, one for each plane, from its products.
fn bits_of(products: &[f32]) -> impl Iterator<Item = u64> {
    products.chunks(u64::BITS as usize).map(|products| {
        products.iter().zip(0..).fold(0, |word, (&product, bit)| word | u64::from(product > 0.0) << bit)
    })
}

/// The number of the cell into which a product falls that is given in widths of a cell.
fn cell_of(product: f32, shift: f64) -> i64 {
    // A product that is no number, of vectors beyond all sense, is in cell 0.
    (f64::from(product) + shift).floor() as i64
}

/// The band keys of bits, one per band; each band has at most 64 rows.
fn keys_of_bits(words: &[u64], banding: Banding) -> impl Iterator<Item = u64> {
    let rows = banding.rows();
    (0..banding.bands()).map(move |band| hash_sequence(band as u64, [bits_at(words, band * rows, rows)]))
}

/// The band keys of cells, one per band.
fn keys_of_cells(cells: &[i64], banding: Banding) -> impl Iterator<Item = u64> {
    let bands = cells.chunks_exact(banding.rows()).zip(0..);
    bands.map(|(cells, band)| hash_sequence(band, cells.iter().map(|cell| cell.cast_unsigned())))
}

/// The planes with which vectors are multiplied, 64 side by side.
///
/// Plane i of seed s has the same components whatever the number of planes.
fn tiles_of(planes: usize, dimensions: usize, seed: u64) -> Vec<Tile> {
    let plane = |number: usize| -> Vec<f32> {
        let mut random = SplitMix64::new(seed ^ (number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        normal_numbers(&mut random).take(dimensions).collect()
    };
    let tile = |first: usize| {
        let of_tile: Vec<Vec<f32>> = (first..planes.min(first + TILE_LANES)).map(plane).collect();
        let mut tile = Tile::default();
        tile.fill(dimensions, of_tile.iter().map(|plane| (&plane[..], 1.0)));
        tile
    };
    (0..planes).step_by(TILE_LANES).map(tile).collect()
}

/// The shifts of the cells, by plane: shares of a width in [0, 1).
fn shifts_of(planes: usize, seed: u64) -> Vec<f64> {
    let mut random = SplitMix64::new(!seed);
    (0..planes).map(|_| unit(&mut random)).collect()
}

/// A number in [0, 1), of 53 random bits.
fn unit(random: &mut SplitMix64) -> f64 {
    (random.next_u64() >> 11) as f64 * 2f64.powi(-53)
}

/// Independent normal numbers with mean 0 and variance 1 (Box, Muller 1958), the same on all processors: the functions
/// are those of a library in software.
fn normal_numbers(random: &mut SplitMix64) -> impl Iterator<Item = f32> {
    std::iter::from_fn(|| {
        // In (0, 1], as its logarithm is taken.
        let radius = (-2.0 * libm::log(1.0 - unit(random))).sqrt();
        let angle = std::f64::consts::TAU * unit(random);
        Some([(radius * libm::cos(angle)) as f32, (radius * libm::sin(angle)) as f32])
    })
    .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_normal_and_frozen() {
        let mut random = SplitMix64::new(7);
        let numbers: Vec<f64> = normal_numbers(&mut random).take(100_000).map(f64::from).collect();
        let moment = |power: i32| numbers.iter().map(|number| number.powi(power)).sum::<f64>() / numbers.len() as f64;
        // Five standard deviations of the means of 100,000: sqrt(1), sqrt(2), sqrt(15) and sqrt(96) over sqrt(n).
        for (power, mean, deviation) in [(1, 0.0, 1.0f64), (2, 1.0, 2.0), (3, 0.0, 15.0), (4, 3.0, 96.0)] {
            let found = moment(power);
            assert!((found - mean).abs() < 5.0 * (deviation / 100_000.0).sqrt(), "{power}: {found}");
        }
        let mut random = SplitMix64::new(1);
        let first: Vec<u32> = normal_numbers(&mut random).take(3).map(f32::to_bits).collect();
        assert_eq!(first, FROZEN);
    }
    const FROZEN: [u32; 3] = [3_171_703_780, 3_215_291_442, 3_223_322_907];
}
