//! The measure of a job and its limit.

use super::values::{any_distance, count, one_of, weights};
use anyhow::{Result, anyhow, ensure};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use lookalike::details::PointKind;
use lookalike::{
    Measure,
    inputs::{ImageFeatures, MAX_WIDTH},
    measures::{EmptyPolicy, LimitForm, MeasureName, MeasureRefusal, MeasureWords, Side, Subject, Threshold, Weights},
};

/// The measure of a job and its limit. Nothing has a default here, to tell what was given.
#[derive(Debug, Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct MeasureArgs {
    /// Minimum similarity of near-duplicates [default: 0.8]
    ///
    /// A pair at exactly T is one, compared without rounding.
    #[arg(short, long, value_name = "T")]
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
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = count)]
    min_common: Option<usize>,
    /// Weight of a shingle or item, for --measure cosine: tf, tfidf, binary [default: tf]
    ///
    /// tf: how often the document has it. tfidf: that times ln((1 + N) / (1 + df)) + 1, where df of the N documents
    /// have it. binary: 1.
    #[arg(long, hide_short_help = true, value_name = "WEIGHTS", hide_possible_values = true, value_parser = weights())]
    weights: Option<Weights>,
    #[arg(long, hide_short_help = true, value_name = "D", value_parser = any_distance, help = distance_help())]
    distance: Option<f64>,
    /// With --measure containment and --against: what must be in what [default: either]
    #[arg(
        long,
        hide_short_help = true,
        value_name = "WHICH",
        value_parser = one_of([
            ("either", "The input is in the reference, or the reference in the input", Side::Either),
            ("in-reference", "The input is in the reference", Side::InReference),
            (
                "of-reference",
                "The reference is in the input: a page that quotes a test question",
                Side::OfReference,
            ),
        ])
    )]
    containment: Option<Side>,
    /// Whether texts of zero bytes are duplicates of each other [default: keep]
    #[arg(
        long,
        hide_short_help = true,
        value_name = "WHAT",
        value_parser = one_of([
            ("keep", "A text of zero bytes is no duplicate", EmptyPolicy::Keep),
            ("duplicate", "Texts of zero bytes are duplicates of each other", EmptyPolicy::Duplicate),
        ])
    )]
    empty: Option<EmptyPolicy>,
}

/// The help of `--distance`.
fn distance_help() -> String {
    let of_vectors = MeasureName::ALL.into_iter().filter(|name| name.limit() == LimitForm::Distance);
    let names: Vec<&str> = of_vectors.map(MeasureName::as_str).collect();
    format!(
        "Maximum number of bits in which fingerprints differ, for --measure hamming, or maximum distance of vectors, \
         for --measure {} [default: none; 4 for image-hash]",
        names.join(" or ")
    )
}

/// The help of `--measure`, in a line.
const MEASURES: &str = "jaccard, containment, cosine, ... [default: jaccard]";

/// Values of `--measure`.
fn measure_names() -> impl TypedValueParser<Value = MeasureName> {
    let values = MeasureName::ALL.map(|name| PossibleValue::new(name.as_str()).help(name.meaning()));
    let find = |word: String| MeasureName::ALL.into_iter().find(|name| name.as_str() == word);
    PossibleValuesParser::new(values).try_map(move |word| find(word).ok_or("no measure of this name"))
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

/// References of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum References {
    Given,
    None,
}

impl MeasureArgs {
    /// True if a limit is given; measures without a threshold need one.
    pub(crate) fn has_limit(&self) -> bool {
        self.threshold.is_some() || self.min_common.is_some() || self.distance.is_some()
    }

    /// True if `--containment` is given.
    pub(crate) fn has_side(&self) -> bool {
        self.containment.is_some()
    }

    /// True if a measure is given.
    pub(crate) fn is_given(&self) -> bool {
        self.measure.is_some()
    }

    /// The measure that these flags mean. `stored` is the measure of the index that is compared with: it is meant where
    /// no flag says another, but for a threshold, which has a default of its own.
    ///
    /// # Errors
    /// If a flag does not fit the measure, the measure does not fit what is compared, or `--containment` is given
    /// without references.
    pub(crate) fn to_measure(
        &self,
        references: References,
        subject: Subject,
        stored: Option<Measure>,
    ) -> Result<Measure> {
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
            distance: self.distance,
            weights: self.weights,
            contained: self.containment,
            empty: self.empty,
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
        has(self.distance.is_some(), "--distance", has_distance, of_points)?;
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
