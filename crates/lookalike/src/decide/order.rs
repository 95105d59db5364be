//! Which document comes first when one of several is to be kept.

use crate::corpus::Listing;
use crate::ground::{Error, Result};
use lookalike_core::DocId;
use lookalike_core::rule::Order;
use lookalike_io::Score;
use std::cmp::{Ordering, Reverse};

/// All documents in the order in which they are kept; ties in input order.
pub(crate) fn order_of(listing: &Listing, keep: &Order) -> Result<Vec<DocId>> {
    let mut order: Vec<DocId> = listing.documents().collect();
    let characters = |document: &DocId| listing.characters(*document);
    let score = |document: &DocId| listing.scores.get(document.index()).and_then(Option::as_ref);
    // All sorts are stable.
    match keep {
        Order::First | Order::Source => {}
        Order::Last => order.reverse(),
        Order::Longest => order.sort_by_key(|document| Reverse(characters(document))),
        Order::Shortest => order.sort_by_key(characters),
        Order::Highest { field } => {
            check_scores(listing, field)?;
            order.sort_by(|a, b| with_scores_first(score(a), score(b), |a, b| compare(b, a)));
        }
        Order::Lowest { field } => {
            check_scores(listing, field)?;
            order.sort_by(|a, b| with_scores_first(score(a), score(b), compare));
        }
    }
    Ok(order)
}

fn check_scores(listing: &Listing, field: &str) -> Result<()> {
    let mut first: Option<&Score> = None;
    for document in listing.documents() {
        let Some(Some(score)) = listing.scores.get(document.index()) else { continue };
        let same_kind = std::mem::discriminant(*first.get_or_insert(score)) == std::mem::discriminant(score);
        if !same_kind {
            return Err(Error::MixedScores { field: field.to_owned(), id: listing.ids.get(document).to_owned() });
        }
    }
    if first.is_none() && !listing.is_empty() {
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

/// All scores are of one kind: they can be compared.
fn compare(a: &Score, b: &Score) -> Ordering {
    a.partial_cmp(b).unwrap_or(Ordering::Equal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Corpus;
    use lookalike_core::features::Features;
    use lookalike_io::Number;

    fn order(keep: &str, scores: &[Option<Score>]) -> Result<Vec<u32>> {
        let texts = [("a", "one two"), ("b", "one"), ("c", "öne two"), ("d", "one two three")];
        let mut corpus = Corpus::from_texts(&Features::default(), texts).unwrap();
        corpus.listing.scores = scores.to_vec();
        Ok(order_of(&corpus.listing, &keep.parse().unwrap())?.into_iter().map(|document| document.0).collect())
    }

    #[test]
    fn policies_order_with_ties_in_input_order() {
        assert_eq!(order("first", &[]).unwrap(), [0, 1, 2, 3]);
        assert_eq!(order("last", &[]).unwrap(), [3, 2, 1, 0]);
        assert_eq!(order("longest", &[]).unwrap(), [3, 0, 2, 1]);
        assert_eq!(order("shortest", &[]).unwrap(), [1, 0, 2, 3]);
        let number = |value| Number::of_float(value).map(Score::Number);
        let scores = [number(1.0), None, number(7.5), number(1.0)];
        assert_eq!(order("max:date", &scores).unwrap(), [2, 0, 3, 1]);
        assert_eq!(order("min:date", &scores).unwrap(), [0, 3, 2, 1]);
        // Of which floats of 64 bits hold the first only.
        let integer = |value| Some(Score::Number(Number::of_integer(value)));
        let ids = [9007199254740992, 9007199254740993, -9007199254740993, -9007199254740992].map(integer);
        assert_eq!(order("max:id", &ids).unwrap(), [1, 0, 3, 2]);
        assert_eq!(order("min:id", &ids).unwrap(), [2, 3, 0, 1]);
        let text = |value: &str| Some(Score::Text(value.to_owned()));
        let dates = [text("2026-01-02"), text("2025-12-31"), None, text("2026-01-10")];
        assert_eq!(order("max:date", &dates).unwrap(), [3, 0, 1, 2]);
    }

    #[test]
    fn scores_that_cannot_order_are_refused() {
        assert!(matches!(order("max:date", &[None, None]), Err(Error::NoScores { .. })));
        let mixed = [Number::of_float(1.0).map(Score::Number), None, Some(Score::Text("x".to_owned()))];
        assert!(matches!(order("min:date", &mixed), Err(Error::MixedScores { id, .. }) if id == "c"));
    }
}
