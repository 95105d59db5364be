//! Copying records of a file, byte for byte or with annotations: while one run of consecutive records is written,
//! others are read.
//!
//! ```text
//! records that are wanted   [1][2]...[4]...[5]            [6][7]
//! runs                      [1 to 5          ]            [6, 7]        read at once, with the little in between
//! ```

use crate::base::Result;
use crate::run::Session;
use crate::threads::ordered_map;
use lookalike_core::{DocId, Pool};
use lookalike_io::{
    AtomicFile, Inputs, Source, Span, base::Compression, formats::RecordFormat, read::kept_records, write::RecordReader,
};
use std::iter::Peekable;

/// A run ends when it has so much, but not within a record.
const RUN_BYTES: u64 = 1 << 18;
/// Maximum size in bytes of a buffer that is used for more than one run.
const MAX_BUFFER_BYTES: usize = 1 << 20;
/// More than this between two records is not worth reading.
const MAX_GAP_BYTES: u64 = 1 << 12;
/// One reads, one writes, one unpacks, one packs: more threads would wait.
const MAX_THREADS: usize = 4;

/// Source and format of the records that are copied.
#[derive(Clone, Copy)]
pub(crate) struct CopyJob<'a> {
    pub(crate) source: &'a Source,
    pub(crate) compression: Compression,
    pub(crate) format: RecordFormat,
    /// Sources that are copied at a time: they share threads and memory.
    pub(crate) sources_at_a_time: usize,
    pub(crate) session: &'a Session<'a>,
}

/// Copies records, which come in ascending order with their documents. `change` is shown each record and appends what
/// is to be written of it; without it that is the record.
pub(crate) fn copy_records<C: Fn(&[u8], DocId, &mut Vec<u8>) -> Result<()> + Sync>(
    job: CopyJob<'_>,
    records: impl Iterator<Item = (DocId, Span)> + Clone + Send,
    change: Option<C>,
    out: &mut AtomicFile,
) -> Result<()> {
    let CopyJob { source, compression, format, sources_at_a_time, session } = job;
    let mut reader = RecordReader::open(&source.file, compression)?;
    let longest = records.clone().map(|(_, span)| span.length).max().unwrap_or(0);
    let run_bytes = usize::try_from(longest + RUN_BYTES).unwrap_or(usize::MAX);
    let threads = (session.threads() / sources_at_a_time).clamp(1, MAX_THREADS);
    let pace = session.pace_for(run_bytes.saturating_mul(sources_at_a_time)).with_threads(threads);
    let buffers = Pool::default();
    let read = |run: RecordRun| -> Result<(RecordRun, Vec<u8>)> {
        let bytes = reader.read_run(run.span, format, buffers.take().unwrap_or_default())?;
        Ok((run, bytes))
    };
    let prepare = |(): &mut (), read: Result<(RecordRun, Vec<u8>)>| -> Result<(Span, Vec<u8>)> {
        let (run, mut bytes) = read?;
        if !run.holds_records(&bytes, format) {
            return Err(lookalike_io::Error::Changed { path: source.path.to_path_buf() }.into());
        }
        match &change {
            None => run.keep_wanted(&mut bytes),
            // One buffer is taken for each run and one given back: the other is dropped.
            Some(change) => bytes = run.changed(&bytes, change)?,
        }
        Ok((run.span, bytes))
    };
    let mut done = 0;
    let write = |prepared: Result<(Span, Vec<u8>)>| {
        let (span, bytes) = prepared?;
        session.stages.check()?;
        out.write(&bytes)?;
        give_back(&buffers, bytes);
        // Of a packed file the places say nothing about how much is left.
        if compression == Compression::None {
            session.stages.progress.advance(span.end().saturating_sub(done));
            done = span.end();
        }
        Result::Ok(())
    };
    ordered_map(RecordRuns { records: records.peekable() }.map(read), pace, || (), prepare, write)?;
    session.stages.progress.advance(source.bytes().saturating_sub(done));
    Ok(())
}

/// Records are copied by pieces of this size: those that are no documents may be longer than what is held in memory.
const PIECE_BYTES: u64 = 1 << 20;

/// Copies the records that stay, each as a gzip member of its own if the output is packed so: tools for WARC files go
/// from one to the other by that. `decided` has the first byte of each document, ascending, and whether it stays.
///
/// # Errors
/// If the file cannot be read or the output not be written, or the job is cancelled.
pub(crate) fn copy_warc(
    job: CopyJob<'_>,
    decided: &[(u64, bool)],
    inputs: &Inputs,
    out: &mut AtomicFile,
) -> Result<()> {
    let CopyJob { source, compression, session, .. } = job;
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

/// Gives back a buffer for the next run, unless a long record has made it large.
fn give_back(buffers: &Pool<Vec<u8>>, buffer: Vec<u8>) {
    if buffer.capacity() <= MAX_BUFFER_BYTES {
        buffers.put(buffer);
    }
}

/// Records that stand close together.
struct RecordRun {
    records: Vec<(DocId, Span)>,
    /// Bytes from the first record to the last.
    span: Span,
}

impl RecordRun {
    /// Returns whether the records lie in the run one after the other, and each begins where one can end, and so does
    /// what follows on it: their places may come from a work folder. The ends of the run are checked by who reads it.
    fn holds_records(&self, bytes: &[u8], format: RecordFormat) -> bool {
        let may_begin = |place: usize| place == 0 || format.may_begin_behind(bytes[place - 1]);
        let may_end = |place: usize| place == bytes.len() || format.may_end_with(bytes[place - 1]);
        let mut end_before = 0;
        self.records.iter().all(|(_, record)| {
            let start = record.offset.checked_sub(self.span.offset).and_then(|start| usize::try_from(start).ok());
            let Some(start) = start.filter(|&start| start >= end_before) else { return false };
            let Some(end) = start.checked_add(record.length as usize).filter(|&end| end <= bytes.len()) else {
                return false;
            };
            end_before = end;
            may_begin(start) && may_end(end)
        })
    }

    /// Leaves the wanted records of the bytes of the run.
    fn keep_wanted(&self, bytes: &mut Vec<u8>) {
        let mut end = 0;
        for (_, record) in &self.records {
            let start = (record.offset - self.span.offset) as usize;
            let length = record.length as usize;
            if start > end {
                bytes.copy_within(start..start + length, end);
            }
            end += length;
        }
        bytes.truncate(end);
    }

    fn changed(&self, bytes: &[u8], change: impl Fn(&[u8], DocId, &mut Vec<u8>) -> Result<()>) -> Result<Vec<u8>> {
        let mut changed = Vec::with_capacity(bytes.len());
        for &(document, record) in &self.records {
            let start = (record.offset - self.span.offset) as usize;
            change(&bytes[start..start + record.length as usize], document, &mut changed)?;
        }
        Ok(changed)
    }
}

/// Brings records together in runs.
struct RecordRuns<I: Iterator> {
    records: Peekable<I>,
}

impl<I: Iterator<Item = (DocId, Span)>> Iterator for RecordRuns<I> {
    type Item = RecordRun;

    fn next(&mut self) -> Option<RecordRun> {
        let first = self.records.next()?;
        let mut run = RecordRun { span: first.1, records: vec![first] };
        let is_near = |span: Span, end: u64| (end..=end + MAX_GAP_BYTES).contains(&span.offset);
        while run.span.length < RUN_BYTES
            && let Some(next) = self.records.next_if(|&(_, span)| is_near(span, run.span.end()))
        {
            run.span.length = next.1.end() - run.span.offset;
            run.records.push(next);
        }
        Some(run)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    #[test]
    fn places_that_do_not_follow_each_other_are_refused() {
        let holds = |places: [(u64, u64); 2]| {
            let records = places.map(|(offset, length)| (DocId(0), Span { offset, length })).to_vec();
            RecordRun { records, span: Span { offset: 10, length: 6 } }
                .holds_records(b"ab\ncd\n", RecordFormat::JsonLines)
        };
        assert!(holds([(10, 3), (13, 3)]));
        for places in
            [[(13, 3), (10, 3)], [(10, 3), (7, 3)], [(10, 3), (13, 4)], [(10, 6), (13, 3)], [(10, 3), (13, u64::MAX)]]
        {
            assert!(!holds(places), "{places:?}");
        }
    }

    proptest! {
        #[test]
        fn runs_hold_all_wanted_records_and_nothing_else(
            lengths in proptest::collection::vec((0u64..3 * MAX_GAP_BYTES, proptest::bool::ANY), 0..200),
        ) {
            let mut offset = 0;
            let mut records = Vec::new();
            for (&(length, is_wanted), number) in lengths.iter().zip(0..) {
                records.extend(is_wanted.then_some((DocId(number), Span { offset, length })));
                offset += length;
            }
            let text: Vec<u8> = (0..offset).map(|at| (at % 251) as u8).collect();
            let bytes_of = |span: Span| text[span.offset as usize..span.end() as usize].to_vec();
            let mut kept = Vec::new();
            let mut changed = Vec::new();
            for run in (RecordRuns { records: records.iter().copied().peekable() }) {
                let last = run.records.last().map_or(0, |(_, span)| span.length);
                prop_assert!(run.span.length - last < RUN_BYTES + MAX_GAP_BYTES);
                let mut bytes = bytes_of(run.span);
                changed.extend(run.changed(&bytes, |record, document, out| {
                    out.extend_from_slice(record);
                    out.extend(document.0.to_le_bytes());
                    Ok(())
                }).unwrap());
                run.keep_wanted(&mut bytes);
                kept.extend(bytes);
            }
            prop_assert_eq!(kept, records.iter().flat_map(|&(_, span)| bytes_of(span)).collect::<Vec<_>>());
            let expected = records
                .iter()
                .flat_map(|&(document, span)| [bytes_of(span), document.0.to_le_bytes().to_vec()].concat());
            prop_assert_eq!(changed, expected.collect::<Vec<_>>());
        }
    }
}
