//! Features of images: a perceptual hash of 64 bits, or a small vector of their colours.
//!
//! Both begin with the mean colours of a grid of cells, whatever the size of the image:
//!
//! ```text
//! hash     32 x 32 cells, brightness -> cosine transform -> 8 x 8 low frequencies, without the lowest
//!          -> a bit for each: is it above their median?
//! vector   8 x 8 cells -> brightness minus its mean, and two differences of colours: 192 numbers
//! ```
//!
//! The hash is the DCT hash of pHash (C. Zauner, "Implementation and Benchmarking of Perceptual Image Hash Functions",
//! 2010, section 3.2.1), with exact means of cells in place of its filter. It sees coarse shapes of light and dark: of
//! another size, compression, brightness or contrast an image has nearly the same one. The vector sees colours, and
//! bears a crop or a turn by little better. Neither sees that an image is mirrored, or a part of another one.
//!
//! All sums are of whole numbers, so both are the same on every processor; whether there is enough to be compared is
//! decided by floats, whose operations are exact to the last bit everywhere. An image without coarse shapes, as of one
//! colour, has no hash: its bits would be those of noise, and all such images alike.

use std::f64::consts::PI;
use std::sync::LazyLock;

/// Cells of a side, for the hash.
const HASH_CELLS: usize = 32;
/// Frequencies of a side that the hash has: from the first that is no mean on.
const FREQUENCIES: usize = 8;
/// Cells of a side, for the vector.
const VECTOR_CELLS: usize = 8;
/// Brightness and two differences of colours for each.
const DIMENSIONS: usize = VECTOR_CELLS * VECTOR_CELLS * 3;
/// Parts of a shade of brightness that are distinguished in the mean of a cell.
const FRACTION: u64 = 256;
/// Stored form of a cosine of 1.
const ONE: f64 = 16384.0;
/// The least root mean square of what the frequencies of the hash, or the cells of the vector, add to the mean
/// brightness, in shades of 256.
const MIN_CONTRAST: f64 = 1.0;

/// An image of 8 bits each of red, green and blue.
#[derive(Debug, Clone, Copy)]
pub struct Pixels<'a> {
    width: usize,
    height: usize,
    rgb: &'a [u8],
}

/// Mean red, green and blue of a cell, in parts of a shade.
type ColourCell = [i64; 3];

impl<'a> Pixels<'a> {
    /// Width of the hash in bits.
    pub const HASH_BITS: u32 = (FREQUENCIES * FREQUENCIES) as u32;
    /// Number of dimensions of the vector.
    pub const DIMENSIONS: usize = DIMENSIONS;

    /// The image of these pixels, row by row from above; `None` if their number is another one, or there are none.
    pub fn new(width: usize, height: usize, rgb: &'a [u8]) -> Option<Self> {
        let bytes = width.checked_mul(height)?.checked_mul(3)?;
        (bytes > 0 && bytes == rgb.len()).then_some(Self { width, height, rgb })
    }

    /// The perceptual hash; `None` for an image without coarse shapes.
    pub fn hash(self) -> Option<u64> {
        let brightness: Vec<i64> = self.cells(HASH_CELLS).into_iter().map(brightness).collect();
        let coefficients = frequencies(&brightness);
        // The transform is orthonormal but for a factor of 2 / cells and the one of the cosines.
        let scale = 2.0 / HASH_CELLS as f64 / (ONE * ONE) / FRACTION as f64;
        let energy: f64 = coefficients.iter().map(|&coefficient| (coefficient as f64 * scale).powi(2)).sum();
        if (energy / (HASH_CELLS * HASH_CELLS) as f64).sqrt() < MIN_CONTRAST {
            return None;
        }
        let mut sorted = coefficients;
        sorted.sort_unstable();
        // Twice the median, which lies between the two in the middle.
        let median = sorted[sorted.len() / 2 - 1] + sorted[sorted.len() / 2];
        Some(coefficients.iter().fold(0, |hash, &coefficient| hash << 1 | u64::from(2 * coefficient > median)))
    }

    /// The vector: brightness minus its mean, then the difference of blue and brightness, then that of red, by cell row
    /// by row. `None` for an image whose cells are of one brightness: of their colours alone, a light and a dark one
    /// would be alike.
    pub fn vector(self) -> Option<[f32; DIMENSIONS]> {
        let cells = self.cells(VECTOR_CELLS);
        let count = cells.len();
        let mean = cells.iter().map(|&cell| brightness(cell)).sum::<i64>() / count as i64;
        let squares: i64 = cells.iter().map(|&cell| (brightness(cell) - mean).pow(2)).sum();
        if (squares as f64 / count as f64).sqrt() < MIN_CONTRAST * FRACTION as f64 {
            return None;
        }
        let mut vector = [0.0; DIMENSIONS];
        for (number, &[red, green, blue]) in cells.iter().enumerate() {
            let light = brightness([red, green, blue]);
            // At most 2^17, so floats are exact.
            vector[number] = (light - mean) as f32;
            vector[count + number] = ((blue - light) / 2) as f32;
            vector[2 * count + number] = ((red - light) / 2) as f32;
        }
        Some(vector)
    }

    /// The mean colours of `side` x `side` cells, row by row. A pixel that lies in several cells counts in each with
    /// its share.
    fn cells(self, side: usize) -> Vec<ColourCell> {
        let [columns, rows] = [self.width, self.height].map(|pixels| parts(pixels, side));
        let mut sums = vec![[0u64; 3]; side * side];
        let mut of_row = vec![[0u64; 3]; side];
        let mut rows = rows.into_iter().peekable();
        for (y, pixels) in self.rgb.chunks_exact(3 * self.width).enumerate() {
            of_row.fill([0; 3]);
            for &PixelPart { pixel, cell, share } in &columns {
                let sum = &mut of_row[cell];
                let colours = &pixels[3 * pixel..][..3];
                (0..3).for_each(|colour| sum[colour] += share * u64::from(colours[colour]));
            }
            while let Some(PixelPart { cell, share, .. }) = rows.next_if(|part| part.pixel == y) {
                for (sum, row) in sums[cell * side..][..side].iter_mut().zip(&of_row) {
                    (0..3).for_each(|colour| sum[colour] += share * row[colour]);
                }
            }
        }
        // The shares of all pixels of a cell add up to width x height.
        let all = u128::from(self.width as u64 * self.height as u64);
        let mean = |sum: u64| (u128::from(sum) * u128::from(FRACTION) / all) as i64;
        sums.into_iter().map(|sum| sum.map(mean)).collect()
    }
}

/// The part of a pixel of a side that lies in a cell.
struct PixelPart {
    pixel: usize,
    cell: usize,
    share: u64,
}

/// The parts of all pixels of a side of `pixels`, in order: pixel x covers `[x cells, (x + 1) cells)`, and cell i
/// `[i pixels, (i + 1) pixels)`.
fn parts(pixels: usize, cells: usize) -> Vec<PixelPart> {
    let of_pixel = |pixel: usize| {
        let begin = pixel * cells;
        let end = (pixel + 1) * cells;
        (begin / pixels..end.div_ceil(pixels)).map(move |cell| {
            let covered = end.min((cell + 1) * pixels) - begin.max(cell * pixels);
            PixelPart { pixel, cell, share: covered as u64 }
        })
    };
    (0..pixels).flat_map(of_pixel).collect()
}

/// The brightness of a colour (ITU-R BT.601).
fn brightness([red, green, blue]: ColourCell) -> i64 {
    (299 * red + 587 * green + 114 * blue) / 1000
}

/// cos((2 x + 1) u pi / 64), for each frequency u of the hash and each cell x of a side.
static COSINES: LazyLock<[[i64; HASH_CELLS]; FREQUENCIES]> = LazyLock::new(|| {
    let cosine = |u: usize, x: usize| ((2 * x + 1) as f64 * u as f64 * PI / (2 * HASH_CELLS) as f64).cos();
    // Rounded, it is the same on all systems, whose cosines differ in the last bit.
    std::array::from_fn(|u| std::array::from_fn(|x| (cosine(u + 1, x) * ONE).round() as i64))
});

/// The low frequencies of a grid of 32 x 32 cells, vertical by horizontal.
fn frequencies(grid: &[i64]) -> [i64; FREQUENCIES * FREQUENCIES] {
    let cosines = &*COSINES;
    let mut of_rows = [[0i64; FREQUENCIES]; HASH_CELLS];
    for (row, sums) in grid.chunks_exact(HASH_CELLS).zip(&mut of_rows) {
        for (sum, cosines) in sums.iter_mut().zip(cosines) {
            *sum = row.iter().zip(cosines).map(|(value, cosine)| value * cosine).sum();
        }
    }
    std::array::from_fn(|number| {
        let v = number / FREQUENCIES;
        let u = number % FREQUENCIES;
        of_rows.iter().zip(&cosines[v]).map(|(row, cosine)| row[u] * cosine).sum()
    })
}

#[cfg(test)]
mod tests;
