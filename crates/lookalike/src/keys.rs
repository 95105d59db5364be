//! Which method finds the candidates, and the keys it gives the documents.

use crate::chunks::DocumentChunks;
use crate::counted::{CountedElements, count_sets};
use crate::error::Result;
use crate::link::{DealtKeys, Linker};
use crate::method::{MadeKeys, MethodChoice};
use crate::options::Method;
use crate::progress::{Stage, Unit};
use crate::saved::SavedSearch;
use crate::session::Session;
use crate::threads::ordered_map;
use lookalike_core::DocId;
use lookalike_core::candidates::{BandKeys, FrequencyTable, IndexKey, IndexKeys, LinkedKeys, PrefixKeys};
use lookalike_core::equal_sets::EqualSets;
use lookalike_core::shingle_sets::ShingleSets;
use lookalike_core::sketch::Banding;
use std::ops::Range;

/// Memory that a key takes while it is made, dealt and waits.
const BYTES_PER_KEY: usize = 32;

/// Costs that `auto` weighs, in nanoseconds on some machine; mostly their ratios matter.
mod cost {
    /// Following one posting, and refusing or verifying the document behind it.
    pub(super) const POSTING: f64 = 15.0;
    /// Drawing one element into a signature.
    pub(super) const SKETCHED_ELEMENT: f64 = 2.0;
    /// Making and numbering one band key.
    pub(super) const BAND_KEY: f64 = 40.0;
    /// How much dearer exact may be before recall is given up for speed.
    pub(super) const WORTH_OF_COMPLETENESS: f64 = 5.0;
    /// What exact may cost anyway: nobody gives up recall for a blink.
    pub(super) const BLINK: f64 = 2e8;
}

/// What the keys are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meeting {
    /// Each document is to meet all others.
    All,
    /// Each document is to meet those that are kept: how many those are, only a trial can tell.
    Keepers,
}

/// Makes the keys by which the documents that stand for a group will find each other; the other documents get none.
pub(crate) fn make_keys(
    sets: &ShingleSets,
    groups: &EqualSets,
    meeting: Meeting,
    saved: Option<&SavedSearch<'_>>,
    session: &Session<'_>,
) -> Result<MadeKeys> {
    let total = sets.len() as u64;
    let name = match meeting {
        Meeting::All => "keys-for-all",
        Meeting::Keepers => "keys-for-keepers",
    };
    session.stages.run(Stage { name: "sketching", total, unit: Unit::Documents }, || {
        if let Some(made) = saved.map_or(Ok(None), |saved| saved.keys(name))? {
            return Ok(made);
        }
        let unlimited = |(keys, method)| MadeKeys { keys, method, most_postings: u64::MAX };
        let made = match (session.options.method, session.banding) {
            (Method::Auto, Some(banding)) => cheapest_keys(sets, groups, meeting, banding, session),
            (Method::MinHash, Some(banding)) => minhash_keys(sets, groups, banding, session).map(unlimited),
            _ => exact_keys(sets, groups, session).map(unlimited),
        }?;
        saved.map_or(Ok(()), |saved| saved.save_keys(name, &made))?;
        Ok(made)
    })
}

/// Exact keys, unless MinHash is far cheaper.
fn cheapest_keys(
    sets: &ShingleSets,
    groups: &EqualSets,
    meeting: Meeting,
    banding: Banding,
    session: &Session<'_>,
) -> Result<MadeKeys> {
    let (keys, method) = exact_keys(sets, groups, session)?;
    let exact = MadeKeys { keys, method, most_postings: u64::MAX };
    let postings = exact.keys.total_meetings() as f64;
    // The signatures alone, without a single candidate.
    let sketching = sketching_cost(sets, groups, banding);
    let cheap = (cost::WORTH_OF_COMPLETENESS * sketching).max(cost::BLINK) / cost::POSTING;
    if postings <= cheap {
        return Ok(exact);
    }
    if meeting == Meeting::Keepers {
        return Ok(MadeKeys { most_postings: cheap as u64, ..exact });
    }
    let (keys, method) = minhash_keys(sets, groups, banding, session)?;
    let minhash = sketching + keys.total_meetings() as f64 * cost::POSTING;
    if postings * cost::POSTING <= cost::WORTH_OF_COMPLETENESS * minhash {
        return Ok(exact);
    }
    Ok(MadeKeys { keys, method: method.instead_of(postings), most_postings: u64::MAX })
}

/// What all signatures and their band keys cost, in the unit of [`cost`].
fn sketching_cost(sets: &ShingleSets, groups: &EqualSets, banding: Banding) -> f64 {
    let elements = sets.total_elements() as f64;
    let band_keys = (groups.representatives().len() * banding.bands()) as f64;
    elements * cost::SKETCHED_ELEMENT + band_keys * cost::BAND_KEY
}

fn exact_keys(sets: &ShingleSets, groups: &EqualSets, session: &Session<'_>) -> Result<(LinkedKeys, MethodChoice)> {
    let threshold = session.options.threshold;
    let sizes = groups.representatives().iter().map(|&document| sets.size(document));
    let most_keys = sizes.map(|size| threshold.prefix_length(size)).sum();
    let making = Making::new(sets, groups, most_keys, session);
    let keys = if CountedElements::are_needed(sets, &session.spill) {
        let counted = CountedElements::count(sets, groups, &making.chunks(), session)?;
        making.link(|| {
            let mut maker = PrefixKeys::new(&counted.table, threshold);
            let mut counts = Vec::new();
            let counted = &counted;
            move |chunk: &Chunk<'_>| {
                let mut chunk_counts = counted.chunk(chunk.number);
                chunk.keys(|set, keys| {
                    chunk_counts.next(set, &mut counts);
                    maker.append_counted(set, &counts, keys);
                })
            }
        })?
    } else {
        let mut frequencies = FrequencyTable::sized_for(sets.total_elements());
        count_sets(&mut frequencies, sets, groups, session)?;
        making.link(|| {
            let mut maker = PrefixKeys::new(&frequencies, threshold);
            move |chunk: &Chunk<'_>| chunk.keys(|set, keys| maker.append(set, keys))
        })?
    };
    let postings = keys.total_meetings() as f64;
    Ok((keys, MethodChoice::Exact { postings }))
}

fn minhash_keys(
    sets: &ShingleSets,
    groups: &EqualSets,
    banding: Banding,
    session: &Session<'_>,
) -> Result<(LinkedKeys, MethodChoice)> {
    let making = Making::new(sets, groups, groups.representatives().len() * banding.bands(), session);
    let keys = making.link(|| {
        let mut maker = BandKeys::new(banding, session.options.minhash.seed, session.options.kernel);
        move |chunk: &Chunk<'_>| chunk.keys(|set, keys| maker.append(set, keys))
    })?;
    let expected_recall = banding.probability(session.options.threshold.as_f64());
    Ok((keys, MethodChoice::MinHash { banding, expected_recall, exact_postings: None }))
}

/// Some consecutive documents whose keys are made together.
struct Chunk<'a> {
    number: usize,
    documents: Range<usize>,
    sets: &'a ShingleSets,
    groups: &'a EqualSets,
}

impl Chunk<'_> {
    /// Runs a key maker over the sets that stand for a group.
    fn keys(&self, mut make: impl FnMut(&[u64], &mut Vec<IndexKey>)) -> IndexKeys {
        let mut keys = IndexKeys::new();
        for document in self.documents.clone().map(|index| DocId(index as u32)) {
            keys.push_with(|out| {
                if self.groups.is_representative(document) {
                    make(self.sets.get(document), out);
                }
            });
        }
        keys
    }
}

/// What the keys are made of.
#[derive(Clone, Copy)]
struct Making<'a> {
    sets: &'a ShingleSets,
    groups: &'a EqualSets,
    session: &'a Session<'a>,
    /// There will be so many keys at most.
    most_keys: usize,
    /// Documents whose keys are made at a time by one thread, at most.
    chunk_documents: usize,
}

impl<'a> Making<'a> {
    fn new(sets: &'a ShingleSets, groups: &'a EqualSets, most_keys: usize, session: &'a Session<'a>) -> Self {
        let chunk_documents = session.spill.chunk_of(groups.representatives().len(), most_keys, BYTES_PER_KEY);
        Self { sets, groups, session, most_keys, chunk_documents }
    }

    fn chunks(self) -> DocumentChunks<'a> {
        DocumentChunks::of(self.sets, self.chunk_documents)
    }

    /// Makes the keys of all documents, each chunk by one of the makers (there is one a thread), and numbers them.
    fn link<M: FnMut(&Chunk<'_>) -> IndexKeys>(self, new_maker: impl Fn() -> M + Sync) -> Result<LinkedKeys> {
        let Self { session, sets, groups, .. } = self;
        let most_bytes = session.spill.most_bytes_beside(sets.memory_bytes() as u64);
        let mut linker = Linker::new(&session.spill, session.threads(), self.most_keys, most_bytes)?;
        let dealing = linker.dealing();
        let make = |maker: &mut M, chunk: Chunk<'_>| {
            session.stages.check()?;
            let keys = dealing.deal(&maker(&chunk), chunk.documents.start);
            session.stages.progress.advance(chunk.documents.len() as u64);
            Ok(keys)
        };
        let append = |keys: Result<DealtKeys>| linker.append(&keys?);
        let representatives = groups.representatives().len().max(1);
        let chunk_bytes = self.most_keys * BYTES_PER_KEY / representatives * self.chunk_documents;
        let chunks = self.chunks().enumerate().map(|(number, documents)| Chunk { number, documents, sets, groups });
        ordered_map(chunks, session.pace_for(chunk_bytes), new_maker, make, append)?;
        linker.finish()
    }
}

#[cfg(test)]
mod tests;
