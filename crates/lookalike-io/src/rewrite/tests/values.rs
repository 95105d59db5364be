//! Every value is kept, or the job ends with file, record and column.

use super::*;
use crate::testing::arrow_of;
use arrow_array::builder::{Int32Builder, MapBuilder, StringBuilder};
use arrow_array::types::{Date32Type, Float64Type, Int8Type, IntervalMonthDayNano};
use arrow_array::{
    Array, BinaryArray, Date32Array, Date64Array, DictionaryArray, DurationMillisecondArray, DurationNanosecondArray,
    DurationSecondArray, Float32Array, Float64Array, Int8Array, Int32Array, IntervalMonthDayNanoArray, StructArray,
    Time32MillisecondArray, Time32SecondArray, Time64MicrosecondArray, Time64NanosecondArray,
    TimestampMillisecondArray, TimestampSecondArray, UnionArray,
};
use arrow_buffer::NullBuffer;
use arrow_schema::{Field, Fields, TimeUnit};
use parquet::arrow::arrow_writer::ArrowWriterOptions;

#[test]
fn empty_ids_of_tables_stay_empty_strings_if_they_are_quoted() {
    let content = "id,text\n\"\",a\n,b\nk,c\n\"\"\"\",d\n";
    let sandbox = Sandbox::with("in.csv", content.as_bytes());
    sandbox.rewrite("in.csv", "out.jsonl", &lines(content)[1..]).unwrap();
    let ids: Vec<serde_json::Value> = sandbox
        .text("out.jsonl")
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["id"].clone())
        .collect();
    assert_eq!(ids, [serde_json::json!(""), serde_json::Value::Null, "k".into(), "\"".into()]);
    sandbox.rewrite("in.csv", "out.parquet", &lines(content)[1..]).unwrap();
    let batches = sandbox.batches("out.parquet", RecordFormat::Parquet);
    let ids: Vec<Option<&str>> = batches[0].column(0).as_string::<i32>().iter().collect();
    assert_eq!(ids, [Some(""), None, Some("k"), Some("\"")]);
}

/// An Arrow file with a text and a further column.
fn arrow_file(column: ArrayRef) -> Sandbox {
    let texts: ArrayRef = Arc::new(StringArray::from_iter_values((0..column.len()).map(|row| format!("text {row}"))));
    Sandbox::with("in.arrow", &arrow_of(&batch_of(vec![("text", texts), ("x", column)])))
}

fn json_of(sandbox: &Sandbox, records: &[SelectedRecord<'_>]) -> Vec<serde_json::Value> {
    sandbox.rewrite("in.arrow", "out.jsonl", records).unwrap();
    let text = sandbox.text("out.jsonl");
    text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["x"].clone()).collect()
}

/// Columns whose third value is beyond what can be printed; the second is null.
fn beyond_the_calendar() -> Vec<ArrayRef> {
    let longs = || vec![Some(1), None, Some(i64::MAX)];
    let inner: ArrayRef = Arc::new(Date32Array::from(vec![Some(i32::MAX), None, Some(i32::MIN)]));
    let nulls = NullBuffer::from(vec![false, false, true]);
    let fields = Fields::from(vec![Field::new("d", DataType::Date32, true)]);
    let dictionary = DictionaryArray::new(
        Int8Array::from(vec![Some(0), None, Some(1)]),
        Arc::new(TimestampSecondArray::from(vec![0, i64::MAX])),
    );
    vec![
        Arc::new(Date32Array::from(vec![Some(1), None, Some(i32::MAX)])),
        Arc::new(Date64Array::from(longs())),
        Arc::new(TimestampSecondArray::from(longs())),
        Arc::new(TimestampSecondArray::from(longs()).with_timezone("Europe/Berlin")),
        Arc::new(TimestampMillisecondArray::from(longs()).with_timezone("+05:30")),
        Arc::new(TimestampMicrosecondArray::from(longs())),
        Arc::new(Time32SecondArray::from(vec![Some(1), None, Some(86_400)])),
        Arc::new(Time32MillisecondArray::from(vec![Some(1), None, Some(-1)])),
        Arc::new(Time64MicrosecondArray::from(longs())),
        Arc::new(Time64NanosecondArray::from(longs())),
        Arc::new(DurationSecondArray::from(longs())),
        Arc::new(DurationMillisecondArray::from(vec![Some(1), None, Some(i64::MIN)])),
        Arc::new(StructArray::new(fields, vec![inner], Some(nulls))),
        Arc::new(ListArray::from_iter_primitive::<Date32Type, _, _>([
            Some(vec![Some(0)]),
            None,
            Some(vec![None, Some(i32::MAX)]),
        ])),
        Arc::new(dictionary),
    ]
}

#[test]
fn times_beyond_the_calendar_end_a_conversion_to_text_with_file_row_and_column() {
    for column in beyond_the_calendar() {
        let data_type = column.data_type().clone();
        let is_nested = data_type.is_nested();
        let sandbox = arrow_file(column);
        for name in ["out.jsonl", "out.csv", "out.tsv"] {
            if is_nested && name != "out.jsonl" {
                continue;
            }
            let error = sandbox.rewrite("in.arrow", name, &rows(&[1, 3])).unwrap_err().to_string();
            assert!(error.contains("in.arrow:3: column `x` is "), "{data_type} {name}: {error}");
            assert!(error.ends_with("cannot hold; Arrow can"), "{error}");
            assert!(!sandbox.path(name).exists());
            sandbox.rewrite("in.arrow", name, &rows(&[1, 2])).unwrap();
        }
    }
}

#[test]
fn the_last_times_of_the_calendar_and_the_longest_durations_are_printed() {
    let last = 8_210_266_876_799;
    for (column, expected) in [
        (Arc::new(Date32Array::from(vec![95_026_236])) as ArrayRef, "+262142-12-31"),
        (Arc::new(TimestampSecondArray::from(vec![last])), "+262142-12-31T23:59:59"),
        (Arc::new(TimestampSecondArray::from(vec![last]).with_timezone("+00:00")), "+262142-12-31T23:59:59Z"),
        (Arc::new(DurationNanosecondArray::from(vec![i64::MAX])), "PT9223372036.854775807S"),
        (Arc::new(DurationSecondArray::from(vec![-90_061])), "-PT90061S"),
    ] {
        assert_eq!(json_of(&arrow_file(column), &rows(&[1])), [expected]);
    }
    // With a time zone, the local time may be beyond the calendar.
    let local: ArrayRef = Arc::new(TimestampSecondArray::from(vec![last]).with_timezone("+14:00"));
    let sandbox = arrow_file(local);
    let written = sandbox.rewrite("in.arrow", "out.jsonl", &rows(&[1]));
    assert!(written.is_err() || sandbox.text("out.jsonl").contains("+262143-01-01T13:59:59+14:00"));
}

#[test]
fn floats_that_are_no_numbers_are_strings_in_json_lines_and_text_in_tables() {
    let values = [1.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    let expected: [serde_json::Value; 5] =
        [1.5.into(), "NaN".into(), "Infinity".into(), "-Infinity".into(), serde_json::Value::Null];
    let doubles = Float64Array::from_iter(values.map(Some).into_iter().chain([None]));
    let singles = Float32Array::from_iter(values.map(|value| Some(value as f32)).into_iter().chain([None]));
    for column in [Arc::new(doubles) as ArrayRef, Arc::new(singles)] {
        let sandbox = arrow_file(column);
        assert_eq!(json_of(&sandbox, &rows(&[1, 2, 3, 4, 5])), expected);
        sandbox.rewrite("in.arrow", "out.csv", &rows(&[2, 3, 4, 5])).unwrap();
        assert_eq!(sandbox.text("out.csv"), "text,x\ntext 1,NaN\ntext 2,inf\ntext 3,-inf\ntext 4,\n");
    }
    let lists = ListArray::from_iter_primitive::<Float64Type, _, _>([Some(vec![Some(f64::NAN), None, Some(0.25)])]);
    assert_eq!(json_of(&arrow_file(Arc::new(lists)), &rows(&[1])), [serde_json::json!(["NaN", null, 0.25])]);
}

/// Rows 1 to 4: a value, null in the values, null in the keys, the value again.
fn dictionary_with_nulls(values: ArrayRef) -> ArrayRef {
    Arc::new(DictionaryArray::new(Int8Array::from(vec![Some(1), Some(0), None, Some(1)]), values))
}

#[test]
fn nulls_inside_dictionaries_stay_null() {
    let lists = ListArray::from_iter_primitive::<Int64Type, _, _>([None, Some(vec![Some(7)])]);
    let cases: [(ArrayRef, serde_json::Value, &str); 4] = [
        (Arc::new(StringArray::from(vec![None, Some("a")])), "a".into(), "a"),
        (Arc::new(Int64Array::from(vec![None, Some(7)])), 7.into(), "7"),
        (Arc::new(Float64Array::from(vec![None, Some(0.5)])), 0.5.into(), "0.5"),
        (Arc::new(lists), serde_json::json!([7]), ""),
    ];
    for (values, value, text) in cases {
        let sandbox = arrow_file(dictionary_with_nulls(values));
        let expected = [value.clone(), serde_json::Value::Null, serde_json::Value::Null, value];
        assert_eq!(json_of(&sandbox, &rows(&[1, 2, 3, 4])), expected);
        if !text.is_empty() {
            sandbox.rewrite("in.arrow", "out.csv", &rows(&[1, 2, 3, 4])).unwrap();
            let lines = format!("text,x\ntext 0,{text}\ntext 1,\ntext 2,\ntext 3,{text}\n");
            assert_eq!(sandbox.text("out.csv"), lines);
            sandbox.rewrite("in.arrow", "out.parquet", &rows(&[1, 2, 3, 4])).unwrap();
            let batch = &sandbox.batches("out.parquet", RecordFormat::Parquet)[0];
            let nulls = batch.column(1).logical_nulls().unwrap();
            assert_eq!(nulls.iter().collect::<Vec<_>>(), [true, false, false, true]);
        }
    }
}

#[test]
fn units_that_parquet_lacks_become_the_nearest_that_hold_the_values() {
    let nested: ArrayRef = Arc::new(TimestampSecondArray::from(vec![Some(-5), None]));
    let fields = Fields::from(vec![Field::new("t", nested.data_type().clone(), true)]);
    let cases: Vec<(ArrayRef, DataType, &str)> = vec![
        (
            Arc::new(TimestampSecondArray::from(vec![Some(1_700_000_000), None])),
            DataType::Timestamp(TimeUnit::Millisecond, None),
            "2023-11-14T22:13:20",
        ),
        (
            Arc::new(TimestampSecondArray::from(vec![Some(0), None]).with_timezone("Europe/Berlin")),
            DataType::Timestamp(TimeUnit::Millisecond, Some("Europe/Berlin".into())),
            "1970-01-01T01:00:00+01:00",
        ),
        (
            Arc::new(Time32SecondArray::from(vec![Some(3_661), None])),
            DataType::Time32(TimeUnit::Millisecond),
            "01:01:01",
        ),
        (Arc::new(Date64Array::from(vec![Some(-86_400_000), None])), DataType::Date32, "1969-12-31"),
        (
            Arc::new(StructArray::new(fields, vec![nested], None)),
            DataType::Struct(vec![Field::new("t", DataType::Timestamp(TimeUnit::Millisecond, None), true)].into()),
            "1969-12-31T23:59:55",
        ),
    ];
    for (column, data_type, text) in cases {
        let sandbox = arrow_file(column);
        sandbox.rewrite("in.arrow", "out.parquet", &rows(&[1, 2])).unwrap();
        let batch = &sandbox.batches("out.parquet", RecordFormat::Parquet)[0];
        assert_eq!(batch.column(1).data_type(), &data_type);
        let file = SerializedFileReader::new(fs::File::open(sandbox.path("out.parquet")).unwrap()).unwrap();
        let leaf = file.metadata().file_metadata().schema_descr().column(1);
        assert!(leaf.logical_type_ref().is_some(), "{data_type} has no meaning for other readers");
        sandbox.rewrite("out.parquet", "back.jsonl", &rows(&[1])).unwrap();
        assert!(sandbox.text("back.jsonl").contains(&format!("\"{text}\"")), "{}", sandbox.text("back.jsonl"));
    }
}

#[test]
fn what_overflows_in_the_units_of_parquet_ends_the_conversion_with_file_row_and_column() {
    for column in [
        Arc::new(TimestampSecondArray::from(vec![0, i64::MAX / 1000 + 1])) as ArrayRef,
        Arc::new(Time32SecondArray::from(vec![0, i32::MAX / 1000 + 1])),
        Arc::new(Date64Array::from(vec![0, 1])),
        Arc::new(Date64Array::from(vec![0, i64::MAX / 86_400_000 * 86_400_000])),
    ] {
        let data_type = column.data_type().clone();
        let sandbox = arrow_file(column);
        let error = sandbox.rewrite("in.arrow", "out.parquet", &rows(&[2])).unwrap_err().to_string();
        assert!(error.contains("in.arrow:2: column `x` is "), "{error}");
        assert!(error.ends_with(&format!("of type {data_type}, which Parquet cannot hold; Arrow can")), "{error}");
    }
}

fn union() -> ArrayRef {
    let fields = [(0, Arc::new(Field::new("n", DataType::Int32, false)))].into_iter().collect();
    let types = vec![0i8, 0].into();
    let values = vec![Arc::new(Int32Array::from(vec![1, 2])) as ArrayRef];
    Arc::new(UnionArray::try_new(fields, types, None, values).unwrap())
}

fn map_with_numbers_as_keys() -> ArrayRef {
    let mut maps = MapBuilder::new(None, Int32Builder::new(), StringBuilder::new());
    for key in [1, 2] {
        maps.keys().append_value(key);
        maps.values().append_value("v");
        maps.append(true).unwrap();
    }
    Arc::new(maps.finish())
}

#[test]
fn types_that_a_format_lacks_are_named_with_their_column_and_a_format_that_has_them() {
    let interval: ArrayRef = Arc::new(IntervalMonthDayNanoArray::from(vec![IntervalMonthDayNano::new(1, 2, 3); 2]));
    let fields = Fields::from(vec![Field::new("inner", union().data_type().clone(), true)]);
    let nested: ArrayRef = Arc::new(StructArray::new(fields, vec![union()], None));
    for (column, name, expected) in [
        (union(), "out.parquet", "column `x` is a union, which Parquet cannot hold; Arrow can"),
        (union(), "out.jsonl", "column `x` is a union, which JSON Lines cannot hold; Arrow can"),
        (union(), "out.csv", "column `x` is a union, which a table of text cannot hold; Arrow can"),
        (nested, "out.parquet", "column `x.inner` is a union, which Parquet cannot hold; Arrow can"),
        (
            map_with_numbers_as_keys(),
            "out.jsonl",
            "column `x` is a map with keys of type Int32, which JSON Lines cannot hold; Parquet and Arrow can",
        ),
        (
            interval,
            "out.parquet",
            "column `x` is an interval of months, days and nanoseconds, which Parquet cannot hold; Arrow and JSON \
             Lines can",
        ),
    ] {
        let sandbox = arrow_file(column);
        let error = sandbox.rewrite("in.arrow", name, &rows(&[1, 2])).unwrap_err().to_string();
        assert!(error.starts_with("cannot write ") && error.ends_with(expected), "{error}");
        assert!(!sandbox.path(name).exists());
    }
    let sandbox = arrow_file(map_with_numbers_as_keys());
    sandbox.rewrite("in.arrow", "out.parquet", &rows(&[1, 2])).unwrap();
    assert_eq!(sandbox.batches("out.parquet", RecordFormat::Parquet)[0].column(1).len(), 2);
}

/// Maps of a text to a number, the last of which has a key twice.
fn map_with_a_key_twice() -> ArrayRef {
    let mut maps = MapBuilder::new(None, StringBuilder::new(), Int32Builder::new());
    for keys in [["k", "l"], ["k", "k"]] {
        keys.iter().for_each(|key| maps.keys().append_value(key));
        maps.values().append_slice(&[1, 2]);
        maps.append(true).unwrap();
    }
    Arc::new(maps.finish())
}

/// Most readers of JSON take the last of two values of a name, and lose the other.
#[test]
fn names_that_are_there_twice_do_not_become_json() {
    let sandbox = arrow_file(map_with_a_key_twice());
    assert_eq!(json_of(&sandbox, &rows(&[1])), [serde_json::json!({"k": 1, "l": 2})]);
    let error = sandbox.rewrite("in.arrow", "twice.jsonl", &rows(&[1, 2])).unwrap_err().to_string();
    let expected = ":2: column `x` is a map with two values of the key `k`, which JSON Lines cannot hold; Arrow can";
    assert!(error.ends_with(expected), "{error}");
    sandbox.rewrite("in.arrow", "out.parquet", &rows(&[1, 2])).unwrap();
    let [one, two]: [ArrayRef; 2] = [1, 2].map(|n| Arc::new(Int32Array::from(vec![n])) as ArrayRef);
    let fields = Fields::from(vec![Field::new("f", DataType::Int32, true), Field::new("f", DataType::Int32, true)]);
    let sandbox = arrow_file(Arc::new(StructArray::new(fields, vec![one, two], None)));
    let error = sandbox.rewrite("in.arrow", "out.jsonl", &rows(&[1])).unwrap_err().to_string();
    assert!(error.contains("column `x` is an object with two fields `f`, which JSON Lines cannot hold"), "{error}");
}

#[test]
fn columns_that_are_there_twice_are_not_taken_for_each_other() {
    let batch = |numbers: [i32; 2], is_nullable| {
        let fields = ["text", "x", "x"]
            .map(|name| Field::new(name, if name == "x" { DataType::Int32 } else { DataType::Utf8 }, is_nullable));
        let [one, two] = numbers.map(|number| Arc::new(Int32Array::from(vec![number])) as ArrayRef);
        let columns = vec![Arc::new(StringArray::from(vec!["t"])) as ArrayRef, one, two];
        RecordBatch::try_new(Arc::new(Schema::new(fields.to_vec())), columns).unwrap()
    };
    let sandbox = Sandbox::with("x", b"");
    for (name, batch) in [("a.arrow", batch([1, 2], true)), ("b.arrow", batch([3, 4], false))] {
        fs::write(sandbox.path(name), arrow_of(&batch)).unwrap();
    }
    let error = sandbox.rewrite("a.arrow", "out.jsonl", &rows(&[1])).unwrap_err().to_string();
    assert!(error.contains("column `x` is there twice, which JSON Lines cannot hold"), "{error}");
    sandbox.rewrite("a.arrow", "out.arrow", &rows(&[1])).unwrap();
    let rewriting = Rewriting::default();
    let error = sandbox.rewrite_all(&["a.arrow", "b.arrow"], "joined.arrow", &rows(&[1]), &rewriting).unwrap_err();
    assert!(matches!(error, Error::ColumnTwice { column, .. } if column == "x"));
}

/// Two plain row groups with other values each; the Arrow schema says that the column is categorical.
fn categorical_parquet() -> Vec<u8> {
    let category = |value: &str| -> ArrayRef {
        let dictionary: DictionaryArray<Int8Type> = [value, "both", value].into_iter().collect();
        Arc::new(dictionary)
    };
    let texts: ArrayRef = Arc::new(StringArray::from(vec!["a", "b", "c"]));
    let batches = ["one", "two"].map(|value| batch_of(vec![("text", texts.clone()), ("x", category(value))]));
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(3)).set_dictionary_enabled(false);
    parquet_of(&batches, properties)
}

#[test]
fn categories_that_change_between_row_groups_are_written_to_arrow_as_their_values() {
    let sandbox = Sandbox::with("in.parquet", &categorical_parquet());
    for name in ["out.arrow", "out.jsonl", "out.parquet"] {
        sandbox.rewrite("in.parquet", name, &rows(&[1, 2, 4, 6])).unwrap();
    }
    let batches = sandbox.batches("out.arrow", RecordFormat::Arrow);
    let values: Vec<_> = batches.iter().flat_map(|batch| batch.column(1).as_string::<i32>().iter().flatten()).collect();
    assert_eq!(values, ["one", "both", "two", "two"]);
}

#[test]
fn bytes_that_are_compared_as_text_are_written_as_text_where_there_are_no_bytes() {
    let bytes = |values: [&str; 2]| -> ArrayRef { Arc::new(BinaryArray::from_iter_values(values)) };
    let batch = batch_of(vec![("id", bytes(["k", "l"])), ("text", bytes(["ä b", ""])), ("x", bytes(["\u{1}", "z"]))]);
    let file = parquet_of(std::slice::from_ref(&batch), WriterProperties::builder());
    let sandbox = Sandbox::with("in.parquet", &file);
    sandbox.rewrite("in.parquet", "out.csv", &rows(&[1, 2])).unwrap();
    assert_eq!(sandbox.text("out.csv"), "id,text,x\nk,ä b,01\nl,,7a\n");
    sandbox.rewrite("in.parquet", "out.jsonl", &rows(&[1])).unwrap();
    assert_eq!(sandbox.text("out.jsonl"), "{\"id\":\"k\",\"text\":\"ä b\",\"x\":\"01\"}\n");
    for (name, format) in [("out.parquet", RecordFormat::Parquet), ("out.arrow", RecordFormat::Arrow)] {
        sandbox.rewrite("in.parquet", name, &rows(&[1, 2])).unwrap();
        assert!(sandbox.batches(name, format).iter().eq([&batch]));
    }
}

/// A text, and a column whose converted and logical types, which are in the metadata as `types`, give way to a logical
/// type that the format does not have yet: number 30.
fn of_unknown_type(column: ArrayRef, types: &[u8]) -> Vec<u8> {
    let texts: ArrayRef = Arc::new(StringArray::from_iter_values((0..column.len()).map(|row| format!("text {row}"))));
    let options = ArrowWriterOptions::new().with_skip_arrow_metadata(true);
    let batch = batch_of(vec![("text", texts), ("x", column)]);
    let mut writer = ArrowWriter::try_new_with_options(Vec::new(), batch.schema(), options).unwrap();
    writer.write(&batch).unwrap();
    let file = writer.into_inner().unwrap();
    let with_name = [b"\x18\x01x", types].concat();
    let at = file.windows(with_name.len()).rposition(|window| window == with_name).unwrap() + with_name.len();
    let trailer = file.len() - 8;
    // Field 10, in it field 30 with its number in a byte of its own, doubled.
    let unknown = b"\x6c\x0c\x3c";
    let footer_bytes = u32::from_le_bytes(*file[trailer..].first_chunk().unwrap()) - 1;
    let before = &file[..at - types.len()];
    let after = &file[at..trailer];
    [before, unknown, after, &footer_bytes.to_le_bytes(), b"PAR1"].concat()
}

#[test]
fn columns_of_an_unknown_logical_type_are_named() {
    let string = b"\x25\x00\x4c\x1c";
    let strings: ArrayRef = Arc::new(StringArray::from(vec!["a", "b"]));
    let file = of_unknown_type(strings, string);
    let sandbox = Sandbox::with("in.parquet", &file);
    let error = sandbox.rewrite("in.parquet", "out.parquet", &rows(&[1])).unwrap_err().to_string();
    let expected = "out.parquet: column `x` is of a logical type that is not known here, which Parquet cannot hold; \
                    Arrow, JSON Lines and CSV can, as bytes";
    assert!(error.ends_with(expected), "{error}");
    sandbox.rewrite("in.parquet", "out.arrow", &rows(&[1, 2])).unwrap();
    let values = sandbox.batches("out.arrow", RecordFormat::Arrow)[0].column(1).clone();
    assert_eq!(values.as_binary::<i32>().value(1), b"b");
    let date = b"\x25\x0c\x4c\x6c";
    let dates: ArrayRef = Arc::new(Date32Array::from(vec![1, 2]));
    let file = of_unknown_type(dates, date);
    let sandbox = Sandbox::with("in.parquet", &file);
    let error = sandbox.rewrite("in.parquet", "out.jsonl", &rows(&[1])).unwrap_err().to_string();
    assert!(error.contains("in.parquet as Parquet: column `x` has a type that"), "{error}");
}
