//! The stages of a job as the user sees them: announced when they begin, timed when they end, cancelled in between.

use crate::ground::{Error, Progress, Result, Stage, StageNumber, StageTime, peak_bytes};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Announces stages and measures them.
pub(crate) struct Stages<'a> {
    pub(crate) progress: &'a dyn Progress,
    times: Mutex<Vec<StageTime>>,
    /// Number of stages that the job will have, as far as it is known.
    expected: AtomicUsize,
    begun: AtomicUsize,
    /// Whether a stage was taken from an earlier run, and nobody has been told yet.
    has_resumed: AtomicBool,
    /// Stages that are done again in each run: they have no checkpoint.
    repeated: AtomicUsize,
    /// Whether an interrupted job can go on.
    is_resumable: bool,
    /// Whether writing goes to where a reader may see progress, too.
    writes_to_streams: AtomicBool,
    /// Whether stages take turns: one of the same name is the same once more.
    take_turns: AtomicBool,
}

impl<'a> Stages<'a> {
    pub(super) fn new(progress: &'a dyn Progress, is_resumable: bool) -> Self {
        let (expected, begun, has_resumed) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicBool::new(false));
        let repeated = AtomicUsize::new(0);
        let (times, writes_to_streams) = (Mutex::new(Vec::new()), AtomicBool::new(false));
        let take_turns = AtomicBool::new(false);
        Self { progress, times, expected, begun, has_resumed, repeated, is_resumable, writes_to_streams, take_turns }
    }

    /// Notes that some output is standard output or a device, which shows it while it is written.
    pub(crate) fn write_to_streams(&self) {
        self.writes_to_streams.store(true, Ordering::Relaxed);
    }

    /// Notes that stages take turns from now on, an unknown number of times: each is announced once, and its times are
    /// added up. Nothing is shown of their progress.
    pub(crate) fn take_turns(&self) {
        self.take_turns.store(true, Ordering::Relaxed);
        self.progress.publishing();
    }

    /// Notes that the job will have `stages` more stages.
    pub(crate) fn expect(&self, stages: usize) {
        self.expected.fetch_add(stages, Ordering::Relaxed);
    }

    /// Notes that the current stage has `amount` more work than it was announced with.
    pub(crate) fn extend(&self, amount: usize) {
        self.progress.extend(amount as u64);
    }

    /// Notes that the result of the current stage was there already.
    pub(crate) fn taken_up(&self) {
        self.has_resumed.store(true, Ordering::Relaxed);
    }

    /// Notes that the current stage is done once more, whatever was done before.
    pub(crate) fn is_repeated(&self) {
        self.repeated.fetch_add(1, Ordering::Relaxed);
    }

    /// Tells, once, that the stages before the current one were done before. Called where work begins.
    pub(crate) fn tell_resumed(&self) {
        if self.has_resumed.swap(false, Ordering::Relaxed) {
            let again = self.repeated.load(Ordering::Relaxed);
            let done = self.begun.load(Ordering::Relaxed).saturating_sub(1 + again);
            self.progress.resumed(done, self.expected.load(Ordering::Relaxed));
        }
    }

    /// Tells that the current stage, the first one, goes on where an earlier run has ended.
    pub(crate) fn tell_goes_on(&self) {
        self.progress.resumed(0, self.expected.load(Ordering::Relaxed));
    }

    /// Runs `work` as a stage.
    pub(super) fn run<T>(&self, stage: Stage, work: impl FnOnce() -> Result<T>) -> Result<T> {
        self.check()?;
        if !self.has_run(stage.name) {
            self.begin(stage);
        }
        let start = Instant::now();
        let result = work()?;
        self.note(StageTime { stage: stage.name, seconds: start.elapsed().as_secs_f64(), peak_bytes: peak_bytes() });
        Ok(result)
    }

    /// Whether a stage that takes turns has had one.
    fn has_run(&self, name: &str) -> bool {
        let times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        self.take_turns.load(Ordering::Relaxed) && times.iter().any(|time| time.stage == name)
    }

    fn note(&self, time: StageTime) {
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        match times.iter_mut().find(|earlier| earlier.stage == time.stage) {
            Some(earlier) if self.take_turns.load(Ordering::Relaxed) => {
                earlier.seconds += time.seconds;
                earlier.peak_bytes = time.peak_bytes;
            }
            _ => times.push(time),
        }
    }

    fn begin(&self, stage: Stage) {
        let number = self.begun.fetch_add(1, Ordering::Relaxed) + 1;
        let stages = self.expected.fetch_max(number, Ordering::Relaxed).max(number);
        if number == stages {
            self.tell_resumed();
        }
        self.progress.begin(stage, StageNumber { number, stages });
        if stage.name == Stage::WRITING && self.writes_to_streams.load(Ordering::Relaxed) {
            self.progress.publishing();
        }
    }

    /// Ends the job if the user has cancelled it.
    pub(crate) fn check(&self) -> Result<()> {
        if self.progress.is_cancelled() { Err(Error::Interrupted { is_resumable: self.is_resumable }) } else { Ok(()) }
    }

    /// Looks once in 1,024 rows whether the user has cancelled the job, and ends it then.
    pub(crate) fn check_sometimes(&self, row: u64) -> Result<()> {
        if row.is_multiple_of(1024) { self.check() } else { Ok(()) }
    }

    pub(super) fn times(&self) -> Vec<StageTime> {
        self.times.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
