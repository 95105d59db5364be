//! How a job tells what it is doing; drawing is up to the caller.

use lookalike_io::BadRecord;

/// What the amounts of a stage count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Bytes of input or output.
    Bytes,
    /// Documents.
    Documents,
}

/// A stage of a job that begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stage {
    /// What is done: a word like "reading".
    pub name: &'static str,
    /// Amount of work in this stage.
    pub total: u64,
    /// What `total` counts.
    pub unit: Unit,
}

/// Told about the course of a job, from any thread.
pub trait Progress: Sync {
    /// A stage begins.
    fn begin(&self, _stage: Stage) {}

    /// Some of the work of the current stage is done.
    fn advance(&self, _amount: u64) {}

    /// A record was left out.
    fn bad_record(&self, _record: &BadRecord) {}

    /// Whether the job should end at the next opportunity.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Says nothing and never cancels.
#[derive(Debug, Clone, Copy)]
pub struct Silent;

impl Progress for Silent {}
