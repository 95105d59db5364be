//! What passages ask of a job.

use crate::ground::{Error, Result};
use crate::job::Job;
use lookalike_core::features::Features;
use lookalike_io::Source;

/// Checks that texts are cut into tokens.
pub(super) fn check_features(job: &Job) -> Result<()> {
    if job.features == Features::WholeText {
        return Err(Error::NotForWholeTexts { found: "passages" });
    }
    job.features.check()?;
    if job.inputs.features(&job.features).are_of_items() || job.inputs.fingerprints.is_some() {
        return Err(Error::NoPassages);
    }
    Ok(())
}

/// Checks that all sources have texts.
pub(super) fn check_texts<'s>(mut sources: impl Iterator<Item = &'s Source>) -> Result<()> {
    match sources.find(|source| source.is_stored()) {
        Some(stored) => Err(Error::PassagesWithoutTexts { path: stored.path.to_path_buf() }),
        None => Ok(()),
    }
}
