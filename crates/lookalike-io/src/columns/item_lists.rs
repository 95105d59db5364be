//! Columns of sets of items: lists of strings or integers, of which each is an item, and maps from items to counts.

use super::data_types::{is_text, strings};
use crate::base::Problem;
use crate::base::details::{ExpectedValue, FoundValue};
use crate::sources::{FieldNames, ItemCounts, push_counted, with_count};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, StringViewArray};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType, FieldRef};
use lookalike_core::text::Items;
use std::borrow::Cow;
use std::ops::Range;

/// The lists of a batch.
#[derive(Debug)]
pub(crate) struct ItemLists {
    offsets: OffsetBuffer<i64>,
    nulls: Option<NullBuffer>,
    items: StringViewArray,
    /// Counts of the items of maps, as they are written.
    counts: Option<StringViewArray>,
}

impl ItemLists {
    /// Returns whether a column of this type holds lists of items, or items with counts if those are requested.
    pub(crate) fn are_of(data_type: &DataType, counts: ItemCounts) -> bool {
        // A number with a fraction measures something and names nothing.
        let is_item = |found: &DataType| is_text(found) || found.is_integer();
        match (data_type, counts) {
            (DataType::Map(..), ItemCounts::Absent) => false,
            (DataType::Map(entries, _), ItemCounts::Written) => match entries.data_type() {
                DataType::Struct(fields) => match &fields[..] {
                    [item, count] => is_item(item.data_type()) && count.data_type().is_numeric(),
                    _ => false,
                },
                _ => false,
            },
            (other, _) => list_item(other).is_some_and(|item| is_item(item.data_type())),
        }
    }

    pub(crate) fn from_array(array: &ArrayRef) -> Result<Self, ArrowError> {
        if let Some(maps) = array.as_map_opt() {
            let (offsets, values) = from_zero(maps.offsets().iter().map(|&offset| i64::from(offset)).collect());
            let of_rows = |column: &ArrayRef| strings(&column.slice(values.start, values.len()));
            let items = of_rows(maps.keys())?;
            let counts = Some(of_rows(maps.values())?);
            return Ok(Self { offsets, nulls: maps.nulls().cloned(), items, counts });
        }
        let not_lists = || ArrowError::CastError(format!("{} is no list", array.data_type()));
        let item = list_item(array.data_type()).ok_or_else(not_lists)?;
        let lists = cast(array, &DataType::LargeList(FieldRef::clone(item)))?;
        let lists = lists.as_list_opt::<i64>().ok_or_else(not_lists)?;
        let (offsets, values) = from_zero(lists.offsets().to_vec());
        let items = strings(&lists.values().slice(values.start, values.len()))?;
        Ok(Self { offsets, nulls: lists.nulls().cloned(), items, counts: None })
    }

    pub(crate) fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Total length of the items of some rows in bytes, each with its terminator.
    pub(crate) fn bytes(&self, rows: &Range<usize>) -> u64 {
        let begin = self.offsets[rows.start] as usize;
        let items = self.items.slice(begin, self.offsets[rows.end] as usize - begin);
        items.lengths().map(|length| u64::from(length) + 1).sum()
    }

    /// The places of the items of a row; `None` for null.
    fn places(&self, row: usize) -> Option<Range<usize>> {
        let is_null = self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row));
        (!is_null).then(|| self.offsets[row] as usize..self.offsets[row + 1] as usize)
    }

    /// The items of a row as they are written in a list; `None` for null.
    pub(crate) fn written(&self, row: usize) -> Option<impl Iterator<Item = Cow<'_, str>>> {
        let written = |at: usize| match &self.counts {
            None => Cow::Borrowed(self.items.value(at)),
            Some(counts) => Cow::Owned(with_count(self.items.value(at), counts.value(at))),
        };
        Some(self.places(row)?.map(written))
    }

    /// The items of a row of the text column, and their length in the file; `None` for null.
    pub(crate) fn items(
        &self,
        row: usize,
        names: &FieldNames,
        limit: Option<u64>,
    ) -> Result<Option<(Items<'static>, u64)>, Problem> {
        let Some(places) = self.places(row) else { return Ok(None) };
        let bytes = self.bytes(&(row..row + 1));
        Problem::check_size(bytes, limit)?;
        let mut items = Items::with_capacity(bytes as usize);
        for at in places {
            if self.items.is_null(at) {
                return Err(Problem::WrongKind {
                    field: names.text.clone(),
                    expected: ExpectedValue::ItemList,
                    found: FoundValue::ListWithNull,
                });
            }
            let item = self.items.value(at);
            match &self.counts {
                None => names.item_counts.push(&mut items, item)?,
                Some(counts) if counts.is_null(at) => push_counted(&mut items, item, "null")?,
                Some(counts) => push_counted(&mut items, item, counts.value(at))?,
            }
        }
        Ok(Some((items, bytes)))
    }
}

/// Offsets that begin with 0, and the range of the values that they had meant: an array may be a slice of a much larger
/// one, of which only the values of its own rows are to be converted.
pub(super) fn from_zero(offsets: Vec<i64>) -> (OffsetBuffer<i64>, Range<usize>) {
    let first = offsets.first().copied().unwrap_or_default();
    let last = offsets.last().copied().unwrap_or_default();
    let offsets = offsets.into_iter().map(|offset| offset - first).collect();
    (OffsetBuffer::new(offsets), first as usize..last as usize)
}

/// The items of a type of lists.
pub(super) fn list_item(data_type: &DataType) -> Option<&FieldRef> {
    match data_type {
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _) => Some(item),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::types::Int32Type;
    use arrow_array::{FixedSizeListArray, ListArray};
    use std::sync::Arc;

    fn texts(lists: &ItemLists) -> Vec<Option<String>> {
        (0..lists.len())
            .map(|row| Some(lists.items(row, &FieldNames::default(), None).unwrap()?.0.into_stored().into_owned()))
            .collect()
    }

    #[test]
    fn every_kind_of_list_is_read() {
        let rows = [Some(vec![Some(1), Some(20)]), None, Some(vec![]), Some(vec![Some(3), Some(4)])];
        let list: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(rows));
        let item = list_item(list.data_type()).unwrap().clone();
        let expected = [Some("1\x0020\0".to_owned()), None, Some(String::new()), Some("3\x004\0".to_owned())];
        for data_type in [
            DataType::List(item.clone()),
            DataType::LargeList(item.clone()),
            DataType::ListView(item.clone()),
            DataType::LargeListView(item),
        ] {
            assert!(ItemLists::are_of(&data_type, ItemCounts::Absent), "{data_type}");
            let lists = ItemLists::from_array(&cast(&list, &data_type).unwrap()).unwrap();
            assert_eq!((texts(&lists), lists.bytes(&(0..4))), (expected.to_vec(), 9), "{data_type}");
            assert_eq!(lists.bytes(&(2..4)), 4, "{data_type}");
            let rows = ItemLists::from_array(&cast(&list, &data_type).unwrap().slice(2, 2)).unwrap();
            let found = (texts(&rows), rows.bytes(&(0..2)), rows.items.len());
            assert_eq!(found, (expected[2..].to_vec(), 4, 2), "{data_type}");
        }
        let rows = [None, Some(vec![Some(1), Some(2)])];
        let fixed: ArrayRef = Arc::new(FixedSizeListArray::from_iter_primitive::<Int32Type, _, _>(rows, 2));
        assert_eq!(texts(&ItemLists::from_array(&fixed).unwrap()), [None, Some("1\x002\0".to_owned())]);
        assert!(matches!(
            ItemLists::from_array(&fixed).unwrap().items(1, &FieldNames::default(), Some(3)),
            Err(Problem::TooLarge { limit: 3 })
        ));
    }
}
