//! The keys under which a stored index keeps a document, and those that a question looks up.
//!
//! A document is stored for the lowest threshold that queries will have; a question may have a higher one. With the
//! prefix filter the first common element of the two, in the order of the index, lies in the prefix of each by the
//! threshold of the question, and so in the stored prefix, which is at least as long. Of a containment the contained
//! one has its prefix, and the container all its elements; where either may be contained, both have all. Positions
//! behind the prefix are not stored: they are the size of the set.

use super::{KeyMaker, Measure, SearchPlan, SetSearch, TermSearch, VectorSearch};
use crate::base::Result;
use crate::documents::{Vector, WeightedSet};
use crate::kernel::Kernel;
use crate::keys::{BlockingKey, Bounds, ElementOrder};
use crate::sets::{Side, elements_behind};
use crate::terms::Cosine;
use crate::vectors::{ProjectionKeys, ProjectionPlan};
use std::sync::{Arc, OnceLock};

/// Computes the keys of documents and questions for one index. Owns reusable buffers: clone one per thread.
#[derive(Debug, Clone)]
pub struct StoredKeys {
    measure: Measure,
    maker: Maker,
    /// Classes of the elements of a set.
    classes: Vec<u8>,
    /// Class, element and squared weight of the terms of a document.
    terms: Vec<(u8, u64, u64)>,
    /// Elements of the prefix of a set, sorted.
    own: Vec<u64>,
}

#[derive(Debug, Clone)]
enum Maker {
    /// The rarest elements, by the order.
    Prefix,
    /// The rarest terms, by the order and their weights.
    Weighted(Cosine),
    /// Keys of a document by itself.
    Each(KeyMaker<'static>),
    Projections(Projecting),
    /// No keys: a question is compared with every document.
    Nothing,
}

/// Random projections, which are made when the number of dimensions is known: with the first vector, once for all
/// clones.
#[derive(Debug, Clone)]
struct Projecting {
    plan: ProjectionPlan,
    kernel: Kernel,
    first: Arc<OnceLock<ProjectionKeys>>,
    own: Option<ProjectionKeys>,
}

impl Projecting {
    fn new(plan: ProjectionPlan, kernel: Kernel) -> Self {
        Self { plan, kernel, first: Arc::default(), own: None }
    }

    fn append(&mut self, words: &[u64], keys: &mut Vec<BlockingKey>) {
        let Some(dimensions) = Vector::from_words(words).map(Vector::dimensions) else { return };
        let Self { plan, kernel, first, own } = self;
        let make = || ProjectionKeys::new(plan.clone(), dimensions, *kernel);
        // An index that was emptied may get vectors of other dimensions.
        own.take_if(|own| own.dimensions() != dimensions);
        let own = own.get_or_insert_with(|| match first.get_or_init(make) {
            first if first.dimensions() == dimensions => first.clone(),
            _ => make(),
        });
        own.append(words, keys);
    }
}

/// Bits of a key by which few of a million fingerprints collide; with fewer, comparing all of them is quicker.
const MIN_KEY_BITS: f64 = 12.0;

impl StoredKeys {
    /// The keys of an index whose lowest threshold is that of the plan of its searches; the kernel does not matter.
    ///
    /// # Errors
    /// [`crate::Error::AllSetsNeeded`] for [`SetSearch::Fingerprint`], whose keys depend on those of all documents.
    pub fn new(plan: SearchPlan, kernel: Kernel) -> Result<Self> {
        let measure = plan.measure();
        let maker = match plan {
            SearchPlan::Sets { by: SetSearch::Exact | SetSearch::Cheapest(_), .. } => Maker::Prefix,
            SearchPlan::Terms { cosine, by: TermSearch::Exact } => Maker::Weighted(cosine),
            SearchPlan::Terms { by: TermSearch::SimHash(bands), .. } => Maker::Each(KeyMaker::simhash(bands)),
            SearchPlan::Sets { .. } | SearchPlan::Bits { .. } => match KeyMaker::new(plan, None, kernel)? {
                KeyMaker::Tables(tables) if tables.cut().is_none_or(|cut| cut.key_bits() < MIN_KEY_BITS) => {
                    Maker::Nothing
                }
                maker => Maker::Each(maker),
            },
            SearchPlan::Vectors { by: VectorSearch::Exact | VectorSearch::Cheapest(_), .. } => Maker::Nothing,
            SearchPlan::Vectors { by: VectorSearch::Projections(projections), .. } => {
                let plan = measure.by_products().and_then(|by| ProjectionPlan::without_corpus(projections, by));
                plan.map_or(Maker::Nothing, |plan| Maker::Projections(Projecting::new(plan, kernel)))
            }
        };
        Ok(Self { measure, maker, classes: Vec::new(), terms: Vec::new(), own: Vec::new() })
    }

    /// Returns whether documents have keys; else a question is compared with every document.
    pub fn are_there(&self) -> bool {
        !matches!(self.maker, Maker::Nothing)
    }

    /// Returns whether keys depend on the order of the elements.
    pub fn are_ordered(&self) -> bool {
        matches!(self.maker, Maker::Prefix | Maker::Weighted(_))
    }

    /// Returns whether a position of a key is the share of the norm from it on, and no number of elements.
    pub fn positions_are_shares(&self) -> bool {
        self.measure.weighted().is_some()
    }

    /// Appends the keys under which a document is stored.
    pub fn append_stored(&mut self, order: &ElementOrder, set: WeightedSet<'_>, keys: &mut Vec<BlockingKey>) {
        let begin = keys.len();
        self.append(order, set, self.measure, keys);
        if has_all_elements(self.measure, Side::InReference) {
            self.append_others(&set.elements(), begin, keys);
        }
    }

    /// Appends the keys that a query by `measure` looks up, the rarest first. The measure is that of the index, with
    /// the same or a higher threshold ([`Measure::serves`]).
    pub fn append_query(
        &mut self,
        order: &ElementOrder,
        set: WeightedSet<'_>,
        measure: Measure,
        keys: &mut Vec<BlockingKey>,
    ) {
        let begin = keys.len();
        self.append(order, set, measure, keys);
        if has_all_elements(measure, Side::OfReference) {
            self.append_others(&set.elements(), begin, keys);
        }
    }

    /// Appends the keys of a document that may be contained in others, or near to them.
    fn append(&mut self, order: &ElementOrder, set: WeightedSet<'_>, measure: Measure, keys: &mut Vec<BlockingKey>) {
        let elements = set.elements().elements();
        match &mut self.maker {
            Maker::Prefix => self.append_prefix(order, elements, measure, keys),
            Maker::Weighted(cosine) => {
                let cosine = measure.weighted().unwrap_or(*cosine);
                self.append_terms(order, set, cosine, keys);
            }
            Maker::Each(maker) => maker.append_weighted(set, keys),
            Maker::Projections(maker) => maker.append(elements, keys),
            Maker::Nothing => {}
        }
    }

    /// Appends the rarest elements: a counting sort by class, in which ties are in order of hashes already.
    fn append_prefix(&mut self, order: &ElementOrder, set: &[u64], measure: Measure, keys: &mut Vec<BlockingKey>) {
        let begin = keys.len();
        let length = measure.prefix_length(set.len()).min(set.len());
        self.classes.resize(set.len(), 0);
        order.write_classes(set, &mut self.classes);
        let mut places = [0u32; 1 << u8::BITS];
        self.classes.iter().for_each(|&class| places[usize::from(class)] += 1);
        places.iter_mut().fold(0, |start, place| start + std::mem::replace(place, start));
        keys.extend((0..=length as u32).map(|position| BlockingKey { hash: 0, position }));
        let prefix = &mut keys[begin..];
        for (&element, &class) in set.iter().zip(&self.classes) {
            let place = &mut places[usize::from(class)];
            // Elements behind the prefix go to the place behind it: cheaper than a branch that no processor foresees.
            prefix[(*place as usize).min(length)].hash = element;
            *place += 1;
        }
        keys.truncate(begin + length);
    }

    /// Appends the elements that are not in the prefix, which begins at `begin`.
    fn append_others(&mut self, set: &[u64], begin: usize, keys: &mut Vec<BlockingKey>) {
        let others = elements_behind(set, &keys[begin..], &mut self.own);
        keys.extend(others.map(|hash| BlockingKey { hash, position: set.len() as u32 }));
    }

    /// Appends the rarest terms, as long as those from a term on can reach the threshold.
    fn append_terms(
        &mut self,
        order: &ElementOrder,
        set: WeightedSet<'_>,
        cosine: Cosine,
        keys: &mut Vec<BlockingKey>,
    ) {
        let elements = set.elements().elements();
        self.classes.resize(elements.len(), 0);
        order.write_classes(elements, &mut self.classes);
        self.terms.clear();
        let squares = set.iter().map(|(element, weight)| (element, u64::from(weight).pow(2)));
        self.terms.extend(squares.zip(&self.classes).map(|((element, square), &class)| (class, element, square)));
        self.terms.sort_unstable();
        let terms = self.terms.iter().map(|&(_, element, square)| (element, square));
        cosine.append_prefix(terms, set.squared_norm(), set.squared_norm(), keys);
    }
}

/// Returns whether a document needs the keys of all its elements: it may be a container, of which any element may be in
/// the prefix of the other. Stored documents are containers by [`Side::InReference`], queries by [`Side::OfReference`].
fn has_all_elements(measure: Measure, contained: Side) -> bool {
    measure.contained().is_some_and(|containment| [Side::Either, contained].contains(&containment.contained))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::DocId;
    use crate::base::hash::{SplitMix64, mix64};
    use crate::bits::Hamming;
    use crate::comparison::{Method, PairCheck};
    use crate::documents::ElementSets;
    use crate::keys::Extent;
    use crate::sets::{CommonElements, Containment, Dice};
    use crate::similarity::{CandidatePair, EmptyPolicy, Weights};
    use std::collections::HashMap;

    /// Sets of ten families, whose members differ in some elements, with weights.
    fn random_sets(count: usize, seed: u64) -> ElementSets {
        let mut random = SplitMix64::new(seed);
        let sets = (0..count).map(|_| {
            let family = random.next_below(10) * 20;
            let size = 1 + random.next_below(30);
            let terms = (0..size).map(|number| {
                let is_other = random.next_below(8) == 0;
                let element = if is_other { random.next_below(400) } else { family + number };
                (mix64(element + 1), 1 + random.next_below(5) as u32 / 4)
            });
            terms.collect::<Vec<_>>()
        });
        ElementSets::of_counted(sets.collect::<Vec<_>>())
    }

    fn measures(threshold: &str) -> Vec<Measure> {
        let threshold = threshold.parse().unwrap();
        let empty = EmptyPolicy::Keep;
        let mut all = vec![Measure::jaccard(threshold), Measure::Dice(Dice { threshold, empty })];
        all.extend([3, 5].map(|min_common| Measure::Overlap(CommonElements { min_common, empty })));
        all.extend([Weights::Tf, Weights::Binary].map(|weights| Measure::Cosine(Cosine { threshold, weights, empty })));
        all.extend(
            [Side::Either, Side::InReference, Side::OfReference]
                .map(|contained| Measure::Containment(Containment { threshold, contained, empty })),
        );
        all
    }

    #[test]
    fn a_question_shares_a_key_with_each_document_above_its_threshold() {
        let stored = random_sets(300, 1);
        let queries = random_sets(100, 2);
        let all: Vec<u64> = stored.iter().flat_map(|set| set.to_vec()).collect();
        let table = crate::keys::FrequencyTable::from_elements(&all);
        let learned = ElementOrder::by_frequency(&table, |visit| stored.iter().for_each(|set| visit(&set)));
        for order in [&learned, &ElementOrder::by_hash()] {
            for (lowest, asking) in measures("0.4").into_iter().zip(measures("0.6")) {
                let asking = if matches!(lowest, Measure::Overlap(_)) { lowest } else { asking };
                assert!(lowest.serves(asking));
                for measure in [lowest, asking] {
                    let found = check(order, (lowest, measure), &stored, &queries);
                    assert!(found > 10, "{measure:?}: {found} pairs");
                }
            }
        }
    }

    /// Checks that each pair that is near by `asking` is a candidate; returns the number of pairs.
    fn check(
        order: &ElementOrder,
        (lowest, asking): (Measure, Measure),
        stored: &ElementSets,
        queries: &ElementSets,
    ) -> usize {
        let mut maker = StoredKeys::new(SearchPlan::new(lowest, Method::Exact).unwrap(), Kernel::detect()).unwrap();
        let mut postings: HashMap<u64, Vec<(u32, Extent)>> = HashMap::new();
        let mut keys = Vec::new();
        let extent = |sets: &ElementSets, document, key: &BlockingKey| Extent {
            size: sets.size(document) as u32,
            position: key.position,
        };
        for document in DocId::all(stored.len()) {
            keys.clear();
            maker.append_stored(order, stored.weighted(document), &mut keys);
            keys.iter().for_each(|key| {
                postings.entry(key.hash).or_default().push((document.0, extent(stored, document, key)));
            });
        }
        let mut found = 0;
        for query in DocId::all(queries.len()) {
            keys.clear();
            maker.append_query(order, queries.weighted(query), asking, &mut keys);
            let shares_key = |document: DocId| {
                keys.iter().any(|key| {
                    let others = postings.get(&key.hash).into_iter().flatten();
                    let mut others = others.filter(|(other, _)| *other == document.0);
                    others.any(|(_, other)| asking.may_reach(extent(queries, query, key), *other))
                })
            };
            for document in DocId::all(stored.len()) {
                let pair = CandidatePair { a: query, b: document };
                let documents = [queries.weighted(query), stored.weighted(document)];
                let near = PairCheck::new(asking).verify(Kernel::detect(), pair, documents);
                if near.is_some() {
                    assert!(shares_key(document), "{asking:?} {query:?} {document:?}");
                    found += 1;
                }
            }
        }
        found
    }

    #[test]
    fn far_fingerprints_have_no_keys() {
        let keys = |distance| {
            let measure = Measure::Hamming(Hamming { distance, width: 64 });
            StoredKeys::new(SearchPlan::new(measure, Method::Exact).unwrap(), Kernel::detect()).unwrap().are_there()
        };
        assert!(keys(3) && !keys(40));
    }
}
