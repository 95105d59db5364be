//! The metadata at the end of a file.

use super::thrift::{LIST, STRUCT, Walker};
use parquet::errors::Result;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, ParquetMetaDataReader};
use parquet::file::reader::ChunkReader;
use std::fs::File;

/// The length of the metadata and the magic, behind the metadata.
const TRAILER_BYTES: u64 = 8;
/// Fields of the metadata (`FileMetaData`) and of a column in its schema (`SchemaElement`).
const SCHEMA: i64 = 2;
const PHYSICAL_TYPE: i64 = 1;
const REPETITION: i64 = 3;
const NAME: i64 = 4;

/// The metadata of a file.
pub(crate) fn metadata_of(file: &File) -> Result<ParquetMetaData> {
    let metadata = ParquetMetaDataReader::new().parse_and_finish(file).or_else(|error| {
        let complete = footer(file).and_then(|footer| with_repetition_types(&footer));
        complete.map_or(Err(error), |footer| ParquetMetaDataReader::decode_metadata(&footer))
    })?;
    without_dictionaries_at_zero(metadata)
}

/// The bytes of the metadata.
fn footer(file: &File) -> Option<Vec<u8>> {
    let length = file.metadata().ok()?.len();
    let trailer = file.get_bytes(length.checked_sub(TRAILER_BYTES)?, TRAILER_BYTES as usize).ok()?;
    let footer_length = u32::from_le_bytes(*trailer.first_chunk()?);
    let begin = length.checked_sub(TRAILER_BYTES + u64::from(footer_length))?;
    file.get_bytes(begin, footer_length as usize).ok().map(|bytes| bytes.to_vec())
}

/// The metadata with a repetition type for each column that has none; `None` if all have one.
fn with_repetition_types(footer: &[u8]) -> Option<Vec<u8>> {
    let mut complete = Vec::with_capacity(footer.len() + 2 * footer.len().min(1 << 16));
    let mut copied = 0;
    Walker::new(footer).each_field(&mut |walker, field| {
        if (field.id, field.kind) != (SCHEMA, LIST) {
            return Some(());
        }
        let (count, kind) = walker.list()?;
        for _ in 0..count {
            if kind != STRUCT {
                return None;
            }
            if let Some(name) = name_without_repetition(walker)? {
                complete.extend_from_slice(&footer[copied..name.at]);
                // The repetition type 0, and the name as the next field after it.
                complete.extend_from_slice(&[((REPETITION - name.last) << 4) as u8 | 5, 0, 0x18]);
                copied = name.at + 1;
            }
        }
        Some(())
    })?;
    complete.extend_from_slice(&footer[copied..]);
    (complete.len() > footer.len()).then_some(complete)
}

/// Position of the name of a column, and the id of the field before it.
struct NameAt {
    at: usize,
    last: i64,
}

/// Reads a column; returns its name if it has values and no repetition type.
fn name_without_repetition(walker: &mut Walker<'_>) -> Option<Option<NameAt>> {
    let mut last = 0;
    let mut name = None;
    let mut has_values = false;
    let mut has_repetition = false;
    walker.each_field(&mut |_, field| {
        match field.id {
            PHYSICAL_TYPE => has_values = true,
            REPETITION => has_repetition = true,
            // The id is a part of a header of one byte, as all writers make it.
            NAME if last < REPETITION => name = Some(NameAt { at: field.at, last }),
            _ => {}
        }
        last = field.id;
        Some(())
    })?;
    Some(name.filter(|_| has_values && !has_repetition))
}

/// Takes an offset of 0, where the file has its magic, as none.
fn without_dictionaries_at_zero(metadata: ParquetMetaData) -> Result<ParquetMetaData> {
    let is_wrong = |column: &ColumnChunkMetaData| column.dictionary_page_offset() == Some(0);
    if !metadata.row_groups().iter().flat_map(|group| group.columns()).any(is_wrong) {
        return Ok(metadata);
    }
    let mut metadata = metadata.into_builder();
    for group in metadata.take_row_groups() {
        let mut group = group.into_builder();
        for column in group.take_columns() {
            let column = if is_wrong(&column) {
                column.into_builder().set_dictionary_page_offset(None).build()?
            } else {
                column
            };
            group = group.add_column_metadata(column);
        }
        metadata = metadata.add_row_group(group.build()?);
    }
    Ok(metadata.build())
}
