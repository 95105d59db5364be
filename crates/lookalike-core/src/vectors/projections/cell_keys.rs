//! From products to band keys.

use crate::ground::hash::hash_sequence;
use crate::keys::{Banding, bits_at};

/// Words of bits, one for each plane, from its products.
pub(super) fn bits_of(products: &[f32]) -> impl Iterator<Item = u64> {
    products.chunks(u64::BITS as usize).map(|products| {
        products.iter().zip(0..).fold(0, |word, (&product, bit)| word | u64::from(product > 0.0) << bit)
    })
}

/// The number of the cell into which a product falls that is given in widths of a cell.
pub(super) fn cell_of(product: f32, shift: f64) -> i64 {
    // A product that is no number, of vectors beyond all sense, is in cell 0.
    (f64::from(product) + shift).floor() as i64
}

/// The band keys of bits, one per band; each band has at most 64 rows.
pub(super) fn keys_of_bits(words: &[u64], banding: Banding) -> impl Iterator<Item = u64> {
    let rows = banding.rows();
    (0..banding.bands()).map(move |band| hash_sequence(band as u64, [bits_at(words, band * rows, rows)]))
}

/// The band keys of cells, one per band.
pub(super) fn keys_of_cells(cells: &[i64], banding: Banding) -> impl Iterator<Item = u64> {
    let bands = cells.chunks_exact(banding.rows()).zip(0..);
    bands.map(|(cells, band)| hash_sequence(band, cells.iter().map(|cell| cell.cast_unsigned())))
}
