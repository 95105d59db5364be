//! The work behind requests, on threads of its own: what computes never runs where connections are served.
//!
//! ```text
//! pool      questions: threads with an Asker each
//! turns     the queue before them, from which each client has its turn
//! writer    changes: one thread, which commits all that wait as one group
//! survey    the index as a whole: one thread when it is asked for
//! ```

mod pool;
mod survey;
mod turns;
mod writer;

pub(crate) use pool::{Admission, WorkerPool};
pub(crate) use survey::{SurveyState, Surveys};
pub(crate) use turns::Cost;
pub(crate) use writer::{Edit, Edits, QueuedInsertion, WriterThread};
