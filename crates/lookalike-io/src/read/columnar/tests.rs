use crate::base::{Error, Number, Result, Score};
use crate::read::Blocks;
use crate::sources::discover;
use crate::sources::{Digits, FieldNames, Fingerprints};
use crate::testing::{batch_of, file_with, parquet_of};
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BinaryArray, BinaryViewArray, Decimal128Array, DictionaryArray, FixedSizeBinaryArray, Float64Array,
    Int32Array, Int64Array, LargeBinaryArray, LargeStringArray, RecordBatch, StringArray, StringViewArray, StructArray,
    TimestampMicrosecondArray, UInt64Array,
};
use arrow_buffer::NullBuffer;
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_schema::{DataType, Field, Fields};
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Id, text, score and row of each document, and the bad records.
type Found = (Vec<(String, String, Option<Score>, u64)>, Vec<String>);

fn read(path: &Path, names: &FieldNames, limit: impl Into<Option<u64>>) -> Result<Found> {
    let found = discover(&[path.to_owned()])?;
    let mut documents = Vec::new();
    let mut bad = Vec::new();
    for block in Blocks::new(&found.sources, names, limit.into()) {
        block?.for_each_document(names, |document| match document {
            Ok(found) => {
                documents.push((found.id.into_owned(), found.content.stored().into_owned(), found.score, found.number));
            }
            Err(record) => bad.push(record.to_string()),
        });
    }
    Ok((documents, bad))
}

fn parquet(batch: &RecordBatch, rows_a_group: usize, compression: Compression) -> Vec<u8> {
    let properties = WriterProperties::builder()
        .set_max_row_group_row_count(Some(rows_a_group))
        .set_data_page_row_count_limit(10)
        .set_write_batch_size(10)
        .set_compression(compression);
    parquet_of(std::slice::from_ref(batch), properties)
}

fn arrow_file(batches: &[RecordBatch], compression: Option<CompressionType>) -> Vec<u8> {
    let options = IpcWriteOptions::default().try_with_compression(compression).unwrap();
    let mut writer = FileWriter::try_new_with_options(Vec::new(), &batches[0].schema(), options).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.into_inner().unwrap()
}

fn arrow_stream(batches: &[RecordBatch], compression: Option<CompressionType>) -> Vec<u8> {
    let options = IpcWriteOptions::default().try_with_compression(compression).unwrap();
    let mut writer = StreamWriter::try_new_with_options(Vec::new(), &batches[0].schema(), options).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.into_inner().unwrap()
}

fn with_file(name: &str, content: &[u8], test: impl FnOnce(&Path)) {
    let (_folder, path) = file_with(name, content);
    test(&path);
}

/// Forms in which a batch can be written.
fn forms(batch: &RecordBatch) -> Vec<(&'static str, Vec<u8>)> {
    let snappy = Compression::SNAPPY;
    let lz4 = Some(CompressionType::LZ4_FRAME);
    let zstd = Some(CompressionType::ZSTD);
    let batches = [batch.slice(0, 1), batch.slice(0, 0), batch.slice(1, batch.num_rows() - 1)];
    vec![
        ("x.parquet", parquet(batch, 2, snappy)),
        ("x", parquet(batch, 1000, Compression::UNCOMPRESSED)),
        ("x.arrow", arrow_file(&batches, None)),
        ("lz4.feather", arrow_file(&batches, lz4)),
        ("stream.arrow", arrow_stream(&batches, None)),
        ("stream", arrow_stream(&batches, zstd)),
    ]
}

fn names(text: &str, id: &str, score: Option<&str>) -> FieldNames {
    FieldNames { text: text.to_owned(), id: id.to_owned(), score: score.map(str::to_owned), ..FieldNames::default() }
}

#[test]
fn every_kind_of_column_is_read_from_every_form() {
    let texts = [Some("one"), None, Some(""), Some("vier 四"), Some("one")];
    let dictionary: DictionaryArray<Int32Type> = texts.into_iter().collect();
    let inner: ArrayRef = Arc::new(StringArray::from(vec!["one", "hidden", "", "vier 四", "one"]));
    let fields = Fields::from(vec![Field::new("text", DataType::Utf8, false)]);
    let nulls = NullBuffer::from(vec![true, false, true, true, true]);
    let batch = batch_of(vec![
        ("unused", Arc::new(Float64Array::from(vec![0.5; 5]))),
        ("text", Arc::new(StringArray::from(texts.to_vec()))),
        ("large", Arc::new(LargeStringArray::from(texts.to_vec()))),
        ("view", Arc::new(StringViewArray::from(texts.to_vec()))),
        ("dictionary", Arc::new(dictionary)),
        ("doc", Arc::new(StructArray::new(fields, vec![inner], Some(nulls)))),
        ("id", Arc::new(StringArray::from(vec![Some("a"), Some("b"), Some("c"), None, Some("e")]))),
        ("number", Arc::new(UInt64Array::from(vec![Some(u64::MAX), Some(2), Some(3), None, Some(5)]))),
        ("score", Arc::new(Float64Array::from(vec![Some(1.5), None, Some(f64::NAN), Some(-1.0), Some(0.0)]))),
        ("whole", Arc::new(Int64Array::from(vec![7; 5]))),
        (
            "price",
            Arc::new(
                Decimal128Array::from(vec![1_700_000_000_123_456_788; 5]).with_precision_and_scale(38, 9).unwrap(),
            ),
        ),
        ("day", Arc::new(TimestampMicrosecondArray::from(vec![1_700_000_000_000_000; 5]).with_timezone("+02:00"))),
    ]);
    for (name, content) in forms(&batch) {
        with_file(name, &content, |path| {
            for text in ["text", "large", "view", "dictionary", "doc.text"] {
                for (id, ids) in [("id", ["a", "c", "e"]), ("number", ["18446744073709551615", "3", "5"])] {
                    let (documents, bad) = read(path, &names(text, id, Some("score")), 1000).unwrap();
                    let nameless = format!("{name}:4");
                    let expected = [
                        (ids[0].to_owned(), "one".to_owned(), Some(Score::Number(Number::of_float(1.5).unwrap())), 1),
                        (ids[1].to_owned(), String::new(), Some(Score::Missing), 3),
                        (nameless, "vier 四".to_owned(), Some(Score::Number(Number::of_float(-1.0).unwrap())), 4),
                        (ids[2].to_owned(), "one".to_owned(), Some(Score::Number(Number::of_float(0.0).unwrap())), 5),
                    ];
                    assert_eq!(documents, expected, "{name} {text} {id}");
                    let null = format!("{}:2: field `{text}` is null, expected a string", path.display());
                    assert_eq!(bad, [null], "{name} {text} {id}");
                }
            }
            for (score, expected) in [
                ("whole", Score::Number(Number::of_float(7.0).unwrap())),
                ("price", Score::Number(Number::of_text("1700000000.123456788").unwrap())),
                ("day", Score::Text("2023-11-14T22:13:20".to_owned())),
                ("view", Score::Text("one".to_owned())),
            ] {
                let (documents, _) = read(path, &names("text", "none", Some(score)), 1000).unwrap();
                assert_eq!(documents[0].2, Some(expected), "{name}");
            }
            let (documents, bad) = read(path, &names("text", "id", None), 5).unwrap();
            assert_eq!((documents.len(), bad.len()), (3, 2), "the text of the fourth is too long");
        });
    }
}

#[test]
fn columns_that_cannot_be_used_are_named() {
    let texts: ArrayRef = Arc::new(StringArray::from(vec!["one", "two"]));
    let numbers: ArrayRef = Arc::new(Float64Array::from(vec![0.5; 2]));
    let batch = batch_of(vec![("text", texts), ("lookalike_kept", Arc::clone(&numbers)), ("id", numbers)]);
    for (name, content) in forms(&batch) {
        with_file(name, &content, |path| {
            let refused = |names: &FieldNames| read(path, names, 9).unwrap_err().to_string();
            let words = refused(&names("body", "id", None));
            assert!(words.ends_with("has no column `body`; its columns are `text`, `lookalike_kept`, `id`"), "{words}");
            let words = refused(&names("id", "none", None));
            assert!(words.ends_with("is of type Float64, expected strings") && words.contains("`id`"), "{words}");
            assert!(refused(&names("text", "id", None)).contains("expected strings or integers"));
            let mut annotated = names("text", "none", None);
            annotated.reserved = Some("lookalike".to_owned());
            assert!(refused(&annotated).ends_with("has a column `lookalike_kept` already"));
        });
    }
}

#[test]
fn long_texts_come_in_several_blocks_and_many_rows_keep_their_numbers() {
    let texts: Vec<String> =
        (0..300).map(|row| format!("{row} ").repeat(if row % 3 == 0 { 30_000 } else { 1 })).collect();
    let batch = batch_of(vec![("text", Arc::new(StringArray::from(texts.clone())) as ArrayRef)]);
    for (name, content) in forms(&batch) {
        with_file(name, &content, |path| {
            let found = discover(&[path.to_owned()]).unwrap();
            let names = FieldNames::default();
            let blocks: Vec<_> = Blocks::new(&found.sources, &names, None).map(Result::unwrap).collect();
            assert!(blocks.iter().all(|block| block.bytes() < 3 << 20), "{name}");
            let input: u64 = blocks.iter().map(|block| block.input_bytes).sum();
            assert!(input <= content.len() as u64 && input >= content.len() as u64 * 9 / 10, "{name}: {input}");
            let (documents, bad) = read(path, &names, None).unwrap();
            assert!(bad.is_empty() && documents.iter().map(|(_, text, ..)| text).eq(&texts), "{name}");
            assert!(documents.iter().map(|(.., row)| *row).eq(1..=300), "{name}");
        });
    }
}

#[test]
fn what_is_packed_as_a_whole_or_no_such_file_is_refused() {
    use std::io::Write;
    let batch = batch_of(vec![("text", Arc::new(StringArray::from(vec!["one", "two"])) as ArrayRef)]);
    for (name, content) in forms(&batch) {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(&content).unwrap();
        with_file(&format!("{name}.gz"), &encoder.finish().unwrap(), |path| {
            assert!(matches!(read(path, &FieldNames::default(), 9), Err(Error::PackedColumns { .. })), "{name}");
        });
    }
    for name in ["x.parquet", "x.PQ", "x.arrow", "x.feather", "x.ipc"] {
        for content in ["", "PAR1", "ARROW1", "PAR1PAR1PAR1", "{\"text\":\"x\"}\n", "FEA1...."] {
            with_file(name, content.as_bytes(), |path| {
                let error = read(path, &FieldNames::default(), 9).unwrap_err();
                let is_expected = match content {
                    "" => matches!(error, Error::EmptyFile { .. }),
                    _ => matches!(error, Error::NotInFormat { .. } | Error::LooksLike { .. }),
                };
                assert!(is_expected, "{name} {content}: {error}");
            });
        }
    }
}

/// Reads `content` damaged by `damage` at every offset: at most one bad record, after good ones.
fn read_damaged(name: &str, content: &[u8], step: usize, damage: impl Fn(usize) -> Vec<u8>) {
    with_file(name, content, |path| {
        let (whole, _) = read(path, &FieldNames::default(), 1000).unwrap();
        for at in (0..content.len()).step_by(step) {
            // Some file systems write a file that is shortened to the disk at once, and we make thousands.
            fs::remove_file(path).unwrap();
            fs::write(path, damage(at)).unwrap();
            match read(path, &FieldNames::default(), 1000) {
                Ok((documents, bad)) => {
                    let damaged = bad.iter().filter(|bad| bad.contains("cannot be decoded")).count();
                    assert!(damaged <= 1, "{name} {at}");
                    assert!(documents.len() <= whole.len() * 2, "{name} {at}: {} documents", documents.len());
                }
                Err(Error::EmptyFile { .. }) if at == 0 => {}
                Err(Error::NotInFormat { .. } | Error::NoColumn { .. } | Error::ColumnType { .. }) => {}
                Err(error) => panic!("{name} {at}: {error}"),
            }
        }
    });
}

fn small() -> RecordBatch {
    let texts: Vec<String> = (0..40).map(|row| format!("text number {}", row % 7)).collect();
    batch_of(vec![
        ("text", Arc::new(StringArray::from(texts)) as ArrayRef),
        ("id", Arc::new(Int64Array::from_iter(0..40))),
    ])
}

#[test]
fn files_cut_anywhere_are_errors_or_end_in_a_bad_record() {
    for (name, content) in forms(&small()) {
        read_damaged(name, &content, 1, |at| content[..at].to_vec());
    }
}

#[test]
fn flipped_bytes_never_end_the_program() {
    for (name, content) in forms(&small()) {
        for bits in [0xFF, 0x01, 0x80] {
            read_damaged(name, &content, 1, |at| {
                let mut changed = content.clone();
                changed[at] ^= bits;
                changed
            });
        }
    }
}

#[test]
fn the_rows_before_the_damage_are_kept() {
    let content = parquet(&small(), 10, Compression::SNAPPY);
    let metadata = parquet::file::metadata::ParquetMetaDataReader::new();
    let metadata = metadata.parse_and_finish(&bytes::Bytes::from(content.clone())).unwrap();
    let (start, length) = metadata.row_group(2).column(0).byte_range();
    let mut changed = content;
    changed[start as usize..(start + length) as usize].fill(0xEE);
    with_file("x.parquet", &changed, |path| {
        let (documents, bad) = read(path, &FieldNames::default(), 1000).unwrap();
        assert!(documents.iter().map(|(id, ..)| id.parse::<u64>().unwrap()).eq(0..20));
        assert_eq!(bad.len(), 1);
        assert!(bad[0].starts_with(&format!("{}:21: cannot be decoded from this row on: ", path.display())), "{bad:?}");
    });
}

/// Texts and ids without a type that says so, as older writers of Parquet store them.
#[test]
fn bytes_are_taken_as_text_and_what_is_not_utf_8_is_a_bad_record() {
    let texts: [Option<&[u8]>; 5] = [Some(b"one"), Some(b"a\xFFb"), None, Some("vier 四".as_bytes()), Some(b"five")];
    let ids: [Option<&[u8]>; 5] = [Some(b"a"), Some(b"b"), Some(b"c"), None, Some(b"\xC3(")];
    let fields = Fields::from(vec![Field::new("text", DataType::Binary, true)]);
    let inner: ArrayRef = Arc::new(BinaryArray::from_iter(texts));
    let dictionary: DictionaryArray<Int32Type> =
        DictionaryArray::new(vec![0, 1, 2, 3, 4].into(), Arc::new(BinaryArray::from_iter(texts)));
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("text", Arc::new(BinaryArray::from_iter(texts))),
        ("large", Arc::new(LargeBinaryArray::from_iter(texts))),
        ("view", Arc::new(BinaryViewArray::from_iter(texts))),
        ("dictionary", Arc::new(dictionary)),
        ("doc", Arc::new(StructArray::new(fields, vec![inner], None))),
        ("id", Arc::new(BinaryArray::from_iter(ids))),
    ];
    let batch = batch_of(columns);
    for (name, content) in forms(&batch) {
        with_file(name, &content, |path| {
            for text in ["text", "large", "view", "dictionary", "doc.text"] {
                let (documents, bad) = read(path, &names(text, "id", None), 1000).unwrap();
                let found: Vec<_> = documents.iter().map(|(_, text, ..)| &**text).collect();
                assert_eq!(found, ["one", "vier 四"], "{name} {text}");
                assert_eq!((&*documents[0].0, documents[1].0.ends_with(":4")), ("a", true));
                let problems = [
                    format!(":2: field `{text}` is not UTF-8 (byte 2 of its value)"),
                    format!(":3: field `{text}` is null, expected a string"),
                    ":5: field `id` is not UTF-8 (byte 1 of its value)".to_owned(),
                ];
                assert!(bad.iter().zip(&problems).all(|(bad, end)| bad.ends_with(end)) && bad.len() == 3, "{bad:?}");
            }
        });
    }
}

#[test]
fn the_first_block_of_a_file_says_which_columns_of_bytes_are_text() {
    let column: ArrayRef = Arc::new(BinaryArray::from_iter_values(vec!["one two"; 3000]));
    let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values(0..3000));
    for (text, id, expected) in [("x", "y", vec!["x"]), ("x", "x", vec!["x", "x"])] {
        let batch = RecordBatch::try_from_iter([("x", column.clone()), ("y", numbers.clone())]).unwrap();
        with_file("x.parquet", &parquet(&batch, 500, Compression::UNCOMPRESSED), |path| {
            let found = discover(&[path.to_owned()]).unwrap();
            let names = names(text, id, None);
            let blocks: Vec<_> = Blocks::new(&found.sources, &names, None).map(Result::unwrap).collect();
            assert_eq!(blocks[0].bytes_as_text, expected);
            assert!(blocks.len() > 1 && blocks[1..].iter().all(|block| block.bytes_as_text.is_empty()));
        });
    }
}

#[test]
fn fingerprints_are_integers_bytes_or_strings() {
    let fixed = FixedSizeBinaryArray::try_from_iter([[0u8, 255], [171, 205]].into_iter()).unwrap();
    let columns: [(&str, ArrayRef, u32); 6] = [
        ("fixed", Arc::new(fixed), 16),
        ("bytes", Arc::new(BinaryArray::from(vec![&[0u8, 255][..], &[171, 205]])), 16),
        ("views", Arc::new(BinaryViewArray::from(vec![&[0u8, 255][..], &[171, 205]])), 16),
        ("unsigned", Arc::new(UInt64Array::from(vec![255, 0xABCD])), 16),
        ("signed", Arc::new(Int32Array::from(vec![255, 0xABCD - 0x1_0000])), 16),
        ("strings", Arc::new(StringArray::from(vec!["00ff", "abcd"])), 16),
    ];
    let names = columns.clone().map(|(name, ..)| name);
    let all = batch_of(columns.iter().map(|(name, array, _)| (*name, array.clone())).collect());
    for (file, content) in [
        ("a.parquet", parquet(&all, 1, Compression::UNCOMPRESSED)),
        ("a.arrow", arrow_file(std::slice::from_ref(&all), None)),
    ] {
        with_file(file, &content, |path| {
            for name in names {
                let names = |width| FieldNames {
                    text: name.to_owned(),
                    fingerprints: Some(Fingerprints { width, digits: Digits::Hex }),
                    ..FieldNames::default()
                };
                let (documents, bad) = read(path, &names(16), None).unwrap();
                let digits: Vec<&str> = documents.iter().map(|document| document.1.as_str()).collect();
                assert_eq!((digits, bad), (vec!["00ff", "abcd"], vec![]), "{name}");
                let (documents, bad) = read(path, &names(12), None).unwrap();
                let fits = usize::from(name == "unsigned" || name == "signed");
                assert_eq!((documents.len(), bad.len()), (fits, 2 - fits), "{name}: {bad:?}");
            }
        });
    }
}

#[test]
fn carried_columns_are_json_as_in_json_lines() {
    let texts: ArrayRef = Arc::new(StringArray::from(vec!["one", "two"]));
    let urls: ArrayRef = Arc::new(StringArray::from(vec![Some("http://\"a"), None]));
    let numbers: ArrayRef = Arc::new(Float64Array::from(vec![0.5, f64::NAN]));
    let days: ArrayRef = Arc::new(arrow_array::Date32Array::from(vec![0, 20_000]));
    let inner: ArrayRef = Arc::new(arrow_array::Int64Array::from(vec![7, 8]));
    let inner = arrow_array::StructArray::try_from(vec![("n", inner)]).unwrap();
    let batch = batch_of(vec![
        ("text", texts),
        ("url", urls),
        ("x", numbers),
        ("day", days),
        ("doc", Arc::new(inner) as ArrayRef),
    ]);
    let carried = ["url", "x", "day", "doc", "doc.n", "none"].map(str::to_owned).to_vec();
    let names = FieldNames { carried, ..FieldNames::default() };
    for (name, content) in forms(&batch) {
        with_file(name, &content, |path| {
            let found = discover(&[path.to_owned()]).unwrap();
            let mut values = Vec::new();
            for block in Blocks::new(&found.sources, &names, None) {
                block.unwrap().for_each_document(&names, |document| values.push(document.unwrap().carried));
            }
            let row = |values: [&str; 5]| -> Vec<Option<String>> {
                values.iter().map(|value| Some((*value).to_owned())).chain([None]).collect()
            };
            let first = row([r#""http://\"a""#, "0.5", r#""1970-01-01""#, r#"{"n":7}"#, "7"]);
            let second = row(["null", r#""NaN""#, r#""2024-10-04""#, r#"{"n":8}"#, "8"]);
            assert_eq!(values, [first, second], "{name}");
        });
    }
}
