//! The threads of a job: as many as are wanted work off the items of a stage together.
//!
//! ```text
//! ordered  a parallel map with results in order
//! pace     number of threads, and how far they run ahead of the consumer
//! gate     a limit on the size of all items in flight
//! lock     starts threads; locks that spin before they block
//! ```
//!
//! Threads are started by the stage that needs them, and the caller is one of them: it goes on on its core, and the
//! system looks for idle cores for the new ones. A pool that sleeps between stages would save some microseconds and
//! lose milliseconds, wherever the system wakes two sleepers on one core.
//!
//! The ordered map is ours. With the crate pariter in its place, whole jobs took 10 to 17 % longer (medians of 21 runs
//! in turn on two threads: rust_docs 1.10, win32_docs 1.17, a million generated documents 1.16;
//! bench/results/dedup.md): it takes items and consumes results on the calling thread, which works on none,
//! and puts a queue before and behind every worker. A parallel iterator of rayon gives no results before all are there.

mod gate;
mod lock;
mod ordered;
mod pace;

pub(crate) use gate::{Gate, Pass, Passed};
pub(crate) use lock::lock;
pub(crate) use ordered::{ordered_map, try_each};
pub(crate) use pace::Pace;
