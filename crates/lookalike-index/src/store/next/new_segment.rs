//! A segment that is written to a file, with an order of its own if it is much larger than what the last was learned
//! from.

use super::order::{is_worth_learning, learn};
use crate::disk::Disk;
use crate::ground::{IndexId, Result};
use crate::segment::{Content, Part, Segment, SegmentMaker};
use crate::store::files::segment_name;
use crate::store::manifest::{Manifest, OrderFile, SegmentFile, write_order};
use lookalike_core::keys::ElementOrder;
use std::sync::Arc;

/// The order by which new documents get their keys.
#[derive(Debug, Clone)]
pub(in crate::store) struct LearnedOrder {
    pub(in crate::store) order: Arc<ElementOrder>,
    pub(in crate::store) file: OrderFile,
    /// The documents that it was learned from; 0 for the one by hash.
    pub(in crate::store) learned_from: u64,
}

/// The numbers that a segment and its order get in the names of their files, and that of their index.
#[derive(Debug, Clone, Copy)]
pub(in crate::store) struct NewNumbers {
    pub(in crate::store) index: IndexId,
    pub(in crate::store) segment: u64,
    pub(in crate::store) order: u64,
}

impl NewNumbers {
    /// The next ones of an index; its manifest gives no others the same.
    pub(in crate::store) fn take(manifest: &mut Manifest) -> Self {
        let numbers = Self { index: manifest.index, segment: manifest.next, order: manifest.next + 1 };
        manifest.next += 2;
        numbers
    }
}

/// A segment that no manifest names yet.
#[derive(Debug)]
pub(in crate::store) struct NewSegment {
    /// `None` if it would have no documents.
    pub(in crate::store) part: Option<(SegmentFile, Part)>,
    pub(in crate::store) learned: LearnedOrder,
}

impl NewSegment {
    /// Writes a segment; `maker` makes keys by the order in `learned`, unless another is learned.
    pub(in crate::store) fn write(
        disk: &dyn Disk,
        maker: SegmentMaker<'_>,
        mut learned: LearnedOrder,
        numbers: NewNumbers,
        content: Content<'_>,
    ) -> Result<Self> {
        let documents = content.documents();
        let count = documents.len() as u64;
        if maker.keys.are_ordered() && is_worth_learning(count, learned.learned_from) {
            let order = Arc::new(learn(documents, maker.threads)?);
            let file = write_order(disk, numbers.index, numbers.order, &order)?;
            learned = LearnedOrder { order, file, learned_from: count };
        }
        if count == 0 {
            return Ok(Self { part: None, learned });
        }
        let maker = SegmentMaker { order: &learned.order, order_number: learned.file.number, ..maker };
        let name = segment_name(numbers.segment);
        maker.to_file(content, numbers.index, &mut *disk.create(&name)?)?;
        let segment = Segment::open(&disk.map(&name)?, &disk.path_of(&name), |_| Ok(Arc::clone(&learned.order)))?;
        let file = SegmentFile {
            number: numbers.segment,
            directory: segment.directory().checksum(),
            order: learned.file.number,
            documents: count,
            deleted_words: 0,
        };
        let part = Part { segment: Arc::new(segment), deleted: Arc::default() };
        Ok(Self { part: Some((file, part)), learned })
    }
}
