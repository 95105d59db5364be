//! Which document comes first when one of several is to be kept.

use crate::corpus::Corpus;
use crate::error::{Error, Result};
use crate::options::KeepPolicy;
use lookalike_core::DocId;
use lookalike_io::Score;
use std::cmp::{Ordering, Reverse};

/// All documents in order of priority; ties in input order.
pub(crate) fn priority(corpus: &Corpus, policy: &KeepPolicy, score_field: Option<&str>) -> Result<Vec<DocId>> {
    let mut order: Vec<DocId> = corpus.ids().collect();
    let characters = |document: &DocId| corpus.info(*document).characters;
    // All sorts are stable.
    match policy {
        KeepPolicy::First | KeepPolicy::Source => {}
        KeepPolicy::Last => order.reverse(),
        KeepPolicy::Longest => order.sort_by_key(|document| Reverse(characters(document))),
        KeepPolicy::Shortest => order.sort_by_key(characters),
        KeepPolicy::HighestScore | KeepPolicy::LowestScore => {
            check_scores(corpus, score_field.unwrap_or_default())?;
            let score = |document: &DocId| corpus.scores.get(document.index()).and_then(Option::as_ref);
            match policy {
                KeepPolicy::HighestScore => {
                    order.sort_by(|a, b| with_scores_first(score(a), score(b), |a, b| compare(b, a)))
                }
                _ => order.sort_by(|a, b| with_scores_first(score(a), score(b), compare)),
            }
        }
    }
    Ok(order)
}

/// By document: its place in `order`; 0 if it has none there.
pub(crate) fn ranks(order: &[DocId], documents: usize) -> Vec<u32> {
    let mut rank = vec![0; documents];
    for (document, place) in order.iter().zip(0..) {
        rank[document.index()] = place;
    }
    rank
}

fn check_scores(corpus: &Corpus, field: &str) -> Result<()> {
    let mut first: Option<&Score> = None;
    for document in corpus.ids() {
        let Some(Some(score)) = corpus.scores.get(document.index()) else { continue };
        let same_kind = std::mem::discriminant(*first.get_or_insert(score)) == std::mem::discriminant(score);
        if !same_kind {
            return Err(Error::MixedScores { field: field.to_owned(), key: corpus.keys.get(document).to_owned() });
        }
    }
    if first.is_none() && !corpus.is_empty() {
        return Err(Error::NoScores { field: field.to_owned() });
    }
    Ok(())
}

/// Documents without a score come last either way.
fn with_scores_first(a: Option<&Score>, b: Option<&Score>, compare: impl Fn(&Score, &Score) -> Ordering) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => compare(a, b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    }
}

/// JSON has no NaN, and all scores are of one kind: they can be compared.
fn compare(a: &Score, b: &Score) -> Ordering {
    a.partial_cmp(b).unwrap_or(Ordering::Equal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;

    fn order(policy: KeepPolicy, scores: &[Option<Score>]) -> Result<Vec<u32>> {
        let texts = [("a", "one two"), ("b", "one"), ("c", "öne two"), ("d", "one two three")];
        let mut corpus = Corpus::from_texts(&Options::default(), texts).unwrap();
        corpus.scores = scores.to_vec();
        Ok(priority(&corpus, &policy, Some("date"))?.into_iter().map(|document| document.0).collect())
    }

    #[test]
    fn policies_order_with_ties_in_input_order() {
        assert_eq!(order(KeepPolicy::First, &[]).unwrap(), [0, 1, 2, 3]);
        assert_eq!(order(KeepPolicy::Last, &[]).unwrap(), [3, 2, 1, 0]);
        assert_eq!(order(KeepPolicy::Longest, &[]).unwrap(), [3, 0, 2, 1]);
        assert_eq!(order(KeepPolicy::Shortest, &[]).unwrap(), [1, 0, 2, 3]);
        let number = |value| Some(Score::Number(value));
        let scores = [number(1.0), None, number(7.5), number(1.0)];
        assert_eq!(order(KeepPolicy::HighestScore, &scores).unwrap(), [2, 0, 3, 1]);
        assert_eq!(order(KeepPolicy::LowestScore, &scores).unwrap(), [0, 3, 2, 1]);
        let text = |value: &str| Some(Score::Text(value.to_owned()));
        let dates = [text("2026-01-02"), text("2025-12-31"), None, text("2026-01-10")];
        assert_eq!(order(KeepPolicy::HighestScore, &dates).unwrap(), [3, 0, 1, 2]);
    }

    #[test]
    fn scores_that_cannot_order_are_refused() {
        assert!(matches!(order(KeepPolicy::HighestScore, &[None, None]), Err(Error::NoScores { .. })));
        let mixed = [Some(Score::Number(1.0)), None, Some(Score::Text("x".to_owned()))];
        assert!(matches!(order(KeepPolicy::LowestScore, &mixed), Err(Error::MixedScores { key, .. }) if key == "c"));
    }
}
