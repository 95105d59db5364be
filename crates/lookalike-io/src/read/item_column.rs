//! A column of items that belongs to no source: an engine passes it, and wants the items of each row.

use crate::base::Problem;
use crate::base::details::ColumnTypes;
use crate::columns::{Contents, content_types};
use crate::sources::{FieldNames, Inputs, ItemSeparator};
use arrow_array::ArrayRef;
use lookalike_core::comparison::Features;
use lookalike_core::text::Items;

/// A column of sets of items: lists of strings or whole numbers, maps from items to counts, or strings of several
/// items.
#[derive(Debug)]
pub struct ItemColumn {
    contents: Contents,
    names: FieldNames,
    separator: ItemSeparator,
    limit: Option<u64>,
}

impl ItemColumn {
    /// The items of an array, separated and counted as the inputs say, of which these features are made. Their text
    /// field is its name in messages.
    ///
    /// # Errors
    /// The types that the array could have in place of its own.
    pub fn new(array: &ArrayRef, inputs: &Inputs, features: &Features) -> Result<Self, ColumnTypes> {
        let separator = inputs.items.unwrap_or(ItemSeparator::Blanks);
        let names = FieldNames { items: Some(separator), ..inputs.fields_compared(features) };
        let (expected, is_one) = content_types(&names);
        if !is_one(array.data_type()) {
            return Err(expected);
        }
        let contents = Contents::of_items(array).map_err(|_| expected)?;
        Ok(Self { contents, names, separator, limit: inputs.max_document_bytes })
    }

    /// The items of a row; `None` for null.
    ///
    /// # Errors
    /// [`Problem::WrongKind`] for a null in the list, [`Problem::FieldNotUtf8`], [`Problem::TooManyCopies`],
    /// [`Problem::RepeatsTooMuch`], and what can be wrong with a count.
    pub fn get(&self, row: usize) -> Result<Option<Items<'static>>, Problem> {
        let items = match &self.contents {
            // Items are read, whatever else the column could hold.
            Contents::Vectors(_) => None,
            Contents::Lists(lists) => lists.items(row, &self.names, self.limit)?.map(|(items, _)| items),
            Contents::Texts(texts) | Contents::Fingerprints(texts, _) => {
                let not_text = |at| Problem::FieldNotUtf8 { field: self.names.text.clone(), at };
                let text = texts.get(row).map_err(not_text)?;
                text.map(|text| self.separator.items(text, self.names.item_counts)).transpose()?
            }
        };
        items.as_ref().map_or(Ok(()), |items| self.names.check_copies(items, self.limit))?;
        Ok(items)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::ItemCounts;
    use arrow_array::types::Int32Type;
    use arrow_array::{ListArray, StringArray};
    use std::sync::Arc;

    fn inputs(items: ItemSeparator, item_counts: ItemCounts) -> Inputs {
        Inputs { items: Some(items), item_counts, text_field: "texts".to_owned(), ..Inputs::default() }
    }

    fn all(array: &ArrayRef, inputs: &Inputs) -> Vec<Option<String>> {
        let column = ItemColumn::new(array, inputs, &Features::default()).unwrap();
        (0..array.len()).map(|row| Some(column.get(row).unwrap()?.into_stored().into_owned())).collect()
    }

    #[test]
    fn lists_and_strings_give_the_same_items() {
        let rows = [Some(vec![Some(9)]), Some(vec![Some(1), Some(20)]), None, Some(vec![])];
        let lists: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(rows));
        let strings: ArrayRef = Arc::new(StringArray::from(vec![Some("9"), Some("1 20"), None, Some("")]));
        let expected = [Some("1\x0020\0".to_owned()), None, Some(String::new())];
        for array in [lists, strings] {
            assert_eq!(all(&array.slice(1, 3), &inputs(ItemSeparator::Blanks, ItemCounts::Absent)), expected);
        }
    }

    #[test]
    fn counts_are_copies_up_to_the_maximum_size() {
        let strings: ArrayRef = Arc::new(StringArray::from(vec!["a:2,b:1", "a:3,b:2", "a"]));
        let inputs =
            Inputs { max_document_bytes: Some(4), ..inputs(ItemSeparator::Character(','), ItemCounts::Written) };
        let column = ItemColumn::new(&strings, &inputs, &Features::default()).unwrap();
        assert_eq!(column.get(0).unwrap().unwrap().copies(), 3);
        assert!(matches!(column.get(1), Err(Problem::TooManyCopies { found: 5, limit: 4 })));
        assert!(matches!(column.get(2), Err(Problem::NoCount { .. })));
    }

    #[test]
    fn other_types_are_refused() {
        let numbers: ArrayRef = Arc::new(arrow_array::Int32Array::from(vec![1]));
        let error = ItemColumn::new(&numbers, &inputs(ItemSeparator::Blanks, ItemCounts::Absent), &Features::default());
        let error = error.unwrap_err();
        assert_eq!(error, ColumnTypes::Items);
    }
}
