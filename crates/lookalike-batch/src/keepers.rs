//! Keepers: verified pairs and an order in, decisions out.

use crate::error::{ArrayTypes, Error, Result, RowFault};
use crate::numbers::{DocumentNumbers, check_rows};
use crate::pairs::Pairs;
use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{Array, Float64Array, StringArray, UInt32Array};
use lookalike_core::DocId;
use lookalike_core::rule::{Decision, RatedPair, Reason, decide_by_pairs};

/// Decisions on documents: all three columns are null where one is kept.
#[derive(Debug, Clone)]
pub struct Kept {
    /// Number of the document that is kept in its place, by document.
    pub kept: UInt32Array,
    /// Exact similarity to that one, by document.
    pub similarity: Float64Array,
    /// `equal` for equal sets, by document, else `near`; of the texts nothing is known here.
    pub reason: StringArray,
}

/// Decides by the keepers rule: by ascending rank, a document is removed if and only if it is in a pair with one
/// already kept; the most similar of these is named as kept in its place, and of several the first.
///
/// `ranks` has a row for each document, of UInt32, UInt64, Int32 or Int64; documents with equal ranks come in the order
/// of their numbers. `similarity` is Float64, has a row for each pair, and comes from [`super::verify()`]. Rows with a
/// null similarity, which have not reached the threshold, and rows that pair a document with itself are ignored.
///
/// The rule needs all pairs of the documents that it decides about. Documents of different components never decide
/// about each other: an engine may split them by root ([`super::Components`]), number the documents of each component
/// anew and call this once a component.
///
/// # Errors
/// [`Error::ColumnType`], [`Error::RowCount`]; [`Error::Row`] for a rank or pair that is null or out of range, and for
/// a similarity outside 0 to 1; [`Error::Parameters`] for more than 2^32 - 1 documents.
pub fn keepers(ranks: &dyn Array, pairs: Pairs<'_>, similarity: &dyn Array) -> Result<Kept> {
    let order = order(ranks)?;
    let documents = order.len();
    let rows = pairs.rows(documents)?;
    let mut verified = Vec::with_capacity(rows.len());
    let similarities = similarities(similarity, rows.len())?;
    for (pair, similarity) in rows.zip(similarities) {
        let (a, b) = pair?;
        verified.extend(similarity.filter(|_| a != b).map(|similarity| RatedPair {
            a,
            b,
            similarity,
            reason: Reason::of_similarity(similarity),
        }));
    }
    let decisions = decide_by_pairs(documents, &order, verified);
    let removed = || decisions.iter().map(removal);
    Ok(Kept {
        kept: removed().map(|removed| removed.map(|(kept, ..)| kept.0)).collect(),
        similarity: removed().map(|removed| removed.map(|(_, similarity, _)| similarity)).collect(),
        reason: removed().map(|removed| removed.map(|(.., reason)| reason.name())).collect(),
    })
}

fn removal(decision: &Decision) -> Option<(DocId, f64, Reason)> {
    match *decision {
        Decision::Kept => None,
        Decision::Removed { kept, similarity, reason } => Some((kept, similarity, reason)),
    }
}

/// Documents by ascending rank.
fn order(ranks: &dyn Array) -> Result<Vec<DocId>> {
    DocId::from_index(ranks.len())?;
    let ranks = DocumentNumbers::new("ranks", ranks)?;
    let ranks: Vec<u32> = (0..ranks.len()).map(|row| ranks.present(row)).collect::<Result<_>>()?;
    let mut order: Vec<DocId> = DocId::all(ranks.len()).collect();
    // This sort is stable: equal ranks leave the documents in the order of their numbers.
    order.sort_by_key(|document| ranks[document.index()]);
    Ok(order)
}

/// The similarities, which are null or from 0 to 1, one for each pair.
fn similarities(array: &dyn Array, pairs: usize) -> Result<&Float64Array> {
    const COLUMN: &str = "similarity";
    let values = array.as_primitive_opt::<Float64Type>();
    let values = values.ok_or_else(|| Error::column_type(COLUMN, ArrayTypes::Similarities, array))?;
    check_rows(COLUMN, pairs, values.len())?;
    for (row, found) in values.iter().enumerate() {
        if let Some(found) = found.filter(|found| !(0.0..=1.0).contains(found)) {
            return Err(RowFault::Similarity { found }.at(COLUMN, row));
        }
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::fault;
    use arrow_array::{Float32Array, Int64Array};

    #[test]
    fn the_first_in_order_is_kept() {
        let ranks = Int64Array::from(vec![9, 2, 1, 1, 0]);
        let a = UInt32Array::from(vec![7, 0, 1, 2, 3, 4]);
        let b = Int64Array::from(vec![7, 1, 2, 3, 3, 1]);
        let similarity = Float64Array::from(vec![None, Some(0.9), Some(0.8), Some(1.0), Some(1.0), None]);
        let kept = keepers(&ranks, Pairs { a: &a.slice(1, 5), b: &b.slice(1, 5) }, &similarity.slice(1, 5)).unwrap();
        assert_eq!(kept.kept, UInt32Array::from(vec![None, Some(2), None, Some(2), None]));
        assert_eq!(kept.similarity, Float64Array::from(vec![None, Some(0.8), None, Some(1.0), None]));
        assert_eq!(kept.reason, StringArray::from(vec![None, Some("near"), None, Some("equal"), None]));
    }

    #[test]
    fn columns_that_decide_nothing_are_refused() {
        let ranks = UInt32Array::from(vec![0, 1]);
        let one = UInt32Array::from(vec![1]);
        let zero = UInt32Array::from(vec![0]);
        let good = Float64Array::from(vec![0.5]);
        let pairs = Pairs { a: &zero, b: &one };
        assert!(keepers(&ranks, pairs, &good).is_ok());
        let refused = |ranks: &dyn Array, similarity: &dyn Array| keepers(ranks, pairs, similarity).unwrap_err();
        let error = refused(&ranks, &Float32Array::from(vec![0.5]));
        assert_eq!(error.to_string(), "column `similarity`: expected Float64, found Float32");
        let error = refused(&ranks, &Float64Array::from(vec![0.5, 0.5]));
        assert!(matches!(error, Error::RowCount { column: "similarity", expected: 1, found: 2 }));
        for wrong in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
            let error = refused(&ranks, &Float64Array::from(vec![wrong]));
            assert!(matches!(fault(error), ("similarity", 0, RowFault::Similarity { .. })), "{wrong}");
        }
        let unknown = RowFault::UnknownDocument { documents: 1, found: 1 };
        assert_eq!(fault(refused(&zero, &good)), ("b", 0, unknown));
        let null = UInt32Array::from(vec![Some(0), None]);
        assert_eq!(fault(refused(&null, &good)), ("ranks", 1, RowFault::Null));
    }
}
