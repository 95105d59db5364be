//! The short way for programs: texts in, answers out.

use crate::base::{Result, Silent};
use crate::corpus::Corpus;
use crate::pipeline;
use crate::run::Session;
use crate::write::FoundPairs;
use lookalike_core::comparison::{Features, Measure, Method};
use lookalike_core::rule::{Decision, Order, Reason};
use lookalike_core::similarity::Threshold;
use lookalike_core::{Error, Resources};

/// A pair of texts, by their positions from 0, with their exact similarity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextPair {
    /// Position of the earlier text.
    pub a: usize,
    /// Position of the later text.
    pub b: usize,
    /// Exact Jaccard similarity of their sets of five-word shingles.
    pub similarity: f64,
    /// `true` if the texts are identical, equal in their shingles, or similar.
    pub reason: Reason,
}

/// Decides which texts stay: each one that goes has a near-duplicate that stays before it, and no two that stay are
/// near-duplicates.
///
/// Near-duplicates have a Jaccard similarity of at least `threshold` (inclusive) of their sets of five-word shingles.
/// The answer is complete unless that would cost far more than MinHash with a recall of 0.99; [`crate::pipeline`] has
/// all choices.
///
/// ```
/// let texts = ["the harbour stays closed until Friday", "The harbour stays closed until Friday!", "nobody knows why"];
/// let decisions = lookalike::dedup(texts, 0.8)?;
/// assert!(decisions[0].is_kept() && !decisions[1].is_kept() && decisions[2].is_kept());
/// # Ok::<(), lookalike::Error>(())
/// ```
///
/// # Errors
/// If the threshold is not above 0 and at most 1, or for too many texts.
pub fn dedup<S: AsRef<str>>(
    texts: impl IntoIterator<Item = S>,
    threshold: impl TryInto<Threshold, Error = Error>,
) -> Result<Vec<Decision>> {
    let (corpus, measure, session) = prepare(texts, threshold)?;
    Ok(pipeline::dedup(&corpus, measure, Method::default(), &Order::First, &session)?.decisions)
}

/// Finds all pairs of texts that are near-duplicates, as [`dedup`] understands it, sorted by their positions.
///
/// ```
/// let texts = ["one two three four five six", "unrelated", "one two three four five six seven"];
/// let pairs = lookalike::pairs(texts, 0.6)?;
/// assert_eq!((pairs.len(), pairs[0].a, pairs[0].b), (1, 0, 2));
/// # Ok::<(), lookalike::Error>(())
/// ```
///
/// # Errors
/// As [`dedup`].
pub fn pairs<S: AsRef<str>>(
    texts: impl IntoIterator<Item = S>,
    threshold: impl TryInto<Threshold, Error = Error>,
) -> Result<Vec<TextPair>> {
    let (corpus, measure, session) = prepare(texts, threshold)?;
    let found = pipeline::pairs(&corpus, measure, Method::default(), &session)?;
    let mut pairs = Vec::new();
    FoundPairs::new(&found, &corpus, measure, &session)?.for_each(&session, |pair| {
        let a = pair.a.index();
        let b = pair.b.index();
        pairs.push(TextPair { a, b, similarity: pair.verified.similarity, reason: pair.reason });
        Ok(())
    })?;
    Ok(pairs)
}

fn prepare<S: AsRef<str>>(
    texts: impl IntoIterator<Item = S>,
    threshold: impl TryInto<Threshold, Error = Error>,
) -> Result<(Corpus, Measure, Session<'static>)> {
    let measure = Measure::jaccard(threshold.try_into()?);
    let texts: Vec<S> = texts.into_iter().collect();
    let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
    let session = Session::new(&Resources::default(), &Silent)?;
    let corpus = Corpus::read_texts(&texts, &Features::default(), &session)?;
    Ok((corpus, measure, session))
}
