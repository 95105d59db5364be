//! The next state of an index: all of it is written beside the present one, and the rename of the manifest decides.

use super::new_segment::{LearnedOrder, NewNumbers, NewSegment};
use crate::disk::Disk;
use crate::ground::Result;
use crate::log::LogWriter;
use crate::segment::{Content, Deleted, Part, SegmentMaker};
use crate::store::files::log_name;
use crate::store::manifest::Manifest;
use std::sync::Arc;

/// What the files of an index that is not in force yet say.
#[derive(Debug)]
pub(in crate::store) struct NextState {
    pub(in crate::store) parts: Vec<Part>,
    pub(in crate::store) manifest: Manifest,
    pub(in crate::store) learned: LearnedOrder,
    pub(in crate::store) log: LogWriter,
}

/// The present state of an index.
#[derive(Debug, Clone)]
pub(in crate::store) struct PresentState<'a> {
    pub(in crate::store) disk: &'a dyn Disk,
    pub(in crate::store) manifest: &'a Manifest,
    pub(in crate::store) learned: LearnedOrder,
    /// By the present order.
    pub(in crate::store) maker: SegmentMaker<'a>,
}

impl PresentState<'_> {
    /// Writes an index of these parts, which are in files, and of a new segment.
    pub(in crate::store) fn write_next(self, mut parts: Vec<Part>, content: Content<'_>) -> Result<NextState> {
        let Self { disk, manifest, learned, maker } = self;
        let mut manifest = manifest.clone();
        let numbers = NewNumbers::take(&mut manifest);
        let NewSegment { part, learned } = NewSegment::write(disk, maker, learned, numbers, content)?;
        manifest.add_order(learned.file);
        manifest.order = learned.file.number;
        manifest.learned_from = learned.learned_from;
        manifest.segments.truncate(parts.len());
        if let Some((file, part)) = part {
            manifest.segments.push(file);
            parts.push(part);
        }
        let log = begin_log(disk, &mut manifest)?;
        manifest.logs = vec![log.end()];
        write_manifest(disk, &mut manifest, &parts)?;
        Ok(NextState { parts, manifest, learned, log })
    }
}

/// A new log, the last of those that a manifest names.
pub(in crate::store) fn begin_log(disk: &dyn Disk, manifest: &mut Manifest) -> Result<LogWriter> {
    let number = manifest.next;
    manifest.next += 1;
    let log = LogWriter::create(disk, &log_name(number), manifest.index, number)?;
    manifest.logs.push(log.end());
    Ok(log)
}

/// Writes a manifest that is not in force yet, of which these parts are the segments.
pub(in crate::store) fn write_manifest(disk: &dyn Disk, manifest: &mut Manifest, parts: &[Part]) -> Result<()> {
    let deleted: Vec<Arc<Deleted>> = parts.iter().map(|part| Arc::clone(&part.deleted)).collect();
    for (file, deleted) in manifest.segments.iter_mut().zip(&deleted) {
        file.deleted_words = deleted.words().len() as u64;
    }
    let in_use: Vec<u64> = manifest.orders_in_use().collect();
    manifest.orders.retain(|order| in_use.contains(&order.number));
    manifest.write(disk, &deleted)
}
