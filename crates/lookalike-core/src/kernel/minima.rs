//! Signatures of which each component is the minimum of a function: every element, or dimension, meets every component.
//!
//! A block of components stays in registers while all elements pass by. There are no intrinsics: the compiler
//! vectorizes the body, which is compiled once for each instruction set.

/// The Mersenne prime 2^61 - 1.
const PRIME: u64 = (1 << 61) - 1;
/// Components that stay in registers.
const BLOCK: usize = 32;
/// Length of a block where numbers have 64 bits.
const WIDE_BLOCK: usize = 16;

/// The numbers a, the numbers b and the components of a block.
type Numbers<T, const N: usize> = ([T; N], [T; N], [u32; N]);

/// Lowers each component to the minimum over x of (a x + b) mod 2^32.
#[inline(always)]
pub(super) fn lower_by_affine(elements: &[u32], [factors, summands]: [&[u32]; 2], components: &mut [u32]) {
    let blocks = factors.chunks(BLOCK).zip(summands.chunks(BLOCK)).zip(components.chunks_mut(BLOCK));
    for ((factors, summands), components) in blocks {
        let (a, b, mut minima): Numbers<u32, BLOCK> = (filled(factors), filled(summands), filled(components));
        for &element in elements {
            for ((minimum, &a), &b) in minima.iter_mut().zip(&a).zip(&b) {
                *minimum = (*minimum).min(a.wrapping_mul(element).wrapping_add(b));
            }
        }
        components.iter_mut().zip(minima).for_each(|(component, minimum)| *component = minimum);
    }
}

/// Lowers each component to the minimum over x of (((a x + b) mod 2^64) mod (2^61 - 1)) mod 2^32.
#[inline(always)]
pub(super) fn lower_by_prime(elements: &[u64], [factors, summands]: [&[u64]; 2], components: &mut [u32]) {
    let blocks = factors.chunks(WIDE_BLOCK).zip(summands.chunks(WIDE_BLOCK)).zip(components.chunks_mut(WIDE_BLOCK));
    for ((factors, summands), components) in blocks {
        let (a, b, mut minima): Numbers<u64, WIDE_BLOCK> = (filled(factors), filled(summands), filled(components));
        for &element in elements {
            for ((minimum, &a), &b) in minima.iter_mut().zip(&a).zip(&b) {
                let value = a.wrapping_mul(element).wrapping_add(b);
                // 2^61 is 1 modulo the prime. The sum is at most 7 above the prime, and the difference wraps below it.
                let sum = (value & PRIME) + (value >> 61);
                let remainder = sum.min(sum.wrapping_sub(PRIME));
                *minimum = (*minimum).min(remainder as u32);
            }
        }
        components.iter_mut().zip(minima).for_each(|(component, minimum)| *component = minimum);
    }
}

/// The samples of a weighted set, as far as its dimensions were looked at: for each sample the lowest value, the
/// dimension it is of and the step of the weight there.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Samples {
    pub(crate) lowest: Vec<f32>,
    pub(crate) dimensions: Vec<u32>,
    pub(crate) steps: Vec<f32>,
}

/// Order in which the numbers of a sample are added; the two differ in rounding only, as those of datasketch do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Additions {
    /// ln c - ln y - r.
    OneByOne,
    /// ln c - (ln y + r).
    RateFirst,
}

/// One dimension of a weighted set: its number, the logarithm of its weight, and for each sample the numbers r, ln c
/// and beta that belong to it (Ioffe 2010, section 3).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dimension<'a> {
    pub(crate) number: u32,
    pub(crate) log: f32,
    pub(crate) drawn: [&'a [f32]; 3],
    pub(crate) additions: Additions,
}

/// Lowers samples to those of a dimension where its values are lower: ln c - ln y - r, with ln y = r (step - beta) and
/// step = floor(log / r + beta).
#[inline(always)]
pub(super) fn lower_by_dimension(dimension: Dimension<'_>, samples: &mut Samples) {
    let Dimension { number, log, drawn: [rates, offsets, shifts], additions } = dimension;
    let drawn = rates.iter().zip(offsets).zip(shifts);
    let samples = samples.lowest.iter_mut().zip(&mut samples.dimensions).zip(&mut samples.steps);
    for (((&rate, &offset), &shift), ((lowest, sampled), sampled_step)) in drawn.zip(samples) {
        let step = (log / rate + shift).floor();
        let value = match additions {
            Additions::OneByOne => offset - (step - shift) * rate - rate,
            Additions::RateFirst => offset - (step - shift + 1.0) * rate,
        };
        let is_lower = value < *lowest;
        *lowest = if is_lower { value } else { *lowest };
        *sampled = if is_lower { number } else { *sampled };
        *sampled_step = if is_lower { step } else { *sampled_step };
    }
}

/// The numbers, and zeros behind them.
#[inline(always)]
fn filled<T: Copy + Default, const N: usize>(numbers: &[T]) -> [T; N] {
    let mut filled = [T::default(); N];
    filled.iter_mut().zip(numbers).for_each(|(place, &number)| *place = number);
    filled
}

#[cfg(test)]
mod tests {
    use super::{Additions, Dimension, Samples};
    use crate::base::hash::mix64;
    use crate::kernel::Kernel;

    #[test]
    fn every_kernel_gives_the_minima_of_the_definition() {
        let random = |count: usize, seed: u64| (0..count as u64).map(move |i| mix64(seed * 1000 + i));
        for (elements, components) in [(0, 5), (1, 1), (7, 31), (40, 128), (3, 200)] {
            let (a, b, x): (Vec<u64>, Vec<u64>, Vec<u64>) =
                (random(components, 1).collect(), random(components, 2).collect(), random(elements, 3).collect());
            let narrow = |numbers: &[u64]| numbers.iter().map(|&number| number as u32).collect::<Vec<_>>();
            let a32 = narrow(&a);
            let b32 = narrow(&b);
            let x32 = narrow(&x);
            let start: Vec<u32> = random(components, 4).map(|number| number as u32 | 1 << 31).collect();
            let by_affine =
                |i: usize| x32.iter().map(|&x| a32[i].wrapping_mul(x).wrapping_add(b32[i])).fold(start[i], u32::min);
            let by_prime = |i: usize| {
                let value = |&x: &u64| (a[i].wrapping_mul(x).wrapping_add(b[i]) % super::PRIME) as u32;
                x.iter().map(value).fold(start[i], u32::min)
            };
            for &kernel in Kernel::available() {
                let mut found = start.clone();
                kernel.lower_by_affine(&x32, [&a32, &b32], &mut found);
                assert_eq!(found, (0..components).map(by_affine).collect::<Vec<_>>(), "{kernel:?}");
                let mut found = start.clone();
                kernel.lower_by_prime(&x, [&a, &b], &mut found);
                assert_eq!(found, (0..components).map(by_prime).collect::<Vec<_>>(), "{kernel:?}");
            }
        }
    }

    #[test]
    fn every_kernel_gives_the_samples_of_the_definition() {
        let unit = |seed: u64| move |i: u64| (mix64(seed * 1000 + i) >> 40) as f32 / (1 << 24) as f32;
        let alone = Additions::OneByOne;
        let first = Additions::RateFirst;
        for (count, additions) in [(1, first), (7, alone), (128, first), (133, alone)] {
            let drawn = |seed: u64| (0..count).map(unit(seed)).map(|number| number + 0.01).collect::<Vec<f32>>();
            let dimensions: Vec<_> = (0..20)
                .map(|n| (n, (n as f32).ln_1p(), [1, 2, 3].map(|kind| drawn(10 * u64::from(n) + kind))))
                .collect();
            let none = Samples {
                lowest: vec![f32::INFINITY; count as usize],
                dimensions: vec![u32::MAX; count as usize],
                steps: vec![0.0; count as usize],
            };
            let mut expected = none.clone();
            for i in 0..count as usize {
                for (number, log, [rates, offsets, shifts]) in &dimensions {
                    let step = (log / rates[i] + shifts[i]).floor();
                    let y = step - shifts[i];
                    let value = if additions == Additions::RateFirst {
                        offsets[i] - (y + 1.0) * rates[i]
                    } else {
                        offsets[i] - y * rates[i] - rates[i]
                    };
                    if value < expected.lowest[i] {
                        (expected.lowest[i], expected.dimensions[i], expected.steps[i]) = (value, *number, step);
                    }
                }
            }
            for &kernel in Kernel::available() {
                let mut found = none.clone();
                for (number, log, drawn) in &dimensions {
                    let drawn = drawn.each_ref().map(Vec::as_slice);
                    kernel.lower_by_dimension(Dimension { number: *number, log: *log, drawn, additions }, &mut found);
                }
                assert_eq!(found, expected, "{kernel:?}");
            }
        }
    }

    #[test]
    fn multiples_of_the_prime_leave_nothing() {
        // a x + b is the prime, seven times it, and one less than it.
        for (b, expected) in [(super::PRIME, 0), (7 * super::PRIME, 0), (super::PRIME - 1, u32::MAX - 1)] {
            for &kernel in Kernel::available() {
                let mut found = [u32::MAX];
                kernel.lower_by_prime(&[0], [&[1], &[b]], &mut found);
                assert_eq!(found, [expected], "{kernel:?}");
            }
        }
    }
}
