//! The threads of a job: as many as are wanted work off the items of a stage together.
//!
//! Threads are started by the stage that needs them, and the caller is one of them: it goes on on its core, and the
//! system looks for idle cores for the new ones. A pool that sleeps between stages would save some microseconds and
//! lose milliseconds, wherever the system wakes two sleepers on one core.

mod lock;
mod ordered;
mod pace;

pub(crate) use ordered::{ordered_map, try_each};
pub(crate) use pace::Pace;
