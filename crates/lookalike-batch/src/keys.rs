//! Blocking keys: sets in, lists of keys out; the join on equal keys is the engine's work.

use crate::error::Result;
use crate::frequencies::Frequencies;
use crate::lists::{SetColumn, large_list};
use arrow_array::{Array, ArrayRef, Int32Array, Int64Array, LargeListArray, StructArray};
use arrow_buffer::NullBufferBuilder;
use arrow_schema::{DataType, Field, Fields};
use lookalike_core::Ragged;
use lookalike_core::comparison::{KeyMaker, SearchPlan};
use lookalike_core::kernel::Kernel;
use lookalike_core::keys::BlockingKey;
use std::sync::Arc;

/// Makes the blocking keys of sets: `LargeList<Struct<key: Int64, position: Int32>>`, one list a row.
///
/// Two documents with a common key are a candidate pair. A set without elements has null for its keys, as a null has; a
/// set whose elements are in no other set has an empty list. `position` is the number of elements of the set that come
/// before the key in the common order, which [`super::may_reach`] takes together with the size of the set; 0 for keys
/// of minhash.
///
/// The exact method needs the `frequencies` of *all*
/// sets of all batches, on both sides of a join: an element that was counted once gives no key, so pairs would be
/// missed.
///
/// One list of structs rather than two parallel lists, because an engine flattens it in one step (`inline(keys)` in
/// Spark) instead of zipping first. A key is a 64-bit pattern, only ever compared for equality; it is given as Int64,
/// the bits of the unsigned hash reinterpreted, because every engine has that type and Spark has no unsigned one.
///
/// # Errors
/// [`Error::ColumnType`](super::Error::ColumnType); [`Error::Row`](super::Error::Row) for a row that is no set;
/// [`Error::Parameters`](super::Error::Parameters) for the exact method without frequencies, and for a method that is
/// decided by the keys of all documents.
pub fn blocking_keys(
    sets: &dyn Array,
    plan: SearchPlan,
    frequencies: Option<&Frequencies>,
    kernel: Kernel,
) -> Result<LargeListArray> {
    let sets = SetColumn::new("sets", sets)?;
    let mut maker = KeyMaker::new(plan, frequencies.map(|frequencies| &frequencies.0), kernel)?;
    let mut keys = Ragged::default();
    let mut nulls = NullBufferBuilder::new(sets.len());
    for set in sets.iter() {
        let set = set?.unwrap_or_default();
        nulls.append(!set.is_empty());
        keys.push_with(|keys| {
            if !set.is_empty() {
                maker.append(&set, keys)
            }
        });
    }
    Ok(large_list(keys, nulls.finish(), |keys| structs(&keys)))
}

fn structs(keys: &[BlockingKey]) -> ArrayRef {
    let hashes = Int64Array::from_iter_values(keys.iter().map(|key| key.hash as i64));
    let positions = Int32Array::from_iter_values(keys.iter().map(|key| key.position as i32));
    let fields = Fields::from(vec![
        Field::new("blocking_key", DataType::Int64, true),
        Field::new("position", DataType::Int32, true),
    ]);
    Arc::new(StructArray::new(fields, vec![Arc::new(hashes), Arc::new(positions)], None))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use arrow_array::UInt64Array;
    use arrow_array::cast::AsArray;
    use arrow_array::types::{Int32Type, Int64Type, UInt64Type};
    use lookalike_core::comparison::{Measure, Method, MinHash};
    use lookalike_core::hash::mix64;
    use lookalike_core::keys::Banding;
    use lookalike_core::sets::PrefixKeys;
    use lookalike_core::signatures::BandKeys;

    /// Sets of hashes, as elements are.
    fn lists(sets: &[Option<&[u64]>]) -> LargeListArray {
        let hashed = |set: &[u64]| {
            let mut set: Vec<u64> = set.iter().copied().map(mix64).collect();
            set.sort_unstable();
            set.into_iter().map(Some).collect::<Vec<_>>()
        };
        LargeListArray::from_iter_primitive::<UInt64Type, _, _>(sets.iter().map(|set| set.map(hashed)))
    }

    fn keys_of(keys: &LargeListArray) -> Vec<Option<Vec<BlockingKey>>> {
        let list = |list: ArrayRef| {
            let columns = list.as_struct();
            let hashes = columns.column(0).as_primitive::<Int64Type>().values();
            let positions = columns.column(1).as_primitive::<Int32Type>().values();
            let key = |(&hash, &position): (&i64, &i32)| BlockingKey { hash: hash as u64, position: position as u32 };
            hashes.iter().zip(positions).map(key).collect()
        };
        keys.iter().map(|row| row.map(list)).collect()
    }

    fn by(method: Method) -> SearchPlan {
        SearchPlan::new(Measure::default(), method).unwrap()
    }

    fn minhash() -> SearchPlan {
        by(Method::MinHash(MinHash { banding: Some(Banding::new(4, 2).unwrap()), seed: 7, ..MinHash::default() }))
    }

    #[test]
    fn minhash_keys_are_the_band_keys() {
        let sets = lists(&[Some(&[1, 2, 3]), None, Some(&[]), Some(&[4])]);
        let found = blocking_keys(&sets, minhash(), None, Kernel::detect()).unwrap();
        let mut maker = BandKeys::new(Banding::new(4, 2).unwrap(), 7, Kernel::Scalar);
        let mut keys_of_row = |row: usize| {
            let mut keys = Vec::new();
            maker.append(sets.value(row).as_primitive::<UInt64Type>().values(), &mut keys);
            Some(keys)
        };
        assert_eq!(keys_of(&found), [keys_of_row(0), None, None, keys_of_row(3)]);
        assert_eq!(found.data_type().to_string(), r#"LargeList(Struct("blocking_key": Int64, "position": Int32))"#);
    }

    #[test]
    fn exact_keys_are_the_prefix_keys_whatever_the_slice() {
        let sets = lists(&[Some(&[1, 2, 3]), None, Some(&[]), Some(&[1, 2, 4]), Some(&[5])]);
        let measure = Measure::jaccard("0.5".parse().unwrap());
        let mut frequencies = Frequencies::sized_for(7);
        frequencies.count(&sets).unwrap();
        let make = |sets: &LargeListArray| {
            let exact = SearchPlan::new(measure, Method::Exact).unwrap();
            keys_of(&blocking_keys(sets, exact, Some(&frequencies), Kernel::detect()).unwrap())
        };
        let found = make(&sets);
        let mut maker = PrefixKeys::new(&frequencies.0, measure);
        let mut expected = Vec::new();
        maker.append(sets.value(0).as_primitive::<UInt64Type>().values(), &mut expected);
        assert!(!expected.is_empty());
        assert_eq!(found[0].as_ref(), Some(&expected));
        assert_eq!(found[1..3], [None, None]);
        assert_eq!(found[4], Some(vec![]));
        assert_eq!(make(&sets.slice(2, 3)), found[2..]);
        assert!(make(&sets.slice(2, 0)).is_empty());
    }

    #[test]
    fn what_gives_no_keys_is_refused() {
        let sets = lists(&[Some(&[1])]);
        let make = |sets: &dyn Array, plan| blocking_keys(sets, plan, None, Kernel::detect()).unwrap_err();
        let parameters = |error| match error {
            Error::Parameters(error) => error,
            other => panic!("{other}"),
        };
        assert_eq!(parameters(make(&sets, by(Method::Exact))), lookalike_core::Error::FrequenciesNeeded);
        assert_eq!(parameters(make(&sets, by(Method::default()))), lookalike_core::Error::UndecidedMethod);
        assert!(matches!(make(&UInt64Array::from(vec![1]), minhash()), Error::ColumnType { column: "sets", .. }));
    }
}
