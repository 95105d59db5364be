//! What an earlier run of the job has saved of a stage, and where this run saves it.

use super::{Checkpoint, WorkFolder};
use crate::ground::Result;
use crate::spill::Spill;
use lookalike_core::stored::Provenance;

/// The checkpoint of the stage that is running.
pub(crate) struct SavedStage<'s> {
    pub(super) name: &'static str,
    /// The work folder of the job, and what the stage depends on; `None` if the job has none.
    pub(super) stored: Option<(&'s WorkFolder, Provenance)>,
    pub(super) spill: &'s Spill,
}

impl<'s> SavedStage<'s> {
    /// The work folder, for arrays that grow in files of their own.
    pub(crate) fn folder(&self) -> Option<&'s WorkFolder> {
        self.stored.as_ref().map(|(folder, _)| *folder)
    }

    /// The same stage of a job without a work folder.
    pub(crate) fn without_folder(&self) -> Self {
        Self { name: self.name, stored: None, spill: self.spill }
    }

    /// What was saved last, if it is whole.
    ///
    /// # Errors
    /// [`crate::details::WorkFolderError::OtherJob`] if it depends on something else.
    pub(crate) fn load<T: Checkpoint>(&self) -> Result<Option<T>> {
        match &self.stored {
            Some((folder, provenance)) => folder.load(self.name, provenance, self.spill),
            None => Ok(None),
        }
    }

    /// Saves a result in place of what was saved before.
    pub(crate) fn save(&self, result: &impl Checkpoint) -> Result<()> {
        match &self.stored {
            Some((folder, provenance)) => folder.save(self.name, provenance, result),
            None => Ok(()),
        }
    }
}
