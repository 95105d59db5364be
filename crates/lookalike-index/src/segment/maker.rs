//! What decides about a segment beside its documents.

use super::segment::Segment;
use super::set_form::SetForm;
use crate::ground::{Error, Result};
use lookalike_core::comparison::{Measure, StoredKeys};
use lookalike_core::documents::{ElementSet, WeightedSet};
use lookalike_core::keys::ElementOrder;
use lookalike_core::terms::{self, DocumentFrequencies};

/// What decides about the bytes of a segment, beside its documents; threads and memory do not.
#[derive(Debug, Clone)]
pub(crate) struct SegmentMaker<'a> {
    pub(crate) measure: Measure,
    pub(crate) keys: &'a StoredKeys,
    pub(crate) form: &'a SetForm,
    pub(crate) order: &'a ElementOrder,
    /// The number of the order among those of the index.
    pub(crate) order_number: u64,
    /// By which terms are weighed; `None` if they are not.
    pub(crate) frequencies: Option<&'a DocumentFrequencies>,
    pub(crate) threads: usize,
    /// For the keys that are sorted at a time.
    pub(crate) memory_bytes: usize,
}

impl SegmentMaker<'_> {
    /// Whether a segment of this index has the keys that this maker would make.
    pub(super) fn has_keys_of(&self, segment: &Segment) -> bool {
        !self.keys.are_ordered() || std::ptr::eq(&**segment.order(), self.order)
    }
}

/// Puts the weights of the elements of a document in place of `weights`: none if the measure weighs none.
pub(crate) fn weigh(
    set: (&[u64], &[u32]),
    maker: &SegmentMaker<'_>,
    weights: &mut Vec<u32>,
    id: impl FnOnce() -> String,
) -> Result<()> {
    weigh_by(set, maker.measure, maker.frequencies, weights).ok_or_else(|| Error::WeightsTooLarge { id: id() })
}

/// The same; `None` if the weights are too large.
pub(crate) fn weigh_by(
    (elements, counts): (&[u64], &[u32]),
    measure: Measure,
    frequencies: Option<&DocumentFrequencies>,
    weights: &mut Vec<u32>,
) -> Option<()> {
    weights.clear();
    if measure.weighted().is_none() {
        return Some(());
    }
    let counted = WeightedSet::new(ElementSet::new(elements).ok()?, counts).ok()?;
    terms::weigh(counted, frequencies, weights).map(|_| ())
}
