//! The selected records of a file, read by their spans in batches.

use crate::base::{Compression, Result};
use crate::rewrite::conversion::SelectedRecord;
use crate::write::RecordReader;
use std::iter::Peekable;
use std::path::Path;

const BATCH_BYTES: u64 = 4 << 20;
/// Maximum number of records per batch.
const BATCH_ROWS: usize = 4096;
/// Maximum number of values per batch, absent ones included: a record may lack most of thousands of columns.
const BATCH_VALUES: usize = 1 << 18;

pub(super) struct SelectedRecords {
    reader: RecordReader,
    /// Maximum number of records per batch.
    pub(super) max_rows: usize,
    /// End of the last record in the decompressed file.
    pub(super) read_bytes: u64,
}

impl SelectedRecords {
    /// The records of a file that become rows of `columns` columns.
    pub(super) fn open(path: &Path, compression: Compression, columns: usize) -> Result<Self> {
        let max_rows = (BATCH_VALUES / columns.max(1)).clamp(1, BATCH_ROWS);
        Ok(Self { reader: RecordReader::open(path, compression)?, max_rows, read_bytes: 0 })
    }

    /// The next records; `take` is called with each and its bytes.
    pub(super) fn next<'w>(
        &mut self,
        records: &mut Peekable<impl Iterator<Item = SelectedRecord<'w>>>,
        mut take: impl FnMut(&SelectedRecord<'w>, &[u8]) -> Result<()>,
    ) -> Result<Vec<SelectedRecord<'w>>> {
        let mut selected = Vec::new();
        let mut bytes = 0;
        while selected.len() < self.max_rows && bytes < BATCH_BYTES {
            let Some(record) = records.next() else { break };
            take(&record, self.reader.read(record.span)?)?;
            bytes += record.span.length;
            self.read_bytes = record.span.offset + record.span.length;
            selected.push(record);
        }
        Ok(selected)
    }
}
