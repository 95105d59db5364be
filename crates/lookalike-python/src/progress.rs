//! A job that runs beside the thread that called it.
//!
//! Python handles signals, as that of Ctrl-C, on its main thread only, and only when it is asked to. So the job has
//! threads of its own, and the calling thread wakes up every [`PERIOD`], lets Python handle signals, and calls the
//! function for progress. In between it has released the interpreter, so other Python threads go on. Warnings are
//! collected until the job is done.
//!
//! No thread outlives a call, so processes can be forked between calls.

use crate::errors::LookalikeError;
use lookalike::index::interrupted_write_note;
use lookalike::{
    Progress,
    details::{MemoryLimit, TextOrder},
    doors::printed_path,
    inputs::BadRecord,
    outputs::LeftOutReport,
    progress::{Stage, StageNumber, Unit},
};
use pyo3::prelude::{Py, PyAny, PyErr, PyResult, Python};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Time that the calling thread sleeps between two looks for signals.
const PERIOD: Duration = Duration::from_millis(50);

/// Warnings of one kind that are kept; more are counted.
const MAX_WARNINGS: u64 = 20;

/// Kinds of warnings, each with a limit of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum WarningKind {
    LeftOut,
    BytesAsText,
    ReadOnce,
    InterruptedWrite,
    FilesLeftOut,
    OrderedAsText,
    RefusedByTexts,
    LessMemory,
    ManyPairs,
}

impl WarningKind {
    /// The warning about those that were not kept.
    fn of_more(self, count: u64) -> String {
        let plural = |one: &str, several: &str| format!("{count} more {}", if count == 1 { one } else { several });
        match self {
            Self::LeftOut => plural("record was left out", "records were left out"),
            Self::BytesAsText => {
                plural("column holds bytes, which are", "columns hold bytes, which are") + " taken as text"
            }
            Self::ReadOnce => plural("time", "times") + " files were named twice",
            Self::InterruptedWrite => plural("index ends", "indexes end") + " with an interrupted write",
            Self::FilesLeftOut => plural("output has", "outputs have") + " files without a document",
            Self::OrderedAsText => plural("field is", "fields are") + " ordered as text",
            Self::RefusedByTexts => {
                plural("pair of texts is", "pairs of texts are") + " not as alike as the hashes of the texts"
            }
            Self::LessMemory => plural("time", "times") + " the memory was lowered",
            Self::ManyPairs => plural("time", "times") + " many pairs were counted",
        }
    }
}

/// Warnings in the order in which they came.
#[derive(Debug, Default)]
struct Warnings {
    kept: Vec<String>,
    counts: BTreeMap<WarningKind, u64>,
}

impl Warnings {
    fn push(&mut self, kind: WarningKind, message: String) {
        let count = self.counts.entry(kind).or_default();
        *count += 1;
        if *count <= MAX_WARNINGS {
            self.kept.push(message);
        }
    }

    /// The kept messages, and for each kind how many more there were.
    fn into_messages(self) -> Vec<String> {
        let Self { mut kept, counts } = self;
        let more = counts.into_iter().filter(|(_, count)| *count > MAX_WARNINGS);
        kept.extend(more.map(|(kind, count)| kind.of_more(count - MAX_WARNINGS)));
        kept
    }
}

/// Progress and warnings of a running job.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    is_cancelled: AtomicBool,
    /// The stage, whose total grows, its number, and the amount that is done.
    stage: Mutex<Option<(Stage, StageNumber, u64)>>,
    warnings: Mutex<Warnings>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watch {
    fn warn(&self, kind: WarningKind, message: String) {
        lock(&self.warnings).push(kind, message);
    }

    /// Stage, its number, number of stages, amount done, amount in all, unit.
    fn state(&self) -> Option<(&'static str, usize, usize, u64, u64, &'static str)> {
        let (stage, StageNumber { number, stages }, done) = (*lock(&self.stage))?;
        let unit = match stage.unit {
            Unit::Bytes => "bytes",
            Unit::Documents => "documents",
        };
        // Totals of bytes are estimates.
        Some((stage.name, number, stages, done, stage.total.max(done), unit))
    }
}

impl Progress for Watch {
    fn begin(&self, stage: Stage, number: StageNumber) {
        *lock(&self.stage) = Some((stage, number, 0));
    }

    fn extend(&self, amount: u64) {
        if let Some((stage, _, _)) = &mut *lock(&self.stage) {
            stage.total += amount;
        }
    }

    fn advance(&self, amount: u64) {
        if let Some((_, _, done)) = &mut *lock(&self.stage) {
            *done += amount;
        }
    }

    fn bad_record(&self, record: &BadRecord) {
        self.warn(WarningKind::LeftOut, format!("left out: {record}"));
    }

    fn bytes_as_text(&self, path: &Path, column: &str) {
        let message = format!("{}: column `{column}` holds bytes, which are taken as text", path.display());
        self.warn(WarningKind::BytesAsText, message);
    }

    fn interrupted_write(&self, index: &Path, bytes: u64) {
        self.warn(WarningKind::InterruptedWrite, interrupted_write_note(index, bytes));
    }

    fn read_once(&self, first: &Path, files: u64) {
        let first = printed_path(first);
        let message = match files {
            1 => format!("{first} is named twice, and read once"),
            _ => format!("{files} files are named twice, as {first}, and read once"),
        };
        self.warn(WarningKind::ReadOnce, message);
    }

    fn left_out(&self, files: &LeftOutReport) {
        self.warn(WarningKind::FilesLeftOut, files.to_string());
    }

    fn ordered_as_text(&self, order: &TextOrder) {
        self.warn(WarningKind::OrderedAsText, order.to_string());
    }

    fn refused_by_texts(&self, a: &str, b: &str) {
        let message = format!("the texts of `{a}` and `{b}` are not as alike as their hashes");
        self.warn(WarningKind::RefusedByTexts, message);
    }

    fn less_memory(&self, _limit: MemoryLimit, budget_bytes: u64) {
        let message = format!("the memory was lowered to {budget_bytes} bytes, which the process may have");
        self.warn(WarningKind::LessMemory, message);
    }

    fn many_pairs(&self, pairs: u64, are_all: bool) {
        let at_least = if are_all { "" } else { "at least " };
        let message = format!("the answer has {at_least}{pairs} pairs; `max_pairs` refuses too many of them");
        self.warn(WarningKind::ManyPairs, message);
    }

    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }
}

/// Runs `work` on a thread of its own, with the interpreter released, until it is done or Python wants it to end;
/// returns its result and the warnings.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    callback: Option<&Py<PyAny>>,
    work: impl FnOnce(&Watch) -> PyResult<T> + Send,
) -> PyResult<(T, Vec<String>)> {
    let watch = &Watch::default();
    py.detach(|| {
        std::thread::scope(|scope| {
            let (done, is_done) = channel::<()>();
            let job = std::thread::Builder::new().spawn_scoped(scope, move || {
                let _done = done;
                work(watch)
            });
            let job = job.map_err(|error| LookalikeError::new_err(format!("cannot start a thread: {error}")))?;
            let mut stopped: Option<PyErr> = None;
            while let Err(RecvTimeoutError::Timeout) = is_done.recv_timeout(PERIOD) {
                if stopped.is_none()
                    && let Err(error) = Python::attach(|py| look(py, watch, callback))
                {
                    watch.is_cancelled.store(true, Ordering::Relaxed);
                    stopped = Some(error);
                }
            }
            let result = job.join();
            match (stopped, result) {
                (Some(error), _) => Err(error),
                (None, Ok(result)) => Ok((result?, std::mem::take(&mut *lock(&watch.warnings)).into_messages())),
                (None, Err(_)) => Err(LookalikeError::new_err("a fault of lookalike: the job has panicked")),
            }
        })
    })
}

/// Looks for signals, and tells the progress.
fn look(py: Python<'_>, watch: &Watch, callback: Option<&Py<PyAny>>) -> PyResult<()> {
    py.check_signals()?;
    if let (Some(callback), Some(state)) = (callback, watch.state()) {
        callback.call1(py, state)?;
    }
    Ok(())
}
