//! The blocking keys of vectors: bands of their projections.
//!
//! Vectors are multiplied with 64 planes at a time, which stay in the cache while a block of vectors passes, four of
//! them at a time.

use super::cell_keys::{bits_of, cell_of, keys_of_bits, keys_of_cells};
use super::planes::{shifts_of, tiles_of};
use super::spread::scale_of;
use super::{Projected, ProjectionPlan};
use crate::documents::Vector;
use crate::ground::hash::hash_sequence;
use crate::kernel::{Kernel, ROWS, Rounding, TILE_LANES, Tile};
use crate::keys::{BlockingKey, BlockingKeys};
use crate::vectors::PlaneBits;
use std::sync::Arc;

/// Vectors whose products are held at a time.
const BLOCK_DOCUMENTS: usize = 64;
/// What the key of vectors close to the mean is made of, in place of the number of a band.
const CLOSE_TO_MEAN: u64 = u64::MAX;

/// Computes the band keys of vectors of one number of dimensions. Owns reusable buffers: clone one per thread.
#[derive(Debug, Clone)]
pub struct ProjectionKeys {
    plan: Arc<ProjectionPlan>,
    tiles: Arc<Vec<Tile>>,
    /// By plane; empty if sides are asked for.
    shifts: Arc<Vec<f64>>,
    dimensions: usize,
    kernel: Kernel,
    /// The vectors of a block as they are seen, one after the other, up to a multiple of [`ROWS`].
    seen: Vec<f32>,
    /// By vector of the block: whether it is close to the mean.
    are_close: Vec<bool>,
    /// By vector of the block, and plane.
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
        let vector = |words| Vector::of(words).filter(|vector| vector.dimensions() == self.dimensions);
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
        let vector = |words| Vector::of(words).filter(|vector| vector.dimensions() == self.dimensions);
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
        let vector = Vector::of(words).filter(|vector| vector.dimensions() == self.dimensions);
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

/// Keys with the numbers of their bands, by which it is known in which two documents meet first.
fn in_bands(keys: impl Iterator<Item = u64>) -> impl Iterator<Item = BlockingKey> {
    keys.zip(0..).map(|(hash, position)| BlockingKey { hash, position })
}
