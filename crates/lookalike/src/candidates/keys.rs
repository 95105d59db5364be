//! The method that finds the candidates, and the blocking keys that it gives the documents.

mod fingerprint_keys;

use super::chunks::DocumentChunks;
use super::dictionary::{DealtKeys, KeyDictionary, Positions};
use super::frequencies::{ElementCounts, count_elements};
use super::method::{AllPairsFallback, MethodKeys, MethodUsed};
use crate::base::Result;
use crate::corpus::PreparedData;
use crate::run::Session;
use crate::spill::{Share, Spill};
use crate::threads::{Pace, ordered_map};
use lookalike_core::DocId;
use lookalike_core::comparison::{
    Bands, BitSearch, ComparedPairs, EqualSets, KeyMaker, Scale, SearchPlan, SetSearch, TermSearch, VectorSearch,
    Verifier, Work,
};
use lookalike_core::documents::{ElementSets, WeightedSet};
use lookalike_core::keys::{Banding, BlockingKey, BlockingKeys, Bounds, SharedKeys};
use lookalike_core::sets::{ContainedElements, ContainmentKeys, PrefixKeys, Side};
use lookalike_core::terms::{SimHashKeys, WeightedKeys, probability_by_tables};
use lookalike_core::vectors::ProjectionKeys;
use std::ops::Range;

/// Memory that a blocking key takes while it is made, dealt and waits.
const BYTES_PER_KEY: usize = 32;
/// Maximum number of documents whose keys a thread makes at a time.
const MAX_CHUNK_DOCUMENTS: usize = 1 << 13;
/// Maximum number of their elements, unless a single document has more.
const MAX_CHUNK_ELEMENTS: usize = 1 << 20;
/// Chunks for each thread, at least, where they are large: so that none waits long for the others.
const CHUNKS_PER_THREAD: usize = 32;

/// Source of blocking keys.
#[derive(Clone, Copy)]
pub(crate) struct KeySource<'a> {
    pub(crate) verifier: Verifier<'a>,
    pub(crate) groups: &'a EqualSets,
    /// Data beside the sets.
    pub(crate) prepared: &'a PreparedData,
    pub(crate) session: &'a Session<'a>,
}

impl<'a> KeySource<'a> {
    /// Makes the blocking keys by which the representatives of the groups will find each other; the other documents
    /// get none.
    pub(crate) fn make_keys(self, plan: SearchPlan, meeting: ComparedPairs) -> Result<MethodKeys> {
        match plan {
            SearchPlan::Sets { by, .. } => match by {
                SetSearch::Exact => self.exact_keys(meeting),
                SetSearch::MinHash(bands) => self.minhash_keys(bands, None),
                SetSearch::SimHash(tables) => self.simhash_keys(tables),
                SetSearch::Fingerprint(fingerprint) => self.fingerprint_keys(fingerprint, meeting),
                SetSearch::Cheapest(bands) => self.cheapest_keys(bands, meeting),
            },
            SearchPlan::Terms { by, .. } => match by {
                TermSearch::Exact => self.exact_keys(meeting),
                TermSearch::SimHash(tables) => self.simhash_keys(tables),
            },
            SearchPlan::Bits { hamming, by } => match by {
                BitSearch::Exact => self.table_keys(hamming),
                BitSearch::Sampling(bands) => self.sampled_keys(hamming, bands),
            },
            SearchPlan::Vectors { by, .. } => match by {
                VectorSearch::Exact => Ok(MethodKeys::without(MethodUsed::AllVectors)),
                VectorSearch::Projections(projections) => self.projection_keys(projections, AllPairsFallback::Never),
                VectorSearch::Cheapest(projections) => self.projection_keys(projections, AllPairsFallback::IfQuick),
            },
        }
    }

    /// Exact keys, unless MinHash is far cheaper. How much a search among keepers costs is not known before a trial,
    /// which these keys bound.
    fn cheapest_keys(self, bands: Bands, meeting: ComparedPairs) -> Result<MethodKeys> {
        let exact = self.exact_keys(meeting)?;
        match meeting {
            ComparedPairs::Keepers | ComparedPairs::References { .. } => {
                let scale = self.scale(bands.banding);
                let is_bounded = !scale.accepts_all(exact.keys.total_postings());
                Ok(MethodKeys { max_cost: is_bounded.then(|| scale.accepted_cost()), ..exact })
            }
            ComparedPairs::All => Ok(self.cheaper_than(&exact, bands, meeting)?.unwrap_or(exact)),
        }
    }

    /// Returns whether `auto` accepts an exact search even if every document were kept. The estimate fails only if the
    /// job is cancelled: then it is not accepted, and what follows ends the job.
    pub(crate) fn accepts_in_full(self, exact: &MethodKeys, bands: Bands, meeting: ComparedPairs) -> bool {
        matches!(self.work_beyond_acceptance(exact, self.scale(bands.banding), bands.seed, meeting), Ok(None))
    }

    /// The keys of MinHash, if they are far cheaper than the `exact` ones, with the cost at which they no longer are.
    pub(crate) fn cheaper_than(
        self,
        exact: &MethodKeys,
        bands: Bands,
        meeting: ComparedPairs,
    ) -> Result<Option<MethodKeys>> {
        let scale = self.scale(bands.banding);
        let Some(exact_work) = self.work_beyond_acceptance(exact, scale, bands.seed, meeting)? else {
            return Ok(None);
        };
        self.session.stages.extend(self.groups.len());
        let minhash = self.minhash_keys(bands, Some(exact.keys.total_postings()))?;
        let max_cost = Some(scale.most_for_minhash(&exact_work));
        let is_cheaper = scale.prefers_minhash(&exact_work, &self.work(&minhash, bands.seed, meeting)?);
        Ok(is_cheaper.then_some(MethodKeys { max_cost, ..minhash }))
    }

    /// The work of an exact search, if it is more than `auto` accepts without a look at MinHash.
    fn work_beyond_acceptance(
        self,
        exact: &MethodKeys,
        scale: Scale,
        seed: u64,
        meeting: ComparedPairs,
    ) -> Result<Option<Work>> {
        if scale.accepts_all(exact.keys.total_postings()) {
            return Ok(None);
        }
        let work = self.work(exact, seed, meeting)?;
        Ok((!scale.accepts(&work)).then_some(work))
    }

    fn work(self, built: &MethodKeys, seed: u64, meeting: ComparedPairs) -> Result<Work> {
        Work::estimate(&built.keys, self.verifier, meeting, seed, || self.session.stages.check())
    }

    fn scale(self, banding: Banding) -> Scale {
        let documents = self.groups.representatives();
        let elements = documents.iter().map(|&document| self.sets().size(document)).sum();
        Scale { elements, documents: documents.len(), banding }
    }

    pub(super) fn sets(self) -> &'a ElementSets {
        self.verifier.sets()
    }

    fn exact_keys(self, meeting: ComparedPairs) -> Result<MethodKeys> {
        let Self { verifier, groups, session, .. } = self;
        let sets = verifier.sets();
        let measure = verifier.measure();
        let sizes = groups.representatives().iter().map(|&document| sets.size(document));
        let max_prefix_keys = sizes.clone().map(|size| measure.prefix_length(size)).sum();
        let max_keys = if measure.contained().is_some() { sizes.sum() } else { max_prefix_keys };
        let dealing = KeyDealing::new(self, max_keys, Positions::OfKeys);
        let counts = self.count(&dealing)?;
        let prefix_keys = || {
            let mut maker = PrefixKeys::new(&counts.table, measure);
            counts.makes(move |_, set, first, keys| maker.append_counted(&set.elements(), first, keys))
        };
        let keys = match (measure.contained(), measure.weighted()) {
            (None, Some(cosine)) => dealing.share(|| {
                let mut maker = WeightedKeys::new(&counts.table, cosine);
                counts.makes(move |_, set, first, keys| maker.append_counted(set, first, keys))
            })?,
            (None, None) => dealing.share(prefix_keys)?,
            (Some(containment), _) => {
                session.stages.extend(groups.len());
                let max_bytes = session.spill.budget().share(Share::Sketches);
                let contained = ContainedElements::sized_for(max_prefix_keys, max_bytes);
                dealing.visit(prefix_keys, |document, keys| {
                    if may_be_contained(document, containment.contained, meeting) {
                        contained.insert(keys);
                    }
                })?;
                dealing.share(|| {
                    let mut maker = ContainmentKeys::new(&counts.table, measure, &contained);
                    counts.makes(move |_, set, first, keys| maker.append_counted(&set.elements(), first, keys))
                })?
            }
        };
        let method = MethodUsed::Exact { postings: keys.total_postings() };
        Ok(MethodKeys::new(keys, method))
    }

    /// Counts the elements of the representatives' sets, which are dealt in these chunks.
    fn count(self, dealing: &KeyDealing<'_>) -> Result<ElementCounts> {
        count_elements(self.sets(), self.groups, &dealing.chunks(), self.session)
    }

    fn simhash_keys(self, Bands { banding: tables, seed, .. }: Bands) -> Result<MethodKeys> {
        let dealing = KeyDealing::new(self, self.groups.representatives().len() * tables.bands(), Positions::OfBands);
        let keys = dealing.share(|| {
            let mut maker = SimHashKeys::new(tables, seed);
            move |chunk: &DocumentChunk<'_>| {
                Ok(chunk.keys_by(|document, keys| maker.append(chunk.verifier.sets().weighted(document), keys)))
            }
        })?;
        let threshold = self.verifier.measure().min_similarity();
        let expected_recall = threshold.map_or(0.0, |threshold| probability_by_tables(tables, threshold));
        Ok(MethodKeys::new(keys, MethodUsed::SimHash { tables, expected_recall }))
    }

    fn minhash_keys(self, bands: Bands, exact_postings: Option<u64>) -> Result<MethodKeys> {
        let banding = bands.banding;
        let dealing = KeyDealing::new(self, self.groups.representatives().len() * banding.bands(), Positions::OfBands);
        let keys = match self.prepared.signatures() {
            Some(given) => {
                given.check(banding)?;
                dealing.share(|| {
                    let mut maker = given.band_keys(banding);
                    move |chunk: &DocumentChunk<'_>| Ok(chunk.keys_by(&mut maker))
                })?
            }
            None => dealing.share_of(&KeyMaker::minhash(bands, self.session.kernel()))?,
        };
        let expected_recall = self.verifier.measure().min_jaccard().map_or(0.0, |jaccard| banding.probability(jaccard));
        let method = MethodUsed::MinHash { banding, expected_recall, exact_postings };
        Ok(MethodKeys::new(keys, method))
    }
}

/// Returns whether a document may be the contained one of a pair that the search meets.
fn may_be_contained(document: DocId, contained: Side, meeting: ComparedPairs) -> bool {
    match (contained, meeting) {
        (Side::InReference, ComparedPairs::References { references }) => document.index() >= references,
        (Side::OfReference, ComparedPairs::References { references }) => document.index() < references,
        (Side::Either | Side::InReference | Side::OfReference, _) => true,
    }
}

impl ElementCounts {
    /// Makes the keys of chunks by `append`, which gets each document with its set and the first counts of its
    /// elements.
    fn makes<'c>(
        &'c self,
        mut append: impl FnMut(DocId, WeightedSet<'_>, &[u8], &mut Vec<BlockingKey>) + 'c,
    ) -> impl FnMut(&DocumentChunk<'_>) -> Result<BlockingKeys> + 'c {
        let mut counts = Vec::new();
        move |chunk| {
            let mut of_chunk = self.chunk(chunk.number, chunk.spill)?;
            Ok(chunk.keys_by(|document, keys| {
                let set = chunk.verifier.sets().weighted(document);
                of_chunk.next(&set.elements(), &mut counts);
                append(document, set, &counts, keys);
            }))
        }
    }
}

/// Consecutive documents whose keys are made together.
pub(super) struct DocumentChunk<'a> {
    number: usize,
    documents: Range<usize>,
    verifier: Verifier<'a>,
    groups: &'a EqualSets,
    spill: &'a Spill,
}

impl DocumentChunk<'_> {
    /// Runs a key maker over the sets of the representatives.
    pub(super) fn keys(&self, mut make: impl FnMut(&[u64], &mut Vec<BlockingKey>)) -> BlockingKeys {
        self.keys_by(|document, keys| make(&self.verifier.sets().get(document), keys))
    }

    /// The keys of the vectors of the representatives.
    pub(super) fn vector_keys(&self, maker: &mut ProjectionKeys) -> BlockingKeys {
        let documents = self.documents.clone().map(|index| DocId(index as u32));
        let sets = self.verifier.sets();
        let words = |document| -> &[u64] {
            if self.groups.is_representative(document) { sets.get(document).elements() } else { &[] }
        };
        let mut keys = BlockingKeys::new();
        maker.append_all(documents.map(words), &mut keys);
        keys
    }

    fn keys_by(&self, mut make: impl FnMut(DocId, &mut Vec<BlockingKey>)) -> BlockingKeys {
        let mut keys = BlockingKeys::new();
        for document in self.documents.clone().map(|index| DocId(index as u32)) {
            keys.push_with(|out| {
                if self.groups.is_representative(document) {
                    make(document, out);
                    // Like other keys behind the prefix.
                    let position = self.verifier.size(document) as u32;
                    let short = self.verifier.inside(document);
                    out.extend(short.iter().map(|&hash| BlockingKey { hash, position }));
                }
            });
        }
        keys
    }
}

/// Parameters by which all threads make keys and deal them into the dictionary.
#[derive(Clone, Copy)]
pub(super) struct KeyDealing<'a> {
    source: KeySource<'a>,
    /// Maximum number of keys.
    max_keys: usize,
    positions: Positions,
    /// Maximum number of documents in a chunk.
    chunk_documents: usize,
    /// Memory of the keys of so many documents.
    chunk_bytes: usize,
    /// Elements after which a chunk ends.
    chunk_elements: usize,
}

impl<'a> KeyDealing<'a> {
    pub(super) fn new(source: KeySource<'a>, max_keys: usize, positions: Positions) -> Self {
        let Session { spill, .. } = source.session;
        let threads = source.session.threads();
        let documents = source.groups.representatives().len();
        let total = source.sets().total_elements();
        let available_bytes = spill.budget().share(Share::InFlight) / (threads * Pace::MIN_ITEMS);
        // The keys of a chunk are bounded by documents and by elements: some methods make as many for a short document
        // as for a long one.
        let keys_bytes = BYTES_PER_KEY.saturating_mul(max_keys);
        let document_bytes = keys_bytes.div_ceil(documents.max(1)).max(1);
        let chunk_documents = (available_bytes / document_bytes).clamp(1, MAX_CHUNK_DOCUMENTS);
        // An element takes the memory of a slot when it is dealt, later that of the keys that it may become.
        let element_bytes = size_of::<u32>().max(keys_bytes.div_ceil(total.max(1)));
        let for_all = total / (threads * CHUNKS_PER_THREAD);
        let chunk_elements =
            for_all.min(available_bytes / element_bytes).clamp(DocumentChunks::MAX_ELEMENTS, MAX_CHUNK_ELEMENTS);
        let chunk_bytes = document_bytes.saturating_mul(chunk_documents);
        Self { source, max_keys, positions, chunk_documents, chunk_bytes, chunk_elements }
    }

    pub(super) fn chunks(self) -> DocumentChunks<'a> {
        DocumentChunks::new(self.source.sets(), self.chunk_documents).with_elements(self.chunk_elements)
    }

    /// Makes the keys of all documents and calls `visit` with those of each representative, from any thread.
    fn visit<M: FnMut(&DocumentChunk<'_>) -> Result<BlockingKeys>>(
        self,
        new_maker: impl Fn() -> M + Sync,
        visit: impl Fn(DocId, &[BlockingKey]) + Sync,
    ) -> Result<()> {
        let KeySource { session, .. } = self.source;
        let make = |maker: &mut M, chunk: DocumentChunk<'_>| {
            session.stages.check()?;
            for (index, keys) in chunk.documents.clone().zip(maker(&chunk)?.iter()) {
                visit(DocId(index as u32), keys);
            }
            session.stages.progress.advance(chunk.documents.len() as u64);
            Ok(())
        };
        ordered_map(
            self.numbered_chunks(),
            Pace::for_threads(session.threads()),
            new_maker,
            make,
            |built: Result<()>| built,
        )
    }

    fn numbered_chunks(self) -> impl Iterator<Item = DocumentChunk<'a>> {
        let KeySource { verifier, groups, session, .. } = self.source;
        let spill = &session.spill;
        self.chunks().enumerate().map(move |(number, documents)| DocumentChunk {
            number,
            documents,
            verifier,
            groups,
            spill,
        })
    }

    /// Makes the keys of all documents, each thread by a clone of `maker`, and numbers those that documents share.
    pub(super) fn share_of(self, maker: &KeyMaker<'_>) -> Result<SharedKeys> {
        self.share(|| {
            let mut maker = maker.clone();
            move |chunk: &DocumentChunk<'_>| Ok(chunk.keys(|set, keys| maker.append(set, keys)))
        })
    }

    /// Makes the keys of all documents, each chunk by one of the makers (there is one a thread), and numbers those that
    /// documents share.
    pub(super) fn share<M: FnMut(&DocumentChunk<'_>) -> Result<BlockingKeys>>(
        self,
        new_maker: impl Fn() -> M + Sync,
    ) -> Result<SharedKeys> {
        let KeySource { session, .. } = self.source;
        let sets = self.source.sets();
        let max_bytes = session.spill.budget().max_bytes_beside(sets.memory_bytes() as u64);
        let mut dictionary =
            KeyDictionary::new(&session.spill, session.threads(), self.max_keys, max_bytes, self.positions)?;
        let dealing = dictionary.dealing();
        let make = |maker: &mut M, chunk: DocumentChunk<'_>| {
            session.stages.check()?;
            let keys = dealing.deal(&maker(&chunk)?, chunk.documents.start);
            session.stages.progress.advance(chunk.documents.len() as u64);
            Ok(keys)
        };
        let append = |keys: Result<DealtKeys>| dictionary.append(&keys?);
        ordered_map(self.numbered_chunks(), session.pace_for(self.chunk_bytes), new_maker, make, append)?;
        dictionary.finish(&|| session.stages.check())
    }
}
