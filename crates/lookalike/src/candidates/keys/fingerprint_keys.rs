//! The blocking keys of the fingerprint method: those of the exact method for containment, with prefixes of
//! fingerprints.

use super::{DocumentChunk, ElementCounts, KeyDealing, KeySource, may_be_contained};
use crate::base::{Contradiction, Result};
use crate::candidates::method::{MethodKeys, MethodUsed, UsedFingerprints};
use crate::spill::Share;
use lookalike_core::Ragged;
use lookalike_core::comparison::{ComparedPairs, Measure};
use lookalike_core::keys::{BlockingKey, BlockingKeys, Bounds, Extent};
use lookalike_core::sets::{
    ContainedElements, ContainmentKeys, Fingerprint, FingerprintPlan, FingerprintPrefixes, PrefixKeys, Selected,
    Selection,
};
use std::sync::atomic::{AtomicU64, Ordering};

/// Factor on the mean number of keys of a document by which the map of contained elements is sized: a larger map takes
/// fewer elements for contained ones by mistake.
const ROOM: usize = 4;

impl<'a> KeySource<'a> {
    /// Keys of the rarest fingerprints of each document, and of all elements that others may be found by.
    ///
    /// # Errors
    /// If the measure is not containment, or the texts were not winnowed; or the job is cancelled.
    pub(super) fn fingerprint_keys(self, fingerprint: Fingerprint, meeting: ComparedPairs) -> Result<MethodKeys> {
        let sets = self.sets();
        let measure = self.verifier.measure();
        let containment = fingerprint.containment(measure)?;
        let sizes = || self.groups.representatives().iter().map(|&document| sets.size(document));
        let dealing = KeyDealing::new(self, sizes().sum(), super::Positions::OfKeys);
        let counts = self.count(&dealing)?;
        self.session.stages.extend(self.groups.len());
        let plan = FingerprintPlan::new(fingerprint.select, containment.threshold, fingerprint.recall);
        let source = self.selection(fingerprint.select)?;
        let max_bytes = self.session.spill.budget().share(Share::Sketches);
        let expected = sizes().map(|size| expected_keys(size, fingerprint.select, &plan, measure)).sum::<usize>();
        let contained = ContainedElements::sized_for(expected.saturating_mul(ROOM), max_bytes);
        let prefixes = || FingerprintPrefixes::new(PrefixKeys::new(&counts.table, measure), &plan);
        dealing.visit(
            || {
                let mut prefixes = prefixes();
                makes(&counts, source, move |selected, keys| prefixes.append(selected, keys))
            },
            |document, keys| {
                if may_be_contained(document, containment.contained, meeting) {
                    contained.insert(keys);
                }
            },
        )?;
        let tally = Tally::default();
        let keys = dealing.share(|| {
            let mut maker = ContainmentKeys::with_prefixes(prefixes(), &contained);
            let tally = &tally;
            let plan = &plan;
            makes(&counts, source, move |selected, keys| {
                tally.add(plan, selected.fingerprints.len());
                maker.append_behind(selected.set, Extent::BEHIND, keys, |prefixes, keys| {
                    prefixes.append(selected, keys)
                });
            })
        })?;
        Ok(MethodKeys::new(keys, MethodUsed::Fingerprint(tally.used(fingerprint, &plan))))
    }

    fn selection(self, select: Selection) -> Result<FingerprintSource<'a>> {
        match (select, self.prepared.winnowed()) {
            (Selection::Mod(_), _) => Ok(FingerprintSource::Hashes(select)),
            (Selection::Winnow(_), Some(winnowed)) => Ok(FingerprintSource::Winnowed(winnowed)),
            (Selection::Winnow(_), None) => Err(Contradiction::NotWinnowed.into()),
        }
    }
}

/// Keys that the prefix of a set of `size` elements has, about.
fn expected_keys(size: usize, select: Selection, plan: &FingerprintPlan, measure: Measure) -> usize {
    let fingerprints = (size as f64 * select.density()) as usize;
    plan.prefix_length(fingerprints).unwrap_or_else(|| measure.prefix_length(size))
}

/// Sources of the fingerprints of a document.
#[derive(Clone, Copy)]
enum FingerprintSource<'a> {
    /// Elements, selected by their hashes.
    Hashes(Selection),
    /// Fingerprints by document, each ascending.
    Winnowed(&'a Ragged<u64>),
}

/// Makes the keys of chunks, from sets with their fingerprints.
fn makes<'m>(
    counts: &'m ElementCounts,
    source: FingerprintSource<'m>,
    mut append: impl FnMut(Selected<'_>, &mut Vec<BlockingKey>) + 'm,
) -> impl FnMut(&DocumentChunk<'_>) -> Result<BlockingKeys> + 'm {
    let mut by_hash = Vec::new();
    counts.makes(move |document, set, first, keys| {
        let set = set.elements();
        let fingerprints = match source {
            FingerprintSource::Winnowed(all) => all.get(document.index()),
            FingerprintSource::Hashes(select) => {
                by_hash.clear();
                by_hash.extend(set.iter().copied().filter(|&element| select.takes(element)));
                &by_hash[..]
            }
        };
        append(Selected { set: &set, fingerprints, counts: first }, keys);
    })
}

/// Numbers of the fingerprints of documents.
#[derive(Debug, Default)]
struct Tally {
    documents: AtomicU64,
    fingerprints: AtomicU64,
    /// Documents with too few of them.
    looked_up_in_full: AtomicU64,
}

impl Tally {
    fn add(&self, plan: &FingerprintPlan, fingerprints: usize) {
        if plan.prefix_length(fingerprints).is_none() {
            self.looked_up_in_full.fetch_add(1, Ordering::Relaxed);
            return;
        }
        self.documents.fetch_add(1, Ordering::Relaxed);
        self.fingerprints.fetch_add(fingerprints as u64, Ordering::Relaxed);
    }

    fn used(&self, fingerprint: Fingerprint, plan: &FingerprintPlan) -> UsedFingerprints {
        let [documents, fingerprints, looked_up_in_full] =
            [&self.documents, &self.fingerprints, &self.looked_up_in_full].map(|count| count.load(Ordering::Relaxed));
        let mean_fingerprints = fingerprints.checked_div(documents).unwrap_or(0);
        let Fingerprint { select, recall, seed: _ } = fingerprint;
        UsedFingerprints {
            select,
            expected_recall: select.window().is_none().then_some(recall),
            mean_fingerprints,
            min_common: plan.min_common(mean_fingerprints as usize) as u64,
            looked_up_in_full,
        }
    }
}
