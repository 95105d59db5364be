//! Writing a WARC file again without some of its documents.

use crate::ground::Result;
use crate::run::Session;
use lookalike_io::{AtomicFile, Inputs, Source, Span, ground::Compression, read::kept_records, write::RecordReader};

/// Records are copied by pieces of this size: those that are no documents may be longer than what is held in memory.
const PIECE_BYTES: u64 = 1 << 20;

/// Copies the records that stay, each as a gzip member of its own if the output is packed so: tools for WARC files go
/// from one to the other by that. `decided` has the first byte of each document, ascending, and whether it stays.
///
/// # Errors
/// If the file cannot be read or the output not be written, or the job is cancelled.
pub(crate) fn copy_warc(
    source: &Source,
    compression: Compression,
    decided: Vec<(u64, bool)>,
    out: &mut AtomicFile,
    (inputs, session): (&Inputs, &Session<'_>),
) -> Result<()> {
    let is_kept = |offset| {
        let found = decided.binary_search_by_key(&offset, |&(first, _)| first).ok();
        found.and_then(|index| decided.get(index)).map(|&(_, is_kept)| is_kept)
    };
    let kept = kept_records(source, &inputs.fields(), inputs.max_document_bytes, is_kept)?;
    let mut reader = RecordReader::open(&source.file, compression)?;
    for Span { offset, length } in kept {
        session.stages.check()?;
        let end = offset + length;
        for offset in (offset..end).step_by(PIECE_BYTES as usize) {
            out.write(reader.read(Span { offset, length: PIECE_BYTES.min(end - offset) })?)?;
        }
        out.end_member()?;
    }
    session.stages.progress.advance(source.bytes());
    Ok(())
}
