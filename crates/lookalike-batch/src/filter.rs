//! Filter bound: candidate pairs that cannot be near-duplicates, refused without their sets.

use crate::error::{Result, RowFault};
use crate::numbers::{DocumentNumbers, check_rows};
use arrow_array::{Array, BooleanArray};
use lookalike_core::comparison::Measure;
use lookalike_core::keys::{Bounds, Extent};

/// Two columns that say of each row how large a set is and where the shared blocking key stands in it, in elements:
/// UInt32, UInt64, Int32 or Int64 each.
#[derive(Debug, Clone, Copy)]
pub struct Extents<'a> {
    /// Number of elements of the set: the length of its list.
    pub sizes: &'a dyn Array,
    /// Number of elements before the key: the position beside it.
    pub positions: &'a dyn Array,
}

/// Returns whether the two sets of a row, which share a key, can reach the threshold: false proves that they do not.
/// Null if one of the four numbers is null.
///
/// The bound is [`Measure::may_reach`]: of all common keys of two documents at least the first one passes if they are
/// near-duplicates, so pairs are made distinct after this filter, not before.
///
/// # Errors
/// [`Error::ColumnType`](super::Error::ColumnType); [`Error::RowCount`](super::Error::RowCount) unless all columns have
/// equal numbers of rows; [`Error::Row`](super::Error::Row) for a number out of range, and a position larger than the
/// size.
pub fn may_reach(left: Extents<'_>, right: Extents<'_>, measure: Measure) -> Result<BooleanArray> {
    let left = ExtentColumns::new(left, ["left sizes", "left positions"])?;
    let right = ExtentColumns::new(right, ["right sizes", "right positions"])?;
    check_rows(right.sizes.column, left.sizes.len(), right.sizes.len())?;
    let row = |row| {
        let extents = left.get(row)?.zip(right.get(row)?);
        Ok(extents.map(|(left, right)| measure.may_reach(left, right)))
    };
    (0..left.sizes.len()).map(row).collect()
}

struct ExtentColumns<'a> {
    sizes: DocumentNumbers<'a>,
    positions: DocumentNumbers<'a>,
}

impl<'a> ExtentColumns<'a> {
    fn new(extents: Extents<'a>, [sizes, positions]: [&'static str; 2]) -> Result<Self> {
        let sizes = DocumentNumbers::new(sizes, extents.sizes)?;
        let positions = DocumentNumbers::new(positions, extents.positions)?;
        check_rows(positions.column, sizes.len(), positions.len())?;
        Ok(Self { sizes, positions })
    }

    fn get(&self, row: usize) -> Result<Option<Extent>> {
        let Some((size, position)) = self.sizes.get(row)?.zip(self.positions.get(row)?) else { return Ok(None) };
        if position > size {
            return Err(RowFault::Position { size, found: position }.at(self.positions.column, row));
        }
        Ok(Some(Extent { size, position }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use arrow_array::{Float32Array, Int32Array, Int64Array, UInt32Array};

    #[test]
    fn the_bound_is_that_of_the_measure() {
        let measure = Measure::jaccard("0.8".parse().unwrap());
        let all: Vec<Extent> =
            (0..6).flat_map(|size| (0..=size).map(move |position| Extent { size, position })).collect();
        let rows: Vec<(Extent, Extent)> =
            all.iter().flat_map(|&left| all.iter().map(move |&right| (left, right))).collect();
        let column = |numbers: &mut dyn Iterator<Item = u32>| UInt32Array::from_iter_values(numbers);
        let sizes = column(&mut rows.iter().map(|row| row.0.size));
        let positions = column(&mut rows.iter().map(|row| row.0.position));
        let left = Extents { sizes: &sizes, positions: &positions };
        let sizes = column(&mut rows.iter().map(|row| row.1.size));
        let positions = column(&mut rows.iter().map(|row| row.1.position));
        let right = Extents { sizes: &sizes, positions: &positions };
        let expected: Vec<bool> = rows.iter().map(|&(left, right)| measure.may_reach(left, right)).collect();
        assert!(expected.contains(&true) && expected.contains(&false));
        assert_eq!(may_reach(left, right, measure).unwrap(), BooleanArray::from(expected));
    }

    #[test]
    fn a_null_on_either_side_gives_null() {
        let sizes = Int64Array::from(vec![Some(9), Some(3), None, Some(3)]).slice(1, 3);
        let positions = Int32Array::from(vec![Some(0), Some(0), None]);
        let extents = Extents { sizes: &sizes, positions: &positions };
        let found = may_reach(extents, extents, Measure::default()).unwrap();
        assert_eq!(found, BooleanArray::from(vec![Some(true), None, None]));
    }

    #[test]
    fn impossible_columns_are_refused_by_name() {
        let two = UInt32Array::from(vec![2, 2]);
        let three = UInt32Array::from(vec![1, 3]);
        let [good, behind] = [&two, &three].map(|positions| Extents { sizes: &two, positions });
        let refused = may_reach(good, behind, Measure::default()).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "column `right positions`, row 1: expected a position of at most the size 2, found 3"
        );
        let short = UInt32Array::from(vec![2]);
        let short = Extents { sizes: &short, positions: &short };
        let refused = may_reach(good, short, Measure::default()).unwrap_err();
        assert!(matches!(refused, Error::RowCount { column: "right sizes", expected: 2, found: 1 }));
        let real = Float32Array::from(vec![1.0, 2.0]);
        let refused = may_reach(Extents { positions: &real, ..good }, good, Measure::default()).unwrap_err();
        assert!(matches!(refused, Error::ColumnType { column: "left positions", .. }));
    }
}
