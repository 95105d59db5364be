//! Records of JSON Lines as batches.
//!
//! Columns have types, JSON Lines have none: all selected records are read once to find types that hold every value
//! without loss.

use super::json_types::Types;
use super::selected_records::SelectedRecords;
use super::surrogates::without_surrogate_escapes;
use crate::base::{Compression, Error, Result};
use crate::columns::{leaf_columns, unreadable};
use crate::formats::RecordFormat;
use crate::rewrite::conversion::{SelectedRecord, SelectedRows};
use crate::write::RecordReader;
use arrow_json::ReaderBuilder;
use arrow_json::reader::Decoder;
use arrow_schema::{ArrowError, SchemaRef};
use std::iter::Peekable;
use std::path::Path;

pub(crate) struct JsonRows<'r> {
    path: &'r Path,
    pub(super) records: SelectedRecords,
    decoder: Decoder,
    pub(super) schema: SchemaRef,
}

impl<'r> JsonRows<'r> {
    /// Adds the types of the selected records of a file.
    pub(super) fn read_types<'w>(
        types: &mut Types,
        path: &Path,
        compression: Compression,
        records: impl Iterator<Item = SelectedRecord<'w>>,
    ) -> Result<()> {
        let mut reader = RecordReader::open(path, compression)?;
        for record in records {
            let line = reader.read(record.span)?;
            types.read(line).map_err(|message| inconvertible(path, record.number, &message))?;
        }
        Ok(())
    }

    /// Opens a file whose selected records have these types.
    pub(super) fn open(path: &'r Path, compression: Compression, schema: SchemaRef) -> Result<Self> {
        let records = SelectedRecords::open(path, compression, leaf_columns(schema.fields()))?;
        let decoder = ReaderBuilder::new(schema.clone())
            .with_batch_size(records.max_rows + 1)
            // A column of numbers and strings is one of strings, with the digits as written.
            .with_coerce_primitive(true)
            .with_strict_mode(true)
            .build_decoder()
            .map_err(|error| inconvertible(path, 1, &error.to_string()))?;
        Ok(Self { path, records, decoder, schema })
    }

    /// The next batch. There must be selected records left.
    pub(super) fn next<'w>(
        &mut self,
        records: &mut Peekable<impl Iterator<Item = SelectedRecord<'w>>>,
    ) -> Result<SelectedRows<'w>> {
        let Self { path, records: from, decoder, .. } = self;
        let selected = from.next(records, |record, line| {
            let wrong = |message: String| inconvertible(path, record.number, &message);
            let line = without_surrogate_escapes(line).map_err(|error| wrong(error.to_string()))?;
            decode_whole(decoder, &line).map_err(|error| wrong(error.to_string()))
        })?;
        let first = selected.first().map_or(0, |record| record.number);
        let batch = self.decoder.flush().map_err(|error| inconvertible(self.path, first, &error.to_string()))?;
        match batch {
            Some(batch) if batch.num_rows() == selected.len() => Ok((batch, selected)),
            _ => Err(Error::Changed { path: self.path.to_owned() }),
        }
    }
}

fn decode_whole(decoder: &mut Decoder, line: &[u8]) -> std::result::Result<(), ArrowError> {
    let decoded = decoder.decode(line)?;
    if decoded < line.len() || decoder.has_partial_record() {
        return Err(ArrowError::JsonError("not one object".to_owned()));
    }
    Ok(())
}

fn inconvertible(path: &Path, number: u64, message: &str) -> Error {
    unreadable(path, RecordFormat::JsonLines, format!("line {number}: {message}"))
}
