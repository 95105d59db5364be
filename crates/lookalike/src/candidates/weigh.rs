//! The weights of terms: what a cosine makes of the counts that were read.
//!
//! With `tf`, they are the counts themselves. With `tfidf`, the document frequencies of all terms come first, unless
//! they are given: the hash values are cut into ranges, each of which is a subslice of every sorted set, so that a
//! thread gathers, sorts and counts one range at a time. Then each document is weighed by itself.

use super::chunks::DocumentChunks;
use crate::base::{Error, Result, Stage};
use crate::corpus::{Corpus, PreparedData, WeighedTerms};
use crate::run::Session;
use crate::spill::{Location, Share, SpillColumn};
use crate::threads::ordered_map;
use lookalike_core::comparison::Measure;
use lookalike_core::documents::{ElementSet, ElementSets};
use lookalike_core::hash::hash_sequence;
use lookalike_core::similarity::Weights;
use lookalike_core::terms::{Cosine, DocumentFrequencies, weigh};
use lookalike_core::{Array, DocId};
use std::ops::Range;

/// Documents that a thread weighs at a time.
const CHUNK_DOCUMENTS: usize = 1 << 12;
/// Bytes that an element takes beside the sets: its weight; or in a range, its hash and room to sort it.
const BYTES_PER_WEIGHT: usize = size_of::<u32>();
const BYTES_PER_GATHERED: usize = 2 * size_of::<u64>();
/// Ranges a thread, so that none waits long for the others.
const RANGES_PER_THREAD: usize = 4;

impl Corpus {
    /// Makes the weights of all terms, as `measure` wants them; nothing for a measure without weights. `given` are the
    /// document frequencies of other documents, by which these are weighed; `None` for those of the corpus itself,
    /// which are returned.
    ///
    /// # Errors
    /// [`Error::WeightsTooLarge`] for a document whose weights exceed what a dot product holds; if the job is cancelled
    /// or a temporary file cannot be written.
    pub fn weigh(
        &mut self,
        measure: Measure,
        given: Option<&DocumentFrequencies>,
        session: &Session<'_>,
    ) -> Result<Option<DocumentFrequencies>> {
        self.weigh_by_first(self.len(), measure, given, session)
    }

    /// Makes the weights by the document frequencies of the first `counted` documents alone.
    ///
    /// # Errors
    /// As [`Corpus::weigh`].
    pub(crate) fn weigh_by_first(
        &mut self,
        counted: usize,
        measure: Measure,
        given: Option<&DocumentFrequencies>,
        session: &Session<'_>,
    ) -> Result<Option<DocumentFrequencies>> {
        let Some(Cosine { weights, .. }) = measure.weighted() else { return Ok(None) };
        session.stage(Stage::over_documents(Stage::WEIGHING, self.len()), || {
            let own = match (weights, given) {
                (Weights::TfIdf, None) => Some(count_documents(&self.sets, counted, session)?),
                (Weights::TfIdf, Some(_)) | (Weights::Tf | Weights::Binary, _) => None,
            };
            let frequencies = match weights {
                Weights::TfIdf => own.as_ref().or(given),
                Weights::Tf | Weights::Binary => None,
            };
            let weighed = self.weigh_all(frequencies, session)?;
            let sets = std::mem::take(&mut self.sets);
            let counts = || sets.all_weights().cloned().unwrap_or_else(|| Array::Owned(vec![1; sets.total_elements()]));
            let values = weighed.values.unwrap_or_else(counts);
            self.sets = sets.with_weights(values, Some(weighed.squared_norms))?;
            self.prepared = PreparedData::Terms(WeighedTerms { weights, counts: None });
            if let Some(given) = given {
                let counts = given.counts().chunks().flatten().map(|&count| u64::from(count));
                let all = given.terms().chunks().flatten().copied().chain(counts);
                self.checksum = hash_sequence(self.checksum, [given.documents()].into_iter().chain(all));
            }
            Ok(own)
        })
    }

    /// The numbers of documents that have each term.
    ///
    /// # Errors
    /// If the job is cancelled or a temporary file cannot be written.
    pub(crate) fn document_frequencies(&self, session: &Session<'_>) -> Result<DocumentFrequencies> {
        count_documents(&self.sets, self.len(), session)
    }

    /// Returns whether the corpus has the weights that a measure wants.
    pub(crate) fn is_weighed_for(&self, measure: Measure) -> bool {
        measure
            .weighted()
            .is_none_or(|cosine| self.prepared.weighed().is_some_and(|weighed| weighed.weights == cosine.weights))
    }

    fn weigh_all(&self, frequencies: Option<&DocumentFrequencies>, session: &Session<'_>) -> Result<Weighed> {
        let sets = &self.sets;
        let mut values = frequencies.map(|_| column_for(sets, BYTES_PER_WEIGHT, session)).transpose()?;
        let mut squared_norms = Vec::with_capacity(sets.len());
        let weigh_chunk = |(): &mut (), chunk: Range<usize>| -> Result<(Vec<u32>, Vec<u64>)> {
            session.stages.check()?;
            let mut weights = Vec::new();
            let mut norms = Vec::new();
            for document in chunk.clone().map(|index| DocId(index as u32)) {
                let begin = weights.len();
                let squared = weigh(sets.weighted(document), frequencies, &mut weights);
                let norm =
                    squared.ok_or_else(|| Error::WeightsTooLarge { id: self.listing.ids.get(document).to_owned() });
                norms.push(norm?);
                if frequencies.is_none() {
                    weights.truncate(begin);
                }
            }
            session.stages.progress.advance(chunk.len() as u64);
            Ok((weights, norms))
        };
        let chunks = DocumentChunks::new(sets, CHUNK_DOCUMENTS);
        let bytes = BYTES_PER_WEIGHT * DocumentChunks::MAX_ELEMENTS;
        ordered_map(
            chunks,
            session.pace_for(bytes),
            || (),
            weigh_chunk,
            |weighed: Result<_>| {
                let (weights, norms) = weighed?;
                squared_norms.extend(norms);
                values.iter_mut().try_for_each(|values| values.extend(&weights, &session.spill))
            },
        )?;
        let values = values.map(|values| values.finish(&session.spill)).transpose()?;
        Ok(Weighed { values, squared_norms })
    }
}

/// The weights of all documents.
struct Weighed {
    /// Weights by element; `None` if they are the counts.
    values: Option<Array<u32>>,
    squared_norms: Vec<u64>,
}

/// An array of `bytes` bytes an element, in a file if it does not fit beside the sets.
fn column_for<T: bytemuck::Pod + std::fmt::Debug + Send + Sync>(
    sets: &ElementSets,
    bytes: usize,
    session: &Session<'_>,
) -> Result<SpillColumn<T>> {
    let max_bytes = session.spill.budget().max_bytes_beside(sets.memory_bytes() as u64);
    let is_in_memory = sets.elements().values().is_in_memory() && sets.total_elements() * bytes <= max_bytes;
    SpillColumn::at(if is_in_memory { Location::Memory } else { Location::File }, &session.spill)
}

/// Counts the documents of each term, among the first `counted`.
fn count_documents(sets: &ElementSets, counted: usize, session: &Session<'_>) -> Result<DocumentFrequencies> {
    let bytes = sets.total_elements() * BYTES_PER_GATHERED * session.threads();
    let wanted = bytes.div_ceil(session.spill.budget().share(Share::InFlight).max(1));
    let ranges = wanted.max(session.threads() * RANGES_PER_THREAD).next_power_of_two() as u64;
    let shift = 64 - ranges.ilog2().max(1);
    let mut terms = column_for(sets, size_of::<u64>(), session)?;
    let mut counts = column_for(sets, size_of::<u32>(), session)?;
    let count = |gathered: &mut Vec<u64>, range: u64| -> Result<(Vec<u64>, Vec<u32>)> {
        gather(sets.iter().take(counted), shift, range, gathered, session)?;
        gathered.sort_unstable();
        Ok(gathered.chunk_by(u64::eq).map(|copies| (copies[0], copies.len() as u32)).unzip())
    };
    let pace = session.pace_for(bytes / session.threads() / ranges as usize);
    ordered_map(0..1 << (64 - shift), pace, Vec::new, count, |counted: Result<(Vec<u64>, Vec<u32>)>| {
        let (some_terms, some_counts) = counted?;
        terms.extend(&some_terms, &session.spill)?;
        counts.extend(&some_counts, &session.spill)
    })?;
    let terms = terms.finish(&session.spill)?;
    let counts = counts.finish(&session.spill)?;
    Ok(DocumentFrequencies::new(counted as u64, terms, counts)?)
}

/// Gathers the elements of a range of hashes from the first sets.
fn gather<'s>(
    sets: impl Iterator<Item = ElementSet<'s>>,
    shift: u32,
    range: u64,
    gathered: &mut Vec<u64>,
    session: &Session<'_>,
) -> Result<()> {
    gathered.clear();
    for (number, set) in sets.enumerate() {
        if number.is_multiple_of(CHUNK_DOCUMENTS) {
            session.stages.check()?;
        }
        let begin = set.partition_point(|&element| element >> shift < range);
        gathered.extend(set[begin..].iter().take_while(|&&element| element >> shift == range));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{session, session_with, single_words};
    use lookalike_core::documents::Multiplicity;
    use lookalike_core::similarity::EmptyPolicy;

    fn corpus(texts: &[&str]) -> Corpus {
        let features = single_words().with_multiplicity(Multiplicity::Counted);
        Corpus::from_texts(&features, texts.iter().copied().zip(texts.iter().copied())).unwrap()
    }

    fn cosine(weights: Weights) -> Measure {
        Measure::Cosine(Cosine { threshold: "0.5".parse().unwrap(), weights, empty: EmptyPolicy::Keep })
    }

    fn weights_of(corpus: &Corpus, document: u32) -> Vec<u32> {
        let mut weights: Vec<u32> = corpus.sets.weighted(DocId(document)).iter().map(|(_, weight)| weight).collect();
        weights.sort_unstable();
        weights
    }

    #[test]
    fn rare_terms_weigh_more_and_unknown_ones_most() {
        let mut first = corpus(&["a a b", "a c", "a"]);
        let own = first.weigh(cosine(Weights::TfIdf), None, &session()).unwrap().unwrap();
        // a is in 3 of 3: ln(4 / 4) + 1; b in 1 of 3: ln(4 / 2) + 1, rounded to 1024ths.
        assert_eq!(weights_of(&first, 0), [1734, 2048]);
        assert_eq!(first.sets.weighted(DocId(0)).squared_norm(), 1734 * 1734 + 2048 * 2048);
        let mut new = corpus(&["a b x"]);
        assert!(new.weigh(cosine(Weights::TfIdf), Some(&own), &session()).unwrap().is_none());
        // x in 0 of 3: ln 4 + 1.
        assert_eq!(weights_of(&new, 0), [1024, 1734, 2444]);
        assert!(first.is_weighed_for(cosine(Weights::TfIdf)) && !first.is_weighed_for(cosine(Weights::Tf)));
    }

    #[test]
    fn frequencies_are_counted_alike_in_any_memory() {
        let texts: Vec<String> = (0..3000).map(|n| format!("w{} w{} w{}", n % 7, n % 101, n)).collect();
        let sets = corpus(&texts.iter().map(String::as_str).collect::<Vec<_>>()).sets;
        let wide = count_documents(&sets, sets.len(), &session()).unwrap();
        let narrow = count_documents(&sets, sets.len(), &session_with(2, 32 << 20)).unwrap();
        let all = |found: &DocumentFrequencies| -> Vec<(u64, u32)> {
            let terms = found.terms().chunks().flatten().copied();
            terms.zip(found.counts().chunks().flatten().copied()).collect()
        };
        assert_eq!(all(&wide), all(&narrow));
        assert_eq!(wide.documents(), 3000);
        let total: usize = all(&wide).iter().map(|&(_, count)| count as usize).sum();
        assert_eq!(total, sets.total_elements());
    }
}
