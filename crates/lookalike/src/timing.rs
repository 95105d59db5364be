//! How long the stages took, and how much memory the process had at most by then.

use crate::error::{Error, Result};
use crate::progress::{Progress, Stage};
use serde::Serialize;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The duration of a finished stage.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StageTime {
    /// What was done.
    pub stage: &'static str,
    /// Wall time.
    pub seconds: f64,
    /// Largest resident size of the process up to the end of the stage, in bytes, where the system tells.
    pub peak_bytes: Option<u64>,
}

/// The largest resident size that this process has had, in bytes, where the system tells (Linux).
pub fn peak_bytes() -> Option<u64> {
    status("VmHWM:")
}

/// The resident size of this process, in bytes, where the system tells (Linux).
pub fn resident_bytes() -> Option<u64> {
    status("VmRSS:")
}

/// What is resident of all mapped files, the program itself among them, where the system tells (Linux).
pub(crate) fn resident_file_bytes() -> Option<u64> {
    status("RssFile:")
}

fn status(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = peak.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// Announces stages and measures them.
pub(crate) struct Stages<'a> {
    pub(crate) progress: &'a dyn Progress,
    times: Mutex<Vec<StageTime>>,
    /// Whether an interrupted job can go on.
    is_resumable: bool,
}

impl<'a> Stages<'a> {
    pub(crate) fn new(progress: &'a dyn Progress) -> Self {
        Self { progress, times: Mutex::new(Vec::new()), is_resumable: false }
    }

    /// Of a job that can go on when it was interrupted.
    pub(crate) fn of_resumable_job(progress: &'a dyn Progress) -> Self {
        Self { is_resumable: true, ..Self::new(progress) }
    }

    /// Runs `work` as a stage.
    pub(crate) fn run<T>(&self, stage: Stage, work: impl FnOnce() -> Result<T>) -> Result<T> {
        self.check()?;
        self.progress.begin(stage);
        let start = Instant::now();
        let result = work()?;
        let seconds = start.elapsed().as_secs_f64();
        let time = StageTime { stage: stage.name, seconds, peak_bytes: peak_bytes() };
        self.times.lock().unwrap_or_else(PoisonError::into_inner).push(time);
        Ok(result)
    }

    /// Ends the job if the user wants that.
    pub(crate) fn check(&self) -> Result<()> {
        if self.progress.is_cancelled() { Err(Error::Interrupted { is_resumable: self.is_resumable }) } else { Ok(()) }
    }

    pub(crate) fn times(&self) -> Vec<StageTime> {
        self.times.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
