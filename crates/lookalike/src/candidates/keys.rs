//! The method that finds the candidates, and the blocking keys that it gives the documents.

use super::chunks::DocumentChunks;
use super::dictionary::{DealtKeys, KeyDictionary, Positions};
use super::frequencies::{CountedElements, count_sets};
use super::method::{MadeKeys, MethodUsed};
use crate::ground::Result;
use crate::run::Session;
use crate::threads::ordered_map;
use lookalike_core::DocId;
use lookalike_core::features::ElementSets;
use lookalike_core::measure::{EqualSets, Verifier};
use lookalike_core::method::{
    Banding, BlockingKey, BlockingKeys, FrequencyTable, KeyMaker, Meeting, PrefixKeys, Scale, Search, SharedKeys, Work,
};
use std::ops::Range;

/// Memory that a blocking key takes while it is made, dealt and waits.
const BYTES_PER_KEY: usize = 32;

/// What blocking keys are made of.
#[derive(Clone, Copy)]
pub(crate) struct KeySource<'a> {
    pub(crate) verifier: Verifier<'a>,
    pub(crate) groups: &'a EqualSets,
    pub(crate) session: &'a Session<'a>,
}

impl<'a> KeySource<'a> {
    /// Makes the blocking keys by which the representatives of the groups will find each other; the other documents
    /// get none.
    pub(crate) fn make_keys(self, search: Search, meeting: Meeting) -> Result<MadeKeys> {
        match search {
            Search::Exact => match self.verifier.measure().hamming() {
                Some(hamming) => self.table_keys(hamming),
                None => self.exact_keys(),
            },
            Search::BitSampling { banding, seed } => self.sampled_keys(banding, seed),
            Search::MinHash { banding, seed } => self.minhash_keys(banding, seed, None),
            Search::Cheapest { banding, seed } => self.cheapest_keys(banding, seed, meeting),
        }
    }

    /// Exact keys, unless MinHash is far cheaper. How much a search among keepers costs is not known before a trial,
    /// which these keys bound.
    fn cheapest_keys(self, banding: Banding, seed: u64, meeting: Meeting) -> Result<MadeKeys> {
        let exact = self.exact_keys()?;
        match meeting {
            Meeting::Keepers | Meeting::References { .. } => {
                Ok(MadeKeys { max_cost: Some(self.scale(banding).accepted_cost()), ..exact })
            }
            Meeting::All => Ok(self.cheaper_than(&exact, banding, seed, meeting)?.unwrap_or(exact)),
        }
    }

    /// The keys of MinHash, if they are far cheaper than the `exact` ones, with the cost at which they no longer are.
    pub(crate) fn cheaper_than(
        self,
        exact: &MadeKeys,
        banding: Banding,
        seed: u64,
        meeting: Meeting,
    ) -> Result<Option<MadeKeys>> {
        let (scale, postings) = (self.scale(banding), exact.keys.total_meetings());
        if scale.accepts_all(postings) {
            return Ok(None);
        }
        let work =
            |keys: &MadeKeys| Work::estimate(&keys.keys, self.verifier, meeting, seed, || self.session.stages.check());
        let exact_work = work(exact)?;
        if scale.accepts(&exact_work) {
            return Ok(None);
        }
        self.session.stages.extend(self.groups.len());
        let minhash = self.minhash_keys(banding, seed, Some(postings))?;
        let max_cost = Some(scale.most_for_minhash(&exact_work));
        let is_cheaper = scale.prefers_minhash(&exact_work, &work(&minhash)?);
        Ok(is_cheaper.then_some(MadeKeys { max_cost, ..minhash }))
    }

    fn scale(self, banding: Banding) -> Scale {
        let documents = self.groups.representatives();
        let elements = documents.iter().map(|&document| self.sets().size(document)).sum();
        Scale { elements, documents: documents.len(), banding }
    }

    pub(super) fn sets(self) -> &'a ElementSets {
        self.verifier.sets()
    }

    fn exact_keys(self) -> Result<MadeKeys> {
        let Self { verifier, groups, session } = self;
        let (sets, measure) = (verifier.sets(), verifier.measure());
        let sizes = groups.representatives().iter().map(|&document| sets.size(document));
        let dealing = Dealing::new(self, sizes.map(|size| measure.prefix_length(size)).sum(), Positions::OfElements);
        let keys = if CountedElements::are_needed(sets, &session.spill) {
            let counted = CountedElements::count(sets, groups, &dealing.chunks(), session)?;
            dealing.share(|| {
                let mut maker = PrefixKeys::new(&counted.table, measure);
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
            dealing.share_of(&KeyMaker::new(Search::Exact, measure, Some(&frequencies), session.kernel())?)?
        };
        let method = MethodUsed::Exact { postings: keys.total_meetings() };
        Ok(MadeKeys { keys, method, max_cost: None })
    }

    fn minhash_keys(self, banding: Banding, seed: u64, exact_postings: Option<u64>) -> Result<MadeKeys> {
        let dealing = Dealing::new(self, self.groups.representatives().len() * banding.bands(), Positions::OfBands);
        let search = Search::MinHash { banding, seed };
        let keys = dealing.share_of(&KeyMaker::new(search, self.verifier.measure(), None, self.session.kernel())?)?;
        let expected_recall = self.verifier.measure().min_jaccard().map_or(0.0, |jaccard| banding.probability(jaccard));
        let method = MethodUsed::MinHash { banding, expected_recall, exact_postings };
        Ok(MadeKeys { keys, method, max_cost: None })
    }
}

/// Consecutive documents whose keys are made together.
pub(super) struct Chunk<'a> {
    number: usize,
    documents: Range<usize>,
    sets: &'a ElementSets,
    groups: &'a EqualSets,
}

impl Chunk<'_> {
    /// Runs a key maker over the sets of the representatives.
    pub(super) fn keys(&self, mut make: impl FnMut(&[u64], &mut Vec<BlockingKey>)) -> BlockingKeys {
        let mut keys = BlockingKeys::new();
        for document in self.documents.clone().map(|index| DocId(index as u32)) {
            keys.push_with(|out| {
                if self.groups.is_representative(document) {
                    make(&self.sets.get(document), out);
                }
            });
        }
        keys
    }
}

/// How keys are made by all threads and dealt into the dictionary.
#[derive(Clone, Copy)]
pub(super) struct Dealing<'a> {
    source: KeySource<'a>,
    /// Maximum number of keys.
    max_keys: usize,
    positions: Positions,
    /// Maximum number of documents in a chunk.
    chunk_documents: usize,
}

impl<'a> Dealing<'a> {
    pub(super) fn new(source: KeySource<'a>, max_keys: usize, positions: Positions) -> Self {
        let documents = source.groups.representatives().len();
        let chunk_documents = source.session.spill.chunk_of(documents, max_keys, BYTES_PER_KEY);
        Self { source, max_keys, positions, chunk_documents }
    }

    pub(super) fn chunks(self) -> DocumentChunks<'a> {
        DocumentChunks::of(self.source.sets(), self.chunk_documents)
    }

    /// Makes the keys of all documents, each thread by a clone of `maker`, and numbers those that documents share.
    pub(super) fn share_of(self, maker: &KeyMaker<'_>) -> Result<SharedKeys> {
        self.share(|| {
            let mut maker = maker.clone();
            move |chunk: &Chunk<'_>| chunk.keys(|set, keys| maker.append(set, keys))
        })
    }

    /// Makes the keys of all documents, each chunk by one of the makers (there is one a thread), and numbers those that
    /// documents share.
    pub(super) fn share<M: FnMut(&Chunk<'_>) -> BlockingKeys>(
        self,
        new_maker: impl Fn() -> M + Sync,
    ) -> Result<SharedKeys> {
        let KeySource { session, groups, .. } = self.source;
        let sets = self.source.sets();
        let max_bytes = session.spill.budget().max_bytes_beside(sets.memory_bytes() as u64);
        let mut dictionary =
            KeyDictionary::new(&session.spill, session.threads(), self.max_keys, max_bytes, self.positions)?;
        let dealing = dictionary.dealing();
        let make = |maker: &mut M, chunk: Chunk<'_>| {
            session.stages.check()?;
            let keys = dealing.deal(&maker(&chunk), chunk.documents.start);
            session.stages.progress.advance(chunk.documents.len() as u64);
            Ok(keys)
        };
        let append = |keys: Result<DealtKeys>| dictionary.append(&keys?);
        let representatives = groups.representatives().len().max(1);
        let chunk_bytes = self.max_keys * BYTES_PER_KEY / representatives * self.chunk_documents;
        let chunks = self.chunks().enumerate().map(|(number, documents)| Chunk { number, documents, sets, groups });
        ordered_map(chunks, session.pace_for(chunk_bytes), new_maker, make, append)?;
        dictionary.finish(&|| session.stages.check())
    }
}
