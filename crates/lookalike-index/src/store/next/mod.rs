//! What is written beside the index in force, until the manifest names it.
//!
//! ```text
//! order        an order of elements, learned from the documents that are written
//! new_segment  a segment, with an order of its own if it is worth one
//! next_state   a whole index: what is kept, and the new segment
//! merging      a thread of its own that writes some segments as one
//! background   which of these threads a writer has, and what became of the last
//! ```

mod background;
mod merging;
mod new_segment;
mod next_state;
mod order;

pub(super) use background::{Background, Flushing, MergingFiles};
pub(super) use merging::{MergeTask, Merging};
pub(super) use new_segment::{LearnedOrder, NewNumbers, NewSegment};
pub(super) use next_state::{NextState, PresentState, begin_log, write_manifest};
