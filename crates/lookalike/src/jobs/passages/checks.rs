//! Checks of what jobs over passages ask of a job.

use crate::base::details::WholeTextConflict;
use crate::base::{Contradiction, Error, Result};
use crate::corpus::check_tokens;
use crate::job::Job;
use lookalike_core::comparison::Features;
use lookalike_io::{Source, formats::RecordFormat, sources::SourceKind};

/// Checks that texts are cut into tokens.
pub(crate) fn check_features(job: &Job) -> Result<()> {
    if job.features == Features::WholeText {
        return Err(Contradiction::NotForWholeTexts { found: WholeTextConflict::Passages }.into());
    }
    job.features.check()?;
    if job.inputs.features(&job.features).are_of_items() || job.inputs.points().is_some() {
        return Err(Contradiction::NoPassages.into());
    }
    Ok(())
}

/// Checks that passages can be looked for in all sources: in texts, or in snapshots that have tokens for that.
pub(in crate::jobs) fn check_references(sources: &[Source], features: &Features) -> Result<()> {
    let is_snapshot = |source: &Source| source.record_format() == Some(RecordFormat::Snapshot);
    check_texts(sources.iter().filter(|source| !is_snapshot(source)))?;
    let mut snapshots = sources.iter().filter(|source| is_snapshot(source));
    snapshots.try_for_each(|snapshot| check_tokens(&snapshot.file, features))
}

/// Checks that all sources have texts.
pub(in crate::jobs) fn check_texts<'s>(sources: impl IntoIterator<Item = &'s Source>) -> Result<()> {
    let Some(stored) = sources.into_iter().find(|source| source.is_stored()) else { return Ok(()) };
    let path = stored.path.to_path_buf();
    match stored.kind {
        SourceKind::Index { .. } => Err(Error::PassagesInIndex { path }),
        _ => Err(Error::PassagesWithoutTexts { path }),
    }
}
