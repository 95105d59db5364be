//! Map: texts or sets of items in, element sets out.

use crate::error::{ArrayTypes, Error, Result, RowFault};
use crate::lists::large_list;
use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_array::{Array, ArrayRef, Int64Array, LargeListArray, UInt64Array};
use arrow_buffer::{NullBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field};
use lookalike_core::comparison::{Extractor, Features};
use lookalike_core::documents::{Content, ElementSet, ElementSets};
use lookalike_core::kernel::Kernel;
use lookalike_core::{DocId, Ragged};
use lookalike_io::{
    Inputs,
    read::{ItemColumn, compared_content},
};
use std::sync::Arc;

/// Name of the column of texts or items in messages.
const COLUMN: &str = "texts";

/// The element sets of a batch.
#[derive(Debug, Clone)]
pub struct Sets {
    /// `LargeList<UInt64>`, by row: the elements of the text, strictly ascending. Empty for a text without elements,
    /// null for a null.
    pub elements: LargeListArray,
    /// Hash of the set, by row; null for a null. Equal sets have equal hashes, different ones hardly ever.
    pub hashes: UInt64Array,
}

impl Sets {
    /// Elements and hashes.
    pub fn into_parts(self) -> (LargeListArray, UInt64Array) {
        (self.elements, self.hashes)
    }

    /// The bits of the sets as `LargeList<Int64>` and `Int64`, for engines without unsigned numbers. Nothing is copied.
    ///
    /// Such sets ascend as unsigned numbers only: do not sort them elsewhere. All functions of this crate take them as
    /// they take the others.
    pub fn into_signed(self) -> (LargeListArray, Int64Array) {
        let Self { elements, hashes } = self;
        let (_, offsets, values, nulls) = elements.into_parts();
        let values = Arc::new(signed(values.as_primitive::<UInt64Type>().clone()));
        let field = Arc::new(Field::new_list_field(DataType::Int64, true));
        (LargeListArray::new(field, offsets, values, nulls), signed(hashes))
    }
}

/// The bits of numbers, read as signed ones.
fn signed(numbers: UInt64Array) -> Int64Array {
    let (_, values, nulls) = numbers.into_parts();
    Int64Array::new(ScalarBuffer::from(values.into_inner()), nulls)
}

/// Makes the element sets of texts: Utf8, LargeUtf8 or Utf8View.
///
/// Features of items take the items of a row in their stored form ([`lookalike_core::text::Items::stored`]).
///
/// # Errors
/// [`Error::ColumnType`]; [`Error::Parameters`] if the features do not fit each other.
pub fn element_sets(texts: &dyn Array, features: &Features, kernel: Kernel) -> Result<Sets> {
    features.check()?;
    let mut builder = SetsBuilder::new(features, kernel, texts.len());
    if let Some(texts) = texts.as_string_opt::<i32>() {
        builder.extend(texts.iter())?;
    } else if let Some(texts) = texts.as_string_opt::<i64>() {
        builder.extend(texts.iter())?;
    } else if let Some(texts) = texts.as_string_view_opt() {
        builder.extend(texts.iter())?;
    } else {
        return Err(Error::column_type(COLUMN, ArrayTypes::Texts, texts));
    }
    Ok(builder.finish(texts.nulls()))
}

/// Makes the element sets of documents that are sets of items, as a job does that reads the same column.
///
/// Lists of strings or numbers, maps from items to counts, or strings of several items, as `inputs` say of their
/// items and counts. The features are those of items then, and in bags if items have counts.
///
/// # Errors
/// [`Error::ColumnType`], [`Error::Row`]; [`Error::Parameters`] if the features do not fit items.
pub fn item_sets(items: &ArrayRef, inputs: &Inputs, features: &Features, kernel: Kernel) -> Result<Sets> {
    let features = inputs.features(features);
    features.check()?;
    let inputs = Inputs { text_field: COLUMN.to_owned(), ..inputs.clone() };
    let of_other_type = |expected| Error::column_type(COLUMN, ArrayTypes::Items(expected), items);
    let column = ItemColumn::new(items, &inputs, &features).map_err(of_other_type)?;
    let mut builder = SetsBuilder::new(&features, kernel, items.len());
    for row in 0..items.len() {
        let found = column.get(row).map_err(|problem| RowFault::Items { problem }.at(COLUMN, row))?;
        builder.push(found.map(Content::Items))?;
    }
    Ok(builder.finish(items.nulls()))
}

/// Builder of the arrays of sets.
struct SetsBuilder<'f> {
    features: &'f Features,
    extractor: Extractor,
    /// The set of the present text.
    set: ElementSets,
    elements: Ragged<u64>,
    hashes: Vec<u64>,
}

impl<'f> SetsBuilder<'f> {
    fn new(features: &'f Features, kernel: Kernel, texts: usize) -> Self {
        let extractor = features.extractor(kernel);
        let hashes = Vec::with_capacity(texts);
        Self { features, extractor, set: ElementSets::new(), elements: Ragged::default(), hashes }
    }

    fn extend<'t>(&mut self, texts: impl Iterator<Item = Option<&'t str>>) -> Result<()> {
        let features = self.features;
        let mut contents = texts.map(|text| text.map(|text| features.content_of_stored(text)));
        contents.try_for_each(|content| self.push(content))
    }

    /// Appends the set of a content; `None` is null.
    fn push(&mut self, content: Option<Content<'_>>) -> Result<()> {
        self.set.clear();
        match content {
            Some(content) => {
                let content = compared_content(content, self.features.text());
                self.extractor.push(content.compared(), &mut self.set)?;
            }
            None => self.set.push(ElementSet::default())?,
        }
        self.elements.push(&self.set.get(DocId(0)));
        self.hashes.push(self.set.hash(DocId(0)));
        Ok(())
    }

    /// The sets of all rows, of which these were null.
    fn finish(self, nulls: Option<&NullBuffer>) -> Sets {
        let Self { elements, hashes, .. } = self;
        let elements = large_list(elements, nulls.cloned(), |values| Arc::new(UInt64Array::from(values)));
        Sets { elements, hashes: UInt64Array::new(hashes.into(), nulls.cloned()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::types::{Int32Type, Int64Type};
    use arrow_array::{LargeStringArray, ListArray, StringArray, StringViewArray};
    use lookalike_core::sets::{ShingleOptions, ShingleSize};
    use lookalike_io::sources::{ItemCounts, ItemSeparator};

    fn single_words() -> Features {
        Features::shingles(ShingleOptions::words(1))
    }

    fn sets_of(texts: &dyn Array) -> Sets {
        element_sets(texts, &single_words(), Kernel::detect()).unwrap()
    }

    #[test]
    fn sets_and_hashes_are_those_of_the_core() {
        let texts = [Some("b a b"), None, Some(""), Some("a b")];
        let found = sets_of(&StringArray::from(texts.to_vec()));
        let mut shingler = single_words().shingler(Kernel::Scalar);
        let mut sets = ElementSets::new();
        for text in texts {
            shingler.push(text.unwrap_or_default(), &mut sets).unwrap();
        }
        for (row, text) in texts.iter().enumerate() {
            assert_eq!((found.elements.is_null(row), found.hashes.is_null(row)), (text.is_none(), text.is_none()));
            let elements = found.elements.value(row);
            assert_eq!(elements.as_primitive::<UInt64Type>().values(), &*sets.get(DocId(row as u32)));
            assert!(text.is_none() || found.hashes.value(row) == sets.hash(DocId(row as u32)));
        }
        assert_eq!(found.hashes.value(0), found.hashes.value(3));
    }

    #[test]
    fn string_types_and_slices_give_the_same_sets() {
        let texts = vec![Some("zero"), Some("one two"), None, Some("three")];
        let expected = sets_of(&StringArray::from(texts[1..].to_vec()));
        let arrays: [&dyn Array; 3] = [
            &StringArray::from(texts.clone()),
            &LargeStringArray::from(texts.clone()),
            &StringViewArray::from(texts.clone()),
        ];
        for array in arrays {
            let found = sets_of(&array.slice(1, 3));
            assert_eq!((&found.elements, &found.hashes), (&expected.elements, &expected.hashes));
        }
        assert_eq!(sets_of(&StringArray::from(vec![""; 0])).elements.len(), 0);
    }

    #[test]
    fn signed_sets_hold_the_same_bits() {
        let sets = sets_of(&StringArray::from(vec![Some("one two three four"), None]));
        let (elements, hashes) = sets.clone().into_signed();
        let bits = |value: i64| value as u64;
        let signed = elements.value(0);
        let signed = signed.as_primitive::<Int64Type>().values();
        let unsigned = sets.elements.value(0);
        assert!(signed.iter().copied().map(bits).eq(unsigned.as_primitive::<UInt64Type>().values().iter().copied()));
        assert!(elements.is_null(1) && hashes.is_null(1));
        assert_eq!(bits(hashes.value(0)), sets.hashes.value(0));
    }

    #[test]
    fn other_types_and_impossible_features_are_refused() {
        let numbers = UInt64Array::from(vec![1]);
        let error = element_sets(&numbers, &Features::default(), Kernel::detect()).unwrap_err();
        assert_eq!(error.to_string(), "column `texts`: expected Utf8, LargeUtf8 or Utf8View, found UInt64");
        let words = ShingleOptions::words(1);
        let zero = Features::shingles(ShingleOptions { size: ShingleSize { tokens: 0, ..words.size }, ..words });
        let refused = element_sets(&StringArray::from(vec!["a"]), &zero, Kernel::detect());
        assert!(matches!(refused, Err(Error::Parameters(lookalike_core::Error::Shingle { .. }))));
    }

    fn of_items(items: &ArrayRef, inputs: &Inputs) -> Result<Sets> {
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
        let found = of_items(&lists, &inputs).unwrap();
        assert_eq!((&found.elements, &found.hashes), (&expected.elements, &expected.hashes));
        assert_eq!(found.hashes.value(0), found.hashes.value(3));
        let counted = Inputs { item_counts: ItemCounts::Written, ..inputs };
        let written: ArrayRef = Arc::new(StringArray::from(vec!["1:1 2:1", "1:1 2:2", "2:2 1:1"]));
        let found = of_items(&written, &counted).unwrap();
        assert_eq!(found.hashes.value(1), found.hashes.value(2));
        assert_ne!(found.hashes.value(0), found.hashes.value(1));
        assert_eq!(found.elements.value_length(1), 3);
    }

    #[test]
    fn other_columns_and_wrong_items_are_named_with_the_row() {
        let counted =
            Inputs { items: Some(ItemSeparator::Blanks), item_counts: ItemCounts::Written, ..Inputs::default() };
        let written: ArrayRef = Arc::new(StringArray::from(vec!["1:1", "a"]));
        let error = of_items(&written, &counted).unwrap_err().after_rows(10).to_string();
        assert_eq!(error, "column `texts`, row 11: item `a` has no count; write it as ITEM:COUNT");
        let numbers: ArrayRef = Arc::new(arrow_array::Int32Array::from(vec![1]));
        let error = of_items(&numbers, &counted).unwrap_err().to_string();
        assert_eq!(
            error,
            "column `texts`: expected strings, lists of strings, or maps from items to counts, found Int32"
        );
    }
}
