//! What "alike" means, and from when on.

use super::bits::DistanceArgs;
use super::values::count;
use anyhow::{Result, anyhow, ensure};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use lookalike::details::PointKind;
use lookalike::{
    Measure,
    inputs::{ImageFeatures, MAX_WIDTH},
    measures::{EmptyPolicy, LimitForm, MeasureName, MeasureRefusal, MeasureWords, Side, Subject, Threshold, Weights},
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
    #[arg(
        long,
        value_name = "MEASURE",
        hide_possible_values = true,
        value_parser = measure_names(),
        help = MEASURES,
        long_help = measure_help()
    )]
    measure: Option<MeasureName>,
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

/// The help of `--measure`, in a line.
const MEASURES: &str = "jaccard, containment, cosine, ... [default: jaccard]";

/// Answers of `--measure`.
fn measure_names() -> impl TypedValueParser<Value = MeasureName> {
    let values = MeasureName::ALL.map(|name| PossibleValue::new(name.as_str()).help(name.meaning()));
    let find = |said: String| MeasureName::ALL.into_iter().find(|name| name.as_str() == said);
    PossibleValuesParser::new(values).try_map(move |said| find(said).ok_or("no measure of this name"))
}

/// The help of `--measure`: what each measure means, with the flags that go with it.
fn measure_help() -> String {
    let explained = |name: MeasureName| match name {
        MeasureName::Containment => format!(
            "{name}: {}; a quoted passage has 1, however long the page around it. dedup then takes long documents \
             first, so the part goes and the whole stays.",
            name.meaning()
        ),
        MeasureName::Cosine => format!(
            "{name}: the cosine of the vectors that --weights makes of the counts of shingles or items, best with \
             --shingle word:1."
        ),
        MeasureName::Hamming => format!("{name}: {}, for --bits.", name.meaning()),
        _ => format!("{name}: {}.", name.meaning()),
    };
    let (of_vectors, others): (Vec<_>, Vec<_>) =
        MeasureName::ALL.into_iter().partition(|name| name.limit() == LimitForm::Distance);
    let others: Vec<String> = others.into_iter().map(explained).collect();
    let of_vectors: Vec<String> = of_vectors.into_iter().map(|name| format!("{name} {}", name.meaning())).collect();
    format!(
        "{MEASURES}\n\n{} For --vector, cosine is that of the given vectors, and {}.",
        others.join(" "),
        of_vectors.join(", and ")
    )
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

impl From<ContainmentArg> for Side {
    fn from(contained: ContainmentArg) -> Self {
        match contained {
            ContainmentArg::Either => Self::Either,
            ContainmentArg::InReference => Self::InReference,
            ContainmentArg::OfReference => Self::OfReference,
        }
    }
}

/// Answers of `--empty`.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum EmptyArg {
    /// A text of zero bytes is no duplicate
    Keep,
    /// Texts of zero bytes are duplicates of each other
    Duplicate,
}

impl From<EmptyArg> for EmptyPolicy {
    fn from(empty: EmptyArg) -> Self {
        match empty {
            EmptyArg::Keep => Self::Keep,
            EmptyArg::Duplicate => Self::Duplicate,
        }
    }
}

/// Whether the job compares with references.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum References {
    Given,
    None,
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

    /// What these flags mean by "alike". `stored` is the measure of the index that is compared with: it is meant where
    /// no flag says another, but for a threshold, which has a default of its own.
    ///
    /// # Errors
    /// If a flag does not fit the measure, the measure does not fit what is compared, or `--containment` is given
    /// without references.
    pub(crate) fn noun(&self, references: References, subject: Subject, stored: Option<Measure>) -> Result<Measure> {
        let words = self.words();
        let name = words.name(subject, stored);
        self.check(name, references)?;
        self.check_subject(name, subject)?;
        words.measure(subject, stored).map_err(|refusal| match refusal {
            MeasureRefusal::LimitNeeded(name) => anyhow!("--measure {name} needs {}", needed_limit(name)),
            MeasureRefusal::NoNumberOfBits { found } => {
                anyhow!("--distance {found}: --measure hamming takes a number of bits, from 0 to {}", MAX_WIDTH - 1)
            }
            MeasureRefusal::Distance(error) => lookalike::Error::from(error).into(),
        })
    }

    fn words(&self) -> MeasureWords {
        MeasureWords {
            name: self.measure,
            threshold: self.threshold,
            min_common: self.min_common,
            distance: self.distance.distance,
            weights: self.weights.map(Weights::from),
            contained: self.containment.map(Side::from),
            empty: self.empty.map(EmptyPolicy::from),
        }
    }

    fn check_subject(&self, measure: MeasureName, subject: Subject) -> Result<()> {
        let fits = measure.compares(subject.points());
        match subject {
            Subject::Texts => {
                ensure!(
                    !measure.compares(Some(PointKind::Fingerprints)),
                    "--measure {measure} needs fingerprints: --bits FIELD, or --features image-hash for images"
                );
                ensure!(
                    fits,
                    "--measure {measure} needs vectors: --vector FIELD, or --features image-vector for images"
                );
            }
            Subject::Fingerprints { .. } => {
                ensure!(fits, "--bits does not fit --measure {measure}: say --measure hamming --distance K");
            }
            Subject::Images(ImageFeatures::ImageHash) => {
                ensure!(fits, "--features image-hash does not fit --measure {measure}: hashes are compared by hamming");
            }
            Subject::Vectors | Subject::Images(ImageFeatures::ImageVector) => {
                let flag = if subject == Subject::Vectors { "--vector" } else { "--features image-vector" };
                ensure!(
                    fits,
                    "{flag} does not fit --measure {measure}: say --measure cosine, or --measure euclidean --distance R"
                );
                ensure!(self.weights.is_none(), "--weights is for texts and items: a vector has its weights");
                ensure!(self.empty.is_none(), "--empty is for texts: no vector is empty");
            }
            Subject::Signatures => {
                ensure!(fits, "--signature does not fit --measure {measure}: signatures estimate jaccard");
                ensure!(self.empty.is_none(), "--empty is for texts: a signature of nothing is no duplicate");
            }
            Subject::WholeTexts => ensure!(
                self.threshold.is_none() && measure == MeasureName::Jaccard,
                "--identical takes texts that are equal byte for byte: it has no use for {}",
                if self.threshold.is_some() { "--threshold" } else { "--measure" }
            ),
            Subject::SavedPairs => {}
        }
        Ok(())
    }

    fn check(&self, measure: MeasureName, references: References) -> Result<()> {
        let limit = measure.limit();
        let has = |flag: bool, name: &str, fits: bool, instead: &str| {
            ensure!(!flag || fits, "{name} does not fit --measure {measure}: {instead}");
            Ok(())
        };
        let own = match limit {
            LimitForm::Bits => "it has --distance K",
            LimitForm::Distance => "it has --distance R",
            LimitForm::MinCommon | LimitForm::Threshold => "it has --min-common N",
        };
        has(self.threshold.is_some(), "--threshold", limit == LimitForm::Threshold, own)?;
        has(self.min_common.is_some(), "--min-common", limit == LimitForm::MinCommon, "say --measure overlap")?;
        has(self.weights.is_some(), "--weights", measure == MeasureName::Cosine, "say --measure cosine")?;
        let has_distance = [LimitForm::Bits, LimitForm::Distance].contains(&limit);
        let of_points = "say --measure hamming for bits, --measure euclidean for vectors";
        has(self.distance.distance.is_some(), "--distance", has_distance, of_points)?;
        let is_containment = measure == MeasureName::Containment;
        has(self.containment.is_some(), "--containment", is_containment, "say --measure containment")?;
        has(self.empty.is_some(), "--empty", measure.compares(None), "it is for texts")?;
        ensure!(
            self.containment.is_none() || references == References::Given,
            "--containment needs references: --against REF"
        );
        Ok(())
    }
}

/// The limit that a measure has no default for, with its flag.
fn needed_limit(measure: MeasureName) -> &'static str {
    match measure.limit() {
        LimitForm::Threshold => "the minimum similarity: --threshold T",
        LimitForm::MinCommon => "the minimum number of common elements: --min-common N",
        LimitForm::Bits => "the maximum number of differing bits: --distance K",
        LimitForm::Distance => "the maximum distance: --distance R",
    }
}
