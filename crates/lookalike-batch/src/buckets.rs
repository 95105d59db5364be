//! Buckets: the documents with a common key, found in each part of all keys by itself.
//!
//! An engine joins rows on equal keys, at a price for each row, and there are dozens of keys for each document, most of
//! which no other document has. Here the entries of a task become a few long values, one for each part of the keys,
//! which an engine exchanges like any rows; in each part a table then holds singletons back: entries whose key no other
//! entry has.
//!
//! ```text
//! deal       keys of one task             -> parts, packed entries      map
//!                                            exchange by part           (the engine)
//! Buckets    packed entries of one part   -> entries of shared keys     map
//! ```
//!
//! The table has a row for each key, not for each entry, so its size is bounded by the number of parts, whatever the
//! largest bucket is: entries of a key that was seen twice only pass by.

use crate::error::{ArrayTypes, Error, Result, RowFault};
use crate::numbers::{DocumentNumbers, check_rows};
use arrow_array::builder::LargeBinaryBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, UInt64Type};
use arrow_array::{Array, GenericBinaryArray, Int64Array, LargeBinaryArray, OffsetSizeTrait, UInt32Array};
use bytemuck::{Pod, Zeroable};
use hashbrown::HashTable;
use lookalike_core::hash::mix64;
use std::hash::{BuildHasher, RandomState};

/// Bytes of an entry.
const ENTRY_BYTES: usize = size_of::<Packed>();

/// Parts that entries are dealt to at most.
const MAX_PARTS: u32 = 1 << 24;

/// An entry as bytes: four little-endian numbers.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Packed {
    key: [u8; 8],
    document: [u8; 8],
    size: [u8; 4],
    position: [u8; 4],
}

impl Packed {
    fn new(key: u64, document: u64, size: u32, position: u32) -> Self {
        let key = key.to_le_bytes();
        let document = document.to_le_bytes();
        Self { key, document, size: size.to_le_bytes(), position: position.to_le_bytes() }
    }
}

/// Columns of entries: a row for each key of each document.
#[derive(Debug, Clone, Copy)]
pub struct EntryColumns<'a> {
    /// Int64 or UInt64: the key, as [`super::blocking_keys`] gives it.
    pub keys: &'a dyn Array,
    /// Int64 or UInt64: any number of the document, whose 64 bits are given back as Int64.
    pub documents: &'a dyn Array,
    /// Number of elements of the set.
    pub sizes: &'a dyn Array,
    /// Number of elements before the key.
    pub positions: &'a dyn Array,
}

/// The entries of one task by part.
#[derive(Debug, Clone)]
pub struct Dealt {
    /// The parts that have entries, ascending from 0.
    pub part: UInt32Array,
    /// Entries of each part, of 24 bytes each: key, document, size and position, little-endian.
    pub entries: LargeBinaryArray,
}

/// Partitions entries by a seeded hash of the blocking key: equal keys go to one part in every task with the same
/// `seed` and number of `parts`.
///
/// The seed is a secret where texts are not trusted: with it, texts can be made whose keys all fall to one part.
///
/// # Errors
/// [`Error::Parts`] for no parts, or more than 2^24, of which each takes 8 bytes in each call;
/// [`Error::ColumnType`], [`Error::RowCount`]; [`Error::Row`] at the first row that is null or no number.
pub fn deal(entries: EntryColumns<'_>, parts: u32, seed: u64) -> Result<Dealt> {
    if !(1..=MAX_PARTS).contains(&parts) {
        return Err(Error::Parts { max: MAX_PARTS, found: parts });
    }
    let keys = words("keys", entries.keys)?;
    let documents = words("documents", entries.documents)?;
    let sizes = DocumentNumbers::new("sizes", entries.sizes)?;
    let positions = DocumentNumbers::new("positions", entries.positions)?;
    for (name, rows) in [("documents", documents.len()), ("sizes", sizes.len()), ("positions", positions.len())] {
        check_rows(name, keys.len(), rows)?;
    }
    let part_of = |key: u64| ((u128::from(mix64(key ^ seed)) * u128::from(parts)) >> 64) as usize;
    let mut places = vec![0; parts as usize];
    keys.iter().for_each(|&key| places[part_of(key)] += 1);
    let mut begin = 0;
    for place in &mut places {
        begin += std::mem::replace(place, begin);
    }
    let mut packed = vec![Packed::zeroed(); keys.len()];
    for (row, (&key, &document)) in keys.iter().zip(documents).enumerate() {
        let place = &mut places[part_of(key)];
        packed[*place] = Packed::new(key, document, sizes.present(row)?, positions.present(row)?);
        *place += 1;
    }
    // The place behind the last entry of each part is its end.
    Ok(cut(&packed, &places))
}

/// Cuts packed entries at the end of each part.
fn cut(packed: &[Packed], ends: &[usize]) -> Dealt {
    let mut part = Vec::new();
    let mut values = LargeBinaryBuilder::new();
    let mut begin = 0;
    for (number, &end) in (0..).zip(ends) {
        if begin < end {
            part.push(number);
            values.append_value(bytemuck::cast_slice(&packed[begin..end]));
        }
        begin = end;
    }
    Dealt { part: part.into(), entries: values.finish() }
}

/// The buckets of some parts: gives the entries of shared keys, and holds singletons back.
///
/// ```
/// use arrow_array::{Int64Array, UInt32Array};
/// use lookalike_batch::{Buckets, EntryColumns, deal};
///
/// let (keys, documents) = (Int64Array::from(vec![7, 8, 7]), Int64Array::from(vec![0, 1, 2]));
/// let (sizes, positions) = (UInt32Array::from(vec![5, 6, 5]), UInt32Array::from(vec![0, 0, 0]));
/// let columns = EntryColumns { keys: &keys, documents: &documents, sizes: &sizes, positions: &positions };
/// let dealt = deal(columns, 1, 0)?;
/// let entries = Buckets::new().add(&dealt.entries)?;
/// assert_eq!(entries.document, Int64Array::from(vec![0, 2]));
/// # Ok::<(), lookalike_batch::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Buckets {
    hasher: RandomState,
    keys: HashTable<Seen>,
}

/// A key with its first entry. All its fields are bytes, so a row of the table has 25 of them.
#[derive(Debug)]
struct Seen {
    first: Packed,
    /// `true` if no other entry has come, so that this one is held back.
    is_singleton: bool,
}

/// Entries, as [`EntryColumns`] has them.
#[derive(Debug, Clone)]
pub struct Entries {
    /// The key.
    pub key: Int64Array,
    /// The number of the document.
    pub document: Int64Array,
    /// Number of elements of the set.
    pub size: UInt32Array,
    /// Number of elements before the key.
    pub position: UInt32Array,
}

impl Buckets {
    /// No entries so far.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes packed entries of [`deal`], and gives those of shared keys: each once, the first one of a key together
    /// with the second one. Entries of a key may come in any number of calls; all of its part have to come to this
    /// table.
    ///
    /// Memory: 30 to 60 bytes for each distinct key, and half as much again while the table grows.
    ///
    /// # Errors
    /// [`Error::ColumnType`] unless it is `LargeBinary` or `Binary`; [`Error::Row`] at the first
    /// row that is not what `deal` gives: nothing is taken then.
    pub fn add(&mut self, entries: &dyn Array) -> Result<Entries> {
        let rows = if let Some(entries) = entries.as_binary_opt::<i64>() {
            packed_rows(entries)?
        } else if let Some(entries) = entries.as_binary_opt::<i32>() {
            packed_rows(entries)?
        } else {
            return Err(Error::column_type(COLUMN, ArrayTypes::Bytes, entries));
        };
        let mut passed = Vec::new();
        for entry in rows.into_iter().flatten() {
            self.take(bytemuck::cast(*entry), &mut passed);
        }
        Ok(Entries {
            key: passed.iter().map(|entry| i64::from_le_bytes(entry.key)).collect::<Vec<_>>().into(),
            document: passed.iter().map(|entry| i64::from_le_bytes(entry.document)).collect::<Vec<_>>().into(),
            size: passed.iter().map(|entry| u32::from_le_bytes(entry.size)).collect::<Vec<_>>().into(),
            position: passed.iter().map(|entry| u32::from_le_bytes(entry.position)).collect::<Vec<_>>().into(),
        })
    }

    /// Counts an entry; appends it to `passed` if its key is shared, after the first one of the key.
    fn take(&mut self, entry: Packed, passed: &mut Vec<Packed>) {
        let Self { hasher, keys } = self;
        let hash = hasher.hash_one(entry.key);
        match keys.find_mut(hash, |seen| seen.first.key == entry.key) {
            Some(seen) => {
                if std::mem::take(&mut seen.is_singleton) {
                    passed.push(seen.first);
                }
                passed.push(entry);
            }
            None => {
                keys.insert_unique(hash, Seen { first: entry, is_singleton: true }, |seen| {
                    hasher.hash_one(seen.first.key)
                });
            }
        }
    }
}

const COLUMN: &str = "entries";

/// The packed entries of each row.
fn packed_rows<O: OffsetSizeTrait>(entries: &GenericBinaryArray<O>) -> Result<Vec<&[[u8; ENTRY_BYTES]]>> {
    let packed = |(row, bytes): (usize, Option<_>)| {
        let bytes: &[u8] = bytes.ok_or_else(|| RowFault::Null.at(COLUMN, row))?;
        let (packed, rest) = bytes.as_chunks();
        if rest.is_empty() {
            Ok(packed)
        } else {
            Err(RowFault::Entries { expected: ENTRY_BYTES, found: bytes.len() }.at(COLUMN, row))
        }
    };
    entries.iter().enumerate().map(packed).collect()
}

/// A column of 64-bit patterns.
fn words<'a>(column: &'static str, array: &'a dyn Array) -> Result<&'a [u64]> {
    let words: &[u64] = if let Some(array) = array.as_primitive_opt::<UInt64Type>() {
        array.values()
    } else if let Some(array) = array.as_primitive_opt::<Int64Type>() {
        bytemuck::cast_slice(array.values())
    } else {
        return Err(Error::column_type(column, ArrayTypes::Keys, array));
    };
    match array.nulls().and_then(|nulls| (0..nulls.len()).find(|&row| nulls.is_null(row))) {
        Some(row) => Err(RowFault::Null.at(column, row)),
        None => Ok(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::fault;
    use arrow_array::{BinaryArray, Int32Array, StringArray};
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};
    use std::collections::{BTreeMap, BTreeSet};

    fn dealt(rows: &[(i64, i64, u32, u32)], parts: u32, seed: u64) -> Dealt {
        let column = |of: fn(&(i64, i64, u32, u32)) -> i64| Int64Array::from_iter_values(rows.iter().map(of));
        let keys = column(|row| row.0);
        let documents = column(|row| row.1);
        let sizes = column(|row| row.2.into());
        let positions = column(|row| row.3.into());
        deal(EntryColumns { keys: &keys, documents: &documents, sizes: &sizes, positions: &positions }, parts, seed)
            .unwrap()
    }

    fn rows(entries: &Entries) -> Vec<(i64, i64, u32, u32)> {
        let row = |at| {
            (entries.key.value(at), entries.document.value(at), entries.size.value(at), entries.position.value(at))
        };
        (0..entries.key.len()).map(row).collect()
    }

    proptest! {
        /// Over tasks and parts exactly the entries pass whose key has another one.
        #[test]
        fn entries_of_shared_keys_pass_once(
            keys in proptest::collection::vec(0i64..12, 0..40), cut in any::<proptest::sample::Index>(),
            parts in 1u32..6, seed in any::<u64>(),
        ) {
            let all: Vec<_> = (0..).zip(keys).map(|(n, key)| (key - 3, -n, n as u32, 7 * n as u32)).collect();
            let (left, right) = all.split_at(cut.index(all.len() + 1));
            let mut tables: BTreeMap<u32, Buckets> = BTreeMap::new();
            let mut found = Vec::new();
            for task in [left, right] {
                let dealt = dealt(task, parts, seed);
                prop_assert!(dealt.part.values().windows(2).all(|pair| pair[0] < pair[1]));
                for (at, &part) in dealt.part.values().iter().enumerate() {
                    prop_assert!(part < parts);
                    let entries = tables.entry(part).or_default().add(&dealt.entries.slice(at, 1)).unwrap();
                    found.extend(rows(&entries));
                }
            }
            let mut counts: BTreeMap<i64, usize> = BTreeMap::new();
            all.iter().for_each(|row| *counts.entry(row.0).or_default() += 1);
            let expected: BTreeSet<_> = all.iter().filter(|row| counts[&row.0] > 1).copied().collect();
            prop_assert_eq!(found.len(), expected.len());
            prop_assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected);
        }
    }

    #[test]
    fn the_packed_bytes_stay_what_they_are() {
        let dealt = dealt(&[(0x0102, -2, 3, 4)], 1, 9);
        let expected = [2, 1, 0, 0, 0, 0, 0, 0, 254, 255, 255, 255, 255, 255, 255, 255, 3, 0, 0, 0, 4, 0, 0, 0];
        assert_eq!(dealt.entries.value(0), expected);
    }

    #[test]
    fn parts_are_of_about_equal_size() {
        let all: Vec<_> = (0..100_000).map(|n| (n, n, 1, 0)).collect();
        let dealt = dealt(&all, 100, 5);
        let sizes = (0..100).map(|at| dealt.entries.value(at).len() / ENTRY_BYTES);
        // 1,000 each, with a standard deviation of 31.5.
        sizes.for_each(|size| assert!((800..1200).contains(&size), "{size}"));
    }

    #[test]
    fn what_is_no_entry_is_refused() {
        let good = Int64Array::from(vec![1]);
        let strings = StringArray::from(vec!["x"]);
        let deal = |keys: &dyn Array, sizes: &dyn Array| {
            deal(EntryColumns { keys, documents: &good, sizes, positions: &good }, 2, 0).unwrap_err()
        };
        let columns = EntryColumns { keys: &good, documents: &good, sizes: &good, positions: &good };
        for parts in [0, u32::MAX] {
            let error = super::deal(columns, parts, 0).unwrap_err();
            assert_eq!(error.to_string(), format!("expected 1 to 16777216 parts, found {parts}"));
        }
        assert!(matches!(deal(&strings, &good), Error::ColumnType { column: "keys", .. }));
        assert_eq!(fault(deal(&Int64Array::from(vec![None]), &good)), ("keys", 0, RowFault::Null));
        assert_eq!(fault(deal(&good, &Int32Array::from(vec![-1]))), ("sizes", 0, RowFault::NumberRange { found: -1 }));
        assert!(matches!(deal(&good, &Int32Array::from(vec![1, 1])), Error::RowCount { column: "sizes", .. }));
        let add = |entries: &dyn Array| Buckets::new().add(entries).unwrap_err();
        let error = add(&BinaryArray::from_vec(vec![&[0; 24], &[0; 25]]));
        assert_eq!(error.to_string(), "column `entries`, row 1: expected entries of 24 bytes, found 25 bytes");
        assert_eq!(fault(add(&BinaryArray::from_opt_vec(vec![None]))), ("entries", 0, RowFault::Null));
        assert!(matches!(add(&strings), Error::ColumnType { column: "entries", .. }));
    }
}
