//! Settings of an index.

use crate::base::{Error, Result};
use crate::segment::SetForm;
use lookalike_core::comparison::{
    BitSearch, Features, Measure, Method, SearchPlan, SetSearch, StoredKeys, TermSearch, VectorSearch,
};
use lookalike_core::kernel::Kernel;
use lookalike_core::signatures::{ByteSignatures, INTERVAL_COVERAGE};
use lookalike_core::similarity::Figure;
use lookalike_core::stored::Provenance;
use lookalike_core::vectors::ProjectionPlan;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Stored form of the set of a document.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Storage {
    /// Elements of the set: answers are verified.
    #[default]
    Sets,
    /// A signature of a byte for each component of its bands: answers are estimates.
    Signatures,
}

impl Storage {
    /// Figure of answers by a measure: what it counts, or an estimate.
    pub fn figure(self, measure: Measure) -> Figure {
        match self {
            Self::Sets => measure.figure(),
            Self::Signatures => Figure::EstimatedSimilarity,
        }
    }
}

/// Settings of an index, which stay as they were when it was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Features of documents.
    pub features: Features,
    /// Measure, with the lowest threshold that queries can have.
    pub measure: Measure,
    /// Method by which candidates are found.
    pub method: Method,
    /// Stored form of sets.
    pub storage: Storage,
    /// `true` if texts are stored.
    pub texts: bool,
    /// The fields of records that travel along.
    pub fields: Vec<String>,
    /// Notation of its documents, in the words of those who read them; an index does not look into it. `None` if
    /// nothing need be known, as of texts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notation: Option<Value>,
}

impl Settings {
    /// An index that stores sets, and nothing that travels along.
    pub fn new(features: Features, measure: Measure, method: Method) -> Self {
        Self { features, measure, method, storage: Storage::Sets, texts: false, fields: Vec::new(), notation: None }
    }

    /// Checks that documents of other features can be put into the index, or be queries.
    ///
    /// # Errors
    /// [`Error::OtherFeatures`].
    pub fn check_features(&self, features: &Features) -> Result<()> {
        let [present, stored] = [features, &self.features].map(|features| Provenance::new().with_features(features));
        match present?.difference(&stored?) {
            Some(difference) => Err(Error::OtherFeatures { difference }),
            None => Ok(()),
        }
    }

    /// Checks that they fit each other.
    ///
    /// # Errors
    /// [`Error::NoSignatures`] for signatures by another measure than Jaccard, or another method than MinHash; those of
    /// the parameters.
    pub fn check(&self) -> Result<()> {
        self.form()?;
        self.keys().map(drop)
    }

    /// The probability of finding a document at the threshold; 1 if none is missed. Of stored signatures also the
    /// interval of the estimate must reach it. Both rise with the components that agree, so both together are at least
    /// as probable as their product (Harris 1960).
    ///
    /// # Errors
    /// The errors of the parameters.
    pub fn expected_recall(&self) -> Result<f64> {
        let coverage = if self.storage == Storage::Signatures { INTERVAL_COVERAGE } else { 1.0 };
        let by_keys = match self.plan()? {
            SearchPlan::Sets { measure, by: SetSearch::MinHash(bands) } => {
                measure.min_jaccard().map_or(1.0, |jaccard| bands.banding.probability(jaccard))
            }
            SearchPlan::Sets { by: SetSearch::SimHash(bands), .. }
            | SearchPlan::Terms { by: TermSearch::SimHash(bands), .. }
            | SearchPlan::Bits { by: BitSearch::Sampling(bands), .. } => bands.recall,
            SearchPlan::Vectors { measure, by: VectorSearch::Projections(projections) } => {
                let plan = measure.by_products().and_then(|by| ProjectionPlan::without_corpus(projections, by));
                plan.map_or(1.0, |plan| plan.expected_recall())
            }
            SearchPlan::Sets { by: SetSearch::Exact | SetSearch::Fingerprint(_) | SetSearch::Cheapest(_), .. }
            | SearchPlan::Terms { by: TermSearch::Exact, .. }
            | SearchPlan::Bits { by: BitSearch::Exact, .. }
            | SearchPlan::Vectors { by: VectorSearch::Exact | VectorSearch::Cheapest(_), .. } => 1.0,
        };
        Ok(by_keys * coverage)
    }

    /// The measure with its method.
    fn plan(&self) -> Result<SearchPlan> {
        Ok(SearchPlan::new(self.measure, self.method)?)
    }

    /// Form in which sets are stored.
    ///
    /// # Errors
    /// [`Error::NoSignatures`] for signatures by another measure than Jaccard, or another method than MinHash.
    pub(crate) fn form(&self) -> Result<SetForm> {
        match (self.storage, self.measure) {
            (Storage::Sets, _) => Ok(SetForm::Elements(self.measure)),
            (Storage::Signatures, Measure::Jaccard(_)) => match self.plan()? {
                SearchPlan::Sets { by: SetSearch::MinHash(bands), .. } => {
                    Ok(SetForm::Signature(ByteSignatures::new(bands.banding, bands.seed, Kernel::detect())))
                }
                _ => Err(Error::NoSignatures),
            },
            (Storage::Signatures, _) => Err(Error::NoSignatures),
        }
    }

    /// The maker of its keys.
    pub(crate) fn keys(&self) -> Result<StoredKeys> {
        self.features.check()?;
        self.measure.check()?;
        Ok(StoredKeys::new(self.plan()?, Kernel::detect())?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_without_a_notation_are_those_of_earlier_programs() {
        let settings = Settings::new(Features::default(), Measure::default(), Method::Exact);
        let stored = serde_json::to_value(&settings).unwrap();
        assert!(stored.get("notation").is_none());
        assert_eq!(serde_json::from_value::<Settings>(stored).unwrap(), settings);
        let known = Settings { notation: Some(serde_json::json!({"item_counts": "written"})), ..settings };
        let stored = serde_json::to_value(&known).unwrap();
        assert_eq!(serde_json::from_value::<Settings>(stored).unwrap(), known);
    }
}
