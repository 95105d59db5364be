//! Records that stay, and a row for each removed one.

use super::basis::{basis_of, without_paths};
use super::counts::{CorpusCounts, DedupCounts};
use super::report::{Found, Report, SearchReport};
use super::running::{Command, Running};
use crate::corpus::{Corpus, Listing, Records};
use crate::ground::{OutputKind, Progress, Result, Stage};
use crate::job::{Check, Job};
use crate::pipeline::{self, Dedup};
use crate::run::Session;
use crate::write::{RecordOutput, RowNames, check_annotations, write_records, write_removed};
use lookalike_core::Resources;
use lookalike_core::rule::Decision;
use lookalike_io::{Discovered, RemovalRow, RowWriter, Sealed, Source};
use std::path::Path;

/// Decides which documents stay by `decide`, which follows from the rule, and writes what its outputs ask for.
///
/// # Errors
/// If an input cannot be read, an output cannot be written, or the nouns do not fit each other; then no output appears.
pub(super) fn dedup(
    job: &Job,
    decide: impl FnOnce(&Corpus, &Session<'_>) -> Result<Dedup>,
    resources: &Resources,
    progress: &dyn Progress,
) -> Result<Report> {
    let writes = &[OutputKind::Records, OutputKind::Removed, OutputKind::Summary, OutputKind::DocumentFrequencies];
    let command = Command {
        name: "dedup",
        writes,
        stages: pipeline::stages(&job.rule, job.method) + usize::from(job.check == Check::Texts) + 1,
    };
    let running = Running::begin(command, job, resources, progress)?;
    running.job.check_comparison()?;
    let job = &running.job;
    let records = job.outputs.records.as_deref();
    let provenance = job.records_provenance()?;
    let was_published = records.map_or(Ok(false), |path| running.session.has_published(path, &provenance))?;
    let found = running.discover()?;
    let mut outputs = DedupOutputs::create(&found, records.filter(|_| !was_published), job, &running.session)?;
    let sources = running.with_references(found)?;
    let (corpus, records) = running.read(&sources)?;
    let session = &running.session;
    let Dedup { decisions, method, recall, candidates } = decide(&corpus, session)?;
    outputs.describe(&basis_of(running.command, job, Some((method, recall)))?)?;
    let written =
        session.stage(writing(&records), || outputs.write((&corpus.listing, &records), &decisions, job, session))?;
    let search = SearchReport { method, recall, candidates, refused: corpus.refused_by_texts() };
    let counts = DedupCounts::new(&corpus.listing, corpus.empty, &records, &decisions);
    running.finish(written, Found::Dedup { counts, search, was_published }, CorpusCounts::of(&corpus, &records))
}

/// The stage in which records are read once more and written.
pub(super) fn writing(records: &Records) -> Stage {
    Stage::over_bytes(Stage::WRITING, records.inputs().iter().map(Source::bytes).sum())
}

/// The outputs of a job that removes documents, in their staging files until they are published.
pub(super) struct DedupOutputs {
    records: Option<RecordOutput>,
    removed: Option<RowWriter>,
}

impl DedupOutputs {
    /// Begins the outputs; `records` is where the records go.
    pub(super) fn create(found: &Discovered, records: Option<&Path>, job: &Job, session: &Session<'_>) -> Result<Self> {
        let (outputs, staging) = (&job.outputs, session.staging());
        if outputs.records.is_none() {
            check_annotations(found, job, outputs.format)?;
        }
        let records = records.map(|path| RecordOutput::create(found, path, job, &staging)).transpose()?;
        let removed = outputs.removed.as_deref();
        let header = RemovalRow::header(job.measure.figure(), outputs.row_sources);
        let removed = removed.map(|path| RowWriter::create_with(path, None, &header, &staging));
        Ok(Self { records, removed: removed.transpose()? })
    }

    /// Lets records and rows say what they depend on, where their format has a place for it.
    pub(super) fn describe(&mut self, basis: &str) -> Result<()> {
        if let Some(records) = &mut self.records {
            records.describe(without_paths(basis)?);
        }
        if let Some(removed) = &mut self.removed {
            removed.describe(basis);
        }
        Ok(())
    }

    /// Writes the outputs.
    pub(super) fn write(
        self,
        (listing, records): (&Listing, &Records),
        decisions: &[Decision],
        job: &Job,
        session: &Session<'_>,
    ) -> Result<Vec<Sealed>> {
        let mut written = Vec::new();
        if let Some(removed) = self.removed {
            let names = RowNames::new(listing, records, job.outputs.row_sources);
            written.push(write_removed(removed, &names, (decisions, job.measure), session)?);
        }
        if let Some(output) = self.records {
            written.push(write_records((listing, records), decisions, output, job, session)?);
        }
        Ok(written)
    }
}
