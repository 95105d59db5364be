//! Map: sets of items in, element sets out.

use crate::array_types::ArrayTypes;
use crate::error::{Error, Result};
use crate::sets::{Making, Sets};
use arrow_array::{Array, ArrayRef};
use lookalike_core::comparison::Features;
use lookalike_core::documents::Content;
use lookalike_core::kernel::Kernel;
use lookalike_io::{Inputs, read::ItemColumn};

/// The name of the column in messages.
const COLUMN: &str = "texts";

/// Makes the element sets of documents that are sets of items, as a job does that reads the same column.
///
/// Lists of strings or numbers, maps from items to counts, or strings of several items, as `inputs` say of their
/// items and counts. The features are those of items then, and in bags if items have counts.
///
/// # Errors
/// [`Error::ColumnType`], [`Error::Items`]; [`Error::Parameters`] if the features do not fit items.
pub fn item_sets(items: &ArrayRef, inputs: &Inputs, features: &Features, kernel: Kernel) -> Result<Sets> {
    let features = inputs.features(features);
    features.check()?;
    let inputs = Inputs { text_field: COLUMN.to_owned(), ..inputs.clone() };
    let of_other_type = |expected| Error::ColumnType {
        column: COLUMN,
        expected: ArrayTypes::Items(expected),
        found: items.data_type().clone(),
    };
    let column = ItemColumn::new(items, &inputs, &features).map_err(of_other_type)?;
    let mut making = Making::new(&features, kernel, items.len());
    for row in 0..items.len() {
        let found = column.get(row).map_err(|problem| Error::Items { column: COLUMN, row, problem })?;
        making.push(found.map(Content::Items))?;
    }
    Ok(making.finish(items.nulls()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element_sets;
    use arrow_array::types::Int32Type;
    use arrow_array::{ListArray, StringArray};
    use lookalike_io::sources::{ItemCounts, ItemSeparator};
    use std::sync::Arc;

    fn of(items: &ArrayRef, inputs: &Inputs) -> Result<Sets> {
        item_sets(items, inputs, &Features::default(), Kernel::detect())
    }

    #[test]
    fn sets_of_items_are_those_of_their_common_form() {
        let inputs = Inputs { items: Some(ItemSeparator::Blanks), ..Inputs::default() };
        let lists = [Some(vec![Some(1), Some(2)]), None, Some(vec![]), Some(vec![Some(2), Some(1), Some(2)])];
        let lists: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(lists));
        let common = StringArray::from(vec![Some("1\x002\0"), None, Some(""), Some("2\x001\x002\0")]);
        let features = Features::default().of_items();
        let expected = element_sets(&common, &features, Kernel::detect()).unwrap();
        let found = of(&lists, &inputs).unwrap();
        assert_eq!((found.elements(), found.hashes()), (expected.elements(), expected.hashes()));
        assert_eq!(found.hashes().value(0), found.hashes().value(3));
        let counted = Inputs { item_counts: ItemCounts::Written, ..inputs };
        let written: ArrayRef = Arc::new(StringArray::from(vec!["1:1 2:1", "1:1 2:2", "2:2 1:1"]));
        let found = of(&written, &counted).unwrap();
        assert_eq!(found.hashes().value(1), found.hashes().value(2));
        assert_ne!(found.hashes().value(0), found.hashes().value(1));
        assert_eq!(found.elements().value_length(1), 3);
    }

    #[test]
    fn other_columns_and_wrong_items_are_named_with_the_row() {
        let counted =
            Inputs { items: Some(ItemSeparator::Blanks), item_counts: ItemCounts::Written, ..Inputs::default() };
        let written: ArrayRef = Arc::new(StringArray::from(vec!["1:1", "a"]));
        let error = of(&written, &counted).unwrap_err().after_rows(10).to_string();
        assert_eq!(error, "column `texts`, row 11: item `a` has no count; write it as ITEM:COUNT");
        let numbers: ArrayRef = Arc::new(arrow_array::Int32Array::from(vec![1]));
        let error = of(&numbers, &counted).unwrap_err().to_string();
        assert_eq!(
            error,
            "column `texts`: expected strings, lists of strings, or maps from items to counts, found Int32"
        );
    }
}
