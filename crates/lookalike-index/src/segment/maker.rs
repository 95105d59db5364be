//! Parameters of the segments that are written.

use super::scheme::Scheme;
use lookalike_core::keys::ElementOrder;

/// Maker of segments. Threads and memory do not decide about a byte of them.
#[derive(Debug, Clone)]
pub(crate) struct SegmentMaker<'a> {
    pub(crate) scheme: &'a Scheme,
    pub(crate) order: &'a ElementOrder,
    /// The number of the order among those of the index.
    pub(crate) order_number: u64,
    pub(crate) threads: usize,
    /// Memory for the keys that are sorted at a time.
    pub(crate) memory_bytes: usize,
}
