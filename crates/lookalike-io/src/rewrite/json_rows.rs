//! Records of JSON Lines as batches.
//!
//! Columns need types, and JSON Lines have none: all wanted records are read once to find types that hold each value as it is.

use super::WantedRows;
use super::json_types::Types;
use crate::annotate::Wanted;
use crate::columns;
use crate::compression::Compression;
use crate::error::{Error, Result};
use crate::format::RecordFormat;
use crate::record::FieldNames;
use crate::record_reader::RecordReader;
use arrow_json::ReaderBuilder;
use arrow_json::reader::Decoder;
use arrow_schema::{ArrowError, SchemaRef};
use std::iter::Peekable;
use std::path::Path;

const BATCH_BYTES: u64 = 4 << 20;
const BATCH_ROWS: usize = 4096;

pub(super) struct JsonRows<'r> {
    path: &'r Path,
    reader: RecordReader,
    decoder: Decoder,
    schema: SchemaRef,
    read_bytes: u64,
}

impl<'r> JsonRows<'r> {
    pub(super) fn open<'w>(
        path: &'r Path,
        compression: Compression,
        names: &FieldNames,
        records: impl Iterator<Item = Wanted<'w>>,
    ) -> Result<Self> {
        let mut types = Types::default();
        let mut reader = RecordReader::open(path, compression)?;
        for record in records {
            let line = reader.read(record.span)?;
            types.read(line).map_err(|message| inconvertible(path, record.number, &message))?;
        }
        let schema = types.into_schema(&[&names.id, &names.text]);
        let decoder = ReaderBuilder::new(schema.clone())
            .with_batch_size(BATCH_ROWS + 1)
            // What is a number here and a string there is a column of strings, with the digits that stand in the file.
            .with_coerce_primitive(true)
            .with_strict_mode(true)
            .build_decoder()
            .map_err(|error| inconvertible(path, 1, &error.to_string()))?;
        Ok(Self { path, reader: RecordReader::open(path, compression)?, decoder, schema, read_bytes: 0 })
    }

    pub(super) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Bytes of the file that the batches so far stand for, as long as it is not packed.
    pub(super) fn read_bytes(&self) -> u64 {
        self.read_bytes
    }

    /// The next wanted records, of which there must be some.
    pub(super) fn next<'w>(
        &mut self,
        records: &mut Peekable<impl Iterator<Item = Wanted<'w>>>,
    ) -> Result<WantedRows<'w>> {
        let (mut wanted, mut bytes) = (Vec::new(), 0);
        while wanted.len() < BATCH_ROWS && bytes < BATCH_BYTES {
            let Some(record) = records.next() else { break };
            let line = self.reader.read(record.span)?;
            let decoded = decode_whole(&mut self.decoder, line);
            decoded.map_err(|error| inconvertible(self.path, record.number, &error.to_string()))?;
            bytes += record.span.length;
            self.read_bytes = record.span.offset + record.span.length;
            wanted.push(record);
        }
        let first = wanted.first().map_or(0, |record| record.number);
        let batch = self.decoder.flush().map_err(|error| inconvertible(self.path, first, &error.to_string()))?;
        match batch {
            Some(batch) if batch.num_rows() == wanted.len() => Ok((batch, wanted)),
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
    columns::unreadable(path, RecordFormat::JsonLines, format!("line {number}: {message}"))
}
