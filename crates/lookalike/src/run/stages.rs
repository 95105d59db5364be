//! The stages of a job as the user sees them: announced when they begin, timed when they end, cancelled in between.

use crate::base::{Error, Progress, Result, Stage, StageNumber, StageTime, peak_bytes};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Announces stages and measures them.
pub(crate) struct Stages<'a> {
    pub(crate) progress: &'a dyn Progress,
    /// `true` if an interrupted job can go on.
    is_resumable: bool,
    state: Mutex<StageStates>,
}

/// State of the stages of a job.
#[derive(Default)]
struct StageStates {
    times: Vec<StageTime>,
    /// The stages of the job: their number is announced with the first one, and true to the end.
    expected: Vec<&'static str>,
    /// Names of the stages that have a number, in their order.
    numbered: Vec<&'static str>,
    /// Number of those that belong to an earlier search of the job.
    earlier: usize,
    /// `true` if the next stage belongs to the one before it, and has its number.
    next_is_part: bool,
    /// `true` if a stage was taken from an earlier run, and that is not reported yet.
    has_resumed: bool,
    /// Number of stages that are done again in each run: they have no checkpoint.
    repeated: usize,
    /// `true` if writing goes to where a reader may see progress, too.
    writes_to_streams: bool,
    /// `true` if stages take turns: one of the same name is the same once more.
    take_turns: bool,
}

impl<'a> Stages<'a> {
    pub(super) fn new(progress: &'a dyn Progress, is_resumable: bool) -> Self {
        Self { progress, is_resumable, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, StageStates> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that some output is standard output or a device, which shows it while it is written.
    pub(crate) fn write_to_streams(&self) {
        self.state().writes_to_streams = true;
    }

    /// Notes that stages take turns from now on, an unknown number of times: each is announced once, and its times are
    /// added up. Nothing is shown of their progress.
    pub(crate) fn take_turns(&self) {
        self.state().take_turns = true;
        self.progress.publishing();
    }

    /// Notes the stages of the job in their order, before the first of all begins.
    pub(crate) fn expect(&self, stages: Vec<&'static str>) {
        self.state().expected = stages;
    }

    /// Notes that the next stage belongs to the one before it: only the documents tell whether there is such a stage,
    /// so it has no number of its own.
    pub(crate) fn next_is_part(&self) {
        self.state().next_is_part = true;
    }

    /// Notes that the current stage has `amount` more work than it was announced with.
    pub(crate) fn extend(&self, amount: usize) {
        self.progress.extend(amount as u64);
    }

    /// Notes that the result of the current stage was there already.
    pub(crate) fn resumed(&self) {
        self.state().has_resumed = true;
    }

    /// Notes that the current stage is done once more, whatever was done before.
    pub(crate) fn is_repeated(&self) {
        self.state().repeated += 1;
    }

    /// Tells, once, that the stages before the current one were done before. Called where work begins.
    pub(crate) fn report_resumed(&self) {
        let mut state = self.state();
        if std::mem::take(&mut state.has_resumed) {
            let done = state.numbered.len().saturating_sub(1 + state.repeated);
            let expected = state.expected.len();
            drop(state);
            self.progress.resumed(done, expected);
        }
    }

    /// Tells that the current stage, the first one, goes on where an earlier run has ended.
    pub(crate) fn report_continued(&self) {
        let expected = self.state().expected.len();
        self.progress.resumed(0, expected);
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

    /// Returns whether a stage that takes turns has had one.
    fn has_run(&self, name: &str) -> bool {
        let state = self.state();
        state.take_turns && state.times.iter().any(|time| time.stage == name)
    }

    fn note(&self, time: StageTime) {
        let StageStates { times, take_turns, .. } = &mut *self.state();
        match times.iter_mut().find(|earlier| *take_turns && earlier.stage == time.stage) {
            Some(earlier) => {
                earlier.seconds += time.seconds;
                earlier.peak_bytes = time.peak_bytes;
            }
            None => times.push(time),
        }
    }

    fn begin(&self, stage: Stage) {
        let number = self.state().number_of(stage.name);
        let stages = self.state().expected.len().max(number);
        if number == stages {
            self.report_resumed();
        }
        self.progress.begin(stage, StageNumber { number, stages });
        let is_seen = stage.name == Stage::WRITING && self.state().writes_to_streams;
        if is_seen {
            self.progress.publishing();
        }
    }

    /// Notes that another search begins: its stages have numbers of their own, whatever their names are.
    pub(crate) fn search_again(&self) {
        let mut state = self.state();
        state.earlier = state.numbered.len();
    }

    /// Ends the job if the user has cancelled it.
    pub(crate) fn check(&self) -> Result<()> {
        if self.progress.is_cancelled() { Err(Error::Interrupted { is_resumable: self.is_resumable }) } else { Ok(()) }
    }

    /// Looks once in 1,024 rows whether the user has cancelled the job, and ends it then.
    pub(crate) fn check_sometimes(&self, row: u64) -> Result<()> {
        if row.is_multiple_of(1024) { self.check() } else { Ok(()) }
    }

    pub(crate) fn times(&self) -> Vec<StageTime> {
        self.state().times.clone()
    }
}

impl StageStates {
    /// The number of a stage that begins. One that begins once more, for other documents, keeps its number.
    fn number_of(&mut self, name: &'static str) -> usize {
        let is_part = std::mem::take(&mut self.next_is_part);
        if let Some(place) = self.numbered[self.earlier..].iter().position(|&begun| begun == name) {
            return self.earlier + place + 1;
        }
        if !is_part || self.numbered.is_empty() {
            let expected = &self.expected;
            debug_assert!(expected.is_empty() || expected.contains(&name), "{name} is in no list: {expected:?}");
            self.numbered.push(name);
        }
        self.numbered.len()
    }
}
