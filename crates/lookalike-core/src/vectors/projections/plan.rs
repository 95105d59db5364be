//! The choice of bands, rows, width and centre for a corpus of vectors.
//!
//! More rows make fewer documents collide by chance and need more bands for the same recall, so more products. What
//! they cost is computed from the sample, for each number of rows:
//!
//! ```text
//! cost of a document = b r n PRODUCT + b KEY + m / 2 b mean(p^r C)      n dimensions, m documents
//! C = SIDES + mean(q) CANDIDATE                                         q: not refused by the sides
//! ```
//!
//! where the mean is over the sampled pairs, each with its p ([`plane_agreement`], [`cell_agreement`]). Pairs that are
//! near-duplicates are left out: they have to be compared anyway.
//!
//! Of cosines, candidates are looked at twice: first at the sides of 256 further planes ([`PlaneBits`]), in more of
//! which than a bound near-duplicates differ with a probability that is taken off the recall, and only then at their
//! vectors.

use super::spread::{ProductMeasure, Spread};
use crate::base::{Result, check_probability, check_range};
use crate::keys::plan::binomial_at_most;
use crate::keys::{Banding, bits_within};
use crate::vectors::{Euclidean, PlaneBits, VectorCosine};
use serde::{Deserialize, Serialize};
use std::f64::consts::{PI, SQRT_2};

/// Nanoseconds of a product of two components, of a key that is numbered and looked up, and of a candidate that is read
/// from memory, with those of each of its dimensions.
const PRODUCT: f64 = 0.05;
const KEY: f64 = 150.0;
const CANDIDATE: f64 = 150.0;
const CANDIDATE_DIMENSION: f64 = 0.5;
/// A candidate that is refused by its sides.
const SIDES: f64 = 40.0;
/// The share of what the recall leaves to be missed that may be missed because of sides.
const MISSED_BY_SIDES: f64 = 0.05;
/// Source of the seed of the sides, so that their planes are others than those of the bands.
const SIDES_SEED: u64 = 0x5349_4445_5349_4445;
/// A product of blocks of vectors, where all pairs are compared.
const BLOCKED_PRODUCT: f64 = 0.03;
/// Time in which all pairs of up to some 100,000 vectors of 256 dimensions are compared: seconds, and nothing is
/// missed.
const ACCEPTED_SECONDS: f64 = 60.0;
/// Factor by which all pairs may cost more than bands that may miss some.
const WORTH_OF_ALL: f64 = 4.0;
/// Widths of cells that are tried, in distances of near-duplicates.
const WIDTHS: [f64; 10] = [0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0, 11.0, 16.0];
/// Shares of the vectors that are closest to the mean and are compared with each other.
const CLOSEST: [f64; 4] = [0.0005, 0.002, 0.01, 0.03];

/// Form that a product of a vector and a projection takes.
#[derive(Debug, Clone, PartialEq)]
pub enum Projected {
    /// Sign of a product: the side of a hyperplane on which the direction of the vector lies.
    Side,
    /// Side for the direction as it is seen from the mean of all.
    SideFromMean {
        /// The mean.
        mean: Vec<f32>,
        /// The least distance from the mean by which the recall is promised; closer vectors share a key.
        min_distance: f64,
    },
    /// The number of the cell into which it falls.
    Cell {
        /// Point that vectors are seen from, so that large coordinates lose no bits; empty for 0.
        centre: Vec<f32>,
        /// Width of a cell.
        width: f64,
    },
}

/// Projections for one corpus.
#[derive(Debug, Clone, PartialEq)]
pub struct ProjectionPlan {
    /// Bands, and projections in each.
    pub banding: Banding,
    /// Probability that two vectors at the threshold or distance agree in a projection, at least.
    pub agreement: f64,
    /// Form that the products take.
    pub projected: Projected,
    /// Seed of the projections.
    pub seed: u64,
    /// First look at candidates of cosines.
    pub(super) sides: Option<Sides>,
    /// Estimated time of the search, in nanoseconds.
    pub(super) cost: f64,
}

impl ProjectionPlan {
    /// The cheapest projections with the recall for near-duplicates by `measure`; `None` if there are none within
    /// [`Projections::MAX`]. A given banding is taken as it is.
    pub fn choose(projections: Projections, measure: ProductMeasure, spread: &Spread) -> Option<Self> {
        let all = match measure {
            ProductMeasure::Cosine(cosine) => planes(cosine, projections.recall, spread),
            ProductMeasure::Euclidean(euclidean) => cells(euclidean, spread),
        };
        let plans = all.into_iter().filter_map(|family| family.cheapest(projections, spread));
        plans.min_by(|left, right| left.cost.total_cmp(&right.cost))
    }

    /// Projections for so many vectors that have little in common, of 256 dimensions, seen from 0: what is known before
    /// a corpus is read.
    pub fn for_strangers(projections: Projections, measure: ProductMeasure, documents: usize) -> Option<Self> {
        const DIMENSIONS: usize = 256;
        let apart = match measure {
            ProductMeasure::Cosine(_) => 0.0,
            ProductMeasure::Euclidean(Euclidean { distance }) => 4.0 * distance.as_f64(),
        };
        let spread = Spread { documents, dimensions: DIMENSIONS, pairs: vec![apart], ..Spread::default() };
        Self::choose(projections, measure, &spread)
    }

    /// Projections for an index, of whose documents nothing is known yet: as if they were a million.
    pub fn without_corpus(projections: Projections, measure: ProductMeasure) -> Option<Self> {
        const DOCUMENTS: usize = 1 << 20;
        // An index has no sides beside its keys.
        let plan = Self::for_strangers(projections, measure, DOCUMENTS)?;
        Some(Self { sides: None, ..plan })
    }

    /// Probability that a pair at the threshold or distance is found, at least.
    pub fn expected_recall(&self) -> f64 {
        self.banding.probability(self.agreement) * self.sides.map_or(1.0, Sides::recall)
    }

    /// Returns, for cosines, the maximum number of sides of planes in which candidates differ that are compared.
    pub fn max_differing(&self) -> Option<u32> {
        self.sides.map(|sides| sides.max_differing)
    }

    /// The planes on whose sides candidates of cosines are looked at before their vectors, for projections of this
    /// seed.
    ///
    /// # Errors
    /// None: the banding is one.
    pub fn of_sides(seed: u64) -> Result<Self> {
        let banding = Banding::new(PlaneBits::WORDS, u64::BITS as usize)?;
        let projected = Projected::Side;
        let seed = seed ^ SIDES_SEED;
        Ok(Self { banding, agreement: 1.0, projected, seed, sides: None, cost: 0.0 })
    }

    /// Returns whether comparing all pairs of the corpus is as good: it misses nothing.
    pub fn is_outdone_by_all_pairs(&self, spread: &Spread) -> bool {
        let all = cost_of_all_pairs(spread);
        all <= ACCEPTED_SECONDS * 1e9 || all <= WORTH_OF_ALL * self.cost
    }
}

fn cost_of_all_pairs(spread: &Spread) -> f64 {
    let documents = spread.documents as f64;
    documents * documents / 2.0 * spread.dimensions as f64 * BLOCKED_PRODUCT
}

/// The probability that vectors which agree in a side with this probability differ in so many at most.
pub fn sides_pass(max_differing: u32, agreement: f64) -> f64 {
    binomial_at_most(max_differing as usize, PlaneBits::PLANES, 1.0 - agreement)
}

/// One way to project, with the probabilities to agree.
struct ProjectionFamily {
    projected: Projected,
    /// Agreement of a pair at the threshold or distance.
    agreement: f64,
    /// Agreements of sampled pairs that are no near-duplicates, each with the probability that its vectors are compared
    /// when it is a candidate.
    of_pairs: Vec<(f64, f64)>,
    /// First look at candidates.
    sides: Option<Sides>,
    /// Time for what is compared beside the bands.
    beside: f64,
}

/// The sides of planes that candidates are looked at before their vectors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sides {
    /// Agreement of a pair at the threshold.
    agreement: f64,
    max_differing: u32,
}

impl Sides {
    /// Sides of pairs at the threshold, in no more of which they differ but for what the recall leaves to be missed.
    fn new(cosine: VectorCosine, recall: f64) -> Self {
        let agreement = plane_agreement(cosine.threshold.as_f64());
        let confidence = 1.0 - (1.0 - recall) * MISSED_BY_SIDES;
        let max_differing = bits_within(PlaneBits::PLANES, 1.0 - agreement, confidence) as u32;
        Self { agreement, max_differing }
    }

    /// The share of the pairs at the threshold that is not refused.
    fn recall(self) -> f64 {
        self.pass(self.agreement)
    }

    fn pass(self, agreement: f64) -> f64 {
        sides_pass(self.max_differing, agreement)
    }
}

impl ProjectionFamily {
    fn cheapest(self, projections: Projections, spread: &Spread) -> Option<ProjectionPlan> {
        let Projections { recall, banding, seed } = projections;
        // More bands make up for the recall that sides cost.
        let recall = self.sides.map_or(recall, |sides| recall / sides.recall());
        let bandings: Vec<Banding> = match banding {
            Some(banding) => vec![banding],
            None => (1..=Projections::MAX_ROWS).filter_map(|rows| fewest_bands(rows, self.agreement, recall)).collect(),
        };
        let costs = bandings.into_iter().map(|banding| (self.cost(banding, spread), banding));
        let (cost, banding) = costs.min_by(|left, right| left.0.total_cmp(&right.0))?;
        let Self { agreement, projected, sides, .. } = self;
        Some(ProjectionPlan { banding, agreement, projected, seed, sides, cost })
    }

    fn cost(&self, banding: Banding, spread: &Spread) -> f64 {
        let documents = spread.documents as f64;
        let dimensions = spread.dimensions as f64;
        let rows = i32::try_from(banding.rows()).unwrap_or(i32::MAX);
        let of_sides = self.sides.map_or(0.0, |_| SIDES);
        let of_vectors = candidate_cost(spread);
        let cost = |(agreement, pass): &(f64, f64)| agreement.powi(rows) * (of_sides + pass * of_vectors);
        let collision = self.of_pairs.iter().map(cost).sum::<f64>() / self.of_pairs.len().max(1) as f64;
        let bands = banding.bands() as f64;
        let products = banding.num_perm() as f64 * dimensions * PRODUCT;
        let candidates = documents / 2.0 * bands * collision;
        documents * (products + bands * KEY + candidates) + self.beside
    }
}

fn candidate_cost(spread: &Spread) -> f64 {
    CANDIDATE + CANDIDATE_DIMENSION * spread.dimensions as f64
}

/// The fewest bands of so many rows with the recall; `None` if they are more than there may be.
fn fewest_bands(rows: usize, agreement: f64, recall: f64) -> Option<Banding> {
    let same = agreement.powi(rows as i32);
    // 1 - (1 - p^r)^b >= recall, solved for b; a certain agreement needs one.
    let bands = ((-recall).ln_1p() / (-same).ln_1p()).ceil().max(1.0);
    if bands.is_nan() || bands * rows as f64 > Projections::MAX as f64 {
        return None;
    }
    let reaching =
        |bands: usize| Banding::new(bands, rows).ok().filter(|banding| banding.probability(agreement) >= recall);
    // The formula may be off by one because of rounding.
    reaching(bands as usize).or_else(|| reaching(bands as usize + 1))
}

/// Planes through 0, and through the mean.
fn planes(cosine: VectorCosine, recall: f64, spread: &Spread) -> Vec<ProjectionFamily> {
    let threshold = cosine.threshold.as_f64();
    let sides = Sides::new(cosine, recall);
    let others = || spread.pairs.iter().enumerate().filter(|&(_, &cosine)| cosine < threshold);
    let pass: Vec<f64> = others().map(|(_, &cosine)| sides.pass(plane_agreement(cosine))).collect();
    let seen = |cosines: &[f64]| -> Vec<(f64, f64)> {
        others().zip(&pass).map(|((pair, _), &pass)| (plane_agreement(cosines[pair]), pass)).collect()
    };
    let agreement = plane_agreement(threshold);
    let of_pairs = seen(&spread.pairs);
    let mut families =
        vec![ProjectionFamily { projected: Projected::Side, agreement, of_pairs, sides: Some(sides), beside: 0.0 }];
    let apart = cosine.unit_distance();
    for share in CLOSEST {
        let Some(&min_distance) = spread.from_mean.get((spread.from_mean.len() as f64 * share) as usize) else {
            continue;
        };
        if min_distance <= apart {
            continue;
        }
        let close = spread.documents as f64 * share;
        families.push(ProjectionFamily {
            projected: Projected::SideFromMean { mean: spread.mean.clone(), min_distance },
            agreement: 1.0 - libm::asin(apart / min_distance) / std::f64::consts::PI,
            of_pairs: seen(&spread.centred),
            sides: Some(sides),
            beside: close * close / 2.0 * candidate_cost(spread),
        });
    }
    families
}

/// Cells of several widths.
fn cells(euclidean: Euclidean, spread: &Spread) -> Vec<ProjectionFamily> {
    let distance = euclidean.distance.as_f64();
    let others: Vec<f64> = spread.pairs.iter().copied().filter(|&apart| apart > distance).collect();
    let family = |of_distance: f64| {
        let width = of_distance * distance;
        let projected = Projected::Cell { centre: spread.mean.clone(), width };
        let of_pairs = others.iter().map(|apart| (cell_agreement(apart / width), 1.0)).collect();
        let agreement = cell_agreement(distance / width);
        (width.is_finite() && width > 0.0).then_some(ProjectionFamily {
            projected,
            agreement,
            of_pairs,
            sides: None,
            beside: 0.0,
        })
    };
    WIDTHS.into_iter().filter_map(family).collect()
}

/// The probability that two vectors with this cosine lie on the same side of a random hyperplane through 0.
pub fn plane_agreement(cosine: f64) -> f64 {
    1.0 - libm::acos(cosine.clamp(-1.0, 1.0)) / PI
}

/// The probability that two vectors at this distance, in widths of a cell, fall into the same cell: with u = 1 /
/// distance and the normal distribution function F, 1 - 2 F(-u) - 2 / (sqrt(2 pi) u) (1 - exp(-u^2 / 2)).
pub fn cell_agreement(distance: f64) -> f64 {
    if distance <= 0.0 {
        return 1.0;
    }
    let cells = 1.0 / distance;
    let outside = libm::erfc(cells / SQRT_2);
    let beside = 2.0 / ((2.0 * PI).sqrt() * cells) * (1.0 - libm::exp(-cells * cells / 2.0));
    (1.0 - outside - beside).clamp(0.0, 1.0)
}

/// Parameters of random projections. Stored with `bands` and `rows` in place of `banding`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Projections {
    /// Minimum probability, in (0, 1), of finding a pair at the threshold or distance.
    pub recall: f64,
    /// Bands, and projections in each; `None` for those that are cheapest for the corpus and have the recall.
    #[serde(flatten, with = "crate::keys::optional_banding")]
    pub banding: Option<Banding>,
    /// Seed of the projections.
    pub seed: u64,
}

impl Default for Projections {
    fn default() -> Self {
        Self { recall: 0.99, banding: None, seed: 1 }
    }
}

impl Projections {
    /// Maximum number of projections of a vector.
    pub const MAX: usize = 1 << 14;
    /// Maximum number of projections in a band: their bits are a word.
    pub const MAX_ROWS: usize = 64;

    /// Checks the parameters.
    ///
    /// # Errors
    /// [`crate::Error::NotAProbability`], [`crate::Error::OutOfRange`] for parameters out of range.
    pub(crate) fn check(&self) -> Result<()> {
        check_probability("recall", self.recall)?;
        let Some(banding) = self.banding else { return Ok(()) };
        let range = |name, found: usize, max: usize| check_range(name, found as u64, 1..=max as u64);
        range("rows", banding.rows(), Self::MAX_ROWS)?;
        range("bands x rows", banding.num_perm(), Self::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_separate_by_the_angle() {
        for (cosine, agreement) in [(1.0, 1.0), (0.5, 2.0 / 3.0), (0.0, 0.5), (-1.0, 0.0)] {
            assert!((plane_agreement(cosine) - agreement).abs() < 1e-12, "{cosine}");
        }
    }

    /// The probability as an integral over the length of the projected difference (Datar et al. 2004, section 3.1).
    #[test]
    fn cells_are_shared_as_the_integral_says() {
        for distance in [0.05f64, 0.2, 0.5, 1.0, 2.0, 7.0] {
            let steps = 200_000;
            let density = |length: f64| 2.0 / (2.0 * PI).sqrt() * (-(length / distance).powi(2) / 2.0).exp() / distance;
            let strip = |step: i32| (f64::from(step) + 0.5) / f64::from(steps);
            let sum: f64 = (0..steps).map(|step| density(strip(step)) * (1.0 - strip(step))).sum();
            assert!((cell_agreement(distance) - sum / f64::from(steps)).abs() < 1e-6, "{distance}");
        }
        assert_eq!(cell_agreement(0.0), 1.0);
    }
}
