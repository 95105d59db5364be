//! The searches, one call a stage. Begin here.
//!
//! ```text
//! read      Corpus         ids, places and element sets of all documents     inputs, Features
//! group     EqualSets      documents with equal sets: the first goes on      Measure; Rule (which is first)
//! keys      MethodKeys     blocking keys, by which similar documents meet    Measure, Method
//! decide    KeepDecisions  candidates verified, keepers and duplicates       Rule
//! join      Joined         candidates verified, all pairs; for components, as many as connect them
//! recall    MeasuredRecall on a sample, if the method is not complete
//! check     Joined, KeepDecisions without what texts refuse, if the job asks
//! connect   [Cluster]      the components of the pairs
//! ```
//!
//! On the right stand the parameters that a stage depends on, and with it its checkpoint.

pub use crate::decide::{Clusters, Dedup, FoldedPairs};

use crate::base::{Result, Stage};
use crate::corpus::Corpus;
use crate::decide::{Compare, DuplicateSearch, PairLimit, Refused, SearchParameters};
use crate::run::Session;
use lookalike_core::comparison::{ComparedPairs, Measure, Method, reaching_by_interval};
use lookalike_core::rule::{Order, Rule};

/// The stages of a job by a rule up to its answers, reading included; `checks` are those of each search's answers. If
/// `auto` decides for MinHash, the measurement of its recall belongs to the stage before it.
pub(crate) fn stages(rule: &Rule, measure: Measure, method: Method, checks: &[&'static str]) -> Vec<&'static str> {
    let mut stages = vec![Stage::READING];
    stages.extend(method.window().map(|_| Stage::WINNOWING));
    stages.extend(measure.weighted().map(|_| Stage::WEIGHING));
    let mut search = vec![Stage::GROUPING, Stage::SKETCHING, Stage::COMPARING];
    match method {
        Method::Exact | Method::Auto(_) => {}
        Method::MinHash(_) | Method::SimHash(_) | Method::BitSampling(_) | Method::Fingerprint(_) => {
            search.push(Stage::MEASURING_RECALL);
        }
        Method::Hyperplanes(_) | Method::PStable(_) => search.push(Stage::MEASURING_RECALL),
    }
    search.extend(checks);
    match rule {
        Rule::Pairs | Rule::Keepers { .. } | Rule::Against => {}
        Rule::Clusters | Rule::Connected { .. } => search.push(Stage::CONNECTING),
        // One search beside the references, and one among the inputs.
        Rule::Beside { .. } => search.extend_from_within(..),
    }
    stages.extend(search);
    stages
}

/// Decides by the keepers rule: each document that goes has a near-duplicate that stays, and no two that stay are
/// near-duplicates.
///
/// # Errors
/// If the order needs scores that are not there, no banding reaches the wanted recall, or the job is cancelled.
pub fn dedup(corpus: &Corpus, measure: Measure, method: Method, keep: &Order, session: &Session<'_>) -> Result<Dedup> {
    let rule = Rule::Keepers { keep: keep.clone() };
    let search = DuplicateSearch::group(corpus, keep, measure, method, session)?;
    decide(search, Compare::WithKeepers, &rule)
}

/// Decides which documents stay beside the references of the corpus: those that are near-duplicates of none.
///
/// # Errors
/// As [`dedup`].
pub fn dedup_against(corpus: &Corpus, measure: Measure, method: Method, session: &Session<'_>) -> Result<Dedup> {
    let search = DuplicateSearch::group(corpus, &Order::First, measure, method, session)?;
    decide(search, Compare::WithReferences { references: corpus.listing.references }, &Rule::Against)
}

/// Decides which documents stay beside the references of the corpus and beside each other, in the order `keep`: those
/// that are near-duplicates of no reference and of none that stays.
///
/// Two searches, because a containment tells references from inputs, and other inputs from none: first beside the
/// references, then among the inputs, of which those that went only look for a more similar one that stays.
///
/// # Errors
/// As [`dedup`].
pub fn dedup_beside(
    corpus: &Corpus,
    measure: Measure,
    method: Method,
    keep: &Order,
    session: &Session<'_>,
) -> Result<Dedup> {
    let beside = dedup_against(corpus, measure, method, session)?;
    session.stages.search_again();
    let parameters = SearchParameters { keep, measure: measure.of_either_side(), method };
    let search = DuplicateSearch::group_inputs(corpus, parameters, beside.decisions.clone(), session)?;
    let among = decide(search, Compare::WithKeepers, &Rule::Beside { keep: keep.clone() })?;
    let candidates = beside.candidates.zip(among.candidates).map(|(beside, among)| beside + among);
    // A search that may miss pairs speaks for both.
    if among.method.is_complete() {
        Ok(Dedup { decisions: among.decisions, candidates, ..beside })
    } else {
        Ok(Dedup { candidates, ..among })
    }
}

fn decide(search: DuplicateSearch<'_>, compare: Compare, rule: &Rule) -> Result<Dedup> {
    let keys = search.keys(compare.meeting())?;
    let (mut kept, keys) = search.decide(compare, rule, keys)?;
    let recall = search.recall(&keys)?;
    search.check_decisions(&mut kept.decisions)?;
    search.compare_texts(&mut kept.decisions);
    Ok(Dedup { decisions: kept.decisions, method: keys.method, recall, candidates: Some(kept.candidates) })
}

/// Decides which documents stay: the first of each connected component of the near-duplicate pairs.
///
/// # Errors
/// As [`dedup`].
pub fn dedup_connected(
    corpus: &Corpus,
    measure: Measure,
    method: Method,
    keep: &Order,
    session: &Session<'_>,
) -> Result<Dedup> {
    let mut search = DuplicateSearch::group(corpus, keep, measure, method, session)?;
    let keys = search.keys(ComparedPairs::All)?;
    let joined = search.connect(&keys)?;
    let recall = search.recall(&keys)?;
    let joined = search.check_pairs(joined)?;
    let mut decisions = search.decide_by_components(&joined)?;
    search.compare_texts(&mut decisions);
    Ok(Dedup { decisions, method: keys.method, recall, candidates: None })
}

/// Finds all pairs whose similarity reaches the threshold; of signatures, those for whose interval it is so.
///
/// # Errors
/// If no banding reaches the wanted recall, or the job is cancelled.
pub fn pairs(corpus: &Corpus, measure: Measure, method: Method, session: &Session<'_>) -> Result<FoldedPairs> {
    let measure = reaching_by_interval(measure, components_of(corpus));
    find_pairs(DuplicateSearch::group(corpus, &Order::First, measure, method, session)?)
}

/// Parameters of a search for pairs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PairRequest {
    /// Treatment of the similarities of candidates that are no pairs
    /// ([`Joined::refused`](crate::methods::Joined)).
    pub(crate) refused: Refused,
    /// Maximum number of pairs of documents.
    pub(crate) limit: PairLimit,
}

/// Finds pairs as [`pairs`] does, with the limits of a job. Says how many there are, if they are many: at least, before
/// documents are compared, and exactly, before they are written.
///
/// # Errors
/// As [`pairs`]; [`Error::TooManyPairs`](crate::Error) as soon as that is known.
pub(crate) fn wanted_pairs(
    corpus: &Corpus,
    measure: Measure,
    method: Method,
    PairRequest { refused, limit }: PairRequest,
    session: &Session<'_>,
) -> Result<FoldedPairs> {
    let measure = reaching_by_interval(measure, components_of(corpus));
    let search = DuplicateSearch::group(corpus, &Order::First, measure, method, session)?;
    let search = search.with_refused(refused).with_pair_limit(limit);
    search.check_equal_pairs()?;
    let pairs = find_pairs(search)?;
    pairs.check_size(corpus.listing.references, limit, session)?;
    Ok(pairs)
}

/// Number of components of signatures, of which all documents with elements have equally many.
pub(crate) fn components_of(corpus: &Corpus) -> usize {
    corpus.documents().map(|document| corpus.sets.size(document)).find(|&size| size > 0).unwrap_or(0)
}

fn find_pairs(mut search: DuplicateSearch<'_>) -> Result<FoldedPairs> {
    let keys = search.keys(ComparedPairs::All)?;
    let joined = search.join(&keys)?;
    let recall = search.recall(&keys)?;
    let joined = search.check_pairs(joined)?;
    Ok(FoldedPairs { groups: search.into_groups(), joined, method: keys.method, recall })
}

/// Finds the connected components of those pairs.
///
/// # Errors
/// As [`pairs`].
pub fn clusters(corpus: &Corpus, measure: Measure, method: Method, session: &Session<'_>) -> Result<Clusters> {
    let mut search = DuplicateSearch::group(corpus, &Order::First, measure, method, session)?;
    let keys = search.keys(ComparedPairs::All)?;
    let joined = search.connect(&keys)?;
    let recall = search.recall(&keys)?;
    let joined = search.check_pairs(joined)?;
    let clusters = search.components(&joined)?;
    Ok(Clusters { clusters, method: keys.method, recall, candidates: joined.candidates })
}

#[cfg(test)]
mod tests;
