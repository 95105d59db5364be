//! Distances of the vectors of a corpus, by a sample.

use crate::base::{DocId, random_sample};
use crate::documents::{ElementSets, Vector};
use crate::kernel::Kernel;
use crate::vectors::{Euclidean, VectorCosine};

/// Documents in the sample; each is paired with the next.
const SAMPLED_DOCUMENTS: usize = 8192;

/// A sample of the vectors of a corpus.
#[derive(Debug, Clone, Default)]
pub struct Spread {
    /// Number of documents of the corpus.
    pub(super) documents: usize,
    /// Number of dimensions; 0 for a corpus without vectors.
    pub(super) dimensions: usize,
    /// The mean of the sampled vectors, or of their directions if the measure is the cosine; floats, as it is
    /// subtracted.
    pub(super) mean: Vec<f32>,
    /// One entry for each sampled pair: the cosine, or the distance.
    pub(super) pairs: Vec<f64>,
    /// One entry for each sampled pair, of cosines only: the cosine of the directions seen from the mean.
    pub(super) centred: Vec<f64>,
    /// Distances, of cosines only, of the sampled directions from their mean, ascending.
    pub(super) from_mean: Vec<f64>,
}

impl Spread {
    /// Measures these documents of a corpus of vectors, which are compared by `measure`; a function of all that is
    /// passed, and not of the kernel.
    pub fn sample(sets: &ElementSets, documents: &[DocId], measure: ProductMeasure, seed: u64, kernel: Kernel) -> Self {
        let sampled = random_sample(documents, SAMPLED_DOCUMENTS, seed);
        let sampled: Vec<Vector<'_>> =
            sampled.filter_map(|document| Vector::from_words(sets.get(document).elements())).collect();
        let are_directions = measure.is_of_directions();
        let dimensions = sampled.first().map_or(0, |vector| vector.dimensions());
        let mean = mean_of(&sampled, dimensions, are_directions);
        let mut spread = Self { documents: documents.len(), dimensions, mean, ..Self::default() };
        spread.add_pairs(&sampled, are_directions, kernel);
        spread
    }

    fn add_pairs(&mut self, sampled: &[Vector<'_>], are_directions: bool, kernel: Kernel) {
        let centred =
            |vector: &Vector<'_>| -> Vec<f32> { moved(*vector, scale_of(*vector, are_directions), &self.mean) };
        let pairs = sampled.iter().zip(sampled.iter().skip(1));
        if !are_directions {
            let distance = |(a, b): (&Vector<'_>, &Vector<'_>)| kernel.squared_distance(a.components(), b.components());
            self.pairs = pairs.map(|pair| distance(pair).sqrt()).collect();
            return;
        }
        let cosine = |dot: f64, norms: f64| if norms > 0.0 { (dot / norms).clamp(-1.0, 1.0) } else { 0.0 };
        self.pairs = pairs
            .map(|(a, b)| {
                let norms = (a.squared_norm() * b.squared_norm()).sqrt();
                cosine(kernel.dot(a.components(), b.components()), norms)
            })
            .collect();
        let seen: Vec<Vec<f32>> = sampled.iter().map(centred).collect();
        let squared: Vec<f64> = seen.iter().map(|vector| kernel.dot(vector, vector)).collect();
        let next = seen.iter().zip(&squared);
        self.centred = next
            .clone()
            .zip(next.skip(1))
            .map(|((a, of_a), (b, of_b))| cosine(kernel.dot(a, b), (of_a * of_b).sqrt()))
            .collect();
        self.from_mean = squared.into_iter().map(f64::sqrt).collect();
        self.from_mean.sort_unstable_by(f64::total_cmp);
    }

    /// Number of dimensions; 0 for a corpus without vectors.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// The mean cosine, or distance, of the sampled pairs; 0 without any.
    pub fn mean_of_pairs(&self) -> f64 {
        mean(&self.pairs)
    }
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len().max(1) as f64
}

/// Returns the factor of a vector to be seen as the measure sees it: its direction alone, or as it is.
pub(super) fn scale_of(vector: Vector<'_>, is_direction: bool) -> f64 {
    let norm = vector.squared_norm().sqrt();
    if is_direction && norm > 0.0 { 1.0 / norm } else { 1.0 }
}

/// A vector, scaled, as it is seen from a centre; an empty centre is 0.
pub(super) fn moved(vector: Vector<'_>, scale: f64, centre: &[f32]) -> Vec<f32> {
    let centre = centre.iter().copied().chain(std::iter::repeat(0.0));
    let move_one = |(&component, centre): (&f32, f32)| (f64::from(component) * scale - f64::from(centre)) as f32;
    vector.components().iter().zip(centre).map(move_one).collect()
}

fn mean_of(sampled: &[Vector<'_>], dimensions: usize, are_directions: bool) -> Vec<f32> {
    let mut sums = vec![0.0f64; dimensions];
    for &vector in sampled {
        let scale = scale_of(vector, are_directions);
        sums.iter_mut().zip(vector.components()).for_each(|(sum, &component)| *sum += f64::from(component) * scale);
    }
    sums.iter().map(|sum| (sum / sampled.len().max(1) as f64) as f32).collect()
}

/// A measure that the inner product of two vectors and their norms decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProductMeasure {
    /// The cosine: directions alone are compared.
    Cosine(VectorCosine),
    /// The Euclidean distance.
    Euclidean(Euclidean),
}

impl ProductMeasure {
    /// Returns whether directions alone are compared, and lengths have no effect.
    pub(super) fn is_of_directions(self) -> bool {
        matches!(self, Self::Cosine(_))
    }
}
