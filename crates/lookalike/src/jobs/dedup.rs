//! Records that stay, and a row for each removed one.

use super::basis::{basis_of, without_paths};
use super::running::{Command, Purpose, Running, stages_of};
use crate::corpus::{Corpus, Listing, Records, ids_of};
use crate::ground::{Error, OutputKind, Progress, Result, Stage};
use crate::job::Job;
use crate::pages::{Removals, sealed_page};
use crate::pipeline::Dedup;
use crate::report::{CorpusCounts, DedupCounts, Found, IndexCounts, Report, SearchReport};
use crate::run::Session;
use crate::write::{
    Outcome, RecordOutput, Replacing, RowNames, StoredCorpus, check_annotations, give_resources, write_records,
    write_removed, written,
};
use lookalike_core::rule::Decision;
use lookalike_core::{DocId, Resources};
use lookalike_index::{Documents, IndexWriter, Prepared};
use lookalike_io::{RowWriter, Source, outputs::Sealed, rows::RemovalRow, sources::Discovered};
use std::path::Path;

/// Decides which documents stay by `decide`, which follows from the rule and is given the completed job; then writes
/// what its outputs ask for.
///
/// # Errors
/// If an input cannot be read, an output cannot be written, or the nouns do not fit each other; then no output appears.
pub(super) fn dedup(
    job: &Job,
    decide: impl FnOnce(&Job, &Corpus, &Session<'_>) -> Result<Dedup>,
    resources: &Resources,
    progress: &dyn Progress,
) -> Result<Report> {
    dedup_and_add((job, None), decide, resources, progress)
}

/// The same; the documents that stay are put into an index at the moment in which the outputs appear.
///
/// # Errors
/// As [`dedup`]; if the index cannot be written to.
pub(super) fn dedup_and_add(
    (job, mut adding): (&Job, Option<Adding>),
    decide: impl FnOnce(&Job, &Corpus, &Session<'_>) -> Result<Dedup>,
    resources: &Resources,
    progress: &dyn Progress,
) -> Result<Report> {
    let writes = &[
        OutputKind::Records,
        OutputKind::LeftOut,
        OutputKind::Removed,
        OutputKind::Summary,
        OutputKind::DocumentFrequencies,
        OutputKind::Report,
    ];
    let mut stages = stages_of(job);
    if adding.is_some() {
        stages.insert(0, Stage::READING_IDS);
        stages.push(Stage::ADDING);
    }
    stages.push(Stage::WRITING);
    let command = Command { name: "dedup", writes, stages };
    let running = Running::begin(command, job, resources, progress)?;
    let purpose = if adding.is_some() { Purpose::JoinAndIndex } else { Purpose::Join };
    let running = running.reading_for(purpose);
    running.job.check_comparison()?;
    running.job.check_removal()?;
    let job = &running.job;
    let records = job.outputs.records.as_deref();
    let provenance = job.records_provenance()?;
    let was_published = records.map_or(Ok(false), |path| running.session.has_published(path, &provenance))?;
    let found = running.discover()?;
    let mut outputs = DedupOutputs::create(&found, records.filter(|_| !was_published), job, &running.session)?;
    let mut sources = running.with_references(found)?;
    if adding.is_some() {
        // What comes in the place of a document is not compared with it.
        sources.replace_references(ids_of(&sources.inputs, &job.inputs, &running.session)?);
    }
    let (corpus, records) = running.read(&sources)?;
    let session = &running.session;
    if let Some(adding) = &adding {
        adding.check_new(&corpus, session)?;
    }
    let Dedup { decisions, method, recall, candidates } = decide(job, &corpus, session)?;
    let basis = basis_of(running.command, job, Some((method, recall)))?;
    outputs.describe(&basis)?;
    let mut written =
        session.stage(writing(&records), || outputs.write((&corpus.listing, &records), &decisions, job, session))?;
    let search = SearchReport { method, recall, candidates, refused: corpus.refused_by_texts() };
    let counts = DedupCounts::new(&corpus.listing, corpus.empty, &records, &decisions);
    if let Some(file) = running.report_file()? {
        let listing = &corpus.listing;
        let decisions = &decisions[..];
        let removals =
            Removals { job, listing, records: &records, decisions, counts: &counts, search: &search, basis: &basis };
        written.push(sealed_page(file, &removals.page(session)?)?);
    }
    let added = adding.as_mut().map(|adding| adding.prepare(&corpus, &decisions, session)).transpose()?;
    let (prepared, added) = added.unzip();
    let found = Found::Dedup { counts, search, was_published, added };
    let report = running.finish(written, found, CorpusCounts::of(&corpus, &records))?;
    // Outputs first: a job that ends between the two gives the same outputs when it is run again, because what it adds
    // is compared with no former self.
    prepared.map_or(Ok(()), |prepared: Prepared<'_>| Ok::<_, Error>(prepared.commit()?))?;
    Ok(report)
}

/// The index that documents are added to.
#[derive(Debug)]
pub(super) struct Adding {
    pub(super) writer: IndexWriter,
    /// The second since 1970 from which on they are gone.
    pub(super) expires: Option<u64>,
    pub(super) replacing: Replacing,
}

impl Adding {
    /// Checks that no input takes the place of a document of the index, if that is refused: before anything is written,
    /// and whether it stays or not.
    ///
    /// # Errors
    /// [`crate::details::Contradiction::IdsInIndex`].
    fn check_new(&self, corpus: &Corpus, session: &Session<'_>) -> Result<()> {
        if self.replacing == Replacing::Allowed {
            return Ok(());
        }
        let inputs = corpus.documents().skip(corpus.listing.references).collect();
        let view = self.writer.index().view();
        let (new, _) = StoredCorpus::of(corpus, inputs, session).without_known(&view)?;
        new.check_new(&view)
    }

    /// Writes the documents that stay beside the index.
    fn prepare(
        &mut self,
        corpus: &Corpus,
        decisions: &[Decision],
        session: &Session<'_>,
    ) -> Result<(Prepared<'_>, IndexCounts)> {
        let Self { writer, expires, .. } = self;
        give_resources(writer, session);
        let view = writer.index().view();
        let inputs = corpus.documents().skip(corpus.listing.references);
        let stays: Vec<DocId> = inputs.filter(|document| decisions[document.index()].is_kept()).collect();
        let near = (corpus.listing.inputs() - stays.len()) as u64;
        let (stored, known) = StoredCorpus::of(corpus, stays, session).expiring(*expires).without_known(&view)?;
        session.stage(Stage::over_documents(Stage::ADDING, stored.len()), || {
            let prepared = written(writer.prepare(&stored), session)?;
            let documents = prepared.documents();
            let bytes = prepared.bytes();
            let added = stored.len() as u64 - known.renewed;
            let replaced = prepared.replaced() - known.renewed;
            let known = known.documents;
            Ok((prepared, IndexCounts { added, replaced, near, known, documents, bytes }))
        })
    }
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
        let outputs = &job.outputs;
        let staging = session.staging();
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
            written.extend(write_records(
                (listing, records),
                &Outcome::of_decisions(decisions, job.measure.figure()),
                output,
                job,
                session,
            )?);
        }
        Ok(written)
    }
}
