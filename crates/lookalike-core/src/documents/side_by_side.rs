//! Two sets side by side, in pieces that have the same range of hashes.
//!
//! The set of a long document may be in a mapped file, and larger than the memory for resident pages. So two sets are
//! merged piece by piece, and the storage can give back the pages of the pieces before:
//!
//! ```text
//! a | 1 3 4 | 7 8 |       piece by piece up to the smaller of the two last elements
//! b | 2 3 | 5 7 9 |
//! ```

use super::ElementSets;
use crate::base::{Array, DocId};
use std::ops::Range;

/// Elements of a set in a piece, at most.
const PIECE_ELEMENTS: usize = 1 << 16;

/// The sets of two documents, from which pieces are taken.
#[derive(Debug)]
pub(crate) struct SideBySide<'a> {
    elements: &'a Array<u64>,
    /// Rest of each set.
    rest: [Range<usize>; 2],
}

impl<'a> SideBySide<'a> {
    /// Returns whether sets of these sizes are worth taking in pieces.
    pub(crate) fn is_for(sizes: [usize; 2]) -> bool {
        sizes.into_iter().any(|size| size > PIECE_ELEMENTS)
    }

    /// The sets of two documents.
    pub(crate) fn new(sets: &'a ElementSets, pair: [DocId; 2]) -> Self {
        let offsets = sets.elements().offsets();
        let range = |document: DocId| offsets[document.index()] as usize..offsets[document.index() + 1] as usize;
        Self { elements: sets.elements().values(), rest: pair.map(range) }
    }

    /// The next piece of each set, of which one may be empty; `None` when one of the sets is at its end.
    pub(crate) fn next_pieces(&mut self) -> Option<[&'a [u64]; 2]> {
        let pieces = self.rest.each_ref().map(|rest| {
            let end = rest.end.min(rest.start + PIECE_ELEMENTS);
            self.elements.slice(rest.start..end)
        });
        let [left, right] = pieces;
        let last = *left.last()?.min(right.last()?);
        let cut = pieces.map(|piece| &piece[..piece.partition_point(|&element| element <= last)]);
        for (rest, piece) in self.rest.iter_mut().zip(cut) {
            rest.start += piece.len();
        }
        Some(cut)
    }

    /// Number of elements that the two sets can still have in common.
    pub(crate) fn max_common(&self) -> usize {
        self.rest[0].len().min(self.rest[1].len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::hash::mix64;

    fn pieces_of(sets: &ElementSets) -> Vec<[&[u64]; 2]> {
        let mut both = SideBySide::new(sets, [DocId(0), DocId(1)]);
        std::iter::from_fn(|| both.next_pieces()).collect()
    }

    #[test]
    fn pieces_cover_the_same_hashes_of_both_sets() {
        // No hash is 0.
        let hashes = |range: Range<u64>| range.map(|number| mix64(number + 1)).collect::<Vec<_>>();
        for (left, right) in [(0..200_000, 100_000..500_000), (0..70_000, 0..70_000), (0..100_000, 7..8)] {
            let sets = ElementSets::from([hashes(left), hashes(right)]);
            let pieces = pieces_of(&sets);
            assert!(pieces.len() > 1 || sets.size(DocId(1)) <= PIECE_ELEMENTS);
            let mut last = 0;
            for [a, b] in &pieces {
                assert!(a.len().max(b.len()) <= PIECE_ELEMENTS && !(a.is_empty() && b.is_empty()));
                let ends = [a.first(), b.first(), a.last(), b.last()].map(|end| end.copied());
                assert!(ends.iter().flatten().all(|&end| end > last));
                last = ends[2].max(ends[3]).unwrap();
            }
            let [a, b] = [0, 1].map(|side| pieces.iter().flat_map(|pieces| pieces[side]).copied().collect::<Vec<_>>());
            let whole_a = sets.get(DocId(0));
            let whole_b = sets.get(DocId(1));
            assert!(whole_a.starts_with(&a) && whole_b.starts_with(&b));
            assert!(a.len() == whole_a.len() || b.len() == whole_b.len());
        }
    }

    #[test]
    fn an_empty_set_has_no_pieces_in_common_with_another() {
        assert!(pieces_of(&ElementSets::from([vec![], vec![1, 2]])).is_empty());
    }
}
