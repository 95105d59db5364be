//! Frequencies of elements: counted batch by batch, added up, carried as bytes from task to task.

use crate::error::{Error, Result};
use crate::lists::SetColumn;
use arrow_array::Array;
use lookalike_core::keys::FrequencyTable;
use lookalike_core::stored::{Damage, Directory, Provenance, Writer};
use std::ops::Range;

/// The kind of the container.
const KIND: &str = "frequencies";
/// Section of the first counters, of a byte each.
const FIRST: &str = "first";
/// Section of the second counters, of 32 bits each.
const SECOND: &str = "second";
/// Counters that are converted to bytes at a time.
const CHUNK_COUNTERS: usize = 1 << 12;
/// Bytes of a container beside its sections, about.
const DIRECTORY_BYTES: usize = 1 << 10;

/// Numbers of sets that have each element, at least: the exact method chooses its keys by them.
///
/// Each task counts its batches in a table of its own; the tables are merged, in any order with the same result, into
/// the one by which all keys of a search are made. An element that was counted once gives no key, so the sets of all
/// batches must be in it.
///
/// It is a [`FrequencyTable`] that is always whole: every element has its counters in it.
#[derive(Debug, Clone)]
pub struct Frequencies(pub(crate) FrequencyTable);

impl Frequencies {
    /// A table of zeros for `total_elements` elements over all sets of all batches, with one to two bytes for each and
    /// 1 GiB at most.
    ///
    /// The number decides the size, and only tables of one size can be added up: make one a task, not one a batch. It
    /// may be a guess: in too small a table more elements share a counter and look frequent, which costs time later and
    /// changes no pair.
    pub fn sized_for(total_elements: usize) -> Self {
        Self(FrequencyTable::sized_for(total_elements))
    }

    /// Counts the sets of a batch, which [`super::element_sets`] has made; a null has no elements.
    ///
    /// # Errors
    /// [`Error::ColumnType`]; [`Error::Row`] at the first row that is no set: those before it are counted then.
    pub fn count(&mut self, sets: &dyn Array) -> Result<()> {
        let sets = SetColumn::new("sets", sets)?;
        // One partition is the whole table; counting is a method of partitions, which also serve several threads.
        for mut counters in self.0.partitions(1) {
            for set in sets.iter() {
                if let Some(set) = set? {
                    counters.count_set(&set);
                }
            }
        }
        Ok(())
    }

    /// Adds the counts of another table.
    ///
    /// # Errors
    /// [`Error::Parameters`] if it was sized for another number of elements.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        Ok(self.0.merge(&other.0)?)
    }

    /// The table in a container, which [`Frequencies::from_bytes`] reads. Equal tables have equal bytes.
    ///
    /// # Errors
    /// [`Error::Json`] if the directory cannot be expressed in JSON.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let (first, second) = self.0.counters();
        let mut bytes = Vec::with_capacity(first.len() + size_of_val(second) + DIRECTORY_BYTES);
        let mut writer = Writer::new(|written: &[u8]| -> Result<()> {
            bytes.extend_from_slice(written);
            Ok(())
        })?;
        let little_endian =
            |counters: &[u32]| counters.iter().flat_map(|counter| counter.to_le_bytes()).collect::<Vec<u8>>();
        writer.section(FIRST, [first])?;
        writer.section(SECOND, second.chunks(CHUNK_COUNTERS).map(little_endian))?;
        writer.finish(KIND, &Provenance::new(), &())?;
        Ok(bytes)
    }

    /// The table that gave these bytes.
    ///
    /// # Errors
    /// [`Error::Damaged`] if they are not what was written, or of another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let read = |range: Range<u64>| slice(bytes, range).map(<[u8]>::to_vec).ok_or(Damage::NotAContainer);
        let directory = Directory::read(KIND, bytes.len() as u64, read)?;
        let section = |name: &'static str| {
            let damage = || Damage::Section { name: name.to_owned() };
            let section = directory.section(name)?;
            let end = section.offset().saturating_add(section.bytes());
            let content = slice(bytes, section.offset()..end).ok_or_else(damage)?;
            section.check_all(content)?;
            Ok::<_, Damage>(content)
        };
        let first = section(FIRST)?;
        let (counters, []) = section(SECOND)?.as_chunks::<4>() else {
            return Err(Damage::Section { name: SECOND.to_owned() }.into());
        };
        let second = counters.iter().map(|&counter| u32::from_le_bytes(counter)).collect();
        let table = FrequencyTable::from_counters(first.to_vec(), second);
        table.map(Self).map_err(|_| Error::Damaged { damage: Damage::Section { name: FIRST.to_owned() } })
    }
}

fn slice(bytes: &[u8], Range { start, end }: Range<u64>) -> Option<&[u8]> {
    bytes.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{RowFault, fault};
    use arrow_array::types::UInt64Type;
    use arrow_array::{LargeListArray, UInt64Array};
    use lookalike_core::hash::mix64;
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};
    use xxhash_rust::xxh3::xxh3_64;

    fn lists(sets: &[Vec<u64>]) -> LargeListArray {
        let sets = sets.iter().map(|set| {
            let mut set: Vec<u64> = set.iter().copied().map(mix64).collect();
            set.sort_unstable();
            set.dedup();
            Some(set.into_iter().map(Some).collect::<Vec<_>>())
        });
        LargeListArray::from_iter_primitive::<UInt64Type, _, _>(sets.chain([None]))
    }

    fn counted(total: usize, sets: &LargeListArray) -> Frequencies {
        let mut frequencies = Frequencies::sized_for(total);
        frequencies.count(sets).unwrap();
        frequencies
    }

    proptest! {
        #[test]
        fn batches_counted_apart_and_added_up_equal_one_count(
            sets in proptest::collection::vec(proptest::collection::vec(0u64..50, 0..20), 0..400),
            cut in any::<proptest::sample::Index>(),
        ) {
            let all = lists(&sets);
            let whole = counted(5000, &all);
            let cut = cut.index(all.len() + 1);
            let left = all.slice(0, cut);
            let right = all.slice(cut, all.len() - cut);
            let mut merged = counted(5000, &right);
            merged.merge(&Frequencies::from_bytes(&counted(5000, &left).to_bytes().unwrap()).unwrap()).unwrap();
            prop_assert_eq!(merged.0.counters(), whole.0.counters());
            prop_assert!(merged.to_bytes().unwrap() == whole.to_bytes().unwrap());
            prop_assert!(merged.merge(&Frequencies::sized_for(1 << 20)).is_err());
        }
    }

    #[test]
    fn bytes_are_frozen() {
        let table = counted(1, &lists(&[vec![1, 2], vec![2, 3], vec![2]]));
        assert_eq!(xxh3_64(&table.to_bytes().unwrap()), 0x852471CB5BC76B0E);
    }

    #[test]
    fn damaged_bytes_are_refused() {
        let bytes = counted(1, &lists(&[vec![1, 2]])).to_bytes().unwrap();
        for length in [0, 7, 35, 36, 100, bytes.len() - 1] {
            assert!(matches!(Frequencies::from_bytes(&bytes[..length]), Err(Error::Damaged { .. })), "{length}");
        }
        for at in (0..bytes.len()).step_by(61).chain(bytes.len() - 300..bytes.len()) {
            let mut changed = bytes.clone();
            changed[at] ^= 4;
            assert!(matches!(Frequencies::from_bytes(&changed), Err(Error::Damaged { .. })), "{at}");
        }
    }

    #[test]
    fn containers_of_something_else_are_refused() {
        let container = |kind: &str, second: &[u8]| {
            let mut bytes = Vec::new();
            let mut writer = Writer::new(|written: &[u8]| -> Result<()> {
                bytes.extend_from_slice(written);
                Ok(())
            })
            .unwrap();
            writer.section(FIRST, [&[0u8; 4096][..]]).unwrap();
            writer.section(SECOND, [second]).unwrap();
            writer.finish(kind, &Provenance::new(), &()).unwrap();
            bytes
        };
        let read = |kind: &str, second: &[u8]| Frequencies::from_bytes(&container(kind, second));
        assert!(read(KIND, &[0; 256]).is_ok());
        let other = read("snapshot", &[0; 256]).unwrap_err();
        assert!(matches!(other, Error::Damaged { damage: Damage::Kind { expected: KIND, .. } }), "{other}");
        for length in [0, 255, 252, 260] {
            assert!(matches!(read(KIND, &vec![0; length]), Err(Error::Damaged { .. })), "{length}");
        }
    }

    #[test]
    fn columns_that_are_no_sets_are_refused() {
        let mut frequencies = Frequencies::sized_for(1);
        let error = frequencies.count(&UInt64Array::from(vec![1])).unwrap_err();
        assert!(matches!(error, Error::ColumnType { column: "sets", .. }), "{error}");
        let unsorted = LargeListArray::from_iter_primitive::<UInt64Type, _, _>([Some(vec![Some(2), Some(1)])]);
        assert_eq!(fault(frequencies.count(&unsorted).unwrap_err()), ("sets", 0, RowFault::UnsortedSet));
    }
}
