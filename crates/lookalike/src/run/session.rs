//! Session of a run, which all its stages share: threads, kernel, memory, progress, checkpoints.

use super::stages::Stages;
use super::{Checkpoint, CheckpointOf, SavedStage, WorkFolder};
use crate::base::{Contradiction, Error, Progress, Result, Stage, available_threads};
use crate::spill::{Budget, Granted, Share, Spill, free_bytes};
use crate::threads::Pace;
use lookalike_core::Resources;
use lookalike_core::kernel::Kernel;
use lookalike_core::stored::Provenance;
use lookalike_io::base::details::Action;
use lookalike_io::{
    Inputs,
    base::Staging,
    sources::{Discovered, Discovery, Stdin, discover_with, is_read_once},
};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Windows of compressed files up to this size are read in any memory, as unpacking tools do without being asked.
const USUAL_WINDOW_BYTES: u64 = 1 << 27;

/// One run of a job with its resources.
pub struct Session<'a> {
    pub(crate) stages: Stages<'a>,
    pub(crate) spill: Spill,
    pub(super) work: Option<WorkFolder>,
    kernel: Kernel,
    threads: usize,
    /// The resources as they are used, with nothing left open.
    resources: Resources,
}

impl<'a> Session<'a> {
    /// Opens the folders, counts threads and memory.
    ///
    /// # Errors
    /// [`Error::Io`] for a folder that cannot be used; [`crate::details::WorkFolderError::NotAWorkFolder`] or
    /// [`crate::details::WorkFolderError::WorkFolderInUse`]; [`Error::TooLittleMemory`].
    pub fn new(resources: &Resources, progress: &'a dyn Progress) -> Result<Self> {
        let Resources { threads, memory_bytes, temporary_folder, work_folder, kernel } = resources;
        if let Some(folder) = temporary_folder {
            std::fs::read_dir(folder)
                .map_err(|source| lookalike_io::Error::io(Action::WriteTemporary, folder, source))?;
        }
        let temporary = temporary_folder.as_deref().or(work_folder.as_deref());
        let temporary = temporary.map_or_else(std::env::temp_dir, Path::to_owned);
        let Granted { budget, lowered_by } = Budget::within_limits(*memory_bytes)?;
        if let Some(limit) = lowered_by {
            progress.less_memory(limit, budget.bytes());
        }
        let spill = Spill::new(budget, temporary.clone());
        let threads = threads.or_else(available_threads).map_or(1, usize::from);
        let threads = threads.min(budget.max_threads());
        let work = work_folder.as_deref().map(WorkFolder::open).transpose()?;
        let kernel = kernel.unwrap_or_else(Kernel::detect);
        let resources = Resources {
            threads: NonZeroUsize::new(threads),
            memory_bytes: Some(budget.bytes()),
            temporary_folder: Some(temporary),
            work_folder: work_folder.clone(),
            kernel: Some(kernel),
        };
        Ok(Self { stages: Stages::new(progress, work.is_some()), spill, work, kernel, threads, resources })
    }

    /// Finds the references of a job, whose fields may have names of their own.
    pub(crate) fn discover_references(&self, inputs: &Inputs) -> Result<Discovered> {
        let own_fields = inputs.own_fields_of_references();
        let text_field = own_fields.as_ref().and_then(|own| own.text.clone());
        let text_field = text_field.unwrap_or_else(|| inputs.text_field.clone());
        let found = self.discover(&inputs.against, &Inputs { text_field, ..inputs.clone() })?;
        Ok(found.with_own_fields(own_fields))
    }

    /// Finds the sources that `paths` name, in the layout that `inputs` says.
    pub(crate) fn discover(&self, paths: &[PathBuf], inputs: &Inputs) -> Result<Discovered> {
        self.discover_with(paths, inputs, Stdin::Copied)
    }

    /// Finds the sources that `paths` name; standard input is read as `stdin` says.
    pub(crate) fn discover_with(&self, paths: &[PathBuf], inputs: &Inputs, stdin: Stdin) -> Result<Discovered> {
        if self.work.is_some() && paths.iter().any(|path| is_read_once(path)) {
            return Err(Contradiction::StdinCannotResume.into());
        }
        let discovery = Discovery {
            texts: inputs.texts(),
            stdin,
            selection: inputs.selection()?,
            staging: self.staging(),
            format: inputs.input_format,
            json: inputs.json_files,
            column: &inputs.text_field,
            quotes: inputs.quotes,
            on_error: inputs.on_error,
            limit: inputs.max_document_bytes,
            goes_on: &|| !self.stages.progress.is_cancelled(),
            free_bytes: &free_bytes,
        };
        let found = discover_with(paths, &discovery).map_err(|error| match error {
            lookalike_io::Error::Cancelled => Error::Interrupted { is_resumable: false },
            error => error.into(),
        })?;
        let budget_bytes = self.spill.whole_budget().bytes();
        let needs_more = |bytes: u64| bytes > USUAL_WINDOW_BYTES && bytes > budget_bytes;
        if let Some(source) = found.sources.iter().find(|source| needs_more(source.window_bytes())) {
            let path = source.path.to_path_buf();
            let window_bytes = source.window_bytes();
            return Err(Error::WindowTooLarge { path, window_bytes, budget_bytes });
        }
        found.unusable.iter().for_each(|record| self.stages.progress.bad_record(record));
        if let Some(path) = &found.repeated {
            self.stages.progress.read_once(path, found.skipped_counts.repeated);
        }
        Ok(found)
    }

    /// Staging of outputs until they are finished; a job with a work folder removes those of a run that was killed.
    pub(crate) fn staging(&self) -> Staging {
        let manifest = self.work.as_ref().map(WorkFolder::manifest);
        Staging { temporary_folder: self.spill.folder.clone(), manifest }
    }

    /// Runs a stage: it is announced, timed and can be cancelled.
    pub(crate) fn stage<T>(&self, stage: Stage, work: impl FnOnce() -> Result<T>) -> Result<T> {
        self.stages.run(stage, || {
            let result = work()?;
            self.spill.check_files()?;
            Ok(result)
        })
    }

    /// A stage without a checkpoint, whether there is a work folder or not.
    pub(crate) fn unsaved(&self) -> SavedStage<'_> {
        SavedStage { name: "", stored: None, spill: &self.spill }
    }

    /// Runs a stage whose result the work folder keeps: an earlier run that has finished it under the same provenance
    /// has saved the result, and it is not computed again.
    ///
    /// # Errors
    /// Those of `work`; [`crate::details::WorkFolderError::OtherJob`] if the saved result depends on something else.
    pub(crate) fn checkpointed<T: Checkpoint>(
        &self,
        stage: Stage,
        of: CheckpointOf<'_>,
        work: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        let CheckpointOf { name, provenance, documents } = of;
        let provenance = || Ok(provenance.clone());
        self.resumed(stage, name, provenance, |saved| match saved.load::<T>()?.filter(|found| found.fits(documents)) {
            Some(result) => {
                self.stages.resumed();
                Ok(result)
            }
            None => {
                self.stages.report_resumed();
                let result = work()?;
                saved.save(&result)?;
                Ok(result)
            }
        })
    }

    /// Runs a stage that saves by itself how far it has come, and begins where an earlier run has ended. `provenance`
    /// is asked for only if there is a work folder.
    ///
    /// # Errors
    /// Those of `work` and `provenance`.
    pub(crate) fn resumed<T>(
        &self,
        stage: Stage,
        name: &'static str,
        provenance: impl FnOnce() -> Result<Provenance>,
        work: impl FnOnce(&SavedStage<'_>) -> Result<T>,
    ) -> Result<T> {
        self.stage(stage, || {
            let stored = self.work.as_ref().map(|folder| Ok::<_, Error>((folder, provenance()?))).transpose()?;
            work(&SavedStage { name, stored, spill: &self.spill })
        })
    }

    /// The version of the inner loops.
    pub(crate) fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// Number of threads at work.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// The pace at which items of `item_bytes` bytes in flight stay within their share of the budget.
    pub(crate) fn pace_for(&self, item_bytes: usize) -> Pace {
        Pace::within(self.spill.budget().share(Share::InFlight) / item_bytes.max(1), self.threads())
    }

    /// The resources as they are used, with nothing left open.
    pub fn resources(&self) -> &Resources {
        &self.resources
    }
}
