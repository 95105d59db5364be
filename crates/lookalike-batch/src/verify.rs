//! Verification: the sets of candidate pairs in, exact similarities out.

use crate::error::Result;
use crate::lists::SetColumn;
use crate::numbers::check_rows;
use arrow_array::{Array, Float64Array, UInt64Array};
use lookalike_core::DocId;
use lookalike_core::comparison::{Measure, PairCheck, VerifiedPair};
use lookalike_core::documents::WeightedSet;
use lookalike_core::kernel::Kernel;
use lookalike_core::similarity::CandidatePair;

/// Results of the exact check of candidate pairs: both null where a pair does not reach the threshold.
#[derive(Debug, Clone)]
pub struct VerifiedColumns {
    /// Number of common elements, by row.
    pub common: UInt64Array,
    /// Exact similarity, by row, from the threshold to 1.
    pub similarity: Float64Array,
}

/// Verifies candidate pairs: row i of `left` and row i of `right` are two sets, which [`super::element_sets`] has made.
///
/// A null set is in no pair, nor is one without elements. Answers do not depend on the kernel.
///
/// # Errors
/// [`Error::ColumnType`](super::Error::ColumnType); [`Error::RowCount`](super::Error::RowCount) unless both have equal
/// numbers of rows; [`Error::Parameters`](super::Error::Parameters) for a measure with weights;
/// [`Error::Row`](super::Error::Row) at the first row that is no set.
pub fn verify(left: &dyn Array, right: &dyn Array, measure: Measure, kernel: Kernel) -> Result<VerifiedColumns> {
    let left = SetColumn::new("left", left)?;
    let right = SetColumn::new("right", right)?;
    check_rows("right", left.len(), right.len())?;
    if measure.weighted().is_some() {
        return Err(lookalike_core::Error::CountsNeeded.into());
    }
    let check = PairCheck::new(measure);
    let verify = |row| {
        let Some((left, right)) = left.get(row)?.zip(right.get(row)?) else { return Ok(None) };
        // The check passes the numbers through; only the agreement is used.
        let pair = CandidatePair { a: DocId::from_index(row)?, b: DocId::from_index(row)? };
        Ok(check.verify(kernel, pair, [WeightedSet::new(left, &[])?, WeightedSet::new(right, &[])?]))
    };
    let found: Vec<Option<VerifiedPair>> = (0..left.len()).map(verify).collect::<Result<_>>()?;
    let overlap_of = |pair: &Option<VerifiedPair>| pair.and_then(|pair| pair.found.overlap());
    let common = found.iter().map(|pair| overlap_of(pair).map(|overlap| overlap.common as u64)).collect();
    let similarity = found.iter().map(|pair| pair.map(|pair| measure.similarity(pair.found))).collect();
    Ok(VerifiedColumns { common, similarity })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{Error, RowFault, fault};
    use arrow_array::types::{Int64Type, UInt64Type};
    use arrow_array::{LargeListArray, ListArray, StringArray};

    type Row<'a> = Option<&'a [u64]>;

    fn lists(rows: &[Row<'_>]) -> LargeListArray {
        let options = |set: &[u64]| set.iter().copied().map(Some).collect::<Vec<_>>();
        LargeListArray::from_iter_primitive::<UInt64Type, _, _>(rows.iter().map(|row| row.map(options)))
    }

    #[test]
    fn pairs_that_reach_the_threshold_get_their_similarity() {
        let left = lists(&[Some(&[7]), Some(&[1, 2, 3]), Some(&[1, 2]), None, Some(&[])]).slice(1, 4);
        let right = lists(&[Some(&[2, 3, 4]), Some(&[3]), Some(&[1]), Some(&[])]);
        let measure = Measure::jaccard("0.5".parse().unwrap());
        let found = verify(&left, &right, measure, Kernel::detect()).unwrap();
        assert_eq!(found.common, UInt64Array::from(vec![Some(2), None, None, None]));
        assert_eq!(found.similarity, Float64Array::from(vec![Some(0.5), None, None, None]));
        let none = verify(&left.slice(0, 0), &right.slice(0, 0), measure, Kernel::detect()).unwrap();
        assert_eq!((none.common.len(), none.similarity.len()), (0, 0));
    }

    #[test]
    fn signed_elements_are_compared_by_their_bits() {
        let signed = ListArray::from_iter_primitive::<Int64Type, _, _>([Some(vec![Some(5), Some(-1)])]);
        let unsigned = lists(&[Some(&[5, u64::MAX])]);
        let found = verify(&signed, &unsigned, Measure::default(), Kernel::detect()).unwrap();
        assert_eq!((found.common.value(0), found.similarity.value(0)), (2, 1.0));
    }

    #[test]
    fn columns_that_are_no_pairs_of_sets_are_refused() {
        let good = lists(&[Some(&[1]), Some(&[1])]);
        let bad = lists(&[Some(&[1]), Some(&[2, 2])]);
        let refused = |left: &dyn Array, right: &dyn Array| {
            verify(left, right, Measure::default(), Kernel::detect()).unwrap_err()
        };
        assert_eq!(fault(refused(&bad, &good)), ("left", 1, RowFault::UnsortedSet));
        let error = refused(&good, &bad);
        assert_eq!(error.to_string(), "column `right`, row 1: the elements of the set do not strictly ascend");
        assert!(matches!(refused(&good, &bad.slice(1, 1)), Error::RowCount { column: "right", expected: 2, found: 1 }));
        assert!(matches!(refused(&good, &StringArray::from(vec!["a"])), Error::ColumnType { column: "right", .. }));
    }
}
