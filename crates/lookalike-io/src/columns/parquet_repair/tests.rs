use crate::columns::{BatchReader, open};
use crate::formats::RecordFormat;
use crate::testing::{file_with, parquet_of};
use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::{ParquetMetaDataReader, ParquetMetaDataWriter};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
use std::sync::Arc;

const ROWS: usize = 600;

fn texts() -> Vec<String> {
    (0..ROWS).map(|row| format!("text {} of many", row % 8 * 7)).collect()
}

/// A file with a column of required texts.
fn parquet(properties: WriterPropertiesBuilder) -> Vec<u8> {
    let column: ArrayRef = Arc::new(StringArray::from(texts()));
    let batch = RecordBatch::try_from_iter_with_nullable([("text", column, false)]).unwrap();
    parquet_of(&[batch], properties.set_max_row_group_row_count(Some(ROWS / 2)))
}

/// The texts as they are compared and as they are written, or the message.
fn read(bytes: &[u8]) -> Result<Vec<String>, String> {
    let (_folder, path) = file_with("x.parquet", bytes);
    let selected = [vec!["text".to_owned()]];
    let mut found = Vec::new();
    for selected in [Some(&selected[..]), None] {
        let mut reader = BatchReader::open(&path, RecordFormat::Parquet, selected, None).map_err(|e| e.to_string())?;
        let mut texts = Vec::new();
        while let Some(batch) = reader.next()? {
            let column = arrow_cast::cast(batch.column(0), &arrow_schema::DataType::Utf8).unwrap();
            texts.extend(column.as_string::<i32>().iter().map(|text| text.unwrap().to_owned()));
        }
        assert!(found.is_empty() || found == texts);
        found = texts;
    }
    Ok(found)
}

/// The length of the metadata at the end of a file.
fn footer_bytes(file: &[u8]) -> usize {
    let trailer = file.len() - 8;
    u32::from_le_bytes(*file[trailer..].first_chunk().unwrap()) as usize
}

#[test]
fn a_dictionary_page_at_offset_zero_is_none() {
    let file = parquet(WriterProperties::builder().set_dictionary_enabled(false));
    let (_folder, path) = file_with("x.parquet", &file);
    let mut metadata = ParquetMetaDataReader::new()
        .parse_and_finish(&open(&path, RecordFormat::Parquet).unwrap())
        .unwrap()
        .into_builder();
    for group in metadata.take_row_groups() {
        let mut group = group.into_builder();
        for column in group.take_columns() {
            let column = column.into_builder().set_dictionary_page_offset(Some(0)).build().unwrap();
            group = group.add_column_metadata(column);
        }
        metadata = metadata.add_row_group(group.build().unwrap());
    }
    let metadata = metadata.build();
    let mut changed = file[..file.len() - 8 - footer_bytes(&file)].to_vec();
    ParquetMetaDataWriter::new(&mut changed, &metadata).finish().unwrap();
    assert_eq!(read(&changed).unwrap(), texts());
}

/// A file with the repetition type of `text` left out of its metadata.
fn without_repetition_type(file: &[u8]) -> Vec<u8> {
    let begin = file.len() - 8 - footer_bytes(file);
    let length = footer_bytes(file);
    // Field 3 of a column, 0 for required, and field 4 after it, a name of four bytes.
    let with = [b"\x25\x00\x18\x04".as_slice(), b"text"].concat();
    let at = begin + file[begin..].windows(with.len()).position(|window| window == with).unwrap();
    let mut changed = [&file[..at], b"\x38\x04text", &file[at + with.len()..file.len() - 8]].concat();
    changed.extend_from_slice(&(length as u32 - 2).to_le_bytes());
    changed.extend_from_slice(b"PAR1");
    changed
}

#[test]
fn a_column_without_a_repetition_type_is_required() {
    let changed = without_repetition_type(&parquet(WriterProperties::builder()));
    let (_folder, path) = file_with("x.parquet", &changed);
    let strict = ParquetMetaDataReader::new().parse_and_finish(&open(&path, RecordFormat::Parquet).unwrap());
    assert!(strict.unwrap_err().to_string().contains("Repetition"));
    assert_eq!(read(&changed).unwrap(), texts());
}

/// A file with its pages of version 2 marked as not compressed.
fn with_wrong_marks(mut file: Vec<u8>) -> Vec<u8> {
    // No repetition levels (field 6), then the mark (field 7).
    let marks: Vec<_> = file.windows(3).enumerate().filter(|(_, bytes)| bytes == b"\x15\x00\x11").collect();
    let marks: Vec<_> = marks.into_iter().map(|(at, _)| at + 2).collect();
    assert!(marks.len() >= 4, "{marks:?}");
    marks.into_iter().for_each(|at| file[at] = 0x12);
    file
}

#[test]
fn pages_that_old_writers_marked_as_not_compressed_are_decompressed() {
    for compression in [Compression::SNAPPY, Compression::ZSTD(ZstdLevel::default()), Compression::LZ4_RAW] {
        for has_dictionary in [true, false] {
            let version_2 = |writer: &str| {
                WriterProperties::builder()
                    .set_writer_version(WriterVersion::PARQUET_2_0)
                    .set_data_page_row_count_limit(150)
                    .set_write_batch_size(50)
                    .set_compression(compression)
                    .set_dictionary_enabled(has_dictionary)
                    .set_created_by(writer.to_owned())
            };
            let changed = with_wrong_marks(parquet(version_2("parquet-cpp version 1.5.1-SNAPSHOT")));
            assert_eq!(read(&changed).unwrap(), texts(), "{compression:?} {has_dictionary}");
            let of_another = with_wrong_marks(parquet(version_2("parquet-cpp-arrow version 3.0.0")));
            assert_ne!(read(&of_another).unwrap_or_default(), texts());
        }
    }
}

#[test]
fn damaged_metadata_are_no_reason_to_panic() {
    let file = without_repetition_type(&parquet(WriterProperties::builder()));
    let begin = file.len() - 8 - footer_bytes(&file);
    for at in begin..file.len() {
        for byte in [0x00, 0x7F, 0x9C, 0xFF] {
            let mut damaged = file.clone();
            damaged[at] = byte;
            let _ = read(&damaged);
        }
    }
}
