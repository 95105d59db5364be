//! Columns of every type in every place: taken, or refused by name.

#![expect(clippy::panic, reason = "a helper that fails is a test that fails")]

use arrow_array::{Array, new_null_array};
use arrow_schema::{DataType, Field};
use lookalike::{Features, Kernel, Measure, Method, methods::MinHash};
use lookalike_batch::{
    Components, Error, Extents, Frequencies, Pairs, Result, SearchPlan, blocking_keys, element_sets, keepers,
    may_reach, verify,
};
use std::sync::Arc;

/// The name of the column whose type was refused.
fn refused<T>(result: Result<T>) -> &'static str {
    match result {
        Err(Error::ColumnType { column, .. }) => column,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it was taken"),
    }
}

#[test]
fn columns_of_other_types_are_refused_by_name_everywhere() {
    let measure = Measure::default();
    let kernel = Kernel::detect();
    let plan = SearchPlan::new(measure, Method::MinHash(MinHash::default())).unwrap();
    let list_of = |item: DataType| DataType::LargeList(Arc::new(Field::new_list_field(item, true)));
    let numbers = new_null_array(&DataType::Int64, 0);
    let sets = new_null_array(&list_of(DataType::UInt64), 0);
    let others = [
        DataType::Null,
        DataType::Boolean,
        DataType::Int8,
        DataType::Float32,
        DataType::Binary,
        DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8)),
        DataType::Struct(vec![Field::new("blocking_key", DataType::Int64, true)].into()),
        DataType::FixedSizeList(Arc::new(Field::new_list_field(DataType::UInt64, true)), 2),
        list_of(DataType::UInt32),
        list_of(list_of(DataType::UInt64)),
    ];
    for (other, rows) in others.iter().flat_map(|other| [0, 1, 3].map(|rows| (other, rows))) {
        let other = &new_null_array(other, rows);
        assert_eq!(refused(element_sets(other, &Features::default(), kernel)), "texts");
        assert_eq!(refused(Frequencies::sized_for(1).count(other)), "sets");
        assert_eq!(refused(blocking_keys(other, plan, None, kernel)), "sets");
        assert_eq!(refused(verify(other, &sets, measure, kernel)), "left");
        assert_eq!(refused(verify(&sets, other, measure, kernel)), "right");
        let (good, bad) =
            (Extents { sizes: &numbers, positions: &numbers }, Extents { sizes: &numbers, positions: other });
        assert_eq!(refused(may_reach(bad, good, measure)), "left positions");
        assert_eq!(refused(may_reach(good, Extents { sizes: other, ..good }, measure)), "right sizes");
        assert_eq!(refused(Components::new(3).unwrap().add(Pairs { a: other, b: &numbers })), "a");
        assert_eq!(refused(Components::new(3).unwrap().add_roots(other)), "roots");
        let pairs = Pairs { a: &numbers, b: &numbers };
        assert_eq!(refused(keepers(other, pairs, &new_null_array(&DataType::Float64, 0))), "ranks");
        assert_eq!(refused(keepers(&numbers, pairs, other)), "similarity");
    }
}

#[test]
fn columns_of_nulls_give_nulls() {
    let texts = new_null_array(&DataType::Utf8, 3);
    let (sets, hashes) = element_sets(&texts, &Features::default(), Kernel::detect()).unwrap().into_parts();
    assert_eq!((sets.null_count(), hashes.null_count()), (3, 3));
    let plan = SearchPlan::new(Measure::default(), Method::MinHash(MinHash::default())).unwrap();
    let keys = blocking_keys(&sets, plan, None, Kernel::detect()).unwrap();
    let verified = verify(&sets, &sets, Measure::default(), Kernel::detect()).unwrap();
    assert_eq!((keys.null_count(), verified.common.null_count(), verified.similarity.null_count()), (3, 3, 3));
    let numbers = new_null_array(&DataType::Int32, 3);
    let extents = Extents { sizes: &numbers, positions: &numbers };
    assert_eq!(may_reach(extents, extents, Measure::default()).unwrap().null_count(), 3);
}
