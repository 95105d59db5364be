use super::*;
use crate::base::{Error, Result, Span};
use crate::columns::{BatchFormat, BatchReader, BatchWriter};
use crate::formats::{RecordFormat, RowFormat};
use crate::outputs::AtomicFile;
use crate::read::read_basis;
use crate::rows::{Annotation, AnnotationKind, BASIS_KEY, Figures, Verified};
use crate::sources::{FieldNames, discover};
use crate::testing::{batch_of, folder_with, parquet_of};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, UInt64Type};
use arrow_array::{ArrayRef, Int64Array, ListArray, RecordBatch, StringArray, TimestampMicrosecondArray};
use arrow_ipc::CompressionType;
use arrow_schema::{DataType, Schema};
use lookalike_core::DocId;
use lookalike_core::similarity::Figure;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression as Codec, Type as PhysicalType};
use parquet::data_type::{Int96, Int96Type};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::record::RowAccessor;
use parquet::schema::parser::parse_message_type;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

const ANNOTATION_COLUMNS: [&str; 4] =
    ["lookalike_duplicate", "lookalike_kept", "lookalike_similarity", "lookalike_cluster_size"];

/// Options of a job.
#[derive(Default)]
struct Rewriting<'a> {
    /// Name of the field of texts, if it is not `text`.
    text: Option<&'a str>,
    edit: Option<TextEdit<'a>>,
    basis: Option<&'a str>,
    stops: bool,
}

/// A folder with a file, and the outputs of `rewrite` for some of its records.
struct Sandbox {
    folder: TempDir,
}

impl Sandbox {
    fn with(name: &str, content: &[u8]) -> Self {
        Self { folder: folder_with([(name, content)]) }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn rewrite(&self, from: &str, to: &str, records: &[SelectedRecord<'_>]) -> Result<()> {
        self.rewrite_all(&[from], to, records, &Rewriting::default())
    }

    fn rewrite_all(
        &self,
        from: &[&str],
        to: &str,
        records: &[SelectedRecord<'_>],
        rewriting: &Rewriting<'_>,
    ) -> Result<()> {
        let found = discover(&from.iter().map(|name| self.path(name)).collect::<Vec<_>>())?;
        let annotations = match records.iter().find_map(|record| record.annotation) {
            Some(Annotation::Decision { .. }) => Annotations::Add(AnnotationKind::Decision(Figure::Similarity)),
            Some(Annotation::Cut { .. }) => Annotations::Add(AnnotationKind::Cut),
            None => Annotations::Omit,
        };
        let text = rewriting.text.unwrap_or("text").to_owned();
        let fields = FieldNames { text, ..FieldNames::default() };
        let to = self.path(to);
        let format = RowFormat::from_path(&to)?;
        let sources = &found.sources.iter().collect::<Vec<_>>();
        let Rewriting { edit, basis, .. } = *rewriting;
        let job = Rewrite { sources, fields: &fields, limit: None, format, annotations, edit, basis };
        rewrite(job, AtomicFile::create(&to)?, |_| records.iter().copied(), &mut |_| !rewriting.stops)?.finish()
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn batches(&self, name: &str, format: RecordFormat) -> Vec<RecordBatch> {
        let mut reader = BatchReader::open(&self.path(name), format, None, None).unwrap();
        std::iter::from_fn(|| reader.next().unwrap()).collect()
    }
}

/// A record whose document has its number.
fn selected(number: u64, span: Span) -> SelectedRecord<'static> {
    SelectedRecord { number, document: DocId(number as u32), span, annotation: None }
}

fn rows(numbers: &[u64]) -> Vec<SelectedRecord<'static>> {
    numbers.iter().map(|&number| selected(number, Span { offset: 0, length: 0 })).collect()
}

/// Records of all lines of a text.
fn lines(text: &str) -> Vec<SelectedRecord<'static>> {
    let mut offset = 0;
    let span = |line: &str| {
        let span = Span { offset, length: line.len() as u64 };
        offset += span.length;
        span
    };
    let spans: Vec<Span> = text.split_inclusive('\n').map(span).collect();
    (1..).zip(spans).map(|(number, span)| selected(number, span)).collect()
}

fn annotated<'a>(records: &[SelectedRecord<'_>]) -> Vec<SelectedRecord<'a>> {
    let annotation = Some(Annotation::Decision {
        duplicate: true,
        kept: "k\"",
        figures: Figures::new(Figure::Similarity, Verified::from_similarity(0.875)),
        cluster_size: u32::MAX,
    });
    records.iter().map(|record| SelectedRecord { annotation, ..selected(record.number, record.span) }).collect()
}

/// A table with lists, nulls, times, and groups of three rows.
fn table() -> (RecordBatch, Vec<u8>) {
    let lists = (0..8).map(|row| (row % 3 > 0).then(|| (0..row).map(|item| (item % 2 == 0).then_some(item))));
    let lists: ListArray = ListArray::from_iter_primitive::<Int64Type, _, _>(lists);
    let texts = StringArray::from_iter((0..8).map(|row| (row != 5).then(|| format!("text {row}"))));
    let days = TimestampMicrosecondArray::from_iter_values((0..8).map(|row| row * 86_400_000_000)).with_timezone("UTC");
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("lists", Arc::new(lists)),
        ("text", Arc::new(texts)),
        ("day", Arc::new(days)),
        ("id", Arc::new(Int64Array::from_iter_values(0..8))),
    ];
    let batch = batch_of(columns);
    let properties = WriterProperties::builder()
        .set_max_row_group_row_count(Some(3))
        .set_compression(Codec::SNAPPY)
        .set_column_compression("text".into(), Codec::BROTLI(Default::default()))
        .set_column_dictionary_enabled("id".into(), false)
        .set_key_value_metadata(Some(vec![KeyValue::new("who".to_owned(), "me".to_owned())]));
    let file = parquet_of(std::slice::from_ref(&batch), properties);
    (batch, file)
}

#[test]
fn parquet_comes_back_with_all_that_describes_it() {
    let (batch, content) = table();
    let sandbox = Sandbox::with("in.parquet", &content);
    sandbox.rewrite("in.parquet", "out.parquet", &rows(&[1, 2, 3, 5, 8])).unwrap();
    let open = |name| SerializedFileReader::new(fs::File::open(sandbox.path(name)).unwrap()).unwrap();
    let before = open("in.parquet");
    let after = open("out.parquet");
    let before = before.metadata();
    let after = after.metadata();
    assert_eq!(before.file_metadata().schema(), after.file_metadata().schema());
    assert_eq!(before.file_metadata().key_value_metadata(), after.file_metadata().key_value_metadata());
    let groups: Vec<i64> = after.row_groups().iter().map(|group| group.num_rows()).collect();
    assert_eq!(groups, [3, 1, 1]);
    for (left, right) in before.row_group(0).columns().iter().zip(after.row_group(0).columns()) {
        assert_eq!(left.compression(), right.compression());
        assert_eq!(left.dictionary_page_offset().is_some(), right.dictionary_page_offset().is_some());
    }
    let batches = sandbox.batches("out.parquet", RecordFormat::Parquet);
    for (found, (from, length)) in batches.iter().zip([(0, 3), (4, 1), (7, 1)]) {
        assert_eq!(*found, batch.slice(from, length));
    }
    sandbox.rewrite("in.parquet", "all.parquet", &rows(&[1, 2, 3, 4, 5, 6, 7, 8])).unwrap();
    sandbox.rewrite("in.parquet", "again.parquet", &rows(&[1, 2, 3, 4, 5, 6, 7, 8])).unwrap();
    assert_eq!(fs::read(sandbox.path("all.parquet")).unwrap(), fs::read(sandbox.path("again.parquet")).unwrap());
    sandbox.rewrite("in.parquet", "none.parquet", &[]).unwrap();
    assert!(sandbox.batches("none.parquet", RecordFormat::Parquet).is_empty());
    let beyond = sandbox.rewrite("in.parquet", "beyond.parquet", &rows(&[1, 9])).unwrap_err();
    assert!(matches!(beyond, Error::Changed { .. }) && !sandbox.path("beyond.parquet").exists());
}

#[test]
fn the_basis_of_a_choice_takes_the_place_of_that_of_its_source() {
    let (_, content) = table();
    let sandbox = Sandbox::with("in.parquet", &content);
    let choose = |from: &str, to: &str, basis| {
        sandbox.rewrite_all(&[from], to, &rows(&[1, 2]), &Rewriting { basis, ..Rewriting::default() }).unwrap();
    };
    let basis_of = |name: &str| read_basis(&sandbox.path(name)).unwrap();
    choose("in.parquet", "a.parquet", Some("first"));
    choose("a.parquet", "b.arrow", Some("second"));
    let (batch, _) = table();
    let stream = BatchFormat::ArrowStream(None);
    let metadata = HashMap::from([("who".to_owned(), "me".to_owned()), (BASIS_KEY.to_owned(), "second".to_owned())]);
    let schema = Arc::new(Schema::new_with_metadata(batch.schema().fields().clone(), metadata));
    let mut writer =
        BatchWriter::create(AtomicFile::create(&sandbox.path("s.arrow")).unwrap(), &stream, &schema).unwrap();
    writer.write(&batch).unwrap();
    writer.seal().unwrap().publish().unwrap();
    for (from, to) in [
        ("a.parquet", "c.parquet"),
        ("a.parquet", "c.arrow"),
        ("b.arrow", "d.parquet"),
        ("b.arrow", "d.arrow"),
        ("s.arrow", "e.parquet"),
        ("s.arrow", "e.arrow"),
    ] {
        assert!(basis_of(from).is_some());
        choose(from, to, Some("last"));
        assert_eq!(basis_of(to).as_deref(), Some("last"), "{from} to {to}");
        let bytes = fs::read(sandbox.path(to)).unwrap();
        let holds = |basis: &str| bytes.windows(basis.len()).any(|found| found == basis.as_bytes());
        assert!(!holds("first") && !holds("second"), "{from} to {to}");
        choose(from, to, None);
        assert_eq!(basis_of(to), None, "{from} to {to}");
        let fields = BatchReader::open(&sandbox.path(to), RecordFormat::of_name(Path::new(to)).unwrap(), None, None);
        assert_eq!(fields.unwrap().schema().metadata().get("who").map(String::as_str), Some("me"), "{from} to {to}");
    }
}

#[test]
fn types_that_arrow_does_not_have_come_back_too() {
    let schema = parse_message_type("message m { required int96 old; optional binary text (JSON); }").unwrap();
    let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let times: Vec<Int96> = (0..3).map(|day| Int96::from(vec![7, day, 2_440_588])).collect();
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<Int96Type>().write_batch(&times, None, None).unwrap();
    column.close().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let texts = ["{}".into(), "[]".into()];
    column.typed::<parquet::data_type::ByteArrayType>().write_batch(&texts, Some(&[1, 0, 1]), None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    let sandbox = Sandbox::with("in.parquet", &writer.into_inner().unwrap());
    sandbox.rewrite("in.parquet", "out.parquet", &rows(&[2, 3])).unwrap();
    let file = SerializedFileReader::new(fs::File::open(sandbox.path("out.parquet")).unwrap()).unwrap();
    assert_eq!(file.metadata().file_metadata().schema_descr().column(0).physical_type(), PhysicalType::INT96);
    let found: Vec<_> = file.get_row_iter(None).unwrap().map(|row| row.unwrap()).collect();
    assert_eq!(found.len(), 2);
    assert_eq!(found[1].get_string(1).unwrap(), "[]");
}

#[test]
fn annotations_are_columns_and_in_json_an_object() {
    let (batch, content) = table();
    let sandbox = Sandbox::with("in.parquet", &content);
    let records = annotated(&rows(&[1, 2, 7]));
    for (name, format) in [("out.parquet", RecordFormat::Parquet), ("out.arrow", RecordFormat::Arrow)] {
        sandbox.rewrite("in.parquet", name, &records).unwrap();
        let batches = sandbox.batches(name, format);
        let schema = batches[0].schema();
        let names: Vec<&str> = schema.fields().iter().skip(4).map(|field| field.name().as_str()).collect();
        assert_eq!(names, ANNOTATION_COLUMNS);
        let types: Vec<&DataType> = schema.fields().iter().skip(4).map(|field| field.data_type()).collect();
        assert_eq!(types, [&DataType::Boolean, &DataType::Utf8, &DataType::Float64, &DataType::UInt32]);
        assert_eq!(batches[0].column(5).as_string::<i32>().value(0), "k\"");
        assert_eq!(batches[0].slice(0, 2).columns()[..4], batch.slice(0, 2).columns()[..]);
        sandbox.rewrite(name, "again.jsonl", &annotated(&rows(&[1]))).unwrap();
        let again = sandbox.rewrite(name, "again.arrow", &annotated(&rows(&[1]))).unwrap_err();
        assert!(matches!(again, Error::ColumnExists { .. }));
    }
    sandbox.rewrite("in.parquet", "out.jsonl", &records).unwrap();
    let text = sandbox.text("out.jsonl");
    let last: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    let lookalike =
        serde_json::json!({"duplicate": true, "kept": "k\"", "similarity": 0.875, "cluster_size": u32::MAX});
    assert_eq!(last["lookalike"], lookalike);
    assert_eq!((&last["day"], &last["lists"]), (&"1970-01-07T00:00:00Z".into(), &serde_json::Value::Null));
}

#[test]
fn arrow_keeps_its_form_compression_and_metadata() {
    let (batch, _) = table();
    let metadata = HashMap::from([("who".to_owned(), "me".to_owned())]);
    let schema = Arc::new(Schema::new_with_metadata(batch.schema().fields().clone(), metadata.clone()));
    let batch = batch.with_schema(schema.clone()).unwrap();
    for format in [
        BatchFormat::ArrowFile(None, metadata.clone()),
        BatchFormat::ArrowFile(Some(CompressionType::ZSTD), HashMap::new()),
        BatchFormat::ArrowStream(Some(CompressionType::LZ4_FRAME)),
        BatchFormat::ArrowStream(None),
    ] {
        let sandbox = Sandbox::with("x", b"");
        let mut writer =
            BatchWriter::create(AtomicFile::create(&sandbox.path("in.arrow")).unwrap(), &format, &schema).unwrap();
        [batch.slice(0, 3), batch.slice(3, 2), batch.slice(5, 3)].iter().for_each(|batch| writer.write(batch).unwrap());
        writer.seal().unwrap().publish().unwrap();
        sandbox.rewrite("in.arrow", "out.arrow", &rows(&[2, 3, 6, 7, 8])).unwrap();
        let mut reader = BatchReader::open(&sandbox.path("out.arrow"), RecordFormat::Arrow, None, None).unwrap();
        assert_eq!(reader.schema(), &schema);
        assert_eq!(reader.next().unwrap().unwrap(), batch.slice(1, 2));
        assert_eq!(reader.arrow_format(), format);
        assert_eq!(reader.next().unwrap().unwrap(), batch.slice(5, 3));
        assert!(reader.next().unwrap().is_none());
    }
}

const RECORDS: &str = concat!(
    r#"{"id":18446744073709551615,"text":"a\"b\u00e9\n\ud83d\ude00\u0000","n":1,"mixed":1.10,"big":9007199254740993}"#,
    "\n",
    r#"{"text":"","id":2,"n":-3,"mixed":"x","list":[],"deep":{"er":[{"x":null}]},"big":0.5,"flag":true}"#,
    "\r\n  ",
    r#"{"id":3,"text":" two  words\t","n":null,"mixed":true,"list":[1,2.5,null],"#,
    r#""deep":{"er":[{"x":"y"},{}]},"whole":7}"#,
);

#[test]
fn json_becomes_columns_and_comes_back() {
    let sandbox = Sandbox::with("in.jsonl", RECORDS.as_bytes());
    let expected: Vec<serde_json::Value> = [
        concat!(
            r#"{"id":18446744073709551615,"text":"a\"b\u00e9\n\ud83d\ude00\u0000","n":1,"mixed":"1.10","#,
            r#""big":"9007199254740993","list":null,"deep":null,"flag":null,"whole":null}"#
        ),
        concat!(
            r#"{"id":2,"text":"","n":-3,"mixed":"x","big":"0.5","list":[],"#,
            r#""deep":{"er":[{"x":null}]},"flag":true,"whole":null}"#
        ),
        concat!(
            r#"{"id":3,"text":" two  words\t","n":null,"mixed":"true","big":null,"list":[1.0,2.5,null],"#,
            r#""deep":{"er":[{"x":"y"},{"x":null}]},"flag":null,"whole":7}"#
        ),
    ]
    .map(|line| serde_json::from_str(line).unwrap())
    .into();
    for (name, format) in [("out.parquet", RecordFormat::Parquet), ("out.arrow", RecordFormat::Arrow)] {
        sandbox.rewrite("in.jsonl", name, &lines(RECORDS)).unwrap();
        let batches = sandbox.batches(name, format);
        assert_eq!(batches[0].column_by_name("id").unwrap().as_primitive::<UInt64Type>().value(0), u64::MAX);
        let text = batches[0].column_by_name("text").unwrap();
        assert_eq!(text.as_string::<i32>().value(0), "a\"b\u{e9}\n\u{1f600}\0");
        sandbox.rewrite(name, "back.jsonl", &rows(&[1, 2, 3])).unwrap();
        let back = sandbox.text("back.jsonl");
        let back: Vec<serde_json::Value> = back.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(back, expected);
    }
}

/// Characters of all planes with assigned ones, and the last of each plane that is no noncharacter.
fn of_all_planes() -> String {
    (1..=16).flat_map(|plane| [0x0, 0xBB7, 0xFFFD].map(|low| char::from_u32(plane << 16 | low).unwrap())).collect()
}

/// JSON as Python writes it by default: all but ASCII as escapes.
fn escaped_json(text: &str) -> String {
    text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect()
}

#[test]
fn surrogate_escapes_of_all_planes_are_converted_in_values_and_names() {
    let planes = of_all_planes();
    let escaped = escaped_json(&planes);
    let nested = format!(
        "{{\"text\":\"{escaped}\",\"{escaped}\":\"x\",\"deep\":{{\"{escaped}\":[\"{escaped}\",null]}},\
         \"list\":[{{\"a\":\"{escaped}\"}}]}}\n"
    );
    let sandbox = Sandbox::with("in.jsonl", nested.as_bytes());
    let expected: serde_json::Value = serde_json::from_str(&nested).unwrap();
    assert_eq!(expected["deep"][&planes][0], *planes);
    for name in ["out.parquet", "out.arrow"] {
        sandbox.rewrite("in.jsonl", name, &lines(&nested)).unwrap();
        sandbox.rewrite(name, "back.jsonl", &rows(&[1])).unwrap();
        let back: serde_json::Value = serde_json::from_str(&sandbox.text("back.jsonl")).unwrap();
        assert_eq!(back, expected, "{name}");
    }
    let flat = format!("{{\"text\":\"{escaped}\",\"{escaped}\":\"{escaped}\"}}\n");
    let sandbox = Sandbox::with("in.jsonl", flat.as_bytes());
    for (name, delimiter) in [("out.csv", ","), ("out.tsv", "\t")] {
        sandbox.rewrite("in.jsonl", name, &lines(&flat)).unwrap();
        assert_eq!(sandbox.text(name), format!("text{delimiter}{planes}\n{planes}{delimiter}{planes}\n"));
    }
}

#[test]
fn half_a_surrogate_pair_ends_a_conversion_with_its_line() {
    for value in ["\\ud842", "\\udfb7\\ud842", "\\ud842x"] {
        let content = format!("{{\"text\":\"a\"}}\n{{\"text\":\"b\",\"other\":[\"{value}\"]}}\n");
        let sandbox = Sandbox::with("in.jsonl", content.as_bytes());
        let error = sandbox.rewrite("in.jsonl", "out.parquet", &lines(&content)).unwrap_err().to_string();
        assert!(error.contains("in.jsonl") && error.contains("line 2: "), "{error}");
        assert!(!sandbox.path("out.parquet").exists());
    }
}

#[test]
fn nothing_nested_goes_into_a_table_of_text() {
    let sandbox = Sandbox::with("in.jsonl", RECORDS.as_bytes());
    for name in ["out.csv", "out.tsv"] {
        let error = sandbox.rewrite("in.jsonl", name, &lines(RECORDS)).unwrap_err();
        assert!(error.to_string().contains("column `list` is nested"), "{error}");
    }
    sandbox.rewrite("in.jsonl", "out.csv", &lines(RECORDS)[..1]).unwrap();
    let expected = "id,text,n,mixed,big\n18446744073709551615,\"a\"\"b\u{e9}\n\u{1f600}\0\",1,1.1,9007199254740993\n";
    assert_eq!(sandbox.text("out.csv"), expected);
    sandbox.rewrite("in.jsonl", "out.tsv", &annotated(&lines(RECORDS)[..1])).unwrap();
    assert!(sandbox.text("out.tsv").ends_with("\ttrue\t\"k\"\"\"\t0.875\t4294967295\n"));
}

#[test]
fn byte_order_marks_in_rows_of_a_table_are_characters_wherever_a_batch_begins() {
    let content: String = (0..5000).map(|row| format!("\u{feff}k{row},one two\n")).collect();
    let content = format!("\u{feff}id,text\n{content}");
    let sandbox = Sandbox::with("in.csv", content.as_bytes());
    sandbox.rewrite("in.csv", "out.tsv", &lines(&content)[1..]).unwrap();
    let expected = content.trim_start_matches('\u{feff}').replace(',', "\t");
    assert!(sandbox.text("out.tsv") == expected);
}

#[test]
fn records_without_a_common_shape_are_refused_and_none_give_an_empty_table() {
    for (content, expected) in [
        ("{\"text\":\"a\",\"x\":[1]}\n{\"text\":\"b\",\"x\":\"y\"}\n", "line 2: field `x` is an array in some records"),
        ("{\"text\":\"a\",\"x\":1,\"x\":2}\n", "line 1: field `x` appears twice"),
        ("{\"text\":\"a\",\"x\":[1,{}]}\n", "line 1: an array whose item is neither"),
    ] {
        let sandbox = Sandbox::with("in.jsonl", content.as_bytes());
        let error = sandbox.rewrite("in.jsonl", "out.parquet", &lines(content)).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let sandbox = Sandbox::with("in.jsonl", b"{\"text\":\"a\",\"x\":{}}\n");
    let error = sandbox.rewrite("in.jsonl", "out.parquet", &lines("{\"text\":\"a\",\"x\":{}}\n")).unwrap_err();
    assert!(error.to_string().contains("column `x` is an object without fields"), "{error}");
    sandbox.rewrite("in.jsonl", "out.csv", &[]).unwrap();
    assert_eq!(sandbox.text("out.csv"), "id,text\n");
    for name in ["out.parquet", "out.arrow"] {
        sandbox.rewrite("in.jsonl", name, &[]).unwrap();
        assert!(discover(&[sandbox.path(name)]).is_ok());
    }
}

#[test]
fn row_groups_end_before_they_take_much_memory() {
    // Numbers that zstd cannot pack to less than half.
    let mut number = 1u64;
    let mut next = || {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        format!("{:x}", number >> 8)
    };
    let content: String =
        (0..400).map(|_| format!("{{\"text\":\"{}\"}}\n", (0..8000).map(|_| next()).collect::<String>())).collect();
    let sandbox = Sandbox::with("in.jsonl", content.as_bytes());
    sandbox.rewrite("in.jsonl", "out.parquet", &lines(&content)).unwrap();
    let reader = SerializedFileReader::new(fs::File::open(sandbox.path("out.parquet")).unwrap()).unwrap();
    let sizes: Vec<i64> = reader.metadata().row_groups().iter().map(|group| group.compressed_size()).collect();
    assert!(sizes.len() > 1 && sizes.iter().all(|&size| size < 20 << 20), "{sizes:?}");
}

#[test]
fn a_stopped_conversion_leaves_no_file() {
    let sandbox = Sandbox::with("in.parquet", &table().1);
    let rewriting = Rewriting { stops: true, ..Rewriting::default() };
    for name in ["out.parquet", "out.arrow", "out.jsonl"] {
        let stopped = sandbox.rewrite_all(&["in.parquet"], name, &rows(&[1, 2]), &rewriting);
        assert!(matches!(stopped, Err(Error::Stopped)), "{name}: {stopped:?}");
        assert_eq!(fs::read_dir(sandbox.folder.path()).unwrap().count(), 1);
    }
}

mod edits;
mod values;
