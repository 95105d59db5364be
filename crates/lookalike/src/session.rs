//! What all stages of a job share: checked options, threads, progress.

use crate::error::{Error, Result};
use crate::options::{Method, Options};
use crate::progress::Progress;
use crate::spill::Spill;
use crate::threads::Pace;
use crate::timing::{StageTime, Stages};
use crate::work::WorkFolder;
use lookalike_core::plan::{Goal, choose};
use lookalike_core::shingle_sets::ShingleSets;
use lookalike_core::sketch::Banding;
use lookalike_core::text::Tokenizer;
use lookalike_core::verify::Verifier;
use lookalike_io::Discovered;
use std::path::PathBuf;

/// Budget that each thread must have: what it has freed stays with it for a while, with most allocators.
const BYTES_PER_THREAD: u64 = 16 << 20;

/// A job's surroundings.
pub struct Session<'a> {
    pub(crate) options: &'a Options,
    pub(crate) stages: Stages<'a>,
    threads: usize,
    /// `None` if no banding reaches the wanted recall; then only the exact method can be used.
    pub(crate) banding: Option<Banding>,
    pub(crate) spill: Spill,
    /// Where the job keeps what it has finished.
    pub(crate) work: Option<WorkFolder>,
}

impl<'a> Session<'a> {
    /// Checks the options, chooses bands and rows.
    ///
    /// # Errors
    /// [`Error::Parameters`] if the options contradict each other or no banding within the permutations reaches the wanted
    /// recall; [`Error::NotAWorkFolder`] or [`Error::WorkFolderInUse`].
    pub fn new(options: &'a Options, progress: &'a dyn Progress) -> Result<Self> {
        options.shingle.check(&options.text)?;
        let banding = choose_banding(options)?;
        if let Some(folder) = &options.memory.temporary_folder {
            std::fs::read_dir(folder)
                .map_err(|source| lookalike_io::Error::io("write temporary data to", folder, source))?;
        }
        let spill = Spill::new(&options.memory, options.work_folder.as_deref());
        let threads = options.threads.or_else(|| std::thread::available_parallelism().ok()).map_or(1, usize::from);
        let threads =
            threads.min(usize::try_from(spill.budget_bytes() / BYTES_PER_THREAD).unwrap_or(usize::MAX)).max(1);
        let work = options.work_folder.as_deref().map(WorkFolder::open).transpose()?;
        let stages = if work.is_some() { Stages::of_resumable_job(progress) } else { Stages::new(progress) };
        Ok(Self { options, stages, threads, banding, spill, work })
    }

    /// Finds the inputs, as [`Options::discover`] does; what is copied for that can be cancelled.
    ///
    /// # Errors
    /// As [`Options::discover`]; [`Error::Interrupted`].
    pub fn discover(&self, inputs: &[PathBuf]) -> Result<Discovered> {
        let found = self.options.discover_while(&|| !self.stages.progress.is_cancelled(), inputs);
        found.map_err(|error| match error {
            Error::Io(lookalike_io::Error::Cancelled) => Error::Interrupted { is_resumable: false },
            error => error,
        })
    }

    /// A tokenizer for one thread.
    pub(crate) fn tokenizer(&self) -> Tokenizer {
        Tokenizer::with_kernel(self.options.text.clone(), self.options.kernel)
    }

    /// A verifier of pairs of documents.
    pub(crate) fn verifier<'s>(&self, sets: &'s ShingleSets) -> Verifier<'s> {
        Verifier::with_kernel(sets, self.options.threshold, self.options.kernel)
    }

    /// Number of threads at work.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Memory that the process should stay within, in bytes.
    pub fn memory_bytes(&self) -> u64 {
        self.spill.budget_bytes()
    }

    /// The pace at which items of so many bytes stay within an eighth of the budget.
    pub(crate) fn pace_for(&self, bytes_of_item: usize) -> Pace {
        Pace::within(self.spill.share(8) / bytes_of_item.max(1), self.threads())
    }

    /// The bands and rows that the MinHash method uses; `None` if there are none that reach the wanted recall.
    pub fn banding(&self) -> Option<Banding> {
        self.banding
    }

    /// Durations of the stages so far.
    pub fn stage_times(&self) -> Vec<StageTime> {
        self.stages.times()
    }
}

fn choose_banding(options: &Options) -> Result<Option<Banding>> {
    let minhash = options.minhash;
    if let Some(banding) = minhash.banding {
        return Ok(Some(Banding::within(banding.bands(), banding.rows(), minhash.permutations)?));
    }
    let (threshold, recall) = (options.threshold.as_f64(), minhash.recall);
    match choose(&Goal { threshold, recall, permutations: minhash.permutations, low: None }) {
        Ok(banding) => Ok(Some(banding)),
        Err(lookalike_core::Error::NoBanding { .. }) if options.method != Method::MinHash => Ok(None),
        Err(error) => Err(error.into()),
    }
}
