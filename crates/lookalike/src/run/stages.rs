//! The stages of a job as the user sees them: announced when they begin, timed when they end, cancelled in between.

use crate::ground::{Error, Progress, Result, Stage, StageTime, peak_bytes};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Announces stages and measures them.
pub(crate) struct Stages<'a> {
    pub(crate) progress: &'a dyn Progress,
    times: Mutex<Vec<StageTime>>,
    /// Whether an interrupted job can go on.
    is_resumable: bool,
}

impl<'a> Stages<'a> {
    pub(super) fn new(progress: &'a dyn Progress, is_resumable: bool) -> Self {
        Self { progress, times: Mutex::new(Vec::new()), is_resumable }
    }

    /// Runs `work` as a stage.
    pub(super) fn run<T>(&self, stage: Stage, work: impl FnOnce() -> Result<T>) -> Result<T> {
        self.check()?;
        self.progress.begin(stage);
        let start = Instant::now();
        let result = work()?;
        let seconds = start.elapsed().as_secs_f64();
        let time = StageTime { stage: stage.name, seconds, peak_bytes: peak_bytes() };
        self.times.lock().unwrap_or_else(PoisonError::into_inner).push(time);
        Ok(result)
    }

    /// Ends the job if the user has cancelled it.
    pub(crate) fn check(&self) -> Result<()> {
        if self.progress.is_cancelled() { Err(Error::Interrupted { is_resumable: self.is_resumable }) } else { Ok(()) }
    }

    pub(super) fn times(&self) -> Vec<StageTime> {
        self.times.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
