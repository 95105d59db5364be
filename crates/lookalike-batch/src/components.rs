//! Connected components of pairs, in one task or in several whose results are joined again.

use crate::error::Result;
use crate::numbers::{DocumentNumbers, check_rows};
use crate::pairs::{Pairs, document};
use arrow_array::{Array, UInt32Array};
use lookalike_core::DocId;
use lookalike_core::rule::UnionFind;

/// The connected components of the pairs given so far, for documents 0 to n - 1; 4 bytes a document.
///
/// ```
/// use arrow_array::UInt32Array;
/// use lookalike_batch::{Components, Pairs};
///
/// let column = |numbers: Vec<u32>| UInt32Array::from(numbers);
/// let mut here = Components::new(5)?;
/// here.add(Pairs { a: &column(vec![3]), b: &column(vec![1]) })?;
/// // Another task has had other pairs of the same documents.
/// let mut there = Components::new(5)?;
/// there.add(Pairs { a: &column(vec![3]), b: &column(vec![4]) })?;
/// here.add_roots(&there.roots())?;
/// assert_eq!(here.roots(), column(vec![0, 1, 2, 1, 1]));
/// # Ok::<(), lookalike_batch::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Components {
    documents: usize,
    sets: UnionFind,
}

impl Components {
    /// Every document in a component of its own.
    ///
    /// # Errors
    /// [`Error::Parameters`](super::Error::Parameters) for more than 2^32 - 1 documents.
    pub fn new(documents: usize) -> Result<Self> {
        DocId::from_index(documents)?;
        Ok(Self { documents, sets: UnionFind::new(documents) })
    }

    /// Joins the components of each pair.
    ///
    /// # Errors
    /// [`Error::ColumnType`](super::Error::ColumnType), [`Error::RowCount`](super::Error::RowCount);
    /// [`Error::Row`](super::Error::Row) at the first row that is no pair of documents: the pairs before it are joined
    /// then.
    pub fn add(&mut self, pairs: Pairs<'_>) -> Result<()> {
        for pair in pairs.rows(self.documents)? {
            let (a, b) = pair?;
            self.sets.union(a, b);
        }
        Ok(())
    }

    /// Joins each document with its root among other pairs of the same documents: what [`Components::roots`] gave.
    ///
    /// # Errors
    /// As [`Components::add`]; [`Error::RowCount`](super::Error::RowCount) unless there is a root for each document.
    pub fn add_roots(&mut self, roots: &dyn Array) -> Result<()> {
        let roots = DocumentNumbers::new("roots", roots)?;
        check_rows("roots", self.documents, roots.len())?;
        for id in DocId::all(self.documents) {
            let root = document(&roots, id.index(), self.documents)?;
            self.sets.union(id, root);
        }
        Ok(())
    }

    /// First document of its component, by document, which is itself if it has no other or comes first. The same for
    /// any order of the pairs.
    pub fn roots(&mut self) -> UInt32Array {
        UInt32Array::from_iter_values(DocId::all(self.documents).map(|document| self.sets.find(document).0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{Error, RowFault, fault};
    use arrow_array::{Int64Array, UInt64Array};
    use lookalike_core::rule::clusters;
    use proptest::prelude::{any, prop_assert_eq, proptest};

    const DOCUMENTS: usize = 30;

    /// The components of pairs that come in batches of one or several rows.
    fn components(pairs: &[(u32, u32)], batch_rows: usize) -> Components {
        let a = UInt64Array::from_iter_values(pairs.iter().map(|pair| pair.0.into()));
        let b = Int64Array::from_iter_values(pairs.iter().map(|pair| pair.1.into()));
        let mut components = Components::new(DOCUMENTS).unwrap();
        for start in (0..pairs.len()).step_by(batch_rows) {
            let rows = batch_rows.min(pairs.len() - start);
            components.add(Pairs { a: &a.slice(start, rows), b: &b.slice(start, rows) }).unwrap();
        }
        components
    }

    proptest! {
        #[test]
        fn components_of_batches_joined_again_equal_the_clusters(
            pairs in proptest::collection::vec((0..DOCUMENTS as u32, 0..DOCUMENTS as u32), 0..40),
            cut in any::<proptest::sample::Index>(),
            batch_rows in 1usize..5,
        ) {
            let (left, right) = pairs.split_at(cut.index(pairs.len() + 1));
            let mut found = components(left, batch_rows);
            found.add_roots(&components(right, batch_rows).roots()).unwrap();
            let mut expected: Vec<u32> = (0..DOCUMENTS as u32).collect();
            for cluster in clusters(DOCUMENTS, pairs.iter().map(|&(a, b)| (DocId(a), DocId(b)))) {
                cluster.members.iter().for_each(|member| expected[member.index()] = cluster.members[0].0);
            }
            prop_assert_eq!(found.roots(), UInt32Array::from(expected));
        }
    }

    #[test]
    fn rows_that_are_no_pairs_of_documents_are_refused() {
        let mut components = Components::new(3).unwrap();
        let good = UInt32Array::from(vec![0, 1]);
        let mut refused = |b: &dyn Array| components.add(Pairs { a: &good, b }).unwrap_err();
        let unknown = refused(&UInt32Array::from(vec![0, 3]));
        assert_eq!(unknown.to_string(), "column `b`, row 1: expected one of 3 documents, counted from 0; found 3");
        let null = refused(&UInt32Array::from(vec![Some(0), None]));
        assert_eq!(fault(null), ("b", 1, RowFault::Null));
        assert!(matches!(refused(&UInt32Array::from(vec![0])), Error::RowCount { column: "b", .. }));
        let refused = components.add_roots(&UInt32Array::from(vec![0, 1])).unwrap_err();
        assert!(matches!(refused, Error::RowCount { column: "roots", expected: 3, found: 2 }));
        let refused = components.add_roots(&UInt32Array::from(vec![0, 1, 9])).unwrap_err();
        assert_eq!(fault(refused), ("roots", 2, RowFault::UnknownDocument { documents: 3, found: 9 }));
        assert!(Components::new(1 << 32).is_err());
        assert!(Components::new(0).unwrap().roots().is_empty());
    }
}
