//! The jobs, one call a stage. Begin here.
//!
//! ```text
//! read        Corpus      keys, places and shingle sets of all documents
//! priority    [DocId]     who is kept if one must go
//! group       EqualSets   documents with equal sets: one goes on
//! make_keys   IndexKeys   the keys by which similar sets meet: prefix elements or band keys
//! keep | join             candidates from the index of keys, each verified
//! ```

pub use crate::answers::{Clusters, Dedup, Pairs};
use crate::corpus::Corpus;
use crate::error::Result;
use crate::facts::in_words;
use crate::join::join;
use crate::keep::{Kept, keep, keep_against, keep_connected};
use crate::keys::{Meeting, make_keys};
use crate::method::{MadeKeys, MethodChoice};
use crate::options::{ClusterRule, KeepPolicy};
use crate::priority::priority;
use crate::progress::{Stage, Unit};
use crate::read::{self, Depth};
use crate::recall::{self, MeasuredRecall};
use crate::saved::SavedSearch;
use crate::session::Session;
use lookalike_core::DocId;
use lookalike_core::decide::clusters as connected_components;
use lookalike_core::equal_sets::EqualSets;
use lookalike_core::verify::Verifier;
use lookalike_io::Discovered;

/// Reads the documents that were found ([`lookalike_io::discover`]).
///
/// # Errors
/// If an input cannot be read, or has a bad record and those are to stop the job.
pub fn read(found: &Discovered, session: &Session<'_>) -> Result<Corpus> {
    read::read(&[], found, Depth::Set, session)
}

/// Reads keys, places, lengths and scores of the documents that were found, but does not look into them.
///
/// # Errors
/// As [`read()`].
pub fn read_keys(found: &Discovered, session: &Session<'_>) -> Result<Corpus> {
    read::read(&[], found, Depth::Key, session)
}

/// Reads references and then the documents that are to be compared with them ([`ClusterRule::Against`]).
///
/// # Errors
/// As [`read()`].
pub fn read_against(references: &Discovered, found: &Discovered, session: &Session<'_>) -> Result<Corpus> {
    read::read(&references.sources, found, Depth::Set, session)
}

/// Decides which documents stay: each one that goes has a near-duplicate that stays, and no two that stay are
/// near-duplicates. (With [`dedup_connected`] one of each component stays.)
///
/// # Errors
/// If the policy needs scores that are not there, or the job is cancelled.
pub fn dedup(corpus: &Corpus, policy: &KeepPolicy, session: &Session<'_>) -> Result<Dedup> {
    let order = priority(corpus, policy, session.options.fields.score.as_deref())?;
    decide(corpus, order, &in_words(policy), session, keep)
}

/// Decides which documents stay beside the references of the corpus: those that are no near-duplicates of any.
///
/// # Errors
/// If the job is cancelled.
pub fn dedup_against(corpus: &Corpus, session: &Session<'_>) -> Result<Dedup> {
    decide(corpus, corpus.ids().collect(), "against", session, |verifier, groups, made, session| {
        keep_against(corpus.references, verifier, groups, made, session)
    })
}

/// Decides by `rule` with the cheapest keys: first with those that a trial may show to be too dear.
fn decide(
    corpus: &Corpus,
    order: Vec<DocId>,
    rule_name: &str,
    session: &Session<'_>,
    rule: impl Fn(Verifier<'_>, &EqualSets, &MadeKeys, &Session<'_>) -> Result<Option<Kept>>,
) -> Result<Dedup> {
    let groups = group(corpus, order, session)?;
    let saved = SavedSearch::of(corpus, &groups, rule_name, session);
    if let Some(dedup) = saved.as_ref().map_or(Ok(None), SavedSearch::decisions)? {
        return Ok(dedup);
    }
    let verifier = session.verifier(&corpus.sets);
    let given_up = saved.as_ref().map_or(Ok(false), SavedSearch::was_given_up)?;
    let mut meeting = if given_up { Meeting::All } else { Meeting::Keepers };
    loop {
        let made = make_keys(&corpus.sets, &groups, meeting, saved.as_ref(), session)?;
        if let Some(Kept { decisions, candidates }) = rule(verifier, &groups, &made, session)? {
            let recall = measure_recall(corpus, &groups, &made, session)?;
            let dedup = Dedup { decisions, method: made.method, recall, candidates };
            saved.map_or(Ok(()), |saved| saved.save_decisions(&dedup))?;
            return Ok(dedup);
        }
        saved.as_ref().map_or(Ok(()), SavedSearch::save_given_up)?;
        meeting = Meeting::All;
    }
}

/// Decides which documents stay: the first of each connected component of the near-duplicate pairs.
///
/// # Errors
/// As [`dedup`].
pub fn dedup_connected(corpus: &Corpus, policy: &KeepPolicy, session: &Session<'_>) -> Result<Dedup> {
    let order = priority(corpus, policy, session.options.fields.score.as_deref())?;
    let Pairs { groups, joined, method, recall } = pairs_in_order(corpus, order, session)?;
    let verifier = session.verifier(&corpus.sets);
    let decisions = keep_connected(verifier, &groups, joined.pairs());
    Ok(Dedup { decisions, method, recall, candidates: joined.candidates })
}

/// Decides by any of the rules.
///
/// # Errors
/// As [`dedup`].
pub fn dedup_by(rule: ClusterRule, corpus: &Corpus, policy: &KeepPolicy, session: &Session<'_>) -> Result<Dedup> {
    match rule {
        ClusterRule::Keepers => dedup(corpus, policy, session),
        ClusterRule::Connected => dedup_connected(corpus, policy, session),
        ClusterRule::Against => dedup_against(corpus, session),
    }
}

/// Finds all pairs whose similarity reaches the threshold.
///
/// # Errors
/// If the job is cancelled.
pub fn pairs(corpus: &Corpus, session: &Session<'_>) -> Result<Pairs> {
    pairs_in_order(corpus, corpus.ids().collect(), session)
}

/// Finds the connected components of those pairs.
///
/// # Errors
/// If the job is cancelled.
pub fn clusters(corpus: &Corpus, session: &Session<'_>) -> Result<Clusters> {
    let Pairs { groups, joined, method, recall } = pairs(corpus, session)?;
    let near = joined.pairs().map(|pair| (pair.a, pair.b));
    let equal = corpus.ids().map(|document| (groups.representative(document), document));
    let clusters = connected_components(corpus.len(), near.chain(equal));
    Ok(Clusters { clusters, method, recall, candidates: joined.candidates })
}

fn pairs_in_order(corpus: &Corpus, order: Vec<DocId>, session: &Session<'_>) -> Result<Pairs> {
    let groups = group(corpus, order, session)?;
    let saved = SavedSearch::of(corpus, &groups, "all pairs", session);
    if let Some((joined, method, recall)) = saved.as_ref().map_or(Ok(None), SavedSearch::pairs)? {
        return Ok(Pairs { groups, joined, method, recall });
    }
    let made = make_keys(&corpus.sets, &groups, Meeting::All, saved.as_ref(), session)?;
    let verifier = session.verifier(&corpus.sets);
    let joined = join(verifier, &groups, &made.keys, session)?;
    let recall = measure_recall(corpus, &groups, &made, session)?;
    saved.map_or(Ok(()), |saved| saved.save_pairs(&joined, made.method, recall))?;
    Ok(Pairs { groups, joined, method: made.method, recall })
}

/// Measures the recall of a method that promises less than all.
fn measure_recall(
    corpus: &Corpus,
    groups: &EqualSets,
    made: &MadeKeys,
    session: &Session<'_>,
) -> Result<Option<MeasuredRecall>> {
    match made.method {
        MethodChoice::Exact { .. } => Ok(None),
        MethodChoice::MinHash { .. } => recall::measure(&corpus.sets, groups, &made.keys, session).map(Some),
    }
}

fn group(corpus: &Corpus, order: Vec<DocId>, session: &Session<'_>) -> Result<EqualSets> {
    let stage = Stage { name: "grouping", total: corpus.len() as u64, unit: Unit::Documents };
    session.stages.run(stage, || Ok(EqualSets::group(&corpus.sets, order, session.options.empty)))
}
