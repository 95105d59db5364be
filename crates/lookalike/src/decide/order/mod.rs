//! Order of documents, the first of which is kept of several.

mod values;

use self::values::{Key, keys_of};
use crate::base::{Progress, Result};
use crate::corpus::Listing;
use lookalike_core::DocId;
use lookalike_core::rule::Order;
use std::cmp::{Ordering, Reverse};

/// Documents in the order in which they are kept; ties in input order.
pub(crate) fn order_of(listing: &Listing, keep: &Order, progress: &dyn Progress) -> Result<Vec<DocId>> {
    order_from(0, listing, keep, progress)
}

/// Documents from number `first` on in the order in which they are kept.
pub(super) fn order_from(first: usize, listing: &Listing, keep: &Order, progress: &dyn Progress) -> Result<Vec<DocId>> {
    let mut order: Vec<DocId> = listing.documents().skip(first).collect();
    let fields = keep.score_fields();
    // All sorts are stable, so the last order is followed first.
    for part in keep.parts().into_iter().rev() {
        sort_by(part, &mut order, listing, &fields, progress)?;
    }
    Ok(order)
}

fn sort_by(
    part: &Order,
    order: &mut [DocId],
    listing: &Listing,
    fields: &[&str],
    progress: &dyn Progress,
) -> Result<()> {
    let mut sort_by_field = |field: &str, compare: fn(&Key<'_>, &Key<'_>) -> Ordering| {
        let number = fields.iter().position(|name| *name == field).unwrap_or_default();
        let keys = keys_of(field, number, order, listing, progress)?;
        let mut ranks: Vec<usize> = (0..order.len()).collect();
        ranks.sort_by(|&a, &b| with_keys_first(keys[a].as_ref(), keys[b].as_ref(), compare));
        let sorted: Vec<DocId> = ranks.into_iter().map(|rank| order[rank]).collect();
        order.copy_from_slice(&sorted);
        Ok(())
    };
    match part {
        Order::Highest { field } => sort_by_field(field, |a, b| b.cmp(a)),
        Order::Lowest { field } => sort_by_field(field, |a, b| a.cmp(b)),
        Order::First | Order::Source => {
            order.sort_unstable();
            Ok(())
        }
        Order::Last => {
            order.sort_unstable_by_key(|&document| Reverse(document));
            Ok(())
        }
        Order::Longest => {
            order.sort_by_key(|&document| Reverse(listing.characters(document)));
            Ok(())
        }
        Order::Shortest => {
            order.sort_by_key(|&document| listing.characters(document));
            Ok(())
        }
        // Its parts are sorted by one by one.
        Order::InTurn { .. } => Ok(()),
    }
}

/// Documents without a score come last either way.
fn with_keys_first(a: Option<&Key<'_>>, b: Option<&Key<'_>>, compare: fn(&Key<'_>, &Key<'_>) -> Ordering) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => compare(a, b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Error, Silent};
    use crate::corpus::Corpus;
    use lookalike_core::comparison::Features;
    use lookalike_io::base::{Number, Score};

    fn order(keep: &str, scores: &[Option<Score>]) -> Result<Vec<u32>> {
        let texts = [("a", "one two"), ("b", "one"), ("c", "öne two"), ("d", "one two three")];
        let mut corpus = Corpus::from_texts(&Features::default(), texts).unwrap();
        corpus.listing.scores = scores.to_vec();
        Ok(order_of(&corpus.listing, &keep.parse().unwrap(), &Silent)?.into_iter().map(|document| document.0).collect())
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
        let mixed = [Number::of_float(1.0).map(Score::Number), None, Some(Score::Text("x".to_owned())), None];
        assert!(matches!(order("min:date", &mixed), Err(Error::MixedScores { id, .. }) if id == "c"));
    }
}
