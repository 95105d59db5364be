//! The next state of an index: all of it is written beside the present one, and the rename of the manifest decides.

use super::files::{log_name, segment_name};
use super::manifest::{Manifest, SegmentFile, write_order};
use super::order::{is_worth_learning, learn};
use crate::disk::Disk;
use crate::ground::Result;
use crate::log::LogWriter;
use crate::segment::{Content, Deleted, Part, Segment, SegmentMaker};
use lookalike_core::method::ElementOrder;
use std::sync::Arc;

/// What the files of an index that is not in force yet say.
#[derive(Debug)]
pub(super) struct NextState {
    pub(super) parts: Vec<Part>,
    pub(super) manifest: Manifest,
    pub(super) order: Arc<ElementOrder>,
    pub(super) log: LogWriter,
}

/// The present state of an index.
#[derive(Debug, Clone)]
pub(super) struct PresentState<'a> {
    pub(super) disk: &'a dyn Disk,
    pub(super) manifest: &'a Manifest,
    pub(super) order: &'a Arc<ElementOrder>,
    /// By the present order.
    pub(super) maker: SegmentMaker<'a>,
}

impl PresentState<'_> {
    /// Writes an index of these parts, which are in files, and of a new segment.
    pub(super) fn write_next(self, mut parts: Vec<Part>, content: Content<'_>) -> Result<NextState> {
        let Self { disk, maker, .. } = self;
        let (mut manifest, mut order) = (self.manifest.clone(), Arc::clone(self.order));
        let mut next = manifest.next;
        let mut new_number = || {
            next += 1;
            next - 1
        };
        let documents = content.documents();
        let count = documents.len() as u64;
        if maker.keys.are_ordered() && is_worth_learning(count, manifest.learned_from) {
            order = Arc::new(learn(documents, maker.threads)?);
            (manifest.order, manifest.learned_from) = (new_number(), count);
            write_order(disk, manifest.order, &order)?;
        }
        manifest.segments.truncate(parts.len());
        if count > 0 {
            let number = new_number();
            let name = segment_name(number);
            let maker = SegmentMaker { order: &order, order_number: manifest.order, ..maker };
            maker.to_file(content, &mut *disk.create(&name)?)?;
            let segment = Segment::open(&disk.map(&name)?, &disk.path_of(&name), |_| Ok(Arc::clone(&order)))?;
            parts.push(Part { segment: Arc::new(segment), deleted: Arc::default() });
            manifest.segments.push(SegmentFile { number, order: manifest.order, documents: count, deleted_words: 0 });
        }
        manifest.log = new_number();
        let log = LogWriter::create(disk, &log_name(manifest.log), manifest.log)?;
        manifest.next = next;
        let deleted: Vec<Arc<Deleted>> = parts.iter().map(|part| Arc::clone(&part.deleted)).collect();
        for (file, deleted) in manifest.segments.iter_mut().zip(&deleted) {
            file.deleted_words = deleted.words().len() as u64;
        }
        manifest.write(disk, &deleted)?;
        Ok(NextState { parts, manifest, order, log })
    }
}
