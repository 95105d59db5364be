//! The stages of a job as the user sees them: announced when they begin, timed when they end, cancelled in between.

use crate::ground::{Error, Progress, Result, Stage, StageNumber, StageTime, peak_bytes};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Instant;

/// Announces stages and measures them.
pub(crate) struct Stages<'a> {
    pub(crate) progress: &'a dyn Progress,
    times: Mutex<Vec<StageTime>>,
    /// The stages of the job: their number is announced with the first one, and true to the end.
    expected: OnceLock<Vec<&'static str>>,
    /// The stages that have a number.
    numbered: Mutex<Numbered>,
    /// Whether the next stage belongs to the one before it, and has its number.
    next_is_part: AtomicBool,
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

/// The stages that have a number.
#[derive(Default)]
struct Numbered {
    /// Their names, in their order.
    names: Vec<&'static str>,
    /// Number of those that belong to an earlier search of the job.
    earlier: usize,
}

impl<'a> Stages<'a> {
    pub(super) fn new(progress: &'a dyn Progress, is_resumable: bool) -> Self {
        Self {
            progress,
            times: Mutex::new(Vec::new()),
            expected: OnceLock::new(),
            numbered: Mutex::new(Numbered::default()),
            next_is_part: AtomicBool::new(false),
            has_resumed: AtomicBool::new(false),
            repeated: AtomicUsize::new(0),
            is_resumable,
            writes_to_streams: AtomicBool::new(false),
            take_turns: AtomicBool::new(false),
        }
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

    /// Notes the stages of the job in their order, before the first of all begins.
    pub(crate) fn expect(&self, stages: Vec<&'static str>) {
        let _ = self.expected.set(stages);
    }

    fn expected(&self) -> &[&'static str] {
        self.expected.get().map_or(&[], Vec::as_slice)
    }

    /// Notes that the next stage belongs to the one before it: only the documents tell whether there is such a stage,
    /// so it has no number of its own.
    pub(crate) fn next_is_part(&self) {
        self.next_is_part.store(true, Ordering::Relaxed);
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
            let begun = self.numbered.lock().unwrap_or_else(PoisonError::into_inner).names.len();
            let done = begun.saturating_sub(1 + again);
            self.progress.resumed(done, self.expected().len());
        }
    }

    /// Tells that the current stage, the first one, goes on where an earlier run has ended.
    pub(crate) fn tell_goes_on(&self) {
        self.progress.resumed(0, self.expected().len());
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
        let number = self.number_of(stage.name);
        let stages = self.expected().len().max(number);
        if number == stages {
            self.tell_resumed();
        }
        self.progress.begin(stage, StageNumber { number, stages });
        if stage.name == Stage::WRITING && self.writes_to_streams.load(Ordering::Relaxed) {
            self.progress.publishing();
        }
    }

    /// The number of a stage that begins. One that begins once more, for other documents, keeps its number.
    fn number_of(&self, name: &'static str) -> usize {
        let is_part = self.next_is_part.swap(false, Ordering::Relaxed);
        let mut numbered = self.numbered.lock().unwrap_or_else(PoisonError::into_inner);
        let Numbered { names, earlier } = &mut *numbered;
        if let Some(place) = names[*earlier..].iter().position(|&begun| begun == name) {
            return *earlier + place + 1;
        }
        if !is_part || names.is_empty() {
            let expected = self.expected();
            debug_assert!(expected.is_empty() || expected.contains(&name), "{name} is in no list: {expected:?}");
            names.push(name);
        }
        names.len()
    }

    /// Notes that another search begins: its stages have numbers of their own, whatever their names are.
    pub(crate) fn search_again(&self) {
        let mut numbered = self.numbered.lock().unwrap_or_else(PoisonError::into_inner);
        numbered.earlier = numbered.names.len();
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
