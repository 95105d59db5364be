//! Rows of a file of columns as batches.

use crate::columns::{BatchFormat, BatchReader, unreadable};
use crate::formats::RecordFormat;
use crate::ground::{Error, Result};
use crate::rewrite::wanted::{Wanted, WantedRows};
use arrow_array::BooleanArray;
use arrow_schema::SchemaRef;
use arrow_select::filter::filter_record_batch;
use std::iter::Peekable;
use std::path::Path;

pub(crate) struct ColumnRows<'r> {
    path: &'r Path,
    format: RecordFormat,
    reader: BatchReader,
    /// Number of rows in the batches so far.
    before: u64,
}

impl<'r> ColumnRows<'r> {
    /// Opens a file to read it up to row `last`.
    pub(crate) fn open(path: &'r Path, format: RecordFormat, last: u64) -> Result<Self> {
        let reader = BatchReader::open(path, format, None, Some(last))?;
        Ok(Self { path, format, reader, before: 0 })
    }

    pub(super) fn schema(&self) -> &SchemaRef {
        self.reader.schema()
    }

    /// Bytes of the file read so far.
    pub(super) fn read_bytes(&self) -> u64 {
        self.reader.read_bytes()
    }

    /// The format for a copy of an Arrow file; `None` for Parquet.
    pub(crate) fn arrow_format(&self) -> Option<BatchFormat> {
        (self.format == RecordFormat::Arrow).then(|| self.reader.arrow_format())
    }

    /// The wanted rows of the next batch that has some. There must be wanted records left.
    pub(super) fn next<'w>(
        &mut self,
        records: &mut Peekable<impl Iterator<Item = Wanted<'w>>>,
    ) -> Result<WantedRows<'w>> {
        let unreadable = |message| unreadable(self.path, self.format, message);
        while let Some(batch) = self.reader.next().map_err(unreadable)? {
            let rows = batch.num_rows() as u64;
            let mut is_wanted = vec![false; batch.num_rows()];
            let mut wanted = Vec::new();
            while let Some(record) = records.next_if(|record| record.number <= self.before + rows) {
                if let Some(row) = is_wanted.get_mut((record.number - self.before - 1) as usize) {
                    *row = true;
                }
                wanted.push(record);
            }
            self.before += rows;
            if !wanted.is_empty() {
                let filtered = filter_record_batch(&batch, &BooleanArray::from(is_wanted));
                return filtered.map(|batch| (batch, wanted)).map_err(|error| unreadable(error.to_string()));
            }
        }
        Err(Error::Changed { path: self.path.to_owned() })
    }
}
