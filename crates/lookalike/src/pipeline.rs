//! The searches, one call a stage. Begin here.
//!
//! ```text
//! read      Records     ids, places and element sets of all documents     inputs, Features
//! order     [DocId]     which document is kept of several                 Rule
//! group     EqualSets   documents with equal sets: one of them goes on    Measure
//! keys      MadeKeys    blocking keys, by which similar documents meet    Measure, Method
//! decide    Dedup       candidates verified, keepers and duplicates       Rule
//! join      Pairs       candidates verified, all pairs
//! recall    measured on a sample, if the method is not complete
//! ```
//!
//! On the right stand the nouns that a stage depends on, and with it its checkpoint.

pub use crate::decide::{Clusters, Dedup, Pairs};

use crate::corpus::{self, Corpus, Records};
use crate::decide::{Compare, Search, decide_for_equals, order_of};
use crate::ground::Result;
use crate::run::Session;
use lookalike_core::DocId;
use lookalike_core::features::Features;
use lookalike_core::measure::Measure;
use lookalike_core::method::{Meeting, Method};
use lookalike_core::rule::{Order, Rule, clusters as connected_components, decide_by_clusters};
use lookalike_io::{Discovered, Inputs};

/// Reads the documents of `found` after those of `references`.
///
/// # Errors
/// If an input cannot be read, or has a bad record and those are to stop the job.
pub fn read(
    references: &Discovered,
    found: &Discovered,
    inputs: &Inputs,
    features: &Features,
    session: &Session<'_>,
) -> Result<Records> {
    corpus::read(references, found, inputs, features, session)
}

/// Decides by the keepers rule: each document that goes has a near-duplicate that stays, and no two that stay are
/// near-duplicates.
///
/// # Errors
/// If the order needs scores that are not there, no banding reaches the wanted recall, or the job is cancelled.
pub fn dedup(corpus: &Corpus, measure: Measure, method: Method, keep: &Order, session: &Session<'_>) -> Result<Dedup> {
    let rule = Rule::Keepers { keep: keep.clone() };
    let search = Search::group(corpus, (order_of(corpus, keep)?, keep), measure, method, session)?;
    decide(search, Compare::WithKeepers, &rule)
}

/// Decides which documents stay beside the references of the corpus: those that are near-duplicates of none.
///
/// # Errors
/// As [`dedup`].
pub fn dedup_against(corpus: &Corpus, measure: Measure, method: Method, session: &Session<'_>) -> Result<Dedup> {
    let search = Search::group(corpus, in_input_order(corpus), measure, method, session)?;
    decide(search, Compare::WithReferences, &Rule::Against)
}

fn decide(search: Search<'_>, compare: Compare, rule: &Rule) -> Result<Dedup> {
    let keys = search.keys(Meeting::Keepers)?;
    let (kept, keys) = search.decide(compare, rule, keys)?;
    let recall = search.recall(&keys)?;
    Ok(Dedup { decisions: kept.decisions, method: keys.method, recall, candidates: kept.candidates })
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
    let order = order_of(corpus, keep)?;
    let Pairs { groups, joined, method, recall } = pairs_in_order(corpus, (order, keep), measure, method, session)?;
    let verifier = session.verifier(&corpus.sets, measure);
    let clusters = connected_components(corpus.len(), joined.pairs().map(|pair| (pair.a, pair.b)));
    let similarity = |a, b| verifier.similarity_of(a, b);
    let mut decisions = decide_by_clusters(corpus.len(), groups.representatives(), &clusters, similarity);
    decide_for_equals(&mut decisions, &groups);
    Ok(Dedup { decisions, method, recall, candidates: joined.candidates })
}

/// Finds all pairs whose similarity reaches the threshold.
///
/// # Errors
/// If no banding reaches the wanted recall, or the job is cancelled.
pub fn pairs(corpus: &Corpus, measure: Measure, method: Method, session: &Session<'_>) -> Result<Pairs> {
    pairs_in_order(corpus, in_input_order(corpus), measure, method, session)
}

/// Finds the connected components of those pairs.
///
/// # Errors
/// As [`pairs`].
pub fn clusters(corpus: &Corpus, measure: Measure, method: Method, session: &Session<'_>) -> Result<Clusters> {
    let Pairs { groups, joined, method, recall } = pairs(corpus, measure, method, session)?;
    let near = joined.pairs().map(|pair| (pair.a, pair.b));
    let equal = corpus.documents().map(|document| (groups.representative(document), document));
    let clusters = connected_components(corpus.len(), near.chain(equal));
    Ok(Clusters { clusters, method, recall, candidates: joined.candidates })
}

fn pairs_in_order(
    corpus: &Corpus,
    order: (Vec<DocId>, &Order),
    measure: Measure,
    method: Method,
    session: &Session<'_>,
) -> Result<Pairs> {
    let search = Search::group(corpus, order, measure, method, session)?;
    let keys = search.keys(Meeting::All)?;
    let joined = search.join(&keys)?;
    let recall = search.recall(&keys)?;
    Ok(Pairs { groups: search.into_groups(), joined, method: keys.method, recall })
}

fn in_input_order(corpus: &Corpus) -> (Vec<DocId>, &'static Order) {
    (corpus.documents().collect(), &Order::First)
}

#[cfg(test)]
mod tests;
