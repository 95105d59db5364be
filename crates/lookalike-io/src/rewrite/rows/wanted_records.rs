//! The wanted records of a file, read by their spans in batches.

use crate::ground::{Compression, Result};
use crate::rewrite::wanted::Wanted;
use crate::write::RecordReader;
use std::iter::Peekable;
use std::path::Path;

const BATCH_BYTES: u64 = 4 << 20;
/// Maximum number of records per batch.
pub(super) const BATCH_ROWS: usize = 4096;

pub(super) struct WantedRecords {
    reader: RecordReader,
    /// End of the last record in the decompressed file.
    pub(super) read_bytes: u64,
}

impl WantedRecords {
    pub(super) fn open(path: &Path, compression: Compression) -> Result<Self> {
        Ok(Self { reader: RecordReader::open(path, compression)?, read_bytes: 0 })
    }

    /// The next records; `take` is called with each and its bytes.
    pub(super) fn next<'w>(
        &mut self,
        records: &mut Peekable<impl Iterator<Item = Wanted<'w>>>,
        mut take: impl FnMut(&Wanted<'w>, &[u8]) -> Result<()>,
    ) -> Result<Vec<Wanted<'w>>> {
        let (mut wanted, mut bytes) = (Vec::new(), 0);
        while wanted.len() < BATCH_ROWS && bytes < BATCH_BYTES {
            let Some(record) = records.next() else { break };
            take(&record, self.reader.read(record.span)?)?;
            bytes += record.span.length;
            self.read_bytes = record.span.offset + record.span.length;
            wanted.push(record);
        }
        Ok(wanted)
    }
}
