//! Text of Parquet files as views into their pages.
//!
//! ```text
//! page     dictionary: "a long text"      rows: 0 0 0 0 0 0 ...
//! strings  "a long text" "a long text" "a long text" ...        a thousand times as large as the page
//! views    16 bytes a row, and the page
//! ```
//!
//! The metadata of a file tell the size of its pages and seldom that of its strings, so the number of rows to decode at
//! a time is unknown. An estimate from the rows before would fail where few long texts follow many short ones. As
//! views, all rows of a page can be decoded at once; conversion to the types of the file is done for a few rows at a
//! time ([`next_slice`], [`as_stored`]).

use super::data_types::{with_type, with_types};
use super::texts::cast_columns;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, OffsetSizeTrait, RecordBatch};
use arrow_cast::can_cast_types;
use arrow_schema::{ArrowError, DataType, FieldRef, Fields, Schema, SchemaRef};
use parquet::basic::{ConvertedType, Type as PhysicalType};
use parquet::schema::types::SchemaDescriptor;
use std::sync::Arc;

/// The schema with views for strings and bytes, also in lists and structs. Strings whose UTF-8 the decoder does not
/// check stay strings, for [`check_strings`]: views would be trusted unchecked.
pub(super) fn with_views(schema: &Schema, columns: &SchemaDescriptor) -> SchemaRef {
    let fields = schema.fields().iter().enumerate().map(|(root, field)| {
        let views = with_type(field, &view_type);
        let is_useful = can_cast_types(views.data_type(), field.data_type());
        if is_useful && !is_unchecked(root, field, columns) { views } else { Arc::clone(field) }
    });
    Arc::new(Schema::new_with_metadata(fields.collect::<Fields>(), schema.metadata().clone()))
}

/// The schema with the types of values in place of dictionaries. In a Parquet file these are a hint of its writer: each
/// row group has a dictionary of its own, or none, and few formats could hold all of them.
pub(super) fn without_dictionaries(schema: &Schema) -> SchemaRef {
    with_types(schema, &|data_type| match data_type {
        DataType::Dictionary(_, values) => Some(DataType::clone(values)),
        _ => None,
    })
}

/// Returns whether there are strings whose UTF-8 the decoder does not check, such as those of the logical type JSON.
pub(super) fn has_unchecked_strings(schema: &Schema, columns: &SchemaDescriptor) -> bool {
    schema.fields().iter().enumerate().any(|(root, field)| is_unchecked(root, field, columns))
}

fn is_unchecked(root: usize, field: &FieldRef, columns: &SchemaDescriptor) -> bool {
    let is_trusted = |leaf: usize| {
        let leaf = columns.column(leaf);
        leaf.physical_type() == PhysicalType::BYTE_ARRAY && leaf.converted_type() != ConvertedType::UTF8
    };
    let mut leaves = (0..columns.num_columns()).filter(|&leaf| columns.get_column_root_idx(leaf) == root);
    has_strings(field.data_type()) && leaves.any(is_trusted)
}

/// Checks a batch with strings that the decoder did not check.
pub(super) fn check_strings(batch: &RecordBatch) -> Result<(), ArrowError> {
    batch.columns().iter().try_for_each(|column| column.to_data().validate_full())
}

fn view_type(data_type: &DataType) -> Option<DataType> {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 => Some(DataType::Utf8View),
        DataType::Binary | DataType::LargeBinary => Some(DataType::BinaryView),
        DataType::FixedSizeList(..) => Some(data_type.clone()),
        _ => None,
    }
}

fn has_strings(data_type: &DataType) -> bool {
    match data_type {
        DataType::List(item) | DataType::LargeList(item) | DataType::Map(item, _) => has_strings(item.data_type()),
        DataType::Struct(fields) => fields.iter().any(|field| has_strings(field.data_type())),
        other => other.is_string(),
    }
}

/// Takes rows from the last of `slices`: all, or as many as have at most `max_bytes` of strings, but at least one. The
/// rest is put back.
pub(super) fn next_slice(slices: &mut Vec<RecordBatch>, max_bytes: u64) -> Option<RecordBatch> {
    let mut slice = slices.pop()?;
    while slice.num_rows() > 1 && slice.columns().iter().map(string_bytes).sum::<u64>() > max_bytes {
        let half = slice.num_rows() / 2;
        slices.push(slice.slice(half, slice.num_rows() - half));
        slice = slice.slice(0, half);
    }
    Some(slice)
}

/// Total length of the strings of an array of views.
fn string_bytes(array: &ArrayRef) -> u64 {
    match array.data_type() {
        DataType::Utf8View => array.as_string_view().lengths().map(u64::from).sum(),
        DataType::BinaryView => array.as_binary_view().lengths().map(u64::from).sum(),
        DataType::Struct(_) => array.as_struct().columns().iter().map(string_bytes).sum(),
        DataType::List(_) => item_bytes(array.as_list::<i32>().offsets(), array.as_list::<i32>().values()),
        DataType::LargeList(_) => item_bytes(array.as_list::<i64>().offsets(), array.as_list::<i64>().values()),
        DataType::Map(..) => {
            let map = array.as_map();
            item_bytes(map.offsets(), map.keys()) + item_bytes(map.offsets(), map.values())
        }
        _ => 0,
    }
}

/// Total length of the strings in lists. A slice of a list array still has the items of the whole array.
fn item_bytes<O: OffsetSizeTrait>(offsets: &[O], items: &ArrayRef) -> u64 {
    let (Some(begin), Some(end)) = (offsets.first(), offsets.last()) else { return 0 };
    string_bytes(&items.slice(begin.as_usize(), end.as_usize() - begin.as_usize()))
}

/// The rows in the types of `schema`, without its metadata: as the decoder gives them without views.
pub(super) fn as_stored(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch, ArrowError> {
    cast_columns(batch, &Arc::new(Schema::new(schema.fields().clone())))
}

#[cfg(test)]
mod tests {
    use crate::columns::BatchReader;
    use crate::formats::RecordFormat;
    use crate::testing::{batch_of, file_with, parquet_of};
    use arrow_array::builder::{ListBuilder, MapBuilder, StringBuilder};
    use arrow_array::cast::AsArray;
    use arrow_array::types::Int32Type;
    use arrow_array::{
        Array, ArrayRef, BinaryArray, BinaryViewArray, DictionaryArray, LargeBinaryArray, LargeStringArray,
        RecordBatch, StringArray, StringViewArray, StructArray,
    };
    use arrow_schema::{DataType, Field};
    use arrow_select::concat::concat_batches;
    use parquet::data_type::ByteArrayType;
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;
    use std::path::PathBuf;
    use std::sync::Arc;
    use tempfile::TempDir;

    const TEXT_BYTES: usize = 100_000;

    fn parquet_file(batch: &RecordBatch) -> (TempDir, PathBuf) {
        file_with("x.parquet", parquet_of(std::slice::from_ref(batch), WriterProperties::builder()))
    }

    fn batches(path: &std::path::Path, selected: Option<&str>) -> Vec<RecordBatch> {
        let selected: Option<Vec<_>> = selected.map(|column| vec![vec![column.to_owned()]]);
        let mut reader = BatchReader::open(path, RecordFormat::Parquet, selected.as_deref(), None).unwrap();
        std::iter::from_fn(|| reader.next().unwrap()).collect()
    }

    /// Short texts, then a long one again and again.
    fn repetitive() -> RecordBatch {
        let long = "x".repeat(TEXT_BYTES);
        let texts = (0..500).map(|row| if row < 200 { row.to_string() } else { long.clone() });
        let mut lists = ListBuilder::new(StringBuilder::new());
        (0..500).for_each(|row| lists.append_value((row >= 200).then_some([Some(&long)]).into_iter().flatten()));
        batch_of(vec![("text", Arc::new(StringArray::from_iter_values(texts))), ("lists", Arc::new(lists.finish()))])
    }

    #[test]
    fn a_text_that_many_rows_share_is_held_once() {
        let batch = repetitive();
        let (_folder, path) = parquet_file(&batch);
        let mut texts = Vec::new();
        for part in batches(&path, Some("text")) {
            assert!(part.get_array_memory_size() < 5 * TEXT_BYTES, "{} bytes", part.get_array_memory_size());
            let views = part.column(0).as_any().downcast_ref::<StringViewArray>().unwrap();
            texts.extend(views.iter().map(|text| text.unwrap().to_owned()));
        }
        let expected = batch.column(0).as_any().downcast_ref::<StringArray>().unwrap();
        assert!(expected.iter().map(Option::unwrap).eq(texts.iter().map(String::as_str)));
    }

    #[test]
    fn rows_in_the_types_of_the_file_come_a_few_at_a_time() {
        let batch = repetitive();
        let (_folder, path) = parquet_file(&batch);
        let parts = batches(&path, None);
        for part in &parts {
            let strings: usize =
                part.columns().iter().map(|column| column.to_data().get_slice_memory_size().unwrap()).sum();
            assert!(strings < 5 << 20, "{} rows have {strings} bytes", part.num_rows());
        }
        assert!(concat_batches(&batch.schema(), &parts).unwrap() == batch);
    }

    #[test]
    fn strings_that_the_decoder_believes_are_checked() {
        for (text, is_text) in [(&b"{}"[..], true), (b"\xff\xfe", false)] {
            let schema = parse_message_type("message m { required binary text (JSON); }").unwrap();
            let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::default()).unwrap();
            let mut group = writer.next_row_group().unwrap();
            let mut column = group.next_column().unwrap().unwrap();
            column.typed::<ByteArrayType>().write_batch(&[text.to_vec().into()], None, None).unwrap();
            column.close().unwrap();
            group.close().unwrap();
            let (_folder, path) = file_with("x.parquet", writer.into_inner().unwrap());
            let selected = [vec!["text".to_owned()]];
            let mut reader = BatchReader::open(&path, RecordFormat::Parquet, Some(&selected), None).unwrap();
            let found = reader.next().map(|batch| batch.unwrap().column(0).as_string::<i32>().value(0).to_owned());
            assert_eq!(found.as_deref().ok(), is_text.then_some("{}"));
            assert!(is_text || found.unwrap_err().contains("UTF"), "{text:?}");
        }
    }

    #[test]
    fn all_columns_come_in_the_types_of_the_file() {
        let texts = [Some("one"), None, Some("a text that is longer than a view"), Some("")];
        let mut maps = MapBuilder::new(None, StringBuilder::new(), StringBuilder::new());
        for text in texts {
            maps.keys().append_value("key");
            maps.values().append_option(text);
            maps.append(text.is_some()).unwrap();
        }
        let large: ArrayRef = Arc::new(LargeStringArray::from_iter(texts));
        let bytes: ArrayRef = Arc::new(BinaryArray::from_iter(texts.map(|text| text.map(str::as_bytes))));
        let dictionary: DictionaryArray<Int32Type> = texts.into_iter().collect();
        let inner =
            |name, array: &ArrayRef| (Arc::new(Field::new(name, array.data_type().clone(), true)), array.clone());
        let batch = batch_of(vec![
            ("text", Arc::new(StringArray::from_iter(texts))),
            ("large", large.clone()),
            ("view", Arc::new(StringViewArray::from_iter(texts))),
            ("bytes", bytes.clone()),
            ("large bytes", Arc::new(LargeBinaryArray::from_iter(texts.map(|text| text.map(str::as_bytes))))),
            ("byte views", Arc::new(BinaryViewArray::from_iter(texts.map(|text| text.map(str::as_bytes))))),
            ("map", Arc::new(maps.finish())),
            ("struct", Arc::new(StructArray::from(vec![inner("large", &large)]))),
            ("both", Arc::new(StructArray::from(vec![inner("large", &large), inner("bytes", &bytes)]))),
            ("dictionary", Arc::new(dictionary)),
        ]);
        let (_folder, path) = parquet_file(&batch);
        let found = batches(&path, None);
        let last = batch.num_columns() - 1;
        assert_eq!(found[0].columns()[..last], batch.columns()[..last]);
        assert_eq!(found[0].column(last).as_string::<i32>(), &StringArray::from_iter(texts));
        assert_eq!(batches(&path, Some("text"))[0].column(0).data_type(), &DataType::Utf8View);
    }
}
