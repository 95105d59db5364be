//! Scheme by which the documents of an index become keys and stored sets.

use super::packed_sets::SetForm;
use crate::base::{Error, Result};
use lookalike_core::comparison::{Measure, StoredKeys};
use lookalike_core::documents::{ElementSet, WeightedSet};
use lookalike_core::terms::{self, DocumentFrequencies};
use std::sync::Arc;

/// Parameters by which the documents of an index become keys and stored sets, and by which they are compared.
#[derive(Debug, Clone)]
pub(crate) struct Scheme {
    pub(crate) measure: Measure,
    pub(crate) keys: StoredKeys,
    pub(crate) form: SetForm,
    /// Frequencies by which terms are weighed; `None` if they are not.
    pub(crate) frequencies: Option<Arc<DocumentFrequencies>>,
}

impl Scheme {
    /// Checks that questions by a measure are answered.
    pub(crate) fn check_measure(&self, measure: Measure) -> Result<()> {
        if self.measure.serves(measure) {
            return Ok(());
        }
        let described = |measure: Measure| format!("{} {}", measure.kind(), measure.limit());
        Err(Error::OtherMeasure { stored: described(self.measure), requested: described(measure) })
    }

    /// Returns whether terms have the same weights.
    pub(crate) fn weighs_like(&self, other: &Self) -> bool {
        match (&self.frequencies, &other.frequencies) {
            (Some(a), Some(b)) => {
                a.documents() == b.documents()
                    && a.terms().chunks().eq(b.terms().chunks())
                    && a.counts().chunks().eq(b.counts().chunks())
            }
            (a, b) => a.is_none() && b.is_none(),
        }
    }

    /// Puts the weights of the elements of a document in place of `weights`: none if the measure weighs none. `None` if
    /// they are too large, or the counts do not fit the elements.
    pub(crate) fn weigh(&self, elements: &[u64], counts: &[u32], weights: &mut Vec<u32>) -> Option<()> {
        weights.clear();
        if self.measure.weighted().is_none() {
            return Some(());
        }
        let counted = WeightedSet::new(ElementSet::new(elements).ok()?, counts).ok()?;
        terms::weigh(counted, self.frequencies.as_deref(), weights).map(|_| ())
    }
}
