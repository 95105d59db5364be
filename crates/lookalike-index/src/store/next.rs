//! Segments and states of an index that no manifest names yet: written beside the index in force, until the rename of
//! the manifest decides.
//!
//! Documents that are in the log and in no segment of a file are in small segments in memory, merged as they become
//! many. Eight of about one size become one of the next, so a document is copied as often as the number of documents
//! can be divided by eight, and a question looks into at most seven segments of each size.

use super::manifest::{IndexManifest, OrderFile, SegmentFile, log_name, segment_name, write_order};
use crate::base::{IndexId, Result, SetBuffer};
use crate::disk::{Disk, write_behind};
use crate::log::LogWriter;
use crate::segment::{Deleted, Documents, LiveDocuments, Part, Segment, SegmentContent, SegmentMaker, on_threads};
use lookalike_core::keys::{ElementOrder, FrequencyTable};
use std::sync::{Arc, Mutex, PoisonError};

/// The order by which new documents get their keys.
#[derive(Debug, Clone)]
pub(super) struct LearnedOrder {
    pub(super) order: Arc<ElementOrder>,
    pub(super) file: OrderFile,
    /// The documents that it was learned from; 0 for the one by hash.
    pub(super) learned_from: u64,
}

/// The numbers that a segment and its order get in the names of their files, and that of their index.
#[derive(Debug, Clone, Copy)]
pub(super) struct NewNumbers {
    pub(super) index: IndexId,
    pub(super) segment: u64,
    pub(super) order: u64,
}

impl NewNumbers {
    /// The next ones of an index; its manifest gives no others the same.
    pub(super) fn take(manifest: &mut IndexManifest) -> Self {
        let numbers = Self { index: manifest.index, segment: manifest.next, order: manifest.next + 1 };
        manifest.next += 2;
        numbers
    }
}

/// A segment that no manifest names yet.
#[derive(Debug)]
pub(super) struct NewSegment {
    /// `None` if it would have no documents.
    pub(super) part: Option<(SegmentFile, Part)>,
    pub(super) learned: LearnedOrder,
}

impl NewSegment {
    /// Writes a segment; `maker` makes keys by the order in `learned`, unless another is learned.
    pub(super) fn write(
        disk: &dyn Disk,
        maker: SegmentMaker<'_>,
        mut learned: LearnedOrder,
        numbers: NewNumbers,
        content: SegmentContent<'_>,
    ) -> Result<Self> {
        let documents = content.documents();
        let count = documents.len() as u64;
        // An order of its own: the segment is several times as large as the sample of the last order.
        let is_large = count >= MIN_DOCUMENTS && count >= GROWTH * learned.learned_from;
        if maker.scheme.keys.are_ordered() && is_large {
            let order = Arc::new(learn(documents, maker.threads)?);
            let file = write_order(disk, numbers.index, numbers.order, &order)?;
            learned = LearnedOrder { order, file, learned_from: count };
        }
        if count == 0 {
            return Ok(Self { part: None, learned });
        }
        let maker = SegmentMaker { order: &learned.order, order_number: learned.file.number, ..maker };
        let name = segment_name(numbers.segment);
        write_behind(&mut *disk.create(&name)?, |sink| maker.write(content, &numbers.index.provenance(), sink))?;
        let segment = Segment::open(&disk.map(&name)?, &disk.path_of(&name), |_| Ok(Arc::clone(&learned.order)))?;
        let file = SegmentFile {
            number: numbers.segment,
            directory: segment.directory.checksum(),
            order: learned.file.number,
            documents: count,
            deleted_words: 0,
        };
        let part = Part { segment: Arc::new(segment), deleted: Arc::default() };
        Ok(Self { part: Some((file, part)), learned })
    }
}

/// Content of the files of an index that is not in force yet.
#[derive(Debug)]
pub(super) struct NextState {
    pub(super) parts: Vec<Part>,
    pub(super) manifest: IndexManifest,
    pub(super) learned: LearnedOrder,
    pub(super) log: LogWriter,
}

impl NextState {
    /// Writes the manifest of an index of these parts, which are in files and have no others before them in the log.
    pub(super) fn write(
        disk: &dyn Disk,
        mut manifest: IndexManifest,
        parts: Vec<Part>,
        learned: LearnedOrder,
    ) -> Result<Self> {
        manifest.order = learned.file.number;
        manifest.learned_from = learned.learned_from;
        let log = begin_log(disk, &mut manifest)?;
        manifest.logs = vec![log.end()];
        write_manifest(disk, &mut manifest, &parts)?;
        Ok(Self { parts, manifest, learned, log })
    }
}

/// A new log, the last of those that a manifest names.
pub(super) fn begin_log(disk: &dyn Disk, manifest: &mut IndexManifest) -> Result<LogWriter> {
    let number = manifest.next;
    manifest.next += 1;
    let log = LogWriter::create(disk, &log_name(number), manifest.index, number)?;
    manifest.logs.push(log.end());
    Ok(log)
}

/// Writes a manifest that is not in force yet, of which these parts are the segments.
pub(super) fn write_manifest(disk: &dyn Disk, manifest: &mut IndexManifest, parts: &[Part]) -> Result<()> {
    let deleted: Vec<Arc<Deleted>> = parts.iter().map(|part| Arc::clone(&part.deleted)).collect();
    for (file, deleted) in manifest.segments.iter_mut().zip(&deleted) {
        file.deleted_words = deleted.words().len() as u64;
    }
    let in_use: Vec<u64> = manifest.orders_in_use().collect();
    manifest.orders.retain(|order| in_use.contains(&order.number));
    manifest.write(disk, &deleted)
}

/// Documents that an order is learned from, at least.
const MIN_DOCUMENTS: u64 = 64;
/// Growth of the documents that are written at once, from which on their order is learned again.
const GROWTH: u64 = 4;

/// The order by frequency in these documents, or in evenly chosen ones if they have very many elements.
fn learn(documents: &dyn Documents, threads: usize) -> Result<ElementOrder> {
    let count = documents.len();
    let total: usize = (0..count).map(|document| documents.size(document)).sum();
    let step = total.div_ceil(ElementOrder::MAX_COUNTED).max(1);
    let mut table = FrequencyTable::sized_for(total / step);
    let partitions: Vec<Mutex<_>> = table.partitions(threads).map(Mutex::new).collect();
    on_threads(partitions.len(), |thread| {
        let mut set = SetBuffer::default();
        let mut partition = partitions[thread].lock().unwrap_or_else(PoisonError::into_inner);
        for document in (0..count).step_by(step) {
            partition.count_set(documents.set(document, &mut set)?.0);
        }
        Ok(())
    })?;
    drop(partitions);
    let mut read = Ok(Vec::new());
    let order = ElementOrder::by_frequency(&table, |visit| {
        read = on_threads(threads, |thread| {
            let mut set = SetBuffer::default();
            for document in (0..count).step_by(step).skip(thread).step_by(threads) {
                visit(documents.set(document, &mut set)?.0);
            }
            Ok(())
        });
    });
    read.map(|_| order)
}

/// Segments of about one size that are merged.
const MERGED: usize = 8;

/// The size of a segment as a power of eight, rounded down.
fn level(part: &Part) -> u32 {
    (part.segment.len().max(1) as u64).ilog(MERGED as u64)
}

/// A segment in memory of these documents; `order` is that of the maker.
pub(super) fn part_of(
    content: SegmentContent<'_>,
    maker: &SegmentMaker<'_>,
    order: &Arc<ElementOrder>,
) -> Result<Part> {
    Ok(Part { segment: Arc::new(maker.in_memory(content, order)?), deleted: Arc::default() })
}

/// Numbers of documents and elements of some parts.
pub(super) fn count(parts: &[Part]) -> (usize, usize) {
    let documents = parts.iter().map(|part| part.segment.len()).sum();
    let elements = parts.iter().flat_map(|part| part.segment.sizes.iter()).map(|&size| size as usize).sum();
    (documents, elements)
}

/// The first of the last eight segments of `parts`, of which those from `first` on may be merged, if they are of one
/// size.
pub(super) fn begin_of_equals(parts: &[Part], first: usize) -> Option<usize> {
    let begin = parts.len().checked_sub(MERGED).filter(|&begin| begin >= first)?;
    let highest = level(&parts[begin]);
    parts[begin..].iter().all(|part| level(part) <= highest).then_some(begin)
}

/// Merges the last segments of `parts`, which are in memory from `first` on, as long as eight are of one size.
pub(super) fn merge_small(
    parts: &mut Vec<Part>,
    first: usize,
    maker: &SegmentMaker<'_>,
    order: &Arc<ElementOrder>,
    now: u64,
) -> Result<()> {
    while let Some(begin) = begin_of_equals(parts, first) {
        let merged = part_of(SegmentContent::Merged(&LiveDocuments::new(&parts[begin..], now)), maker, order)?;
        parts.truncate(begin);
        parts.push(merged);
    }
    Ok(())
}
