//! The method that has found the candidates of a job, and the blocking keys that it gave the documents.

use crate::base::Result;
use crate::run::{Checkpoint, SectionWriter, Stored};
use lookalike_core::bits::Cut;
use lookalike_core::counted;
use lookalike_core::keys::{Banding, SharedKeys};
use lookalike_core::sets::{Selection, probability_of_common};
use lookalike_core::terms::probability_by_tables;
use lookalike_core::vectors::{PlaneBits, cell_agreement, plane_agreement, sides_pass};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Blocking keys by which documents find each other.
#[derive(Debug, Clone)]
pub(crate) struct MethodKeys {
    pub(crate) keys: SharedKeys,
    pub(crate) method: MethodUsed,
    /// Cost at which a search for keepers is given up, because the other method may be cheaper, unless `auto` accepts
    /// these keys whatever they cost; in nanoseconds of the cost model, `None` for no limit.
    pub(crate) max_cost: Option<u64>,
    /// Sides of planes by which candidates of cosines of vectors are refused, with some loss of recall.
    pub(crate) planes: Option<PlaneBits>,
}

/// The method that was used, and why.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MethodUsed {
    /// Prefix-filter join, as requested or because it is cheap enough: nothing is missed.
    Exact {
        /// Postings that a join of all documents would follow, before the filters.
        postings: u64,
    },
    /// Comparison of all pairs, most of which norm sketches refuse; sooner than a join where frequent terms weigh much.
    #[serde(rename = "all-pairs")]
    AllPairs,
    /// Comparison of all pairs of vectors, by blocked products: nothing is missed.
    #[serde(rename = "all-vectors")]
    AllVectors,
    /// Bands of random projections of vectors.
    Projections(UsedProjections),
    /// Tables of blocks of the bits of fingerprints: nothing is missed.
    Tables {
        /// Number of tables.
        tables: usize,
        /// Number of blocks, of all bits and of those in a key.
        blocks: (u32, u32),
        /// Postings that a join of all documents would follow; `None` if the tables were sorted, not indexed.
        postings: Option<u64>,
    },
    /// Bands of sampled bits.
    #[serde(rename = "bit-sampling")]
    BitSampling {
        /// Bands and rows.
        banding: Banding,
        /// Probability that a pair at the distance is found.
        expected_recall: f64,
    },
    /// MinHash bands.
    MinHash {
        /// Bands and rows.
        banding: Banding,
        /// Probability that a pair at the threshold is found.
        expected_recall: f64,
        /// Postings that the exact method would have followed, if `auto` turned it down for that.
        exact_postings: Option<u64>,
    },
    /// SimHash tables.
    SimHash {
        /// Tables, and bits in each.
        tables: Banding,
        /// Probability that a pair at the threshold is found, by the law.
        expected_recall: f64,
    },
    /// Selected elements.
    Fingerprint(UsedFingerprints),
}

/// Projections of vectors that were used.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct UsedProjections {
    /// Bands, and projections in each.
    pub banding: Banding,
    /// Probability, at least, that a pair at the threshold or distance is found.
    pub expected_recall: f64,
    /// Probability, at least, that such a pair agrees in a projection.
    pub agreement: f64,
    /// Width of a cell, for distances.
    pub width: Option<f64>,
    /// Mean cosine, or distance, of random pairs.
    pub mean_of_pairs: f64,
    /// True if directions are seen from the mean of all vectors.
    pub is_from_mean: bool,
    /// Maximum number of 256 further planes on whose sides compared candidates differ, for cosines.
    pub max_differing: Option<u32>,
}

impl UsedProjections {
    /// The name of the method.
    pub fn name(&self) -> &'static str {
        if self.is_of_cosine() { "hyperplanes" } else { "p-stable" }
    }

    /// Returns whether cosines are compared, not distances.
    fn is_of_cosine(&self) -> bool {
        self.width.is_none()
    }

    /// The probability that a pair of this similarity is found, at least: a cosine, or a distance below 0.
    pub fn probability(&self, similarity: f64) -> f64 {
        let agreement = match self.width {
            Some(width) => cell_agreement(-similarity / width),
            None => plane_agreement(similarity),
        };
        let pass = self.max_differing.map_or(1.0, |differing| sides_pass(differing, agreement));
        // From the mean, angles are larger than from 0.
        let agreement = if self.is_from_mean { agreement.min(self.agreement) } else { agreement };
        self.banding.probability(agreement) * pass
    }
}

impl fmt::Display for UsedProjections {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name();
        let at = if self.is_of_cosine() { "threshold" } else { "distance" };
        let planes = if self.is_of_cosine() { "plane" } else { "projection" };
        let bands = self.banding.described("band", planes);
        write!(formatter, "{name}, {bands}: expected recall {:.4} at the {at}", self.expected_recall)?;
        match (self.is_of_cosine(), self.is_from_mean) {
            (true, true) => {
                write!(
                    formatter,
                    " (random pairs have a mean cosine of {:.2}: seen from their mean)",
                    self.mean_of_pairs
                )
            }
            (true, false) if self.mean_of_pairs >= ALIKE => {
                write!(formatter, " (random pairs have a mean cosine of {:.2}: that takes longer)", self.mean_of_pairs)
            }
            _ => Ok(()),
        }
    }
}

/// A mean cosine of random pairs that is worth a word.
const ALIKE: f64 = 0.2;

/// Parameters and figures of the fingerprint method.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct UsedFingerprints {
    /// Selection of elements.
    pub select: Selection,
    /// Probability, at least, that a pair at the threshold is found; `None` for winnowing, which finds those with
    /// enough consecutive common shingles instead.
    pub expected_recall: Option<f64>,
    /// Mean number of fingerprints of the documents that have enough of them.
    pub mean_fingerprints: u64,
    /// Minimum number of these fingerprints that a container has.
    pub min_common: u64,
    /// Documents that have too few fingerprints, and are looked up by all their elements.
    pub looked_up_in_full: u64,
}

impl fmt::Display for UsedFingerprints {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { select, expected_recall, mean_fingerprints, min_common: _, looked_up_in_full } = self;
        write!(formatter, "fingerprint, {select}: ")?;
        match expected_recall {
            Some(recall) => write!(formatter, "expected recall {recall:.4} at the threshold")?,
            None => write!(formatter, "complete for pairs with a whole window in common")?,
        }
        write!(
            formatter,
            "; {} a document, {} looked up in full",
            counted(*mean_fingerprints, "fingerprint"),
            counted(*looked_up_in_full, "document")
        )
    }
}

impl MethodUsed {
    /// The probability that a pair of this similarity is found.
    pub fn probability(&self, similarity: f64) -> f64 {
        match *self {
            Self::Exact { .. } | Self::AllPairs | Self::AllVectors | Self::Tables { .. } => 1.0,
            Self::Projections(used) => used.probability(similarity),
            Self::BitSampling { banding, .. } | Self::MinHash { banding, .. } => banding.probability(similarity),
            Self::SimHash { tables, .. } => probability_by_tables(tables, similarity),
            Self::Fingerprint(UsedFingerprints { mean_fingerprints, min_common, .. }) => {
                probability_of_common(min_common, mean_fingerprints, similarity)
            }
        }
    }

    /// Returns whether all pairs from the threshold on are found.
    pub fn is_complete(&self) -> bool {
        matches!(self, Self::Exact { .. } | Self::AllPairs | Self::AllVectors | Self::Tables { .. })
    }

    /// Returns whether all pairs are compared, without keys.
    pub(crate) fn is_of_all_pairs(&self) -> bool {
        matches!(self, Self::AllPairs | Self::AllVectors)
    }

    /// Tables of a division of the bits.
    pub(crate) fn of_tables(cut: Cut, postings: Option<u64>) -> Self {
        Self::Tables { tables: cut.tables(), blocks: (cut.blocks, cut.chosen), postings }
    }
}

impl fmt::Display for MethodUsed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact { .. } => write!(formatter, "exact (prefix filter): complete"),
            Self::AllPairs => write!(formatter, "exact (all pairs, by norm sketches): complete"),
            Self::AllVectors => write!(formatter, "exact (all pairs, by blocked products): complete"),
            Self::Projections(used) => used.fmt(formatter),
            Self::Fingerprint(used) => used.fmt(formatter),
            Self::SimHash { tables, expected_recall } => write!(
                formatter,
                "simhash, {}: expected recall {expected_recall:.4} at the threshold",
                tables.described("table", "bit")
            ),
            Self::Tables { tables, blocks: (blocks, chosen), .. } => {
                let tables = counted(*tables as u64, "table");
                let blocks = counted((*blocks).into(), "block");
                write!(formatter, "exact ({tables}, each of {chosen} of {blocks} of bits): complete")
            }
            Self::BitSampling { banding, expected_recall } => write!(
                formatter,
                "bit-sampling, {}: expected recall {expected_recall:.4} at the distance",
                banding.described("band", "bit")
            ),
            Self::MinHash { banding, expected_recall, exact_postings } => {
                write!(
                    formatter,
                    "minhash, {}: expected recall {expected_recall:.4} at the threshold",
                    banding.described("band", "row")
                )?;
                match exact_postings {
                    Some(postings) => {
                        write!(formatter, " (exact would follow {:.1e} postings or more)", *postings as f64)
                    }
                    None => Ok(()),
                }
            }
        }
    }
}

impl MethodKeys {
    /// Keys of a method, whatever the search costs.
    pub(crate) fn new(keys: SharedKeys, method: MethodUsed) -> Self {
        Self { keys, method, max_cost: None, planes: None }
    }

    /// No keys, where a method compares all pairs.
    pub(crate) fn without(method: MethodUsed) -> Self {
        Self::new(SharedKeys::default(), method)
    }
}

/// The small parts of [`MethodKeys`].
#[derive(Serialize, Deserialize)]
pub(crate) struct AboutKeys {
    method: MethodUsed,
    max_cost: Option<u64>,
}

impl Checkpoint for MethodKeys {
    type About = AboutKeys;

    fn about(&self) -> AboutKeys {
        AboutKeys { method: self.method, max_cost: self.max_cost }
    }

    fn save(&self, sections: &mut SectionWriter<'_>) -> Result<()> {
        sections.slice("key offsets", self.keys.keys().offsets())?;
        sections.array("keys", self.keys.keys().values())?;
        sections.array("starts", self.keys.starts())
    }

    fn load(about: AboutKeys, stored: &Stored<'_>) -> Result<Option<Self>> {
        let AboutKeys { method, max_cost } = about;
        let keys = stored.ragged("key offsets", "keys")?;
        let starts = stored.array("starts")?;
        let keys = keys.zip(starts).map(|(keys, starts)| SharedKeys::from_parts(keys, starts));
        Ok(keys.map(|keys| Self { max_cost, ..Self::new(keys, method) }))
    }

    fn fits(&self, documents: usize) -> bool {
        let documents_with_keys = if self.method.is_of_all_pairs() { 0 } else { documents };
        self.keys.keys().len() == documents_with_keys && self.keys.are_numbered()
    }
}

/// Permission to compare all pairs in place of projections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AllPairsFallback {
    /// Allowed where that is quick enough: nothing is missed.
    IfQuick,
    /// Not: projections were requested.
    Never,
}
