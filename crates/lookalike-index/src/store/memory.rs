//! The documents that are in the log and in no segment of a file: small segments in memory, merged as they become many.
//!
//! Eight of about one size become one of the next, so a document is copied as often as the number of documents can be
//! divided by eight, and a question looks into at most seven segments of each size.

use crate::ground::Result;
use crate::segment::{Content, LiveDocuments, Part, SegmentMaker};
use lookalike_core::keys::ElementOrder;
use std::sync::Arc;

/// Segments of about one size that are merged.
const MERGED: usize = 8;

/// The size of a segment as a power of eight, rounded down.
fn level(part: &Part) -> u32 {
    (part.segment.len().max(1) as u64).ilog(MERGED as u64)
}

/// A segment in memory of these documents.
pub(super) fn part_of(content: Content<'_>, maker: &SegmentMaker<'_>, order: &Arc<ElementOrder>) -> Result<Part> {
    Ok(Part { segment: Arc::new(maker.in_memory(content, order)?), deleted: Arc::default() })
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
    (maker, order, now): (&SegmentMaker<'_>, &Arc<ElementOrder>, u64),
) -> Result<()> {
    while let Some(begin) = begin_of_equals(parts, first) {
        let merged = part_of(Content::Merged(&LiveDocuments::of(&parts[begin..], now)), maker, order)?;
        parts.truncate(begin);
        parts.push(merged);
    }
    Ok(())
}
