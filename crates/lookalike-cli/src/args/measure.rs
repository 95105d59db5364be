//! What "alike" means, and from when on.

use super::bits::DistanceArgs;
use super::values::count;
use anyhow::{Result, bail, ensure};
use clap::{Args, ValueEnum};
use lookalike::{
    CommonElements, Containment, Cosine, Distance, EmptyPolicy, Euclidean, Fingerprints, GivenVectors, Hamming,
    ImageFeatures, Inputs, Jaccard, Limit, MAX_WIDTH, Measure, Pixels, Side, SignatureAgreement, Threshold,
    VectorCosine, Weights,
};

/// What "alike" means, and from when on. Nothing has a default here, to tell what was given.
#[derive(Debug, Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct MeasureArgs {
    /// Minimum similarity of near-duplicates [default: 0.8]
    ///
    /// A pair at exactly T is one, compared without rounding.
    #[arg(short, long, value_name = "T", allow_negative_numbers = true)]
    threshold: Option<Threshold>,
    /// jaccard, containment, cosine, ... [default: jaccard]
    ///
    /// jaccard: common shingles or items among all of both, |A and B| / |A or B|. containment: the share of one
    /// document that is in the other, |A and B| / |A|; a quoted passage has 1, however long the page around it. dedup
    /// then takes long documents first, so the part goes and the whole stays. overlap: the number of common shingles or
    /// items. cosine: the cosine of the vectors that --weights makes of the counts of shingles or items, best with
    /// --shingle word:1. hamming: the number of bits in which given fingerprints differ, for --bits. For --vector,
    /// cosine is that of the given vectors, and euclidean their distance.
    #[arg(long, value_name = "MEASURE", value_enum, hide_possible_values = true)]
    measure: Option<MeasureArg>,
    /// Minimum number of common shingles or items, for --measure overlap
    #[arg(long, hide_short_help = true, value_name = "N", allow_negative_numbers = true, value_parser = count)]
    min_common: Option<usize>,
    /// Weight of a shingle or item, for --measure cosine: tf, tfidf, binary [default: tf]
    ///
    /// tf: how often the document has it. tfidf: that times ln((1 + N) / (1 + df)) + 1, where df of the N documents
    /// have it. binary: 1.
    #[arg(long, hide_short_help = true, value_name = "WEIGHTS", value_enum, hide_possible_values = true)]
    weights: Option<WeightsArg>,
    #[command(flatten)]
    distance: DistanceArgs,
    /// With --measure containment and --against: what must be in what [default: either]
    #[arg(long, hide_short_help = true, value_name = "WHICH", value_enum)]
    containment: Option<ContainmentArg>,
    /// Whether texts of zero bytes are duplicates of each other [default: keep]
    #[arg(long, hide_short_help = true, value_name = "WHAT", value_enum)]
    empty: Option<EmptyArg>,
}

/// Answers of `--measure`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum MeasureArg {
    /// Common shingles or items among all of both documents
    #[default]
    Jaccard,
    /// The share of one document that is in the other
    Containment,
    /// The number of common shingles or items
    Overlap,
    /// The cosine of weighted shingles or items
    Cosine,
    /// The number of bits in which fingerprints differ
    Hamming,
    /// The distance of vectors
    Euclidean,
}

/// Answers of `--weights`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum WeightsArg {
    /// How often the document has the shingle or item
    Tf,
    /// That times the inverse document frequency
    Tfidf,
    /// 1
    Binary,
}

impl From<WeightsArg> for Weights {
    fn from(weights: WeightsArg) -> Self {
        match weights {
            WeightsArg::Tf => Self::Tf,
            WeightsArg::Tfidf => Self::TfIdf,
            WeightsArg::Binary => Self::Binary,
        }
    }
}

/// Answers of `--containment`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ContainmentArg {
    /// The input is in the reference, or the reference in the input
    Either,
    /// The input is in the reference
    InReference,
    /// The reference is in the input: a page that quotes a test question
    OfReference,
}

/// Answers of `--empty`.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum EmptyArg {
    /// A text of zero bytes is no duplicate
    Keep,
    /// Texts of zero bytes are duplicates of each other
    Duplicate,
}

/// Whether the job compares with references.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum References {
    Given,
    None,
}

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subject {
    /// Texts or sets of items.
    Texts,
    /// Texts as they stand, byte for byte.
    WholeTexts,
    /// Given fingerprints.
    Fingerprints {
        /// Number of their bits.
        width: u32,
    },
    /// Given vectors.
    Vectors,
    /// Given signatures.
    Signatures,
    /// Images.
    Images(ImageFeatures),
    /// Saved pairs, which do not say what they are of.
    SavedPairs,
}

impl Subject {
    /// The subject of a job: the kind of document that its inputs hold.
    pub(crate) fn of(inputs: &Inputs) -> Self {
        match (inputs.fingerprints, inputs.vectors) {
            _ if let Some(features) = inputs.images => Self::Images(features),
            (Some(Fingerprints { width, .. }), _) => Self::Fingerprints { width },
            (None, GivenVectors::Any | GivenVectors::WithDirection) => Self::Vectors,
            (None, GivenVectors::Signatures) => Self::Signatures,
            (None, GivenVectors::Absent) => Self::Texts,
        }
    }

    /// Whether documents are vectors.
    fn is_of_vectors(self) -> bool {
        matches!(self, Self::Vectors | Self::Images(ImageFeatures::ImageVector))
    }
}

impl MeasureArgs {
    /// Whether a limit is given; measures without a threshold need one.
    pub(crate) fn has_limit(&self) -> bool {
        self.threshold.is_some() || self.min_common.is_some() || self.distance.distance.is_some()
    }

    /// Whether it is said which document must be in which.
    pub(crate) fn has_side(&self) -> bool {
        self.containment.is_some()
    }

    /// Whether a measure is given.
    pub(crate) fn is_given(&self) -> bool {
        self.measure.is_some()
    }

    /// The measure that is given, or that of the index that is compared with, or the usual one for what is compared.
    fn measure(&self, subject: Subject, stored: Option<Measure>) -> MeasureArg {
        match (self.measure, stored, subject) {
            (Some(measure), ..) => measure,
            (None, Some(stored), _) => MeasureArg::of(stored),
            (None, None, Subject::Vectors | Subject::Images(ImageFeatures::ImageVector)) => MeasureArg::Cosine,
            (None, None, Subject::Images(ImageFeatures::ImageHash)) => MeasureArg::Hamming,
            (None, None, _) => MeasureArg::default(),
        }
    }

    /// What these flags mean by "alike". `stored` is the measure of the index that is compared with: it is meant where
    /// no flag says another, but for a threshold, which has a default of its own.
    ///
    /// # Errors
    /// If a flag does not fit the measure, the measure does not fit what is compared, or `--containment` is given
    /// without references.
    pub(crate) fn noun(&self, references: References, subject: Subject, stored: Option<Measure>) -> Result<Measure> {
        let stored = stored.filter(|_| !matches!(subject, Subject::WholeTexts | Subject::Signatures));
        let measure = self.measure(subject, stored);
        let stored = stored.filter(|&stored| MeasureArg::of(stored) == measure);
        self.check(measure, references)?;
        self.check_subject(measure, subject)?;
        let threshold = match subject {
            Subject::WholeTexts => Threshold::ONE,
            Subject::Images(_) => self.threshold.unwrap_or_else(ImageFeatures::threshold),
            _ => self.threshold.unwrap_or_default(),
        };
        let empty = match self.empty {
            None => stored.map_or(EmptyPolicy::Keep, Measure::empty),
            Some(EmptyArg::Keep) => EmptyPolicy::Keep,
            Some(EmptyArg::Duplicate) => EmptyPolicy::Duplicate,
        };
        Ok(match measure {
            MeasureArg::Jaccard if subject == Subject::Signatures => {
                Measure::Signature(SignatureAgreement { threshold })
            }
            MeasureArg::Jaccard => Measure::Jaccard(Jaccard { threshold, empty }),
            MeasureArg::Containment => {
                let contained = match self.containment {
                    None | Some(ContainmentArg::Either) => Side::Either,
                    Some(ContainmentArg::InReference) => Side::InReference,
                    Some(ContainmentArg::OfReference) => Side::OfReference,
                };
                Measure::Containment(Containment { threshold, contained, empty })
            }
            MeasureArg::Overlap => {
                let of_index = stored.and_then(|stored| match stored.limit() {
                    Limit::Common(count) => Some(count),
                    Limit::Similarity(_) | Limit::Distance(_) | Limit::Within(_) => None,
                });
                let Some(min_common) = self.min_common.or(of_index) else {
                    bail!("--measure overlap needs the minimum number of common elements: --min-common N");
                };
                Measure::Overlap(CommonElements { min_common, empty })
            }
            MeasureArg::Cosine if subject.is_of_vectors() => Measure::VectorCosine(VectorCosine { threshold }),
            MeasureArg::Euclidean => Measure::Euclidean(self.euclidean(stored)?),
            MeasureArg::Cosine => {
                let usual = match stored {
                    Some(Measure::Cosine(stored)) => stored.weights,
                    _ => Weights::default(),
                };
                let weights = self.weights.map_or(usual, Weights::from);
                Measure::Cosine(Cosine { threshold, weights, empty })
            }
            MeasureArg::Hamming => Measure::Hamming(self.hamming(subject, stored)?),
        })
    }

    fn hamming(&self, subject: Subject, stored: Option<Measure>) -> Result<Hamming> {
        let of_images = || matches!(subject, Subject::Images(_)).then_some(f64::from(ImageFeatures::DISTANCE));
        let usual = stored.and_then(distance_of_measure).or_else(of_images);
        let Some(distance) = self.distance.distance.or(usual) else {
            bail!("--measure hamming needs the maximum number of differing bits: --distance K");
        };
        let width = match subject {
            Subject::Fingerprints { width } => width,
            Subject::Images(_) => Pixels::HASH_BITS,
            Subject::Texts | Subject::WholeTexts | Subject::SavedPairs => Hamming::UNKNOWN_WIDTH,
            Subject::Vectors | Subject::Signatures => Hamming::UNKNOWN_WIDTH,
        };
        let is_count = distance.fract() == 0.0 && distance < f64::from(MAX_WIDTH);
        ensure!(
            is_count,
            "--distance {distance}: --measure hamming takes a number of bits, from 0 to {}",
            MAX_WIDTH - 1
        );
        Ok(Hamming { distance: distance as u32, width })
    }

    fn euclidean(&self, stored: Option<Measure>) -> Result<Euclidean> {
        let Some(distance) = self.distance.distance.or(stored.and_then(distance_of_measure)) else {
            bail!("--measure euclidean needs the maximum distance: --distance R");
        };
        let distance = Distance::try_from(distance).map_err(lookalike::Error::from)?;
        Ok(Euclidean { distance })
    }

    fn check_subject(&self, measure: MeasureArg, subject: Subject) -> Result<()> {
        let (is_of_bits, is_of_distance) = (measure == MeasureArg::Hamming, measure == MeasureArg::Euclidean);
        match subject {
            Subject::Texts => {
                ensure!(
                    !is_of_bits,
                    "--measure hamming needs fingerprints: --bits FIELD, or --features image-hash for images"
                );
                ensure!(
                    !is_of_distance,
                    "--measure euclidean needs vectors: --vector FIELD, or --features image-vector for images"
                );
            }
            Subject::Fingerprints { .. } => ensure!(
                is_of_bits,
                "--bits does not fit --measure {}: say --measure hamming --distance K",
                name_of(measure)
            ),
            Subject::Images(ImageFeatures::ImageHash) => {
                ensure!(
                    is_of_bits,
                    "--features image-hash does not fit --measure {}: hashes are compared by hamming",
                    name_of(measure)
                );
            }
            Subject::Vectors | Subject::Images(ImageFeatures::ImageVector) => {
                let flag = if subject == Subject::Vectors { "--vector" } else { "--features image-vector" };
                ensure!(
                    is_of_distance || measure == MeasureArg::Cosine,
                    "{flag} does not fit --measure {}: say --measure cosine, or --measure euclidean --distance R",
                    name_of(measure)
                );
                ensure!(self.weights.is_none(), "--weights is for texts and items: a vector has its weights");
                ensure!(self.empty.is_none(), "--empty is for texts: no vector is empty");
            }
            Subject::Signatures => {
                ensure!(
                    measure == MeasureArg::Jaccard,
                    "--signature does not fit --measure {}: signatures estimate jaccard",
                    name_of(measure)
                );
                ensure!(self.empty.is_none(), "--empty is for texts: a signature of nothing is no duplicate");
            }
            Subject::WholeTexts => ensure!(
                self.threshold.is_none() && measure == MeasureArg::Jaccard,
                "--identical takes texts that are equal byte for byte: it has no use for {}",
                if self.threshold.is_some() { "--threshold" } else { "--measure" }
            ),
            Subject::SavedPairs => {}
        }
        Ok(())
    }

    fn check(&self, measure: MeasureArg, references: References) -> Result<()> {
        let has = |flag: bool, name: &str, measures: &[MeasureArg], instead: &str| {
            let fits = !flag || measures.contains(&measure);
            ensure!(fits, "{name} does not fit --measure {}: {instead}", name_of(measure));
            Ok(())
        };
        let with_threshold = [MeasureArg::Jaccard, MeasureArg::Containment, MeasureArg::Cosine];
        let limit = match measure {
            MeasureArg::Hamming => "it has --distance K",
            MeasureArg::Euclidean => "it has --distance R",
            _ => "it has --min-common N",
        };
        has(self.threshold.is_some(), "--threshold", &with_threshold, limit)?;
        has(self.min_common.is_some(), "--min-common", &[MeasureArg::Overlap], "say --measure overlap")?;
        has(self.weights.is_some(), "--weights", &[MeasureArg::Cosine], "say --measure cosine")?;
        let with_distance = [MeasureArg::Hamming, MeasureArg::Euclidean];
        let of_points = "say --measure hamming for bits, --measure euclidean for vectors";
        has(self.distance.distance.is_some(), "--distance", &with_distance, of_points)?;
        has(self.containment.is_some(), "--containment", &[MeasureArg::Containment], "say --measure containment")?;
        ensure!(
            self.empty.is_none() || !with_distance.contains(&measure),
            "--empty does not fit --measure {}: it is for texts",
            name_of(measure)
        );
        ensure!(
            self.containment.is_none() || references == References::Given,
            "--containment needs references: --against REF"
        );
        Ok(())
    }
}

impl MeasureArg {
    /// How a measure is spelled.
    fn of(measure: Measure) -> Self {
        match measure {
            Measure::Jaccard(_) | Measure::Signature(_) => Self::Jaccard,
            Measure::Containment(_) => Self::Containment,
            Measure::Overlap(_) => Self::Overlap,
            Measure::Cosine(_) | Measure::VectorCosine(_) => Self::Cosine,
            Measure::Hamming(_) => Self::Hamming,
            Measure::Euclidean(_) => Self::Euclidean,
        }
    }
}

/// The distance within which documents are near by a measure of distances.
fn distance_of_measure(measure: Measure) -> Option<f64> {
    match measure.limit() {
        Limit::Distance(bits) => Some(bits.into()),
        Limit::Within(distance) => Some(distance.as_f64()),
        Limit::Similarity(_) | Limit::Common(_) => None,
    }
}

/// A measure as it is spelled.
fn name_of(measure: MeasureArg) -> String {
    measure.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}
